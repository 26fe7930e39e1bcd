"""The yes to a booking, a move or a cancellation, and what is wished after it."""

from gendei.receptionist.guided import appointments, scheduling
from gendei.receptionist.guided.confirming import ask_name, chosen_start, confirm, refused
from gendei.receptionist.guided.guided_turn import Dialogue, GuidedTurn, Say, joined
from gendei.receptionist.guided.own_appointments import booked, tell_changes
from gendei.receptionist.state import Goal, SchedulingAgentState
from gendei.receptionist.understanding.multi_booking import FurtherWish
from gendei.receptionist.understanding.patient_message import Understanding

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
    turn.state.last["professional_id"] = state.selected_professional_id or ""
    if state.goal is Goal.BOOK:
        yield from turn.call("send_appointment_confirmation", appointment_id=done["data"]["appointment_id"])
    if state.then:
        tell_changes(turn)
        yield from next_of(turn, state.then)
        return
    yield Say()


def cancel_now(turn: GuidedTurn, heard: Understanding, yes: str, appointment_id: str) -> Dialogue:
    """The patient said yes (`yes`: its id). To another question than the one that stands, it is asked again. The
    tool's own text tells what was done."""
    if not turn.state.stands(yes, turn.runtime.now):
        yield from appointments.cancel(turn, heard, appointment_id, turn.phrase("old_question"))
        return
    ids, before = [appointment_id, *turn.state.together], turn.state
    yield from turn.go("payment")
    for id_ in ids:
        done = yield from turn.call("cancel_appointment", appointment_id=id_, reason=None)
        if not done["success"]:
            break
    turn.state = turn.state.finished()
    goes_on = done["success"] and (before.aside or before.then)
    yield from _go_on(turn, before) if goes_on else appointments.told_of(turn, done)


def keep(turn: GuidedTurn) -> Dialogue:
    """The patient thought better of a cancellation."""
    before, turn.state = turn.state, turn.state.finished()
    kept = turn.phrase("kept")
    yield from _go_on(turn, before, kept) if before.aside or before.then else iter([Say(kept)])


def _go_on(turn: GuidedTurn, before: SchedulingAgentState, lead: str = "") -> Dialogue:
    """On with the booking that waited, or with what was wished beside the cancellation."""
    tell_changes(turn)
    if before.aside:
        turn.state = turn.state.taken_up(before.aside)
        turn.state.then += before.then
        yield from scheduling.resume(turn, joined(lead, turn.phrase("back_to_booking")))
    else:
        yield from next_of(turn, before.then, lead, like_last=False)


def next_of(turn: GuidedTurn, then: list[dict[str, str]], lead: str = "", *, like_last: bool = True) -> Dialogue:
    """On with the next of several wishes: a booking, or another appointment that is cancelled. `then`: what is
    still wished, as the draft keeps it. like_last: what it does not say is as in the last booking."""
    wish, *others = map(FurtherWish.of, then)
    heard = turn.heard_in(wish, others)
    if heard.wants("cancel") and not heard.wants("book"):
        yield from appointments.cancel(turn, heard, lead=joined(lead, turn.phrase("next_cancelled")))
        return
    to_next = turn.phrase("next_one_for", name=wish.for_whom) if wish.for_whom else turn.phrase("next_one")
    if like_last:
        yield from another(turn, heard, joined(lead, to_next), unnamed=wish == FurtherWish())
    else:
        yield from scheduling.book(turn, heard, joined(lead, to_next))


def another(turn: GuidedTurn, heard: Understanding, lead: str, *, unnamed: bool = False) -> Dialogue:
    """A booking like the last one, but for what this message says. unnamed: nobody said who comes."""
    last, clinic = turn.state.last, turn.runtime.clinic
    turn.state = state = turn.state.begun(Goal.BOOK)
    service = heard.service or clinic.service(last.get("service_id", ""))
    if service is not None:
        state.select_service(service.id, service.name)
    for_other = heard.wants("someone_else") or heard.name is not None or unnamed or not _OTHERS.isdisjoint(heard.said)
    theirs = clinic.professional(last.get("professional_id", "")) if heard.wants("same_time") else None
    if theirs is not None and state.selected_service_id in theirs.service_ids:
        state.want_professional(theirs.id, theirs.name)
    if (day := last.get("date", "")) >= turn.runtime.now.date().isoformat():
        state.selected_date = day
        if heard.when is None or heard.when.date is None:
            state.time_from, state.time_to = _near(last["time"]) if for_other else (last["end"], None)
    state.awaiting_name = for_other and heard.name is None
    yield from turn.go("sales_closer")
    yield from scheduling.proceed(turn, heard, lead)


def _near(time: str) -> tuple[str | None, str | None]:
    """The half of the day: who comes together comes at about the same time."""
    return (None, NOON) if time < NOON else (NOON, None)
