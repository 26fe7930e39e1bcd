"""What a tapped time, or a tapped yes, may do.

A time is held and asked about, however old its message is: it is what the patient meant. A yes is taken at once only
where it answers the question that stands; an older one is asked again. Nothing else than what the id names is booked.
"""

from typing import Any

from gendei.receptionist.guided import appointments
from gendei.receptionist.guided.actions import Dialogue, Say
from gendei.receptionist.guided.confirming import confirm, draft_slot
from gendei.receptionist.guided.finishing import finish
from gendei.receptionist.guided.guided_turn import Talk
from gendei.receptionist.guided.own_appointments import mine as read_mine
from gendei.receptionist.guided.scheduling import next_question
from gendei.receptionist.offers.choices import YESES, Choice, Kind, start_from
from gendei.receptionist.state import Goal

MOVES = frozenset({Kind.MOVE_TO, Kind.MOVE_NOW})


def choose_slot(talk: Talk, chosen: Choice) -> Dialogue:
    """A tapped slot, or a tapped yes (which names its slot too, so an old button cannot book another one)."""
    _, professional_id, local = chosen.args
    start = start_from(local, talk.runtime.clinic)
    old = _is_old(talk, chosen)
    mine = (yield from read_mine(talk)) if old or chosen.kind in MOVES else []
    if done := _done_already(talk, mine, chosen):
        yield Say(talk.phrase("already_booked", line=done["line"]))
        return
    yield from talk.go("payment" if chosen.kind in MOVES else "sales_closer")
    aimed = _aim_move(talk, mine, chosen) if chosen.kind in MOVES else _aim_booking(talk, chosen)
    if not aimed and chosen.kind in MOVES:
        yield from appointments.gone(talk, mine)
    elif start is None or not aimed:
        yield from next_question(talk, talk.phrase("stale_choice"))
    elif chosen.kind in YESES and not old:
        draft_slot(talk, professional_id, start)
        yield from finish(talk)
    else:
        about_age = "old_question" if chosen.kind in YESES else "old_offer"
        yield from confirm(talk, professional_id, start, talk.phrase(about_age) if old else "")


def _is_old(talk: Talk, chosen: Choice) -> bool:
    """Of a slot: shown before the last offer, or too long ago. Of a yes: not to the question that stands."""
    runtime = talk.runtime
    if chosen.kind in YESES:
        return not runtime.state.stands(str(chosen), runtime.now)
    return chosen.offer is None or chosen.offer != runtime.state.newest_offer(runtime.now)


def _done_already(talk: Talk, mine: list[dict[str, Any]], chosen: Choice) -> dict[str, Any] | None:
    """The appointment that stands where an old button would put one: the same tap came twice."""
    subject, professional_id, local = chosen.args
    named = "appointment_id" if chosen.kind in MOVES else "service_id"
    return next(
        (
            one
            for one in mine
            if (one[named], one["professional_id"], f"{one['date']}T{one['time']}") == (subject, professional_id, local)
        ),
        None,
    )


def _aim_move(talk: Talk, mine: list[dict[str, Any]], chosen: Choice) -> bool:
    """Point the draft at moving this appointment; False when the patient has no such appointment any more."""
    found = next((one for one in mine if one["appointment_id"] == chosen.args[0]), None)
    if found is None:
        return False
    if talk.state.goal is not Goal.MOVE or talk.state.appointment_id != found["appointment_id"]:
        talk.state = talk.state.begun(Goal.MOVE, found["appointment_id"])
        talk.state.want_professional(found["professional_id"], found["professional"])
    talk.state.select_service(found["service_id"], found["service"])
    return True


def _aim_booking(talk: Talk, chosen: Choice) -> bool:
    """Point the draft at booking this service; False when the clinic does not have it any more."""
    service = talk.runtime.clinic.service(chosen.args[0])
    if service is None or not talk.state.in_progress or talk.state.goal is not Goal.BOOK:
        talk.state = talk.state.begun(Goal.BOOK)
    if service is None:
        return False
    talk.state.select_service(service.id, service.name)
    return True
