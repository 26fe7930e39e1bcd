"""Which entry answers a question: in memory, without a network, in the words of the clinic and of everyday speech.

Every question form and every answer is a unit. A word of the question is in a unit by its stem, by a group of words
that say the same, or by a matter that both speak of, each for less; rare words weigh more (BM25's weight). Units and
question are compared by their topics too, and by what the sentence means where `gendei[semantic]` is installed. What
the best form, all forms and the answer hold of the question, and the question of them, is put together by weights that
`python -m training.knowledge_weights` fits.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log, sqrt

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import OSA

from gendei.knowledge.everyday_words import Said, analysed, bare, related
from gendei.knowledge.searchable import Searchable
from gendei.knowledge.sentences import encoder, sentence_vectors
from gendei.knowledge.topics import TopicSpace, own_topics

Row = NDArray[np.float64]
BY_STEM, BY_MEANING, BY_MATTER, BY_BEGINNING = 1.0, 0.8, 0.2, 0.5
LIGHT = 0.4
UNSEEN = 60
"""As if a clinic had so many entries more, with other words: a word in two of four entries still tells much."""
BEGINNING = 5
SILENT = 0.12
"""How much less a word counts that says little by itself."""
MISSPELT = 0.9


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


def slots_of(said: Said) -> list[ComparedWord]:
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


def wide_vector(slots: Sequence[ComparedWord], rarity: Callable[[str], float]) -> dict[str, float]:
    """A text as a vector of its words, of what they mean and of the matters that they speak of."""
    found: dict[str, float] = {}
    for slot in slots:
        meanings = sum(key[0] == "=" for key, _ in slot.keys)
        share = slot.share / (1 + 0.3 * meanings)
        for key, value in slot.keys:
            if key[0] == "^":
                continue
            found[key] = max(found.get(key, 0.0), share * value * rarity(key))
    return found


class SearchIndex:
    """Entries of one clinic, ready to be searched. Immutable: another one is made when an entry changes."""

    def __init__(
        self, entries: Sequence[Searchable], *, topics: TopicSpace | None = None, semantic: bool | None = None
    ) -> None:
        self.entries = tuple(entries)
        self.semantic = encoder() is not None if semantic is None else semantic
        self._topics = topics or own_topics()
        self._postings: dict[str, list[int]] = {}
        self._entry_of: list[int] = []
        self._is_answer: list[bool] = []
        slots: list[list[ComparedWord]] = []
        self._asked: dict[frozenset[str], set[int]] = {}
        for number, entry in enumerate(self.entries):
            for question in entry.questions:
                self._asked.setdefault(bare(question), set()).add(number)
            texts = [(question, False) for question in entry.questions] + [(entry.answer, True)]
            for text, is_answer in texts:
                found = slots_of(analysed(text))
                slots.append(found)
                for key in {key for slot in found for key, _ in slot.keys}:
                    self._postings.setdefault(key, []).append(len(self._entry_of))
                self._entry_of.append(number)
                self._is_answer.append(is_answer)
        self._places = {key: np.array(places) for key, places in self._postings.items()}
        self._owners = np.array(self._entry_of, dtype=np.int64)
        self._answers = np.array(self._is_answer, dtype=bool)
        self._df = {key: len({self._entry_of[place] for place in places}) for key, places in self._postings.items()}
        self._lengths = np.array([sum(map(self.weight, each)) for each in slots])
        self._starts = np.searchsorted(self._owners, np.arange(len(self.entries)))
        self._wide_norms = np.array([norm(wide_vector(each, self.rarity)) for each in slots])
        self._wide_postings: dict[str, tuple[list[int], list[float]]] = {}
        for place, each in enumerate(slots):
            for key, value in wide_vector(each, self.rarity).items():
                at, values = self._wide_postings.setdefault(key, ([], []))
                at.append(place)
                values.append(value)
        self._wide_rows = {key: (np.array(at), np.array(values)) for key, (at, values) in self._wide_postings.items()}
        units = [text for entry in self.entries for text in (*entry.questions, entry.answer)]
        self._topic_rows = np.array([self._topics.vector(text) for text in units]).reshape(-1, self._topics.count)
        wholes = [" ".join((*entry.questions, entry.answer)) for entry in self.entries]
        self._topic_wholes = np.array([self._topics.vector(text) for text in wholes]).reshape(-1, self._topics.count)
        self._sentences = sentence_vectors(units) if self.semantic else None

    def asked_so(self, question: str) -> list[str]:
        """The entries with a question form in the very words of this question."""
        words = bare(question)
        return [self.entries[number].id for number in sorted(self._asked.get(words, ()))] if words else []

    def rarity(self, key: str) -> float:
        """BM25's weight of a key."""
        count, held = len(self.entries) + UNSEEN, self._df.get(key, 0)
        return log(1 + (count - held + 0.5) / (held + 0.5)) / log(1 + (count + 0.5) / 0.5)

    def weight(self, slot: ComparedWord) -> float:
        """How much a word counts: as the rarest key by which an entry has it; unknown words as the rarest."""
        held = [self.rarity(key) for key, value in slot.keys if value > BY_BEGINNING and key in self._df]
        weight = max(held) if held else 1.0
        return weight * slot.share

    @cached_property
    def _stems(self) -> list[str]:
        return sorted({*(key for key in self._places if key[0] not in "=~^"), *related().same})

    def _spelt(self, slot: ComparedWord) -> ComparedWord:
        """The slot, or that of the nearest known word where nobody writes this one."""
        stem = slot.keys[0][0]
        if slot.silent or len(slot.keys) > 2 or stem in self._places or len(stem) < 4 or stem.isdigit():
            return slot
        near = process.extractOne(stem, self._stems, scorer=OSA.distance, score_cutoff=1)
        if near is None or near[0][0] != stem[0]:
            return slot
        meanings = related().same.get(near[0], frozenset())
        keys = ((near[0], MISSPELT), *(("=" + group, BY_MEANING * MISSPELT) for group in sorted(meanings)))
        return ComparedWord(keys, silent=False, light=False)

    def _wide(self, slots: Sequence[ComparedWord]) -> Row:
        asked = wide_vector(slots, self.rarity)
        products = np.zeros(len(self._entry_of))
        for key, value in asked.items():
            if (row := self._wide_rows.get(key)) is not None:
                products[row[0]] += value * row[1]
        return products / np.maximum(self._wide_norms * norm(asked), 1e-9)

    def features(self, question: str) -> Row:
        """Of every entry: how it fits the question, in FEATURES' order."""
        slots = [self._spelt(slot) for slot in slots_of(analysed(question))]
        count, units = len(self.entries), len(self._entry_of)
        if not count or all(len(slot.keys[0][0]) < 2 for slot in slots):
            return np.zeros((count, len(features_of(semantic=self.semantic))))
        weights = np.array([self.weight(slot) for slot in slots])
        held = np.zeros((len(slots), units))
        exact = np.zeros((len(slots), units))
        for row, by_stem, slot in zip(held, exact, slots, strict=True):
            for key, value in reversed(slot.keys):
                places = self._places.get(key)
                if places is not None:
                    row[places] = np.maximum(row[places], value)
                    if value >= MISSPELT:
                        by_stem[places] = value
        total = weights.sum()
        matched, matched_exactly = weights @ held, weights @ exact
        coverage = matched / total
        dice = 2 * matched / (total + self._lengths)
        forms = np.where(self._answers, 0.0, 1.0)
        wide = self._wide(slots)
        union = np.maximum.reduceat(held, self._starts, axis=1)
        union_exact = np.maximum.reduceat(exact, self._starts, axis=1)
        best = np.maximum.reduceat
        answer_norm = (
            matched * self._answers / (0.4 + 0.6 * self._lengths / max(self._lengths[self._answers].mean(), 1e-9))
        )
        topic = self._topics.vector(question)
        by_topic = self._topic_rows @ topic
        return np.stack(
            [
                best(coverage * forms, self._starts),
                best(dice * forms, self._starts),
                best(2 * matched_exactly / (total + self._lengths) * forms, self._starts),
                best(coverage * self._answers, self._starts),
                best(answer_norm, self._starts),
                best(matched_exactly / total * self._answers, self._starts),
                weights @ union / total,
                weights @ union,
                weights @ union_exact / total,
                np.full(count, (union.max(axis=1) < BY_MEANING * MISSPELT).dot(weights) / total),
                _told(union, weights, slots),
                np.full(count, float(sum(slot.share == 1 for slot in slots))),
                best(dice * self._answers, self._starts),
                best(wide * forms, self._starts),
                best(wide * self._answers, self._starts),
                best(by_topic * forms, self._starts),
                best(by_topic * self._answers, self._starts),
                self._topic_wholes @ topic,
                *self._by_meaning(question),
            ],
            axis=1,
        )

    def _by_meaning(self, question: str) -> Sequence[Row]:
        """Of every entry, where the extra is installed: its best form, the mean of its forms, its answer."""
        if self._sentences is None:
            return ()
        near = (self._sentences @ sentence_vectors([question])[0]).astype(np.float64)
        of_forms = np.add.reduceat(np.where(self._answers, 0.0, near), self._starts)
        counts = np.maximum(np.add.reduceat(~self._answers, self._starts), 1)
        best = np.maximum.reduceat(np.where(self._answers, -1.0, near), self._starts)
        return best, of_forms / counts, near[self._answers]


def _told(union: Row, weights: Row, slots: Sequence[ComparedWord]) -> Row:
    """Of every entry: its share of the words that say what the question is about."""
    about = np.array([slot.share == 1 for slot in slots])
    if not about.any():
        return np.zeros(union.shape[1])
    share: Row = (union[about] >= BY_MEANING * MISSPELT).mean(axis=0)
    return share


def norm(vector: Mapping[str, float]) -> float:
    """The length of a vector."""
    return sqrt(sum(value * value for value in vector.values()))


FEATURES = (
    "form_coverage form_dice form_dice_exact answer_coverage answer_bm25 answer_exact union union_sum union_exact "
    "unknown told words answer_dice form_wide answer_wide form_topics answer_topics entry_topics"
).split()
SEMANTIC_FEATURES = "form_meaning forms_meaning answer_meaning".split()
"""Those that `gendei[semantic]` adds."""


def features_of(*, semantic: bool) -> list[str]:
    """The names of an index's features, in order."""
    return [*FEATURES, *(SEMANTIC_FEATURES if semantic else ())]
