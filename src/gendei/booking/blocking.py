"""What staff blocked, as the rules of availability know it: a professional who is away, a clinic that is closed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta

from gendei.booking.agenda import Block
from gendei.booking.wallclock import Interval, at_minute, epoch_minute
from gendei.clinic import Clinic, Professional, TimeOff

_DAY = timedelta(days=1)


def obeying(
    clinic: Clinic, professionals: Sequence[Professional], blocks: Mapping[str, Iterable[Block]]
) -> tuple[Clinic, tuple[Professional, ...]]:
    """The clinic and its professionals with their blocks: each is time off, and a local day that is blocked whole for
    the whole clinic is a closed day. Buffers do not reach into blocks, as they do not reach into time off."""
    everybody = {block for several in blocks.values() for block in several if block.everybody}
    closed = frozenset(day for block in everybody for day in whole_days(clinic, (block.start, block.end)))
    away = tuple(_away(clinic, one, blocks.get(one.id, ())) for one in professionals)
    return (replace(clinic, closed=clinic.closed | closed) if closed else clinic), away


def whole_days(clinic: Clinic, interval: Interval) -> list[date]:
    """The local days that [start, end) covers from midnight to midnight."""
    day, last = (at_minute(minute, clinic.timezone).date() for minute in interval)
    found = []
    while day <= last:
        begin, end = day_interval(clinic, day)
        if interval[0] <= begin and end <= interval[1]:
            found.append(day)
        day += _DAY
    return found


def day_interval(clinic: Clinic, first: date, last: date | None = None) -> Interval:
    """The local days `first` to `last` (the same where None) in epoch minutes."""
    midnights = (datetime.combine(day, time.min, clinic.timezone) for day in (first, (last or first) + _DAY))
    begin, end = map(epoch_minute, midnights)
    return begin, end


def _away(clinic: Clinic, professional: Professional, blocks: Iterable[Block]) -> Professional:
    added = tuple(TimeOff(at_minute(one.start, clinic.timezone), at_minute(one.end, clinic.timezone)) for one in blocks)
    return replace(professional, time_off=professional.time_off + added) if added else professional
