"""What the patient has booked. Another patient's appointment does not exist here: it is "not found"."""

from typing import Any

from gendei.booking.appointment import Appointment
from gendei.booking.personal_data import PersonalData, clean_plan_card
from gendei.booking.slots import BookingRefused
from gendei.booking.wallclock import start_text, time_text
from gendei.clinic import PersonalDatum, money
from gendei.clock import instant
from gendei.messages.replies import Reply
from gendei.messages.turns import LateNotice
from gendei.receptionist.offers.choices import Kind
from gendei.receptionist.offers.rendering import (
    appointment_line,
    appointment_values,
    change_text,
    line_for_staff,
    plan_lines,
    spoken_day,
)
from gendei.receptionist.offers.slot_options import slot_key
from gendei.receptionist.runtime import Change, Context, Runtime, ToolResult, failed
from gendei.receptionist.state import Goal
from gendei.receptionist.tools.offering import ask_first, refusal_result, told_plan
from gendei.receptionist.tools.refusals import ToolRefusal
from gendei.receptionist.tools.when import start_of

MOST_PAST = 20
"""Of a patient's past appointments, the last ones."""
MOST_LATE = 600
"""Minutes that a delay can have."""


async def get_patient_appointments(context: Context, past: bool = False) -> ToolResult:
    """View the patient's coming appointments, with the ids that moving and cancelling need."""
    runtime = context.context
    found = await runtime.desk.appointments_of(runtime.clinic, runtime.contact, upcoming_only=not past)
    if past:  # not remembered: what is over proves no booking
        over = [appointment for appointment in found if instant(appointment.start) <= instant(runtime.now)]
        return ToolResult(True, [{**_row(appointment, runtime), "past": True} for appointment in over[-MOST_PAST:]])
    runtime.remember(found)
    return ToolResult(True, [_row(appointment, runtime) for appointment in found], found=len(found))


async def cancel_appointment(context: Context, appointment_id: str, reason: str | None = None) -> ToolResult:
    """Cancel an existing appointment, after the patient said yes to cancelling exactly this one.

    While they have not, nothing is cancelled: the result holds what to show and to ask with.
    """
    runtime = context.context
    if runtime.old_yes:
        return failed(ToolRefusal.OLD_YES, runtime.say("refusal_old_yes"))
    if not runtime.agrees(Kind.CANCEL_NOW, appointment_id):
        return await _ask_to_cancel(runtime, appointment_id)
    cancelled = await runtime.desk.cancel(runtime.clinic, runtime.contact, appointment_id, reason or "")
    runtime.changed(Change.CANCELLED, cancelled)
    runtime.state = runtime.state.finished()
    return ToolResult(True, {**_row(cancelled, runtime), "cancelled": True})


async def _ask_to_cancel(runtime: Runtime, appointment_id: str) -> ToolResult:
    """What to show and to ask, of an appointment that can be cancelled."""
    found = await runtime.desk.appointment(runtime.clinic, runtime.contact, appointment_id)
    if not found.status.live:
        return failed(ToolRefusal.NOT_COMING, runtime.say("refusal_not_coming"))
    runtime.remember([found])
    question = {"summary": appointment_line(found, runtime), "yes_choice": runtime.ask(Kind.CANCEL_NOW, found.id)}
    return failed(ToolRefusal.NO_YES, runtime.say("refusal_no_yes"), question)


async def reschedule_appointment(
    context: Context, appointment_id: str, new_date: str, new_time: str, professional_id: str | None = None
) -> ToolResult:
    """Reschedule an existing appointment to a slot that get_available_slots returned, after the patient said yes to it.

    While they have not, nothing is moved: the result holds what to show and to ask with.
    """
    runtime = context.context
    start = start_of(new_date, new_time, runtime)
    before = await runtime.desk.appointment(runtime.clinic, runtime.contact, appointment_id)
    target = professional_id or before.professional_id
    if runtime.old_yes:
        return failed(ToolRefusal.OLD_YES, runtime.say("refusal_old_yes"))
    offered = runtime.state.offer_of(slot_key(before.service_id, target, start_text(start)), runtime.now)
    if offered is None and (instant(before.start), before.professional_id) != (instant(start), target):
        return failed(ToolRefusal.NOT_SHOWN, runtime.say("refusal_not_shown"))
    if not runtime.agrees(Kind.MOVE_NOW, appointment_id, target, start_text(start)):
        runtime.remember([before])
        return await ask_first(runtime, before.service_id, target, start, appointment_id)
    try:
        moved = await runtime.desk.move(runtime.clinic, runtime.contact, appointment_id, start, professional_id)
    except BookingRefused as refused:
        return refusal_result(runtime, refused, before.service_id, start, target)
    runtime.changed(Change.MOVED, moved)
    runtime.state = runtime.state.finished()
    return ToolResult(True, {**_row(moved, runtime), "moved": True})


async def confirm_presence(context: Context, appointment_id: str) -> ToolResult:
    """Note that the patient will come, when they say so about an appointment they have. The system tells them."""
    runtime = context.context
    found = await runtime.desk.appointment(runtime.clinic, runtime.contact, appointment_id)
    if instant(found.start) <= instant(runtime.now):
        return failed(ToolRefusal.OVER, runtime.say("refusal_over", **appointment_values(found, runtime)))
    if not found.status.live:
        return failed(ToolRefusal.CANCELLED, runtime.say("refusal_cancelled", **appointment_values(found, runtime)))
    kept = await runtime.desk.confirm_presence(runtime.clinic, runtime.contact, appointment_id)
    runtime.changed(Change.PRESENCE, kept)
    runtime.tell(Change.PRESENCE, kept, Reply(change_text(Change.PRESENCE, kept, runtime)))
    return ToolResult(True, {**_row(kept, runtime), "presence": True})


async def note_late(context: Context, minutes: int | None = None, appointment_id: str | None = None) -> ToolResult:
    """Note that the patient will be late for an appointment of today, and tell the staff.

    appointment_id: None for the next one of today. The result holds the appointment, where there is one.
    """
    runtime = context.context
    if minutes is not None and not 0 < minutes <= MOST_LATE:
        minutes = None
    today = runtime.now.date()
    found = [
        appointment
        for appointment in await runtime.desk.appointments_of(runtime.clinic, runtime.contact, upcoming_only=False)
        if runtime.clinic.local(appointment.start).date() == today
        and appointment.status.live
        and instant(appointment.end) > instant(runtime.now)
        and appointment_id in {None, appointment.id}
    ]
    if not found:
        runtime.late = LateNotice(told=runtime.say("reason_late"))
        return ToolResult(True, {"staff_told": True, "appointment_today": False})
    noted = await runtime.desk.note_late(runtime.clinic, runtime.contact, found[0].id, minutes)
    runtime.remember([noted])
    row, told = _row(noted, runtime), line_for_staff(noted, runtime)
    if noted.late is not None and noted.late.minutes:
        told = runtime.say("late_told_minutes", line=told, minutes=str(noted.late.minutes))
    runtime.late = LateNotice(noted.id, told)
    return ToolResult(True, {**row, "staff_told": True, "appointment_today": True})


async def note_health_plan(context: Context, plan: str | None = None, card_number: str | None = None) -> ToolResult:
    """Note by which health plan the patient comes, or the number of its card: for the booking that is under way, else
    for the appointment they booked last, or the next one. The result holds what it costs then."""
    runtime = context.context
    if plan is not None and (refused := told_plan(runtime, plan)) is not None:
        return refused
    number = clean_plan_card(card_number) if card_number else None
    runtime.state.plan_card = number or runtime.state.plan_card
    if runtime.state.in_progress and runtime.state.goal is Goal.BOOK:
        return ToolResult(True, {"noted_for": "booking", "plan": runtime.state.plan})
    coming = await runtime.desk.appointments_of(runtime.clinic, runtime.contact)
    if not coming:
        return ToolResult(True, {"noted_for": None, "plan": runtime.state.plan})
    found = next((each for each in coming if _is_last(each, runtime)), coming[0])
    kept = PersonalData(plan_card=number if PersonalDatum.PLAN_CARD in runtime.clinic.kept_data else None)
    wanted = runtime.state.plan if plan is not None else found.plan
    try:
        noted = await runtime.desk.set_plan(runtime.clinic, runtime.contact, found.id, wanted, kept)
    except BookingRefused as refused:
        return refusal_result(runtime, refused, found.service_id, None, found.professional_id)
    runtime.remember([noted])
    details = plan_lines(noted, runtime) or _private_costs(noted, runtime)
    return ToolResult(True, {**_row(noted, runtime), "noted_for": "appointment", "details": details})


def _private_costs(appointment: Appointment, runtime: Runtime) -> list[str]:
    cents = appointment.price_cents
    return [runtime.say("plan_private_costs", service=appointment.service_name, price=money(cents))] if cents else []


def _is_last(appointment: Appointment, runtime: Runtime) -> bool:
    """Whether it is what was booked last in this conversation."""
    start, last = runtime.clinic.local(appointment.start), runtime.state.last
    return (f"{start:%Y-%m-%d}", f"{start:%H:%M}") == (last.get("date"), last.get("time"))


def _row(appointment: Appointment, runtime: Runtime) -> dict[str, Any]:
    start = runtime.clinic.local(appointment.start)
    return {
        "appointment_id": appointment.id,
        "status": str(appointment.status),
        "service": appointment.service_name,
        "service_id": appointment.service_id,
        "professional": appointment.professional_name,
        "professional_id": appointment.professional_id,
        "date": start.date().isoformat(),
        "day": spoken_day(start.date(), runtime),
        "time": time_text(start),
        "patient": appointment.patient_name,
        "line": appointment_line(appointment, runtime),
        **({"plan": appointment.plan, "covered": appointment.covered} if appointment.plan else {}),
    }


TOOLS = (
    get_patient_appointments,
    cancel_appointment,
    reschedule_appointment,
    confirm_presence,
    note_late,
    note_health_plan,
)
