"""What tools answer: small dictionaries, with the ids that other tools take. What programs of the API read of the same
stands in `shapes`. And text of the store and of callers, as a preview tells it."""

from collections.abc import Callable, Mapping
from datetime import datetime, time, timedelta
from typing import Any, Protocol

from gendei.booking.appointment import Appointment, Attendance
from gendei.booking.dates import Resolution, describe
from gendei.booking.slots import DaySearch, Slot
from gendei.booking.time_blocks import TimeBlock
from gendei.clinic import Clinic
from gendei.commands.patient_shapes import BookerOut, PatientOut, VisitsOut
from gendei.commands.shapes import BlockOut, ClinicOut, ConversationOut, MessageOut
from gendei.staff.agenda.agenda import Change
from gendei.staff.inbox.conversation import View
from gendei.staff.inbox.rows import Row
from gendei.staff.patient_cards import PatientCard
from gendei.staff.patient_rows import PatientRow
from gendei.staff.tasks.fields import visible
from gendei.staff.tasks.stored import Due, Task

Shown = dict[str, Any]
MOST_NAME = 80
"""Characters of what stands in the store already and only says of whom it is: more could hide what is asked behind it.
What would be written is shown whole."""


def clinic(found: Clinic, now: datetime) -> Shown:
    return {
        **ClinicOut.of_clinic(found).told("id", "buffer_minutes"),
        "now": now.isoformat(timespec="minutes"),
        "today": describe(now.date(), now),
        "insurance": list(found.insurance),
        "paymentMethods": list(found.payment_methods),
        "cancellationPolicy": found.cancellation_policy,
        "notes": found.notes,
    }


def slot(found: Slot) -> Shown:
    return {"professionalId": found.professional_id, "start": found.start.isoformat(timespec="minutes")}


def slot_day(found: DaySearch, now: datetime) -> Shown:
    """`reason`: why there is none, where there is none."""
    day: Shown = {"day": describe(found.day, now), "date": found.day.isoformat(), "slots": list(map(slot, found.slots))}
    return day | ({"reason": str(found.reason)} if found.reason else {})


def stretch(start: datetime, end: datetime, now: datetime) -> str:
    """What lies between two local moments, in words; whole days without their hours."""
    if start.time() == end.time() == time.min:
        last = end.date() - timedelta(days=1)
        return describe(Resolution(date=start.date(), end_date=last if last > start.date() else None), now)
    if start.date() != end.date():
        return f"{describe(start, now)} – {describe(end, now)}"
    return describe(Resolution(date=start.date(), time_from=start.time(), time_to=end.time()), now)


def block(of: Clinic, found: TimeBlock, now: datetime) -> Shown:
    who = of.professional(found.professional_id or "")
    return {
        **BlockOut.of(found).told("days"),
        "professional": who.name if who else None,
        "when": stretch(found.start, found.end, now),
        "start": found.start.isoformat(timespec="minutes"),
        "end": found.end.isoformat(timespec="minutes"),
    }


def standing(found: Appointment) -> Shown:
    """An appointment in the way of something."""
    return {"id": found.id, "start": found.start.isoformat(timespec="minutes"), "patient": found.patient_name}


class Names(Protocol):
    """What appointments' states are called in Portuguese; the agenda knows it."""

    @property
    def statuses(self) -> Mapping[str, str]: ...

    @property
    def attendances(self) -> Mapping[str, str]: ...


def appointment(found: Appointment, now: datetime, names: Names) -> Shown:
    """`attendance`, `note`, `override`: only where there is something to tell."""
    there = found.attendance is not Attendance.EXPECTED
    return {
        "id": found.id,
        "version": found.version,
        "when": describe(found.start, now),
        "start": found.start.isoformat(timespec="minutes"),
        "end": found.end.isoformat(timespec="minutes"),
        "status": str(found.status),
        "statusText": names.statuses[found.status],
        **({"attendance": found.attendance, "attendanceText": names.attendances[found.attendance]} if there else {}),
        "serviceId": found.service_id,
        "service": found.service_name,
        "professionalId": found.professional_id,
        "professional": found.professional_name,
        "patientId": found.patient_id,
        "patient": found.patient_name,
        "contact": found.contact,
        "phone": found.patient_phone,
        **({"cancelReason": found.cancel_reason} if found.cancel_reason else {}),
        **({"note": found.note} if found.note else {}),
        **({"plan": found.plan, "covered": found.covered} if found.plan else {}),
        **({"override": True} if found.override else {}),
        **({"lateMinutes": found.late.minutes} if found.late else {}),
    }


def nearby(found: Mapping[str, Any]) -> Shown:
    """What helps after a refusal; see `refusals.nearby`."""
    makers: Mapping[str, Callable[[Any], Shown]] = {
        "alternatives": slot,
        "standing": standing,
        "candidates": lambda task: {"id": task.id, "title": task.title},
    }
    return {name: list(map(make, found[name])) for name, make in makers.items() if name in found}


def change(made: Change, now: datetime, names: Names) -> Shown:
    """`notice`: what became of telling the patient."""
    told = {"queued": made.notice.queued, "text": made.notice.text} if made.notice else None
    return {"appointment": appointment(made.appointment, now, names), "notice": told}


def patient(row: PatientRow) -> Shown:
    absent = [name for name in ("via", "plan") if not getattr(row, name)]
    return PatientOut.of(row).told("updated_at", *absent)


def patient_card(card: PatientCard, now: datetime, names: Names) -> Shown:
    """Without personal data: no language model is given any."""
    return {
        **patient(card.patient),
        "notes": card.notes,
        "addresses": list(card.forms),
        "coming": [appointment(coming, now, names) for coming in card.coming],
        "past": [appointment(past, now, names) for past in card.past[:20]],
        "visits": VisitsOut.of(card.visits).told(),
        "bookers": [BookerOut.read(booker).told("last_message_at", "no_marketing_since") for booker in card.bookers],
        "family": list(map(patient, card.family)),
        "familyComing": [appointment(coming, now, names) for coming in card.family_coming],
        "optedOut": card.consent.opted_out_at is not None,
        "hasConversation": card.written,
    }


def conversation(row: Row) -> Shown:
    """`state`: waiting (for a person, and nobody came), person, bot or closed. `reason`: of a take-over. `dangerSince`
    and `snoozedUntil` only where there is one."""
    told = ConversationOut.of(row).told("channel", "updated_at", "window_ends_at", "snoozed_by")
    rare = {name for name in ("dangerSince", "snoozedUntil") if told[name] is None}
    return {**{name: value for name, value in told.items() if name not in rare}, "reason": row.takeover_reason}


def view(found: View) -> Shown:
    """`freeText`: whether text may go now; where not, `template`: whether a template of the clinic's can carry it."""
    return {
        **conversation(found.row),
        "freeText": found.free_text,
        "template": found.template,
        "messages": [
            MessageOut.shown(item).told("id", "type", "options", "file_name", "failure", "session", "processing")
            for item in found.items
        ],
        "hasOlder": found.older is not None,
    }


def due(date: Due, now: datetime) -> str:
    return describe(Resolution(date=date.day, time=date.at) if date.at else date.day, now)


def task(found: Task, now: datetime) -> Shown:
    """What it does not have is left out: a list of tasks is half as long without."""
    told = {
        "id": found.id,
        "title": found.title,
        "description": found.description,
        "status": str(found.status),
        "due": due(found.due, now) if found.due else None,
        "dueDate": found.due.day.isoformat() if found.due else None,
        "overdue": found.overdue,
        "assignedTo": found.assigned_name,
        "contact": found.link.contact,
        "patientId": found.link.patient_id,
        "appointmentId": found.link.appointment_id,
        "occasion": str(found.occasion) if found.occasion else None,
        "personal": found.personal or None,
        "createdBy": found.created_by,
        "completedBy": found.completed_by,
    }
    return {name: value for name, value in told.items() if value not in {None, ""}}


def in_line(text: str) -> str:
    """On one line, without what nobody sees."""
    return " ".join(visible(text).split())


def shortened(text: str) -> str:
    """A name, on one line, of at most MOST_NAME characters."""
    line = in_line(text)
    return line if len(line) <= MOST_NAME else f"{line[: MOST_NAME - 1]}…"
