"""Patterns over the tokens of a message: what the grammar is written in.

A pattern is read from left to right and never goes back. Its parts stand between blanks:

    a|o         one of these words; a name in capitals stands for those of a list (words.yaml, words.py)
    =a|o        the same, and the word is kept for the builder
    {number}    what the rule of that name reads there, kept for the builder; [number] the same, and not kept
    a|o?        the same, taken where it stands; a rule that reads nothing there is kept as None
    a|o*        up to five of these words
    <de|em      nothing, behind one of these words
    &que        nothing, before one of these words
    ~dias       nothing, behind a word that was written so
    !           turns <, & and ~ round; !que is !&que
    $           nothing, at the end of the sentence
    ...         the expression ends here, and what follows must stand there too
"""

import re
from collections.abc import Callable
from functools import cache
from typing import Any, cast

from gendei.booking.dates.cursor import Cursor
from gendei.booking.dates.words import GROUPS

Found = tuple[Any, int]
"""What an expression means, and the position behind it."""
Reader = Callable[[Cursor, int], Found | None]
"""Reads an expression that begins exactly at that position."""
_Part = Callable[[Cursor, int, list[Any]], int]
"""The position behind it, or _NOT_THERE; what is kept goes to the list."""
_NOT_THERE = -1
_MOST_REPEATED = 5
_RULES: dict[str, "GrammarRule"] = {}


class Pattern:
    """A compiled pattern."""

    def __init__(self, text: str) -> None:
        own, _, ahead = text.partition(" ... ")
        self._texts = own.split()
        self._parts = [_part(part) for part in self._texts]
        self._ahead = [_part(part) for part in ahead.split()]

    def read(self, cursor: Cursor, at: int) -> tuple[list[Any], int] | None:
        """What was kept, and the position behind it."""
        kept: list[Any] = []
        for part in self._parts:
            at = part(cursor, at, kept)
            if at < 0:
                return None
        behind = at
        for part in self._ahead:
            behind = part(cursor, behind, [])
            if behind < 0:
                return None
        return kept, at

    def starts(self) -> frozenset[str] | None:
        """The words that it may begin with ("" for a number); None where it may begin with any."""
        found: frozenset[str] = frozenset()
        for text in self._texts:
            optional, bare = text[-1] in "?*", text.rstrip("?*")
            if bare[0] in "<!~":
                continue
            if bare[0] in "{[":
                rule = _RULES[bare[1:-1]]
                words, optional = rule.starts, optional or rule.optional
            else:
                words = _words(bare.lstrip("=&")) if bare != "$" else None
            if words is None or not optional:
                return None if words is None else found | words
            found |= words
        return None


class GrammarRule:
    """Reads what the first of its alternatives reads, each position of a message once."""

    def __init__(self, alternatives: list[tuple[Pattern, Any]]) -> None:
        self.optional = False
        self._alternatives = alternatives
        self._by_word: dict[str, list[tuple[Pattern, Any]]] = {}
        self._others: list[tuple[Pattern, Any]] | None = None

    def __call__(self, cursor: Cursor, at: int) -> Found | None:
        if self._others is None:
            self._others = self._sorted_by_word()
        alternatives = self._by_word.get(cursor.words[at], self._others)
        if not alternatives:
            return None
        key = self, at
        if key not in cursor.memory:
            cursor.memory[key] = _first(alternatives, cursor, at)
        return cast("Found | None", cursor.memory[key])

    @property
    def starts(self) -> frozenset[str] | None:
        """The words that it may begin with; None where it may begin with any."""
        if self._others is None:
            self._others = self._sorted_by_word()
        return None if self._others else frozenset(self._by_word)

    def _sorted_by_word(self) -> list[tuple[Pattern, Any]]:
        starts = [pattern.starts() for pattern, _ in self._alternatives]
        for word in frozenset().union(*(words for words in starts if words)):
            self._by_word[word] = [
                alternative
                for alternative, words in zip(self._alternatives, starts, strict=True)
                if words is None or word in words
            ]
        return [alternative for alternative, words in zip(self._alternatives, starts, strict=True) if words is None]


def _first(alternatives: list[tuple[Pattern, Any]], cursor: Cursor, at: int) -> Found | None:
    for pattern, build in alternatives:
        found = pattern.read(cursor, at)
        if found is not None:
            meaning = build(*found[0]) if callable(build) else build
            if meaning is not None:
                return meaning, found[1]
    return None


class _Function(GrammarRule):
    def __init__(self, read: Reader, starts: str, *, optional: bool) -> None:
        self._read, self._starts, self.optional = read, _words(starts) if starts else None, optional

    def __call__(self, cursor: Cursor, at: int) -> Found | None:
        if self._starts is not None and not self.optional and cursor.words[at] not in self._starts:
            return None
        key = self, at
        if key not in cursor.memory:
            cursor.memory[key] = self._read(cursor, at)
        return cast("Found | None", cursor.memory[key])

    @property
    def starts(self) -> frozenset[str] | None:
        return self._starts


def rule(name: str, *alternatives: tuple[str, Any] | str) -> GrammarRule:
    """A rule of patterns, each with its builder: called with what was kept, it gives the meaning, or None where the
    pattern does not hold; one that is no function is the meaning itself. A pattern alone means what its only rule
    does, or just that it stands there; a mere name is the pattern of that rule."""
    rows = [
        (f"{{{row}}}" if row.isidentifier() else row, _same) if isinstance(row, str) else row for row in alternatives
    ]
    return _RULES.setdefault(name, GrammarRule([(Pattern(text), build) for text, build in rows]))


def reader(name: str, read: Reader, *, starts: str = "", optional: bool = False) -> GrammarRule:
    """A rule that is a function; `optional`: it reads nothing where none of `starts` stands."""
    return _RULES.setdefault(name, _Function(read, starts, optional=optional))


def condition(name: str, holds: Callable[[Cursor, int], object]) -> None:
    """A rule that reads nothing, and holds there or does not."""
    reader(name, lambda cursor, at: (True, at) if holds(cursor, at) else None, starts="NOTHING", optional=True)


def _same(meaning: Any = True) -> Any:
    return meaning


def after(cursor: Cursor, at: int, pattern: str) -> int | None:
    """The position behind the pattern, None where it does not stand there."""
    found = _compiled(pattern).read(cursor, at)
    return found[1] if found else None


def skip(cursor: Cursor, at: int, pattern: str) -> int:
    """The position behind the pattern, `at` where it does not stand there."""
    found = _compiled(pattern).read(cursor, at)
    return found[1] if found else at


def before(cursor: Cursor, at: int, *patterns: str) -> bool:
    """Whether one of these patterns of words stands right before that position; it is read from right to left."""
    return any(_mirrored(pattern).read(cursor.mirror(), cursor.size - at) for pattern in patterns)


_compiled = cache(Pattern)


@cache
def _mirrored(pattern: str) -> Pattern:
    return Pattern(" ".join(reversed(pattern.split())).replace("<", "&"))


@cache
def _words(text: str) -> frozenset[str]:
    return frozenset().union(*(GROUPS[word] if word.isupper() else {word} for word in text.split("|")))


def _part(text: str) -> _Part:
    optional, repeated, text = text[-1] == "?", text[-1] == "*", text.rstrip("?*")
    wanted, text = text[0] != "!", text.removeprefix("!")
    if text[0] in "{[":
        return _of_rule(text[1:-1], optional=optional, keeps=text[0] == "{")
    if text == "$":
        return lambda cursor, at, _: at if cursor.ends(at) else _NOT_THERE
    if text[0] == "~":
        written = re.compile(text[1:])
        return lambda cursor, at, _: at if (written.search(cursor.raw(at - 1)) is not None) is wanted else _NOT_THERE
    words = _words(text.lstrip("<&="))
    if text[0] == "<":
        return lambda cursor, at, _: at if (cursor.words[at - 1] in words) is wanted else _NOT_THERE
    if text[0] == "&" or not wanted:
        return lambda cursor, at, _: at if (cursor.words[at] in words) is wanted else _NOT_THERE
    if text[0] == "=":
        return _keeping(words)
    if repeated:
        return lambda cursor, at, _: next(
            behind for behind in range(at, at + 6) if behind == at + 5 or cursor.words[behind] not in words
        )
    if optional:
        return lambda cursor, at, _: at + 1 if cursor.words[at] in words else at
    return lambda cursor, at, _: at + 1 if cursor.words[at] in words else _NOT_THERE


def _keeping(words: frozenset[str]) -> _Part:
    def read(cursor: Cursor, at: int, kept: list[Any]) -> int:
        kept.append(cursor.words[at])
        return at + 1 if cursor.words[at] in words else _NOT_THERE

    return read


def _repeated(words: frozenset[str]) -> _Part:
    def read(cursor: Cursor, at: int, _: list[Any]) -> int:
        for behind in range(at, at + _MOST_REPEATED):
            if cursor.words[behind] not in words:
                return behind
        return at + _MOST_REPEATED

    return read


def _of_rule(name: str, *, optional: bool, keeps: bool) -> _Part:
    def read(cursor: Cursor, at: int, kept: list[Any]) -> int:
        found = _RULES[name](cursor, at)
        if found is None and not optional:
            return _NOT_THERE
        meaning, behind = found or (None, at)
        if keeps:
            kept.append(meaning)
        return behind

    return read


def _one_token(read: Callable[[Cursor, int], Any]) -> Reader:
    return lambda cursor, at: (found, at + 1) if (found := read(cursor, at)) else None


reader("number", Cursor.number, starts="NUMBERS|DIGITS")
reader("day_number", Cursor.day_number, starts="NUMBERS|DIGITS|primeiro")
reader("ordinal", Cursor.ordinal, starts="ORDINALS|DIGITS")
reader("nth", _one_token(Cursor.nth), starts="ORDINALS|DIGITS")
reader("year", _one_token(Cursor.year), starts="DIGITS")
reader("digits", _one_token(Cursor.digits), starts="DIGITS")
reader("clock", _one_token(Cursor.clock), starts="DIGITS")
reader("date", _one_token(Cursor.date), starts="DIGITS")
reader("short_month", lambda cursor, at: cursor.month(at, shortened=True), starts="MONTHS|SHORT_MONTHS")
condition("no_word", lambda cursor, at: not cursor.is_word(at))
condition("no_number", lambda cursor, at: cursor.number(at) is None)
condition("uncounted", lambda cursor, at: not cursor.counts_things(at))
