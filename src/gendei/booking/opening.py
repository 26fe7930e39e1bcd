"""When somebody of the clinic answers: moments counted in its opening hours."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import takewhile

from gendei.booking.wallclock import Interval, at_minute, epoch_minute, intervals, spans, wall_midnight
from gendei.clinic import Clinic

LOOKED_AHEAD = timedelta(days=31)
"""Who opens on no day of these is taken for always open: nothing is known of its hours."""
Opening = tuple[datetime, datetime]
"""[start, end), aware, in the clinic's zone."""


def answer_by(clinic: Clinic, asked: datetime, *, at_any_hour: bool = False) -> datetime | None:
    """By when the clinic's promise has a person answer who asked at `asked`: its minutes count while the clinic is
    open, or `at_any_hour`. None where the clinic promises nothing."""
    minutes = clinic.takeover.answer_within_minutes
    if not minutes:
        return None
    found = None if at_any_hour else _answered_in(clinic, asked, minutes)
    return found[0] if found else asked + timedelta(minutes=minutes)


def answering_hours(clinic: Clinic, asked: datetime) -> Opening | None:
    """From the opening in which who asked at `asked` is answered, by the clinic's promise, to the end of that day's
    last one; None where it is not known."""
    found = _answered_in(clinic, asked, clinic.takeover.answer_within_minutes)
    if found is None:
        return None
    start, end = found[1]
    zone, day = clinic.timezone, start.date()
    ends = (after for _, after in _openings(clinic, start))
    last = max(takewhile(lambda after: at_minute(after, zone).date() == day, ends), default=None)
    return start, end if last is None else at_minute(last, zone)


def _answered_in(clinic: Clinic, asked: datetime, minutes: int) -> tuple[datetime, Opening] | None:
    """The moment, and the opening that it lies in."""
    for start, end in _openings(clinic, asked):
        begin = max(start, epoch_minute(asked))
        if minutes <= end - begin:
            zone = clinic.timezone
            return at_minute(begin + minutes, zone), (at_minute(start, zone), at_minute(end, zone))
        minutes -= end - begin
    return None


def _openings(clinic: Clinic, asked: datetime) -> Iterator[Interval]:
    """Those that are not over at `asked`, in order."""
    first = clinic.local(asked).date()
    periods = spans(clinic.timezone, first, first + LOOKED_AHEAD)
    for ahead in range(LOOKED_AHEAD.days + 1):
        day = first + timedelta(days=ahead)
        ranges = () if day in clinic.closed else clinic.hours.get(day.weekday(), ())
        for part in ranges:
            midnight = wall_midnight(day)
            for start, end in intervals(periods, midnight + part.start, midnight + part.end):
                if end > epoch_minute(asked):
                    yield start, end
