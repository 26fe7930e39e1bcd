"""An appointment, its states and the moves between them; reading gendei_clinics/{clinicId}/appointments/{id}. Only the
desk writes them."""

import re
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
from gendei.records import ABSENT_WHEN_NONE, Local, Record


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


BY_PATIENT, BY_STAFF = "patient", "staff"
"""Who made a StatusChange: a patient through the bot, or staff where no name is given."""
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
    """One line of the history. `by`: "patient", "staff" or a staff member's name. `moved_from`: where it began before,
    of a line that is a move; the status then is the one that stayed."""

    status: AppointmentStatus
    at: Local
    by: str
    moved_from: Local | None = None


@dataclass(frozen=True, slots=True)
class LateWord:
    """The patient said `at` that they would be late, by about so many minutes where they said so."""

    at: Local
    minutes: int | None = None


@dataclass(frozen=True, slots=True)
class Appointment:
    """One visit of one patient. Times are aware, in the clinic's zone; money is integer centavos, `price_cents` None
    means "sob consulta". `contact` booked it, `patient_name` is who comes. `channel`: where the booking came from.
    `late`: what the patient said last of being late for it.
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
    late: Annotated[LateWord | None, ABSENT_WHEN_NONE] = None

    def __post_init__(self) -> None:
        if instant(require_aware(self.start)) >= instant(require_aware(self.end)):
            raise ValueError("an appointment must begin before it ends")

    @property
    def interval(self) -> Interval:
        """[start, end) in epoch minutes, as the agenda holds it."""
        return epoch_minute(self.start), epoch_minute(self.end)

    @property
    def version(self) -> str:
        """Another one after every change: what a page says that it saw."""
        state = (self.professional_id, self.interval, self.status.value, self.updated_at.timestamp(), len(self.history))
        return sha256(repr(state).encode()).hexdigest()[:16]

    def with_status(
        self, status: AppointmentStatus, at: datetime, by: str, cancel_reason: str = "", *, correcting: bool = False
    ) -> "Appointment":
        """The appointment after a legal move, or with `correcting` one of CORRECTIONS; raises IllegalMove for any
        other."""
        corrections = CORRECTIONS.get(self.status, set()) if correcting else set()
        if status not in LEGAL_MOVES[self.status] | corrections:
            raise IllegalMove(self.status, status)
        return replace(
            self,
            status=status,
            updated_at=at,
            cancel_reason=cancel_reason or self.cancel_reason,
            history=(*self.history, StatusChange(status, at, by)),
        )

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
