"""Asks who came how it was: once for a visit, and not too often."""

from datetime import timedelta

from gendei.booking.appointment import Appointment
from gendei.clinic import Clinic
from gendei.conversation.outbound.proactive import Decline, Opening, Queued
from gendei.conversation.outbound.reminders import Reminders, spoken_values
from gendei.conversation.stored.contacts import canonical, home_of
from gendei.messages.keys import ConversationKey
from gendei.messages.replies import Option, Reply
from gendei.receptionist.offers.choices import Kind, choice
from gendei.scheduler.due import QUEUED, REMEMBERED_FOR, TOO_LATE
from gendei.surveys.survey import SCORES, asked_since, new_survey

ASKED_LATELY = "asked_lately"
"""The result where the contact was asked about another visit not long ago."""


async def ask_how_it_was(reminders: Reminders, clinic: Clinic, appointment: Appointment) -> str:
    """Queue the question, once for an appointment; what became of it. The options stand in order of their score, so
    that a channel which numbers them gives each its own number."""
    now, policy = reminders.clock(), clinic.survey
    if policy is None or now > appointment.end + timedelta(minutes=policy.delay_minutes) + REMEMBERED_FOR:
        return TOO_LATE
    home = await home_of(reminders.documents, ConversationKey(clinic.id, canonical(appointment.contact)))
    since = now - timedelta(days=policy.every_days)
    if policy.every_days and await asked_since(reminders.documents, clinic, home.contact, since, appointment.id):
        return ASKED_LATELY
    values = spoken_values(clinic, appointment, now)
    words = {**reminders.verticals[clinic.vertical].for_clinic(clinic).words(), **values}
    text = reminders.phrases.of(clinic).say("survey", 0, **words).strip()
    options = tuple(
        Option(choice(Kind.SURVEY, appointment.id, str(score)), reminders.phrases.say(f"button_survey_{score}"))
        for score in SCORES
    )
    opening = Opening(
        "survey",
        Reply(text, options, reminders.phrases.say("survey_label"), as_list=True),
        values,
        once=f"survey/{appointment.id}",
        until=appointment.end + timedelta(minutes=policy.delay_minutes) + REMEMBERED_FOR,
        appointment=appointment,
    )
    outcome = await reminders.proactive.send(
        clinic, appointment.contact, opening, [new_survey(clinic, appointment, home.contact, now)]
    )
    return QUEUED if isinstance(outcome, Queued) or outcome.reason is Decline.ALREADY else str(outcome.reason)
