"""What a model remembers of messages that it no longer reads: a summary that it wrote itself, renewed now and then.

A model reads the last messages as they are (`ModelLimits.messages`). Before one falls out of them unsummarised, the
model is asked for a new summary of all but the newest half, so that this costs one call in many turns. It stands in the
conversation's agentState; guided neither makes nor needs one, as it keeps the draft.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

MAX_SUMMARY = 1500
"""Characters."""
MOST_READ = 40
"""The conversation keeps 50 messages. With more than this many unsummarised, a turn's own could push one out."""
Messages = Sequence[Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Summary:
    """`until`: the timestamp of the newest message that it covers."""

    text: str = ""
    until: str = ""

    @classmethod
    def of(cls, state: Mapping[str, Any]) -> "Summary":
        """As an agentState holds it; empty where there is none, or none that can be read."""
        kept = state.get("summary")
        if not isinstance(kept, Mapping):
            return cls()
        return cls(str(kept.get("text", "")), str(kept.get("until", "")))

    def to_dict(self) -> dict[str, str]:
        return {"text": self.text, "until": self.until}


@dataclass(frozen=True, slots=True)
class Memory:
    """What a conversation keeps beside its booking draft, in the same agentState. model: a language model, not guided,
    answered the last turn. told: how many messages of the patient's it has read since it began to answer, or since
    anything was changed in the agenda."""

    summary: Summary = Summary()
    model: bool = False
    told: int = 0

    @classmethod
    def of(cls, state: Mapping[str, Any]) -> "Memory":
        told = state.get("told")
        return cls(Summary.of(state), state.get("model") is True, told if isinstance(told, int) else 0)

    def without_model(self) -> "Memory":
        """After a turn of guided's."""
        return replace(self, model=False, told=0)

    def to_dict(self) -> dict[str, Any]:
        """Nothing where there is nothing to keep."""
        summary = {"summary": self.summary.to_dict()} if self.summary.text else {}
        return summary | ({"model": True} if self.model else {}) | ({"told": self.told} if self.told else {})


def since(history: Messages, told: int) -> Messages:
    """What was said from the patient's last `told` messages on, by anybody."""
    places = [place for place, message in enumerate(history) if message["role"] == "user"][-told:] if told else []
    return history[places[0] :] if places else ()


def due(history: Messages, summary: Summary, read: int) -> Messages:
    """The messages that a new summary has to take in, none while every unsummarised one is still read. `read`: how
    many a model reads."""
    older = history[: -min(read, MOST_READ)]
    until = _moment(summary.until)
    if not any(_moment(_at(message)) > until for message in older):
        return ()
    return [message for message in history[: -(read // 2)] if _moment(_at(message)) > until]


def renewed(text: str, taken_in: Messages) -> Summary:
    return Summary(text.strip()[:MAX_SUMMARY], _at(taken_in[-1]))


def _at(message: Mapping[str, str]) -> str:
    """A message without a timestamp is older than every summary."""
    return message.get("timestamp", "")


def _moment(timestamp: str) -> datetime:
    return datetime.fromisoformat(timestamp) if timestamp else datetime.min.replace(tzinfo=UTC)
