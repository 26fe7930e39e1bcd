"""The question before anything is written into the agenda."""

from datetime import datetime

from gendei.booking.wallclock import time_text
from gendei.receptionist.capabilities import plans
from gendei.receptionist.guided.guided_turn import Dialogue, GuidedTurn, Result, Say, joined
from gendei.receptionist.guided.times import show_nearest, slots_of
from gendei.receptionist.offers.choices import Action as Wish
from gendei.receptionist.offers.choices import Kind, choice, start_from
from gendei.receptionist.offers.questions import summary_text
from gendei.receptionist.state import Goal, SchedulingState


def chosen_start(turn: GuidedTurn) -> datetime | None:
    """The start that the draft holds; None while a part of it is open."""
    return start_from(f"{turn.state.selected_date}T{turn.state.selected_time}", turn.runtime.clinic)


def confirm(turn: GuidedTurn, professional_id: str, start: datetime, lead: str = "") -> Dialogue:
    """Keep the slot for the patient and ask for the yes; ask for the name first where nobody told one."""
    state, runtime = turn.state, turn.runtime
    if (instead := plans.problem(turn, professional_id, lead)) is not None:
        yield from instead
        return
    asked = state.question if state.stands(state.question, runtime.now) else None
    draft_slot(turn, professional_id, start)
    state.state = SchedulingState.CONFIRMING
    held = yield from turn.call(
        "hold_slot",
        service_id=state.selected_service_id,
        professional_id=professional_id,
        date=state.selected_date,
        time=state.selected_time,
    )
    if not held["success"]:
        yield from refused(turn, held)
        return
    if state.goal is Goal.BOOK and (state.awaiting_name or not (state.patient_name or runtime.user_name)):
        yield from ask_name(turn, lead)
        return
    if plans.to_ask(turn):
        yield from plans.ask(turn, lead)
        return
    phrase = "confirm_move" if state.goal is Goal.MOVE else "confirm_booking"
    shown = {option["id"] for option in state.shown}
    if lead and asked == held["data"]["yes_choice"] and asked in shown:
        phrase += "_again"
    text = summary_text(
        phrase,
        held["data"],
        runtime,
        service=state.selected_service_name or "",
        professional_name=state.selected_professional_name or "",
        patient=state.patient_name or runtime.user_name or "",
    )
    others = [choice(Kind.ACTION, Wish.OTHER_TIME), choice(Kind.ACTION, Wish.GIVE_UP)]
    yield from turn.ask(joined(lead, text), [held["data"]["yes_choice"], *others])


def ask_name(turn: GuidedTurn, lead: str = "") -> Dialogue:
    """Who comes; the question for the yes waits until that is known."""
    turn.state.awaiting_name, turn.state.name_asked, turn.state.question = True, True, None
    yield Say(joined(lead, turn.phrase("ask_name")))


def draft_slot(turn: GuidedTurn, professional_id: str, start: datetime) -> None:
    """Write the slot into the draft."""
    state, professional = turn.state, turn.runtime.clinic.professional(professional_id)
    state.select_professional(professional_id, professional.name if professional else professional_id)
    state.selected_date, state.selected_until = start.date().isoformat(), None
    state.selected_time = state.hour = time_text(start)
    if not (state.time_from or "") <= state.selected_time < (state.time_to or "24:00"):
        state.time_from = state.time_to = None


def refused(turn: GuidedTurn, result: Result) -> Dialogue:
    """The desk said no: its reason, and the nearest times that it says are free."""
    turn.state.state = SchedulingState.SELECTING_TIME
    turn.state.selected_time = None
    nearest = (result.get("data") or {}).get("nearest", ())
    yield from show_nearest(turn, str(result["error"]), slots_of(turn, nearest))
