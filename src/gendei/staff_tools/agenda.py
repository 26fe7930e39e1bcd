"""The clinic and its agenda."""

from typing import Annotated

from pydantic import Field

from gendei.booking.appointment import AppointmentStatus
from gendei.clinic import Contact
from gendei.staff.agenda.agenda import NewBooking
from gendei.staff_tools import shown
from gendei.staff_tools.days import Days, Start, days_of, start_of
from gendei.staff_tools.texts import Fault
from gendei.staff_tools.tool import Asked, Call, Id, Key, Phone, Result, Tool, ToolRefused

MOST_APPOINTMENTS = 200
Version = Annotated[
    str | None, Field(max_length=64, description="The `version` that you saw: refused where it changed since.")
]
Notify = Annotated[bool, Field(description="Also tell the patient by WhatsApp.")]


class Nothing(Asked):
    """No arguments."""


class FreeSlots(Asked):
    service_id: Id
    days: Days
    professional_id: Id | None = None


class Appointments(Asked):
    days: Days = "hoje"
    professional_id: Id | None = None
    status: AppointmentStatus | None = None


class OneAppointment(Asked):
    appointment_id: Id


class Book(Asked):
    service_id: Id
    professional_id: Id
    start: Start
    patient_name: Annotated[str, Field(min_length=1, max_length=200)]
    phone: Annotated[str | None, Field(max_length=40, description="Of whoever books, or contact.")] = None
    contact: Phone | None = None
    idempotency_key: Key = None


class Move(Asked):
    appointment_id: Id
    start: Start
    professional_id: Annotated[Id | None, Field(description="Another one; left out: the same.")] = None
    version: Version = None
    notify: Notify = False
    idempotency_key: Key = None


class Cancel(Asked):
    appointment_id: Id
    reason: Annotated[str, Field(max_length=500)] = ""
    version: Version = None
    notify: Notify = False
    idempotency_key: Key = None


class SetStatus(Asked):
    appointment_id: Id
    status: AppointmentStatus
    version: Version = None
    idempotency_key: Key = None


async def get_clinic(call: Call, _asked: Nothing) -> Result:
    """The clinic: name, address, opening hours, closed days, accepted insurance, means of payment, what it says about
    cancelling and of itself, and what day and time it is there now."""
    return shown.clinic(call.clinic, call.now)


async def list_services(call: Call, _asked: Nothing) -> Result:
    """What can be booked, with duration in minutes and price in centavos (null: on request)."""
    return {"services": [shown.service(one) for one in call.clinic.services]}


async def list_professionals(call: Call, _asked: Nothing) -> Result:
    """Who can be booked, for which services, and when they work."""
    return {"professionals": [shown.professional(call.clinic, one) for one in call.clinic.professionals]}


async def find_free_slots(call: Call, asked: FreeSlots) -> Result:
    """The free times for a service, a day at a time, with the reason where a day has none."""
    first, last = days_of(call, asked.days)
    agenda, count = call.desks.agenda_desk.agenda, (last - first).days + 1
    found = await agenda.slots(call.actor, asked.service_id, first, count, professional_id=asked.professional_id)
    return {"days": [shown.slot_day(one, call.now) for one in found]}


async def list_appointments(call: Call, asked: Appointments) -> Result:
    """The appointments that begin on these days, in order of time. `more`: there are others beyond these."""
    agenda = call.desks.agenda_desk.agenda
    found = await agenda.page(call.actor, days_of(call, asked.days), MOST_APPOINTMENTS)
    wanted = [
        one
        for one in found
        if asked.professional_id in {None, one.professional_id} and asked.status in {None, one.status}
    ]
    items = [shown.appointment(one, call.now, agenda.statuses) for one in wanted]
    return {"appointments": items, "more": len(found) == MOST_APPOINTMENTS}


async def get_appointment(call: Call, asked: OneAppointment) -> Result:
    """One appointment."""
    agenda = call.desks.agenda_desk.agenda
    return shown.appointment(await agenda.appointment(call.actor, asked.appointment_id), call.now, agenda.statuses)


async def book_appointment(call: Call, asked: Book) -> Result:
    """Book for a patient. The clinic's rules are checked again; the same booking again gives what stands."""
    if not asked.phone and not asked.contact:
        raise ToolRefused(Fault.WHOSE)
    booking = NewBooking(
        asked.service_id,
        asked.professional_id,
        start_of(call, asked.start),
        asked.patient_name,
        asked.phone,
        Contact(asked.contact) if asked.contact else None,
        channel=call.channel,
    )
    agenda = call.desks.agenda_desk.agenda
    return shown.change(await agenda.book(call.actor, booking), call.now, agenda.statuses)


async def move_appointment(call: Call, asked: Move) -> Result:
    """Move an appointment to another start, and to another professional where one is named."""
    agenda = call.desks.agenda_desk.agenda
    change = await agenda.move(
        call.actor,
        asked.appointment_id,
        start_of(call, asked.start),
        asked.professional_id,
        seen=asked.version,
        notify=asked.notify,
    )
    return shown.change(change, call.now, agenda.statuses)


async def cancel_appointment(call: Call, asked: Cancel) -> Result:
    """Cancel an appointment, which gives its time back. It cannot be undone, only booked anew."""
    agenda = call.desks.agenda_desk.agenda
    change = await agenda.cancel(
        call.actor, asked.appointment_id, asked.reason, seen=asked.version, notify=asked.notify
    )
    return shown.change(change, call.now, agenda.statuses)


async def set_appointment_status(call: Call, asked: SetStatus) -> Result:
    """Presence confirmed, completed, no-show: any move that is legal from where the appointment stands. To `confirmed`
    takes back one that was a mistake."""
    agenda = call.desks.agenda_desk.agenda
    change = await agenda.set_status(call.actor, asked.appointment_id, asked.status, seen=asked.version)
    return shown.change(change, call.now, agenda.statuses)


TOOLS = (
    Tool("get_clinic", Nothing, get_clinic),
    Tool("list_services", Nothing, list_services),
    Tool("list_professionals", Nothing, list_professionals),
    Tool("find_free_slots", FreeSlots, find_free_slots),
    Tool("list_appointments", Appointments, list_appointments),
    Tool("get_appointment", OneAppointment, get_appointment),
    Tool("book_appointment", Book, book_appointment, writes=True),
    Tool("move_appointment", Move, move_appointment, writes=True, destructive=True, outside=True),
    Tool("cancel_appointment", Cancel, cancel_appointment, writes=True, destructive=True, outside=True),
    Tool("set_appointment_status", SetStatus, set_appointment_status, writes=True, destructive=True),
)
