"""What the patient has in the agenda already, as the dialogue reads it."""

from collections.abc import Generator
from datetime import timedelta
from typing import Any

from gendei.booking.appointment import AppointmentStatus
from gendei.clock import instant
from gendei.messages.replies import Reply
from gendei.receptionist.guided.guided_turn import BOOK, Action, Dialogue, GuidedTurn, Result
from gendei.receptionist.offers.choices import Kind, choice, start_from
from gendei.receptionist.offers.rendering import change_text
from gendei.receptionist.state import Goal

Found = list[dict[str, Any]]
_NOT_HELD = frozenset({AppointmentStatus.CANCELLED, AppointmentStatus.NO_SHOW})


def mine(turn: GuidedTurn) -> Generator[Action, Result, Found]:
    """The coming appointments, as rows of get_patient_appointments, by start."""
    yield from turn.go("payment")
    result = yield from turn.call("get_patient_appointments")
    return list(result.get("data") or ())


def past(turn: GuidedTurn) -> Generator[Action, Result, Found]:
    """Those that took place, by start."""
    yield from turn.go("payment")
    result = yield from turn.call("get_patient_appointments", past=True)
    return [row for row in result.get("data") or () if row["status"] not in _NOT_HELD]


def booked(turn: GuidedTurn, service_id: str | None, date: str | None, time: str | None) -> dict[str, str]:
    """What was booked or moved, as SchedulingAgentState.last keeps it; {} for what there is no such service of."""
    clinic = turn.runtime.clinic
    start, service = start_from(f"{date}T{time}", clinic), clinic.service(service_id or "")
    if start is None or service is None:
        return {}
    end = clinic.local(instant(start) + timedelta(minutes=service.duration_minutes))
    return {"service_id": service.id, "date": f"{start:%Y-%m-%d}", "time": f"{start:%H:%M}", "end": f"{end:%H:%M}"}


def same_as_draft(turn: GuidedTurn) -> Generator[Action, Result, dict[str, Any] | None]:
    """The appointment that is just what the draft asks for: the same patient, service and start."""
    state = turn.state
    if state.goal is not Goal.BOOK or state.awaiting_name or not state.selected_date or not state.selected_time:
        return None
    name = state.patient_name or turn.runtime.user_name
    wanted = (state.selected_service_id, state.selected_date, state.selected_time)
    agent, found = turn.agent, (yield from mine(turn))
    yield from turn.go(agent)
    return next(
        (
            row
            for row in found
            if (row["service_id"], row["date"], row["time"]) == wanted
            and name in {None, row["patient"]}
            and (not state.professional_wanted or row["professional_id"] == state.selected_professional_id)
        ),
        None,
    )


def already_booked(turn: GuidedTurn, row: dict[str, Any]) -> Dialogue:
    """Say that it stands, with what can be done about it."""
    turn.state = turn.state.finished()
    choices = [choice(Kind.MOVE, row["appointment_id"]), choice(Kind.CANCEL, row["appointment_id"])]
    yield from turn.ask(turn.phrase("already_booked", line=row["line"]), [*choices, BOOK])


def tell_changes(turn: GuidedTurn) -> None:
    """Say what this turn changed before the turn goes on with something else."""
    for change, appointment in turn.runtime.changes:
        turn.runtime.tell(change, appointment, Reply(change_text(change, appointment, turn.runtime, goes_on=True)))
