"""The booking desk: the only writer of the agenda and of appointments.

Every decision is made in one transaction on fresh pages of the agenda, and all that follows from it is in one commit:
a refusal, an error or a crash leaves nothing half done. A call may be repeated after a crash: what was done
already is returned as it stands.
"""

import secrets
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NamedTuple, TypeVar

from gendei.booking import availability, holds
from gendei.booking.agenda import AgendaEdit
from gendei.booking.appointment import Appointment, AppointmentStatus, StatusChange
from gendei.booking.appointments import Appointments, appointment_path, owned
from gendei.booking.finder import SlotFinder, offered
from gendei.booking.holds import Hold
from gendei.booking.patients import clean_name, phone_of, record
from gendei.booking.refusals import ABOUT_THE_TIME, BookingRefused, Refusal
from gendei.booking.slots import Slot
from gendei.booking.wallclock import Interval, at_minute, epoch_minute
from gendei.clinic import Clinic, Contact, Patient, Professional, Service
from gendei.clock import Clock, require_aware
from gendei.documents import Documents, Transaction, transact
from gendei.errors import StoreError

T = TypeVar("T")

PATIENT, STAFF = "patient", "staff"
"""Who acts, where no staff member's name is given."""
MAX_REASON = 500
_AGES = timedelta(days=3650)


@dataclass(frozen=True, slots=True)
class BookingRequest:
    """What to book. start: aware, any zone. patient_phone: as written; None means the contact's own.
    channel: where the wish came from, for the clinic's numbers."""

    service_id: str
    professional_id: str
    start: datetime
    patient_name: str
    patient_phone: str | None = None
    channel: str = "whatsapp"

    def __post_init__(self) -> None:
        require_aware(self.start)


class BookingDesk:
    """Searches, holds, books, moves and cancels in one clinic at a time.

    The searches are SlotFinder's, the lists of appointments are those of Appointments. `contact` is whose
    appointments may be touched: those of others, and those of other clinics, are NotFound. Where it may be None,
    None means that staff act.
    """

    def __init__(self, documents: Documents, clock: Clock) -> None:
        self._documents, self._clock = documents, clock
        self._finder, self._appointments = SlotFinder(documents, clock), Appointments(documents, clock)
        self.search, self.search_days = self._finder.search, self._finder.search_days
        self.next_slots = self._finder.next_slots
        self.appointment, self.appointments_of = self._appointments.get, self._appointments.of_contact
        self.appointments = self._appointments.between

    async def hold(
        self, clinic: Clinic, contact: Contact, service_id: str, professional_id: str, start: datetime
    ) -> Hold:
        """Keep a slot for the contact for the clinic's hold time. A contact has one hold: a new one replaces it.

        Raises BookingRefused, with alternatives.
        """
        asked = _Asked(service_id, professional_id, require_aware(start))

        async def attempt(transaction: Transaction) -> Hold:
            now = clinic.local(self._clock())
            visit = _visit(clinic, asked, now)
            edit = AgendaEdit(transaction, clinic, now)
            await edit.load(professional_id, visit.interval)
            _require_free(clinic, visit, edit.busy(professional_id, contact), now)
            hold = await holds.place(transaction, edit, clinic, contact, visit.slot, now)
            edit.save()
            return hold

        return await self._decide(clinic, contact, asked, attempt)

    async def release(self, clinic: Clinic, contact: Contact) -> None:
        """Let the contact's hold go. Best effort: where the store fails, the hold ends by itself."""

        async def attempt(transaction: Transaction) -> None:
            now = clinic.local(self._clock())
            edit = AgendaEdit(transaction, clinic, now)
            await holds.let_go(transaction, edit, clinic, contact, now)
            edit.save()

        with suppress(StoreError):
            await transact(self._documents, attempt)

    async def book(
        self, clinic: Clinic, contact: Contact, request: BookingRequest, *, by: str = PATIENT
    ) -> Appointment:
        """Book, and return the confirmed appointment as it was committed, together with the patient's record.

        by: PATIENT, or the name of the staff member who books for the contact and may choose a start between the
        slots. The contact's live appointment for the same service, professional and start is returned unchanged.
        Raises BookingRefused, with alternatives where another time would mend it.
        """
        asked = _Asked(request.service_id, request.professional_id, request.start)

        async def attempt(transaction: Transaction) -> Appointment:
            now = clinic.local(self._clock())
            name, phone = clean_name(request.patient_name), phone_of(contact, request.patient_phone)
            visit = _visit(clinic, asked, now)
            edit = AgendaEdit(transaction, clinic, now)
            await edit.load(asked.professional_id, visit.interval)
            if standing := await self._standing(clinic, contact, visit, edit):
                return standing
            _require_free(clinic, visit, edit.busy(asked.professional_id, contact), now, any_minute=by != PATIENT)
            await holds.use_up(self._documents, transaction, edit, clinic, contact, now)
            patient = await record(transaction, clinic.id, contact, name, phone, now)
            appointment = _confirmed(clinic, visit, replace(patient, name=name, phone=phone), request.channel, now, by)
            edit.take(asked.professional_id, appointment.id, visit.interval)
            edit.save()
            transaction.create(appointment_path(clinic, appointment.id), appointment.to_document())
            return appointment

        return await self._decide(clinic, contact, asked, attempt)

    async def move(
        self,
        clinic: Clinic,
        contact: Contact | None,
        appointment_id: str,
        start: datetime,
        professional_id: str | None = None,
    ) -> Appointment:
        """Give a live, future appointment another start (aware), and another professional if one is named; it keeps
        its id and its status, and takes the service's present duration. Already there: returned unchanged.

        Staff may choose a start between the slots, and need no notice. Raises NotFound, or BookingRefused, with
        alternatives where another time would mend it.
        """
        known = await self.appointment(clinic, contact, appointment_id)
        asked = _Asked(known.service_id, professional_id or known.professional_id, require_aware(start))

        async def attempt(transaction: Transaction) -> Appointment:
            now = clinic.local(self._clock())
            before = owned(clinic, contact, await transaction.get(appointment_path(clinic, appointment_id)))
            if not before.status.live:
                raise BookingRefused(Refusal.ILLEGAL_MOVE)
            if (before.professional_id, before.start) == (asked.professional_id, asked.start):
                return before
            _require_notice(clinic, contact, before, now)
            if before.start <= now:
                raise BookingRefused(Refusal.TOO_LATE)
            visit = _visit(clinic, asked, now)
            edit = AgendaEdit(transaction, clinic, now)
            await edit.load(before.professional_id, before.interval)
            await edit.load(asked.professional_id, visit.interval)
            busy = edit.busy(asked.professional_id, before.contact, before.id)
            _require_free(clinic, visit, busy, now, any_minute=contact is None)
            await holds.use_up(self._documents, transaction, edit, clinic, before.contact, now)
            edit.free(before.professional_id, before.id, before.interval)
            edit.take(asked.professional_id, before.id, visit.interval)
            edit.save()
            after = _moved(before, visit, now)
            transaction.put(appointment_path(clinic, after.id), after.to_document())
            return after

        return await self._decide(clinic, known.contact, asked, attempt)

    async def cancel(
        self, clinic: Clinic, contact: Contact | None, appointment_id: str, reason: str = "", *, by: str | None = None
    ) -> Appointment:
        """Cancel and free the time; what is cancelled already is returned unchanged. Patients keep the clinic's
        notice; staff need none. by: the staff member's name. Raises NotFound, IllegalMove, or
        BookingRefused(TOO_LATE)."""
        actor = by or (STAFF if contact is None else PATIENT)
        return await self._change(clinic, contact, appointment_id, AppointmentStatus.CANCELLED, actor, reason)

    async def set_status(
        self, clinic: Clinic, appointment_id: str, status: AppointmentStatus, by: str = STAFF
    ) -> Appointment:
        """For staff: a legal move to `status`; what is there already is returned unchanged. by: the staff member's
        name. Raises NotFound or IllegalMove."""
        return await self._change(clinic, None, appointment_id, status, by)

    async def confirm_presence(self, clinic: Clinic, contact: Contact, appointment_id: str) -> Appointment:
        """The contact says that they will come; said already: returned unchanged. No notice is needed, but it must be
        ahead. Raises NotFound, IllegalMove, or BookingRefused(TOO_LATE)."""

        async def attempt(transaction: Transaction) -> Appointment:
            now = clinic.local(self._clock())
            before = owned(clinic, contact, await transaction.get(appointment_path(clinic, appointment_id)))
            if before.start <= now:
                raise BookingRefused(Refusal.TOO_LATE)
            if before.status is AppointmentStatus.CONFIRMED_PRESENCE:
                return before
            after = before.with_status(AppointmentStatus.CONFIRMED_PRESENCE, now, PATIENT)
            transaction.put(appointment_path(clinic, after.id), after.to_document())
            return after

        return await transact(self._documents, attempt)

    async def _change(
        self,
        clinic: Clinic,
        contact: Contact | None,
        appointment_id: str,
        status: AppointmentStatus,
        by: str,
        reason: str = "",
    ) -> Appointment:
        async def attempt(transaction: Transaction) -> Appointment:
            now = clinic.local(self._clock())
            before = owned(clinic, contact, await transaction.get(appointment_path(clinic, appointment_id)))
            if before.status is status:
                return before
            after = before.with_status(status, now, by, reason[:MAX_REASON])
            _require_notice(clinic, contact, before, now)
            if not after.status.takes_time:
                edit = AgendaEdit(transaction, clinic, now)
                await edit.load(before.professional_id, before.interval)
                edit.free(before.professional_id, before.id, before.interval)
                edit.save()
            transaction.put(appointment_path(clinic, after.id), after.to_document())
            return after

        return await transact(self._documents, attempt)

    async def _standing(
        self, clinic: Clinic, contact: Contact, visit: "_Visit", edit: AgendaEdit
    ) -> Appointment | None:
        """What the contact has booked already of what is asked again. Read outside of the transaction, which then
        writes nothing: it is the page, which names the appointment, that the decision rests on."""
        for appointment_id in edit.starting_at(visit.professional.id, visit.interval[0]):
            one = await self.appointment(clinic, None, appointment_id)
            if one.contact == contact and one.service_id == visit.service.id and one.status.live:
                return one
        return None

    async def _decide(
        self, clinic: Clinic, contact: Contact, asked: "_Asked", attempt: Callable[[Transaction], Awaitable[T]]
    ) -> T:
        """`transact`, with the nearest free slots of the present moment added to a refusal that they could mend."""
        try:
            return await transact(self._documents, attempt)
        except BookingRefused as refused:
            if refused.reason not in ABOUT_THE_TIME:
                raise
            moment = clinic.local(_within_ages(asked.start, self._clock()))
            near = await self._finder.alternatives(clinic, asked.service_id, asked.professional_id, moment, contact)
            raise BookingRefused(refused.reason, near) from None


class _Asked(NamedTuple):
    service_id: str
    professional_id: str
    start: datetime


class _Visit(NamedTuple):
    """What is asked, looked up; `slot` is in the clinic's zone and `interval` is the same in epoch minutes."""

    service: Service
    professional: Professional
    slot: Slot
    interval: Interval


def _visit(clinic: Clinic, asked: _Asked, now: datetime) -> _Visit:
    service, (professional,) = offered(clinic, asked.service_id, asked.professional_id)
    if asked.start != _within_ages(asked.start, now):
        raise BookingRefused(Refusal.PAST if asked.start < now else Refusal.TOO_FAR)
    begin = epoch_minute(asked.start)
    end = begin + service.duration_minutes
    slot = Slot(professional.id, clinic.local(asked.start), at_minute(end, clinic.timezone))
    return _Visit(service, professional, slot, (begin, end))


def _within_ages(moment: datetime, now: datetime) -> datetime:
    """`moment`, or ten years from now where it is so far away that a calendar could end."""
    return min(max(moment, now - _AGES), now + _AGES)


def _require_free(
    clinic: Clinic, visit: _Visit, busy: Sequence[Interval], now: datetime, *, any_minute: bool = False
) -> None:
    reason = availability.refusal(
        clinic, visit.service, visit.professional, busy, visit.slot.start, now, any_minute=any_minute
    )
    if reason is not None:
        raise BookingRefused(reason)


def _require_notice(clinic: Clinic, contact: Contact | None, appointment: Appointment, now: datetime) -> None:
    notice = timedelta(minutes=clinic.booking.cancel_notice_minutes)
    if contact is not None and appointment.start - notice <= now:
        raise BookingRefused(Refusal.TOO_LATE)


def _confirmed(clinic: Clinic, visit: _Visit, patient: Patient, channel: str, now: datetime, by: str) -> Appointment:
    """A new appointment. Its id is random: it tells nobody anything, spreads over the store's key range, and leaves
    a slot that was cancelled free to be booked again by the same contact."""
    return Appointment(
        id=secrets.token_hex(6),
        clinic_id=clinic.id,
        service_id=visit.service.id,
        service_name=visit.service.name,
        professional_id=visit.professional.id,
        professional_name=visit.professional.name,
        patient_id=patient.id,
        patient_name=patient.name,
        contact=patient.contact,
        patient_phone=patient.phone,
        start=visit.slot.start,
        end=visit.slot.end,
        status=AppointmentStatus.PENDING,
        price_cents=visit.service.price_cents,
        deposit_cents=visit.service.deposit_cents,
        created_at=now,
        updated_at=now,
        channel=channel,
        history=(StatusChange(AppointmentStatus.PENDING, now, by),),
    ).with_status(AppointmentStatus.CONFIRMED, now, by)


def _moved(before: Appointment, visit: _Visit, now: datetime) -> Appointment:
    return replace(
        before,
        professional_id=visit.professional.id,
        professional_name=visit.professional.name,
        start=visit.slot.start,
        end=visit.slot.end,
        updated_at=now,
    )
