"""The grammar of weekdays, and of telling "segunda" the day from "segunda" the ordinal."""

from dataclasses import replace

from gendei.booking.dates.cursor import Cursor, remembered
from gendei.booking.dates.lexer import TokenKind
from gendei.booking.dates.nodes import Day, Which
from gendei.booking.dates.period_grammar import DETERMINERS, THIS, period, which_before, which_behind
from gendei.booking.dates.words import LISTS, ORDINAL_HEADS, PARTS, WEEKDAY_PLURALS, WEEKDAY_SHORT, WEEKDAYS, words

DayFound = tuple[Day, int]

_BEFORE_SHORT = LISTS["before_short_weekdays"]
_LOOSELY_BEFORE_SHORT = frozenset({"para", "de", "da", "a", "as", "e", "ou"})
_NOTHING_ELSE = frozenset({"seg", "qua", "qui", "sab"})
"""Short weekdays that are no other word."""
_BEFORE_PLURAL = words("as nas aos nos todas todos das dos pelas so de toda todo e")
_MODAL = LISTS["modal"]


@remembered
def weekday_phrase(cursor: Cursor, at: int) -> DayFound | None:
    """ "quinta", "essa sexta-feira", "a próxima terça", "3ª feira que vem", "primeira segunda de dezembro"."""
    nth = _nth_of_month(cursor, at)
    if nth:
        return nth
    start = cursor.skip(at, {"a", "o", "na", "no", "as", "os", "da", "do", "toda", "todo"}, {"dia"})
    start, which = which_before(cursor, start)
    named = weekday_name(cursor, start)
    if named is None:
        return None
    weekday, end = named
    later, end = which_behind(cursor, end)
    which = later if later is not Which.COMING else which
    day = Day(weekday=weekday, which=which, nudge=-7 if cursor.word(end - 1) == "retrasada" else 0)
    if which in (Which.COMING, Which.THIS):
        return _of_week(cursor, day, end)
    return day, end


def _nth_of_month(cursor: Cursor, at: int) -> DayFound | None:
    start = cursor.skip(at, DETERMINERS)
    nth = cursor.nth(start)
    named = weekday_name(cursor, start + 1) if nth else None
    if named is None or not nth or nth > 5:
        return None
    behind = cursor.skip(named[1], {"de", "do", "da", "em"})
    month = period(cursor, behind) or period(cursor, behind - 1)
    if (
        (behind == named[1] and cursor.word(behind) not in THIS)
        or month is None
        or not month[0].is_calendar_period
        or not month[0].has_month
    ):
        return None
    return replace(month[0], weekday=named[0], nth=nth), month[1]


def _of_week(cursor: Cursor, day: Day, at: int) -> DayFound:
    """The week that follows a weekday: "da semana que vem", "dessa semana", "da próxima", "da outra"."""
    of = cursor.word(at)
    if of in ("da", "de", "na", "dessa", "desta", "nessa", "nesta"):
        found = period(cursor, at) or period(cursor, at + 1)
        if found and found[0].week is not None and found[0].slice is None:
            return replace(found[0], weekday=day.weekday, which=Which.COMING), found[1]
        if of == "da" and cursor.word(at + 1) in ("proxima", "outra") and cursor.word(at + 2) not in WEEKDAYS:
            disputed = cursor.word(at + 1) == "outra"
            return Day(weekday=day.weekday, week=1, week_disputed=disputed), at + 2
    return day, at


def weekday_name(cursor: Cursor, at: int) -> tuple[int, int] | None:
    """The weekday (Monday is 0) named at this position, with the position behind it."""
    word = cursor.word(at)
    if word in WEEKDAYS:
        end = _feira(cursor, at + 1)
        if end == at + 1 and _counts(cursor, end):
            return None
        return WEEKDAYS[word], end
    if word in WEEKDAY_PLURALS:
        introduced = cursor.word(at - 1) in _BEFORE_PLURAL or cursor.word(at + 1) in ("feira", "feiras")
        return (WEEKDAY_PLURALS[word], _feira(cursor, at + 1)) if introduced else None
    if word == "cesta" and _feira(cursor, at + 1) > at + 1:
        return WEEKDAYS["sexta"], at + 2
    if word in WEEKDAY_SHORT:
        return (WEEKDAY_SHORT[word], _feira(cursor, at + 1)) if _short_is_day(cursor, at) else None
    return _numbered_weekday(cursor, at)


def _feira(cursor: Cursor, at: int) -> int:
    return cursor.skip(at, {"-"} if cursor.word(at + 1) in ("feira", "f") else (), {"feira", "feiras", "f"})


def _counts(cursor: Cursor, at: int) -> bool:
    """ "segunda via", "quinta sessão", "segunda semana de maio"; but "segunda semana que vem"."""
    if cursor.word(at) == "semana":
        return cursor.word(at + 1) in ("de", "do", "da")
    return cursor.word(at) in ORDINAL_HEADS and not (cursor.word(at) == "parte" and cursor.word(at + 1) == "da")


def _numbered_weekday(cursor: Cursor, at: int) -> tuple[int, int] | None:
    """ "3ª feira", "5a-feira", "6ª às 15h"; "2ª via" and "3ª sessão" count."""
    ordinal = cursor.numbers(at, TokenKind.ORDINAL)
    digits = ordinal or cursor.numbers(at, TokenKind.NUMBER)
    if not digits or not 2 <= digits[0] <= 6:
        return None
    end = _feira(cursor, at + 1)
    if end > at + 1:
        return digits[0] - 2, end
    feminine = ordinal and cursor.tokens[at].raw[-1] in "ªa"
    if not feminine or _counts(cursor, end):
        return None
    placed = cursor.word(at - 1) in _BEFORE_SHORT | {"para", "ou", "e", ",", "a", "de"}
    followed = cursor.ends(end) or _is_time(cursor, end) or cursor.after(end, "que", "vem")
    return (digits[0] - 2, end) if placed or followed else None


def _short_is_day(cursor: Cursor, at: int) -> bool:
    """Whether "ter", "sex" or "dom" names a day: by its neighbours, since each is another word too."""
    word, before = cursor.word(at), cursor.word(at - 1)
    if cursor.kind(at - 1) is TokenKind.NUMBER:
        return False
    if before in _BEFORE_SHORT or cursor.size == 1:
        return True
    verb = word == "ter" and (before in _MODAL or (at > 0 and before.endswith("r")))
    followed = _is_time(cursor, at + 1) or cursor.word(at + 1) in ("agora", "proxima", "feira", "passada", "-")
    followed = followed or cursor.after(at + 1, "que", "vem") is not None or cursor.kind(at + 1) is TokenKind.DATE
    if followed and not verb:
        return True
    if word != "ter" and cursor.word(at - 1) in WEEKDAYS | WEEKDAY_SHORT and not cursor.counts_things(at + 1):
        return True
    if word != "ter" and _is_day_word(cursor, at + 1) and not verb:
        return True
    if _is_day_word(cursor, at - 2) and before in ("e", "ou", ",", "a", "-", "ate", "/"):
        return True
    if cursor.word(at + 1) in ("e", "ou", ",", "a", "-", "ate", "/") and _is_day_word(cursor, at + 2):
        return not verb
    ends = cursor.ends(at + 1)
    by_itself = word in _NOTHING_ELSE or before in _LOOSELY_BEFORE_SHORT
    return ends and (by_itself or at == 0 or cursor.kind(at - 1) is TokenKind.MARK)


def _is_day_word(cursor: Cursor, at: int) -> bool:
    return cursor.word(at) in WEEKDAYS or cursor.word(at) in WEEKDAY_SHORT


def _is_time(cursor: Cursor, at: int) -> bool:
    if cursor.kind(at) is TokenKind.CLOCK or cursor.word(at) in PARTS or cursor.word(at) in ("cedo", "as"):
        return True
    if cursor.kind(at) is TokenKind.NUMBER:
        return cursor.word(at + 1) in ("horas", "da", "e") or cursor.ends(at + 1)
    return cursor.word(at) in ("de", "a", "da", "na", "dia") and (
        cursor.word(at + 1) in PARTS or cursor.kind(at + 1) is TokenKind.NUMBER
    )
