"""The grammar of days: from tokens to `Day` trees.

`day_at` is the entry: bounds and ranges around a single day, period or feast.
"""

from dataclasses import replace
from functools import partial

from gendei.booking.dates.cursor import Cursor
from gendei.booking.dates.hour_grammar import hour
from gendei.booking.dates.lexer import TokenKind
from gendei.booking.dates.nodes import Counted, Day, Edge, Slice, Which
from gendei.booking.dates.patterns import after, condition, reader, rule, skip
from gendei.booking.dates.period_grammar import is_month, relative
from gendei.booking.dates.weekday_grammar import weekday_phrase
from gendei.booking.dates.words import words

DayFound = tuple[Day, int]

_LONGEST_LIST = 7
_LONGEST_MONTH = 31
_TO = words("a ate ao")
_BEFORE_HOURS = words("de das as ate desde entre")


def _dated(day: Day, year: Day | None) -> Day:
    return replace(day, year=year.year, year_shift=year.year_shift) if year else day


def _numeric(numbers: tuple[int, ...]) -> Day | None:
    if len(numbers) == 2:
        return Day(month=numbers[0], year=numbers[1])
    return Day(day=numbers[0], month=numbers[1], year=numbers[2]) if numbers[2] else None


def _day_of_month(number: int) -> Day:
    return Day(day=number, impossible=not 1 <= number <= _LONGEST_MONTH)


numeric = rule(
    "numeric",
    ("{date}", _numeric),
    ("{date} {its_year}?", lambda numbers, year: _dated(Day(day=numbers[0], month=numbers[1]), year)),
)


def _month_of_date(cursor: Cursor, at: int) -> DayFound | None:
    """A month by its whole name, which a day may follow."""
    found = cursor.month(at, shortened=False)
    if found is None or not is_month(cursor, at, introduced=cursor.word(at - 1) == "em"):
        return None
    return Day(month=found[0]), found[1]


def _in_named_month(month: Day, number: int, year: Day | None) -> Day | None:
    return _dated(replace(month, day=number), year) if 1 <= number <= _LONGEST_MONTH else None


rule(
    "month_first",  # "maio 5", "em maio vinte e um", "novembro 19-20"
    ("em? {month_of_date} {two_days}", lambda month, days: _in_month(days, month)),
    ("em? {month_of_date} !um|uma {number} [closing] {its_year}?", _in_named_month),
)
reader("month_of_date", _month_of_date, starts="MONTHS")
rule("closing", "!: $", "&as|de|a|pela|ou|e|na")


def _two_days(cursor: Cursor, at: int) -> DayFound | None:
    """The days of "13-15" where they may be of one month."""
    if cursor.word(at) != "hours-range":
        return None
    first, last = cursor.tokens[at].numbers
    return (Day(day=first, until=Day(day=last)), at + 1) if 1 <= first < last <= _LONGEST_MONTH else None


reader("two_days", _two_days, starts="hours-range")


def _numbered_weekday(cursor: Cursor, at: int) -> DayFound | None:
    """ "sexta 26 às 4", "sexta 13 por volta das 14h": a number between a weekday and an hour is the day, where both
    cannot be a range of hours."""
    named_day = weekday_phrase(cursor, at)
    if named_day is None or not named_day[0].is_mere_weekday:
        return None
    number = cursor.numbers(named_day[1], TokenKind.NUMBER)
    behind = named_day[1] + 1
    if not number or not 1 <= number[0] <= _LONGEST_MONTH or cursor.word(behind) not in ("as", "por", "pelas", "la"):
        return None
    found = hour(cursor, behind)
    if found is None or found[0].hour is None:
        return None
    latest = found[0].hour + (12 if found[0].hour <= 6 else 0)
    if cursor.word(behind) == "as" and number[0] <= max(latest, 12):
        return None
    return Day(weekday=named_day[0].weekday, day=number[0]), behind


reader("numbered_weekday", _numbered_weekday)


def _nth_day(counted: Counted, nth: int, whole: Day) -> Day | None:
    return replace(whole, nth=nth, counted=counted) if nth and whole.is_calendar_period else None


def _stretch_of(nth: int, whole: Day) -> Day | None:
    """ "nos últimos dias do mês"."""
    stretch = {1: Slice.BEGINNING, -1: Slice.END}.get(nth)
    return replace(whole, slice=stretch) if stretch and whole.is_calendar_period else None


rule(
    "nth_day",  # "primeiro dia útil de maio", "último dia do mês", "quinto dia útil"
    ("DETERMINERS? {nth} dia util|uteis {of_whole}", partial(_nth_day, Counted.WORKING_DAY)),
    (
        "DETERMINERS? {nth} dia util|uteis",
        lambda nth: Day(month_shift=0, nth=nth, counted=Counted.WORKING_DAY),
    ),
    ("DETERMINERS? {nth} dia ~dias {of_whole}", _stretch_of),
    ("DETERMINERS? {nth} dia !~dias {of_whole}", partial(_nth_day, Counted.DAY)),
)


def _numbered(cursor: Cursor, at: int, *, alone: bool = False) -> DayFound | None:
    """ "dia 15 do mês que vem", "15 de março de 2027", "15/dez", "dias 15 e 16", "o dia 15 passado"."""
    last = after(cursor, at, "ultima dia")
    with_noun = last or after(cursor, at, "dia")
    if with_noun and cursor.kind(with_noun) is TokenKind.DATE:
        return numeric(cursor, with_noun)
    start = with_noun or at
    found = cursor.day_number(start) or _ordinal_day(cursor, start)
    if found is None:
        return _pair(cursor, start)
    numbers, end = ([found[0]], found[1]) if alone else _listed(cursor, *found, named=with_noun is not None)
    days = [_day_of_month(number) for number in numbers]
    month = month_behind(cursor, end)
    if month is None and with_noun is None and (len(days) > 1 or not _before_its_hour(cursor, start, end, numbers[0])):
        return None
    if month is not None:
        end = month[1]
        days = [_in_month(day, month[0]) for day in days]
    elif last or cursor.word(end) == "passada":
        days = [replace(day, which=Which.LAST) for day in days]
        end = skip(cursor, end, "passada")
    return replace(days[0], others=tuple(days[1:])), end


reader("numbered", _numbered, starts="NUMBERS|ORDINALS|DIGITS|dia|hours-range")
reader("one_numbered", partial(_numbered, alone=True), starts="NUMBERS|ORDINALS|DIGITS|dia|hours-range")


def _before_its_hour(cursor: Cursor, start: int, end: int, number: int) -> bool:
    """The 27 of "melhor 27 às 10": too large to be the beginning of hours that end at 10."""
    if cursor.word(end) != "as" or cursor.word(start - 1) in _BEFORE_HOURS:
        return False
    hour = cursor.numbers(end + 1, TokenKind.NUMBER) or cursor.numbers(end + 1, TokenKind.CLOCK)
    return hour is not None and hour[0] < number <= _LONGEST_MONTH


def _ordinal_day(cursor: Cursor, at: int) -> tuple[int, int] | None:
    """ "segundo de agosto", "vigésimo segundo de junho"."""
    found = cursor.ordinal(at)
    if found is None or not after(cursor, found[1], "de {short_month}"):
        return None
    return found if 1 <= found[0] <= _LONGEST_MONTH and cursor.word(found[1] - 1).endswith("o") else None


def _in_month(day: Day, month: Day) -> Day:
    """The day, and what ends its range, in that month."""
    placed = replace(
        day, month=month.month, month_shift=month.month_shift, year=month.year, year_shift=month.year_shift
    )
    return replace(placed, until=_in_month(day.until, month)) if day.until else placed


_pair = rule("pair", ("{two_days} {month_behind}", _in_month))


def _listed(cursor: Cursor, first: int, end: int, *, named: bool) -> tuple[list[int], int]:
    """Further numbers of "dias 15, 16 e 17". Only a plain number counts that is neither hour nor month's end."""
    numbers = [first]
    while cursor.word(end) in ("ou", "e", ",") and len(numbers) < _LONGEST_LIST:
        found = cursor.day_number(skip(cursor, end + 1, "INTO? dia?"))
        if found is None or not 1 <= found[0] <= _LONGEST_MONTH or cursor.counts_things(found[1]):
            break
        value, behind = found
        of_month = month_behind(cursor, behind)
        closed = cursor.ends(behind) or cursor.word(behind) in ("ou", "e")
        if not of_month and not (closed and named):
            break
        numbers.append(value)
        end = behind
    return numbers, end


def _whole_month(whole: Day) -> Day | None:
    return whole if whole.has_month and whole.slice is None else None


def _month_by_number(number: int, year: int | None = None) -> Day | None:
    return Day(month=number, year=year) if 1 <= number <= 12 else None


month_behind = rule(
    "month_behind",  # what makes a number a day: "de março", "/mar", "de 2027" behind it, "do mês que vem"
    ("[behind_ordinal] / {digits} {its_year}?", lambda n, year: _dated(Day(month=n), year) if 1 <= n <= 12 else None),
    ("&THIS {period}", _whole_month),
    ("de|do !dez {number} de {year}", _month_by_number),
    ("do {number} !horas|dia", _month_by_number),
    ("OF|/|- {short_month} {its_year}?", lambda month, year: _dated(Day(month=month), year)),
    ("!SHORTENED_MONTHS {short_month} {its_year}?", lambda month, year: _dated(Day(month=month), year)),
    ("{short_month} [no_noun_but_hours] {its_year}?", lambda month, year: _dated(Day(month=month), year)),
    ("OF|/|- {period}", _whole_month),
)
condition("behind_ordinal", lambda cursor, at: cursor.kind(at - 1) is TokenKind.ORDINAL)
rule("no_noun_but_hours", "[no_word]", "&as|de|a")

_SINGLE = ("numeric", "relative", "feast", "nth_day", "month_first")
_NAMED = ("numbered_weekday", "weekday_phrase", "week_of", "period")
simple = rule("simple", *_SINGLE, "numbered", *_NAMED)
single = rule("single", *_SINGLE, "one_numbered", *_NAMED)
"""One day, period or feast; `single` leaves further numbers of a list for the caller."""
rule(
    "week_of",  # "na semana do dia 15", "semana do natal"
    ("DETERMINERS? semana santa", Day(feast="pascoa", edge=Edge.WEEK_OF)),
    ("DETERMINERS? semana de|do|da {dated}", lambda day: replace(day, edge=Edge.WEEK_OF)),
)
rule("dated", "numbered", "feast", "numeric")

# Bounds


def _on_weekday(named: Day, day: Day) -> Day | None:
    return replace(day, weekday=named.weekday) if named.is_mere_weekday else None


def _apart(number: int, unit: str, side: str, day: Day) -> Day:
    days = min(number * (7 if unit == "semana" else 1), 1000)
    return _nudged(-days if side == "antes" else days, day)


def _nudged(days: int, day: Day) -> Day:
    return replace(day, nudge=day.nudge + days)


def _bounded_day(edge: Edge, day: Day, last: Day | None = None) -> Day | None:
    if last is None:
        return replace(day, edge=edge)
    return replace(day, until=last) if edge is Edge.FROM else None


rule(
    "bounded",  # "a partir de segunda", "depois do dia 10", "até sexta", "antes do natal"
    ("[no_relative] {day_edge} {bound} ate ENDS? {simple}", _bounded_day),
    ("[no_relative] {day_edge} {bound}", _bounded_day),
)
condition("no_relative", lambda cursor, at: relative(cursor, at) is None)
rule(
    "day_edge",
    ("a partir", Edge.FROM),
    ("apartir", Edge.FROM),
    ("desde", Edge.SINCE),
    ("pos ... {feast}", Edge.AFTER),
    ("pre ... {feast}", Edge.BEFORE),
    ("depois|passando", Edge.AFTER),
    ("antes", Edge.BEFORE),
    ("ate", Edge.UNTIL),
)
rule("bound", "OF|ENDS|desde? o|a? {bound_day}", "bound_day")
rule("bound_day", "dated_weekday", "simple")
rule(
    "apart",  # "véspera de feriado", "um dia antes do natal", "no dia seguinte ao feriado"
    ("a|na? ante? vespera de|da|do|ao|a {its_day}", partial(_nudged, -1)),
    ("dia seguinte|posterior de|da|do|ao|a {its_day}", partial(_nudged, 1)),
    ("dia anterior de|da|do|ao|a {its_day}", partial(_nudged, -1)),
    ("{number} =dia|semana =antes|depois de|da|do|ao|a {its_day}", _apart),
)
rule("its_day", "o|a? dia? {simple}", "simple")
rule(
    "onwards",
    ("{simple} em diante", lambda day: replace(day, edge=Edge.FROM)),
    ("{simple} para frente", lambda day: replace(day, edge=Edge.FROM)),
    "simple",
    ("dia seguinte|posterior", Day(echo=True, nudge=1)),
)
dated_weekday = rule(
    "dated_weekday",  # a weekday with its date inside a range or bound: "até segunda, 30/11", "até segunda dia 30"
    ("{weekday_phrase} ,? {numeric}", _on_weekday),
    ("{weekday_phrase} ,? {one_numbered}", _on_weekday),
)


# Ranges


def _span(cursor: Cursor, at: int) -> DayFound | None:
    """ "de segunda a quinta", "entre dia 3 e dia 7", "do dia 3 ao 7", "de 3 a 7 de dezembro", "segunda a sexta"."""
    between = cursor.word(at) == "entre"
    first = _span_end(cursor, skip(cursor, at, "OF|desde|entre ENDS?"))
    if first is None:
        return None
    day, end, certain = first
    joint = cursor.word(end)
    if joint != "e" if between else joint not in _TO and joint != "-":
        return None
    last = _span_end(cursor, skip(cursor, end + 1, "ENDS"))
    if last is None or (joint == "-" and day.day is not None and not (last[2] and last[0].has_month)):
        return None
    both = certain and last[2]
    certain = certain or last[2] or (cursor.word(at), joint) == ("do", "ao") or last[0].day in range(24, 32)
    if not certain or ((day.day is None) != (last[0].day is None) and not both):
        return None
    return replace(_shared(day, last[0]), until=last[0]), last[1]


reader("span", _span)
day_at = rule("day", "span", "bounded", "apart", "onwards")
"""The longest expression for days that begins exactly there."""


def _span_end(cursor: Cursor, at: int) -> tuple[Day, int, bool] | None:
    """One end of a range; the last value is whether it can only be a day (a bare number may be an hour)."""
    found = dated_weekday(cursor, at) or single(cursor, at)
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
    return replace(_in_month(first, last), month=month)
