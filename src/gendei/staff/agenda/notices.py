"""Telling a patient that staff changed an appointment, within the rules for what we write first.

Staff read at once what became of it, so whoever made the change tells the patient too. Where that process ends before
it could, or the store fails, the follower of the change's event does it.
"""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from gendei.booking.appointment import Appointment, Appointments
from gendei.booking.events import AgendaEvent, EventKind, last_event_id
from gendei.clinic import Clinic, money
from gendei.clock import Clock
from gendei.conversation.outbound.proactive import Decline, Declined, Opening, Proactive, Queued
from gendei.conversation.outbound.reminders import spoken_values
from gendei.errors import NotFound, StoreError
from gendei.health_plan import PRIVATE
from gendei.messages.channels import Clinics
from gendei.messages.replies import Reply
from gendei.prompts import Phrases
from gendei.staff.agenda.texts import QUEUED, UNAVAILABLE, AgendaTexts
from gendei.verticals import Vertical

Purpose = Literal["booked", "moved", "cancelled"]
_PHRASE: Mapping[Purpose, str] = {
    "booked": "booking_confirmed",
    "moved": "booking_moved",
    "cancelled": "booking_cancelled",
}
_PURPOSES: Mapping[EventKind, Purpose] = {
    EventKind.BOOKED: "booked",
    EventKind.MOVED: "moved",
    EventKind.CANCELLED: "cancelled",
}
Settle = Callable[[str, str], Awaitable[None]]
"""Says that a follower needs an event no more: the event's id, the follower's name."""


@dataclass(frozen=True, slots=True)
class Notice:
    """What became of telling the patient. `due_at`: when it leaves, where it was queued; `reason`: why it was not,
    None also where the store failed; `text`: the same for staff, in Portuguese."""

    queued: bool
    text: str
    due_at: datetime | None = None
    reason: Decline | None = None


@dataclass(frozen=True, slots=True)
class Notices:
    """Follows the changes of which staff want the patient told. `phrases` and `verticals` give the words for patients,
    `texts` those for staff."""

    proactive: Proactive
    phrases: Phrases
    verticals: Mapping[str, Vertical]
    texts: AgendaTexts
    appointments: Appointments
    clinics: Clinics
    clock: Clock
    settle: Settle
    name = "notices"
    delay = timedelta(seconds=30)

    async def tell(self, clinic: Clinic, appointment: Appointment, purpose: Purpose, by: str) -> Notice:
        """Queue the message about a committed change. Never raises for the store: the change stands in any case."""
        try:
            outcome = await self._queue(clinic, appointment, purpose, by)
        except StoreError:
            return Notice(False, self.texts.notices[UNAVAILABLE])
        with suppress(StoreError):  # it is followed then, and finds the message queued
            await self.settle(last_event_id(appointment), self.name)
        if isinstance(outcome, Queued):
            return Notice(True, self.texts.notices[QUEUED], clinic.local(outcome.due_at))
        return Notice(False, self.texts.notices[outcome.reason], reason=outcome.reason)

    def wants(self, event: AgendaEvent) -> bool:
        return event.notify and event.kind in _PURPOSES

    async def follow(self, event: AgendaEvent) -> None:
        """Queue the message unless it was queued, or the appointment has changed since. Raises StoreError."""
        clinic = await self.clinics.get(event.clinic_id)
        if clinic is None or event.appointment_id is None:
            return
        with suppress(NotFound):
            appointment = await self.appointments.get(clinic, None, event.appointment_id)
            if last_event_id(appointment) == event.id:
                await self._queue(clinic, appointment, _PURPOSES[event.kind], appointment.history[-1].by)

    async def _queue(self, clinic: Clinic, appointment: Appointment, purpose: Purpose, by: str) -> Queued | Declined:
        values = spoken_values(clinic, appointment, self.clock())
        words = {**self.verticals[clinic.vertical].for_clinic(clinic).words(), **values}
        told = self.phrases.of(clinic).say(_PHRASE[purpose], 0, **words)
        opening = Opening(
            purpose,
            Reply("\n".join([told.strip(), *self._plan(appointment, purpose)])),
            values,
            once=f"{purpose}/{appointment.id}/{appointment.version}",
            until=appointment.start,
            appointment=appointment,
            by=by,
        )
        return await self.proactive.send(clinic, appointment.contact, opening)

    def _plan(self, appointment: Appointment, purpose: Purpose) -> list[str]:
        """By which health plan they come, where it is one, and what they pay by it."""
        if appointment.plan in {"", PRIVATE} or purpose == "cancelled":
            return []
        cents = appointment.price_cents
        pays = self.phrases.say("plan_covered") if appointment.covered else money(cents) if cents is not None else ""
        return [self.phrases.say("details_plan" if pays else "details_plan_only", plan=appointment.plan, value=pays)]
