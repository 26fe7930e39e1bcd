"""Time enters the system here and nowhere else."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from time import monotonic

from gendei.errors import NaiveTime

Clock = Callable[[], datetime]
"""Returns the present as an aware datetime in UTC."""


def system_clock() -> datetime:
    return datetime.now(UTC)


def clock_from(start: datetime) -> Clock:
    """A clock that reads `start` now and runs on from there: for rehearsals (`GENDEI_NOW`)."""
    require_aware(start)
    began = monotonic()
    origin = start.timestamp()
    return lambda: datetime.fromtimestamp(origin + monotonic() - began, UTC)


class MovableClock:
    """A clock that can be put forward while it runs, for the demo. Never back: what is stored stays in the past."""

    def __init__(self, clock: Clock = system_clock) -> None:
        self._clock, self._ahead = clock, timedelta(0)

    def __call__(self) -> datetime:
        return self._clock() + self._ahead

    def move_to(self, moment: datetime) -> bool:
        """Read `moment` from now on; False, and nothing moved, when that is past."""
        ahead = require_aware(moment) - self()
        if ahead < timedelta(0):
            return False
        self._ahead += ahead
        return True


def instant(moment: datetime) -> datetime:
    """An aware moment in UTC. Compare and subtract moments so: Python compares two of the same zone by what the wall
    clock shows, which it shows twice when clocks go back."""
    return moment.astimezone(UTC)


def require_aware(moment: datetime) -> datetime:
    """Return `moment` unchanged; raise NaiveTime when it carries no zone (promise 10)."""
    if moment.tzinfo is None or moment.utcoffset() is None:
        raise NaiveTime
    return moment
