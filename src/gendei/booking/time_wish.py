"""When somebody wants to come: the days and hours that free slots are held against."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta

from gendei.clinic import DAY_MINUTES

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class TimeWish:
    """The local days [first, last] and the local hours of a start. `at`: just this hour; else from `time_from` to
    before `time_to`, either of which may be open. any_day: no day was asked for, and [first, last] is only where to
    look first. excluded: days that will not do; busy: hours in which no start will."""

    first: date
    last: date
    at: time | None = None
    time_from: time | None = None
    time_to: time | None = None
    excluded: tuple[date, ...] = ()
    any_day: bool = False
    busy: tuple[tuple[time, time], ...] = ()
    window: tuple[int, int] = field(init=False, compare=False, repr=False)
    """The minutes after midnight at which a start may be, [first, last)."""

    def __post_init__(self) -> None:
        begin = _minute(self.at or self.time_from or time.min)
        end = begin + 1 if self.at is not None else (self.time_to and _minute(self.time_to)) or DAY_MINUTES
        object.__setattr__(self, "window", (begin, end))

    @property
    def days(self) -> int:
        return (self.last - self.first).days + 1

    @property
    def has_hours(self) -> bool:
        return any(hour is not None for hour in (self.at, self.time_from, self.time_to))

    def fits(self, start: datetime) -> bool:
        """Whether a local start is as it was asked for."""
        asked = self.any_day or self.first <= start.date() <= self.last
        return asked and start.date() not in self.excluded and self.fits_hours(start)

    def fits_hours(self, start: datetime) -> bool:
        within = self.window[0] <= start.hour * 60 + start.minute < self.window[1]
        return within and not any(first <= start.time() < last for first, last in self.busy)

    def minutes_off(self, start: datetime) -> int:
        """How far a local start is from the hours that were asked for; 0 within them."""
        minute, (begin, end) = start.hour * 60 + start.minute, self.window
        return max(begin - minute, minute - end + 1, 0)

    def days_off(self, day: date) -> int:
        """How far a day is from those that were asked for; 0 for one of them."""
        return 0 if self.any_day else max((self.first - day).days, (day - self.last).days, 0)

    def each_day(self, first: date, last: date) -> Iterator[date]:
        """The days of [first, last] that were asked for."""
        begin, end = (first, last) if self.any_day else (max(first, self.first), min(last, self.last))
        days = (begin + _DAY * number for number in range((end - begin).days + 1))
        return (day for day in days if day not in self.excluded)


def _minute(clock: time) -> int:
    return clock.hour * 60 + clock.minute
