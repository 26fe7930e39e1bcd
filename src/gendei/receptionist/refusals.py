"""Why something cannot be, in the patient's words, with what can be instead."""

from collections.abc import Iterable
from datetime import date

from gendei.booking.refusals import BookingRefused
from gendei.booking.slots import NoSlots, Slot
from gendei.receptionist.choices import Kind, choice, start_text
from gendei.receptionist.rendering import WEEKDAYS, professional_name, spoken_day
from gendei.receptionist.runtime import Runtime, ToolResult, failed
from gendei.receptionist.state import Goal


def slot_key(service_id: str, professional_id: str, local_start: str) -> str:
    """How an offered slot is remembered in SchedulingAgentState.available_slots."""
    return f"{service_id}|{professional_id}|{local_start}"


def slots_data(slots: Iterable[Slot], service_id: str, runtime: Runtime) -> list[dict[str, str]]:
    """Slots as a tool returns them; being returned is what makes them offered, so that they can be booked."""
    rows, keys = [], []
    moved = runtime.state.appointment_id if runtime.state.goal is Goal.MOVE else None
    for slot in slots:
        local = start_text(slot.start)
        keys.append(slot_key(service_id, slot.professional_id, local))
        rows.append(
            {
                "date": slot.start.date().isoformat(),
                "weekday": WEEKDAYS[slot.start.weekday()],
                "time": f"{slot.start:%H:%M}",
                "professional": professional_name(runtime.clinic, slot.professional_id),
                "professional_id": slot.professional_id,
                "choice": choice(Kind.MOVE_TO, moved, slot.professional_id, local)
                if moved
                else choice(Kind.SLOT, service_id, slot.professional_id, local),
            }
        )
    runtime.state.offer(keys)
    return rows


def reason_text(reason: str, runtime: Runtime, day: date | None = None, professional_id: str | None = None) -> str:
    """The sentence for a NoSlots or a Refusal. `day` and `professional_id`: what was asked for, where known."""
    nobody = professional_id is None and reason == NoSlots.PROFESSIONAL_OFF
    return runtime.say(
        "refusal_nobody_off" if nobody else f"refusal_{reason}",
        weekday_date=spoken_day(day, runtime) if day else runtime.say("that_day"),
        professional_name=professional_name(runtime.clinic, professional_id)
        if professional_id
        else runtime.say("nobody_of_team"),
    )


def refusal_result(
    runtime: Runtime,
    refused: BookingRefused,
    service_id: str | None = None,
    day: date | None = None,
    professional_id: str | None = None,
) -> ToolResult:
    """A refusal of the desk as a tool's answer. With the service known, its alternatives are offered."""
    nearest = slots_data(refused.alternatives, service_id, runtime) if service_id else []
    data = {"reason": str(refused.reason), "nearest": nearest}
    return failed(reason_text(refused.reason, runtime, day, professional_id), data)
