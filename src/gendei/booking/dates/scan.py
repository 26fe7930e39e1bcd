"""Finds the expressions of a message: what is a day, what are hours, and which of them the patient rules out."""

from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import lru_cache

from gendei.booking.dates.cursor import Cursor
from gendei.booking.dates.day_grammar import day_at
from gendei.booking.dates.hour_grammar import hours_at, minutes
from gendei.booking.dates.lexer import TokenKind, tokens_of
from gendei.booking.dates.nodes import Day, Hours, Which
from gendei.booking.dates.period_grammar import echo
from gendei.booking.dates.polarity import ends_occupied, follows_nem, is_excluded, is_excluded_list, is_refused, is_told
from gendei.booking.dates.words import (
    FAREWELLS,
    GREETED,
    GREETING_ADJECTIVES,
    LISTS,
    PAST_VERBS,
    PLACES,
    STARTERS,
    WEEKDAYS,
    words,
)

_FEW_WORDS = 24
_INTO = words("na no nas nos em de da do a o as ao pela pelo para ate")
_LINKS = words(
    """
    na no nas nos em de da do a o as ainda tambem talvez quem sabe dia para pode ser so entao
    """
)
_FAILING = words("der tiver puder rolar conseguir houver for existir sobrar")
_FAILED_LINKS = _LINKS | words("serve marca quero tudo bem tanto faz , mas eu vaga horario mais , ? . as")
_JOINTS = words("na no em de da do o a dia que cai ( ) - as")
_STATES = words("ta tudo esta acho fica seria muito e eh")


_FESTIVITIES = LISTS["festivities"]
_OF_FESTIVITY = words("na no de da do para em e eh vai ser")
_ACCEPTING = words("pode posso consigo da serve sim tudo seria tem")


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
    "ou" ("não posso segunda e quarta"; "não posso hoje, amanhã" asks for tomorrow). `told`: no wish (circumstances)."""

    meaning: Day | Hours
    start: int
    end: int
    excluded: bool
    excluded_list: bool
    refused: bool
    told: bool
    link: Connection


def expressions_of(text: str) -> tuple[Expression, ...]:
    """Every expression of the message, in order. The same few words come again and again ("amanhã", "segunda-feira"),
    and are remembered; whole sentences do not, and are only for as long as one message is looked at."""
    return _remembered(text) if len(text) <= _FEW_WORDS else _just_read(text)


def _read(text: str) -> tuple[Expression, ...]:
    cursor = Cursor(tokens_of(text))
    found: list[tuple[Day | Hours, int, int]] = []
    day_known = False
    farewell = next((at for at, word in enumerate(cursor.words) if word in FAREWELLS), cursor.size)
    at = 0
    while at < cursor.size:
        skipped = _aside(cursor, at, farewell)
        if skipped > at:
            at = skipped
            continue
        if not _may_start(cursor, at):
            at += 1
            continue
        hit = _longest(cursor, at, found, day_known=day_known)
        if hit is None:
            at += 1
            continue
        found.append((hit[0], at, hit[1]))
        day_known = day_known or isinstance(hit[0], Day)
        at = hit[1]
    expressions: list[Expression] = []
    for index in range(len(found)):
        expressions.append(_expression(cursor, found, index, expressions[-1] if expressions else None))
    return tuple(expressions)


_remembered = lru_cache(maxsize=256)(_read)
_just_read = lru_cache(maxsize=8)(_read)


def _may_start(cursor: Cursor, at: int) -> bool:
    """A cheap look, since most words of a message begin no expression."""
    kind = cursor.kind(at)
    if kind is not TokenKind.WORD:
        return kind is not TokenKind.MARK
    if cursor.word(at) in _INTO and cursor.kind(at + 1) is TokenKind.WORD:
        return cursor.word(at + 1) in STARTERS
    return cursor.word(at) in STARTERS


def _longest(
    cursor: Cursor, at: int, found: list[tuple[Day | Hours, int, int]], *, day_known: bool
) -> tuple[Day | Hours, int] | None:
    day = day_at(cursor, at)
    hours = hours_at(cursor, at)
    if day and (hours is None or day[1] >= hours[1]):
        return day
    if hours:
        return hours
    if day_known:
        return echo(cursor, at) or _bare_hour(cursor, at, found)
    return None


def _aside(cursor: Cursor, at: int, farewell: int) -> int:
    """Behind words that name a day or hours and mean none; `at` where none of them stands. `farewell`: where the first
    word of a farewell stands."""
    if cursor.word(at) in PLACES:
        return _place(cursor, at)
    if cursor.word(at) in _FESTIVITIES:
        return _festivity(cursor, at)
    return _rhythm(cursor, at) if cursor.word(at) == "de" else _courtesy(cursor, at, farewell)


def _rhythm(cursor: Cursor, at: int) -> int:
    """Behind "de 8 em 8 horas", "de quinze em quinze dias": how often, not when."""
    every = cursor.number(at + 1)
    if every is None or cursor.word(every[1]) != "em":
        return at
    again = every[1] + 1
    number = cursor.number(again)
    hours = cursor.numbers(again, TokenKind.CLOCK)
    if number:
        return number[1] + 1 if number[0] == every[0] else at
    return again + 1 if hours == (every[0], 0) else at


def _place(cursor: Cursor, at: int) -> int:
    """Behind "rua 7 de setembro", "praça da República": places that bear the name of a day; `at` for another."""
    start = cursor.skip(at + 1, {"."}, {"de", "da", "do", "dos"})
    found = None if cursor.word(start) == "dia" else day_at(cursor, start)
    named = found and (found[0].feast or (found[0].day and found[0].has_month))
    return found[1] if found and named else at


def _festivity(cursor: Cursor, at: int) -> int:
    """Behind the day and the hour of what is celebrated ("o jantar de sexta às 20h"); `at` where none is told, and for
    who has it ("tenho um jantar sexta"), which rules the day out."""
    if ends_occupied(cursor, at):
        return at
    end, told = at + 1, at
    while True:
        while cursor.word(end) in _OF_FESTIVITY:
            end += 1
        found = day_at(cursor, end) or hours_at(cursor, end)
        if found is None:
            return told
        end = told = found[1]


def _bare_hour(cursor: Cursor, at: int, found: list[tuple[Day | Hours, int, int]]) -> tuple[Day | Hours, int] | None:
    """ "amanhã 15", "quinta, 10": a bare number right behind a day is the hour, or the number of that weekday."""
    numbers = cursor.numbers(at, TokenKind.NUMBER)
    meaning, _, end = found[-1]
    if end == at and isinstance(meaning, Day) and meaning.day is None:
        divided = _divided(cursor, at)
        if divided:
            return divided
    if (
        numbers
        and 700 <= numbers[0] <= 2000
        and numbers[0] % 100 in range(0, 60, 5)
        and end == at
        and cursor.ends(at + 1)
    ):
        return Hours(hour=numbers[0] // 100, minute=numbers[0] % 100, literal=True), at + 1
    if numbers is None or not 1 <= numbers[0] <= 31 or not isinstance(meaning, Day) or not cursor.ends(at + 1):
        return None
    if end != at or cursor.word(at + 1) in (":", "/", "-") or meaning.day is not None:
        return None
    if meaning.weekday is not None and numbers[0] > 20:
        return Day(day=numbers[0]), at + 1
    if not 7 <= numbers[0] <= 20:
        return None
    return Hours(hour=numbers[0], literal=numbers[0] > 12, or_day=meaning.weekday is not None), at + 1


def _divided(cursor: Cursor, at: int) -> tuple[Hours, int] | None:
    """ "sexta três e quinze", "amanhã 10e30", "quinta 10 30": hour and minutes, known as such by the day before."""
    number = cursor.number(at)
    if number is None or number[0] > 23:
        return None
    hour, behind = number
    minute, end = minutes(cursor, behind) or (0, behind)
    digits = cursor.numbers(behind, TokenKind.NUMBER)
    if digits and len(cursor.tokens[behind].raw) == 2 and digits[0] in range(0, 60, 5) and cursor.ends(behind + 1):
        minute, end = digits[0], behind + 1
    return (Hours(hour=hour, minute=minute, literal=hour == 0 or hour > 12), end) if end > behind else None


def _courtesy(cursor: Cursor, at: int, farewell: int) -> int:
    """Behind "bom dia", "uma ótima tarde", "feliz natal", "obrigada, até amanhã"; `at` where none of them stands."""
    if cursor.word(at) in GREETING_ADJECTIVES and cursor.word(at + 1) in GREETED:
        named = cursor.word(at + 1)
        feminine = cursor.word(at) == "boa" or named not in WEEKDAYS or named in ("sabado", "domingo")
        if feminine and cursor.word(at - 1) not in _STATES:
            return cursor.skip(at + 2, {"de"}, {"semana", "novo", "feira"})
    if cursor.word(at) == "ate" and farewell < at:
        day = day_at(cursor, at)
        if day and day[1] >= cursor.last_word:
            return day[1]
    return at


def _expression(
    cursor: Cursor, found: list[tuple[Day | Hours, int, int]], index: int, previous: Expression | None
) -> Expression:
    meaning, start, end = found[index]
    first = start
    while first > 0 and cursor.word(first - 1) in _INTO and (index == 0 or first - 1 >= found[index - 1][2]):
        first -= 1
    verb = first - 2 if cursor.word(first - 1) in ("ai", "la") else first - 1
    if isinstance(meaning, Day) and cursor.word(verb) in PAST_VERBS and _may_be_over(meaning):
        meaning = replace(meaning, which=Which.LAST)
    last = end
    if isinstance(meaning, Day) and index + 1 < len(found) and isinstance(found[index + 1][0], Hours):
        last = found[index + 1][2] if found[index + 1][1] == end else end
    link = _link(cursor, found, index)
    excluded = is_excluded(cursor, start, end)
    if last != end and not excluded and is_excluded(cursor, start, last):
        excluded = not any(isinstance(later, Hours) and place >= last for later, place, _ in found[index + 2 :])
    inherited = link is Connection.LISTED or (link is Connection.COMMA and not follows_nem(cursor, found[index - 1][1]))
    if previous and previous.excluded_list and inherited:
        excluded_list = isinstance(meaning, type(previous.meaning))
    else:
        excluded_list = is_excluded_list(cursor, start)
    corrects = _is_corrected(cursor, found, index - 1)
    excluded = _is_corrected(cursor, found, index) or (excluded and not corrects)
    refused = (_may_be_busy(meaning) and not corrects) and (
        is_refused(cursor, start)
        or bool(previous and previous.refused and _goes_on(cursor, found, index, link, previous))
    )
    return Expression(
        meaning=meaning,
        start=cursor.tokens[first].start,
        end=cursor.tokens[end - 1].end,
        excluded=excluded or excluded_list or refused,
        excluded_list=excluded_list,
        refused=refused,
        told=not (excluded or excluded_list or refused) and is_told(cursor, meaning, start, end),
        link=link,
    )


def _is_corrected(cursor: Cursor, found: list[tuple[Day | Hours, int, int]], index: int) -> bool:
    """ "Às três não às quatro", dictated: the second is meant."""
    if index < 0 or index + 1 >= len(found):
        return False
    (meaning, _, end), (following, start, _) = found[index], found[index + 1]
    exact = isinstance(meaning, Hours) and meaning.hour is not None and isinstance(following, Hours)
    return exact and cursor.word(end) == "nao" and end < start <= end + 2


def _may_be_busy(meaning: Day | Hours) -> bool:
    """Days, a part of a day or an interval; not an hour that somebody is busy until."""
    return isinstance(meaning, Day) or meaning.part is not None or meaning.until is not None


def _goes_on(
    cursor: Cursor, found: list[tuple[Day | Hours, int, int]], index: int, link: Connection, previous: Expression
) -> bool:
    """Whether this day is listed with the refused one before it: by "e", or by a comma in a list that ends so."""
    meaning, start, end = found[index]
    if not isinstance(meaning, Day) or not isinstance(previous.meaning, Day) or cursor.asks(start):
        return False
    if link is Connection.COMMA:
        following = index + 1 < len(found) and isinstance(found[index + 1][0], Day)
        link = _link(cursor, found, index + 1) if following else Connection.APART
    return link is Connection.LISTED and cursor.word(end) not in _ACCEPTING


def _may_be_over(day: Day) -> bool:
    """Whether it is one day by its weekday or number that other words do not place yet."""
    return day.is_plain and day.which is Which.COMING and (day.weekday is not None or day.day is not None)


def _link(cursor: Cursor, found: list[tuple[Day | Hours, int, int]], index: int) -> Connection:
    """What stands between this expression and the last one of its kind, expressions of the other kind left out."""
    kind = type(found[index][0])
    gaps: list[range] = []
    end = found[index][1]
    for before in range(index - 1, -1, -1):
        meaning, start, behind = found[before]
        gaps.append(range(behind, end))
        if isinstance(meaning, kind):
            break
        end = start
    else:
        return Connection.APART
    words = [_name(cursor, at) for gap in reversed(gaps) for at in gap]
    if not words and _are_weekdays(found[index][0], meaning):
        return Connection.LISTED
    if words == [","]:
        return Connection.COMMA
    if any(word in ("ou", "e", "/") for word in words):
        listed = all(word in _LINKS or word in ("ou", "e", ",", "/", "?") for word in words)
        return Connection.LISTED if listed else Connection.APART
    if _where_it_fails(cursor, words, start):
        return Connection.LISTED
    return Connection.ADJOINS if len(words) <= 3 and all(word in _JOINTS for word in words) else Connection.APART


def _are_weekdays(first: Day | Hours, second: Day | Hours) -> bool:
    """Whether both name no more than a weekday: "terça quarta quinta" is a list."""
    plain = isinstance(first, Day) and isinstance(second, Day) and first.weekday != second.weekday
    return plain and all(day == Day(weekday=day.weekday) for day in (first, second) if isinstance(day, Day))


def _where_it_fails(cursor: Cursor, between: list[str], start: int) -> bool:
    """Whether the second is for when there is nothing on the first, which starts there: "quinta? se não der, sexta",
    "se não tiver quarta pode ser quinta"."""
    for at, word in enumerate(between):
        if word == "nao" and between[at + 1 : at + 2] and between[at + 1] in _FAILING:
            before = between[: at - 1] if at and between[at - 1] in ("se", "caso") else between[:at]
            return all(token in _FAILED_LINKS for token in (*before, *between[at + 2 :]))
    while start > 0 and cursor.word(start - 1) in _INTO | {"vaga", "horario", "mais"}:
        start -= 1
    failing = cursor.word(start - 1) in _FAILING and cursor.word(start - 2) == "nao" and cursor.word(start - 3) == "se"
    return failing and all(token in _FAILED_LINKS for token in between)


def _name(cursor: Cursor, at: int) -> str:
    return cursor.word(at) or "#"
