"""Reminds patients of their coming appointments, each once, with buttons that act on that very appointment."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from gendei.booking.appointment import Appointment, Appointments, AppointmentStatus
from gendei.booking.dates import describe
from gendei.booking.dates.rendering import clock as spoken_time
from gendei.booking.dates.rendering import which_time
from gendei.booking.wallclock import start_text
from gendei.clinic import Clinic
from gendei.clock import Clock
from gendei.conversation.outbound.proactive import Declined, Opening, Proactive, Queued
from gendei.documents import Documents
from gendei.messages.replies import Option, Reply
from gendei.prompts import Phrases
from gendei.receptionist.offers.choices import Kind, choice
from gendei.reminding import ReminderRule
from gendei.verticals import Vertical

REMINDED = frozenset({AppointmentStatus.CONFIRMED, AppointmentStatus.AWAITING_CONFIRMATION})
"""Whom a reminder helps: who said already that they come needs none."""
BUTTONS = (
    (Kind.CONFIRM_PRESENCE, "button_confirm_presence"),
    (Kind.MOVE, "button_move"),
    (Kind.CANCEL, "button_cancel"),
)
"""Always all of them and in this order, since a template's buttons are fixed."""
BY_ITSELF = "by_itself"
"""In the place of a Decline: the clinic's reminders leave by themselves."""


@dataclass(frozen=True, slots=True)
class RemindersSent:
    """`queued`: ids of outbox entries. `declined`: how many were not queued, by reason."""

    queued: tuple[str, ...]
    declined: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Reminders:
    """`phrases` and `verticals` give the words of the message."""

    documents: Documents
    clock: Clock
    proactive: Proactive
    phrases: Phrases
    verticals: Mapping[str, Vertical]

    async def remind(self, clinic: Clinic, hours: int) -> RemindersSent:
        """Queue a reminder for every appointment that begins within `hours` from now and was not reminded of yet: it
        may run as often as you like. An appointment that was moved is reminded of again. A clinic whose
        reminders leave by themselves reminds nobody so."""
        now = self.clock()
        until = now + timedelta(hours=hours)
        first, last = clinic.local(now).date(), clinic.local(until).date()
        queued: list[str] = []
        declined: Counter[str] = Counter()
        for appointment in await Appointments(self.documents, self.clock).between(clinic, first, last):
            if appointment.status not in REMINDED or not now < appointment.start <= until:
                continue
            if clinic.reminders is not None:
                declined[BY_ITSELF] += 1
                continue
            opening = self._opening(clinic, appointment, "reminder")
            outcome = await self.proactive.send(clinic, appointment.contact, opening)
            if isinstance(outcome, Queued):
                queued.append(outcome.entry_id)
            else:
                declined[outcome.reason] += 1
        return RemindersSent(tuple(queued), dict(declined))

    async def send(
        self, clinic: Clinic, appointment: Appointment, rule: ReminderRule, *, again: bool = False
    ) -> Queued | Declined:
        """Queue what `rule` says of the appointment, once as it stands now. again: it was asked before, and nobody
        answered."""
        answered = appointment.status not in REMINDED
        phrase = f"{rule.purpose}_again" if again else f"{rule.purpose}_answered" if answered else str(rule.purpose)
        own = rule.template in clinic.templates
        opening = self._opening(clinic, appointment, phrase)
        named = replace(
            opening,
            purpose=rule.template if own else str(rule.purpose),
            once="/".join(filter(None, (opening.once, rule.key, "again" if again else ""))),
        )
        return await self.proactive.send(clinic, appointment.contact, named)

    def told(self, clinic: Clinic, appointment: Appointment) -> str:
        """The appointment in one line, for staff."""
        return self.phrases.say("appointment_line", 0, **spoken_values(clinic, appointment, self.clock()))

    def _opening(self, clinic: Clinic, appointment: Appointment, phrase: str) -> Opening:
        values = spoken_values(clinic, appointment, self.clock())
        words = {**self.verticals[clinic.vertical].for_clinic(clinic).words(), **values}
        start = start_text(clinic.local(appointment.start))
        told = {Kind.CONFIRM_PRESENCE: (appointment.id, start)}
        options = tuple(
            Option(choice(kind, *told.get(kind, (appointment.id,))), self.phrases.say(title)) for kind, title in BUTTONS
        )
        return Opening(
            "reminder",
            Reply(self.phrases.of(clinic).say(phrase, 0, **words), options),
            values,
            once=f"reminder/{appointment.id}/{appointment.start.isoformat()}",
            until=appointment.start,
            appointment=appointment,
        )


def spoken_values(clinic: Clinic, appointment: Appointment, now: datetime) -> dict[str, str]:
    """What a message that we begin at `now` says of an appointment, named as in phrases and templates. "Amanhã" counts
    from when it leaves: quiet hours may hold it until the next morning."""
    start = clinic.local(appointment.start)
    return {
        "patient": appointment.patient_name,
        "service": appointment.service_name,
        "professional_name": appointment.professional_name,
        "weekday_date": describe(start.date(), clinic.proactive.not_before(clinic.local(now))),
        "time": spoken_time(start.time()) + which_time(start),
        "clinic_name": clinic.name,
        "address": clinic.address,
    }
