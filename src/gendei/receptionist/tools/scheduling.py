"""Free times, holding one, and booking it. A booking takes only a slot that was offered in this conversation."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from gendei.booking.slots import BookingRefused, NoSlots, Slot
from gendei.booking.visits import BookingRequest
from gendei.booking.wallclock import start_text, time_text
from gendei.clock import instant
from gendei.messages.replies import Reply
from gendei.receptionist.offers.choices import Kind
from gendei.receptionist.offers.rendering import change_text, spoken_day
from gendei.receptionist.offers.slot_options import slot_key, spread, suggestion
from gendei.receptionist.runtime import Change, Context, Runtime, ToolResult, failed
from gendei.receptionist.state import Goal
from gendei.receptionist.tools.offering import ask_first, held, reason_text, refusal_result, slots_data
from gendei.receptionist.tools.refusals import Reason, ToolRefusal
from gendei.receptionist.tools.when import MAX_DAYS, Wanted, start_of, wanted_days

MAX_RETURNED = 60
"""More slots than this tell a model nothing, and cost tokens."""
MAX_NEAREST = 8
DAYS_BEFORE = timedelta(days=3)
"""How much earlier than the day that was asked for may be offered in its place."""


async def get_available_slots(
    context: Context,
    service_id: str,
    date: str,
    professional_id: str | None = None,
    time_from: str | None = None,
    time_to: str | None = None,
) -> ToolResult:
    """Get free appointment time slots for a service. Only slots returned here can be booked.

    If there are clear options, offer them with enviar_opcoes (up to 3) or enviar_lista (4 to 10) instead of describing
    every slot in text: `suggestion` in the result names the tool and holds its arguments, add only `texto`.

    Args:
        service_id: The ID of the service to check.
        date: The day as YYYY-MM-DD, an interval as YYYY-MM-DD/YYYY-MM-DD, the patient's own words
            ("quinta de tarde"), or "próximos" for the next free times. Never compute dates yourself.
        professional_id: A specific professional's ID, or null for anybody who does the service.
        time_from: Only slots from this time on (HH:MM), or null. The same as time_to: exactly at this time.
        time_to: Only slots before this time (HH:MM), or null.
    """
    runtime = context.context
    wanted = wanted_days(date, time_from, time_to, runtime)
    try:
        days = await runtime.desk.search_days(
            runtime.clinic,
            service_id,
            wanted.first,
            wanted.days,
            professional_id=professional_id,
            contact=runtime.contact,
        )
    except BookingRefused as refused:
        return refusal_result(runtime, refused, service_id, None, professional_id)
    free = [slot for day in days for slot in day.slots]
    fitting = spread([slot for slot in free if wanted.fits(slot.start)], MAX_RETURNED, MAX_RETURNED)
    data: dict[str, object] = {
        "available": bool(fitting),
        "date": wanted.first.isoformat(),
        "day": spoken_day(wanted.first, runtime),
        "slots": slots_data(fitting, service_id, runtime),
        "suggestion": suggestion(fitting, service_id, runtime),
    }
    reason: Reason | None = None
    if not fitting:
        reason = ToolRefusal.NO_TIME if free else days[0].reason or ToolRefusal.NO_TIME
        data |= await _why_not(reason, runtime, service_id, professional_id, wanted, free)
    return ToolResult(True, data, reason=reason, found=len(fitting))


async def _why_not(
    reason: Reason,
    runtime: Runtime,
    service_id: str,
    professional_id: str | None,
    wanted: Wanted,
    free: Sequence[Slot],
) -> dict[str, object]:
    """Why nothing fits, and the nearest times: those of the same days first, when only the hour did not fit."""
    nearest = _closest(free, wanted) if free else await _elsewhere(runtime, service_id, professional_id, wanted)
    key = "range" if wanted.days > 1 and not free and reason not in {NoSlots.TOO_FAR, NoSlots.PAST} else str(reason)
    return {
        "reason": str(reason),
        "reason_text": reason_text(key, runtime, wanted.first, professional_id),
        "nearest": slots_data(nearest, service_id, runtime),
        "suggestion": suggestion(nearest, service_id, runtime),
    }


async def _elsewhere(runtime: Runtime, service_id: str, professional_id: str | None, wanted: Wanted) -> Sequence[Slot]:
    """Times of other days at the hours that were asked for: the last day before and the first after, or the next two;
    where there are none, or one exact hour was asked for, the nearest."""
    clinic, contact = runtime.clinic, runtime.contact
    first = max(wanted.first - DAYS_BEFORE, runtime.now.date())
    days = await runtime.desk.search_days(
        clinic, service_id, first, MAX_DAYS, professional_id=professional_id, contact=contact
    )
    fitting = [slot for day in days for slot in day.slots if wanted.fits(slot.start)]
    if fitting and wanted.at is None:
        before = max((slot.start.date() for slot in fitting if slot.start.date() < wanted.first), default=None)
        return spread([slot for slot in fitting if before is None or slot.start.date() >= before], MAX_NEAREST, 2)
    around = wanted.at or wanted.time_from
    found = await runtime.desk.search(
        clinic, service_id, wanted.first, professional_id=professional_id, contact=contact, around=around
    )
    return sorted(found.nearest, key=lambda slot: (instant(slot.start), slot.professional_id))


def _closest(free: Sequence[Slot], wanted: Wanted) -> list[Slot]:
    """A few slots nearest to the hour that was asked for, in order of time."""
    around = wanted.at or wanted.time_from or wanted.time_to
    if around is None:
        return list(free[:MAX_NEAREST])
    minute = around.hour * 60 + around.minute
    near = sorted(free, key=lambda slot: abs(slot.start.hour * 60 + slot.start.minute - minute))[:MAX_NEAREST]
    return sorted(near, key=lambda slot: (instant(slot.start), slot.professional_id))


def _was_offered(runtime: Runtime, service_id: str, professional_id: str, start: datetime) -> bool:
    key = slot_key(service_id, professional_id, start_text(start))
    return runtime.state.offer_of(key, runtime.now) is not None


async def hold_slot(
    context: Context,
    service_id: str,
    professional_id: str,
    date: str,
    time: str,
    appointment_id: str | None = None,
) -> ToolResult:
    """Keep an offered slot for a few minutes while the patient confirms it. The result's `yes_choice` is the option
    that says yes to it, for enviar_opcoes.

    Args:
        service_id: The ID of the service.
        professional_id: The professional of the slot.
        date: The slot's date, YYYY-MM-DD.
        time: The slot's time, HH:MM.
        appointment_id: The appointment that is to be moved to this slot, or null for a new one.
    """
    runtime = context.context
    start = start_of(date, time, runtime)
    state = runtime.state
    moved = appointment_id or (state.appointment_id if state.goal is Goal.MOVE else None)
    return await held(runtime, service_id, professional_id, start, moved)


async def release_slot(context: Context) -> ToolResult:
    """Let go of the slot that hold_slot kept, when the patient gives up, so that others can have it."""
    runtime = context.context
    await runtime.desk.release(runtime.clinic, runtime.contact)
    return ToolResult(True, {"released": True})


async def create_appointment(
    context: Context, service_id: str, professional_id: str, date: str, time: str, patient_name: str
) -> ToolResult:
    """Book a new appointment for the patient, after they said yes to exactly this time.

    While they have not, nothing is booked: the result holds the `summary` to show and the `yes_choice` to ask with.

    Args:
        service_id: The ID of the service.
        professional_id: The professional of the offered slot.
        date: The slot's date, YYYY-MM-DD.
        time: The slot's time, HH:MM.
        patient_name: Who the appointment is for.
    """
    runtime = context.context
    start = start_of(date, time, runtime)
    if runtime.old_yes:
        return failed(ToolRefusal.OLD_YES, runtime.say("refusal_old_yes"))
    if not _was_offered(runtime, service_id, professional_id, start):
        return failed(ToolRefusal.NOT_SHOWN, runtime.say("refusal_not_shown"))
    if not runtime.agrees(Kind.BOOK, service_id, professional_id, start_text(start)):
        return await ask_first(runtime, service_id, professional_id, start)
    request = BookingRequest(service_id, professional_id, start, patient_name, runtime.phone, runtime.channel)
    try:
        appointment = await runtime.desk.book(runtime.clinic, runtime.contact, request)
    except BookingRefused as refused:
        return refusal_result(runtime, refused, service_id, start.date(), professional_id)
    runtime.changed(Change.BOOKED, appointment)
    runtime.patient_id = appointment.patient_id
    runtime.state = runtime.state.finished()
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
        },
    )


async def send_appointment_confirmation(context: Context, appointment_id: str) -> ToolResult:
    """Send the appointment confirmation message via WhatsApp. The system writes it; add nothing to it.

    Args:
        appointment_id: The ID that create_appointment or reschedule_appointment returned.
    """
    runtime = context.context
    appointment = await runtime.desk.appointment(runtime.clinic, runtime.contact, appointment_id)
    if not appointment.status.live:
        return failed(ToolRefusal.NOT_FOUND, runtime.say("refusal_not_found"))
    change = next((made for made, changed in runtime.changes if changed.id == appointment.id), Change.BOOKED)
    runtime.tell(change, appointment, Reply(change_text(change, appointment, runtime)))
    return ToolResult(True, {"sent": True})


TOOLS = (get_available_slots, hold_slot, release_slot, create_appointment, send_appointment_confirmation)
