"""The sentences that staff read in the agenda, from `prompts/agenda.yaml`."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from gendei.booking.appointment import AppointmentStatus
from gendei.booking.refusals import Refusal
from gendei.booking.time_blocks import BlockRefusal
from gendei.conversation.outbound.proactive import Decline
from gendei.datafile import Problems, StrictModel, Text, nearest, read_yaml

FILE = "agenda.yaml"
QUEUED, UNAVAILABLE = "queued", "unavailable"
"""What becomes of a notice beside being declined."""


class _Calendar(StrictModel):
    title: Text
    event: Text
    blocked: Text


class _File(StrictModel):
    refusals: dict[str, Text]
    changed: Text
    blocks: dict[str, Text]
    statuses: dict[str, Text]
    closed: Text
    notices: dict[str, Text]
    calendar: _Calendar


@dataclass(frozen=True, slots=True)
class AgendaTexts:
    """Sentences by Refusal, BlockRefusal and AppointmentStatus; `notices` by Decline, QUEUED and UNAVAILABLE.
    `changed`: somebody else was faster. `closed`: a day without another reason. `calendar_*`: what a feed shows."""

    refusals: Mapping[str, str]
    blocks: Mapping[str, str]
    statuses: Mapping[str, str]
    notices: Mapping[str, str]
    changed: str
    closed: str
    calendar_title: str
    calendar_event: str
    calendar_blocked: str

    def refusal(self, reason: Refusal, professional: str) -> str:
        """Why the desk did not do it. `professional`: the name of who was asked for."""
        return self.refusals[reason].replace("{professional}", professional)


def load_agenda_texts(folder: Path) -> AgendaTexts:
    """The sentences of `folder`. Raises ConfigurationError for one that is unknown or missing."""
    file = read_yaml(folder / FILE)
    content = file.into(_File)
    problems = Problems()

    def check(group: str, texts: Mapping[str, str], known: Collection[str]) -> None:
        for name in texts.keys() - known:
            problems.found.append(file.error((group, name), "there is no such reason.", nearest(name, known)))
        for name in sorted(known - texts.keys()):
            problems.found.append(file.error((group,), f"{name} is missing.", "Write a sentence for staff."))

    check("refusals", content.refusals, _values(Refusal) - {Refusal.TOO_MANY})  # staff may book any number
    check("blocks", content.blocks, _values(BlockRefusal))
    check("statuses", content.statuses, _values(AppointmentStatus))
    check("notices", content.notices, _values(Decline) | {QUEUED, UNAVAILABLE})
    problems.raise_any()
    return AgendaTexts(
        refusals=content.refusals,
        blocks=content.blocks,
        statuses=content.statuses,
        notices=content.notices,
        changed=content.changed,
        closed=content.closed,
        calendar_title=content.calendar.title,
        calendar_event=content.calendar.event,
        calendar_blocked=content.calendar.blocked,
    )


def _values(kind: type[StrEnum]) -> set[str]:
    return {one.value for one in kind}
