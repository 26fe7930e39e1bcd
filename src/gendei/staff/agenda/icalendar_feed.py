"""A professional's agenda as iCalendar (RFC 5545), in UTC."""

from collections.abc import Iterable
from datetime import UTC

from icalendar import Calendar, Event

from gendei.booking.appointment import Appointment
from gendei.booking.time_blocks import TimeBlock
from gendei.clinic import Professional
from gendei.staff.agenda.texts import AgendaTexts
from gendei.texts import fill


def calendar_of(
    professional: Professional,
    appointments: Iterable[Appointment],
    blocks: Iterable[TimeBlock],
    texts: AgendaTexts,
    *,
    first_names: bool,
) -> bytes:
    """What takes the professional's time, out of `appointments` and `blocks` of everybody. Patients stand in it by
    initials, or by first name; a block without its reason. What nobody changed gives the same bytes."""
    calendar = Calendar()
    calendar.add("prodid", "-//Gendei//Agenda//PT")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", fill(texts.calendar.title, {"professional": professional.name}))
    for appointment in appointments:
        if appointment.professional_id == professional.id and appointment.status.takes_time:
            calendar.add_component(_visit(appointment, texts, first_names=first_names))
    for block in blocks:
        if block.professional_id in {None, professional.id}:
            calendar.add_component(_event(block, texts.calendar.blocked))
    return bytes(calendar.to_ical())


def initials(name: str) -> str:
    """ "Maria da Silva" as "M. S.": particles are left out."""
    words = [word for word in name.split() if word[0].isupper()] or name.split()
    return " ".join(f"{word[0].upper()}." for word in (words[:1] + words[1:][-1:]))


def _visit(appointment: Appointment, texts: AgendaTexts, *, first_names: bool) -> Event:
    name = appointment.patient_name
    who = name.split()[0] if first_names else initials(name)
    title = fill(texts.calendar.event, {"service": appointment.service_name, "who": who})
    event = _event(appointment, title)
    event.add("last-modified", appointment.updated_at.astimezone(UTC))
    return event


def _event(what: Appointment | TimeBlock, title: str) -> Event:
    event = Event()
    event.add("uid", f"{what.id}@gendei")
    event.add("dtstamp", what.created_at.astimezone(UTC))
    event.add("dtstart", what.start.astimezone(UTC))
    event.add("dtend", what.end.astimezone(UTC))
    event.add("summary", title)
    return event
