"""The grammar of days: from tokens to `Day` trees.

Each rule takes a cursor and a position and returns the tree with the position behind it, or None. `day_at` is the
entry: edges and ranges around a single day, period or feast.
"""

from dataclasses import replace

from gendei.booking.dates.clock_grammar import point
from gendei.booking.dates.cursor import Cursor, remembered
from gendei.booking.dates.lexer import TokenKind
from gendei.booking.dates.nodes import Counted, Day, Edge, Slice, Which
from gendei.booking.dates.period_grammar import DETERMINERS, THIS, feast, is_month, period, year_in_two_digits
from gendei.booking.dates.relative_grammar import relative
from gendei.booking.dates.weekday_grammar import weekday_phrase
from gendei.booking.dates.words import words

DayFound = tuple[Day, int]

_LONGEST_LIST = 7
_INTO = frozenset({"na", "no", "em", "nas", "nos", "para", "o", "a", "as"})
_OF = frozenset({"de", "da", "do", "desde", "das", "dos"})
_TO = frozenset({"a", "ate", "ao"})
_ENDS = frozenset({"a", "o", "os", "na", "no", "ao", "em"})


_BEFORE_HOURS = words("de das as ate desde entre")
_LONGEST_MONTH = 31


def day_at(cursor: Cursor, at: int) -> DayFound | None:
    """The longest expression for days that begins exactly here."""
    return (
        _span(cursor, at) or _bounded(cursor, at) or _eve(cursor, at) or _onwards(cursor, at) or _following(cursor, at)
    )


def _following(cursor: Cursor, at: int) -> DayFound | None:
    """ "no dia seguinte": the day behind the one that was named, or behind today."""
    end = cursor.after(at, "dia", {"seguinte", "posterior"})
    return (Day(echo=True, nudge=1), end) if end else None


def _onwards(cursor: Cursor, at: int) -> DayFound | None:
    """A simple expression, open to the future where "em diante" follows."""
    found = _simple(cursor, at)
    end = found and (cursor.after(found[1], "em", "diante") or cursor.after(found[1], "para", "frente"))
    return (replace(found[0], edge=Edge.FROM), end) if found and end else found


def _simple(cursor: Cursor, at: int, *, alone: bool = False) -> DayFound | None:
    """One day, period or feast; `alone` leaves further numbers of a list for the caller."""
    if cursor.kind(at) is TokenKind.DATE:
        return _numeric(cursor, at)
    return (
        relative(cursor, at)
        or feast(cursor, at)
        or _nth_day(cursor, at)
        or _month_first(cursor, at)
        or _numbered(cursor, at, alone=alone)
        or _numbered_weekday(cursor, at)
        or weekday_phrase(cursor, at)
        or _week_of(cursor, at)
        or period(cursor, at)
    )


def _numeric(cursor: Cursor, at: int) -> DayFound | None:
    *days, month, year = cursor.tokens[at].numbers
    if not days:
        return Day(month=month, year=year), at + 1
    day = days[0]
    if year:
        return Day(day=day, month=month, year=year), at + 1
    return year_behind(cursor, Day(day=day, month=month), at + 1)


def _month_first(cursor: Cursor, at: int) -> DayFound | None:
    """ "maio 5", "em maio vinte e um", "novembro 19-20": a month by its whole name, and a day behind it."""
    start = cursor.skip(at, {"em"})
    month = cursor.month(start, shortened=False)
    if month is None or not is_month(cursor, start, introduced=start > at):
        return None
    pair = _two_days(cursor, month[1])
    if pair:
        first, last = pair
        return Day(day=first, month=month[0], until=Day(day=last, month=month[0])), month[1] + 1
    found = cursor.number(month[1])
    if found is None or not 1 <= found[0] <= 31 or cursor.word(month[1]) in ("um", "uma"):
        return None
    closed = cursor.ends(found[1]) or cursor.word(found[1]) in ("as", "de", "a", "pela", "ou", "e", "na")
    if not closed or cursor.word(found[1]) == ":":
        return None
    return year_behind(cursor, replace(_day_of_month(found[0]), month=month[0]), found[1])


def _two_days(cursor: Cursor, at: int) -> tuple[int, int] | None:
    """The numbers of "13-15" where they may be days of one month."""
    if cursor.word(at) != "hours-range":
        return None
    first, last = cursor.tokens[at].numbers
    return (first, last) if 1 <= first < last <= 31 else None


@remembered
def _numbered_weekday(cursor: Cursor, at: int) -> DayFound | None:
    """ "sexta 26 às 4", "sexta 13 por volta das 14h": a number between a weekday and an hour is the day, where both
    cannot be a range of hours."""
    named = weekday_phrase(cursor, at)
    if named is None or named[0] != Day(weekday=named[0].weekday):
        return None
    number = cursor.numbers(named[1], TokenKind.NUMBER)
    behind = named[1] + 1
    if not number or not 1 <= number[0] <= 31:
        return None
    hour = point(cursor, behind, introduced=False) if cursor.word(behind) in ("as", "por", "pelas", "la") else None
    if hour is None or hour[0].hour is None:
        return None
    latest = hour[0].hour + (12 if hour[0].hour <= 6 else 0)
    if cursor.word(behind) == "as" and number[0] <= max(latest, 12):
        return None
    return Day(weekday=named[0].weekday, day=number[0]), behind


def _nth_day(cursor: Cursor, at: int) -> DayFound | None:
    """ "primeiro dia útil de maio", "último dia do mês", "quinto dia útil"; "nos últimos dias do mês" is a stretch."""
    start = cursor.skip(at, DETERMINERS)
    nth = cursor.nth(start)
    if not nth or cursor.word(start + 1) != "dia":
        return None
    working = cursor.after(start + 2, {"util", "uteis"})
    end = working or start + 2
    behind = cursor.of(end)
    found = (period(cursor, behind) or period(cursor, behind - 1)) if behind > end else None
    if behind > end and found is None and cursor.word(behind) == "semana":
        found = Day(week=0), behind + 1
    if found is None or not found[0].is_calendar_period:
        present = Day(month_shift=0, nth=nth, counted=Counted.WORKING_DAY)
        return (present, working) if working else None
    whole, end = found
    if cursor.tokens[start + 1].raw.lower() == "dias":
        stretch = {1: Slice.BEGINNING, -1: Slice.END}.get(nth)
        return (replace(whole, slice=stretch), end) if stretch else None
    return replace(whole, nth=nth, counted=Counted.WORKING_DAY if working else Counted.DAY), end


def _numbered(cursor: Cursor, at: int, *, alone: bool = False) -> DayFound | None:
    """ "dia 15 do mês que vem", "15 de março de 2027", "15/dez", "dias 15 e 16", "o dia 15 passado"."""
    last = cursor.after(at, "ultima", "dia")
    named = last or cursor.after(at, "dia")
    if named is not None and cursor.kind(named) is TokenKind.DATE:
        return _numeric(cursor, named)
    start = at if named is None else named
    found = cursor.day_number(start) or _ordinal_day(cursor, start)
    if found is None:
        pair = _two_days(cursor, start)
        month = _month_behind(cursor, start + 1) if pair else None
        return _in_month(Day(day=pair[0], until=Day(day=pair[1])), month) if pair and month else None
    numbers, end = ([found[0]], found[1]) if alone else _listed(cursor, *found, named=named is not None)
    days = [_day_of_month(number) for number in numbers]
    month = _month_behind(cursor, end)
    if month is None and named is None and not (len(days) == 1 and _before_its_hour(cursor, start, end, numbers[0])):
        return None
    if month is not None:
        end = month[1]
        days = [_in_month(day, month)[0] for day in days]
    elif last or cursor.word(end) == "passada":
        days = [replace(day, which=Which.LAST) for day in days]
        end = cursor.skip(end, {"passada"})
    return replace(days[0], others=tuple(days[1:])), end


def _before_its_hour(cursor: Cursor, start: int, end: int, number: int) -> bool:
    """The 27 of "melhor 27 às 10": too large to be the beginning of hours that end at 10."""
    if cursor.word(end) != "as" or cursor.word(start - 1) in _BEFORE_HOURS:
        return False
    hour = cursor.numbers(end + 1, TokenKind.NUMBER) or cursor.numbers(end + 1, TokenKind.CLOCK)
    return hour is not None and hour[0] < number <= _LONGEST_MONTH


def _ordinal_day(cursor: Cursor, at: int) -> tuple[int, int] | None:
    """ "segundo de agosto", "vigésimo segundo de junho"."""
    found = cursor.ordinal(at)
    named = found and cursor.word(found[1]) == "de" and cursor.month(found[1] + 1, shortened=True)
    return found if found and named and 1 <= found[0] <= 31 and cursor.word(found[1] - 1).endswith("o") else None


def _in_month(day: Day, found: DayFound) -> DayFound:
    """The day, and what ends its range, in the month that was found."""
    month, end = found
    until = _in_month(day.until, found)[0] if day.until else None
    day = replace(day, until=until, month=month.month, month_shift=month.month_shift)
    return replace(day, year=month.year, year_shift=month.year_shift), end


def _day_of_month(number: int) -> Day:
    return Day(day=number, impossible=not 1 <= number <= 31)


def _listed(cursor: Cursor, first: int, end: int, *, named: bool) -> tuple[list[int], int]:
    """Further numbers of "dias 15, 16 e 17". Only a plain number counts that is neither hour nor month's end."""
    numbers = [first]
    while cursor.word(end) in ("ou", "e", ",") and len(numbers) < _LONGEST_LIST:
        found = cursor.day_number(cursor.skip(end + 1, _INTO, {"dia"}))
        if found is None or not 1 <= found[0] <= 31 or cursor.counts_things(found[1]):
            break
        value, behind = found
        closed = cursor.ends(behind) or cursor.word(behind) in ("ou", "e") or _month_behind(cursor, behind)
        if not closed or (not named and not _month_behind(cursor, behind)):
            break
        numbers.append(value)
        end = behind
    return numbers, end


def _month_behind(cursor: Cursor, at: int) -> DayFound | None:
    """What makes a number a day: "de março", "/mar", "de 2027" behind it, "do mês que vem"."""
    joined = cursor.skip(at, {"/", "-"}) if cursor.kind(at) is TokenKind.MARK else cursor.of(at)
    digits = cursor.numbers(joined, TokenKind.NUMBER)
    if digits and cursor.kind(at - 1) is TokenKind.ORDINAL and cursor.word(at) == "/" and 1 <= digits[0] <= 12:
        return year_behind(cursor, Day(month=digits[0]), joined + 1)
    if cursor.word(at) in THIS:
        present = period(cursor, at)
        return present if present and present[0].has_month and present[0].slice is None else None
    spoken = cursor.number(joined) if cursor.word(at) in ("de", "do") else None
    year = cursor.year(spoken[1] + 1) if spoken and cursor.word(spoken[1]) == "de" else None
    by_name = cursor.month(joined, shortened=True)
    if spoken and year and not by_name and 1 <= spoken[0] <= 12:
        return Day(month=spoken[0], year=year), spoken[1] + 2
    if spoken and cursor.word(at) == "do" and 1 <= spoken[0] <= 12 and cursor.word(spoken[1]) not in ("horas", "dia"):
        return Day(month=spoken[0]), spoken[1]
    if by_name is None:
        found = period(cursor, joined) if joined > at else None
        return found if found and found[0].has_month and found[0].slice is None else None
    if joined == at and cursor.word(at) in ("set", "mar", "out", "ago", "jan", "dez") and not cursor.ends(by_name[1]):
        following = cursor.kind(by_name[1])
        if following is TokenKind.WORD and cursor.word(by_name[1]) not in ("as", "de", "a"):
            return None
    return year_behind(cursor, Day(month=by_name[0]), by_name[1])


def year_behind(cursor: Cursor, day: Day, at: int) -> DayFound:
    """The day with the year that follows, if one does: "de 2027", "/27", "do ano que vem", "passado"."""
    if cursor.word(at) == "passada":
        return replace(day, year_shift=-1), at + 1
    behind = cursor.skip(at, {"/", ","}) if cursor.kind(at) is TokenKind.MARK else cursor.of(at)
    number = cursor.numbers(behind, TokenKind.NUMBER)
    if number and (
        cursor.year(behind)
        or year_in_two_digits(cursor, behind)
        or (behind > at and cursor.word(at) == "/" and number[0] < 100)
    ):
        return replace(day, year=number[0] or 2000), behind + 1
    found = period(cursor, behind) if behind > at or cursor.word(at) in THIS else None
    if found and found[0].year_shift is not None and found[0].slice is None:
        return replace(day, year_shift=found[0].year_shift), found[1]
    return day, at


def _eve(cursor: Cursor, at: int) -> DayFound | None:
    """ "véspera de feriado", "um dia antes do natal", "no dia seguinte ao feriado", "dois dias depois do carnaval"."""
    eve = cursor.after(cursor.skip(at, {"a", "na"}, {"ante"}), "vespera")
    end, nudge = (eve, -1) if eve is not None else _days_apart(cursor, at)
    if end is None or cursor.word(end) not in ("de", "da", "do", "ao", "a"):
        return None
    found = _simple(cursor, cursor.skip(end + 1, {"o", "a"}, {"dia"})) or _simple(cursor, end + 1)
    return (replace(found[0], nudge=found[0].nudge + nudge), found[1]) if found else None


def _days_apart(cursor: Cursor, at: int) -> tuple[int | None, int]:
    following = cursor.after(at, "dia", {"seguinte", "posterior"})
    if following is not None:
        return following, 1
    if cursor.after(at, "dia", "anterior"):
        return at + 2, -1
    number = cursor.number(at)
    unit = number and cursor.after(number[1], {"dia", "semana"})
    if not number or not unit or cursor.word(unit) not in ("antes", "depois"):
        return None, 0
    days = number[0] * (7 if cursor.word(number[1]) == "semana" else 1)
    return unit + 1, min(days, 1000) * (-1 if cursor.word(unit) == "antes" else 1)


def _bounded(cursor: Cursor, at: int) -> DayFound | None:
    """ "a partir de segunda", "depois do dia 10", "até sexta", "antes do natal"."""
    edge, behind = _edge(cursor, at)
    if edge is Edge.ON or relative(cursor, at):
        return None
    found = None
    for start in (cursor.skip(behind, _OF | _ENDS, {"o", "a"}), behind):
        found = found or _dated_weekday(cursor, start) or _simple(cursor, start)
    if found is None:
        return None
    day, end = found
    if edge in (Edge.FROM, Edge.AFTER) and cursor.word(end) == "ate":
        last = _simple(cursor, cursor.skip(end + 1, _ENDS))
        if last and edge is Edge.FROM:
            return replace(day, until=last[0]), last[1]
    return replace(day, edge=edge), end


def _edge(cursor: Cursor, at: int) -> tuple[Edge, int]:
    starting = cursor.after(at, "a", "partir") or cursor.after(at, "apartir")
    if starting is not None:
        return Edge.FROM, starting
    if cursor.word(at) == "desde":
        return Edge.SINCE, at + 1
    if cursor.word(at) in ("pos", "pre") and feast(cursor, at + 1):
        return (Edge.AFTER if cursor.word(at) == "pos" else Edge.BEFORE), at + 1
    if cursor.word(at) in ("depois", "passando"):
        return Edge.AFTER, at + 1
    if cursor.word(at) == "antes":
        return Edge.BEFORE, at + 1
    return (Edge.UNTIL, at + 1) if cursor.word(at) == "ate" else (Edge.ON, at)


def _span(cursor: Cursor, at: int) -> DayFound | None:
    """ "de segunda a quinta", "entre dia 3 e dia 7", "do dia 3 ao 7", "de 3 a 7 de dezembro", "segunda a sexta"."""
    between = cursor.word(at) == "entre"
    opened = between or cursor.word(at) in _OF
    first = _span_end(cursor, cursor.skip(at + 1, _ENDS) if opened else at)
    if first is None:
        return None
    day, end, certain = first
    joint = cursor.word(end)
    if joint != "e" if between else joint not in _TO and joint != "-":
        return None
    last = _span_end(cursor, cursor.skip(end + 1, _ENDS))
    if last is None or (joint == "-" and day.day is not None and not (last[2] and last[0].has_month)):
        return None
    certain = certain or last[2] or (cursor.word(at), joint) == ("do", "ao") or last[0].day in range(24, 32)
    if not certain or ((day.day is None) != (last[0].day is None) and not (last[2] and first[2])):
        return None
    return replace(_shared(day, last[0]), until=last[0]), last[1]


@remembered
def _dated_weekday(cursor: Cursor, at: int) -> DayFound | None:
    """A weekday with its date inside a range or bound: "a partir de segunda, 30/11", "até segunda dia 30"."""
    named = weekday_phrase(cursor, at)
    if named is None or named[0] != Day(weekday=named[0].weekday):
        return None
    behind = cursor.skip(named[1], {","})
    date = _numeric(cursor, behind) if cursor.kind(behind) is TokenKind.DATE else _numbered(cursor, behind, alone=True)
    return (replace(date[0], weekday=named[0].weekday), date[1]) if date else None


def _span_end(cursor: Cursor, at: int) -> tuple[Day, int, bool] | None:
    """One end of a range; the last value is whether it can only be a day (a bare number may be an hour)."""
    found = _dated_weekday(cursor, at) or _simple(cursor, at, alone=True)
    if found:
        return *found, True
    number = cursor.day_number(at)
    if (
        number is None
        or cursor.word(number[1]) in ("horas", "minutos", "meia", "da")
        or cursor.counts_things(number[1])
    ):
        return None
    return _day_of_month(number[0]), number[1], False


def _shared(first: Day, last: Day) -> Day:
    """ "de 3 a 7 de dezembro": the month stands once, at the end."""
    if first.has_month and last.month is not None and last.year and first.year is None and first.year_shift is None:
        later = first.month is not None and (first.month, first.day or 0) > (last.month, last.day or 0)
        return replace(first, year=last.year - later)
    if first.day is None or first.has_month or not last.has_month:
        return replace(first, week=last.week) if first.weekday is not None and first.week is None else first
    month = last.month
    if month is not None and last.day is not None and first.day > last.day:
        month = (month - 2) % 12 + 1
    return replace(first, month=month, month_shift=last.month_shift, year=last.year, year_shift=last.year_shift)


def _week_of(cursor: Cursor, at: int) -> DayFound | None:
    """ "na semana do dia 15", "semana do natal"."""
    start = cursor.skip(at, DETERMINERS)
    holy = cursor.after(start, "semana", "santa")
    if holy is not None:
        return Day(feast="pascoa", edge=Edge.WEEK_OF), holy
    behind = cursor.after(start, "semana", {"de", "do", "da"})
    if behind is None:
        return None
    found = _numbered(cursor, behind) or feast(cursor, behind)
    if found is None and cursor.kind(behind) is TokenKind.DATE:
        found = _numeric(cursor, behind)
    return (replace(found[0], edge=Edge.WEEK_OF), found[1]) if found else None
