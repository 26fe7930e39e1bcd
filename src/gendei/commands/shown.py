"""What tools answer: small dictionaries, with the ids that other tools take."""

from collections.abc import Callable, Mapping
from datetime import datetime, time, timedelta
from typing import Any

from gendei.booking.appointment import Appointment
from gendei.booking.dates import Resolution, describe
from gendei.booking.slots import DaySearch, Slot
from gendei.booking.time_blocks import TimeBlock
from gendei.clinic import WEEKDAYS, Clinic, Professional, Service, WeeklyHours
from gendei.staff.agenda.agenda import Change
from gendei.staff.inbox.conversation import View
from gendei.staff.inbox.messages_shown import Item
from gendei.staff.inbox.rows import Row
from gendei.staff.patients import PatientCard, PatientRow
from gendei.staff.tasks.stored import Due, Task

Shown = dict[str, Any]


def clinic(one: Clinic, now: datetime) -> Shown:
    return {
        "name": one.name,
        "now": now.isoformat(timespec="minutes"),
        "today": describe(now.date(), now),
        "timezone": one.timezone.key,
        "address": one.address,
        "phone": one.phone,
        "hours": _hours(one.hours),
        "closed": [day.isoformat() for day in sorted(one.closed)],
        "insurance": list(one.insurance),
        "paymentMethods": list(one.payment_methods),
        "cancellationPolicy": one.cancellation_policy,
        "notes": one.notes,
        "leadMinutes": one.booking.lead_minutes,
        "horizonDays": one.booking.horizon_days,
    }


def service(one: Service) -> Shown:
    return {
        "id": one.id,
        "name": one.name,
        "durationMinutes": one.duration_minutes,
        "priceCents": one.price_cents,
        "depositCents": one.deposit_cents,
        "description": one.description,
        "preparation": one.preparation,
        "telemedicine": one.telemedicine,
    }


def professional(of: Clinic, one: Professional) -> Shown:
    return {
        "id": one.id,
        "name": one.name,
        "specialty": one.specialty,
        "councilNumber": one.council_number,
        "serviceIds": list(one.service_ids),
        "hours": _hours(of.hours_of(one)),
    }


def slot(one: Slot) -> Shown:
    return {"professionalId": one.professional_id, "start": one.start.isoformat(timespec="minutes")}


def slot_day(one: DaySearch, now: datetime) -> Shown:
    """`reason`: why there is none, where there is none."""
    shown: Shown = {"day": describe(one.day, now), "date": one.day.isoformat(), "slots": [slot(s) for s in one.slots]}
    return shown | ({"reason": str(one.reason)} if one.reason else {})


def stretch(start: datetime, end: datetime, now: datetime) -> str:
    """What lies between two local moments, in words; whole days without their hours."""
    if start.time() == end.time() == time.min:
        last = end.date() - timedelta(days=1)
        return describe(Resolution(date=start.date(), end_date=last if last > start.date() else None), now)
    if start.date() != end.date():
        return f"{describe(start, now)} – {describe(end, now)}"
    return describe(Resolution(date=start.date(), time_from=start.time(), time_to=end.time()), now)


def block(of: Clinic, one: TimeBlock, now: datetime) -> Shown:
    who = of.professional(one.professional_id or "")
    return {
        "id": one.id,
        "professionalId": one.professional_id,
        "professional": who.name if who else None,
        "when": stretch(one.start, one.end, now),
        "start": one.start.isoformat(timespec="minutes"),
        "end": one.end.isoformat(timespec="minutes"),
        "reason": one.reason,
        "by": one.by,
    }


def standing(one: Appointment) -> Shown:
    """An appointment in the way of something."""
    return {"id": one.id, "start": one.start.isoformat(timespec="minutes"), "patient": one.patient_name}


def appointment(one: Appointment, now: datetime, statuses: Mapping[str, str]) -> Shown:
    return {
        "id": one.id,
        "version": one.version,
        "when": describe(one.start, now),
        "start": one.start.isoformat(timespec="minutes"),
        "end": one.end.isoformat(timespec="minutes"),
        "status": str(one.status),
        "statusText": statuses[one.status],
        "serviceId": one.service_id,
        "service": one.service_name,
        "professionalId": one.professional_id,
        "professional": one.professional_name,
        "patientId": one.patient_id,
        "patient": one.patient_name,
        "contact": one.contact,
        "phone": one.patient_phone,
        **({"cancelReason": one.cancel_reason} if one.cancel_reason else {}),
    }


def nearby(found: Mapping[str, Any]) -> Shown:
    """What helps after a refusal; see `refusals.nearby`."""
    makers: Mapping[str, Callable[[Any], Shown]] = {
        "alternatives": slot,
        "standing": standing,
        "candidates": lambda task: {"id": task.id, "title": task.title},
    }
    return {name: [make(one) for one in found[name]] for name, make in makers.items() if name in found}


def change(one: Change, now: datetime, statuses: Mapping[str, str]) -> Shown:
    """`notice`: what became of telling the patient."""
    told = {"queued": one.notice.queued, "text": one.notice.text} if one.notice else None
    return {"appointment": appointment(one.appointment, now, statuses), "notice": told}


def patient(one: PatientRow) -> Shown:
    return {"id": one.id, "name": one.name, "contact": one.contact, "phone": one.phone}


def patient_card(card: PatientCard, now: datetime, statuses: Mapping[str, str]) -> Shown:
    return {
        **patient(card.patient),
        "notes": card.notes,
        "addresses": list(card.forms),
        "coming": [appointment(one, now, statuses) for one in card.coming],
        "past": [appointment(one, now, statuses) for one in card.past[:20]],
        "family": [patient(one) for one in card.family],
        "optedOut": card.consent.opted_out_at is not None,
        "hasConversation": card.written,
    }


def conversation(row: Row) -> Shown:
    """`state`: waiting (for a person, and nobody came), person, bot or closed."""
    return {
        "contact": row.contact,
        "name": row.name,
        "phone": row.phone,
        "state": str(row.state),
        "waitingSince": _moment(row.waiting_since),
        "takenOverBy": row.taken_over_by,
        "reason": row.takeover_reason,
        "preview": row.preview,
        "unread": row.unread,
        "lastMessageAt": _moment(row.last_message_at),
        "assignedName": row.assigned_name,
        "labels": list(row.labels),
        "failure": row.failure,
    }


def view(one: View) -> Shown:
    """`freeText`: whether text may go now; where not, `template`: whether a template of the clinic's can carry it."""
    return {
        **conversation(one.row),
        "freeText": one.free_text,
        "template": one.template,
        "messages": [_message(item) for item in one.items],
        "hasOlder": one.older is not None,
    }


def due(one: Due, now: datetime) -> str:
    return describe(Resolution(date=one.day, time=one.at) if one.at else one.day, now)


def task(one: Task, now: datetime) -> Shown:
    """What it does not have is left out: a list of tasks is half as long without."""
    told = {
        "id": one.id,
        "title": one.title,
        "description": one.description,
        "status": str(one.status),
        "due": due(one.due, now) if one.due else None,
        "dueDate": one.due.day.isoformat() if one.due else None,
        "overdue": one.overdue,
        "assignedTo": one.assigned_name,
        "contact": one.link.contact,
        "patientId": one.link.patient_id,
        "appointmentId": one.link.appointment_id,
        "occasion": str(one.occasion) if one.occasion else None,
        "createdBy": one.created_by,
        "completedBy": one.completed_by,
    }
    return {name: value for name, value in told.items() if value not in {None, ""}}


def _message(item: Item) -> Shown:
    return {
        "at": _moment(item.at),
        "who": str(item.who),
        "kind": str(item.kind),
        "text": item.text,
        "name": item.name,
        "delivery": item.delivery.state if item.delivery else None,
    }


def _moment(moment: datetime | None) -> str | None:
    return moment.isoformat(timespec="seconds") if moment else None


def _hours(hours: WeeklyHours) -> dict[str, list[str]]:
    return {WEEKDAYS[day]: [str(one) for one in ranges] for day, ranges in sorted(hours.items())}
