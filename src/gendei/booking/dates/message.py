"""Puts the expressions of a message together and gives them dates and hours."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from datetime import date, datetime, time, timedelta
from typing import Literal, cast

from gendei.booking.dates import day_reading, hour_reading
from gendei.booking.dates.calendar import coming
from gendei.booking.dates.day_reading import Days
from gendei.booking.dates.hour_reading import Clock, as_time
from gendei.booking.dates.nodes import Day, Edge, Hours, Slice, Which
from gendei.booking.dates.resolution import Resolution
from gendei.booking.dates.scan import Connection, Expression, expressions_of
from gendei.booking.dates.words import HAS_A_HINT
from gendei.clock import require_aware

_BLANK = Day()
_BARE_HOUR = re.compile(r"\s*([01]?\d|2[0-3])\s*[.!?]*\s*", re.ASCII)
_LOWER, _UPPER = frozenset({Edge.FROM, Edge.AFTER}), frozenset({Edge.UNTIL, Edge.BEFORE})
_FIELDS = tuple(field.name for field in fields(Day))
_BESIDE = (Connection.ADJOINS, Connection.COMMA)


def resolve(text: str, now: datetime) -> Resolution | None:
    """What `text` says about days and hours, or None when it says nothing about them.

    `now` is the present in the clinic's zone; raises NaiveTime when it carries none. The rules are those of the
    package's docstring.
    """
    require_aware(now)
    expressions = _dated(expressions_of(text), now.date()) if HAS_A_HINT.search(text) else ()
    if not expressions:
        return None
    wished = _without_told(expressions)
    clock = hour_reading.read(_hours_of(text, wished), now)
    found = _Reader(now, clock).choose(_days_of(text, wished))
    return _resolution(found, clock, now, spans=[(each.start, each.end) for each in expressions])


def hour_alone(text: str, now: datetime) -> Resolution | None:
    """What a bare number says where only an hour can be meant ("10"); None for anything else."""
    found = _BARE_HOUR.fullmatch(text)
    if found is None:
        return None
    clock = hour_reading.of_one(Hours(hour=int(found[1]), bare=True), now)
    return _resolution(Days(None), clock, now, spans=[found.span(1)])


def _without_told(expressions: Sequence[Expression]) -> Sequence[Expression]:
    """What is told of days is left out where a day is asked for, and what is told of hours where an hour is."""
    asked = {type(each.meaning) for each in expressions if not (each.told or each.excluded)}
    return [each for each in expressions if not each.told or type(each.meaning) not in asked]


def _dated(expressions: Sequence[Expression], today: date) -> Sequence[Expression]:
    """The "13" of "sexta 13" is the day where that weekday has this number, and the hour otherwise."""
    dated: list[Expression] = []
    for each in expressions:
        last = dated[-1] if dated else None
        hour = each.meaning.hour if isinstance(each.meaning, Hours) and each.meaning.or_day else None
        if last and hour and isinstance(last.meaning, Day) and last.meaning.weekday is not None:
            nearest = (coming(today + timedelta(days=days), last.meaning.weekday).day for days in (0, 1))
            if hour in nearest:
                dated[-1] = replace(last, meaning=replace(last.meaning, day=hour), end=each.end)
                continue
        dated.append(each)
    return dated


def _hours_of(text: str, expressions: Sequence[Expression]) -> list[Expression]:
    """The hours; those of a day that is ruled out ("não posso segunda de manhã") tell nothing of other days."""
    return [
        each
        for before, each in zip((None, *expressions), expressions, strict=False)
        if isinstance(each.meaning, Hours)
        and not (
            before and before.excluded and isinstance(before.meaning, Day) and not text[before.end : each.start].strip()
        )
    ]


def _days_of(text: str, expressions: Sequence[Expression]) -> list["_Named"]:
    """The days, neighbours that complete each other merged, and a week or month carried to the weekdays behind it."""
    named: list[_Named] = []
    context: Day | None = None
    for before, each in zip((None, *expressions), expressions, strict=False):
        day = each.meaning
        if not isinstance(day, Day):
            continue
        last = named[-1] if named else None
        if last and _anchors(last.day, day, each.link):
            named[-1] = replace(last, day=replace(last.day, anchor=day), excluded=last.excluded or each.excluded)
            continue
        if last and not each.excluded and not last.excluded and _completes(last.day, day, each.link):
            named[-1] = replace(last, day=_merged(last.day, day))
        else:
            if context and (context.week or 0) >= 0 and _narrows(context, day):
                day = _merged(context, day)
            added = before is not None and text[before.end : each.start].strip().lower() == "e"
            named.append(_Named(day, each.excluded, each.listed, added))
        if not each.excluded and (day.is_calendar_period or day.week is not None):
            context = Day(week=day.week, week_disputed=day.week_disputed, month=day.month, month_shift=day.month_shift)
        elif each.excluded and day.is_calendar_period:
            context = None
    return named


@dataclass(frozen=True, slots=True)
class _Named:
    """A day of the message: ruled out or not, whether it continues a list ("terça ou quarta"), and whether that is by
    an "e"."""

    day: Day
    excluded: bool
    listed: bool
    added: bool


def _anchors(weekday: Day, day: Day, link: Connection) -> bool:
    """Whether `day` tells which weekday: "segunda depois do feriado", "quarta da semana do natal"."""
    placing = day.edge in (Edge.AFTER, Edge.BEFORE, Edge.WEEK_OF) and day.weekday is None
    return placing and link is Connection.ADJOINS and weekday.is_mere_weekday


def _filled(day: Day) -> set[str]:
    filled = {name for name in _FIELDS if getattr(day, name) != getattr(_BLANK, name)} - {"which", "week_disputed"}
    return filled | ({"month"} if day.has_month else set())


def _narrows(period: Day, day: Day) -> bool:
    return day.is_plain and day.shift is None and _filled(day) <= {"weekday", "day"} and day.which is Which.COMING


def _completes(first: Day, second: Day, link: Connection) -> bool:
    """Whether two expressions name one day together: "quinta, dia 15", "semana que vem … na terça"."""
    if not (first.is_plain and second.is_plain) or _filled(first) & _filled(second):
        return False
    over = (first.week or 0) < 0 or (first.month_shift or 0) < 0
    if first.is_calendar_period and _narrows(first, second) and not (over and link is Connection.APART):
        return link is not Connection.LISTED or first.week is not None or first.has_month
    if second.is_calendar_period and _narrows(second, first):
        if first.day is not None and link is Connection.APART:
            return False
        return link in _BESIDE or second.week is not None
    pair = _filled(first) | _filled(second)
    if Slice.WEEKEND in (first.slice, second.slice):
        return "weekday" in pair and len(pair) == 2 and link is Connection.ADJOINS
    # "Amanhã, terça-feira, 24/11" is the same day twice; "amanhã ou terça" is two.
    same = pair <= {"weekday", "shift", "day", "month", "year", "feast"} and not {"feast", "day"} <= pair
    return same and link in _BESIDE


def _merged(first: Day, second: Day) -> Day:
    values = {name: getattr(second, name) for name in _FIELDS if getattr(second, name) != getattr(_BLANK, name)}
    return replace(first, **values)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads the days of one message, with the hours that were said."""

    now: datetime
    clock: Clock

    @property
    def today(self) -> date:
        return self.now.date()

    def choose(self, named: Sequence[_Named]) -> Days:
        """The day that the message asks for: the later wins over the earlier, the future over the past, and the
        members of a list stand together."""
        excluded: list[date] = []
        groups: list[list[Days]] = []
        previous: Days | None = None
        wished: Day | None = None
        for each in named:
            previous = days = self._read(each.day, previous)
            if each.excluded:
                excluded += _all_days(days, self.today)
                continue
            between = _between(wished, groups[-1][-1], each, days) if wished else None
            if between:
                groups[-1][-1] = between
            elif each.listed and groups:
                groups[-1].append(days)
            else:
                groups.append([days])
            wished = each.day
        if groups:
            ahead = [group for group in groups if not all(days.is_past(self.today) for days in group)]
            chosen = _together((ahead or groups)[-1])
        else:
            chosen = Days(self.clock.moment.date() if self.clock.moment else None)
        return replace(chosen, excluded=tuple(dict.fromkeys((*chosen.excluded, *excluded))))

    def _read(self, day: Day, previous: Days | None) -> Days:
        if not day.echo:
            ahead = self.clock.ahead(self.now) if self.clock.said else True
            return day_reading.read(day, self.today, today_counts=ahead, marked=self.clock.said and ahead)
        if day.nudge:
            return Days((previous and previous.last) or self.today).moved(day.nudge)
        if previous is None or previous.start is None or previous.last is None:
            return previous or Days(None)
        # "A outra" is a week from a range, or the range's own length when longer.
        length = (previous.last - previous.start).days + 1
        return replace(previous.moved(max(7, length)), alternatives=())


def _between(first: Day, before: Days, second: _Named, behind: Days) -> Days | None:
    """ "Depois do dia 10 mas antes do natal": the days between two bounds, where there are any. The end of "depois do
    dia 20, mas antes do dia 5" is the first such day behind the beginning; an "ou" joins no two bounds."""
    first_is_lower = first.edge in _LOWER
    if first_is_lower is (second.day.edge in _LOWER) or _UPPER.isdisjoint((first.edge, second.day.edge)):
        return None
    lower, upper, end = (before, behind, second.day) if first_is_lower else (behind, before, first)
    if lower.start is None or upper.last is None or lower.over or upper.over:
        return None
    one_stretch = not second.listed or (second.added and first_is_lower)
    if lower.start > upper.last and one_stretch and not end.has_month:
        upper = day_reading.read(end, lower.start)
    return Days(lower.start, upper.last) if upper.last and lower.start <= upper.last else None


def _all_days(days: Days, today: date) -> list[date]:
    if days.start is None:
        return []
    last = days.last or days.start
    first = max(days.start, today) if last >= today else days.start
    return [first + timedelta(days=number) for number in range(min((last - first).days, 62) + 1)]


def _together(group: list[Days]) -> Days:
    possible = [days for days in group if days.start is not None]
    possible = [days for days in possible if days.over is None] or possible
    if len(possible) < 2:
        return (possible or group[-1:])[0]
    starts = sorted({days.start for days in possible if days.start is not None})
    nearest = next(days for days in possible if days.start == starts[0])
    return replace(nearest, alternatives=tuple(starts) if len(starts) > 1 else ())


def _resolution(days: Days, clock: Clock, now: datetime, *, spans: list[tuple[int, int]]) -> Resolution:
    today, single = now.date(), days.start == now.date() and days.end is None
    if single and clock.at is not None and clock.doubtful and not clock.ahead(now):
        # "Hoje às 8", written at noon, is 20:00: the future where it is open.
        later = replace(clock, at=clock.at + 12 * 60)
        clock = later if clock.at < 12 * 60 and later.ahead(now) else clock
    if single and clock.at == 0 and clock.moment is None:
        days = days.moved(1)  # "hoje à meia-noite" is the midnight to come
    past = days.is_past(today) or _hours_are_past(days, clock, now)
    start = days.start if past or days.start is None else max(days.start, today)
    exact = clock.at is not None
    return Resolution(
        date=start,
        end_date=days.end if days.end != start else None,
        open_end=days.open_end,
        time=as_time(clock.at),
        time_from=None if exact else as_time(clock.since),
        time_to=None if exact else as_time(clock.until),
        slot=cast("Literal['first', 'last'] | None", clock.slot),
        busy=tuple((cast("time", as_time(first)), cast("time", as_time(last))) for first, last in clock.busy),
        excluded=days.excluded,
        alternatives=days.alternatives,
        time_alternatives=tuple(time for minutes in clock.others if (time := as_time(minutes))),
        past=past,
        over=None if past else days.over,
        impossible=days.impossible or clock.impossible,
        spans=_joined(spans),
    )


def _hours_are_past(days: Days, clock: Clock, now: datetime) -> bool:
    if clock.moment is not None:
        return clock.moment < now
    ahead = clock.ahead(now) or clock.at == now.hour * 60 + now.minute
    return days.start == now.date() and days.last == days.start and clock.said and not ahead


def _joined(spans: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Spans that touch, or have only a blank between them, as one."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)
