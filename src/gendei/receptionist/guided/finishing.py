"""The yes to a booking or a move, and what is to be booked after it."""

from dataclasses import replace

from gendei.receptionist.guided import appointments
from gendei.receptionist.guided.confirming import ask_name, chosen_start, confirm, refused
from gendei.receptionist.guided.guided_turn import Dialogue, GuidedTurn, Say
from gendei.receptionist.guided.own_appointments import booked, tell_changes
from gendei.receptionist.guided.scheduling import proceed
from gendei.receptionist.state import Goal
from gendei.receptionist.understanding.multi_booking import FurtherWish
from gendei.receptionist.understanding.names_told import undressed
from gendei.receptionist.understanding.patient_message import Understanding, understand

NOON = "12:00"
_OTHERS = frozenset("ela ele elas eles dela dele".split())


def said_yes(turn: GuidedTurn) -> Dialogue:
    """A yes in words: done where the question still stands, else it is asked again with the present facts."""
    state, start = turn.state, chosen_start(turn)
    stands = state.stands(state.question, turn.runtime.now)
    if start is not None and state.selected_professional_id is not None and not stands:
        yield from confirm(turn, state.selected_professional_id, start, turn.phrase("ask_again"))
    else:
        yield from finish(turn)


def finish(turn: GuidedTurn) -> Dialogue:
    """Book or move what the draft holds. The tools' own text tells what was done; then on to what else is wanted."""
    state = turn.state
    nameless = state.patient_name is None and (state.awaiting_name or not turn.runtime.user_name)
    if state.goal is Goal.BOOK and nameless:
        yield from ask_name(turn)
        return
    if state.goal is Goal.MOVE:
        done = yield from turn.call(
            "reschedule_appointment",
            appointment_id=state.appointment_id,
            new_date=state.selected_date,
            new_time=state.selected_time,
            professional_id=state.selected_professional_id,
        )
    else:
        done = yield from turn.call(
            "create_appointment",
            service_id=state.selected_service_id,
            professional_id=state.selected_professional_id,
            date=state.selected_date,
            time=state.selected_time,
            patient_name=state.patient_name or turn.runtime.user_name,
        )
    start = chosen_start(turn)
    if not done["success"] and "yes_choice" in (done.get("data") or {}) and start and state.selected_professional_id:
        yield from confirm(turn, state.selected_professional_id, start, turn.phrase("ask_again"))
        return
    if not done["success"]:
        yield from refused(turn, done)
        return
    turn.state.last = booked(turn, state.selected_service_id, state.selected_date, state.selected_time)
    if state.goal is Goal.BOOK:
        yield from turn.call("send_appointment_confirmation", appointment_id=done["data"]["appointment_id"])
    if state.then:
        tell_changes(turn)
        yield from next_of(turn, state.then)
        return
    yield Say()


def next_of(turn: GuidedTurn, then: list[dict[str, str]]) -> Dialogue:
    """On with the next of several wishes: a booking, or another appointment that is cancelled. `then`: what is
    still wished, as the draft keeps it."""
    wish = FurtherWish.of(then[0])
    heard = _heard(turn, wish)
    if heard.wants("cancel") and not heard.wants("book"):
        yield from appointments.cancel(turn, heard, lead=turn.phrase("next_cancelled"))
        return
    lead = turn.phrase("next_one_for", name=wish.for_whom) if wish.for_whom else turn.phrase("next_one")
    yield from another(turn, heard, lead, then[1:], unnamed=wish == FurtherWish())


def _heard(turn: GuidedTurn, wish: FurtherWish) -> Understanding:
    """What it says of what and when, and who comes."""
    runtime, person = turn.runtime, wish.person
    heard = understand(
        wish.words, clinic=runtime.clinic, vocabulary=turn.vocabulary, vertical=runtime.vertical, now=runtime.now
    )
    if person is None:
        return heard
    intent = "myself" if person.is_speaker else "someone_else"
    name = undressed(person.name, turn.vocabulary)
    return replace(heard, intents=heard.intents | {intent}, name=name or heard.name)


def another(
    turn: GuidedTurn,
    heard: Understanding,
    lead: str,
    then: list[dict[str, str]] | None = None,
    *,
    unnamed: bool = False,
) -> Dialogue:
    """A booking like the last one, but for what this message says. unnamed: nobody said who comes."""
    last, clinic = turn.state.last, turn.runtime.clinic
    turn.state = state = turn.state.begun(Goal.BOOK)
    state.then = then or []
    service = heard.service or clinic.service(last.get("service_id", ""))
    if service is not None:
        state.select_service(service.id, service.name)
    for_other = heard.wants("someone_else") or heard.name is not None or unnamed or not _OTHERS.isdisjoint(heard.said)
    if (day := last.get("date", "")) >= turn.runtime.now.date().isoformat():
        state.selected_date = day
        state.time_from, state.time_to = _near(last["time"]) if for_other else (last["end"], None)
    state.awaiting_name = for_other and heard.name is None
    yield from turn.go("sales_closer")
    yield from proceed(turn, heard, lead)


def _near(time: str) -> tuple[str | None, str | None]:
    """The half of the day: who comes together comes at about the same time."""
    return (None, NOON) if time < NOON else (NOON, None)
