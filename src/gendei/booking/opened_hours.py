"""The time that an import of a clinic opens: what its professionals work now and did not work before."""

from collections.abc import Callable, Iterable
from datetime import date, datetime, timedelta

from gendei.booking.events import AgendaEvent, Doer, DoerKind, EventKind, Place, Stream, Tell
from gendei.booking.wallclock import (
    Interval,
    at_minute,
    epoch_minute,
    epoch_minute_after,
    intervals,
    spans,
    wall_midnight,
)
from gendei.clinic import Clinic, Professional
from gendei.clock import Clock
from gendei.documents import Transaction


def telling_imports(tell: Tell, clock: Clock) -> Callable[[Transaction, Clinic, Clinic, int], None]:
    """For a Directory: gives `tell` what each import opens."""

    def imported(transaction: Transaction, before: Clinic, after: Clinic, revision: int) -> None:
        tell(transaction, hours_extended(before, after, revision, clock()))

    return imported


def hours_extended(before: Clinic, after: Clinic, revision: int, now: datetime) -> list[AgendaEvent]:
    """One TIME_FREED for each professional who works within the horizon at some time that was not worked before: new
    hours, or a day off or closed that is so no more. Its place is from the first such moment to the last. `revision`:
    of the clinic, after it. Other rules (lead time, buffer, horizon, services) are not compared."""
    local = after.local(now)
    first, last = local.date(), local.date() + timedelta(days=after.booking.horizon_days)
    events = []
    for professional in after.professionals:
        known = before.professional(professional.id)
        worked = _worked(before, known, first, last) if known else []
        opened = _without(_worked(after, professional, first, last), [(0, epoch_minute_after(now)), *worked])
        if opened:
            start, end = (at_minute(minute, after.timezone) for minute in (opened[0][0], opened[-1][1]))
            stream = Stream(after.id, f"hours:{professional.id}")
            place, doer = Place(professional.id, start, end), Doer(DoerKind.OPERATOR)
            events.append(AgendaEvent(EventKind.TIME_FREED, stream, revision, local, doer, place))
    return events


def _worked(clinic: Clinic, professional: Professional, first: date, last: date) -> list[Interval]:
    """In order. Blocks are not the import's."""
    hours, periods = clinic.hours_of(professional), spans(clinic.timezone, first, last)
    days = (first + timedelta(days=number) for number in range((last - first).days + 1))
    opened = [
        interval
        for day in days
        if day not in clinic.closed
        for part in hours.get(day.weekday(), ())
        for interval in intervals(periods, wall_midnight(day) + part.start, wall_midnight(day) + part.end)
    ]
    away = ((epoch_minute(absence.start), epoch_minute_after(absence.end)) for absence in professional.time_off)
    return _without(opened, away)


def _without(whole: list[Interval], cuts: Iterable[Interval]) -> list[Interval]:
    """`whole` without what any of `cuts` covers."""
    for begin, finish in cuts:
        whole = [
            part
            for start, end in whole
            for part in ((start, min(end, begin)), (max(start, finish), end))
            if part[0] < part[1]
        ]
    return whole
