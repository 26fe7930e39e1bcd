"""The booking desk: the only writer of the agenda and of appointments.

Every decision is made in one transaction on fresh pages of the agenda, and all that follows from it is in one commit:
a refusal, an error or a crash leaves nothing half done. A call may be repeated after a crash: what was done
already is returned as it stands.
"""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar

from gendei.booking import holds
from gendei.booking.agenda import AgendaEdit
from gendei.booking.appointment import (
    APPOINTMENT,
    Appointment,
    Appointments,
    AppointmentStatus,
    ChangedSince,
    appointment_path,
    owned,
)
from gendei.booking.events import Doer, DoerKind, Tell, appointment_events, nobody_follows
from gendei.booking.finder import SlotFinder
from gendei.booking.holds import PATIENT, Hold, hold_path, require_room
from gendei.booking.patients import clean_name, phone_of, record_patient
from gendei.booking.slots import ABOUT_THE_TIME, BookingRefused, Refusal
from gendei.booking.visits import (
    BookingRequest,
    PlannedVisit,
    VisitRequest,
    confirmed,
    moved,
    planned_visit,
    require_free,
    require_notice,
    require_unused,
    within_ages,
)
from gendei.clinic import Clinic, Contact
from gendei.clock import Clock, instant
from gendei.documents import Documents, Snapshot, Transaction, Write, transact
from gendei.errors import StoreError

T = TypeVar("T")

STAFF = "staff"
"""Who acts, where no staff member's name is given; PATIENT where it is a patient."""
MAX_REASON = 500


@dataclass(frozen=True, slots=True)
class StaffAct:
    """What a member of staff does, beyond what patients may. by: the name. seen: the `version` of the appointment that
    they looked at, None for whatever it is now. beside: more writes of the same commit, made for what it leaves.
    user_id: as in the audit. notify: the patient shall be told of it."""

    by: str
    seen: str | None = None
    beside: Callable[[Appointment], Sequence[Write]] = lambda _appointment: ()
    user_id: str = ""
    notify: bool = False

    def require_seen(self, present: Appointment) -> None:
        """Raise ChangedSince where somebody else was faster."""
        if self.seen not in {None, present.version}:
            raise ChangedSince(present)

    @property
    def doer(self) -> Doer:
        return Doer(DoerKind.PATIENT if self.by == PATIENT else DoerKind.STAFF, self.user_id)

    def put_beside(self, transaction: Transaction, after: Appointment) -> None:
        for write in self.beside(after):
            transaction.create(write.path, write.data or {})


_NOBODY = StaffAct(PATIENT)


class BookingDesk:
    """Searches, holds, books, moves and cancels in one clinic at a time.

    The searches are SlotFinder's, the lists of appointments are those of Appointments. `contact` is whose
    appointments may be touched: those of others, and those of other clinics, are NotFound. Where it may be None,
    None means that staff act. `tell`: gets the events of every change of an appointment.
    """

    def __init__(self, documents: Documents, clock: Clock, tell: Tell = nobody_follows) -> None:
        self._documents, self._clock, self.tell = documents, clock, tell
        self._finder, self._appointments = SlotFinder(documents, clock), Appointments(documents, clock)
        self.search, self.search_days = self._finder.search, self._finder.search_days
        self.next_slots = self._finder.next_slots
        self.appointment, self.appointments_of = self._appointments.get, self._appointments.of_contact
        self.appointments = self._appointments.between

    async def hold(
        self,
        clinic: Clinic,
        contact: Contact,
        service_id: str,
        professional_id: str,
        start: datetime,
        *,
        moving: bool = False,
    ) -> Hold:
        """Keep a slot for the contact for the clinic's hold time. A contact has one hold: a new one replaces it.

        moving: an appointment that stands would go there, and not one more. Raises BookingRefused, with alternatives
        where another time would mend it.
        """
        asked = VisitRequest(service_id, professional_id, start)

        async def attempt(transaction: Transaction) -> Hold:
            now = clinic.local(self._clock())
            visit = planned_visit(clinic, asked, now)
            edit = AgendaEdit(transaction, clinic, now)
            await edit.load(professional_id, visit.interval)
            pointer = await transaction.get(hold_path(clinic, contact))
            if not moving and pointer.data is not None and "booked" in pointer.data:
                await self._require_room(clinic, contact, pointer, now)
            require_free(clinic, visit, edit, contact, now)
            hold = await holds.place(transaction, edit, clinic, contact, visit.slot, pointer, now)
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
        self, clinic: Clinic, contact: Contact, request: BookingRequest, *, act: StaffAct | None = None
    ) -> Appointment:
        """Book, and return the confirmed appointment as it was committed, together with the patient's record.

        act: of the staff member who books for the contact, and may choose a start between the slots and within the
        lead time, and to whom the contact's limit of appointments ahead does not apply. The contact's live appointment
        for the same service, professional and start is returned unchanged. Raises BookingRefused, with alternatives
        where another time would mend it.
        """
        actor = act or _NOBODY

        async def attempt(transaction: Transaction) -> Appointment:
            now = clinic.local(self._clock())
            clean = replace(
                request, patient_name=clean_name(request.patient_name), phone=phone_of(contact, request.phone)
            )
            visit = planned_visit(clinic, request, now)
            edit = AgendaEdit(transaction, clinic, now)
            await edit.load(request.professional_id, visit.interval)
            if standing := await self._standing(clinic, contact, visit, edit):
                return standing
            pointer = None if act else await transaction.get(hold_path(clinic, contact))
            booked = await self._require_room(clinic, contact, pointer, now) if pointer else {}
            require_free(clinic, visit, edit, contact, now, staff=act is not None)
            person = await record_patient(transaction, clinic.id, contact, clean.patient_name, clean.phone, now)
            appointment = confirmed(clinic, visit, clean, contact, person, now, actor.by)
            if pointer:
                booked[appointment.id] = appointment.start
                await holds.turn_into(transaction, edit, contact, pointer, visit.slot, booked, now)
            else:
                await holds.use_up(self._documents, transaction, edit, clinic, contact, now)
            edit.take(request.professional_id, appointment.id, visit.interval)
            edit.save()
            self._record(transaction, clinic, None, appointment, actor)
            return appointment

        return await self._decide(clinic, contact, request, attempt)

    async def move(
        self,
        clinic: Clinic,
        contact: Contact | None,
        appointment_id: str,
        start: datetime,
        professional_id: str | None = None,
        *,
        act: StaffAct | None = None,
    ) -> Appointment:
        """Give a live, future appointment another start (aware), and another professional if one is named; it keeps
        its id and its status (a confirmed presence is confirmed no more), and takes the service's present duration.
        Already there: returned unchanged.

        Staff may choose a start between the slots and within the lead time, and need no notice. Raises NotFound,
        ChangedSince, or BookingRefused, with alternatives where another time would mend it.
        """
        actor = act or _NOBODY
        known = await self.appointment(clinic, contact, appointment_id)
        asked = VisitRequest(known.service_id, professional_id or known.professional_id, start)

        async def attempt(transaction: Transaction) -> Appointment:
            now = clinic.local(self._clock())
            before = owned(clinic, contact, await transaction.get(appointment_path(clinic, appointment_id)))
            if not before.status.live:
                actor.require_seen(before)
                raise BookingRefused(Refusal.ILLEGAL_MOVE)
            if (before.professional_id, instant(before.start)) == (asked.professional_id, instant(asked.start)):
                return before
            actor.require_seen(before)
            require_notice(clinic, contact, before, now)
            if instant(before.start) <= instant(now):
                raise BookingRefused(Refusal.TOO_LATE)
            visit = planned_visit(clinic, asked, now)
            edit = AgendaEdit(transaction, clinic, now)
            await edit.load(before.professional_id, before.interval)
            await edit.load(asked.professional_id, visit.interval)
            require_free(clinic, visit, edit, before.contact, now, moved=before.id, staff=contact is None)
            await holds.use_up(self._documents, transaction, edit, clinic, before.contact, now)
            edit.free(before.professional_id, before.id, before.interval)
            edit.take(asked.professional_id, before.id, visit.interval)
            edit.save()
            after = moved(before, visit, now, actor.by)
            self._record(transaction, clinic, before, after, actor)
            return after

        return await self._decide(clinic, known.contact, asked, attempt)

    async def cancel(
        self,
        clinic: Clinic,
        contact: Contact | None,
        appointment_id: str,
        reason: str = "",
        *,
        act: StaffAct | None = None,
    ) -> Appointment:
        """Cancel and free the time; what is cancelled already is returned unchanged. Patients keep the clinic's
        notice; staff need none. Raises NotFound, ChangedSince, IllegalMove, or BookingRefused(TOO_LATE)."""
        actor = act or StaffAct(STAFF if contact is None else PATIENT)
        return await self._change(clinic, contact, appointment_id, AppointmentStatus.CANCELLED, actor, reason)

    async def set_status(
        self, clinic: Clinic, appointment_id: str, status: AppointmentStatus, act: StaffAct | None = None
    ) -> Appointment:
        """For staff: a legal move to `status`, or back from what was marked by mistake (CORRECTIONS), which takes the
        time again where it was given back; what is there already is returned unchanged. Raises NotFound,
        ChangedSince, IllegalMove, or BookingRefused where the time is no more free."""
        return await self._change(clinic, None, appointment_id, status, act or StaffAct(STAFF))

    async def confirm_presence(self, clinic: Clinic, contact: Contact, appointment_id: str) -> Appointment:
        """The contact says that they will come; said already: returned unchanged. No notice is needed, but it must be
        ahead. Raises NotFound, IllegalMove, or BookingRefused(TOO_LATE)."""

        async def attempt(transaction: Transaction) -> Appointment:
            now = clinic.local(self._clock())
            before = owned(clinic, contact, await transaction.get(appointment_path(clinic, appointment_id)))
            if instant(before.start) <= instant(now):
                raise BookingRefused(Refusal.TOO_LATE)
            if before.status is AppointmentStatus.CONFIRMED_PRESENCE:
                return before
            after = before.with_status(AppointmentStatus.CONFIRMED_PRESENCE, now, PATIENT)
            self._record(transaction, clinic, before, after, _NOBODY)
            return after

        return await transact(self._documents, attempt)

    async def _change(
        self,
        clinic: Clinic,
        contact: Contact | None,
        appointment_id: str,
        status: AppointmentStatus,
        actor: StaffAct,
        reason: str = "",
    ) -> Appointment:
        async def attempt(transaction: Transaction) -> Appointment:
            now = clinic.local(self._clock())
            before = owned(clinic, contact, await transaction.get(appointment_path(clinic, appointment_id)))
            if before.status is status:
                return before
            actor.require_seen(before)
            if status is AppointmentStatus.CANCELLED:
                after = before.cancelled(now, actor.by, reason[:MAX_REASON])
            else:
                after = before.with_status(status, now, actor.by, correcting=contact is None)
            require_notice(clinic, contact, before, now)
            if before.status.takes_time != after.status.takes_time:
                edit = AgendaEdit(transaction, clinic, now)
                await edit.load(before.professional_id, before.interval)
                if after.status.takes_time:
                    require_unused(clinic, before, edit)
                    edit.take(before.professional_id, before.id, before.interval)
                else:
                    edit.free(before.professional_id, before.id, before.interval)
                edit.save()
            self._record(transaction, clinic, before, after, actor)
            return after

        return await transact(self._documents, attempt)

    def _record(
        self, transaction: Transaction, clinic: Clinic, before: Appointment | None, after: Appointment, actor: StaffAct
    ) -> None:
        """Put what `after` says into the commit: the appointment, its events, and what the actor wants beside it."""
        write = transaction.create if before is None else transaction.put
        write(appointment_path(clinic, after.id), APPOINTMENT.write(after))
        self.tell(transaction, appointment_events(before, after, actor.doer, notify=actor.notify))
        actor.put_beside(transaction, after)

    async def _require_room(
        self, clinic: Clinic, contact: Contact, pointer: Snapshot, now: datetime
    ) -> dict[str, datetime]:
        return await require_room(self._documents, self._appointments, clinic, contact, pointer.data, now)

    async def _standing(
        self, clinic: Clinic, contact: Contact, visit: PlannedVisit, edit: AgendaEdit
    ) -> Appointment | None:
        """What the contact has booked already of what is asked again. Read outside of the transaction, which then
        writes nothing: it is the page, which names the appointment, that the decision rests on."""
        for appointment_id in edit.starting_at(visit.professional.id, visit.interval[0]):
            found = await self.appointment(clinic, None, appointment_id)
            if found.contact == contact and found.service_id == visit.service.id and found.status.live:
                return found
        return None

    async def _decide(
        self, clinic: Clinic, contact: Contact, asked: VisitRequest, attempt: Callable[[Transaction], Awaitable[T]]
    ) -> T:
        """`transact`, with the nearest free slots of the present moment added to a refusal that they could mend."""
        try:
            return await transact(self._documents, attempt)
        except BookingRefused as refused:
            if refused.reason not in ABOUT_THE_TIME:
                raise
            moment = clinic.local(within_ages(asked.start, self._clock()))
            near = await self._finder.alternatives(clinic, asked.service_id, asked.professional_id, moment, contact)
            raise BookingRefused(refused.reason, near) from None
