"""Puts the hours of a message together: "amanhã à noite, às 8" is 20:00; "de 2 a 4 da tarde" is 14:00 to 16:00."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from typing import cast

from gendei.booking.dates.nodes import Edge, Hours, Part
from gendei.booking.dates.scan import Connection, Expression

DAY = 24 * 60
_LAST_MINUTE = DAY - 1
_EARLIEST_MORNING = 5
_LATEST_AFTERNOON = 20 * 60
"""An hour that a part of the day would make later than that contradicts it: "às 10 da tarde"."""
_DAY_BEGINS, _DAY_ENDS = 9 * 60, 18 * 60
"""Who is busy from the one on can come after it, and who is busy until the other before it."""
_MOST_OTHERS = 24
"""So many hours of one list are kept: nobody means more, and a list without an end would cost time."""


@dataclass(frozen=True, slots=True)
class Clock:
    """Minutes after midnight. `at` is exact, `since`..`until` a window. `midnight`: "meia-noite" was said.

    `doubtful`: a bare number from 1 to 11 ("às 8"), which may mean the evening; `movable`: also one with "h" or minutes
    ("8:00"), which only a part of the day makes the evening. `moment` is set when the
    expression counted from now; then the date is known too.
    """

    at: int | None = None
    since: int | None = None
    until: int | None = None
    slot: str | None = None
    others: tuple[int, ...] = ()
    doubtful: bool = False
    movable: bool = False
    moment: datetime | None = None
    impossible: bool = False
    busy: tuple[tuple[int, int], ...] = ()

    @property
    def said(self) -> bool:
        return self.at is not None or self.since is not None or self.until is not None

    def ahead(self, now: datetime) -> bool:
        """Whether these hours are still to come on the day of `now`."""
        minutes = now.hour * 60 + now.minute
        if self.at is not None:
            return self.at > minutes
        return minutes < (self.until if self.until is not None else DAY)


def read(expressions: Iterable[Expression], now: datetime) -> Clock:
    """The hours of the whole message; what is said later wins over what contradicts it."""
    clock = Clock()
    part: Part | None = None
    for each in expressions:
        hours = cast("Hours", each.meaning)
        if each.excluded:
            clock = _without(clock, hours)
        elif hours.part is None or hours.hour is not None:
            clock = _joined(clock, hours, part, now, listed=each.listed)
        elif each.link is Connection.LISTED and clock.at is not None:
            part = hours.part
        else:
            clock, part = _with_part(clock, part, hours.part, listed=each.listed)
    return clock


def of_one(hours: Hours, now: datetime) -> Clock:
    """The hours of one expression alone."""
    return _joined(Clock(), hours, None, now, listed=False)


def _with_part(clock: Clock, part: Part | None, new: Part, *, listed: bool) -> tuple[Clock, Part]:
    since, until = new.value
    if clock.at is not None:
        if since <= clock.at < until or not clock.movable:
            return clock, new
        moved = _minutes(Hours(hour=clock.at // 60 % 12 or 12, minute=clock.at % 60), new)
        if new is Part.AFTERNOON and moved > _LATEST_AFTERNOON:
            return replace(clock, at=None, since=since, until=until, doubtful=False, movable=False), new
        return replace(clock, at=moved, doubtful=False, movable=False), new
    if part is not None and listed and clock.since is not None and clock.until is not None:
        return replace(clock, since=min(clock.since, since), until=max(clock.until, until)), new
    if part is None and (clock.since is not None or clock.until is not None):
        return _narrowed(clock, since, until), new
    return replace(clock, since=since, until=until), new


def _narrowed(clock: Clock, since: int, until: int) -> Clock:
    """The bound that was said, inside the part of the day that came behind it."""
    low, high = max(clock.since or 0, since), min(clock.until or DAY, until)
    return replace(clock, since=low, until=high) if low < high else clock


def _without(clock: Clock, hours: Hours) -> Clock:
    """ "de manhã não posso" leaves the afternoon and evening; "menos depois das 17h" ends the hours there."""
    if hours.part is Part.MORNING:
        return _since(clock, Part.AFTERNOON.value[0])
    if hours.part is Part.NIGHT:
        return _until(clock, Part.NIGHT.value[0])
    if hours.until is not None:
        since, until = _range(hours, hours.until, None)
        if since is not None and until is not None and (since <= _DAY_BEGINS or until >= _DAY_ENDS):
            return _since(clock, until) if since <= _DAY_BEGINS else _until(clock, since)
        if since is None or until is None or len(clock.busy) >= _MOST_OTHERS:
            return clock
        return replace(clock, busy=(*clock.busy, (since, until)))
    if hours.hour is not None and hours.edge in (Edge.FROM, Edge.AFTER):
        return _until(clock, _minutes(hours, hours.part))
    if hours.hour is not None and hours.edge in (Edge.UNTIL, Edge.BEFORE):
        return _since(clock, _minutes(hours, hours.part))
    return clock


def _since(clock: Clock, minutes: int) -> Clock:
    """The hours from there on; an end that lies before is forgotten."""
    return replace(clock, since=minutes, until=clock.until if (clock.until or 0) > minutes else None)


def _until(clock: Clock, minutes: int) -> Clock:
    """The hours up to there; a beginning that lies behind is forgotten."""
    return replace(clock, until=minutes, since=clock.since if (clock.since or DAY) < minutes else None)


def _joined(clock: Clock, hours: Hours, part: Part | None, now: datetime, *, listed: bool) -> Clock:
    if hours.impossible or (hours.until is not None and hours.until.impossible):
        return replace(clock, impossible=True, at=None)
    if hours.slot is not None:
        return replace(clock, slot=hours.slot)
    if hours.delay is not None:
        return _delayed(clock, hours, now)
    if hours.window is not None:
        since, until = hours.window
        if clock.at is not None and (since or 0) <= clock.at < (until or DAY):
            return clock
        return replace(clock, since=since, until=until, at=None)
    if hours.until is not None:
        since, until = _range(hours, hours.until, part)
        return replace(clock, since=since, until=until, at=None, impossible=since is None)
    return _exact(clock, hours, part, listed=listed)


def _delayed(clock: Clock, hours: Hours, now: datetime) -> Clock:
    moment = now + timedelta(minutes=hours.delay or 0)
    minutes = moment.hour * 60 + moment.minute
    if hours.edge is Edge.FROM:
        return replace(clock, moment=moment, since=minutes)
    return replace(clock, moment=moment, at=minutes)


def _exact(clock: Clock, hours: Hours, part: Part | None, *, listed: bool) -> Clock:
    if hours.part is Part.AFTERNOON and not hours.literal and _minutes(hours, hours.part) > _LATEST_AFTERNOON:
        since, until = hours.part.value
        return replace(clock, at=None, since=since, until=until)
    minutes = _minutes(hours, hours.part or (None if _is_of_night(hours, part) else part))
    if hours.edge in (Edge.FROM, Edge.AFTER):
        return replace(_since(clock, minutes), at=None)
    if hours.edge in (Edge.UNTIL, Edge.BEFORE):
        return replace(_until(clock, minutes or _LAST_MINUTE), at=None)
    movable = not hours.literal and hours.part is None and part is None and 0 < (hours.hour or 0) < 12
    doubtful = hours.bare and hours.part is None and part is None and (hours.hour or 0) < 12
    if listed and clock.at is not None:
        others = clock.others or (clock.at,)
        others = (*others, minutes) if len(others) < _MOST_OTHERS else others
        return replace(clock, others=others, impossible=False)
    return replace(
        clock, at=minutes, since=None, until=None, doubtful=doubtful, movable=movable, others=(), impossible=False
    )


def _is_of_night(hours: Hours, part: Part | None) -> bool:
    """Whether the hour would be one of the night in a morning that was spoken of elsewhere."""
    return part is Part.MORNING and hours.part is None and 0 < (hours.hour or 0) < _EARLIEST_MORNING


def _minutes(hours: Hours, part: Part | None) -> int:
    """Minutes after midnight: with a part of the day as it says; without, 1 to 6 are the afternoon of a clinic."""
    hour = hours.hour or 0
    if hours.literal or hour == 0 or hour > 12:
        return hour * 60 + hours.minute
    if part is Part.AFTERNOON:
        hour = hour % 12 + 12
    elif part is Part.NIGHT:
        hour = hour % 12 + 12 if 5 <= hour < 12 else hour % 12
    elif part is Part.DAWN:
        hour %= 12
    elif part is None and hour <= 6:
        hour += 12
    return hour * 60 + hours.minute


def _range(first: Hours, last: Hours, part: Part | None) -> tuple[int | None, int | None]:
    shared = first.part or last.part or part
    until = _minutes(last, last.part or part or first.part)
    since = _minutes(first, shared)
    if since >= until and first.part is None:
        since = _minutes(first, None)
        late = until + 12 * 60
        if since >= until and last.part is None and not last.literal and (first.hour or 0) <= 5 and since < late < DAY:
            return since, late
        since = first.hour * 60 + first.minute if since >= until and first.hour is not None else since
    if since >= until and last.part is None and until < 12 * 60 + 60:
        until += 12 * 60
    if until == 0:
        until = _LAST_MINUTE
    return (since, until) if since < until else (None, None)


def as_time(minutes: int | None) -> time | None:
    """The wall-clock time; the end of the day is 23:59."""
    if minutes is None:
        return None
    minutes = min(minutes, _LAST_MINUTE)
    return time(minutes // 60, minutes % 60)
