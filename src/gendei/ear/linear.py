"""A trained linear model of a text's features: how likely each kind is."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gendei.ear.features import WORD_BITS, features

SMALLEST_SHARE = 1e-4
LONG_WORD = 6
"""Letters from which on a word is known with two of them in each other's place ("cofnirmo")."""
Shares = NDArray[np.float64]


@dataclass(frozen=True)
class LinearModel:
    """weights: a row for each feature, of words and then of letters, a column for each of `kinds`. worth: what the
    logarithms of the shares that come of it are worth, with strangers: a row for each kind and one to begin with.
    rarity: of each feature, in steps of `rarity_scale`. alarm, ask: shares from which on a text is taken for what the
    model was made to find, and from which on it is asked about. words: long ones that it was trained with."""

    kinds: tuple[str, ...]
    weights: NDArray[np.float32]
    bias: Shares
    worth: Shares
    rarity: NDArray[np.uint8]
    rarity_scale: float
    alarm: float
    ask: float
    words: frozenset[str] = frozenset()

    @classmethod
    def load(cls, file: Path) -> "LinearModel":
        """Raises OSError and ValueError for no such file."""
        with np.load(file) as stored:
            facts: dict[str, Any] = json.loads(str(stored["facts"]))
            weights = stored["weights"].astype(np.float32) * np.float32(facts.pop("scale"))
            kinds, known = tuple(facts.pop("kinds")), frozenset(facts.pop("words", "").split())
            return cls(kinds, weights, stored["bias"], stored["worth"], stored["rarity"], **facts, words=known)

    def shares(self, said: list[str]) -> Shares:
        """Of the words of a text, as `features.tokens` gives them; they add up to 1."""
        scores: Shares = self.bias.copy()
        for numbers, start in zip(features([self._turned_back(word) for word in said]), (0, 2**WORD_BITS), strict=True):
            places = numbers + start
            rare = self.rarity[places] * self.rarity_scale
            length = float(np.sqrt(rare @ rare)) or 1.0
            scores += (rare / length) @ self.weights[places]
        logarithms = np.log(np.maximum(_shares_of(scores), SMALLEST_SHARE))
        return _shares_of(logarithms @ self.worth[:-1] + self.worth[-1])

    def _turned_back(self, word: str) -> str:
        """The one word that the training had of which this is a typing error; a word of which it is none as it is."""
        if len(word) < LONG_WORD or word in self.words:
            return word
        turned = {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(1, len(word) - 1)} & self.words
        return turned.pop() if len(turned) == 1 else word


def _shares_of(scores: Shares) -> Shares:
    spread: Shares = np.exp(scores - scores.max())
    shares: Shares = spread / spread.sum()
    return shares
