"""Keeping a slot while the patient is asked about it."""

from datetime import datetime

from gendei.booking.dates.rendering import plain_clock
from gendei.booking.refusals import BookingRefused
from gendei.booking.wallclock import start_text
from gendei.receptionist.offers.choices import Kind, parse_choice
from gendei.receptionist.offers.questions import question_text
from gendei.receptionist.offers.rendering import price, spoken_day
from gendei.receptionist.offers.slot_options import slot_key
from gendei.receptionist.runtime import Runtime, ToolResult, failed
from gendei.receptionist.tools.offering import refusal_result


async def held(
    runtime: Runtime, service_id: str, professional_id: str, start: datetime, moved: str | None = None
) -> ToolResult:
    """Hold the slot, and ask for the yes to it. moved: the id of the appointment that would be moved there."""
    service = runtime.clinic.service(service_id)
    try:
        hold = await runtime.desk.hold(
            runtime.clinic, runtime.contact, service_id, professional_id, start, moving=moved is not None
        )
    except BookingRefused as refused:
        return refusal_result(runtime, refused, service_id, start.date(), professional_id)
    local = start_text(start)
    runtime.keep_offered(slot_key(service_id, professional_id, local))
    kind, subject = (Kind.MOVE_NOW, moved) if moved else (Kind.BOOK, service_id)
    return ToolResult(
        True,
        {
            "day": spoken_day(start.date(), runtime),
            "time_text": plain_clock(start),
            "price": price(service, runtime) if service else "",
            "held_until": hold.expires_at.isoformat(),
            "yes_choice": runtime.ask(kind, subject, professional_id, local),
        },
    )


async def ask_first(
    runtime: Runtime, service_id: str, professional_id: str, start: datetime, moved: str | None = None
) -> ToolResult:
    """Refuse what the patient has not said yes to, with what to show them and to ask; the slot waits for the answer."""
    kept = await held(runtime, service_id, professional_id, start, moved)
    if not kept.success:
        return kept
    asked = parse_choice(kept.data["yes_choice"])
    summary = question_text(asked, runtime) if asked else ""
    return failed(runtime.say("refusal_no_yes"), {**kept.data, "summary": summary})
