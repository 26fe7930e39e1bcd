"""The agenda as a page shows it: days and professionals, with all that stands in them."""

from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple

from gendei.booking.agenda import day_interval
from gendei.booking.appointment import Appointment
from gendei.booking.time_blocks import TimeBlock
from gendei.booking.wallclock import at_minute, intervals, spans, wall_midnight
from gendei.clinic import Clinic, ClinicId, Professional, TimeOff
from gendei.documents import Documents, Query, document_id
from gendei.staff.actors import Actor, Right
from gendei.staff.shared_watches import Feeds, merged

Hours = tuple[tuple[datetime, datetime], ...]
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class ColumnDay:
    """One local day of one professional; everything by start. `hours`: when they attend, [start, end), empty on a
    closed day; `appointments`: those that begin that day, of every status; `blocks`, `time_off`: those that touch it,
    the whole clinic's included."""

    day: date
    hours: Hours
    appointments: tuple[Appointment, ...]
    blocks: tuple[TimeBlock, ...]
    time_off: tuple[TimeOff, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """A professional with a ColumnDay for each day of the view. `active` False: of the clinic no more, and shown for
    what still stands."""

    professional_id: str
    name: str
    active: bool
    days: tuple[ColumnDay, ...]


@dataclass(frozen=True, slots=True)
class AgendaView:
    """The local days `first` to `last` of a clinic, at `now`. `closed`: the days on which it does not open at all, with
    the reason. Times are aware, in the clinic's zone."""

    clinic: Clinic
    first: date
    last: date
    now: datetime
    closed: Mapping[date, str]
    columns: tuple[Column, ...]


def agenda_view(
    clinic: Clinic,
    days: tuple[date, date],
    appointments: Iterable[Appointment],
    blocks: Iterable[TimeBlock],
    *,
    professional_id: str | None,
    now: datetime,
    closed_text: str,
) -> AgendaView:
    """Everything in its place. `professional_id`: only that one; None: everybody."""
    shown, blocked = list(appointments), list(blocks)
    first, last = days
    all_days = [first + _DAY * number for number in range((last - first).days + 1)]
    closed = {day: closed_text for day in all_days if day in clinic.closed}
    closed |= {day: block.reason or closed_text for block in blocked for day in block.days if first <= day <= last}
    columns = [
        Column(who.id, who.name, active, tuple(_day(clinic, who, day, shown, blocked, closed) for day in all_days))
        for who, active in _everybody(clinic, shown)
        if professional_id in {None, who.id}
    ]
    return AgendaView(clinic, first, last, now, closed, tuple(columns))


def _everybody(clinic: Clinic, appointments: list[Appointment]) -> list[tuple[Professional, bool]]:
    """The clinic's professionals, then those that only have appointments left."""
    known = {professional.id for professional in clinic.professionals}
    gone = {
        appointment.professional_id: appointment.professional_name
        for appointment in appointments
        if appointment.professional_id not in known
    }
    former = [(Professional(key, name, (), hours={}), False) for key, name in sorted(gone.items())]
    return [*((professional, True) for professional in clinic.professionals), *former]


def _day(
    clinic: Clinic,
    who: Professional,
    day: date,
    appointments: list[Appointment],
    blocks: list[TimeBlock],
    closed: Mapping[date, str],
) -> ColumnDay:
    begin, end = (datetime.fromtimestamp(minute * 60, UTC) for minute in day_interval(clinic, day))
    return ColumnDay(
        day=day,
        hours=() if day in closed else _hours(clinic, who, day),
        appointments=tuple(
            appointment
            for appointment in appointments
            if appointment.professional_id == who.id and begin <= appointment.start < end
        ),
        blocks=tuple(
            block
            for block in blocks
            if block.professional_id in {None, who.id} and block.start < end and begin < block.end
        ),
        time_off=tuple(absence for absence in who.time_off if absence.start < end and begin < absence.end),
    )


def _hours(clinic: Clinic, who: Professional, day: date) -> Hours:
    periods, midnight = spans(clinic.timezone, day, day), wall_midnight(day)
    return tuple(
        (at_minute(start, clinic.timezone), at_minute(end, clinic.timezone))
        for part in clinic.hours_of(who).get(day.weekday(), ())
        for start, end in intervals(periods, midnight + part.start, midnight + part.end)
    )


class _Stretch(NamedTuple):
    clinic_id: ClinicId
    first: date
    days: int


class AgendaLive:
    """To be closed at the end."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._stretches: Feeds[_Stretch, int] = Feeds(self._changes)

    @asynccontextmanager
    async def follow(self, actor: Actor, first: date, days: int) -> AsyncIterator[AsyncIterator[int]]:
        """A number that rises with each change of the clinic's appointments and blocks on the local days from `first`
        on, whoever made it: read the view again. Raises Forbidden; reading raises StoreError once the store cannot be
        watched any more: follow anew."""
        actor.require(Right.READ)
        async with self._stretches.follow(_Stretch(actor.clinic_id, first, days)) as changes:
            yield changes

    async def close(self) -> None:
        """End every watch."""
        await self._stretches.close()

    async def _changes(self, stretch: _Stretch) -> AsyncIterator[int]:
        begin = datetime.combine(stretch.first, time.min, UTC) - timedelta(days=1)  # a day more than any zone needs
        end = begin + timedelta(days=stretch.days + 2)
        clinic = f"gendei_clinics/{document_id(stretch.clinic_id)}"
        queries = (
            Query(
                f"{clinic}/appointments",
                where=(("start", ">=", begin), ("start", "<", end)),
                order_by=(("start", False),),
            ),
            Query(f"{clinic}/blocks", where=(("end", ">", begin),), order_by=(("end", False),)),
        )
        count = 0
        async for _ in merged(self._documents, queries):
            count += 1
            yield count
