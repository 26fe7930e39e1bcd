"""How every entry of a clinic fits a question: in memory, without a network.

Every question form and every answer is a unit. A question is compared with them in three ways:

- by its words: a word is in an entry by its stem, by a group of words that say the same, or by a matter that both speak
  of, each for less; rare words weigh more (BM25's weight);
- by vectors (`gendei.knowledge.vectors`): the question's with the unit's, and each word of the question with the
  nearest word of the unit;
- by what the sentence means, where `gendei[semantic]` is installed.

The weights of these features are fitted by `python -m training.knowledge_weights`."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import log

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import OSA

from gendei.knowledge.everyday_words import Said, analysed, bare, related
from gendei.knowledge.searchable import Searchable
from gendei.knowledge.sentences import encoder, sentence_vectors
from gendei.knowledge.vectors import (
    NO_LENGTH,
    SHORTEST_SPELT,
    Rows,
    VectorSpace,
    Word,
    lengthened,
    own_vectors,
    words_of,
)

Features = NDArray[np.float64]
BY_STEM, BY_MEANING, BY_MATTER, BY_BEGINNING = 1.0, 0.8, 0.2, 0.5
LIGHT = 0.4
UNSEEN = 60
"""As if a clinic had so many entries more, with other words: a word in two of four entries still tells much."""
BEGINNING = 5
SILENT = 0.12
"""How much less a word counts that says little by itself."""
MOST_NEAR = 16
"""Entries whose words are compared one by one: those that come nearest otherwise."""
TELLING = 0.5
"""A word tells what a question is about where it tells so much of what the most telling one does."""


@dataclass(frozen=True, slots=True)
class ComparedWord:
    """A word of a text as it is compared: its keys, each with what a match by it counts."""

    keys: tuple[tuple[str, float], ...]
    silent: bool
    light: bool

    @property
    def share(self) -> float:
        """How much the word counts beside one that says what a question is about."""
        return SILENT if self.silent else LIGHT if self.light else 1.0


def compared_words(said: Said) -> list[ComparedWord]:
    """The words of a text that can be compared, each once."""
    found: dict[tuple[tuple[str, float], ...], ComparedWord] = {}
    known = related()
    rows = zip(said.stems, said.meanings, said.matters, said.silent, strict=True)
    for stem, meanings, around, silent in rows:
        if not stem or (silent and not meanings):
            continue
        keys = (
            *(() if silent else ((stem, BY_STEM),)),
            *(("=" + group, BY_MEANING) for group in sorted(meanings)),
            *((("^" + stem[:BEGINNING], BY_BEGINNING),) if len(stem) >= BEGINNING and not silent else ()),
            *(("~" + matter, BY_MATTER) for matter in sorted(around)),
        )
        light = stem in known.light or (bool(meanings) and all("?" + group in known.light for group in meanings))
        found.setdefault(keys, ComparedWord(keys, silent, light))
    return list(found.values())


class SearchIndex:
    """Entries of one clinic, ready to be searched. Immutable: another one is made when an entry changes."""

    def __init__(
        self, entries: Sequence[Searchable], *, space: VectorSpace | None = None, semantic: bool | None = None
    ) -> None:
        self.entries = tuple(entries)
        self.semantic = encoder() is not None if semantic is None else semantic
        self._space = space or own_vectors()
        self._asked: dict[frozenset[str], set[int]] = {}
        owners: dict[str, set[int]] = {}
        for number, entry in enumerate(self.entries):
            for question in entry.questions:
                self._asked.setdefault(bare(question), set()).add(number)
            for text in (*entry.questions, entry.answer):
                for word in compared_words(analysed(text)):
                    for key, _ in word.keys:
                        owners.setdefault(key, set()).add(number)
        self._owners = {key: np.array(sorted(numbers)) for key, numbers in owners.items()}
        units = [text for entry in self.entries for text in (*entry.questions, entry.answer)]
        counts = [len(entry.questions) + 1 for entry in self.entries]
        self._starts = np.cumsum([0, *counts[:-1]], dtype=np.int64)
        self._answers = np.cumsum(counts, dtype=np.int64) - 1
        wholes = [" ".join((*entry.questions, entry.answer)) for entry in self.entries]
        self._units, self._wholes = self._vectors(units), self._vectors(wholes)
        self._words, self._word_places, self._tells = self._words_of(units)
        self._sentences = sentence_vectors(units) if self.semantic else None

    def _vectors(self, texts: Sequence[str]) -> Rows:
        return np.array([self._space.vector(text) for text in texts], dtype=np.float32).reshape(-1, self._space.numbers)

    def _words_of(self, units: Sequence[str]) -> tuple[Rows, list[NDArray[np.int64]], Rows]:
        """Every word of the units once, as a row of length 1; the places of each unit's words among them; and how much
        each word tells. The first row is of no word, so that every unit has one."""
        known: dict[Word, int] = {Word(()): 0}
        places = [
            np.array([0, *{known.setdefault(word, len(known)) for word in words_of(analysed(text))}]) for text in units
        ]
        rows = np.array([self._space.word(word) for word in known])
        return lengthened(rows), places, np.linalg.norm(rows, axis=1).astype(np.float32)

    def asked_so(self, question: str) -> list[str]:
        """The entries with a question form in the very words of this question."""
        words = bare(question)
        return [self.entries[number].id for number in sorted(self._asked.get(words, ()))] if words else []

    def rarity(self, key: str) -> float:
        """BM25's weight of a key."""
        held = len(self._owners[key]) if key in self._owners else 0
        count = len(self.entries) + UNSEEN
        return log(1 + (count - held + 0.5) / (held + 0.5)) / log(1 + (count + 0.5) / 0.5)

    def weight(self, word: ComparedWord) -> float:
        """How much a word counts: as the rarest key by which an entry has it; unknown words as the rarest."""
        held = [self.rarity(key) for key, value in word.keys if value > BY_BEGINNING and key in self._owners]
        weight = max(held) if held else 1.0
        return weight * word.share

    @cached_property
    def _stems(self) -> dict[str, list[str]]:
        """The known stems, by their first letter, which is seldom the wrong one."""
        found: dict[str, list[str]] = {}
        for stem in sorted({*(key for key in self._owners if key[0] not in "=~^"), *related().same}):
            found.setdefault(stem[:1], []).append(stem)
        return found

    def _spelt(self, said: Said) -> Said:
        """With the nearest known stem where nobody writes a stem."""
        stems, meanings, matters = list(said.stems), list(said.meanings), list(said.matters)
        for place, (stem, silent) in enumerate(zip(said.stems, said.silent, strict=True)):
            if silent or len(stem) < SHORTEST_SPELT or stem.isdigit() or self._is_known(stem):
                continue
            near = process.extractOne(stem, self._stems.get(stem[0], ()), scorer=OSA.distance, score_cutoff=1)
            if near is not None:
                stems[place] = near[0]
                meanings[place] = related().same.get(near[0], frozenset())
                matters[place] = related().around.get(near[0], frozenset())
        return replace(said, stems=tuple(stems), meanings=tuple(meanings), matters=tuple(matters))

    def _is_known(self, stem: str) -> bool:
        return stem in self._owners or stem in self._space.places or stem in related().same

    def nearest(self, question: str) -> tuple[NDArray[np.int64], Features]:
        """The entries that come near a question, at most MOST_NEAR, and how each of them fits it, in `features_of`'s
        order; none for a question without words."""
        said = self._spelt(analysed(question))
        words = compared_words(said)
        if not self.entries or all(len(word.keys[0][0]) < 2 for word in words):
            return np.zeros(0, dtype=np.int64), np.zeros((0, len(features_of(semantic=self.semantic))))
        said_words = words_of(said)
        found: list[Features | Rows] = [
            *self._by_stems(words),
            *self._by_vector(self._space.vector_of(said, said_words)),
        ]
        found += self._by_meaning(question)
        every = np.stack(found, axis=1, dtype=np.float64)
        rough = every[:, FEATURES.index("words")] + every[:, FEATURES.index("entry_vector")]
        near = np.sort(np.argsort(-rough, kind="stable")[:MOST_NEAR])
        of_words = np.stack(self._by_words(said_words, near), axis=1, dtype=np.float64)
        return near, np.insert(every[near], [len(FEATURES) - of_words.shape[1]], of_words, axis=1)

    def _by_stems(self, words: Sequence[ComparedWord]) -> Sequence[Features]:
        """Of every entry: the share of the question that it holds, how much that is, the share by the same stems; and
        of the question alone: the share that no entry holds."""
        weights = np.array([self.weight(word) for word in words])
        held, exact = np.zeros((2, len(words), len(self.entries)))
        for row, by_stem, word in zip(held, exact, words, strict=True):
            for key, value in reversed(word.keys):
                owners = self._owners.get(key)
                if owners is not None:
                    row[owners] = np.maximum(row[owners], value)
                    if value == BY_STEM:
                        by_stem[owners] = value
        total = weights.sum()
        unknown = (held.max(axis=1) < BY_MEANING).dot(weights) / total
        return weights @ held / total, weights @ held, weights @ exact / total, np.full(len(self.entries), unknown)

    def _by_vector(self, asked: Rows) -> Sequence[Rows]:
        """Of every entry: how near its best form, its answer, and the whole of it are."""
        near = self._units @ asked
        return *_of_units(near, self._starts, self._answers), self._wholes @ asked

    def _by_words(self, words: Sequence[Word], entries: NDArray[np.int64]) -> Sequence[Rows]:
        """Of each of these entries: how near the words of its best form, of its answer, and of the whole of it come to
        the question's, which count by how much they tell; of the whole once more, where telling words count more; how
        near the telling word comes that the entry holds least of; and how much of its best form the question holds."""
        rows = np.array([self._space.word(word) for word in dict.fromkeys(words)])
        tells = np.linalg.norm(rows, axis=1)
        shares, squares = tells / max(tells.sum(), NO_LENGTH), tells**2 / max(float(tells @ tells), NO_LENGTH)
        units, starts, answers = self._units_of(entries)
        places = np.concatenate([self._word_places[unit] for unit in units])
        unit_starts = np.cumsum([0, *(len(self._word_places[unit]) for unit in units[:-1])])
        nearest = lengthened(rows) @ self._words[places].T
        of_units = np.maximum.reduceat(nearest, unit_starts, axis=1)
        of_wholes = np.maximum.reduceat(of_units, starts, axis=1)
        tell = self._tells[places]
        told = np.maximum(np.add.reduceat(tell, unit_starts), NO_LENGTH)
        held: Rows = (np.add.reduceat(nearest.max(axis=0) * tell, unit_starts) / told).astype(np.float32)
        least: Rows = of_wholes[tells >= TELLING * tells.max()].min(axis=0)
        of_forms = _of_units(shares @ of_units, starts, answers)
        return *of_forms, shares @ of_wholes, squares @ of_wholes, least, _of_units(held, starts, answers)[0]

    def _units_of(self, entries: NDArray[np.int64]) -> tuple[list[int], NDArray[np.int64], NDArray[np.int64]]:
        """The units of some entries, and among them where each entry begins and where its answer is."""
        counts = self._answers[entries] - self._starts[entries] + 1
        units = [
            unit
            for start, count in zip(self._starts[entries], counts, strict=True)
            for unit in range(start, start + count)
        ]
        ends = np.cumsum(counts)
        return units, ends - counts, ends - 1

    def _by_meaning(self, question: str) -> Sequence[Rows]:
        """Of every entry, where the extra is installed: its best form, and its answer."""
        if self._sentences is None:
            return ()
        near: Rows = self._sentences @ sentence_vectors([question])[0]
        return _of_units(near, self._starts, self._answers)


def _of_units(near: Rows, starts: NDArray[np.int64], answers: NDArray[np.int64]) -> tuple[Rows, Rows]:
    """Of every entry: its nearest form, and its answer, of what tells how near each unit is."""
    forms = near.copy()
    forms[answers] = -1.0
    return np.maximum.reduceat(forms, starts), near[answers]


FEATURES = (
    "words words_sum words_exact unknown form_vector answer_vector entry_vector form_words answer_words entry_words "
    "entry_telling entry_least form_held"
).split()
SEMANTIC_FEATURES = ["form_meaning", "answer_meaning"]
"""Those that `gendei[semantic]` adds."""


def features_of(*, semantic: bool) -> list[str]:
    """The names of an index's features, in order."""
    return [*FEATURES, *(SEMANTIC_FEATURES if semantic else ())]
