"""The agenda as staff work it: seen by day and week, and changed through the booking desk.

Every change is checked by the desk in the transaction that makes it, and its audit entry is in the same commit. What
was refused comes back as AgendaRefused, with the reason in Portuguese.
"""

from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, TypeVar

from gendei.booking.appointment import Appointment, Appointments, AppointmentStatus, ChangedSince
from gendei.booking.desk import BookingDesk, StaffAct
from gendei.booking.patients import clean_name, clean_phone, patient_id
from gendei.booking.slots import BookingRefused, DaySearch, Refusal, Slot
from gendei.booking.time_blocks import TimeBlocks
from gendei.booking.visits import BookingRequest
from gendei.clinic import Clinic, Contact
from gendei.clock import Clock
from gendei.conversation.stored.contacts import canonical, home_of
from gendei.documents import Documents, Write
from gendei.errors import GendeiError, NotFound
from gendei.messages.channels import Clinics
from gendei.messages.keys import ConversationKey
from gendei.staff.actors import Actor, Right, clinic_of
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

    def __init__(
        self, reason: str, text: str, alternatives: tuple[Slot, ...] = (), present: Appointment | None = None
    ) -> None:
        self.reason, self.text, self.alternatives, self.present = reason, text, alternatives, present
        super().__init__(f"agenda: {reason}")


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
        self, actor: Actor, request: BookingRequest, contact: Contact | None = None, *, notify: bool = False
    ) -> Change:
        """Book, also between the slots and within the lead time; the same again is returned as it stands. contact:
        whose conversation it belongs to; None: the one of the request's phone, which then is needed. notify: tell the
        patient. Raises NotFound for a user id that never wrote, and AgendaRefused."""
        clinic = await self._writable(actor)

        async def attempt() -> Appointment:
            home = await self._home(clinic, request, contact)
            booked = await self._desk.book(clinic, home, request, act=self._act(actor, Action.BOOKED, notify=notify))
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
    ) -> Change:
        """Another start (aware), and another professional where one is named. notify: tell the patient. Raises
        NotFound and AgendaRefused."""
        clinic = await self._writable(actor)
        before = await self._desk.appointment(clinic, None, appointment_id)
        act = self._act(actor, Action.MOVED, seen, notify=notify, came_from=_place(before))
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

    def _act(
        self, actor: Actor, action: Action, seen: str | None = None, *, notify: bool = False, **detail: Any
    ) -> StaffAct:
        def beside(after: Appointment) -> list[Write]:
            return [audit_write(actor, action, after.id, self._clock(), **_place(after), **detail)]

        return StaffAct(actor.name, seen, beside, actor.user_id, notify)

    async def _changed(
        self, actor: Actor, clinic: Clinic, before: Appointment, after: Appointment, purpose: Purpose | None
    ) -> Change:
        if purpose is None or before.version == after.version:
            return Change(after)
        return Change(after, await self._parts.notices.tell(clinic, after, purpose, actor.name))

    async def _told(self, clinic: Clinic, professional_id: str | None, attempt: Awaitable[T]) -> T:
        """What `attempt` gives, its refusals as AgendaRefused. `professional_id`: who was asked for."""
        texts = self._parts.texts
        try:
            return await attempt
        except ChangedSince as changed:
            raise AgendaRefused(CHANGED, texts.changed, present=changed.present) from None
        except BookingRefused as refused:
            professional = clinic.professional(professional_id or "")
            text = texts.refusal(refused.reason, professional.name if professional else clinic.name)
            raise AgendaRefused(str(refused.reason), text, refused.alternatives) from None


def _place(appointment: Appointment) -> dict[str, Any]:
    return {"professionalId": appointment.professional_id, "start": appointment.start}
