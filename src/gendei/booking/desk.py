"""The booking desk: the only writer of the agenda and of appointments.

Every decision is made in one transaction on fresh pages of the agenda, and all that follows from it is in one commit:
a refusal, an error or a crash leaves nothing half done. A call may be repeated after a crash: what was done
already is returned as it stands.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import TypeVar

from gendei.booking import holds
from gendei.booking.acts import ALONE, Alongside, StaffAct
from gendei.booking.agenda import AgendaEdit
from gendei.booking.appointment import (
    APPOINTMENT,
    BY_PATIENT,
    BY_STAFF,
    Appointment,
    Appointments,
    AppointmentStatus,
    Attendance,
    appointment_path,
    owned,
)
from gendei.booking.deposits import begin_charge, settle
from gendei.booking.events import Tell, appointment_events, nobody_follows
from gendei.booking.finder import SlotFinder
from gendei.booking.holds import Hold
from gendei.booking.lateness import note_late
from gendei.booking.patients import (
    PatientDetails,
    clean_name,
    known_data,
    known_plan,
    patient_id,
    phone_of,
    record_given,
    record_patient,
)
from gendei.booking.personal_data import UNKNOWN, PersonalData
from gendei.booking.slots import ABOUT_THE_TIME, BookingRefused, Refusal
from gendei.booking.visits import (
    BookingRequest,
    VisitRequest,
    charged,
    moved,
    new_appointment,
    planned_visit,
    require_ahead,
    require_notice,
    require_unused,
    required,
    with_plan,
    within_ages,
)
from gendei.clinic import Clinic, Contact
from gendei.clock import Clock, instant
from gendei.documents import Documents, Transaction, transact

T = TypeVar("T")
__all__ = ["MAX_REASON", "BookingDesk", "StaffAct"]
MAX_REASON = 500
_NOBODY = StaffAct(BY_PATIENT)


class BookingDesk:
    """Searches, holds, books, moves and cancels in one clinic at a time.

    The searches are SlotFinder's, the lists of appointments are those of Appointments. `contact` is whose
    appointments may be touched: those of others, and those of other clinics, are NotFound. Where it may be None,
    None means that staff act. `tell`: gets the events of every change of an appointment."""

    def __init__(self, documents: Documents, clock: Clock, tell: Tell = nobody_follows) -> None:
        self._documents, self._clock, self.tell = documents, clock, tell
        self._finder = found = SlotFinder(documents, clock)
        self.find, self.search_days, self.next_slots = found.find, found.search_days, found.next_slots
        self._appointments = kept = Appointments(documents, clock)
        self.appointment, self.appointments_of, self.appointments = kept.get, kept.of_contact, kept.between
        self.known_plan, self.known_data = partial(known_plan, documents), partial(known_data, documents)
        self.note_late = partial(note_late, documents, clock)

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
            edit = self._edit(transaction, clinic)
            visit = planned_visit(clinic, asked, edit.now)
            await edit.load(professional_id, visit.interval)
            if not moving and await holds.has_counted(edit, contact):
                await self._require_room(edit, contact)
            required(visit, edit, contact)
            hold = await holds.place(edit, contact, visit.slot)
            edit.save()
            return hold

        return await self._decide(clinic, contact, asked, attempt)

    async def release(self, clinic: Clinic, contact: Contact) -> None:
        """Let the contact's hold go. Best effort: where the store fails, the hold ends by itself."""
        await holds.release(self._documents, contact, partial(self._edit, clinic=clinic))

    async def book(
        self,
        clinic: Clinic,
        contact: Contact,
        request: BookingRequest,
        *,
        act: StaffAct | None = None,
        along: Alongside = ALONE,
    ) -> Appointment:
        """Book, and return the appointment as it was committed, together with the patient's record: confirmed, or
        pending with the charge of the deposit that is asked for.

        act: of the staff member who books for the contact, and may choose a start between the slots and within the
        lead time, and to whom the contact's limit of appointments ahead does not apply. The contact's live appointment
        for the same service, professional and start is returned unchanged, unless it is overridden for another person.
        along: what is decided in the same transaction. Raises BookingRefused, with alternatives where another time
        would mend it.
        """
        actor = act or _NOBODY

        async def attempt(transaction: Transaction) -> Appointment:
            edit = self._edit(transaction, clinic)
            name, phone = clean_name(request.patient_name), phone_of(contact, request.phone)
            known = request.personal_data.checked(clinic, edit.now.date())
            visit = planned_visit(clinic, request, edit.now, actor.minutes)
            await edit.load(request.professional_id, visit.interval)
            other = patient_id(contact, name) if actor.override else None
            there = edit.starting_at(request.professional_id, visit.interval[0])
            if standing := await self._appointments.standing(clinic, contact, there, visit.service.id, other):
                return standing
            await along.before(edit)
            booked = None if act else await self._require_room(edit, contact)
            visit = required(visit, edit, contact, staff=act is not None, override=actor.override)
            plan = charged(clinic, request.plan, visit.service.id, visit.professional.id).plan
            told = PatientDetails(known, plan)
            person = await record_patient(transaction, clinic.id, contact, name, phone, edit.now, told)
            clean = replace(request, patient_name=name, phone=phone, plan=plan)
            appointment = new_appointment(clinic, visit, clean, contact, person, edit.now, actor.by)
            if request.deposit is not None:
                begin_charge(transaction, appointment, request.deposit, edit.now)
            if booked is None:
                await holds.use_up(self._documents, edit, contact)
            else:
                await holds.turn_into(edit, contact, visit.slot, booked | {appointment.id: appointment.start})
            edit.take(request.professional_id, appointment.id, visit.interval)
            edit.save()
            await self._record(edit, None, appointment, actor, along)
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
        along: Alongside = ALONE,
    ) -> Appointment:
        """Give a live, future appointment another start (aware), and another professional if one is named; it keeps
        its id and its status (a confirmed presence is confirmed no more), and takes the service's present duration,
        or the act's. Already there: returned unchanged.

        Staff may choose a start between the slots and within the lead time, and need no notice. Raises NotFound,
        ChangedSince, or BookingRefused, with alternatives where another time would mend it.
        """
        actor = act or _NOBODY
        known = await self.appointment(clinic, contact, appointment_id)
        asked = VisitRequest(known.service_id, professional_id or known.professional_id, start)

        async def attempt(transaction: Transaction) -> Appointment:
            edit = self._edit(transaction, clinic)
            before = owned(clinic, contact, await transaction.get(appointment_path(clinic, appointment_id)))
            if not before.status.live:
                actor.require_seen(before)
                raise BookingRefused(Refusal.ILLEGAL_MOVE)
            stays = (before.professional_id, instant(before.start)) == (asked.professional_id, instant(asked.start))
            if stays and actor.minutes in {None, before.minutes}:
                return before
            actor.require_seen(before)
            require_notice(clinic, contact, before, edit.now)
            require_ahead(before, edit.now)
            visit = planned_visit(clinic, asked, edit.now, actor.minutes)
            if contact is not None and asked.professional_id != before.professional_id:
                charged(clinic, before.plan, visit.service.id, visit.professional.id)
            await edit.load(before.professional_id, before.interval)
            await edit.load(asked.professional_id, visit.interval)
            await along.before(edit)
            staff = contact is None
            visit = required(visit, edit, before.contact, moved=before.id, staff=staff, override=actor.override)
            await holds.use_up(self._documents, edit, before.contact)
            edit.free(before.professional_id, before.id, before.interval)
            edit.take(asked.professional_id, before.id, visit.interval)
            edit.save()
            after = moved(before, visit, edit.now, actor.by)
            await self._record(edit, before, after, actor, along)
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
        actor = act or StaffAct(BY_STAFF if contact is None else BY_PATIENT)

        def cancelled(before: Appointment, now: datetime) -> Appointment:
            if before.status is AppointmentStatus.CANCELLED:
                return before
            actor.require_seen(before)
            after = before.cancelled(now, actor.by, reason[:MAX_REASON])
            require_notice(clinic, contact, before, now)
            return after

        return await self._change(clinic, contact, appointment_id, actor, cancelled)

    async def set_status(
        self, clinic: Clinic, appointment_id: str, status: AppointmentStatus, act: StaffAct | None = None
    ) -> Appointment:
        """For staff: a legal move to `status`, or back from what was marked by mistake (CORRECTIONS), which takes the
        time again where it was given back; what is there already is returned unchanged. Raises NotFound,
        ChangedSince, IllegalMove, or BookingRefused where the time is no more free."""
        if status is AppointmentStatus.CANCELLED:
            return await self.cancel(clinic, None, appointment_id, act=act)
        actor = act or StaffAct(BY_STAFF)

        def with_status(before: Appointment, now: datetime) -> Appointment:
            if before.status is status:
                return before
            actor.require_seen(before)
            if status is AppointmentStatus.COMPLETED:
                return before.completed(now, actor.by)
            return before.with_status(status, now, actor.by, correcting=True)

        return await self._change(clinic, None, appointment_id, actor, with_status)

    async def set_attendance(
        self, clinic: Clinic, appointment_id: str, attendance: Attendance, act: StaffAct
    ) -> Appointment:
        """For staff: who comes is there, with the professional, or not there after all; what is so already is returned
        unchanged. Raises NotFound, ChangedSince, IllegalMove, or BookingRefused(NOT_YET)."""

        def marked(before: Appointment, now: datetime) -> Appointment:
            if before.attendance is attendance:
                return before
            act.require_seen(before)
            return before.with_attendance(attendance, now, act.by)

        return await self._change(clinic, None, appointment_id, act, marked)

    async def set_note(self, clinic: Clinic, appointment_id: str, note: str, act: StaffAct) -> Appointment:
        """For staff: another note, whatever the status; the same is returned unchanged. It is no event. Raises NotFound
        and ChangedSince."""

        def noted(before: Appointment, now: datetime) -> Appointment:
            if before.note == note:
                return before
            act.require_seen(before)
            return replace(before, note=note, updated_at=now)

        return await self._change(clinic, None, appointment_id, act, noted)

    async def set_plan(
        self,
        clinic: Clinic,
        contact: Contact | None,
        appointment_id: str,
        plan: str,
        given: PersonalData = UNKNOWN,
        act: StaffAct = _NOBODY,
    ) -> Appointment:
        """Another health plan, whatever the status, with what it then costs; the patient's card has it too, and what is
        given beside it. It is no event. Raises NotFound, ChangedSince, and BookingRefused."""

        async def attempt(transaction: Transaction) -> Appointment:
            edit = self._edit(transaction, clinic)
            before = owned(clinic, contact, await transaction.get(appointment_path(clinic, appointment_id)))
            known = given.checked(clinic, edit.now.date())
            after = with_plan(clinic, before, plan, edit.now)
            if after is before:
                transaction.put(appointment_path(clinic, before.id), APPOINTMENT.write(before))
            else:
                act.require_seen(before)
                await self._record(edit, before, after, act)
            await record_given(transaction, clinic.id, after.patient_id, PatientDetails(known, after.plan))
            return after

        return await transact(self._documents, attempt)

    async def confirm_presence(self, clinic: Clinic, contact: Contact, appointment_id: str) -> Appointment:
        """The contact says that they will come; said already: returned unchanged. No notice is needed, but it must be
        ahead. Raises NotFound, IllegalMove, or BookingRefused(TOO_LATE)."""
        presence = AppointmentStatus.CONFIRMED_PRESENCE

        def confirmed_presence(before: Appointment, now: datetime) -> Appointment:
            require_ahead(before, now)
            return before if before.status is presence else before.with_status(presence, now, BY_PATIENT)

        return await self._change(clinic, contact, appointment_id, _NOBODY, confirmed_presence)

    def _edit(self, transaction: Transaction, clinic: Clinic) -> AgendaEdit:
        return AgendaEdit(transaction, clinic, clinic.local(self._clock()))

    async def _change(
        self,
        clinic: Clinic,
        contact: Contact | None,
        appointment_id: str,
        actor: StaffAct,
        change: Callable[[Appointment, datetime], Appointment],
    ) -> Appointment:
        """What `change` makes of the appointment at a moment, committed; the same appointment where it stays. Its time
        is given back, or taken again, with the status."""

        async def attempt(transaction: Transaction) -> Appointment:
            edit = self._edit(transaction, clinic)
            before = owned(clinic, contact, await transaction.get(appointment_path(clinic, appointment_id)))
            after = change(before, edit.now)
            if after is before:
                return before
            if before.status.takes_time != after.status.takes_time:
                await edit.load(before.professional_id, before.interval)
                if after.status.takes_time:
                    require_unused(before, edit)
                    edit.take(before.professional_id, before.id, before.interval)
                else:
                    edit.free(before.professional_id, before.id, before.interval)
                edit.save()
            await self._record(edit, before, after, actor)
            return after

        return await transact(self._documents, attempt)

    async def _record(
        self,
        edit: AgendaEdit,
        before: Appointment | None,
        after: Appointment,
        actor: StaffAct,
        along: Alongside = ALONE,
    ) -> None:
        """Put what `after` says into the commit: the appointment, its charge and events, and what is wanted beside."""
        transaction = edit.transaction
        if before is not None:
            await settle(transaction, before, after, actor.cause, edit.now)
        write = transaction.create if before is None else transaction.put
        write(appointment_path(edit.clinic, after.id), APPOINTMENT.write(after))
        if before is None or before.history != after.history:
            self.tell(transaction, appointment_events(before, after, actor.doer, notify=actor.notify))
        for more in actor.beside(after):
            transaction.create(more.path, more.data or {})
        along.after(edit, after)

    async def _require_room(self, edit: AgendaEdit, contact: Contact) -> dict[str, datetime]:
        own = partial(self.appointments_of, edit.clinic, contact)
        return await holds.require_room(self._documents, edit, contact, own)

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
