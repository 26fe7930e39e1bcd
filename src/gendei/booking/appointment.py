"""An appointment, its states and the moves between them; reading gendei_clinics/{clinicId}/appointments/{id}. Only the
desk writes them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from hashlib import sha256
from typing import Annotated

from gendei.booking.slots import BookingRefused, Refusal
from gendei.booking.wallclock import Interval, epoch_minute
from gendei.clinic import Clinic, ClinicId, Contact
from gendei.clock import Clock, instant, require_aware
from gendei.documents import Documents, Operator, Query, Snapshot, document_id
from gendei.errors import GendeiError, NotFound
from gendei.records import ABSENT_WHEN_EMPTY, ABSENT_WHEN_NONE, Local, Record


class AppointmentStatus(StrEnum):
    PENDING = "pending"
    AWAITING_CONFIRMATION = "awaiting_confirmation"
    CONFIRMED = "confirmed"
    CONFIRMED_PRESENCE = "confirmed_presence"
    COMPLETED = "completed"
    CANCELLED = "cancelled"
    NO_SHOW = "no_show"

    @property
    def live(self) -> bool:
        """Still to come: it can be moved, and it is what a patient means by "my appointment"."""
        return bool(LEGAL_MOVES[self])

    @property
    def takes_time(self) -> bool:
        """Whether the professional's time is taken. Only cancelling and not showing up give it back."""
        return self not in {AppointmentStatus.CANCELLED, AppointmentStatus.NO_SHOW}


class Attendance(StrEnum):
    """Where who comes is on the day, beside the status: COMPLETED says that they were seen to."""

    EXPECTED = "expected"
    ARRIVED = "arrived"
    IN_ROOM = "in_room"


BY_PATIENT, BY_STAFF, BY_DEPOSIT = "patient", "staff", "deposit"
"""Who made a StatusChange: a patient through the bot, staff where no name is given, or what became of a deposit."""
_S = AppointmentStatus
LEGAL_MOVES = {
    _S.PENDING: {_S.AWAITING_CONFIRMATION, _S.CONFIRMED, _S.CANCELLED},
    _S.AWAITING_CONFIRMATION: {_S.CONFIRMED, _S.CANCELLED, _S.NO_SHOW},
    _S.CONFIRMED: {_S.CONFIRMED_PRESENCE, _S.CANCELLED, _S.NO_SHOW},
    _S.CONFIRMED_PRESENCE: {_S.COMPLETED, _S.NO_SHOW},
    _S.COMPLETED: set[AppointmentStatus](),
    _S.CANCELLED: set[AppointmentStatus](),
    _S.NO_SHOW: set[AppointmentStatus](),
}
"""Status to what it may become; the three last ones are final."""
CORRECTIONS = {marked: {_S.CONFIRMED} for marked in (_S.CONFIRMED_PRESENCE, _S.COMPLETED, _S.NO_SHOW)}
"""What staff marked by mistake, back to what it was. Nobody else makes these; what was cancelled is booked anew, since
the patient may have been told."""


class IllegalMove(BookingRefused):
    """The appointment's status does not allow the change. Nothing was changed."""

    def __init__(self, before: AppointmentStatus, after: AppointmentStatus) -> None:
        self.before, self.after = before, after
        super().__init__(Refusal.ILLEGAL_MOVE)


@dataclass(frozen=True, slots=True)
class StatusChange:
    """One line of the history. `by`: "patient", "staff", "deposit" or a staff member's name. `moved_from`: where it
    began before, of a line that is a move; `attendance`: of a line that sets it. The status then is the one that
    stayed."""

    status: AppointmentStatus
    at: Local
    by: str
    moved_from: Local | None = None
    attendance: Annotated[Attendance | None, ABSENT_WHEN_NONE] = None


@dataclass(frozen=True, slots=True)
class LateWord:
    """The patient said `at` that they would be late, by about so many minutes where they said so."""

    at: Local
    minutes: int | None = None


@dataclass(frozen=True, slots=True)
class Appointment:
    """One visit of one patient. Times are aware, in the clinic's zone; money is integer centavos, `price_cents` None
    means "sob consulta". `contact` booked it, `patient_name` is who comes. `channel`: where the booking came from.
    `note`: of staff. `override`: staff put it where the agenda had no room for it. `arrived_at`, `in_room_at`: since
    when who comes is there, and with the professional. `late`: what the patient said last of being late for it.
    `plan`: the health plan by which they come, PRIVATE, or "" where nobody said; `covered`: it pays all.
    `charge_id`: the charge of its deposit, without which it is PENDING; "" where none is asked by a code.
    """

    id: str
    clinic_id: ClinicId
    service_id: str
    service_name: str
    professional_id: str
    professional_name: str
    patient_id: str
    patient_name: str
    contact: Contact
    patient_phone: str | None
    start: Local
    end: Local
    status: AppointmentStatus
    price_cents: int | None
    deposit_cents: int
    created_at: Local
    updated_at: Local
    channel: str
    cancel_reason: str = ""
    history: tuple[StatusChange, ...] = ()
    note: Annotated[str, ABSENT_WHEN_EMPTY] = ""
    override: Annotated[bool, ABSENT_WHEN_EMPTY] = False
    arrived_at: Annotated[Local | None, ABSENT_WHEN_NONE] = None
    in_room_at: Annotated[Local | None, ABSENT_WHEN_NONE] = None
    late: Annotated[LateWord | None, ABSENT_WHEN_NONE] = None
    plan: Annotated[str, ABSENT_WHEN_EMPTY] = ""
    covered: Annotated[bool, ABSENT_WHEN_EMPTY] = False
    charge_id: Annotated[str, ABSENT_WHEN_EMPTY] = ""

    def __post_init__(self) -> None:
        if instant(require_aware(self.start)) >= instant(require_aware(self.end)):
            raise ValueError("an appointment must begin before it ends")

    @property
    def awaits_deposit(self) -> bool:
        """Whether its time is taken, and it is confirmed once the deposit is paid."""
        return self.status is _S.PENDING and bool(self.charge_id)

    @property
    def interval(self) -> Interval:
        """[start, end) in epoch minutes, as the agenda holds it."""
        return epoch_minute(self.start), epoch_minute(self.end)

    @property
    def minutes(self) -> int:
        """How long it takes."""
        return self.interval[1] - self.interval[0]

    @property
    def attendance(self) -> Attendance:
        if self.in_room_at is not None:
            return Attendance.IN_ROOM
        return Attendance.EXPECTED if self.arrived_at is None else Attendance.ARRIVED

    @property
    def version(self) -> str:
        """Another one after every change: what a page says that it saw."""
        changed = self.updated_at.timestamp(), len(self.history), self.note
        state = (self.professional_id, self.interval, self.status.value, *changed, *filter(None, [self.plan]))
        return sha256(repr(state).encode()).hexdigest()[:16]

    def with_status(
        self, status: AppointmentStatus, at: datetime, by: str, cancel_reason: str = "", *, correcting: bool = False
    ) -> "Appointment":
        """The appointment after a legal move, or with `correcting` one of CORRECTIONS; raises IllegalMove for any
        other."""
        corrections = CORRECTIONS.get(self.status, set()) if correcting else set()
        if status not in LEGAL_MOVES[self.status] | corrections:
            raise IllegalMove(self.status, status)
        missed = status is _S.NO_SHOW
        return replace(
            self,
            status=status,
            updated_at=at,
            cancel_reason=cancel_reason or self.cancel_reason,
            history=(*self.history, StatusChange(status, at, by)),
            arrived_at=None if missed else self.arrived_at,
            in_room_at=None if missed else self.in_room_at,
        )

    def with_attendance(self, attendance: Attendance, at: datetime, by: str) -> "Appointment":
        """The appointment with who comes there, with the professional, or not there yet. Raises IllegalMove where it is
        not live, and BookingRefused(NOT_YET) before its day (of `at`, in the clinic's zone)."""
        if not self.status.live:
            raise IllegalMove(self.status, self.status)
        if at.date() < self.start.date():
            raise BookingRefused(Refusal.NOT_YET)
        there, in_room = attendance is not Attendance.EXPECTED, attendance is Attendance.IN_ROOM
        return replace(
            self,
            updated_at=at,
            arrived_at=(self.arrived_at or at) if there else None,
            in_room_at=(self.in_room_at or at) if in_room else None,
            history=(*self.history, StatusChange(self.status, at, by, attendance=attendance)),
        )

    def completed(self, at: datetime, by: str) -> "Appointment":
        """Done. Of who has arrived the presence is certain, so that the history tells both. Raises IllegalMove."""
        through = self.status is _S.CONFIRMED and _S.COMPLETED in self.next_statuses(at)
        ready = self.with_status(_S.CONFIRMED_PRESENCE, at, by) if through else self
        return ready.with_status(_S.COMPLETED, at, by)

    def next_statuses(self, now: datetime) -> set[AppointmentStatus]:
        """What it may become by `cancelled`, `completed` and `with_status`, without corrections."""
        surely_there = self.status is _S.CONFIRMED and self.attendance is not Attendance.EXPECTED
        more = {_S.CANCELLED} if self.may_be_cancelled(now) else set[AppointmentStatus]()
        return LEGAL_MOVES[self.status] | more | ({_S.COMPLETED} if surely_there else set[AppointmentStatus]())

    def may_be_cancelled(self, now: datetime) -> bool:
        """Also where they said that they come: until it begins, who meant to come may be prevented."""
        return _S.CANCELLED in LEGAL_MOVES[self.status] or (
            self.status is _S.CONFIRMED_PRESENCE and instant(now) < instant(self.start)
        )

    def cancelled(self, at: datetime, by: str, reason: str) -> "Appointment":
        """A confirmed presence is taken back first, so that the history tells both. Raises IllegalMove."""
        taken_back = self.status is _S.CONFIRMED_PRESENCE and self.may_be_cancelled(at)
        ready = self.with_status(_S.CONFIRMED, at, by, correcting=True) if taken_back else self
        return ready.with_status(_S.CANCELLED, at, by, reason)


APPOINTMENT = Record(Appointment, "gendei_clinics/{clinicId}/appointments/{id}")


class ChangedSince(GendeiError):
    """Somebody changed the appointment after it was looked at. Nothing was changed; `present` is how it stands."""

    def __init__(self, present: Appointment) -> None:
        self.present = present
        super().__init__("the appointment changed since it was looked at")


_ID = re.compile("[0-9a-f]{12}")
Conditions = tuple[tuple[str, Operator, object], ...]


def appointment_path(clinic: Clinic, appointment_id: str) -> str:
    """Raises NotFound for what cannot be an id: ids come back from models and from taps."""
    if not _ID.fullmatch(appointment_id):
        raise NotFound
    return f"{_collection(clinic)}/{appointment_id}"


def owned(clinic: Clinic, contact: Contact | None, snapshot: Snapshot) -> Appointment:
    """The appointment of a snapshot. Raises NotFound when there is none, or it is not the contact's (None: staff)."""
    appointment = APPOINTMENT.found(snapshot, zone=clinic.timezone)
    if appointment is None or contact not in {None, appointment.contact}:
        raise NotFound
    return appointment


class Appointments:
    """The reading half of the repository; every call is about one clinic."""

    def __init__(self, documents: Documents, clock: Clock) -> None:
        self._documents, self._clock = documents, clock

    async def get(self, clinic: Clinic, contact: Contact | None, appointment_id: str) -> Appointment:
        """One appointment of the contact, or of anybody for staff (None). Raises NotFound."""
        return owned(clinic, contact, await self._documents.get(appointment_path(clinic, appointment_id)))

    async def standing(
        self, clinic: Clinic, contact: Contact, there: Iterable[str], service_id: str, whose: str | None
    ) -> Appointment | None:
        """What the contact has booked already of what is asked again; `there`: the ids of what stands at that start,
        whose: for this patient alone. Read outside of the booking's transaction, which then writes nothing: it is the
        page, which names the appointment, that the decision rests on."""
        for appointment_id in there:
            found = await self.get(clinic, None, appointment_id)
            same = found.contact == contact and found.service_id == service_id and found.status.live
            if same and whose in {None, found.patient_id}:
                return found
        return None

    async def of_contact(self, clinic: Clinic, contact: Contact, *, upcoming_only: bool = True) -> list[Appointment]:
        """What this contact booked, by start, then professional; `upcoming_only`: live and not begun yet."""
        mine: Conditions = (("contact", "==", contact),)
        if not upcoming_only:
            return await self._query(clinic, mine)
        coming = await self._query(clinic, (*mine, ("start", ">", self._clock())))
        return [appointment for appointment in coming if appointment.status.live]

    async def between(self, clinic: Clinic, first: date, last: date) -> list[Appointment]:
        """Everybody's appointments that begin on the local days `first` to `last`, whatever their status, by start."""
        begin, end = (datetime.combine(day, time.min, clinic.timezone) for day in (first, last + timedelta(days=1)))
        return await self._query(clinic, (("start", ">=", begin), ("start", "<", end)))

    async def page(
        self, clinic: Clinic, days: tuple[date, date], limit: int, after: tuple[datetime, str] | None = None
    ) -> list[Appointment]:
        """At most `limit` of those that begin on the local days from the first to the last of `days`, by start, then
        id. after: start (aware) and id of the last one seen."""
        first, last = days
        begin, end = (datetime.combine(day, time.min, clinic.timezone) for day in (first, last + timedelta(days=1)))
        where: Conditions = (("start", ">=", begin), ("start", "<", end))
        query = Query(_collection(clinic), where=where, order_by=(("start", False),), limit=limit)
        if after is not None:
            query = query.after(Snapshot(appointment_path(clinic, after[1]), {"start": after[0]}))
        found = await self._documents.query(query)
        return [APPOINTMENT.read(snapshot.data, zone=clinic.timezone) for snapshot in found]

    async def _query(self, clinic: Clinic, where: Conditions) -> list[Appointment]:
        query = Query(_collection(clinic), where=where, order_by=(("start", False),))
        found = await self._documents.query(query)
        appointments = [APPOINTMENT.read(snapshot.data, zone=clinic.timezone) for snapshot in found]
        return sorted(appointments, key=lambda appointment: (instant(appointment.start), appointment.professional_name))


def _collection(clinic: Clinic) -> str:
    return f"gendei_clinics/{document_id(clinic.id)}/appointments"
