"""What the patient has booked. Another patient's appointment does not exist here: it is "not found"."""

from typing import Any

from gendei.booking.appointment import Appointment
from gendei.booking.personal_data import PersonalData, clean_plan_card
from gendei.booking.slots import BookingRefused
from gendei.booking.wallclock import start_text, time_text
from gendei.clinic import PersonalDatum, money
from gendei.clock import instant
from gendei.health_plan import PRIVATE
from gendei.messages.replies import Reply
from gendei.messages.turns import LateNotice
from gendei.receptionist.offers.choices import Action, Choice, Kind, choice
from gendei.receptionist.offers.deposit_terms import of_cancelling, read_charges, remember_terms
from gendei.receptionist.offers.questions import joined_lines
from gendei.receptionist.offers.rendering import (
    appointment_line,
    appointment_values,
    change_text,
    line_for_staff,
    plan_lines,
    spoken_day,
)
from gendei.receptionist.offers.slot_options import slot_key
from gendei.receptionist.presence import ANY
from gendei.receptionist.runtime import Change, Context, Runtime, ToolResult, failed
from gendei.receptionist.state import Goal
from gendei.receptionist.tools.messaging import show_choices
from gendei.receptionist.tools.offering import ask_first, refusal_result, told_plan
from gendei.receptionist.tools.refusals import ToolRefusal
from gendei.receptionist.tools.when import start_of
from gendei.receptionist.understanding.language import sentences_of

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
        lines = "\n".join(appointment_line(appointment, runtime) for appointment in over[-MOST_PAST:])
        tell_in_strict(runtime, "past_appointments" if over else "no_past_appointments", lines)
        return ToolResult(True, [{**_row(appointment, runtime), "past": True} for appointment in over[-MOST_PAST:]])
    runtime.remember(found)
    await read_charges(runtime, found)
    if runtime.strict is not None:
        runtime.strict.rows = [appointment.id for appointment in found]
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
    await read_charges(runtime, [cancelled])
    runtime.changed(Change.CANCELLED, cancelled)
    runtime.state = runtime.state.finished()
    return ToolResult(True, {**_row(cancelled, runtime), "cancelled": True})


async def _ask_to_cancel(runtime: Runtime, appointment_id: str) -> ToolResult:
    """What to show and to ask, of an appointment that can be cancelled."""
    found = await runtime.desk.appointment(runtime.clinic, runtime.contact, appointment_id)
    if not found.status.live:
        return failed(ToolRefusal.NOT_COMING, runtime.say("refusal_not_coming"))
    runtime.remember([found])
    await read_charges(runtime, [found])
    summary = joined_lines(appointment_line(found, runtime), money := of_cancelling(found, runtime))
    if money:
        remember_terms(runtime, Choice(Kind.CANCEL_NOW, (found.id,)), money)
    question = {"summary": summary, "yes_choice": runtime.ask(Kind.CANCEL_NOW, found.id)}
    if runtime.strict is not None:
        choices = [question["yes_choice"], choice(Kind.MOVE, found.id), choice(Kind.ACTION, Action.KEEP)]
        show_choices(runtime, runtime.say("confirm_cancel", line=question["summary"]), choices)
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
    await read_charges(runtime, [moved])
    runtime.changed(Change.MOVED, moved)
    runtime.state = runtime.state.finished()
    return ToolResult(True, {**_row(moved, runtime), "moved": True})


async def confirm_presence(context: Context, appointment_id: str) -> ToolResult:
    """Note that the patient will come, when they say so about an appointment they have. The system tells them.

    A model notes nothing that the patient did not say or tap in this turn.
    """
    runtime = context.context
    found = await runtime.desk.appointment(runtime.clinic, runtime.contact, appointment_id)
    values = appointment_values(found, runtime)
    if instant(found.start) <= instant(runtime.now):
        tell_in_strict(runtime, "refusal_over", **values)
        return failed(ToolRefusal.OVER, runtime.say("refusal_over", **values))
    if not found.status.live:
        tell_in_strict(runtime, "refusal_cancelled", **values)
        return failed(ToolRefusal.CANCELLED, runtime.say("refusal_cancelled", **values))
    if runtime.by_model and runtime.comes not in {found.id, ANY}:
        runtime.remember([found])
        return failed(ToolRefusal.NO_YES, runtime.say("refusal_no_presence", line=appointment_line(found, runtime)))
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
        tell_in_strict(runtime, "late_unknown")
        return ToolResult(True, {"staff_told": True, "appointment_today": False})
    noted = await runtime.desk.note_late(runtime.clinic, runtime.contact, found[0].id, minutes)
    runtime.remember([noted])
    row, told = _row(noted, runtime), line_for_staff(noted, runtime)
    if noted.late is not None and noted.late.minutes:
        told = runtime.say("late_told_minutes", line=told, minutes=str(noted.late.minutes))
    runtime.late = LateNotice(noted.id, told)
    tell_in_strict(runtime, "late_today", "\n".join([row["line"], *_said_of_late(runtime)]))
    return ToolResult(True, {**row, "staff_told": True, "appointment_today": True})


async def note_health_plan(context: Context, plan: str | None = None, card_number: str | None = None) -> ToolResult:
    """Note by which health plan the patient comes, or the number of its card: for the booking that is under way, else
    for the appointment they booked last, or the next one. The result holds what it costs then."""
    runtime = context.context
    if plan is not None and (refused := told_plan(runtime, plan)) is not None:
        return refused
    number = clean_plan_card(card_number) if card_number else None
    runtime.state.plan_card = number or runtime.state.plan_card
    if number is not None:
        tell_in_strict(runtime, "plan_card_noted")
    if plan is not None and runtime.state.plan:
        of_plan = "plan_noted_private" if runtime.state.plan == PRIVATE else "plan_noted"
        tell_in_strict(runtime, of_plan, plan=runtime.state.plan)
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
    if details and runtime.strict is not None:
        runtime.tell_own(Reply("\n".join(details)))
    return ToolResult(True, {**_row(noted, runtime), "noted_for": "appointment", "details": details})


def tell_in_strict(runtime: Runtime, phrase: str, lines: str = "", **values: str) -> None:
    """In strict mode say this in words of ours, and `lines` as the phrase has them or below it."""
    if runtime.strict is None:
        return
    text = runtime.say(phrase, lines=lines, **values)
    runtime.tell_own(Reply(text if not lines or lines in text else f"{text}\n\n{lines}"))


def _said_of_late(runtime: Runtime) -> list[str]:
    """What the clinic's texts say of being late."""
    if runtime.strict is None:
        return []
    texts = f"{runtime.clinic.notes}\n{runtime.clinic.cancellation_policy}"
    return sentences_of(texts, "late", runtime.strict.ear)


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
        **({"awaits_deposit": True} if appointment.awaits_deposit else {}),
        **({"if_cancelled": said} if (said := of_cancelling(appointment, runtime)) else {}),
    }


TOOLS = (
    get_patient_appointments,
    cancel_appointment,
    reschedule_appointment,
    confirm_presence,
    note_late,
    note_health_plan,
)
