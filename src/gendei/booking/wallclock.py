"""Local wall-clock time and real time as whole minutes, exact on the days when the clocks change.

An epoch minute counts real minutes since 1970 in UTC. A wall minute counts what the clock on the clinic's wall
shows, as if its days all had 24 hours; the two differ by the zone's offset. Offsets are whole minutes, as they
have been everywhere since 1972.
"""

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from gendei.clinic import DAY_MINUTES

Interval = tuple[int, int]
"""[start, end) in epoch minutes."""

_START = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}([+-]\d{2}:\d{2})?", re.ASCII)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_EPOCH_DAY = date(1970, 1, 1).toordinal()
_MINUTE = timedelta(minutes=1)


class Span(NamedTuple):
    """A period of constant offset: [start, end) in epoch minutes; wall minute = epoch minute + offset."""

    start: int
    end: int
    offset: int


def epoch_minute(moment: datetime) -> int:
    """The minute that an aware moment falls in."""
    return (moment - _EPOCH) // _MINUTE


def epoch_minute_after(moment: datetime) -> int:
    """The first full minute that is not before an aware moment."""
    return -((_EPOCH - moment) // _MINUTE)


def at_minute(minute: int, zone: ZoneInfo) -> datetime:
    """An epoch minute as an aware datetime, with the fold that it has."""
    return datetime.fromtimestamp(minute * 60, zone)


def time_text(moment: datetime) -> str:
    """What the wall clock shows, "01:30"; where it shows that the second time, with the offset: "01:30-05:00"."""
    return moment.isoformat(timespec="minutes").partition("T")[2] if moment.fold else f"{moment:%H:%M}"


def start_text(moment: datetime) -> str:
    """The day and the `time_text` of a local moment: "2026-11-01T01:30"."""
    return f"{moment:%Y-%m-%d}T{time_text(moment)}"


def start_from(text: str, zone: ZoneInfo) -> datetime:
    """The aware moment that `start_text` wrote, in `zone`. Raises ValueError for anything else."""
    if _START.fullmatch(text) is None:
        raise ValueError("not a start")
    moment = datetime.fromisoformat(text)
    return moment.replace(tzinfo=zone) if moment.tzinfo is None else moment.astimezone(zone)


def showing(moment: datetime) -> int | None:
    """1 or 2 where the wall clock shows the time of `moment` twice, because clocks go back; None elsewhere."""
    first, second = (moment.replace(fold=fold).utcoffset() for fold in (0, 1))
    return moment.fold + 1 if first is not None and second is not None and first > second else None


def wall_midnight(day: date) -> int:
    """The wall minute at which `day` begins."""
    return (day.toordinal() - _EPOCH_DAY) * DAY_MINUTES


def spans(zone: ZoneInfo, first: date, last: date) -> list[Span]:
    """The spans that hold the local days `first` to `last`, in order: one, unless the clocks change."""
    begin, finish = wall_midnight(first) - 2 * DAY_MINUTES, wall_midnight(last) + 3 * DAY_MINUTES
    found: list[Span] = []
    start, offset = begin, _offset(zone, begin)
    for probe in range(begin + DAY_MINUTES, finish + 1, DAY_MINUTES):
        if (changed := _offset(zone, probe)) != offset:
            change = _first_minute_with(zone, changed, probe - DAY_MINUTES, probe)
            found.append(Span(start, change, offset))
            start, offset = change, changed
    return [*found, Span(start, finish, offset)]


def touching(periods: Sequence[Span], wall_start: int, wall_end: int) -> list[Span]:
    """The spans in which the wall clock shows some minute of [wall_start, wall_end)."""
    return [span for span in periods if span.start + span.offset < wall_end and wall_start < span.end + span.offset]


def intervals(periods: Sequence[Span], wall_start: int, wall_end: int) -> list[Interval]:
    """When the wall clock shows [wall_start, wall_end): one interval, less or more where the clocks change."""
    found: list[Interval] = []
    for span in periods:
        start, end = max(span.start, wall_start - span.offset), min(span.end, wall_end - span.offset)
        if start >= end:
            continue
        if found and found[-1][1] == start:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def times(periods: Sequence[Span], wall: int) -> list[int]:
    """The epoch minutes at which the wall clock shows `wall`, in order: none where it skips it, two where it comes
    again."""
    return [wall - span.offset for span in periods if span.start <= wall - span.offset < span.end]


def _offset(zone: ZoneInfo, minute: int) -> int:
    offset = at_minute(minute, zone).utcoffset()
    return offset // _MINUTE if offset is not None else 0


def _first_minute_with(zone: ZoneInfo, offset: int, before: int, after: int) -> int:
    while after - before > 1:
        middle = (before + after) // 2
        before, after = (before, middle) if _offset(zone, middle) == offset else (middle, after)
    return after
