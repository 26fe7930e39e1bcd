"""The grammar of what is counted from today: hoje, daqui a 15 dias, nos próximos 3 dias."""

from dataclasses import replace

from gendei.booking.dates.cursor import Cursor, remembered
from gendei.booking.dates.lexer import TokenKind
from gendei.booking.dates.nodes import Day, Unit
from gendei.booking.dates.period_grammar import LAST, NEXT, THIS, whole_period
from gendei.booking.dates.words import PARTS

DayFound = tuple[Day, int]

_FIRST = frozenset({"primeiro", "primeira"})
_UNITS: dict[str, Unit] = {"dia": "day", "semana": "week", "mes": "month", "ano": "year"}
_LONGEST_COUNT = 1000


@remembered
def relative(cursor: Cursor, at: int) -> DayFound | None:
    """ "hoje", "depois de amanhã", "daqui a 15 dias", "em duas semanas", "há 3 dias", "nos próximos 3 dias"."""
    return _named_day(cursor, at) or _counted(cursor, at) or _stretch(cursor, at)


def _named_day(cursor: Cursor, at: int) -> DayFound | None:
    word = cursor.word(at)
    if word in ("depois", "antes"):
        named = "amanha" if word == "depois" else "ontem"
        end = cursor.after(cursor.of(at + 1), named)
        return (Day(shift=(2 if word == "depois" else -2, "day")), end) if end else None
    if word == "amanha" and cursor.after(at + 1, "ou", "depois") and cursor.ends(at + 3):
        return Day(shift=(1, "day"), others=(Day(shift=(2, "day")),)), at + 3
    shift = {"hoje": 0, "amanha": 1, "ontem": -1, "anteontem": -2}.get(word)
    if shift is not None:
        return Day(shift=(shift, "day")), at + 1
    of_day = cursor.word(at + 1) if word in THIS or word == "agora" else ""
    if cursor.word(at) == "esta" and cursor.tokens[at].raw.lower() == "está":
        return None
    if of_day in PARTS or (word == "agora" and of_day in ("a", "de", "cedo") and cursor.word(at + 2) in PARTS):
        return Day(shift=(0, "day")), at + 1
    coming = cursor.after(at, "para", "semana")
    if coming and cursor.ends(coming):
        return Day(week=1), coming
    working = cursor.after(at, "proxima", "dia", {"util", "uteis"})
    if working:
        return Day(feast="dia util"), working
    tomorrow = cursor.after(at, "proxima", "dia")
    return (Day(shift=(1, "day")), tomorrow) if tomorrow and cursor.ends(tomorrow) else None


def _counted(cursor: Cursor, at: int) -> DayFound | None:
    backwards = cursor.word(at) in ("ha", "faz", "fazem")
    weeks = _eight_days(cursor, at)
    if weeks:
        return weeks
    start = cursor.skip(at + 1, {"uns", "mais"}, {"de"}) if backwards else _counting_starts(cursor, at)
    found = count(cursor, start if start > at else at)
    if found is None:
        return None
    amount, unit, end = found
    if start == at:
        if cursor.word(end) not in ("atras", "passada"):
            return None
        return Day(shift=(-amount, unit)), end + 1
    end = cursor.skip(end, {"atras"}) if backwards else end
    return Day(shift=(-amount if backwards else amount, unit)), end


def _eight_days(cursor: Cursor, at: int) -> DayFound | None:
    """ "de hoje a oito", "de hoje a quinze": today is counted, so they are one week and two."""
    start = cursor.after(cursor.skip(at, {"de"}), "hoje", "a")
    number = cursor.number(start) if start else None
    weeks = {8: 1, 15: 2}.get(number[0]) if number else None
    return (Day(shift=(weeks, "week")), number[1]) if number and weeks and cursor.ends(number[1]) else None


def _counting_starts(cursor: Cursor, at: int) -> int:
    """Behind "daqui a", "em", "dentro de", "de hoje a"; `at` itself where none of them stands."""
    if cursor.word(at) == "daqui":
        return cursor.skip(at + 1, {"a", "ha", "ah", "as"}, {"mais"}, {"uns"})
    if cursor.word(at) == "em":
        return cursor.skip(at + 1, {"mais"}, {"uns"})
    if cursor.word(at) in ("dentro", "com") and cursor.word(at + 1) == "de":
        return cursor.skip(at + 2, {"uns"})
    after_today = cursor.after(at, {"de", "a"}, "hoje", "a")
    return after_today or at


def count(cursor: Cursor, at: int) -> tuple[int, Unit, int] | None:
    """An amount of days, weeks, months or years: "15 dias", "uma semana", "um mês e meio"."""
    number = cursor.number(at)
    if number is None:
        return None
    amount, end = number
    if cursor.word(end) == "quinzena":
        return 15 * amount, "day", end + 1
    unit = _UNITS.get(cursor.word(end))
    if unit is None or not 0 <= amount <= _LONGEST_COUNT:
        return None
    if unit == "month" and cursor.after(end + 1, "e", "meio"):
        return 30 * amount + 15, "day", end + 3
    return amount, unit, end + 1


def _stretch(cursor: Cursor, at: int) -> DayFound | None:
    """ "nos próximos 3 dias", "nesses próximos dias", "3 próximas semanas", "nos primeiros dez dias de maio"."""
    at = cursor.skip(at, {"as", "os", "nas", "nos"})
    before = cursor.number(at)
    start = before[1] if before else at
    which = cursor.word(start)
    if which not in NEXT | LAST | _FIRST:
        return None
    number = before or cursor.number(start + 1)
    amount, end = (before[0], start + 1) if before else number or (5, start + 1)
    if cursor.word(end) == "quinzena" and which not in _FIRST:
        return Day(span=(15 if which in NEXT else -15, "day")), end + 1
    unit = _UNITS.get(cursor.word(end))
    plural = (
        cursor.kind(end) is TokenKind.WORD and cursor.tokens[end].raw.lower().endswith("s") and unit in ("day", "week")
    )
    if unit is None or (number is None and not (plural and unit == "day")) or not 0 < amount <= _LONGEST_COUNT:
        return None
    whole = _stretch_of(cursor, end + 1) if number and which not in NEXT else None
    if whole:
        return replace(whole[0], span=(amount if which in _FIRST else -amount, unit)), whole[1]
    if which in _FIRST:
        return None
    return Day(span=(amount if which in NEXT else -amount, unit)), end + 1


def _stretch_of(cursor: Cursor, at: int) -> DayFound | None:
    """The month or year behind "os primeiros dez dias": "de maio", "do ano que vem", "de 2027"."""
    behind = cursor.of(at)
    if behind == at:
        return whole_period(cursor, at) if cursor.word(at) in THIS else None
    if year := cursor.year(behind):
        return Day(year=year), behind + 1
    return whole_period(cursor, behind) or whole_period(cursor, behind - 1)
