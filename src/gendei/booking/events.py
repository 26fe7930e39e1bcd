"""Events of the agenda: what happened to appointments and to free time, for whoever follows it.

The desk, the blocks and the import of a clinic put them into the commit that makes them true; followers get them at
least once, in order for each stream (see gendei.conversation.work.following). They name people by ids and hold no
words.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from typing import Protocol

from gendei.booking.appointment import CORRECTIONS, Appointment, AppointmentStatus
from gendei.booking.wallclock import (
    Interval,
    at_minute,
    epoch_minute,
    epoch_minute_after,
    intervals,
    spans,
    wall_midnight,
)
from gendei.clinic import Clinic, ClinicId, Contact, Professional
from gendei.clock import Clock
from gendei.documents import Transaction
from gendei.records import Moment


class EventKind(StrEnum):
    """PRESENCE_CONFIRMED: the patient will come. MISSED: the patient did not come. TAKEN_BACK: staff corrected one of
    the last three by mistake, and the appointment is confirmed again. STATUS_SET: any other move of the status.
    ATTENDANCE: who comes is there, with the professional, or not there after all.
    DEPOSIT: something became of the charge that the stream names, told apart from what it did to the appointment.
    TIME_FREED: time ahead of us may be bookable that was not; look it up, something else may stand there too."""

    BOOKED = "booked"
    MOVED = "moved"
    CANCELLED = "cancelled"
    PRESENCE_CONFIRMED = "presence_confirmed"
    MISSED = "missed"
    COMPLETED = "completed"
    TAKEN_BACK = "taken_back"
    STATUS_SET = "status_set"
    ATTENDANCE = "attendance"
    DEPOSIT = "deposit"
    TIME_FREED = "time_freed"


_BY_STATUS = {
    AppointmentStatus.CONFIRMED_PRESENCE: EventKind.PRESENCE_CONFIRMED,
    AppointmentStatus.COMPLETED: EventKind.COMPLETED,
    AppointmentStatus.CANCELLED: EventKind.CANCELLED,
    AppointmentStatus.NO_SHOW: EventKind.MISSED,
}


class DoerKind(StrEnum):
    """PATIENT: through the bot. STAFF: a member of staff or a program with a token. OPERATOR: an import.
    MONEY: what became of a deposit."""

    PATIENT = "patient"
    STAFF = "staff"
    OPERATOR = "operator"
    MONEY = "money"


@dataclass(frozen=True, slots=True)
class Doer:
    """Who made it happen. `user_id`: as in the audit, of a user or of a token ("token:..."); "" where there is none."""

    kind: DoerKind
    user_id: str = ""


@dataclass(frozen=True, slots=True)
class AgendaPlace:
    """[start, end), aware, of a professional; None: of the whole clinic."""

    professional_id: str | None
    start: Moment
    end: Moment


@dataclass(frozen=True, slots=True)
class Stream:
    """What events are in order for: one appointment, one block, or one professional's working hours."""

    clinic_id: ClinicId
    subject: str

    @property
    def text(self) -> str:
        return f"{self.clinic_id}/{self.subject}"


@dataclass(frozen=True, slots=True)
class AgendaEvent:
    """`seq` rises within the stream, with gaps. `place`: where the appointment stands now, or the time that was freed.
    `before`: where it stood, of a move. Of an appointment's event all ids are given, of other events none.
    `notify`: the patient shall be told by the clinic."""

    kind: EventKind
    stream: Stream
    seq: int
    at: datetime
    doer: Doer
    place: AgendaPlace
    before: AgendaPlace | None = None
    appointment_id: str | None = None
    service_id: str | None = None
    contact: Contact | None = None
    patient_id: str | None = None
    notify: bool = False

    @property
    def id(self) -> str:
        """The same for the same change, however often it is written, and spread evenly over the store's keys."""
        return event_id(self.stream, self.seq)

    @property
    def clinic_id(self) -> ClinicId:
        return self.stream.clinic_id


def event_id(stream: Stream, seq: int) -> str:
    return sha256(f"{stream.text}#{seq}".encode()).hexdigest()[:24]


Tell = Callable[[Transaction, Sequence[AgendaEvent]], None]
"""Puts events into the commit of a transaction, behind what they tell of: where another writer was first, it is that
which says so, and the transaction is tried again."""


def nobody_follows(_transaction: Transaction, _events: Sequence[AgendaEvent]) -> None:
    """The Tell of a desk whose events nobody wants."""


class Follower(Protocol):
    """What follows events; `app.py` registers each with one line."""

    @property
    def name(self) -> str:
        """Names it in the store: never change it."""
        ...

    @property
    def delay(self) -> timedelta:
        """How long after an event it is given to this follower; zero for most."""
        ...

    def wants(self, event: AgendaEvent) -> bool:
        """Whether it follows this event. An event that nobody wants is not written."""
        ...

    async def follow(self, event: AgendaEvent) -> None:
        """Do what follows from the event. It may be called again with the same event, also after later ones of its
        stream: what `event.id` stands for must happen once. Whatever it raises is tried again, later and later."""
        ...


def appointment_events(
    before: Appointment | None, after: Appointment, doer: Doer, *, notify: bool = False
) -> list[AgendaEvent]:
    """What the change of an appointment says; `before` None: it was booked."""
    moved = before is not None and _place_of(before) != _place_of(after)
    change = AgendaEvent(
        kind=_kind(before, after, moved=moved),
        stream=Stream(after.clinic_id, after.id),
        seq=_seq(after),
        at=after.updated_at,
        doer=doer,
        place=_place_of(after),
        before=_place_of(before) if before is not None and moved else None,
        appointment_id=after.id,
        service_id=after.service_id,
        contact=after.contact,
        patient_id=after.patient_id,
        notify=notify,
    )
    gave_up_time = before is not None and before.status.takes_time and (moved or not after.status.takes_time)
    if before is None or not gave_up_time:
        return [change]
    freed = replace(
        change, kind=EventKind.TIME_FREED, seq=change.seq + 1, place=_place_of(before), before=None, notify=False
    )
    return [change, *still_ahead(freed)]


def still_ahead(freed: AgendaEvent) -> list[AgendaEvent]:
    """The TIME_FREED event, unless its time is over and can be of use to nobody."""
    return [freed] if freed.place.end > freed.at else []


def last_event_id(appointment: Appointment) -> str:
    """The id of the event of the appointment's last change."""
    return event_id(Stream(appointment.clinic_id, appointment.id), _seq(appointment))


def _seq(appointment: Appointment) -> int:
    """Each change adds to the history; the odd number after it is that of the time that the change freed."""
    return 2 * len(appointment.history)


def _kind(before: Appointment | None, after: Appointment, *, moved: bool) -> EventKind:
    if before is None:
        return EventKind.BOOKED
    if moved:
        return EventKind.MOVED
    if after.history[-1].attendance is not None:
        return EventKind.ATTENDANCE
    if after.status in CORRECTIONS.get(before.status, set()):
        return EventKind.TAKEN_BACK
    return _BY_STATUS.get(after.status, EventKind.STATUS_SET)


def _place_of(appointment: Appointment) -> AgendaPlace:
    return AgendaPlace(appointment.professional_id, appointment.start, appointment.end)


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
            place, doer = AgendaPlace(professional.id, start, end), Doer(DoerKind.OPERATOR)
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
