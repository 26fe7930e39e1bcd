"""Appointments: booked, moved, cancelled, and what became of them."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import date, datetime
from typing import Annotated, TypeVar

from pydantic import BeforeValidator, Field

from gendei.booking.appointment import CORRECTIONS, Appointment, AppointmentStatus, Attendance
from gendei.booking.dates import describe
from gendei.booking.personal_data import PersonalData
from gendei.booking.slots import BookingRefused
from gendei.booking.visits import BookingRequest, with_plan
from gendei.clinic import Contact
from gendei.commands import shown
from gendei.commands.command import Arguments, Call, Command, Detail, Result, Say, Values, whole
from gendei.commands.fields import Address, Id, Told
from gendei.commands.moments import Days, Moment, written
from gendei.commands.refusals import CommandRefused, Reason
from gendei.commands.shown import in_line, shortened
from gendei.conversation.outbound.reminders import RemindersSent
from gendei.errors import NotFound
from gendei.staff.actors import Forbidden, Right
from gendei.staff.agenda.agenda import Change, Fitting, may_override
from gendei.staff.agenda.rehearsal import Rehearsal, rehearsed

G = TypeVar("G", "BookAppointment", "MoveAppointment")
MOST_APPOINTMENTS = 200
Version = Annotated[
    str | None,
    Field(
        max_length=64,
        description="The `version` that you looked at: refused with `changed` where it is another now.",
        examples=["9f2c1d0a77be4410"],
    ),
]
Notify = Annotated[bool, Field(description="Tell the patient by WhatsApp, within its rules.")]
Minutes = Annotated[
    int | None, Field(ge=5, le=720, description="How long it takes; left out or null: as long as the service.")
]
Override = Annotated[
    bool,
    Field(
        description="An encaixe: also where the time is taken or outside of the hours. It needs the right `override`, "
        "and the appointment says so. Only where somebody asked for it."
    ),
]
MAX_NOTE = 1000
Note = Annotated[str, Field(max_length=MAX_NOTE, description="For the clinic's staff.", examples=["Traz exames."])]

Plan = Annotated[
    str,
    Field(
        max_length=100,
        description="A health plan that the clinic takes; `particular` for none; empty: nobody said.",
        examples=["Unimed"],
    ),
]

BirthDate = Annotated[date, BeforeValidator(written)]
KeptData = Field(description="Only where the clinic keeps it, with the right `personal_data`.", repr=False)


class ListAppointments(Arguments):
    days: Annotated[Days, Field(default="hoje")]
    professional_id: Id | None = None
    status: AppointmentStatus | None = None


class GetAppointment(Arguments):
    appointment_id: Id


class BookAppointment(Arguments):
    """`phone` or `contact` says whose appointment it is; a phone without + is read as Brazilian."""

    service_id: Annotated[Id, Field(examples=["consulta"])]
    professional_id: Annotated[Id, Field(examples=["ana"])]
    start: Annotated[Moment, Field(examples=["2026-11-24T14:00:00-03:00"])]
    patient_name: Annotated[str, Field(max_length=200, examples=["Maria Silva"]), Told(1)]
    phone: Annotated[
        str | None, Field(max_length=40, description="Of whoever books, or contact.", examples=["(11) 99999-8888"])
    ] = None
    contact: Address | None = None
    notify: Notify = False
    note: Note = ""
    minutes: Minutes = None
    override: Override = False
    birth_date: Annotated[BirthDate | None, KeptData, Field(examples=["1987-05-20"])] = None
    cpf: Annotated[str | None, KeptData, Field(max_length=20, examples=["529.982.247-25"])] = None
    plan: Plan = ""
    plan_card: Annotated[str | None, KeptData, Field(max_length=40, examples=["0012 3456 7890"])] = None


class SetAppointmentPlan(Arguments):
    appointment_id: Id
    plan: Plan
    version: Version = None


class MoveAppointment(Arguments):
    appointment_id: Id
    start: Annotated[Moment, Field(examples=["2026-11-25T09:30:00-03:00"])]
    professional_id: Annotated[Id | None, Field(description="Another one; left out or null: the same.")] = None
    version: Version = None
    notify: Notify = False
    minutes: Minutes = None
    override: Override = False


class CancelAppointment(Arguments):
    appointment_id: Id
    reason: Annotated[str, Field(max_length=500, examples=["A médica não vem."])] = ""
    version: Version = None
    notify: Notify = False


class SetAppointmentStatus(Arguments):
    appointment_id: Id
    status: AppointmentStatus
    version: Version = None


class RemindPatients(Arguments):
    hours: Annotated[int, Field(ge=1, le=168, description="How far ahead appointments are reminded of.")] = 24


class SetAttendance(Arguments):
    appointment_id: Id
    attendance: Attendance
    version: Version = None


class UpdateAppointment(Arguments):
    appointment_id: Id
    note: Note
    version: Version = None


async def list_appointments(call: Call, given: ListAppointments) -> Result:
    """The appointments that begin on these days, in order of time. `more`: there are others beyond these."""
    agenda = call.desks.agenda_desk.agenda
    found = await agenda.page(call.actor, given.days, MOST_APPOINTMENTS)
    items = [
        shown.appointment(appointment, call.now, agenda)
        for appointment in found
        if given.professional_id in {None, appointment.professional_id} and given.status in {None, appointment.status}
    ]
    return {"appointments": items, "more": len(found) == MOST_APPOINTMENTS}


async def get_appointment(call: Call, given: GetAppointment) -> Result:
    """One appointment."""
    found = await _appointment(call, given.appointment_id)
    return shown.appointment(found, call.now, call.desks.agenda_desk.agenda)


async def book_appointment(call: Call, given: BookAppointment) -> Change:
    """Book for somebody known or new. The clinic's rules are checked again; the same booking again gives what stands.
    With `notify`, `notice` says what became of telling the patient."""
    _require_whose(given)
    request = BookingRequest(
        given.service_id,
        given.professional_id,
        given.start,
        given.patient_name,
        given.phone,
        call.channel,
        given.note,
        PersonalData(given.birth_date, given.cpf or None, given.plan_card or None),
        given.plan,
    )
    contact, fitting = Contact(given.contact) if given.contact else None, Fitting(given.minutes, given.override)
    return await call.desks.agenda_desk.agenda.book(call.actor, request, contact, notify=given.notify, fitting=fitting)


async def move_appointment(call: Call, given: MoveAppointment) -> Change:
    """Move an appointment to another start, and to another professional where one is named."""
    agenda, who = call.desks.agenda_desk.agenda, given.professional_id
    where, fitting = (given.appointment_id, given.start, who), Fitting(given.minutes, given.override)
    return await agenda.move(call.actor, *where, seen=given.version, notify=given.notify, fitting=fitting)


async def cancel_appointment(call: Call, given: CancelAppointment) -> Change:
    """Cancel an appointment, which gives its time back. It cannot be undone, only booked anew."""
    agenda, what = call.desks.agenda_desk.agenda, (given.appointment_id, given.reason)
    return await agenda.cancel(call.actor, *what, seen=given.version, notify=given.notify)


async def set_appointment_status(call: Call, given: SetAppointmentStatus) -> Change:
    """Presence confirmed, completed, no-show: any move that is legal from where the appointment stands; of who has
    arrived, completed is. To `confirmed` takes back one that was a mistake; after a no-show that is refused where the
    time is no more free."""
    agenda = call.desks.agenda_desk.agenda
    return await agenda.set_status(call.actor, given.appointment_id, given.status, seen=given.version)


async def remind_patients(call: Call, given: RemindPatients) -> RemindersSent:
    """Queue a reminder for each appointment of the next hours, once however often it is asked for."""
    return await call.desks.agenda_desk.reminders.remind(call.clinic, given.hours)


async def set_attendance(call: Call, given: SetAttendance) -> Change:
    """On the day of the appointment: the patient has arrived, is in the room with the professional, or, where that was
    a mistake, is expected still. The status stays; once they were seen to, it becomes `completed`."""
    agenda, what = call.desks.agenda_desk.agenda, (given.appointment_id, given.attendance)
    return await agenda.set_attendance(call.actor, *what, seen=given.version)


async def update_appointment(call: Call, given: UpdateAppointment) -> Change:
    """Write another note for the clinic's staff to an appointment; an empty one removes it."""
    agenda, what = call.desks.agenda_desk.agenda, (given.appointment_id, given.note)
    return await agenda.set_note(call.actor, *what, seen=given.version)


async def set_appointment_plan(call: Call, given: SetAppointmentPlan) -> Change:
    """Change by which health plan the patient comes; the price follows, and the patient's card has the plan too."""
    agenda, what = call.desks.agenda_desk.agenda, (given.appointment_id, given.plan)
    return await agenda.set_plan(call.actor, *what, seen=given.version)


async def _preview_booking(call: Call, given: BookAppointment, say: Say) -> tuple[BookAppointment, Values]:
    service, professional = call.clinic.service(given.service_id), call.clinic.professional(given.professional_id)
    if service is None or professional is None:
        raise NotFound
    _require_whose(given)
    _require_to_come(call, given.start)
    values = {
        "service": service.name,
        "professional": professional.name,
        "patient": in_line(", ".join(part for part in (given.patient_name, given.phone, given.contact) if part)),
        "when": when(call, given.start) + _fitted(call, given, say),
    }
    if given.plan:
        values["when"] += say(Detail.PLAN, name=in_line(given.plan))
    if given.note:
        values["when"] += say(Detail.REMARK, note=in_line(given.note))
    await _require_possible(call, book_appointment, given)
    return given, _notified(values, say, notify=given.notify)


async def _preview_move(call: Call, given: MoveAppointment, say: Say) -> tuple[MoveAppointment, Values]:
    found = await _appointment(call, given.appointment_id)
    _require_to_come(call, given.start)
    professional = call.clinic.professional(given.professional_id or found.professional_id)
    if professional is None and given.professional_id:
        raise NotFound
    values = named(call, found) | {"before": when(call, found.start), "when": when(call, given.start)}
    if professional is not None and professional.id != found.professional_id:
        values["when"] += say(Detail.WITH, name=professional.name)
    values["when"] += _fitted(call, given, say)
    settled = given.model_copy(update={"version": found.version})
    await _require_possible(call, move_appointment, settled)
    return settled, _notified(values, say, notify=given.notify)


async def _preview_cancelling(call: Call, given: CancelAppointment, say: Say) -> tuple[CancelAppointment, Values]:
    found = await _appointment(call, given.appointment_id)
    _require_legal(call, found, AppointmentStatus.CANCELLED)
    values = named(call, found)
    if given.reason:
        values["when"] += say(Detail.REASON, reason=in_line(given.reason))
    return given.model_copy(update={"version": found.version}), _notified(values, say, notify=given.notify)


async def _preview_status(call: Call, given: SetAppointmentStatus, _say: Say) -> tuple[SetAppointmentStatus, Values]:
    found = await _appointment(call, given.appointment_id)
    _require_legal(call, found, given.status)
    status = call.desks.agenda_desk.agenda.statuses[given.status]
    return given.model_copy(update={"version": found.version}), named(call, found) | {"status": status}


async def _preview_attendance(call: Call, given: SetAttendance, _say: Say) -> tuple[SetAttendance, Values]:
    found, agenda = await _appointment(call, given.appointment_id), call.desks.agenda_desk.agenda
    try:
        found.with_attendance(given.attendance, call.now, call.actor.name)
    except BookingRefused as refused:
        raise agenda.told(refused, found.professional_name) from None
    values = named(call, found) | {"status": agenda.attendances[given.attendance]}
    return given.model_copy(update={"version": found.version}), values


async def _preview_note(call: Call, given: UpdateAppointment, say: Say) -> tuple[UpdateAppointment, Values]:
    found = await _appointment(call, given.appointment_id)
    note = say(Detail.NOTE_IS, note=in_line(given.note)) if given.note else say(Detail.NO_NOTE)
    return given.model_copy(update={"version": found.version}), named(call, found) | {"details": note}


async def _preview_plan(call: Call, given: SetAppointmentPlan, say: Say) -> tuple[SetAppointmentPlan, Values]:
    found = await _appointment(call, given.appointment_id)
    settled, agenda = given.model_copy(update={"version": found.version}), call.desks.agenda_desk.agenda
    try:
        with_plan(call.clinic, found, given.plan, call.now)
    except BookingRefused as refused:
        raise agenda.told(refused, found.professional_name) from None
    told = say(Detail.PLAN_IS, name=in_line(given.plan)) if given.plan else say(Detail.NO_PLAN)
    return settled, named(call, found) | {"details": told}


def _fitted(call: Call, given: BookAppointment | MoveAppointment, say: Say) -> str:
    """What the preview tells of an own duration and of an override. Raises Forbidden for who may not override."""
    if given.override and not may_override(call.actor, call.clinic):
        raise Forbidden
    minutes = say(Detail.MINUTES, count=str(given.minutes)) if given.minutes else ""
    return minutes + (say(Detail.OVERRIDE) if given.override else "")


def _require_whose(given: BookAppointment) -> None:
    if not given.phone and not given.contact:
        raise CommandRefused(Reason.WHOSE, "phone", problem="phone or contact is needed")


def _require_to_come(call: Call, start: datetime) -> None:
    """Refuse in the preview what the desk would refuse after the yes."""
    if start <= call.now:
        raise CommandRefused(Reason.PAST)


async def _require_possible(call: Call, change: Callable[[Call, G], Awaitable[Change]], given: G) -> None:
    """Raise in the preview what `change` would raise after the yes, with the same free slots near it."""
    desk = call.desks.agenda_desk
    desks = replace(call.desks, agenda_desk=replace(desk, agenda=Rehearsal(desk.agenda)))
    await rehearsed(change(replace(call, desks=desks), given.model_copy(update={"notify": False})))


def _require_legal(call: Call, found: Appointment, status: AppointmentStatus) -> None:
    """Refuse in the preview what the desk would refuse after the yes."""
    if status is found.status or status in found.next_statuses(call.now) | CORRECTIONS.get(found.status, set()):
        return
    names = call.desks.agenda_desk.agenda.statuses
    patient = shortened(found.patient_name)
    raise CommandRefused(Reason.ILLEGAL_MOVE, patient=patient, status=names[found.status], wanted=names[status])


async def _appointment(call: Call, appointment_id: str) -> Appointment:
    return await call.desks.agenda_desk.agenda.appointment(call.actor, appointment_id)


def named(call: Call, appointment: Appointment) -> Values:
    """The values by which a sentence names an appointment."""
    return {
        "patient": shortened(appointment.patient_name),
        "service": appointment.service_name,
        "professional": appointment.professional_name,
        "when": when(call, appointment.start),
    }


def when(call: Call, moment: datetime) -> str:
    """In Portuguese, in the clinic's zone."""
    return describe(call.clinic.local(moment), call.now)


def _notified(values: Values, say: Say, *, notify: bool) -> Values:
    return values | {"notified": f".{say(Detail.NOTIFIED)[:-1]}" if notify else ""}


def _change(call: Call, change: Change) -> Result:
    return shown.change(change, call.now, call.desks.agenda_desk.agenda)


_UNTOLD = frozenset({"birth_date", "cpf", "plan_card"})
"""No language model is given a patient's personal data."""
BOOK_APPOINTMENT = Command(book_appointment, _change, _preview_booking, outside=True, hidden=_UNTOLD)
MOVE_APPOINTMENT = Command(move_appointment, _change, _preview_move, destructive=True, outside=True)
CANCEL_APPOINTMENT = Command(cancel_appointment, _change, _preview_cancelling, destructive=True, outside=True)
SET_APPOINTMENT_STATUS = Command(set_appointment_status, _change, _preview_status, destructive=True)
REMIND_PATIENTS = Command(remind_patients, right=Right.MANAGE, outside=True)
SET_ATTENDANCE = Command(set_attendance, _change, _preview_attendance)
UPDATE_APPOINTMENT = Command(update_appointment, _change, _preview_note, destructive=True)
SET_APPOINTMENT_PLAN = Command(set_appointment_plan, _change, _preview_plan, destructive=True)
COMMANDS = (
    Command(list_appointments, whole),
    Command(get_appointment, whole),
    BOOK_APPOINTMENT,
    MOVE_APPOINTMENT,
    CANCEL_APPOINTMENT,
    SET_APPOINTMENT_STATUS,
    SET_ATTENDANCE,
    UPDATE_APPOINTMENT,
    SET_APPOINTMENT_PLAN,
)
