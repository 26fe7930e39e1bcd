"""Free times, holding one, and booking it. A booking takes only a slot that was offered in this conversation."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from agents.tool_context import ToolContext

from gendei.booking.charges import takers
from gendei.booking.patients import clean_name
from gendei.booking.personal_data import PersonalData
from gendei.booking.slots import BookingRefused, Found, NoSlots
from gendei.booking.time_wish import TimeWish
from gendei.booking.visits import BookingRequest
from gendei.booking.wallclock import start_text, time_text
from gendei.health_plan import PRIVATE
from gendei.messages.replies import Reply
from gendei.receptionist.asked_data import begin_asking
from gendei.receptionist.offers.choices import Choice, Kind
from gendei.receptionist.offers.deposit_terms import agreed_terms, booking_terms, read_charges
from gendei.receptionist.offers.reasons import instead_texts, reason_text
from gendei.receptionist.offers.rendering import change_text, spoken_day
from gendei.receptionist.offers.slot_options import dealt, other_times, slot_key, spread, suggestion
from gendei.receptionist.runtime import Change, Context, Runtime, ToolResult, failed
from gendei.receptionist.state import Goal, SchedulingState
from gendei.receptionist.tools.names import name_missing
from gendei.receptionist.tools.offering import (
    ask_first,
    ask_for_plan,
    ask_for_yes,
    held,
    keep_for_strict,
    plan_missing,
    plan_refused,
    refusal_result,
    search_clinic,
    slots_data,
    told_plan,
)
from gendei.receptionist.tools.refusals import ToolRefusal
from gendei.receptionist.tools.when import start_of, wish_of
from gendei.receptionist.understanding.language import words

MOVER = "payment"
"""The agent that moves what is booked: what it searches for begins no new booking."""
MAX_RETURNED = 60
"""More slots than this tell a model nothing, and cost tokens."""
MAX_NEAREST = 8


async def get_available_slots(
    context: Context,
    service_id: str,
    date: str,
    professional_id: str | None = None,
    time_from: str | None = None,
    time_to: str | None = None,
) -> ToolResult:
    """Get free appointment time slots for a service. Only slots returned here can be booked.

    Without any, `reason` and `reason_text` say why there are none for what was asked, and `alternatives` what is
    nearest: `gives_way` and `text` name the wish that has to give way. `suggestion` holds the tool that shows them
    best, and its arguments but for the text.
    """
    runtime = context.context
    wish = wish_of(date, time_from, time_to, runtime)
    if runtime.strict is not None and isinstance(context, ToolContext) and context.agent is not None:
        _begin_move(runtime, context.agent.name, service_id)
    by_plan = takers(runtime.clinic, runtime.state.plan, service_id)
    has_plan = runtime.state.goal is Goal.BOOK and runtime.state.plan not in {"", PRIVATE}
    if has_plan and by_plan and professional_id and professional_id not in by_plan:
        return plan_refused(runtime, service_id, professional_id)
    try:
        found = await runtime.desk.find(
            search_clinic(runtime, service_id),
            service_id,
            wish,
            professional_id=professional_id,
            contact=runtime.contact,
        )
    except BookingRefused as refused:
        return refusal_result(runtime, refused, service_id, None, professional_id)
    fitting = spread(found.slots, MAX_RETURNED, MAX_RETURNED)
    data: dict[str, object] = {
        "available": bool(fitting),
        "date": wish.first.isoformat(),
        "day": spoken_day(wish.first, runtime),
        "slots": slots_data(fitting, service_id, runtime),
        "suggestion": suggestion(fitting, service_id, runtime),
    }
    if found.reason:
        data |= _instead(runtime, wish, found, professional_id, service_id)
    else:
        keep_for_strict(runtime, "", suggestion(fitting, service_id, runtime))
    more = other_times(fitting)
    return ToolResult(True, data, reason=found.reason, found=len(fitting), brief=_briefly(data, more))


def _begin_move(runtime: Runtime, agent: str, service_id: str) -> None:
    """What the mover looks for is a new time for the one appointment of this service, so that what is tapped moves
    it."""
    coming = [found for found in runtime.appointments or () if found.status.live and found.service_id == service_id]
    if agent != MOVER or len(coming) != 1:
        return
    [found] = coming
    if runtime.state.goal is not Goal.MOVE or runtime.state.appointment_id != found.id:
        runtime.state = runtime.state.begun(Goal.MOVE, found.id)
        runtime.state.select_service(found.service_id, found.service_name)
        runtime.state.state = SchedulingState.SELECTING_TIME
    runtime.remember([found])


def _briefly(data: Mapping[str, Any], more: Sequence[str]) -> dict[str, Any]:
    """What was found, each slot once: in the suggestion or, where that has no room, in `more`."""
    near = [{name: row[name] for name in ("gives_way", "text")} for row in data.get("alternatives", ())]
    told = {name: value for name, value in data.items() if name not in {"slots", "alternatives"}}
    return {**told, **({"alternatives": near} if near else {}), **({"more": list(more)} if more else {})}


def _instead(
    runtime: Runtime, wish: TimeWish, found: Found, professional_id: str | None, service_id: str
) -> dict[str, object]:
    """Why nothing fits, and what is nearest: no more than a list shows, some of each kind."""
    near = dealt(found.alternatives, MAX_NEAREST)
    of_all_days = NoSlots.OFF_GRID if wish.has_hours else NoSlots.FULL
    why = found.reason if found.reason and found.says_all else of_all_days
    told = reason_text(why, runtime, wish, professional_id, service_id)
    texts = instead_texts(near, runtime, wish, professional_id, service_id, told)
    found_instead = [slot for alternative in near for slot in alternative.slots]
    instead: dict[str, object] = {
        "reason": str(found.reason),
        "reason_text": told,
        "alternatives": [
            {
                "gives_way": str(alternative.gives_way),
                "text": text,
                "slots": slots_data(alternative.slots, service_id, runtime),
            }
            for alternative, text in zip(near, texts, strict=True)
        ],
    }
    shown = suggestion(found_instead, service_id, runtime)
    keep_for_strict(runtime, "\n\n".join(filter(None, (told, "\n".join(texts)))), shown)
    return {**instead, "suggestion": shown}


def _was_offered(runtime: Runtime, service_id: str, professional_id: str, start: datetime) -> bool:
    key = slot_key(service_id, professional_id, start_text(start))
    return runtime.state.offer_of(key, runtime.now) is not None


async def hold_slot(  # noqa: PLR0913, PLR0917  # what models call it with
    context: Context,
    service_id: str,
    professional_id: str,
    date: str,
    time: str,
    appointment_id: str | None = None,
    plan: str | None = None,
    patient_name: str | None = None,
) -> ToolResult:
    """Keep an offered slot for a few minutes while the patient confirms it. The result's `yes_choice` is the option
    that says yes to it.

    With patient_name, for whom it is, the patient is asked at once, unless their plan has to be known first.
    """
    runtime = context.context
    if plan is not None and (refused := told_plan(runtime, plan)) is not None:
        return refused
    start = start_of(date, time, runtime)
    state = runtime.state
    moved = appointment_id or (state.appointment_id if state.goal is Goal.MOVE else None)
    if moved is not None and moved not in runtime.seen:  # NotFound for what is nobody's, or somebody else's
        runtime.remember([await runtime.desk.appointment(runtime.clinic, runtime.contact, moved)])
    if patient_name is not None and moved is None:
        if (missing := name_missing(runtime, patient_name)) is not None:
            return missing  # the question would show a name that only the model said
        state.patient_name = clean_name(patient_name)
    kept = await held(runtime, service_id, professional_id, start, moved)
    if not kept.success:
        return kept
    if "ask_for_plan" in kept.data and runtime.strict is not None:
        ask_for_plan(runtime, service_id, professional_id)
        return ToolResult(True, {**kept.data, "asked": True})
    known = patient_name is not None or (runtime.strict is not None and moved is not None)
    if not known or "ask_for_plan" in kept.data:
        return kept
    ask_for_yes(runtime, kept.data)
    return ToolResult(True, {**kept.data, "asked": True}, brief={"asked": True})


async def release_slot(context: Context) -> ToolResult:
    """Let go of the slot that hold_slot kept, when the patient gives up, so that others can have it."""
    runtime = context.context
    await runtime.desk.release(runtime.clinic, runtime.contact)
    return ToolResult(True, {"released": True})


async def create_appointment(
    context: Context,
    service_id: str,
    professional_id: str,
    date: str,
    time: str,
    patient_name: str,
    plan: str | None = None,
) -> ToolResult:
    """Book a new appointment for the patient, after they said yes to exactly this time.

    While they have not, nothing is booked: the result holds what to show and to ask with.
    """
    runtime = context.context
    if plan is not None and (refused := told_plan(runtime, plan)) is not None:
        return refused
    start = start_of(date, time, runtime)
    if runtime.old_yes:
        return failed(ToolRefusal.OLD_YES, runtime.say("refusal_old_yes"))
    if not _was_offered(runtime, service_id, professional_id, start):
        return failed(ToolRefusal.NOT_SHOWN, runtime.say("refusal_not_shown"))
    if (
        missing := plan_missing(runtime, service_id, professional_id) or name_missing(runtime, patient_name)
    ) is not None:
        return missing
    if not runtime.agrees(Kind.BOOK, service_id, professional_id, start_text(start)):
        if runtime.strict is not None:
            runtime.state.patient_name = clean_name(patient_name)
        return await ask_first(runtime, service_id, professional_id, start)
    shown = runtime.state.patient_name
    if runtime.by_model and shown is not None and words(shown) != words(patient_name):
        runtime.state.patient_name = clean_name(patient_name)
        return await ask_first(runtime, service_id, professional_id, start)
    asked = Choice(Kind.BOOK, (service_id, professional_id, start_text(start)))
    terms = await booking_terms(runtime, runtime.clinic.service(service_id), professional_id, runtime.state.plan)
    agreed = agreed_terms(runtime, asked, terms) if terms else None
    if terms is not None and agreed is None:
        return await ask_first(runtime, service_id, professional_id, start)
    told = runtime.state.patient_phone
    request = BookingRequest(
        service_id,
        professional_id,
        start,
        patient_name,
        runtime.phone,
        runtime.channel,
        note=runtime.say("note_phone", value=told) if told else "",
        personal_data=PersonalData(plan_card=runtime.state.plan_card),
        plan=runtime.state.plan,
        deposit=agreed,
    )
    try:
        appointment = await runtime.desk.book(search_clinic(runtime, service_id), runtime.contact, request)
    except BookingRefused as refused:
        return refusal_result(runtime, refused, service_id, start, professional_id)
    await read_charges(runtime, [appointment])
    runtime.changed(Change.BOOKED, appointment)
    runtime.patient_id = appointment.patient_id
    runtime.state = runtime.state.finished()
    await begin_asking(runtime, appointment)
    return ToolResult(
        True,
        {
            "appointment_id": appointment.id,
            "date": start.date().isoformat(),
            "day": spoken_day(start.date(), runtime),
            "time": time_text(start),
            "professional": appointment.professional_name,
            "service": appointment.service_name,
            "deposit_amount": appointment.deposit_cents,
            **({"reserved_until_paid": True} if appointment.awaits_deposit else {}),
            **({"plan": appointment.plan, "covered": appointment.covered} if appointment.plan else {}),
        },
    )


async def send_appointment_confirmation(context: Context, appointment_id: str) -> ToolResult:
    """Send the appointment confirmation message via WhatsApp. The system writes it; add nothing to it."""
    runtime = context.context
    appointment = await runtime.desk.appointment(runtime.clinic, runtime.contact, appointment_id)
    if not appointment.status.live:
        return failed(ToolRefusal.NOT_FOUND, runtime.say("refusal_not_found"))
    change = next((made for made, changed in runtime.changes if changed.id == appointment.id), Change.BOOKED)
    runtime.tell(change, appointment, Reply(change_text(change, appointment, runtime)))
    return ToolResult(True, {"sent": True})


TOOLS = (get_available_slots, hold_slot, release_slot, create_appointment, send_appointment_confirmation)
