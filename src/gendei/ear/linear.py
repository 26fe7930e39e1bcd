"""A trained linear model of a text's features: how likely each kind is."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gendei.ear.features import WORD_BITS, features

SMALLEST_SHARE = 1e-4
Shares = NDArray[np.float64]


@dataclass(frozen=True)
class LinearModel:
    """weights: a row for each feature, of words and then of letters, a column for each of `kinds`. worth: what the
    logarithms of the shares that come of it are worth, with strangers: a row for each kind and one to begin with.
    rarity: of each feature, in steps of `rarity_scale`. alarm, ask: shares from which on a text is taken for what the
    model was made to find, and from which on it is asked about."""

    kinds: tuple[str, ...]
    weights: NDArray[np.float32]
    bias: Shares
    worth: Shares
    rarity: NDArray[np.uint8]
    rarity_scale: float
    alarm: float
    ask: float

    @classmethod
    def load(cls, file: Path) -> "LinearModel":
        """Raises OSError and ValueError for no such file."""
        with np.load(file) as stored:
            facts: dict[str, Any] = json.loads(str(stored["facts"]))
            weights = stored["weights"].astype(np.float32) * np.float32(facts.pop("scale"))
            kinds = tuple(facts.pop("kinds"))
            return cls(kinds, weights, stored["bias"], stored["worth"], stored["rarity"], **facts)

    def shares(self, said: list[str]) -> Shares:
        """Of the words of a text, as `features.tokens` gives them; they add up to 1."""
        scores: Shares = self.bias.copy()
        for numbers, start in zip(features(said), (0, 2**WORD_BITS), strict=True):
            places = numbers + start
            rare = self.rarity[places] * self.rarity_scale
            length = float(np.sqrt(rare @ rare)) or 1.0
            scores += (rare / length) @ self.weights[places]
        logarithms = np.log(np.maximum(_shares_of(scores), SMALLEST_SHARE))
        return _shares_of(logarithms @ self.worth[:-1] + self.worth[-1])


def _shares_of(scores: Shares) -> Shares:
    spread: Shares = np.exp(scores - scores.max())
    shares: Shares = spread / spread.sum()
    return shares
