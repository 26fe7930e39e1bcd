"""Writes to who did not come: kindly, once, and with free times."""

from gendei.booking.appointment import Appointment
from gendei.booking.finder import SlotFinder
from gendei.booking.slots import BookingRefused, Slot
from gendei.clinic import Clinic
from gendei.conversation.outbound.proactive import Declined, Opening, Queued
from gendei.conversation.outbound.reminders import Reminders, spoken_values
from gendei.messages.replies import Option, Reply
from gendei.receptionist.offers.choices import Action, Kind, choice
from gendei.receptionist.offers.rendering import slot_title

TIMES = 3


async def write_to_missed(reminders: Reminders, clinic: Clinic, appointment: Appointment) -> Queued | Declined:
    """Queue it, once for an appointment however often it is marked. Its one button begins a booking, as a template's
    button always does the same."""
    now = clinic.local(reminders.clock())
    values = spoken_values(clinic, appointment, now)
    words = {**reminders.verticals[clinic.vertical].for_clinic(clinic).words(), **values}
    lines = [f"• {slot_title(slot.start)}" for slot in await _free(reminders, clinic, appointment)]
    told = reminders.phrases.say("no_show" if lines else "no_show_without_times", 0, **words, lines="\n".join(lines))
    book = Option(choice(Kind.ACTION, Action.BOOK), reminders.phrases.say("button_do_book"))
    opening = Opening("no_show", Reply(told.strip(), (book,)), values, once=f"no_show/{appointment.id}")
    return await reminders.proactive.send(clinic, appointment.contact, opening)


async def _free(reminders: Reminders, clinic: Clinic, appointment: Appointment) -> list[Slot]:
    """The next ones with the same professional; none where the service is not offered any more."""
    finder = SlotFinder(reminders.documents, reminders.clock)
    try:
        return await finder.next_slots(
            clinic, appointment.service_id, professional_id=appointment.professional_id, limit=TIMES
        )
    except BookingRefused:
        return []
