"""Puts the expressions of a message together and gives them dates and hours."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from datetime import date, datetime, time, timedelta
from typing import Literal, cast

from gendei.booking.dates import day_reading, hour_reading
from gendei.booking.dates.calendar import coming
from gendei.booking.dates.day_reading import Days
from gendei.booking.dates.hour_reading import Clock, HeardHours, as_time
from gendei.booking.dates.nodes import Day, Edge, Hours, Slice, Which
from gendei.booking.dates.resolution import Resolution
from gendei.booking.dates.scan import Connection, Expression, expressions_of
from gendei.booking.dates.words import HAS_A_HINT
from gendei.clock import require_aware

_BLANK = Day()
_BARE_HOUR = re.compile(r"\s*([01]?\d|2[0-3])\s*[.!?]*\s*", re.ASCII)
_LOWER, _UPPER = frozenset({Edge.FROM, Edge.AFTER}), frozenset({Edge.UNTIL, Edge.BEFORE})
_FIELDS = tuple(field.name for field in fields(Day))


@dataclass(frozen=True, slots=True)
class Named:
    """A day of the message: ruled out or not, and whether it continues a list ("terça ou quarta")."""

    day: Day
    excluded: bool
    listed: bool


def resolve(text: str, now: datetime) -> Resolution | None:
    """What `text` says about days and hours, or None when it says nothing about them.

    `now` is the present in the clinic's zone; raises NaiveTime when it carries none. The rules are those of the
    package's docstring.
    """
    require_aware(now)
    if not HAS_A_HINT.search(text):
        return None
    expressions = _dated(expressions_of(text), now.date())
    if not expressions:
        return None
    wished = _without_told(expressions)
    clock = hour_reading.read(_heard(_without_hours_of_refused(text, wished)), now)
    named = _named(wished)
    found = _Reader(now, clock).choose(named)
    return _resolution(found, clock, now, spans=tuple((each.start, each.end) for each in expressions))


def hour_alone(text: str, now: datetime) -> Resolution | None:
    """What a bare number says where only an hour can be meant ("10"); None for anything else."""
    found = _BARE_HOUR.fullmatch(text)
    if found is None:
        return None
    clock = hour_reading.read([HeardHours(Hours(hour=int(found[1]), bare=True))], now)
    return _resolution(Days(None), clock, now, spans=(found.span(1),))


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
            weekday = last.meaning.weekday
            if hour in (coming(today, weekday).day, coming(today + timedelta(days=1), weekday).day):
                dated[-1] = replace(last, meaning=replace(last.meaning, day=hour), end=each.end)
                continue
        dated.append(each)
    return dated


def _without_hours_of_refused(text: str, expressions: Sequence[Expression]) -> list[Expression]:
    """The hours that belong to a day that is ruled out ("não posso segunda de manhã") tell nothing of other days."""
    return [
        each
        for before, each in zip((None, *expressions), expressions, strict=False)
        if not (
            before
            and before.excluded
            and isinstance(before.meaning, Day)
            and isinstance(each.meaning, Hours)
            and not text[before.end : each.start].strip()
        )
    ]


def _heard(expressions: Sequence[Expression]) -> list[HeardHours]:
    return [
        HeardHours(
            each.meaning,
            excluded=each.excluded,
            listed=each.link in (Connection.LISTED, Connection.COMMA),
            either=each.link is Connection.LISTED,
        )
        for each in expressions
        if isinstance(each.meaning, Hours)
    ]


def _named(expressions: Sequence[Expression]) -> list[Named]:
    """The days, neighbours that complete each other merged, and a week or month carried to the weekdays behind it."""
    named: list[Named] = []
    context: Day | None = None
    for each in expressions:
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
            named.append(Named(day, each.excluded, listed=each.link in (Connection.LISTED, Connection.COMMA)))
        if not each.excluded and (day.is_calendar_period or day.week is not None):
            context = Day(week=day.week, week_disputed=day.week_disputed, month=day.month, month_shift=day.month_shift)
        elif each.excluded and day.is_calendar_period:
            context = None
    return named


def _anchors(weekday: Day, day: Day, link: Connection) -> bool:
    """Whether `day` tells which weekday: "segunda depois do feriado", "quarta da semana do natal"."""
    placing = day.edge in (Edge.AFTER, Edge.BEFORE, Edge.WEEK_OF) and day.weekday is None
    return placing and link is Connection.ADJOINS and weekday == Day(weekday=weekday.weekday) != _BLANK


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
        return link in (Connection.ADJOINS, Connection.COMMA) or second.week is not None
    pair = _filled(first) | _filled(second)
    if Slice.WEEKEND in (first.slice, second.slice):
        return "weekday" in pair and len(pair) == 2 and link is Connection.ADJOINS
    return pair <= {"weekday", "shift", "day", "month", "year", "feast"} and "slice" not in pair and _beside(pair, link)


def _beside(pair: set[str], link: Connection) -> bool:
    """ "amanhã, terça-feira, 24/11": the same day twice; "amanhã ou terça" is two."""
    return link in (Connection.ADJOINS, Connection.COMMA) and not {"feast", "day"} <= pair


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

    def choose(self, named: Sequence[Named]) -> Days:
        """The day that the message asks for: the later wins over the earlier, the future over the past, and the
        members of a list stand together."""
        excluded: list[date] = []
        groups: list[list[Days]] = []
        previous: Days | None = None
        wished: Day | None = None
        for each in named:
            days = self._read(each.day, previous)
            previous = days
            if each.excluded:
                excluded += _all_days(days, self.today)
                continue
            between = self._between(wished, groups[-1][-1], each, days) if wished and groups else None
            if between:
                groups[-1][-1] = between
            elif each.listed and groups:
                groups[-1].append(days)
            else:
                groups.append([days])
            wished = each.day
        open_groups = [group for group in groups if not all(days.is_past(self.today) for days in group)]
        chosen = _together((open_groups or groups)[-1]) if groups else Days(None)
        if not groups and self.clock.moment is not None:
            chosen = Days(self.clock.moment.date())
        return replace(chosen, excluded=tuple(dict.fromkeys((*chosen.excluded, *excluded))))

    def _between(self, first: Day, before: Days, second: Named, behind: Days) -> Days | None:
        """ "Depois do dia 10 mas antes do natal": the days between two bounds, where there are any. The end of "depois
        do dia 20, mas antes do dia 5" is the first such day behind the beginning."""
        edges = first.edge, second.day.edge
        if (edges[0] in _LOWER) is (edges[1] in _LOWER) or _UPPER.isdisjoint(edges):
            return None
        first_is_lower = edges[0] in _LOWER
        lower, upper, end = (before, behind, second.day) if first_is_lower else (behind, before, first)
        if lower.start is None or upper.last is None or lower.over or upper.over:
            return None
        if lower.start > upper.last and not second.listed and not end.has_month:
            upper = day_reading.read(end, lower.start, today_counts=True)
        return Days(lower.start, upper.last) if upper.last and lower.start <= upper.last else None

    def _read(self, day: Day, previous: Days | None) -> Days:
        if day.echo:
            if day.nudge:
                named = previous.last if previous else None
                return Days((named or self.today) + timedelta(days=day.nudge))
            return replace(previous.moved(_length(previous)), alternatives=()) if previous else Days(None)
        ahead = self.clock.ahead(self.now) if self.clock.said else True
        return day_reading.read(day, self.today, today_counts=ahead, marked=self.clock.said and ahead)


def _length(days: Days) -> int:
    """How far "a outra" is from a range: a week, or its own length when longer."""
    if days.start is None or days.end is None:
        return 7
    return max(7, (days.end - days.start).days + 1)


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
        return group[-1] if not possible else possible[0]
    nearest = min(possible, key=lambda days: days.start or date.max)
    starts = tuple(sorted({days.start for days in possible if days.start is not None}))
    return replace(nearest, alternatives=starts if len(starts) > 1 else ())


def _resolution(days: Days, clock: Clock, now: datetime, *, spans: tuple[tuple[int, int], ...]) -> Resolution:
    today = now.date()
    clock = _evening(days, clock, now)
    days = _after_midnight(days, clock, now)
    past = days.is_past(today) or _hours_are_past(days, clock, now)
    start = days.start
    if start is not None and not past and start < today:
        start = today
    end = days.end if days.end != start else None
    return Resolution(
        date=start,
        end_date=end,
        open_end=days.open_end,
        time=as_time(clock.at),
        time_from=None if clock.at is not None else as_time(clock.since),
        time_to=None if clock.at is not None else as_time(clock.until),
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


def _evening(days: Days, clock: Clock, now: datetime) -> Clock:
    """ "hoje às 8", written at noon, is 20:00: the future where it is open."""
    if days.start != now.date() or days.end or clock.at is None or not clock.doubtful or clock.ahead(now):
        return clock
    later = replace(clock, at=clock.at + 12 * 60)
    return later if clock.at < 12 * 60 and later.ahead(now) else clock


def _after_midnight(days: Days, clock: Clock, now: datetime) -> Days:
    """ "hoje à meia-noite" is the midnight to come."""
    tonight = days.start == now.date() and days.end is None and clock.at == 0 and clock.moment is None
    return days.moved(1) if tonight else days


def _hours_are_past(days: Days, clock: Clock, now: datetime) -> bool:
    if clock.moment is not None:
        return clock.moment < now
    ahead = clock.ahead(now) or clock.at == now.hour * 60 + now.minute
    return days.start == now.date() and days.last == days.start and clock.said and not ahead


def _joined(spans: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """Spans that touch, or have only a blank between them, as one."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)
