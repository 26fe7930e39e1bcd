"""The trained model: what it hears in a text."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path

from gendei.ear.features import parts, tokens
from gendei.ear.kinds import MessageKind
from gendei.ear.linear import LinearModel, Shares

FILE = Path(__file__).with_name("weights.npz")
LONG_WORDS = 40
"""A longer message is heard in windows too."""
WORDS_OF_A_LINE = 4
"""Fewer go on with the line before ("e agora?")."""


KINDS = tuple(MessageKind)
DANGERS = (MessageKind.DANGER_HEALTH, MessageKind.DANGER_DESPAIR, MessageKind.DANGER_VIOLENCE)


@dataclass(frozen=True, slots=True)
class Belief:
    """Shares of belief, which add up to 1. `alarms`: danger is so likely that nobody needs to be asked; `asks`: likely
    enough to ask."""

    shares: Mapping[MessageKind, float]
    danger: float
    alarms: bool
    asks: bool

    @property
    def kind(self) -> MessageKind:
        """The likeliest."""
        wished = self.wished
        return max(wished, key=lambda kind: wished[kind])

    @property
    def wished(self) -> Mapping[MessageKind, float]:
        """Shares of the kinds; where danger is so unlikely that nobody is asked about it, those of the others alone."""
        return self.shares if self.asks else self.without_danger.shares

    @property
    def without_danger(self) -> "Belief":
        """What is believed where it was said that nobody is in danger."""
        return replace(self.without(*DANGERS), danger=0.0, alarms=False, asks=False)

    def without(self, *kinds: MessageKind) -> "Belief":
        """The same of the other kinds alone."""
        rest = 1 - sum(self.shares[kind] for kind in kinds)
        shares = {kind: 0.0 if kind in kinds else share / rest for kind, share in self.shares.items()} if rest else {}
        return replace(self, shares=shares or self.shares)

    @property
    def danger_kind(self) -> MessageKind:
        """Which of the dangers it would be."""
        return max(DANGERS, key=lambda kind: self.shares.get(kind, 0.0))


@dataclass(frozen=True, eq=False)
class LearnedEar:
    """Hears KINDS. The model's alarm and ask are shares of danger."""

    model: LinearModel

    @classmethod
    def load(cls, file: Path = FILE) -> "LearnedEar":
        """Raises OSError and ValueError for no such file."""
        model = LinearModel.load(file)
        if model.kinds != KINDS:
            raise ValueError(f"{file} was trained for other kinds of messages: train it again")
        return cls(model)

    @lru_cache(maxsize=8)  # noqa: B019  # one ear a process, which hears a message more than once
    def hear(self, text: str) -> Belief:
        """What `text` is. Of several lines, which may be a message each, and of a long one the most dangerous part
        decides over danger."""
        model = self.model
        shares = model.shares(tokens(text))
        danger = _danger(shares)
        heard_apart = list(parts(text))[1:] if len(text.split()) > LONG_WORDS else map(tokens, _lines(text))
        for part in heard_apart:
            of_part = model.shares(part)
            if _danger(of_part) > max(danger, model.alarm):
                shares, danger = of_part, _danger(of_part)
        named = {kind: float(share) for kind, share in zip(KINDS, shares, strict=True)}
        return Belief(named, danger, alarms=danger >= model.alarm, asks=danger >= model.ask)


def _lines(text: str) -> list[str]:
    """The lines that tell something by themselves, where there are several lines."""
    lines = [line for line in text.splitlines() if line.strip()]
    return [line for line in lines if len(line.split()) >= WORDS_OF_A_LINE] if len(lines) > 1 else []


def _danger(shares: Shares) -> float:
    return float(sum(shares[KINDS.index(kind)] for kind in DANGERS))


@cache
def own_ear() -> LearnedEar:
    """The one that is shipped, loaded once."""
    return LearnedEar.load()
