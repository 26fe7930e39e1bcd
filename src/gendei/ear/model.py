"""The trained model: what it hears in a text."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gendei.ear.features import WORD_BITS, features, parts, tokens

FILE = Path(__file__).with_name("weights.npz")
LONG_WORDS = 40
"""A longer message is heard in windows too."""


class MessageKind(StrEnum):
    """What a message is, as a whole. DANGER_HEALTH: somebody may be in bodily danger now; DANGER_DESPAIR: somebody may
    take their life or hurts themselves. ANSWER: what means something only after what was said before, a yes, a day, a
    name. OTHER: nothing that a clinic is asked."""

    DANGER_HEALTH = "danger_health"
    DANGER_DESPAIR = "danger_despair"
    BOOK = "book"
    CHANGE = "change"
    CANCEL = "cancel"
    SEE = "see"
    CONFIRM = "confirm"
    ASK = "ask"
    GREET = "greet"
    COMPLAIN = "complain"
    PERSON = "person"
    ANSWER = "answer"
    OTHER = "other"


KINDS = tuple(MessageKind)
DANGERS = (MessageKind.DANGER_HEALTH, MessageKind.DANGER_DESPAIR)


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
        return max(self.shares, key=lambda kind: self.shares[kind])

    @property
    def is_despair(self) -> bool:
        """Which of the two dangers it would be."""
        return self.shares[MessageKind.DANGER_DESPAIR] > self.shares[MessageKind.DANGER_HEALTH]


@dataclass(frozen=True)
class LearnedEar:
    """weights: a row for each feature, of words and then of letters, a column for each of KINDS. rarity: of each
    feature, in steps of `rarity_scale`. alarm, ask: shares of danger from which on it is one, and is asked about."""

    weights: NDArray[np.float32]
    bias: NDArray[np.float64]
    rarity: NDArray[np.uint8]
    rarity_scale: float
    alarm: float
    ask: float

    @classmethod
    def load(cls, file: Path = FILE) -> "LearnedEar":
        """Raises OSError and ValueError for no such file."""
        with np.load(file) as stored:
            facts: dict[str, Any] = json.loads(str(stored["facts"]))
            if tuple(facts.pop("kinds")) != KINDS:
                raise ValueError(f"{file} was trained for other kinds of messages: train it again")
            weights = stored["weights"].astype(np.float32) * np.float32(facts.pop("scale"))
            return cls(weights=weights, bias=stored["bias"], rarity=stored["rarity"], **facts)

    def hear(self, text: str) -> Belief:
        """What `text` is. Of a long one, the most dangerous part decides over danger."""
        shares = self._shares(tokens(text))
        danger = _danger(shares)
        if len(text.split()) > LONG_WORDS:
            for part in list(parts(text))[1:]:
                of_part = self._shares(part)
                if _danger(of_part) > max(danger, self.alarm):
                    shares, danger = of_part, _danger(of_part)
        named = {kind: float(share) for kind, share in zip(KINDS, shares, strict=True)}
        return Belief(named, danger, alarms=danger >= self.alarm, asks=danger >= self.ask)

    def _shares(self, said: list[str]) -> NDArray[np.float64]:
        scores: NDArray[np.float64] = self.bias.copy()
        for numbers, start in zip(features(said), (0, 2**WORD_BITS), strict=True):
            places = numbers + start
            rare = self.rarity[places] * self.rarity_scale
            length = float(np.sqrt(rare @ rare)) or 1.0
            scores += (rare / length) @ (self.weights[places])
        spread: NDArray[np.float64] = np.exp(scores - scores.max())
        spread /= spread.sum()
        return spread


def _danger(shares: NDArray[np.float64]) -> float:
    return float(sum(shares[KINDS.index(kind)] for kind in DANGERS))


@cache
def own_ear() -> LearnedEar:
    """The one that is shipped, loaded once."""
    return LearnedEar.load()
