"""Telling a patient that staff changed an appointment, within the rules for what we write first."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from gendei.booking.appointment import Appointment
from gendei.clinic import Clinic
from gendei.conversation.outbound.proactive import Decline, Opening, Proactive, Queued
from gendei.conversation.outbound.reminders import spoken_values
from gendei.errors import StoreError
from gendei.prompts import Phrases
from gendei.receptionist.replies import Reply
from gendei.staff.agenda.texts import QUEUED, UNAVAILABLE, AgendaTexts
from gendei.verticals import Vertical

Purpose = Literal["booked", "moved", "cancelled"]
_PHRASE: Mapping[Purpose, str] = {
    "booked": "booking_confirmed",
    "moved": "booking_moved",
    "cancelled": "booking_cancelled",
}


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
    """`phrases` and `verticals` give the words for patients, `texts` those for staff."""

    proactive: Proactive
    phrases: Phrases
    verticals: Mapping[str, Vertical]
    texts: AgendaTexts

    async def tell(self, clinic: Clinic, appointment: Appointment, purpose: Purpose, by: str, now: datetime) -> Notice:
        """Queue the message about a committed change. Never raises for the store: the change stands in any case."""
        values = spoken_values(clinic, appointment, now)
        words = {**self.verticals[clinic.vertical].for_clinic(clinic).words(), **values}
        opening = Opening(
            purpose,
            Reply(self.phrases.say(_PHRASE[purpose], 0, **words).strip()),
            values,
            once=f"{purpose}/{appointment.id}/{appointment.version}",
            until=appointment.start,
            appointment=appointment,
            by=by,
        )
        try:
            outcome = await self.proactive.send(clinic, appointment.contact, opening)
        except StoreError:
            return Notice(False, self.texts.notices[UNAVAILABLE])
        if isinstance(outcome, Queued):
            return Notice(True, self.texts.notices[QUEUED], clinic.local(outcome.due_at))
        return Notice(False, self.texts.notices[outcome.reason], reason=outcome.reason)
