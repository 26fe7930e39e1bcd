"""Mends misspelt words of the vocabulary, and leaves every other word alone."""

import re
from functools import lru_cache

from rapidfuzz.distance import OSA

from gendei.booking.dates.words import (
    ALIASES,
    DIMINUTIVES,
    FALSE_FRIENDS,
    LISTS,
    MONTHS_SHORT,
    NUMBERS,
    ORDINALS,
    PARTS,
    SPELLABLE,
    WEEKDAY_PLURALS,
    WEEKDAY_SHORT,
)

_SHORTEST, _LONGEST = 5, 12
_TWO_SLIPS_FROM = 8
_DRAWN_OUT_FROM = 4
_LONGEST_REMEMBERED = 40
"""Letters of a word that is remembered: thousands of endless ones would fill the memory."""
_KNOWN = SPELLABLE | {
    *DIMINUTIVES,
    *LISTS["greeted"],
    *MONTHS_SHORT,
    *NUMBERS,
    *ORDINALS,
    *PARTS,
    *WEEKDAY_PLURALS,
    *WEEKDAY_SHORT,
    *("hoje", "agora", "sexta", "passada", "pessoa", "correcao"),
}
_BY_INITIAL = {
    initial: tuple(sorted(word for word in SPELLABLE if word[0] == initial))
    for initial in {word[0] for word in SPELLABLE}
}
_REPEATED = re.compile(r"(.)\1+")


def canonical(word: str) -> str:
    """The word of the vocabulary that `word` (folded: lower case, no accents) stands for, or `word` itself.

    Aliases first; then drawn-out letters ("sextaaa"); then one slip of the keyboard in five to seven letters, two in
    eight or more, when the first letter is right and the word is not a real one of its own.
    """
    return _remembered(word) if len(word) <= _LONGEST_REMEMBERED else _mended(word)


def _mended(word: str) -> str:
    if word in ALIASES:
        return ALIASES[word]
    if word in _KNOWN or word in FALSE_FRIENDS:
        return word
    single = _REPEATED.sub(r"\1", word)
    if single != word and len(word) >= _DRAWN_OUT_FROM and (single in _KNOWN or single in ALIASES):
        return ALIASES.get(single, single)
    return _nearest(word) or _nearest(single) or word


_remembered = lru_cache(maxsize=8192)(_mended)


def _nearest(word: str) -> str | None:
    if not _SHORTEST - 1 <= len(word) <= _LONGEST or word in FALSE_FRIENDS:
        return None
    best: tuple[int, str] | None = None
    for known in _BY_INITIAL.get(word[0], ()):
        if len(known) < _SHORTEST:
            continue
        limit = 2 if min(len(known), len(word)) >= _TWO_SLIPS_FROM else 1
        slips = OSA.distance(word, known, score_cutoff=limit)
        if slips <= limit and (best is None or slips < best[0]):
            best = (slips, known)
    return best[1] if best else None
