"""The agenda as staff work it: seen by day and week, and changed through the booking desk.

Every change is checked by the desk in the transaction that makes it, and its audit entry is in the same commit. What
was refused comes back as AgendaRefused, with the reason in Portuguese.
"""

from collections.abc import Awaitable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any, TypeVar

from gendei.booking.appointment import Appointment, Appointments, AppointmentStatus, Attendance, ChangedSince
from gendei.booking.desk import BookingDesk, StaffAct
from gendei.booking.patients import clean_name, clean_phone, patient_id
from gendei.booking.slots import OVERRIDABLE, BookingRefused, DaySearch, Refusal, Slot
from gendei.booking.time_blocks import TimeBlocks
from gendei.booking.visits import BookingRequest
from gendei.clinic import Clinic, Contact, Overriders
from gendei.clock import Clock
from gendei.conversation.stored.contacts import canonical, home_of
from gendei.documents import Documents, Write
from gendei.errors import GendeiError, NotFound
from gendei.messages.channels import Clinics
from gendei.messages.keys import ConversationKey
from gendei.staff.actors import Actor, Forbidden, Right, clinic_of
from gendei.staff.agenda.notices import Notice, Notices, Purpose
from gendei.staff.agenda.texts import AgendaTexts
from gendei.staff.agenda.view import AgendaView, agenda_view
from gendei.staff.audit import Action, audit_write

T = TypeVar("T")
MOST_DAYS = 42
"""The most that one view shows: six weeks, a month's calendar sheet."""
MOST_SLOT_DAYS = 62
CHANGED = "changed"
"""The reason of an AgendaRefused where somebody else was faster; the others are the values of Refusal."""


class AgendaRefused(GendeiError):
    """Nothing was changed. `reason`: a Refusal's value, or CHANGED; `text`: the same for staff, in Portuguese;
    `alternatives`: the nearest free slots; `present`: with CHANGED, how the appointment stands now."""

    @property
    def overridable(self) -> bool:
        """Whether it was refused for what an override may override."""
        return self.reason in OVERRIDABLE

    def __init__(
        self, reason: str, text: str, alternatives: tuple[Slot, ...] = (), present: Appointment | None = None
    ) -> None:
        self.reason, self.text, self.alternatives, self.present = reason, text, alternatives, present
        super().__init__(f"agenda: {reason}")


@dataclass(frozen=True, slots=True)
class Fitting:
    """How staff fit an appointment in. minutes: how long it takes; None: as the service does. override: also where the
    time is taken or outside of the hours, for who `may_override`; the appointment says so then."""

    minutes: int | None = None
    override: bool = False


ORDINARY = Fitting()


def may_override(actor: Actor, clinic: Clinic) -> bool:
    """Whether the actor may put an appointment where the agenda has no room for it, by right and by the clinic."""
    allowed = {Overriders.STAFF: True, Overriders.MANAGERS: actor.may(Right.MANAGE), Overriders.NOBODY: False}
    return actor.may(Right.OVERRIDE) and allowed[clinic.booking.override]


@dataclass(frozen=True, slots=True)
class Change:
    """The appointment as it stands after it. `notice`: what became of telling the patient, where that was asked."""

    appointment: Appointment
    notice: Notice | None = None


@dataclass(frozen=True, slots=True)
class AgendaParts:
    """What the agenda is made of."""

    documents: Documents
    clock: Clock
    clinics: Clinics
    desk: BookingDesk
    notices: Notices
    texts: AgendaTexts


class Agenda:
    """For staff of the actor's clinic. Every call raises Forbidden without the right to read or write. `seen`: the
    `version` of the appointment that the page showed; a change of what changed since is refused with CHANGED."""

    def __init__(self, parts: AgendaParts) -> None:
        self._parts, self._clock, self._desk = parts, parts.clock, parts.desk
        self._blocks = TimeBlocks(parts.documents, parts.clock)
        self._appointments = Appointments(parts.documents, parts.clock)

    @property
    def statuses(self) -> Mapping[str, str]:
        """Every AppointmentStatus in Portuguese."""
        return self._parts.texts.statuses

    @property
    def attendances(self) -> Mapping[str, str]:
        """Every Attendance in Portuguese."""
        return self._parts.texts.attendances

    async def clinic(self, actor: Actor) -> Clinic:
        """The actor's clinic. Raises NotFound where it is gone."""
        actor.require(Right.READ)
        return await clinic_of(self._parts.clinics, actor)

    async def view(self, actor: Actor, first: date, days: int = 1, *, professional_id: str | None = None) -> AgendaView:
        """The local days from `first` on (1 for a day, 7 for a week; at most MOST_DAYS), of one professional or of
        everybody."""
        clinic = await self.clinic(actor)
        last = first + timedelta(days=min(max(days, 1), MOST_DAYS) - 1)
        return agenda_view(
            clinic,
            (first, last),
            await self._desk.appointments(clinic, first, last),
            await self._blocks.between(clinic, first, last),
            professional_id=professional_id,
            now=clinic.local(self._clock()),
            closed_text=self._parts.texts.closed,
        )

    async def appointment(self, actor: Actor, appointment_id: str) -> Appointment:
        """One appointment of the clinic. Raises NotFound."""
        return await self._desk.appointment(await self.clinic(actor), None, appointment_id)

    async def page(
        self, actor: Actor, days: tuple[date, date], limit: int, after: tuple[datetime, str] | None = None
    ) -> list[Appointment]:
        """Appointments that begin on the local days from the first to the last of `days`, by start; `after`: start and
        id of the last one seen."""
        return await self._appointments.page(await self.clinic(actor), days, limit, after)

    async def slots(
        self, actor: Actor, service_id: str, first: date, days: int = 1, *, professional_id: str | None = None
    ) -> list[DaySearch]:
        """The free slots that the bot would offer, one answer for each of at most MOST_SLOT_DAYS local days. Raises
        AgendaRefused for an unknown service or professional."""
        clinic = await self.clinic(actor)
        wanted = min(max(days, 1), MOST_SLOT_DAYS)
        search = self._desk.search_days(clinic, service_id, first, wanted, professional_id=professional_id)
        return await self._told(clinic, professional_id, search)

    async def book(
        self,
        actor: Actor,
        request: BookingRequest,
        contact: Contact | None = None,
        *,
        notify: bool = False,
        fitting: Fitting = ORDINARY,
    ) -> Change:
        """Book, also between the slots and within the lead time; the same again is returned as it stands. contact:
        whose conversation it belongs to; None: the one of the request's phone, which then is needed. notify: tell the
        patient. Raises NotFound for a user id that never wrote, AgendaRefused, and Forbidden, also for personal data
        without the right to it."""
        clinic = await self._writable(actor)
        act = self._act(actor, Action.BOOKED, notify=notify, fitting=self._allowed(actor, clinic, fitting))
        if given := request.personal_data.given:
            actor.require(Right.PERSONAL_DATA)
            act = self._with_personal_data(actor, act, given)

        async def attempt() -> Appointment:
            home = await self._home(clinic, request, contact)
            booked = await self._desk.book(clinic, home, request, act=act)
            if patient_id(home, booked.patient_name) != patient_id(home, clean_name(request.patient_name)):
                raise BookingRefused(Refusal.TAKEN)  # by somebody else who shares the phone
            return booked

        booked = await self._told(clinic, request.professional_id, attempt())
        if not notify:
            return Change(booked)
        return Change(booked, await self._parts.notices.tell(clinic, booked, "booked", actor.name))

    async def move(
        self,
        actor: Actor,
        appointment_id: str,
        start: datetime,
        professional_id: str | None = None,
        *,
        seen: str | None = None,
        notify: bool = False,
        fitting: Fitting = ORDINARY,
    ) -> Change:
        """Another start (aware), and another professional where one is named; or another duration. notify: tell the
        patient. Raises NotFound, AgendaRefused and Forbidden."""
        clinic = await self._writable(actor)
        before = await self._desk.appointment(clinic, None, appointment_id)
        allowed = self._allowed(actor, clinic, fitting)
        act = self._act(actor, Action.MOVED, seen, notify=notify, fitting=allowed, came_from=_place(before))
        move = self._desk.move(clinic, None, appointment_id, start, professional_id, act=act)
        after = await self._told(clinic, professional_id or before.professional_id, move)
        return await self._changed(actor, clinic, before, after, "moved" if notify else None)

    async def cancel(
        self, actor: Actor, appointment_id: str, reason: str = "", *, seen: str | None = None, notify: bool = False
    ) -> Change:
        """Cancel with a reason, which stands with the appointment. notify: tell the patient. Raises NotFound and
        AgendaRefused."""
        clinic = await self._writable(actor)
        before = await self._desk.appointment(clinic, None, appointment_id)
        act = self._act(actor, Action.CANCELLED, seen, notify=notify)
        cancel = self._desk.cancel(clinic, None, appointment_id, reason, act=act)
        after = await self._told(clinic, before.professional_id, cancel)
        return await self._changed(actor, clinic, before, after, "cancelled" if notify else None)

    async def set_status(
        self, actor: Actor, appointment_id: str, status: AppointmentStatus, *, seen: str | None = None
    ) -> Change:
        """Presence confirmed, completed, no-show, or any other legal move but cancelling with a reason; and back to
        confirmed, where one of these was a mistake. Raises NotFound and AgendaRefused."""
        clinic = await self._writable(actor)
        before = await self._desk.appointment(clinic, None, appointment_id)
        act = self._act(actor, Action.STATUS_SET, seen, status=str(status))
        change = self._desk.set_status(clinic, appointment_id, status, act)
        return Change(await self._told(clinic, before.professional_id, change))

    async def set_attendance(
        self, actor: Actor, appointment_id: str, attendance: Attendance, *, seen: str | None = None
    ) -> Change:
        """Arrived, in the room, or not there after all, on the day of the appointment. Raises NotFound and
        AgendaRefused."""
        clinic = await self._writable(actor)
        act = self._act(actor, Action.ATTENDANCE_SET, seen, attendance=str(attendance))
        change = self._desk.set_attendance(clinic, appointment_id, attendance, act)
        return Change(await self._told(clinic, None, change))

    async def set_note(self, actor: Actor, appointment_id: str, note: str, *, seen: str | None = None) -> Change:
        """Another note; "" removes it. Raises NotFound and AgendaRefused."""
        clinic = await self._writable(actor)
        act = self._act(actor, Action.NOTED, seen)
        return Change(await self._told(clinic, None, self._desk.set_note(clinic, appointment_id, note, act)))

    async def set_plan(self, actor: Actor, appointment_id: str, plan: str, *, seen: str | None = None) -> Change:
        """Another health plan, with what it then costs; "" where nobody said. Raises NotFound and AgendaRefused."""
        clinic = await self._writable(actor)
        before = await self._desk.appointment(clinic, None, appointment_id)
        act = self._act(actor, Action.PLAN_SET, seen)
        set_plan = self._desk.set_plan(clinic, None, appointment_id, plan, act=act)
        return Change(await self._told(clinic, before.professional_id, set_plan))

    async def _writable(self, actor: Actor) -> Clinic:
        actor.require(Right.WRITE)
        return await clinic_of(self._parts.clinics, actor)

    async def _home(self, clinic: Clinic, request: BookingRequest, contact: Contact | None) -> Contact:
        """Whose conversation the booking belongs to, so that who writes from there later finds it. A provider's user id
        is somebody only where they have written: NotFound otherwise."""
        named = contact or request.phone or ""
        address = named if contact and not named.startswith("+") else clean_phone(named)
        key = await home_of(self._parts.documents, ConversationKey(clinic.id, canonical(address)))
        if not key.contact.startswith("+") and not (await self._parts.documents.get(key.path)).exists:
            raise NotFound
        return key.contact

    @staticmethod
    def _allowed(actor: Actor, clinic: Clinic, fitting: Fitting) -> Fitting:
        """Raises Forbidden for an override of who may not."""
        if fitting.override and not may_override(actor, clinic):
            raise Forbidden
        return fitting

    def _act(
        self,
        actor: Actor,
        action: Action,
        seen: str | None = None,
        *,
        notify: bool = False,
        fitting: Fitting = ORDINARY,
        **detail: Any,
    ) -> StaffAct:
        def beside(after: Appointment) -> list[Write]:
            done = Action.OVERRIDDEN if fitting.override and after.override else action
            return [audit_write(actor, done, after.id, self._clock(), **_place(after), **detail)]

        return StaffAct(actor.name, seen, beside, actor.user_id, notify, fitting.minutes, fitting.override)

    def _with_personal_data(self, actor: Actor, act: StaffAct, given: list[str]) -> StaffAct:
        """The act, with an entry in the audit that these were given."""

        def beside(after: Appointment) -> list[Write]:
            change = audit_write(actor, Action.PATIENT_CHANGED, after.patient_id, self._clock(), changed=given)
            return [*act.beside(after), change]

        return replace(act, beside=beside)

    async def _changed(
        self, actor: Actor, clinic: Clinic, before: Appointment, after: Appointment, purpose: Purpose | None
    ) -> Change:
        if purpose is None or before.version == after.version:
            return Change(after)
        return Change(after, await self._parts.notices.tell(clinic, after, purpose, actor.name))

    async def _told(self, clinic: Clinic, professional_id: str | None, attempt: Awaitable[T]) -> T:
        """What `attempt` gives, its refusals as AgendaRefused. `professional_id`: who was asked for."""
        try:
            return await attempt
        except ChangedSince as changed:
            raise AgendaRefused(CHANGED, self._parts.texts.changed, present=changed.present) from None
        except BookingRefused as refused:
            professional = clinic.professional(professional_id or "")
            raise self.told(refused, professional.name if professional else clinic.name) from None

    def told(self, refused: BookingRefused, professional: str) -> AgendaRefused:
        """The desk's refusal in the words of staff. professional: the name of who was asked for."""
        text = self._parts.texts.refusal(refused.reason, professional)
        return AgendaRefused(str(refused.reason), text, refused.alternatives)


def _place(appointment: Appointment) -> dict[str, Any]:
    return {"professionalId": appointment.professional_id, "start": appointment.start}
