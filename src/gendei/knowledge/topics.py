"""What clinics are asked about: a text as a vector of topics, so that two texts without a common word may be near.

The topics are questions of many writers about one thing each (`python -m training.knowledge_topics` writes topics.npz):
a word is of a topic as much as it is asked with, and rare elsewhere."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import log
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import OSA

from gendei.knowledge.everyday_words import telling_stems

FILE = Path(__file__).with_name("topics.npz")
Vector = NDArray[np.float32]
SHORTEST_MISSPELT = 5
"""A shorter stem with another letter is another word."""


@dataclass(frozen=True, eq=False)
class TopicSpace:
    """`words`: of each stem its place in the rows; `starts`: where a stem's `topics` and their `shares` begin."""

    words: Mapping[str, int]
    starts: NDArray[np.int32]
    topics: NDArray[np.int16]
    shares: NDArray[np.float32]
    rarity: NDArray[np.float32]
    count: int

    @classmethod
    def learned(cls, topics: Sequence[Sequence[str]]) -> "TopicSpace":
        """From the texts of each topic."""
        counted: dict[str, dict[int, int]] = {}
        for number, texts in enumerate(topics):
            for text in texts:
                for stem in set(telling_stems(text)):
                    of_stem = counted.setdefault(stem, {})
                    of_stem[number] = of_stem.get(number, 0) + 1
        words = sorted(counted)
        rarity = np.array([log(1 + len(topics) / len(counted[word])) for word in words])
        rows = [counted[word] for word in words]
        numbers = np.array([number for row in rows for number in row], dtype=np.int16)
        held = np.array(
            [log(1 + count) * rare for row, rare in zip(rows, rarity, strict=True) for count in row.values()]
        )
        lengths = np.sqrt(np.bincount(numbers, weights=held**2, minlength=len(topics)))
        starts = np.cumsum([0, *map(len, rows)]).astype(np.int32)
        shares = (held / lengths[numbers]).astype(np.float32)
        places = {word: place for place, word in enumerate(words)}
        return cls(places, starts, numbers, shares, rarity.astype(np.float32), len(topics))

    @classmethod
    def load(cls, file: Path = FILE) -> "TopicSpace":
        """Raises OSError and ValueError for no such file."""
        with np.load(file, allow_pickle=False) as data:
            words = {word: place for place, word in enumerate(str(data["words"]).split())}
            shares, rarity = data["shares"].astype(np.float32), data["rarity"].astype(np.float32)
            return cls(words, data["starts"], data["topics"], shares, rarity, int(data["count"]))

    def save(self, file: Path = FILE) -> None:
        """Write it, the same bytes for the same topics."""
        np.savez_compressed(
            file,
            words=np.array(" ".join(self.words)),
            count=np.array(self.count),
            starts=self.starts,
            topics=self.topics,
            shares=self.shares.astype(np.float16),
            rarity=self.rarity.astype(np.float16),
        )

    @cached_property
    def _spelt(self) -> list[str]:
        return [word for word in self.words if len(word) >= SHORTEST_MISSPELT]

    def _place(self, stem: str) -> int | None:
        """Of a stem, or of the nearest one where nobody writes it."""
        place = self.words.get(stem)
        if place is not None or len(stem) < SHORTEST_MISSPELT or stem.isdigit():
            return place
        near = process.extractOne(stem, self._spelt, scorer=OSA.distance, score_cutoff=1)
        return self.words[near[0]] if near is not None and near[0][0] == stem[0] else None

    def rarity_of(self, stem: str) -> float:
        """How much a stem tells; one that is of no topic tells most."""
        place = self.words.get(stem)
        return log(1 + self.count) if place is None else float(self.rarity[place])

    def vector(self, text: str) -> Vector:
        """How much a text is of each topic, the likely ones more; of length 1, or 0 where it is of none."""
        found = np.zeros(self.count, dtype=np.float32)
        for stem in telling_stems(text):
            place = self._place(stem)
            if place is not None:
                among = slice(self.starts[place], self.starts[place + 1])
                found[self.topics[among]] += self.rarity[place] * self.shares[among]
        found *= found
        length = float(np.linalg.norm(found))
        return found / length if length else found


@cache
def own_topics() -> TopicSpace:
    """Those that are shipped, loaded once."""
    return TopicSpace.load()
