"""Texts as vectors: two that speak of one thing are near each other, also without a common word.

A text is the sum of its parts: stems, pairs of stems that follow each other, the letters of each word, and groups of
everyday words. What each part adds is learned from questions of many writers and the entries that answer them
(`python -m training.knowledge_vectors` writes vectors.npz)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from gendei.knowledge.everyday_words import Said, analysed

FILE = Path(__file__).with_name("vectors.npz")
Rows = NDArray[np.float32]
LETTER_BUCKETS = 1 << 15
SHORTEST_SPELT = 4
"""A shorter word is not read by its letters."""
PAIR, MATTER = 0.5, 0.5
"""What a pair of stems, and a matter that a word speaks of, counts beside a stem."""
NO_LENGTH = 1e-6
Parts = tuple[tuple[str, float], ...]


def letters_of(word: str) -> Parts:
    """Runs of three to five letters of a folded word, with its ends, as few numbers; they find a misspelt word."""
    if len(word) < SHORTEST_SPELT:
        return ()
    marked = f"^{word}$"
    runs = [marked[start : start + size] for size in (3, 4, 5) for start in range(len(marked) - size + 1)]
    share = len(runs) ** -0.5
    return tuple((f"#{crc32(run.encode()) % LETTER_BUCKETS}", share) for run in runs)


@dataclass(frozen=True, slots=True, eq=False)
class Word:
    """A word by its parts; made once, so that it is found again by what it is and not by all of its parts."""

    parts: Parts


@lru_cache(maxsize=50_000)
def _word(written: str, stem: str, meanings: frozenset[str], matters: frozenset[str]) -> Word:
    groups = ((f"={group}", 1.0) for group in sorted(meanings))
    around = ((f"~{matter}", MATTER) for matter in sorted(matters))
    return Word((*(((stem, 1.0),) if stem else ()), *groups, *around, *letters_of(written)))


def words_of(said: Said) -> list[Word]:
    """Each word of a text, without the pairs."""
    return list(map(_word, said.words, said.stems, said.meanings, said.matters))


def pairs_of(said: Said) -> Parts:
    """Stems that follow each other, and the first and the last one."""
    stems = [stem for stem in said.stems if stem]
    return tuple((f"{first} {second}", PAIR) for first, second in zip(["<", *stems], [*stems, ">"], strict=True))


def shares_of(words: Sequence[Word]) -> dict[Word, float]:
    """Each word once, with how much it counts: what is said twice counts less than two times."""
    counted: dict[Word, int] = {}
    for word in words:
        counted[word] = counted.get(word, 0) + 1
    return {word: min(count, 2) ** 0.5 for word, count in counted.items()}


def parts_of(text: str) -> dict[str, float]:
    """All parts of a text, each with how much it counts."""
    said = analysed(text)
    found: dict[str, float] = {}
    words = ((word.parts, share) for word, share in shares_of(words_of(said)).items())
    for parts, share in ((pairs_of(said), 1.0), *words):
        for part, value in parts:
            found[part] = found.get(part, 0.0) + share * value
    return found


@dataclass(frozen=True, eq=False)
class VectorSpace:
    """`places`: of each part its row in `steps`, numbers of 8 bits that count `scales` of their row each."""

    places: Mapping[str, int]
    steps: NDArray[np.int8]
    scales: Rows

    @classmethod
    def of(cls, parts: Sequence[str], vectors: Rows) -> "VectorSpace":
        """From what each part adds."""
        scales = np.maximum(np.abs(vectors).max(axis=1), NO_LENGTH).astype(np.float32) / 127
        steps = np.round(vectors / scales[:, None]).astype(np.int8)
        return cls({part: place for place, part in enumerate(parts)}, steps, scales)

    @classmethod
    def load(cls, file: Path = FILE) -> "VectorSpace":
        """Raises OSError and ValueError for no such file."""
        with np.load(file, allow_pickle=False) as data:
            parts = str(data["parts"]).split("\n")
            return cls({part: place for place, part in enumerate(parts)}, data["steps"], data["scales"])

    def save(self, file: Path = FILE) -> None:
        """Write it, the same bytes for the same vectors."""
        parts = np.array("\n".join(self.places))
        np.savez_compressed(file, parts=parts, steps=self.steps, scales=self.scales)

    @property
    def numbers(self) -> int:
        """How many numbers a vector has."""
        return int(self.steps.shape[1])

    def summed(self, parts: Parts) -> Rows:
        """What these parts add up to."""
        known = [(place, share) for part, share in parts if (place := self.places.get(part)) is not None]
        if not known:
            return np.zeros(self.numbers, dtype=np.float32)
        places = [place for place, _ in known]
        counts = np.array([share for _, share in known], dtype=np.float32) * self.scales[places]
        found: Rows = counts @ self.steps[places].astype(np.float32)
        return found

    @lru_cache(maxsize=20_000)  # noqa: B019  # a space lives as long as the process
    def word(self, word: Word) -> Rows:
        """What a word adds: one that is used again and again is summed once."""
        return self.summed(word.parts)

    def vector(self, text: str) -> Rows:
        """A text, of length 1; 0 where nothing of it is known."""
        said = analysed(text)
        return self.vector_of(said, words_of(said))

    def vector_of(self, said: Said, words: Sequence[Word]) -> Rows:
        """The same of a text that was analysed, with its words by their parts."""
        found = self.summed(pairs_of(said))
        for word, share in shares_of(words).items():
            found += np.float32(share) * self.word(word)
        made: Rows = found / max(float(np.sqrt(found @ found)), NO_LENGTH)
        return made


def lengthened(rows: Rows) -> Rows:
    """Rows of length 1; those without a length stay so."""
    made: Rows = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), NO_LENGTH)
    return made


@cache
def own_vectors() -> VectorSpace:
    """Those that are shipped, loaded once."""
    return VectorSpace.load()
