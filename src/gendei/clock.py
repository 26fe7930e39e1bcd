"""Time enters the system here and nowhere else."""

from collections.abc import Callable
from datetime import UTC, datetime
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


def require_aware(moment: datetime) -> datetime:
    """Return `moment` unchanged; raise NaiveTime when it carries no zone (promise 10)."""
    if moment.tzinfo is None or moment.utcoffset() is None:
        raise NaiveTime
    return moment
