"""Where messages stand in a conversation's time."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from gendei.messages.message import Arrival

TICK = timedelta(microseconds=1)
"""What stores tell apart."""


def latest(before: datetime | None, moments: Sequence[datetime]) -> datetime | None:
    return max((*moments, *([before] if before else [])), default=None)


def placed(arrivals: Sequence[Arrival], after: datetime | None) -> list[tuple[Arrival, datetime]]:
    """Each with when it arrived, pushed apart where several came at once, and behind `after`: of two processes that
    take in one patient's messages, one may be late, or its clock."""
    told: list[tuple[Arrival, datetime]] = []
    for arrival in arrivals:
        after = max(arrival.received_at, after + TICK) if after else arrival.received_at
        told.append((arrival, after))
    return told


def last_of(values: Iterable[str | None], otherwise: str | None) -> str | None:
    known = otherwise
    for value in values:
        known = value or known
    return known
