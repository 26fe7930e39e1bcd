"""What patients tell of their health plan beside a booking's questions: the number of the card, and the plan of what is
booked already."""

import re
from contextlib import suppress

from gendei.booking.personal_data import clean_plan_card
from gendei.booking.slots import BookingRefused
from gendei.clinic import PersonalDatum
from gendei.health_plan import PRIVATE
from gendei.receptionist.guided import scheduling
from gendei.receptionist.guided.guided_turn import Dialogue, GuidedTurn, Say, joined
from gendei.receptionist.offers.costs import plan_keyed
from gendei.receptionist.state import Goal, SchedulingState
from gendei.receptionist.understanding.patient_message import Understanding

_CARD = re.compile(
    r"\b(?i:carteir\w*|matr[ií]cula|n[uú]mero d[oa] (?:conv[eê]nio|plano))\D{0,40}?([0-9A-Za-z]*\d[\d .\-/]{3,28}\d)"
)
"""What is said to be the number of a card."""
_BARE = re.compile(r"\s*(\d[\d .\-/]{6,28}\d)\s*")
FEW_WORDS = 10
_ANOTHER_WISH = ("book", "another", "also", "move", "cancel", "appointments", "price", "payment", "someone_else")


def card(turn: GuidedTurn, heard: Understanding, typed: str) -> Dialogue | None:
    """The number of a plan's card is kept, for the booking that is open or for what is booked; None where none is
    written, or where there is more to do than that."""
    written, number = _card_in(turn, typed), ""
    with suppress(BookingRefused):
        number = clean_plan_card(written or "")
    if number and (turn.runtime.agreed or heard.plans.any_named or heard.wants("book")):
        turn.state.plan_card = number
        return None
    return None if written is None else _keep_card(turn, number)


def _keep_card(turn: GuidedTurn, number: str) -> Dialogue:
    state = turn.state
    if not number:
        yield Say(turn.phrase("plan_card_unreadable"))
        return
    if state.in_progress and state.goal is Goal.BOOK:
        state.plan_card = number
        yield from scheduling.resume(turn, turn.phrase("plan_card_noted"))
        return
    yield from turn.go("payment")
    noted = yield from turn.call("note_health_plan", card_number=number)
    yield Say(turn.phrase("plan_card_noted") if noted["success"] else str(noted["error"]))


def _card_in(turn: GuidedTurn, typed: str) -> str | None:
    """The number of a plan's card, where the clinic keeps it: one that is called so, or a bare number where the plan of
    the draft, or of what was booked, asks for it."""
    state, clinic = turn.state, turn.runtime.clinic
    if PersonalDatum.PLAN_CARD not in clinic.kept_data:
        return None
    if named := _CARD.search(typed):
        return named[1].strip()
    bare = _BARE.fullmatch(typed)
    service_id = state.selected_service_id or state.last.get("service_id", "")
    plan = plan_keyed(turn.runtime, state.plan)
    terms = plan.terms_for(service_id) if plan else None
    asked = terms is not None and terms.card_number and (state.last or state.state is SchedulingState.CONFIRMING)
    return bare[1].strip() if bare and asked else None


def tells(turn: GuidedTurn, heard: Understanding) -> bool:
    """Whether it is told by which plan they come to what they booked just now."""
    state = turn.state
    if heard.plans.plan is None or heard.plans.asks or state.in_progress or len(heard.said) > FEW_WORDS:
        return False
    is_ahead = state.last.get("date", "") >= turn.runtime.now.date().isoformat()
    return is_ahead and not heard.wants(*_ANOTHER_WISH)


def note(turn: GuidedTurn, plan: str) -> Dialogue:
    """Keep that plan with what was booked just now."""
    yield from turn.go("payment")
    noted = yield from turn.call("note_health_plan", plan=plan)
    if not noted["success"]:
        yield Say(str(noted["error"]))
        return
    text = turn.phrase("plan_noted_private") if plan == PRIVATE else turn.phrase("plan_noted", plan=plan)
    yield Say(joined(text, "\n".join(noted["data"].get("details", ()))))
