"""The clinic, what it offers, and when that is free."""

from gendei.commands import shown
from gendei.commands.command import Arguments, Call, Command, Result, whole
from gendei.commands.fields import Id
from gendei.commands.moments import Days
from gendei.commands.shapes import ProfessionalOut, ServiceOut


class Nothing(Arguments):
    """No arguments."""


class FindFreeSlots(Arguments):
    service_id: Id
    days: Days
    professional_id: Id | None = None


async def get_clinic(call: Call, given: Nothing) -> Result:
    """The clinic: name, address, opening hours, closed days, accepted insurance, means of payment, what it says about
    cancelling and of itself, and what day and time it is there now."""
    return shown.clinic(call.clinic, call.now)


async def list_services(call: Call, given: Nothing) -> Result:
    """What can be booked, with duration in minutes and price in centavos (null: on request)."""
    return {"services": [ServiceOut.of(service).told() for service in call.clinic.services]}


async def list_professionals(call: Call, given: Nothing) -> Result:
    """Who can be booked, for which services, and when they work."""
    return {"professionals": [ProfessionalOut.at(call.clinic, who).told() for who in call.clinic.professionals]}


async def find_free_slots(call: Call, given: FindFreeSlots) -> Result:
    """The free times for a service, a day at a time, with the reason where a day has none."""
    first, last = given.days
    agenda, count = call.desks.agenda_desk.agenda, (last - first).days + 1
    found = await agenda.slots(call.actor, given.service_id, first, count, professional_id=given.professional_id)
    return {"days": [shown.slot_day(day, call.now) for day in found]}


COMMANDS = (
    Command(get_clinic, whole),
    Command(list_services, whole),
    Command(list_professionals, whole),
    Command(find_free_slots, whole),
)
