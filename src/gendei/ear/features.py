"""What the ear counts in a text: words, their neighbours, their beginnings, and runs of letters, each by a number."""

import re
import unicodedata
from collections.abc import Container, Iterator, Sequence
from itertools import pairwise
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

WORD_BITS, LETTER_BITS = 16, 16
"""There are 2 ** bits numbers of each kind; what falls on one number by chance shares its weight."""
RUNS = (2, 3, 4, 5)
"""Lengths of the runs of letters, blanks between words included."""
BEGINNING = 5
"""Letters of a word that stand for its other forms."""
MOST_CHARACTERS = 2000
EMOJI = 0x2000
"""From this character on they begin."""
WINDOW_WORDS, STEP_WORDS = 16, 8
"""A long sentence is also listened to in windows, so that one clause is not lost among others."""
Features = tuple[NDArray[np.int64], NDArray[np.int64]]
"""The numbers of the words and of the letters of one text, in order, each once."""

_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_MARK = re.compile("[\u0300-\u036f\u200d\ufe0e\ufe0f\U0001f3fb-\U0001f3ff]")
_STRETCHED = re.compile(r"([a-z!?.])\1{2,}")
_TOKEN = re.compile(r"[a-z]+|[0-9]+|[^\sa-z0-9]")
_SENTENCE = re.compile(r"[.!?;\n]+")
_WEEKDAYS = "segunda terca quarta quinta sexta sabado domingo seg ter qua qui sex sab dom"
_DAYS = "hoje amanha ontem hj amnh amn"
_KIN = (
    "mae pai filho filha filhos filhas neto neta netos vo avo vovo vozinha marido esposa esposo mulher irmao irma "
    "sogra sogro tia tio sobrinho sobrinha prima primo cunhada cunhado namorada namorado bebe nenem menino menina "
    "mainha painho guri guria"
)
_SAME = {word: words.split()[0] for words in (_WEEKDAYS, _DAYS, _KIN) for word in words.split()}
"""Words of which it makes no difference which one was said."""


_OPENINGS = {
    tuple(phrase.split())
    for phrase in ("oi,oie,ola,opa,alo,e ai,bom dia,boa tarde,boa noite,tudo bem,tudo bom,td bem,tudo certo").split(",")
}
_CLOSINGS = {
    tuple(reversed(phrase.split()))
    for phrase in (
        "obrigada,obrigado,muito obrigada,muito obrigado,obg,brigada,brigado,valeu,vlw,desde ja,grata,grato"
    ).split(",")
}
_SIGNS = frozenset(",.!?;:")


def tokens(text: str) -> list[str]:
    """The words and signs of a text, in small letters without accents; letters drawn out are said once, a number is
    "0", and days and kin are one word each. A greeting before it and thanks after it say nothing of what it is, unless
    they are all."""
    found = _all_tokens(text)
    start, end = _behind(found, _OPENINGS), len(found) - _behind(found[::-1], _CLOSINGS)
    rest = found[start:end]
    return rest if any(token.isalnum() for token in rest) else found


def _behind(found: Sequence[str], phrases: Container[tuple[str, ...]]) -> int:
    """The place behind such phrases at the beginning, and the signs between them; 0 where there is none."""
    place = behind = 0
    while place < len(found):
        if found[place] in _SIGNS:
            place += 1
            continue
        length = next((n for n in (2, 1) if tuple(found[place : place + n]) in phrases), 0)
        if not length:
            break
        place += length
        behind = place
    while behind and behind < len(found) and found[behind] in _SIGNS - {"?"}:
        behind += 1
    return behind


def _all_tokens(text: str) -> list[str]:
    bare = _MARK.sub("", unicodedata.normalize("NFKD", text[:MOST_CHARACTERS].lower()))
    found = _TOKEN.findall(_STRETCHED.sub(r"\1", bare))
    return ["0" if token.isdigit() else _SAME.get(token, token) for token in found]


def features(said: Sequence[str]) -> Features:
    """The features of these tokens."""
    words = [word for word in said if word.isalnum() or word in "?!" or ord(word[0]) > EMOJI]
    begins = [word[:BEGINNING] for word in words]
    counted = [
        *words,
        *map(" ".join, pairwise(words)),
        *("~" + begin for begin in begins),
        *("~" + " ".join(three) for three in zip(begins, begins[1:], begins[2:], strict=False)),
        *("_" + " ".join(apart) for apart in zip(begins, begins[2:], strict=False)),
    ]
    of_words = np.fromiter((crc32(word.encode("utf-8", "replace")) for word in counted), np.uint64, len(counted))
    letters = np.frombuffer(f" {' '.join(words)} ".encode("utf-32-le", "replace"), np.uint32).astype(np.uint64)
    runs, run = [], letters + np.uint64(1)
    for length in range(2, RUNS[-1] + 1):
        run = run[:-1] * np.uint64(1_000_003) + letters[length - 1 :]
        if length in RUNS:
            runs.append(run + np.uint64(length))
    return _numbers(of_words, WORD_BITS), _numbers(np.concatenate(runs), LETTER_BITS)


def _numbers(hashes: NDArray[np.uint64], bits: int) -> NDArray[np.int64]:
    return np.unique((hashes * _FACTOR) >> np.uint64(64 - bits)).astype(np.int64)


def parts(text: str) -> Iterator[list[str]]:
    """The tokens of the whole text, then of each sentence, then of windows of a long one."""
    yield tokens(text)
    sentences = [said for part in _SENTENCE.split(text[:MOST_CHARACTERS]) if (said := tokens(part))]
    if len(sentences) > 1:
        yield from sentences
    for said in sentences:
        if len(said) > WINDOW_WORDS:
            for start in range(0, len(said) - STEP_WORDS, STEP_WORDS):
                yield said[start : start + WINDOW_WORDS]
