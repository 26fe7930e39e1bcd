"""A score of 1 to 5 in a patient's words: "5", "nota 4", "cinco estrelas", "foi ótimo"."""

from dataclasses import dataclass
from pathlib import Path

from gendei.clinic_initiatives import HIGHEST_SCORE, LOWEST_SCORE
from gendei.datafile import StrictModel, read_yaml
from gendei.receptionist.understanding.language import contains, words

STAR = "⭐"
TEN = 10
"""Idiom for the best there is; nothing is the worst."""
FEW_WORDS = 7


class _File(StrictModel):
    scores: dict[str, list[str]]
    numbers: dict[str, int]
    alone: list[str]
    fillers: list[str]
    counted: list[str]
    turns: list[str]
    declines: list[str]


_FILE = read_yaml(Path(__file__).with_name("score_words.yaml")).into(_File)
_EXPRESSIONS = sorted(
    ((tuple(expression.split()), int(score)) for score, them in _FILE.scores.items() for expression in them),
    key=lambda known: -len(known[0]),
)
_FILLERS, _COUNTED, _TURNS, _ALONE = map(frozenset, (_FILE.fillers, _FILE.counted, _FILE.turns, _FILE.alone))


_DECLINES = [tuple(expression.split()) for expression in _FILE.declines]


@dataclass(frozen=True, slots=True)
class ReadScore:
    """score: None where a score was meant, and it is not clear which. rest: what else was said."""

    score: int | None
    rest: str = ""


def score_in(text: str) -> ReadScore | None:
    """What a text says as an answer to "De 1 a 5, como foi?"; None for something else."""
    said = words(text)
    if STAR in text and not set(said) - {STAR, *_FILLERS}:
        return ReadScore(_in_scale(text.count(STAR)))
    return _by_number(text, said) or _by_words(said)


def declines(text: str) -> bool:
    """Whether who was asked why says, in a few words, that they will not say."""
    said = words(text)
    held = [expression for expression in _DECLINES if contains(said, expression)]
    return len(said) <= FEW_WORDS - 2 and any(len(each) > 1 or len(said) == 1 for each in held)


def _by_number(text: str, said: list[str]) -> ReadScore | None:
    """The number that the text begins with, but for fillers; what follows is the rest."""
    place = next((place for place, word in enumerate(said) if word not in _FILLERS - _ALONE), len(said))
    named = bool(said) and said[place - 1 : place] == ["nota"]
    if place == len(said) or (number := _number(said[place])) is None:
        return None
    following = said[place + 1 : place + 2]
    if following and (following[0] in _COUNTED or following[0].isdigit()):
        return None
    if said[place] in _ALONE and following and not named:
        return None
    rest = said[place + 1 :]
    if not set(rest) - _FILLERS:
        return ReadScore(_in_scale(number))
    if not named and place == 0 and not _parted(text):
        return None
    return ReadScore(_in_scale(number), " ".join(text.split()[place + 1 :]))


def _parted(text: str) -> bool:
    """Whether something stands between the number and what follows: "2, esperei muito"."""
    first = text.split(maxsplit=1)[0]
    return first[-1:] in {",", ".", "!", ";", ":", "-"} or text.split()[1:2] in (["-"], ["–"], ["pq"], ["porque"])


def _number(word: str) -> int | None:
    if word.isascii() and word.isdigit() and len(word) <= 2:
        return int(word)
    return _FILE.numbers.get(word)


def _in_scale(number: int) -> int | None:
    if number == TEN:
        return HIGHEST_SCORE
    if number == 0:
        return LOWEST_SCORE
    return number if LOWEST_SCORE <= number <= HIGHEST_SCORE else None


def _by_words(said: list[str]) -> ReadScore | None:
    if not said or len(said) > FEW_WORDS:
        return None
    found, left = [], list(said)
    for expression, score in _EXPRESSIONS:
        if contains(left, expression):
            found.append(score)
            left = _without(left, expression)
    if not found:
        return None
    clear = len(set(found)) == 1 and _TURNS.isdisjoint(left) and not set(left) - _FILLERS
    return ReadScore(found[0] if clear else None)


def _without(said: list[str], expression: tuple[str, ...]) -> list[str]:
    length = len(expression)
    for place in range(len(said) - length + 1):
        if tuple(said[place : place + length]) == expression:
            return [*said[:place], *said[place + length :]]
    return said
