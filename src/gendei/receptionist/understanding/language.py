"""Portuguese words as patients type them: normalising, forgiving typing errors, finding expressions and names."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Generic, TypeVar

from rapidfuzz.distance import OSA

T = TypeVar("T")
_WORD = re.compile(r"[a-z0-9]+|[^\sa-z0-9]")
_ADDRESS = re.compile(r"\b(?:https?://|w{1,3}\.)\S+")
_STRETCHED = re.compile(r"([a-z])\1{2,}|(?<=[a-z]{2})([a-z])\2\b")
_SENTENCE = re.compile(r"[^.!?\n]+[.!?]?")
_ACCENTS = re.compile("[\u0300-\u036f]")
_DIMINUTIVE = re.compile(r"([a-z]{3,}?)(z?)(?:inh[oa]s?|im|ins)")
_HARD = {"qu": "c", "gu": "g"}
"""How a consonant is written before "i", and how before "o" or "a": "branquinho", "branco"."""
_ENDINGS = ("", "o", "a", "e", "io", "ia")
_EMOJI_DRESS = re.compile("[\u200d\ufe0e\ufe0f\U0001f3fb-\U0001f3ff]")
"""What only dresses another emoji: its skin, its colours, the joint of two."""
SHORTEST = 4
"""Letters of the shortest word that has a diminutive; only longer ones are known when misspelt."""
GAP, GAP_WORDS = "...", 4
"""Between two words of an expression: so many others, at the most, may stand there."""
ALARMS = frozenset({"crisis", "urgent", "violence"})
_IN_ANY_ORDER = ALARMS - {"violence"}
"""Of violence it matters who does what to whom."""
HARMLESS = "harmless"
"""The intent with what only sounds like ALARMS."""
OF_FILES = frozenset({"papers", "sends", "points"})
"""Intents that mean something only beside a file; `says` alone looks for them."""
MAX_TEXT = 2000
"""Longer messages are read up to here: nobody books with more words, and the rest could be made to cost time."""


def plain(text: str) -> str:
    """Lower case without accents; letters drawn out ("siiiim", "issoo") are said once. The length may change."""
    said = text[:MAX_TEXT].lower()
    return _STRETCHED.sub(_once, said if said.isascii() else _unaccented(said)[:MAX_TEXT])


def _once(stretched: re.Match[str]) -> str:
    return stretched[0][0]


def _unaccented(said: str) -> str:
    unmarked = _ACCENTS.sub("", unicodedata.normalize("NFKD", said))
    if not unmarked.isascii():
        unmarked = _EMOJI_DRESS.sub(
            "", "".join(character for character in unmarked if not unicodedata.combining(character))
        )
    return unmarked


def words(text: str) -> list[str]:
    """The words (and emoji) of a text in order, in plain letters; punctuation is left out, and so are addresses of
    pages, whose words nobody said."""
    said = _ADDRESS.sub(" ", plain(text))
    return [found for found in _WORD.findall(said) if found[0].isalnum() or ord(found[0]) > 0x2000]


def flat(text: str) -> str:
    """The words between single blanks, one at each end: what says something holds its flat words."""
    return f" {' '.join(words(text))} "


@lru_cache(maxsize=20_000)
def words_known(text: str) -> tuple[str, ...]:
    """As `words`, remembered: of texts of ours or the clinic's that all messages are compared with, never a patient's
    words."""
    return tuple(words(text))


@lru_cache(maxsize=20_000)
def flat_known(text: str) -> str:
    """As `flat`, remembered like `words_known`."""
    return flat(text)


def same_word(written: str, meant: str) -> bool:
    """Whether `written` is `meant` with at most one typing error (two in words of nine letters or more).

    Words under five letters must match exactly, those under seven may not have one letter for another ("atende" is
    not "agende"), "cancel*" matches what begins so, or with two letters in each other's place, and "pra|para"
    either. A diminutive is its word ("dentinhos").
    """
    if written == meant:
        return True
    if "|" in meant:
        return any(same_word(written, alternative) for alternative in _alternatives(meant))
    if meant[-1:] == "*":
        return written.startswith(meant[:-1]) or _begins_turned(written, meant[:-1])
    length = len(meant)
    if length < SHORTEST or len(written) <= SHORTEST or written[0] != meant[0]:
        return False
    if meant.removesuffix("s") in _undiminished(written):
        return True
    allowed = 2 if length >= 9 else 1
    if length == SHORTEST or abs(len(written) - length) > allowed or not written.isalpha():
        return False
    if length < 7 and len(written) == length and sorted(written) != sorted(meant):
        return False
    return OSA.distance(written, meant, score_cutoff=allowed) <= allowed


def _begins_turned(written: str, beginning: str) -> bool:
    """Whether two letters have changed places in a long beginning ("cacnelar")."""
    size = len(beginning)
    long_enough = size > SHORTEST and len(written) >= size and written[0] == beginning[0]
    begun = written[:size] if long_enough else ""
    return bool(begun) and sorted(begun) == sorted(beginning) and OSA.distance(begun, beginning) == 1


@lru_cache(maxsize=5_000)
def _alternatives(meant: str) -> tuple[str, ...]:
    return tuple(meant.split("|"))


@lru_cache(maxsize=20_000)
def _undiminished(written: str) -> frozenset[str]:
    """The words, in the singular, of which this may be the diminutive; none where it is not one."""
    found = _DIMINUTIVE.fullmatch(written)
    if found is None:
        return frozenset()
    stem, joint = found.groups()
    stems = {stem, stem + joint, stem[:-2] + _HARD.get(stem[-2:], stem[-2:])}
    return frozenset(stem + ending for stem in stems for ending in _ENDINGS)


def contains(said: Sequence[str], expression: Sequence[str]) -> bool:
    """Whether the words of `expression` occur one after the other in what was said."""
    return _find(said, expression) is not None


class Places:
    """Where each meant word stands in what was said. A word is compared once, however many expressions hold it and
    however often it was said: a message of thousands of words costs no time."""

    def __init__(self, said: Sequence[str]) -> None:
        self._said: dict[str, dict[str, list[int]]] = {}
        for place, word in enumerate(said):
            self._said.setdefault(word[0], {}).setdefault(word, []).append(place)
        self._words = said
        self._found: dict[str, frozenset[int]] = {}

    def hold(self, expression: Sequence[str]) -> bool:
        """As `contains`, with the gaps of the expression."""
        ends, reach = self.of(expression[0]), 1
        for word in expression[1:]:
            if not ends:
                return False
            if word == GAP:
                reach += GAP_WORDS
                continue
            near = {end + step for end in ends for step in range(1, reach + 1)}
            ends, reach = self.of(word) & near, 1
        return bool(ends)

    def words_of(self, meant: Iterable[str]) -> frozenset[str]:
        """The words that were said, as they were, of those that are meant."""
        return frozenset(self._words[place] for word in meant for place in self.of(word))

    def begun_by(self, letter: str) -> Iterable[str]:
        """The words that were said and begin so."""
        return self._said.get(letter, ())

    def of(self, meant: str) -> frozenset[int]:
        """The places of one word that is meant."""
        found = self._found.get(meant)
        if found is None:
            begun = (each for each in _alternatives(meant) if each[0] in self._said)
            found = frozenset(place for each in begun for place in self._places_of(each))
            self._found[meant] = found
        return found

    def _places_of(self, meant: str) -> Iterator[int]:
        """The first letter is never a typing error (see `same_word`)."""
        begun = self._said[meant[0]]
        if len(meant) < SHORTEST and meant[-1] != "*":
            yield from begun.get(meant, ())
            return
        for word, places in begun.items():
            if same_word(word, meant):
                yield from places


class _Index(Generic[T]):
    """Expressions, each with a mark, found by the words that they begin with: by the very word, by its beginning, or
    misspelt."""

    def __init__(self, expressions: Iterable[tuple[T, tuple[str, ...]]]) -> None:
        self._lines: dict[str, list[tuple[T, tuple[str, ...]]]] = {}
        for mark, expression in expressions:
            self._lines.setdefault(expression[0], []).append((mark, expression))
        self._exact: dict[str, set[str]] = {}
        self._others: dict[str, list[tuple[str, str]]] = {}
        for first in self._lines:
            for meant in _alternatives(first):
                self._exact.setdefault(meant, set()).add(first)
                if meant[-1] == "*" or len(meant) >= SHORTEST:
                    self._others.setdefault(meant[0], []).append((meant, first))
        self._begun_by = lru_cache(maxsize=5000)(self._look_for)

    def held(self, said: Sequence[str]) -> list[tuple[T, tuple[str, ...]]]:
        """The expressions that are in what was said, in any order."""
        places = Places(said)
        firsts = {first for word in set(said) for first in self._begun_by(word)}
        lines = (line for first in firsts for line in self._lines[first])
        return [line for line in lines if len(line[1]) == 1 or places.hold(line[1])]

    def _look_for(self, word: str) -> frozenset[str]:
        others = self._others.get(word[0], ())
        alike = {
            first for meant, first in others if (len(word) > SHORTEST or meant[-1] == "*") and same_word(word, meant)
        }
        return frozenset(alike | self._exact.get(word, set()))


@dataclass(frozen=True)
class Vocabulary:
    """The expressions of each intent, ready to be searched."""

    expressions: Mapping[str, tuple[tuple[str, ...], ...]]

    @classmethod
    def of(cls, lists: Mapping[str, Iterable[str]]) -> "Vocabulary":
        read = {name: [tuple(_split(expression)) for expression in lines] for name, lines in lists.items()}
        for name in _IN_ANY_ORDER & read.keys():
            read[name] += [line for expression in read[name] if (line := _turned(expression)) != expression]
        return cls({name: tuple(lines) for name, lines in read.items()})

    def joined(self, lists: Mapping[str, Iterable[str]]) -> "Vocabulary":
        """With more expressions, as a vertical adds them; made once for each such lists."""
        if not lists:
            return self
        more = Vocabulary.of(lists).expressions
        key = tuple(sorted(more.items()))
        if key not in self._joined:
            both = {name: (*self.expressions[name], *more[name]) for name in more}
            self._joined[key] = Vocabulary({**self.expressions, **both})
        return self._joined[key]

    @cached_property
    def _joined(self) -> "dict[object, Vocabulary]":
        return {}

    def heard_in(self, said: Sequence[str]) -> frozenset[str]:
        """The intents with at least one expression in what was said."""
        found = self._found_in(said)
        if HARMLESS in found and not found.isdisjoint(ALARMS):
            return found - ALARMS | self._found_in(self.beyond(HARMLESS, said)) & ALARMS
        return found

    def _found_in(self, said: Sequence[str]) -> frozenset[str]:
        return frozenset(name for name, _ in self._index.held(said))

    @cached_property
    def _index(self) -> "_Index[str]":
        lists = ((name, lines) for name, lines in self.expressions.items() if name not in OF_FILES)
        return _Index((name, expression) for name, lines in lists for expression in lines)

    def _index_of(self, name: str) -> "_Index[int]":
        """The intent's expressions by their places."""
        if name not in self._indexes:
            self._indexes[name] = _Index(enumerate(self.expressions.get(name, ())))
        return self._indexes[name]

    @cached_property
    def _indexes(self) -> "dict[str, _Index[int]]":
        return {}

    def hears(self, said: Sequence[str], *names: str) -> bool:
        """Whether an expression of any of these intents is in what was said; cheaper than all that `heard_in` looks
        for."""
        if names not in self._narrowed:
            wanted = {*names, HARMLESS} & self.expressions.keys()
            self._narrowed[names] = Vocabulary({name: self.expressions[name] for name in sorted(wanted)})
        return not self._narrowed[names].heard_in(said).isdisjoint(names)

    @cached_property
    def _narrowed(self) -> "dict[tuple[str, ...], Vocabulary]":
        return {}

    def says(self, name: str, said: Sequence[str]) -> bool:
        """Whether an expression of this intent is in what was said."""
        return bool(self._index_of(name).held(said))

    def insists(self, name: str, said: Sequence[str]) -> bool:
        """Whether an expression of several words of this intent was said, or nothing but such expressions."""
        held = self._index_of(name).held(said)
        return any(len(expression) > 1 for _, expression in held) or self.is_only(name, said)

    def is_only(self, name: str, said: Sequence[str]) -> bool:
        """Whether nothing but expressions of this intent was said ("sim, pode ser")."""
        return bool(said) and not self.beyond(name, said)

    def has(self, name: str, word: str) -> bool:
        """Whether this very word is an expression of the intent."""
        return word in self._alone.get(name, ())

    def single_words(self, name: str) -> frozenset[str]:
        """The expressions of one word of this intent."""
        return self._alone.get(name, frozenset())

    def means_something(self, word: str) -> bool:
        """Whether this very word is an expression of any intent."""
        return any(word in alone for name, alone in self._alone.items() if name not in OF_FILES)

    @cached_property
    def _alone(self) -> Mapping[str, frozenset[str]]:
        """Of each intent: the expressions of one word."""
        return {
            name: frozenset(expression[0] for expression in lines if len(expression) == 1)
            for name, lines in self.expressions.items()
        }

    def beyond(self, name: str, said: Sequence[str]) -> list[str]:
        """The words that are left when every expression of this intent is taken away."""
        rest = list(said)
        held = sorted(self._index_of(name).held(said), key=lambda line: (-len(line[1]), line[0]))
        for _, expression in held:
            reach, start = len(expression) + GAP_WORDS * expression.count(GAP), 0
            while (span := _find(rest, expression, start)) is not None:
                del rest[slice(*span)]
                start = max(0, span[0] - reach)  # what stands further before cannot reach over the gap
        return rest


def _split(expression: str) -> list[str]:
    return plain(expression).split()


def _turned(expression: tuple[str, ...]) -> tuple[str, ...]:
    """With what stands around its gap changed places: who is in danger tells it in any order."""
    if expression.count(GAP) != 1:
        return expression
    gap = expression.index(GAP)
    return (*expression[gap + 1 :], GAP, *expression[:gap])


def _find(said: Sequence[str], expression: Sequence[str], first: int = 0) -> tuple[int, int] | None:
    """Where an expression begins, at `first` or later, and ends; the nearest words taken for those behind a gap."""
    begin, rest = expression[0], expression[1:]
    for start in range(first, len(said)):
        if same_word(said[start], begin) and (end := _end(said, rest, start + 1)) is not None:
            return start, end
    return None


def _end(said: Sequence[str], expression: Sequence[str], at: int) -> int | None:
    """Behind the words of `expression`, the first of them at `at`."""
    reach = 1
    for word in expression:
        if word == GAP:
            reach += GAP_WORDS
            continue
        found = next((place for place in range(at, min(at + reach, len(said))) if same_word(said[place], word)), None)
        if found is None:
            return None
        at, reach = found + 1, 1
    return at


MAX_WORDS, MAX_LETTERS = 8, 80
MAX_DECOMPOSED = 4 * MAX_LETTERS
"""No name takes more characters before its letters and their marks are joined, which takes time."""
_TITLES = frozenset("dona d seu sr sra dr dra prof profa doutor doutora".split())
_NAME = re.compile(r"[^\W\d_]+\.?(?:['\u2019-][^\W\d_]+)*(?: [^\W\d_]+\.?(?:['\u2019-][^\W\d_]+)*)*")


def name_in(text: str) -> str | None:
    """The name in a WhatsApp profile ("Jô Reis 🌸" has one), or in an answer to who comes; None where there is none:
    "♡", "12", "Ana'); DROP TABLE"."""
    dressed = "".join(
        " " if unicodedata.category(character) in {"So", "Sk", "Cf", "Mn"} else character for character in text
    )
    said = " ".join(dressed.split())
    if len(said) > MAX_DECOMPOSED:
        return None
    bare = unicodedata.normalize("NFC", said).strip(" .,!")
    likely = len(bare) <= MAX_LETTERS and len(bare.split()) <= MAX_WORDS
    return bare if likely and _NAME.fullmatch(bare) else None


def first_name(name: str) -> str:
    """What somebody is greeted by ("Dona Lurdes Reis": "Lurdes"); "" where there is no such word."""
    return next((word for word in name.split() if word.isalpha() and word.lower() not in _TITLES), "")


def parted(text: str) -> list[str]:
    """The sentences of `text`."""
    return [sentence for found in _SENTENCE.findall(text) if (sentence := found.strip())]


def sentences_of(text: str, intent: str, vocabulary: Vocabulary) -> list[str]:
    """The sentences of `text` that speak of `intent`."""
    return [sentence for sentence in parted(text) if intent in vocabulary.heard_in(words(sentence))]
