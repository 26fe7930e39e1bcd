"""What the patient has in the agenda already, as the dialogue reads it."""

from collections.abc import Generator
from datetime import timedelta
from typing import Any

from gendei.clock import instant
from gendei.receptionist.guided.guided_turn import Action, Dialogue, Result, Talk
from gendei.receptionist.offers.choices import Action as Wish
from gendei.receptionist.offers.choices import Kind, choice, start_from
from gendei.receptionist.state import Goal

Found = list[dict[str, Any]]


def mine(talk: Talk) -> Generator[Action, Result, Found]:
    """The coming appointments, as rows of get_patient_appointments, by start."""
    yield from talk.go("payment")
    result = yield from talk.call("get_patient_appointments")
    return list(result.get("data") or ())


def booked(talk: Talk, service_id: str | None, date: str | None, time: str | None) -> dict[str, str]:
    """What was booked or moved, as SchedulingAgentState.last keeps it; {} for what there is no such service of."""
    clinic = talk.runtime.clinic
    start, service = start_from(f"{date}T{time}", clinic), clinic.service(service_id or "")
    if start is None or service is None:
        return {}
    end = clinic.local(instant(start) + timedelta(minutes=service.duration_minutes))
    return {"service_id": service.id, "date": f"{start:%Y-%m-%d}", "time": f"{start:%H:%M}", "end": f"{end:%H:%M}"}


def same_as_draft(talk: Talk) -> Generator[Action, Result, dict[str, Any] | None]:
    """The appointment that is just what the draft asks for: the same patient, service and start."""
    state = talk.state
    if state.goal is not Goal.BOOK or state.awaiting_name or not state.selected_date or not state.selected_time:
        return None
    name = state.patient_name or talk.runtime.user_name
    wanted = (state.selected_service_id, state.selected_date, state.selected_time)
    agent, found = talk.agent, (yield from mine(talk))
    yield from talk.go(agent)
    return next(
        (
            one
            for one in found
            if (one["service_id"], one["date"], one["time"]) == wanted
            and name in {None, one["patient"]}
            and (not state.professional_wanted or one["professional_id"] == state.selected_professional_id)
        ),
        None,
    )


def already_booked(talk: Talk, row: dict[str, Any]) -> Dialogue:
    """Say that it stands, with what can be done about it."""
    talk.state = talk.state.finished()
    choices = [choice(Kind.MOVE, row["appointment_id"]), choice(Kind.CANCEL, row["appointment_id"])]
    yield from talk.ask(talk.phrase("already_booked", line=row["line"]), [*choices, choice(Kind.ACTION, Wish.BOOK)])
