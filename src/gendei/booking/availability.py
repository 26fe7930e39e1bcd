"""Which times are free: pure functions on values.

The rules: a professional's own hours are taken as given, the clinic's hold for who has none, and the clinic's
closed dates close for everybody. Starts follow each other by the step from the beginning of each range (a lunch
break starts a new one), and an appointment fits wholly inside one range. Durations, steps, buffers and lead time
are real minutes: where the clocks change, a start that the wall clock skips is not offered, one that it shows twice
is offered both times, and no slot of a range comes sooner than a step after the one before it.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from itertools import compress, islice, repeat
from typing import NamedTuple, cast
from zoneinfo import ZoneInfo

from gendei.booking.slots import NoSlots, Refusal, Slot
from gendei.booking.time_wish import TimeWish
from gendei.booking.wallclock import (
    Interval,
    Span,
    at_minute,
    epoch_minute,
    epoch_minute_after,
    intervals,
    spans,
    times,
    touching,
    wall_midnight,
)
from gendei.clinic import DAY_MINUTES, Clinic, Professional, Service, TimeRange, WeeklyHours
from gendei.clock import instant

Busy = Mapping[str, Sequence[Interval]]
"""Professional id to what is taken or held, without buffers, in any order."""

_DAY = timedelta(days=1)
_NEARNESS = tuple(NoSlots)
_WORKED = frozenset({NoSlots.TOO_SOON, NoSlots.FULL, NoSlots.OFF_GRID, NoSlots.TOO_SHORT})
_MINUTES = [timedelta(minutes=minute) for minute in range(DAY_MINUTES + 1)]
# What Slot(*fields) does, without leaving C: thousands of slots are made in one search.
_new = cast("Callable[[type[Slot], tuple[str, datetime, datetime]], Slot]", tuple.__new__)


def free_slots(
    clinic: Clinic,
    service: Service,
    professionals: Iterable[Professional],
    busy: Busy,
    days: tuple[date, date],
    now: datetime,
    *,
    limit: int | None = None,
) -> dict[str, list[Slot]]:
    """Every free slot of each professional on the local days from the first to the last of `days`, in order of start.

    now: aware; lead time and horizon count from it. limit: no more than so many of each professional.
    The professionals are taken to do the service. Start and end are aware, in the clinic's zone.
    """
    today = clinic.local(now).date()
    first, last = max(days[0], today), min(days[1], today + timedelta(days=clinic.booking.horizon_days))
    if first > last:
        return {professional.id: [] for professional in professionals}
    earliest = epoch_minute_after(now) + clinic.booking.lead_minutes
    grids = _Grids(clinic, service, first, last)
    found = {}
    for professional in professionals:
        grid = grids.of(professional)
        free = _without(grid, service, professional, busy.get(professional.id, ()), clinic.booking.buffer_minutes)
        begin = bisect_left(grid.minutes, earliest)
        free[:begin] = bytes(begin)
        columns = zip(repeat(professional.id), grid.starts, grid.ends)  # not strict: repeat has no end
        found[professional.id] = list(islice(map(_new, repeat(Slot), compress(columns, free)), limit))
    return found


def why_none(
    clinic: Clinic,
    service: Service,
    professionals: Sequence[Professional],
    busy: Busy,
    day: date,
    now: datetime,
    wish: TimeWish | None = None,
) -> NoSlots:
    """The reason why `free_slots` has nothing for the professionals on `day`, at the hours of `wish` if that is given.
    Without professionals: NOT_OFFERED."""
    if not professionals:
        return NoSlots.NOT_OFFERED
    if outside := out_of_reach(clinic, day, now):
        return outside
    asked = _AskedDay(clinic, service, day, now, wish or TimeWish(day, day), _Grids(clinic, service, day, day))
    reasons = {asked.why(professional, busy.get(professional.id, ())) for professional in professionals}
    return min(reasons, key=_NEARNESS.index)


def nearest_to_yes(reasons: Sequence[NoSlots]) -> tuple[NoSlots, bool]:
    """Of the reasons of several days the one for all of them, and whether it says it all: days on which nobody works
    add nothing to it, unless it is that those that are worked come too soon."""
    nearest = min(reasons, key=_NEARNESS.index)
    others = set(reasons) - {nearest, NoSlots.PAST, NoSlots.TOO_FAR, NoSlots.CLOSED}
    return nearest, not others if nearest is NoSlots.TOO_SOON else others.isdisjoint(_WORKED)


def out_of_reach(clinic: Clinic, day: date, now: datetime) -> NoSlots | None:
    """PAST or TOO_FAR for a local day that no slot can be on; None for today to the horizon's last day."""
    today = clinic.local(now).date()
    if day < today:
        return NoSlots.PAST
    return NoSlots.TOO_FAR if (day - today).days > clinic.booking.horizon_days else None


def refusal(
    clinic: Clinic,
    service: Service,
    professional: Professional,
    busy: Sequence[Interval],
    start: datetime,
    now: datetime,
    *,
    staff: bool = False,
) -> Refusal | None:
    """Why an appointment cannot begin at `start` (aware), or None when it can.

    staff: allow starts between the slots and within the lead time; every other rule holds for staff too.
    """
    begin = epoch_minute(start)
    asked = begin, begin + service.duration_minutes
    if instant(start) < instant(now):
        return Refusal.PAST
    if not_worked := _why_not_worked(clinic, professional, asked, start, now):
        return not_worked
    if start.second or start.microsecond or not (staff or _on_grid(clinic, service, professional, start)):
        return Refusal.OFF_GRID
    if not staff and begin < epoch_minute_after(now) + clinic.booking.lead_minutes:
        return Refusal.TOO_SOON
    return Refusal.TAKEN if taken(clinic, asked, busy) else None


def taken(clinic: Clinic, asked: Interval, busy: Iterable[Interval]) -> bool:
    """Whether anything busy is in the way, or closer than the buffer."""
    buffer = clinic.booking.buffer_minutes
    return any(_overlap(asked, (other[0] - buffer, other[1] + buffer)) for other in busy)


def is_worked(clinic: Clinic, professional: Professional, asked: Interval, start: datetime) -> bool:
    """Whether the professional works throughout, by the clinic's and the own hours, closed days and time off. `asked`:
    in epoch minutes, from `start` (aware) on."""
    return _why_off(clinic, professional, asked, clinic.local(start).date()) is None


def _why_not_worked(
    clinic: Clinic, professional: Professional, asked: Interval, start: datetime, now: datetime
) -> Refusal | None:
    day = clinic.local(start).date()
    if outside := out_of_reach(clinic, day, now):
        return Refusal(outside)
    return _why_off(clinic, professional, asked, day)


def _why_off(clinic: Clinic, professional: Professional, asked: Interval, day: date) -> Refusal | None:
    ranges = _hours(clinic, professional, day)
    if not ranges:
        return Refusal.PROFESSIONAL_OFF if _opens(clinic, day) else Refusal.CLOSED
    if any(_overlap(asked, away) for away in _time_off(professional)):
        return Refusal.PROFESSIONAL_OFF
    periods, midnight = spans(clinic.timezone, day, day), wall_midnight(day)
    opened = (
        interval for part in ranges for interval in intervals(periods, midnight + part.start, midnight + part.end)
    )
    return None if any(_within(asked, interval) for interval in opened) else Refusal.OUTSIDE_HOURS


def _on_grid(clinic: Clinic, service: Service, professional: Professional, start: datetime) -> bool:
    day = clinic.local(start).date()
    return epoch_minute(start) in _Grids(clinic, service, day, day).of(professional).minutes


def _overlap(first: Interval, second: Interval) -> bool:
    return first[0] < second[1] and second[0] < first[1]


def _within(inner: Interval, outer: Interval) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


@dataclass(frozen=True, slots=True)
class _AskedDay:
    """A day within reach on which something was asked for, and why one professional has nothing."""

    clinic: Clinic
    service: Service
    day: date
    now: datetime
    wish: TimeWish
    grids: "_Grids"

    def why(self, professional: Professional, busy: Sequence[Interval]) -> NoSlots:
        clinic, service = self.clinic, self.service
        if not _hours(clinic, professional, self.day):
            return NoSlots.PROFESSIONAL_OFF if _opens(clinic, self.day) else NoSlots.CLOSED
        grid, present = self.grids.of(professional), epoch_minute_after(self.now)
        on_duty = _without(grid, service, professional, (), 0)
        if not any(on_duty):
            return NoSlots.PROFESSIONAL_OFF
        then = [self.wish.fits_hours(start) for start in grid.starts]
        asked = [minute for minute, fits, duty in zip(grid.minutes, then, on_duty, strict=True) if fits and duty]
        if not asked:
            return self._why_not_then(professional)
        if max(asked) < present:
            return NoSlots.PAST
        free = set(compress(grid.minutes, _without(grid, service, professional, busy, clinic.booking.buffer_minutes)))
        return NoSlots.TOO_SOON if any(minute >= present for minute in free.intersection(asked)) else NoSlots.FULL

    def _why_not_then(self, professional: Professional) -> NoSlots:
        """Of a professional who attends that day, with no start at the hours that were asked for."""
        asked = self._real(*self.wish.window)
        if not asked:
            return NoSlots.OFF_GRID  # the wall clock skips that hour
        if asked[-1][1] <= epoch_minute(self.now):
            return NoSlots.PAST
        worked = self._worked(professional)
        if not _meets(asked, worked):
            is_open = [interval for part in _open_hours(self.clinic, self.day) for interval in self._real(*part)]
            return NoSlots.PROFESSIONAL_OFF_THEN if _meets(asked, is_open) else NoSlots.CLOSED_THEN
        long = self.service.duration_minutes
        enough = [(start, end - long + 1) for start, end in worked if end - start >= long]
        return NoSlots.OFF_GRID if _meets(asked, enough) else NoSlots.TOO_SHORT

    def _worked(self, professional: Professional) -> list[Interval]:
        """When the professional attends that day, time off taken out."""
        ranges = _hours(self.clinic, professional, self.day)
        worked = [interval for part in ranges for interval in self._real(part.start, part.end)]
        for away in _time_off(professional):
            parts = [((start, min(end, away[0])), (max(start, away[1]), end)) for start, end in worked]
            worked = [part for pair in parts for part in pair if part[0] < part[1]]
        return worked

    def _real(self, start: int, end: int) -> list[Interval]:
        """Minutes after that day's midnight, as the wall clock shows them, as real time."""
        midnight = wall_midnight(self.day)
        return intervals(spans(self.clinic.timezone, self.day, self.day), midnight + start, midnight + end)


def _meets(some: Sequence[Interval], others: Sequence[Interval]) -> bool:
    return any(_overlap(first, second) for first in some for second in others)


@dataclass(frozen=True, slots=True)
class _Grid:
    """The starts that weekly hours give over some days, as parallel columns in order."""

    minutes: list[int] = field(default_factory=list)
    starts: list[datetime] = field(default_factory=list)
    ends: list[datetime] = field(default_factory=list)


class _Day(NamedTuple):
    """A local day, its midnight as an aware time, as an epoch minute and as a wall minute. Even: every minute of the
    wall clock comes exactly once, the next midnight too, so that wall-clock arithmetic is right."""

    weekday: int
    midnight: datetime
    begin: int
    wall: int
    periods: list[Span]
    even: bool

    @classmethod
    def of(cls, day: date, zone: ZoneInfo, periods: Sequence[Span]) -> "_Day":
        wall, midnight = wall_midnight(day), datetime.combine(day, time.min, zone)
        here = touching(periods, wall, wall + DAY_MINUTES)
        begin = wall - here[0].offset if here else wall
        even = len(here) == 1 and here[0].start <= begin and begin + DAY_MINUTES < here[0].end
        return cls(day.weekday(), midnight, begin, wall, here, even)


class _Grids:
    """One grid for each pattern of weekly hours: professionals with the same hours share its datetimes."""

    def __init__(self, clinic: Clinic, service: Service, first: date, last: date) -> None:
        policy = clinic.booking
        self._clinic = clinic
        self._duration = service.duration_minutes
        self._step = policy.step_minutes or service.duration_minutes + policy.buffer_minutes
        days = [first + _DAY * number for number in range((last - first).days + 1)]
        periods = spans(clinic.timezone, first, last)
        self._days = [_Day.of(day, clinic.timezone, periods) for day in days if day not in clinic.closed]
        self._known: dict[tuple[tuple[int, tuple[TimeRange, ...]], ...], _Grid] = {}

    def of(self, professional: Professional) -> _Grid:
        hours = self._clinic.hours_of(professional)
        pattern = tuple(sorted((weekday, tuple(ranges)) for weekday, ranges in hours.items()))
        if pattern not in self._known:
            self._known[pattern] = self._build(hours)
        return self._known[pattern]

    def _build(self, hours: WeeklyHours) -> _Grid:
        grid = _Grid()
        asked = {day.weekday for day in self._days}
        offsets = {
            weekday: [
                minute for part in ranges for minute in range(part.start, part.end - self._duration + 1, self._step)
            ]
            for weekday, ranges in hours.items()
            if weekday in asked
        }
        begins = {weekday: [_MINUTES[minute] for minute in minutes] for weekday, minutes in offsets.items()}
        ends = {
            weekday: [_MINUTES[minute + self._duration] for minute in minutes] for weekday, minutes in offsets.items()
        }
        for day in self._days:
            if day.weekday not in offsets:
                continue
            if not day.even:
                for begin in sorted(start for part in hours[day.weekday] for start in self._uneven(day, part)):
                    grid.minutes.append(begin)
                    grid.starts.append(at_minute(begin, self._clinic.timezone))
                    grid.ends.append(at_minute(begin + self._duration, self._clinic.timezone))
                continue
            grid.minutes.extend(map(day.begin.__add__, offsets[day.weekday]))
            grid.starts.extend(map(day.midnight.__add__, begins[day.weekday]))
            grid.ends.extend(map(day.midnight.__add__, ends[day.weekday]))
        return grid

    def _uneven(self, day: _Day, part: TimeRange) -> Iterator[int]:
        """The starts of a range, in order, on a day on which wall-clock arithmetic cannot be trusted."""
        opened = intervals(day.periods, day.wall + part.start, day.wall + part.end)
        walls = range(day.wall + part.start, day.wall + part.end, self._step)
        not_before = None
        for begin in sorted(begin for wall in walls for begin in times(day.periods, wall)):
            end = begin + self._duration
            if (not_before is None or begin >= not_before) and any(
                _within((begin, end), interval) for interval in opened
            ):
                yield begin
                not_before = begin + self._step


def _without(
    grid: _Grid, service: Service, professional: Professional, busy: Sequence[Interval], buffer: int
) -> bytearray:
    """One byte for each start of the grid: 1 when neither time off nor anything busy is in its way."""
    minutes, duration = grid.minutes, service.duration_minutes
    free = bytearray(b"\x01") * len(minutes)
    for blocks, margin in ((busy, buffer), (_time_off(professional), 0)):
        for start, end in blocks:
            number, stop = bisect_right(minutes, start - margin - duration), end + margin
            while number < len(minutes) and minutes[number] < stop:
                free[number] = 0
                number += 1
    return free


def _time_off(professional: Professional) -> list[Interval]:
    return [(epoch_minute(absence.start), epoch_minute_after(absence.end)) for absence in professional.time_off]


def _opens(clinic: Clinic, day: date) -> bool:
    return bool(_open_hours(clinic, day))


def _open_hours(clinic: Clinic, day: date) -> set[Interval]:
    """When somebody can be there, in minutes after midnight: the clinic's hours, and whoever has others."""
    if day in clinic.closed:
        return set()
    every = (clinic.hours, *(professional.hours or {} for professional in clinic.professionals))
    return {(part.start, part.end) for hours in every for part in hours.get(day.weekday(), ())}


def _hours(clinic: Clinic, professional: Professional, day: date) -> tuple[TimeRange, ...]:
    return () if day in clinic.closed else tuple(clinic.hours_of(professional).get(day.weekday(), ()))
