"""Finds the expressions of a message: what is a day, what are hours, and which of them the patient rules out."""

import re
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import lru_cache

from gendei.booking.dates.cursor import Cursor
from gendei.booking.dates.day_grammar import day_at
from gendei.booking.dates.hour_grammar import hours_at
from gendei.booking.dates.lexer import TokenKind, tokens_of
from gendei.booking.dates.nodes import Day, Hours, Which
from gendei.booking.dates.patterns import Found, before, condition, reader, rule
from gendei.booking.dates.period_grammar import echo
from gendei.booking.dates.polarity import (
    ends_occupied,
    follows_nem,
    is_excluded,
    is_excluded_list,
    is_refused,
    is_told,
)
from gendei.booking.dates.words import LISTS, STARTERS, WEEKDAYS

_FEW_WORDS = 24
_INTO = LISTS["into_day"]
_JOINING = LISTS["joining"] | {"ou", "e", ",", "/", "?"}
_FAILING = re.compile(r"\b(?:(?:se|caso) )?nao (?:" + "|".join(sorted(LISTS["failing"])) + r")\b")
_AFTER_FAILING = LISTS["joining"] | LISTS["after_failing"]


@dataclass(frozen=True, slots=True)
class _Hit:
    """A day or hours at tokens [start, end)."""

    meaning: Day | Hours
    start: int
    end: int


class Connection(Enum):
    """How an expression hangs on the one of its kind before it."""

    ADJOINS = auto()  # nothing or small words between them
    COMMA = auto()  # "quinta, dia 15" or "segunda, quarta"
    LISTED = auto()  # ou, e
    APART = auto()  # other words between them


@dataclass(frozen=True, slots=True)
class Expression:
    """A day or hours, with the characters that it takes up. `excluded_list`: ruled out by a word that holds for all the
    members of a list ("menos segunda e quarta"); `refused`: by words that hold for what is listed with an "e" or an
    "ou" ("não posso segunda e quarta"; "não posso hoje, amanhã" asks for tomorrow). `told`: no wish."""

    meaning: Day | Hours
    start: int
    end: int
    excluded: bool
    excluded_list: bool
    refused: bool
    told: bool
    link: Connection

    @property
    def listed(self) -> bool:
        """Whether it is the next of a list."""
        return self.link in (Connection.LISTED, Connection.COMMA)


def expressions_of(text: str) -> tuple[Expression, ...]:
    """Every expression of the message, in order. The same few words come again and again ("amanhã", "segunda-feira"),
    and are remembered; whole sentences do not, and are only for as long as one message is looked at."""
    return _remembered(text) if len(text) <= _FEW_WORDS else _just_read(text)


def _read(text: str) -> tuple[Expression, ...]:
    cursor = Cursor(tokens_of(text))
    hits: list[_Hit] = []
    farewell = next((at for at, word in enumerate(cursor.words) if word in LISTS["farewells"]), cursor.size)
    at = 0
    while at < cursor.size:
        behind = _behind_aside(cursor, at, farewell)
        if behind == at and _may_start(cursor, at) and (hit := _longest(cursor, at, hits)):
            hits.append(hit)
            behind = hit.end
        at = max(behind, at + 1)
    expressions: list[Expression] = []
    for index in range(len(hits)):
        expressions.append(_expression(cursor, hits, index, expressions[-1] if expressions else None))
    return tuple(expressions)


_remembered = lru_cache(maxsize=256)(_read)
_just_read = lru_cache(maxsize=8)(_read)


def _may_start(cursor: Cursor, at: int) -> bool:
    """A cheap look, since most words of a message begin no expression."""
    kind = cursor.kind(at)
    if kind is not TokenKind.WORD:
        return kind is not TokenKind.MARK
    return cursor.word(at + 1 if cursor.word(at) in _INTO and cursor.is_word(at + 1) else at) in STARTERS


def _longest(cursor: Cursor, at: int, hits: list[_Hit]) -> _Hit | None:
    day, hours = day_at(cursor, at), hours_at(cursor, at)
    found = day if day and (hours is None or day[1] >= hours[1]) else hours
    if found is None and any(isinstance(hit.meaning, Day) for hit in hits):
        found = echo(cursor, at) or (_behind(cursor, at, hits[-1].meaning) if hits[-1].end == at else None)
    return _Hit(found[0], at, found[1]) if found else None


def _behind(cursor: Cursor, at: int, last: Day | Hours) -> Found | None:
    """A bare number right behind an expression."""
    if isinstance(last, Hours) or last.day is not None:
        return _after_any(cursor, at)
    return _after_any(cursor, at) or (_after_day if last.weekday is None else _after_weekday)(cursor, at)


# Words that name a day or hours and mean none


def _behind_aside(cursor: Cursor, at: int, farewell: int) -> int:
    """Behind such words; `at` where none of them stands. Behind a farewell "até amanhã" is one too."""
    if cursor.word(at) in LISTS["festivities"]:
        return _festivity(cursor, at)
    found = _aside(cursor, at) or (_parting(cursor, at) if farewell < at else None)
    return found[1] if found else at


def _festivity(cursor: Cursor, at: int) -> int:
    """Behind the day and the hour of what is celebrated ("o jantar de sexta às 20h"); `at` where none is told, and for
    who has it ("tenho um jantar sexta"), which rules the day out."""
    end, told = at + 1, at
    while not ends_occupied(cursor, at):
        while cursor.word(end) in LISTS["of_festivity"]:
            end += 1
        found = day_at(cursor, end) or hours_at(cursor, end)
        if found is None:
            break
        end = told = found[1]
    return told


def _placed(day: Day) -> bool | None:
    return True if day.feast or (day.day and day.has_month) else None


_aside = rule(
    "aside",
    # "rua 7 de setembro", "praça da República"
    ("PLACES .? de|da|do|dos? !dia {day}", _placed),
    # "de 8 em 8 horas", "de quinze em quinze dias": how often, not when
    ("de {number} em {number}", lambda first, second: True if first == second else None),
    ("de {number} em {clock}", lambda first, clock: True if (first, 0) == clock else None),
    # "bom dia", "uma ótima tarde", "feliz natal"
    "[no_state] boa GREETED de? semana|novo|feira?",
    "[no_state] GREETING_ADJECTIVES [no_weekday] GREETED de? semana|novo|feira?",
)
condition("no_state", lambda cursor, at: cursor.word(at - 1) not in LISTS["states"])
condition("no_weekday", lambda cursor, at: cursor.word(at) not in WEEKDAYS or cursor.word(at) in ("sabado", "domingo"))
_parting = rule("parting", "&ate {day} [no_more_words]")
condition("no_more_words", lambda cursor, at: at >= cursor.last_word)


# Numbers right behind a day


def _exact(hour: int, minute: int = 0, *, or_day: bool = False) -> Hours | None:
    return Hours(hour=hour, minute=minute, literal=hour == 0 or hour > 12, or_day=or_day) if hour <= 23 else None


def _undivided(number: int) -> Hours | None:
    return _exact(*divmod(number, 100)) if 700 <= number <= 2000 and number % 100 in range(0, 60, 5) else None


def _minutes_in_digits(cursor: Cursor, at: int) -> tuple[int, int] | None:
    minute = cursor.numbers(at, TokenKind.NUMBER)
    return (minute[0], at + 1) if minute and len(cursor.raw(at)) == 2 and minute[0] in range(0, 60, 5) else None


reader("minutes_in_digits", _minutes_in_digits, starts="DIGITS")
_after_any = rule("after_any", ("{digits} $", _undivided))  # "dia 15 1530"
_divided = (("{number} {minutes}", _exact), ("{number} {minutes_in_digits} $", _exact))
_after_day = rule(
    "after_day",  # "amanhã 15", "amanhã 10e30"
    *_divided,
    ("{digits} !:|/|- $", lambda hour: _exact(hour) if 7 <= hour <= 20 else None),
)
_after_weekday = rule(
    "after_weekday",  # "quinta, 10", "quinta 10 30", "sexta três e quinze", "sexta 26": its number, or the hour
    *_divided,
    ("{digits} !:|/|- $", lambda day: Day(day=day) if 20 < day <= 31 else None),
    ("{digits} !:|/|- $", lambda hour: _exact(hour, or_day=True) if 7 <= hour <= 20 else None),
)


# How the expressions hang together


def _expression(cursor: Cursor, hits: list[_Hit], index: int, previous: Expression | None) -> Expression:
    hit, following = hits[index], hits[index + 1] if index + 1 < len(hits) else None
    meaning, start, end = hit.meaning, hit.start, hit.end
    first, floor = start, hits[index - 1].end if index else 0
    while first > floor and cursor.word(first - 1) in _INTO:
        first -= 1
    if isinstance(meaning, Day) and _may_be_over(meaning) and before(cursor, first, "PAST_VERBS ai|la?"):
        meaning = replace(meaning, which=Which.LAST)
    link = _link(cursor, hits, index)
    excluded = is_excluded(cursor, start, end)
    hours_behind = isinstance(meaning, Day) and following and isinstance(following.meaning, Hours)
    if not excluded and hours_behind and following and following.start == end:
        more = any(isinstance(later.meaning, Hours) for later in hits[index + 2 :])
        excluded = not more and is_excluded(cursor, start, following.end)
    inherited = link is Connection.LISTED or (
        link is Connection.COMMA and not follows_nem(cursor, hits[index - 1].start)
    )
    if previous and previous.excluded_list and inherited:
        excluded_list = isinstance(meaning, type(previous.meaning))
    else:
        excluded_list = is_excluded_list(cursor, start)
    corrects = index > 0 and _is_corrected(cursor, hits[index - 1], hit)
    may_be_busy = isinstance(meaning, Day) or meaning.part is not None or meaning.until is not None
    refused = (may_be_busy and not corrects) and (
        is_refused(cursor, start) or (previous is not None and previous.refused and _goes_on(cursor, hits, index, link))
    )
    corrected = following is not None and _is_corrected(cursor, hit, following)
    ruled_out = corrected or (excluded and not corrects) or excluded_list or refused
    return Expression(
        meaning=meaning,
        start=cursor.tokens[first].start,
        end=cursor.tokens[end - 1].end,
        excluded=ruled_out,
        excluded_list=excluded_list,
        refused=refused,
        told=not ruled_out and is_told(cursor, meaning, start, end),
        link=link,
    )


def _is_corrected(cursor: Cursor, hit: _Hit, following: _Hit) -> bool:
    """ "Às três não às quatro", dictated: the second is meant."""
    exact = isinstance(hit.meaning, Hours) and hit.meaning.hour is not None and isinstance(following.meaning, Hours)
    return exact and cursor.word(hit.end) == "nao" and hit.end < following.start <= hit.end + 2


def _goes_on(cursor: Cursor, hits: list[_Hit], index: int, link: Connection) -> bool:
    """Whether this day is listed with the refused one before it: by "e", or by a comma in a list that ends so."""
    days = [isinstance(hit.meaning, Day) for hit in hits[index - 1 : index + 2]]
    if not all(days[:2]) or cursor.asks(hits[index].start):
        return False
    if link is Connection.COMMA and len(days) > 2 and days[2]:
        link = _link(cursor, hits, index + 1)
    return link is Connection.LISTED and cursor.word(hits[index].end) not in LISTS["accepting"]


def _may_be_over(day: Day) -> bool:
    """Whether it is one day by its weekday or number that other words do not place yet."""
    return day.is_plain and day.which is Which.COMING and (day.weekday is not None or day.day is not None)


def _link(cursor: Cursor, hits: list[_Hit], index: int) -> Connection:
    """What stands between this expression and the last one of its kind, expressions of the other kind left out."""
    words: list[str] = []
    for last, following in zip(reversed(hits[:index]), reversed(hits[: index + 1]), strict=False):
        words[:0] = [cursor.word(at) or "#" for at in range(last.end, following.start)]
        if isinstance(last.meaning, type(hits[index].meaning)):
            break
    else:
        return Connection.APART
    if words == [","]:
        return Connection.COMMA
    if not words and _are_weekdays(hits[index].meaning, last.meaning):
        return Connection.LISTED
    if any(word in ("ou", "e", "/") for word in words):
        return Connection.LISTED if _JOINING.issuperset(words) else Connection.APART
    if _where_it_fails(cursor, words, last.start):
        return Connection.LISTED
    return Connection.ADJOINS if len(words) <= 3 and LISTS["adjoining"].issuperset(words) else Connection.APART


def _are_weekdays(first: Day | Hours, second: Day | Hours) -> bool:
    """Whether both name no more than a weekday: "terça quarta quinta" is a list."""
    days = [meaning for meaning in (first, second) if isinstance(meaning, Day) and meaning.is_mere_weekday]
    return len(days) == 2 and days[0] != days[1]


def _where_it_fails(cursor: Cursor, between: list[str], start: int) -> bool:
    """Whether the second is for when there is nothing on the first, which starts there: "quinta? se não der, sexta",
    "se não tiver quarta pode ser quinta"."""
    text = " ".join(between)
    rest = _FAILING.sub("", text, count=1)
    failing = rest != text or before(cursor, start, "se nao FAILING INTO_DAY|vaga|horario|mais*")
    return failing and _AFTER_FAILING.issuperset(rest.split())
