"""What the patient has booked: show it, move it, cancel it."""

from collections.abc import Generator, Mapping
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from gendei.booking.appointment import AppointmentStatus
from gendei.ear.kinds import MessageKind
from gendei.receptionist.guided import scheduling
from gendei.receptionist.guided.draft_update import behind_day
from gendei.receptionist.guided.guided_turn import (
    BOOK,
    BOOK_OR_PERSON,
    CALL_PERSON,
    Action,
    Dialogue,
    GuidedTurn,
    Result,
    Say,
    joined,
)
from gendei.receptionist.guided.own_appointments import Found, mine, past
from gendei.receptionist.guided.which_appointment import fits, matching, of_these
from gendei.receptionist.offers.choices import Action as Wish
from gendei.receptionist.offers.choices import Kind, choice, parse_choice
from gendei.receptionist.offers.questions import joined_lines
from gendei.receptionist.state import Goal, SchedulingAgentState, SchedulingState
from gendei.receptionist.understanding.multi_booking import FurtherWish
from gendei.receptionist.understanding.patient_message import Understanding

MOST_PAST = 5
"""That are shown."""
NEAR = timedelta(days=4)
"""As far ahead as patients are reminded, and ask to confirm."""
NOT_THIS = choice(Kind.ACTION, Wish.NOT_THIS)
_TO_CONFIRM = frozenset({AppointmentStatus.CONFIRMED, AppointmentStatus.AWAITING_CONFIRMATION})


def show(turn: GuidedTurn, heard: Understanding | None = None) -> Dialogue:
    """Every coming appointment, with what can be done about it. Without any, who named a service is offered times."""
    found = yield from mine(turn)
    if not found and heard and heard.services and not heard.wants("appointments") and not turn.state.in_progress:
        yield from scheduling.book(turn, heard, turn.phrase("no_appointments"))
    elif not found and turn.state.in_progress and turn.state.goal is Goal.BOOK:
        yield from scheduling.resume(turn, turn.phrase("no_appointments"))
    else:
        yield from listed(turn, found) if found else _none(turn, "no_appointments")


def show_past(turn: GuidedTurn) -> Dialogue:
    """The last appointments that took place."""
    found = yield from past(turn)
    if not found:
        yield from _none(turn, "no_past_appointments")
        return
    lines = "\n".join(row["line"] for row in found[-MOST_PAST:])
    text = f"{turn.phrase('past_appointments')}\n\n{lines}"
    yield from turn.ask(text, [BOOK, choice(Kind.ACTION, Wish.APPOINTMENTS)])


def gone(turn: GuidedTurn, found: Found) -> Dialogue:
    """A button's appointment is none of the patient's coming ones: say so, with those there are."""
    if found:
        yield from listed(turn, found, turn.phrase("refusal_not_coming"))
    else:
        yield from _none(turn, "refusal_not_coming")


def listed(turn: GuidedTurn, found: Found, lead: str = "") -> Dialogue:
    """These appointments, with what can be done about them. `lead`: text to say first."""
    lines = "\n".join(row["line"] for row in found)
    text = joined(lead, f"{turn.phrase('your_appointments')}\n\n{lines}")
    if len(found) == 1:
        only_id = found[0]["appointment_id"]
        choices = [choice(Kind.MOVE, only_id), choice(Kind.CANCEL, only_id), BOOK]
    else:
        choices = [choice(kind, row["appointment_id"]) for kind in (Kind.MOVE, Kind.CANCEL) for row in found[:5]]
    yield from turn.ask(text, choices, "list_label_appointments")


def move(turn: GuidedTurn, heard: Understanding, appointment_id: str | None = None) -> Dialogue:
    """Find out which appointment, then a new time for it."""
    found = yield from mine(turn)
    chosen = yield from _pick(turn, found, heard, appointment_id, Kind.MOVE)
    if chosen is None:
        return
    further = _further(turn)
    turn.state = turn.state.begun(Goal.MOVE, chosen["appointment_id"])
    turn.state.then, turn.state.stands_on = further, chosen["date"]
    turn.state.select_service(chosen["service_id"], chosen["service"])
    turn.state.want_professional(chosen["professional_id"], chosen["professional"])
    turn.state.state = SchedulingState.SELECTING_DATE
    lead = turn.phrase("moving", line=chosen["line"])
    heard = _without_where_it_stands(_behind_where_it_stands(turn, heard, chosen), chosen)
    other_person = heard.professional is not None and heard.professional.id != chosen["professional_id"]
    turn.state.hour, turn.state.patient_name = chosen["time"], chosen["patient"]
    if heard.wants("same_time") and not heard.says_when:
        turn.state.selected_date = chosen["date"]
        yield from scheduling.same_hour(turn, lead)
    elif not heard.says_when and not other_person:
        yield from scheduling.offer(turn, lead)
    else:
        turn.state.selected_date = None if heard.when and heard.when.days else chosen["date"]
        yield from scheduling.proceed(turn, heard, lead)


def _behind_where_it_stands(turn: GuidedTurn, heard: Understanding, chosen: dict[str, Any]) -> Understanding:
    """ "Troca pelo dia seguinte": the day after the appointment's."""
    if heard.when is None:
        return heard
    stands = date.fromisoformat(chosen["date"])
    return replace(heard, when=behind_day(stands, heard, heard.when, turn.runtime.now.date()))


def _without_where_it_stands(heard: Understanding, chosen: dict[str, Any]) -> Understanding:
    """The words without the day and the hour that the appointment has: "a de quinta para sexta" asks for Friday, and
    "minha consulta das 14h" for no hour."""
    when = heard.when
    if when is None:
        return heard
    days = tuple(day for day in when.days if day.isoformat() != chosen["date"])
    stands_then = when.date is not None and len(days) < len(when.days)
    same_hour = when.time is not None and not days and f"{when.time:%H:%M}" == chosen["time"]
    if stands_then and not days and (when.time is None or same_hour):
        return replace(heard, when=None)
    first, time = days[0] if days else None, None if same_hour else when.time
    return replace(heard, when=replace(when, date=first, alternatives=days if len(days) > 1 else (), time=time))


def cancel(turn: GuidedTurn, heard: Understanding, appointment_id: str | None = None, lead: str = "") -> Dialogue:
    """Find out which appointment, then ask for the yes; what is wished beside it comes after it. The same at another
    time is a move. `lead`: text to say first."""
    found = yield from mine(turn)
    named, wishes = _cancelled_together(turn, heard)
    if appointment_id is None and len(named) > 1:
        heard = replace(heard, then=tuple(wishes))
        meant = [row for row in found if any(row in of_these(turn, found, said) for said in named)]
        if len(meant) > 1:
            yield from _cancel_all(turn, meant, _further(turn, heard))
            return
        appointment_id = meant[0]["appointment_id"] if meant else None
    wished = turn.heard_in(wishes[0], wishes[1:]) if wishes else None
    if not found and wished and appointment_id is None:
        yield from scheduling.book(turn, wished, joined(lead, turn.phrase("no_appointments")))
        return
    if appointment_id is None and heard.wants("all") and len(found) > 1:
        yield from _cancel_all(turn, matching(turn, found, replace(heard, when=None)), _further(turn, heard))
        return
    if appointment_id is None and len(elsewhere := _wished_elsewhere(found, heard)) == 1:
        yield from move(turn, heard, elsewhere[0]["appointment_id"])
        return
    chosen = yield from _pick(turn, found, heard, appointment_id, Kind.CANCEL)
    if chosen is None:
        return
    id_ = chosen["appointment_id"]
    if wished and _is_same(wished, chosen):
        yield from move(turn, wished, id_)
        return
    question, asked_at, further = turn.state.question, turn.state.asked_at, _further(turn, heard)
    turn.state = turn.state.begun(Goal.CANCEL, id_)
    turn.state.then = further
    turn.state.state, turn.state.question, turn.state.asked_at = SchedulingState.CONFIRMING, question, asked_at
    turn.state.selected_date, turn.state.selected_time = chosen["date"], chosen["time"]
    yes = turn.runtime.ask(Kind.CANCEL_NOW, id_)
    choices = [yes, choice(Kind.MOVE, id_), choice(Kind.ACTION, Wish.KEEP)]
    text = joined_lines(turn.phrase("confirm_cancel", line=chosen["line"]), chosen.get("if_cancelled", ""))
    lead = joined(lead, turn.phrase("cancel_first")) if wishes else lead
    yield from turn.ask(joined(lead, text), choices)


def _is_same(wished: Understanding, chosen: dict[str, Any]) -> bool:
    """Whether just this is wished at another time."""
    other = wished.unknown_service or len(wished.services) > 1 or wished.wants("someone_else", "another")
    service = wished.service.id if wished.service else chosen["service_id"]
    return wished.says_when and not other and service == chosen["service_id"]


def _cancelled_together(turn: GuidedTurn, heard: Understanding) -> tuple[list[Understanding], list[FurtherWish]]:
    """All that one message wants cancelled, each with what was said of it, and what is wished after it."""
    named, wishes = [heard], [*heard.then]
    while wishes and (said := turn.heard_in(wishes[0])).wants("cancel") and not said.wants("book"):
        named, wishes = [*named, said], [*said.then, *wishes[1:]]
    return named, wishes


def _further(turn: GuidedTurn, heard: Understanding | None = None) -> list[dict[str, str]]:
    """What is wished after this change: as it was said with it, or before."""
    said = [wish.stored() for wish in heard.then] if heard else []
    changes = turn.state.in_progress and turn.state.goal is not Goal.BOOK
    return said or (turn.state.then if changes else [])


def _wished_elsewhere(found: Found, heard: Understanding) -> Found:
    """What stands on a day that is ruled out, where it sounds like a change to one on which nothing stands: "não vou
    conseguir ir amanhã, tem como ser na sexta?"."""
    when = heard.when
    if when is None or when.date is None or heard.likeliest is not MessageKind.CHANGE:
        return []
    if when.date.isoformat() in {row["date"] for row in found}:
        return []
    return [row for row in found if date.fromisoformat(row["date"]) in when.excluded]


def _cancel_all(turn: GuidedTurn, meant: Found, further: list[dict[str, str]]) -> Dialogue:
    """Ask once for all of them. The yes belongs to this question alone, not to one about the first of them."""
    first, *others = (row["appointment_id"] for row in meant)
    turn.state = turn.state.begun(Goal.CANCEL, first)
    turn.state.state, turn.state.together, turn.state.then = SchedulingState.CONFIRMING, others, further
    lines = "\n".join(joined_lines(row["line"], row.get("if_cancelled", "")) for row in meant)
    choices = [turn.runtime.ask(Kind.CANCEL_NOW, first), choice(Kind.ACTION, Wish.KEEP)]
    yield from turn.ask(turn.phrase("confirm_cancel_all", lines=lines), choices)


def cancel_some(turn: GuidedTurn, heard: Understanding) -> Dialogue:
    """Of all that was asked about, only these ("só a de amanhã"), or all but these ("menos a do meu filho")."""
    found = yield from mine(turn)
    meant = matching(turn, found, heard)
    if not _BUT.isdisjoint(heard.said) and len(meant) < len(found):
        meant = [row for row in found if row not in meant]
    if len(meant) == 1:
        yield from cancel(turn, heard, meant[0]["appointment_id"])
    else:
        yield from _cancel_all(turn, meant, _further(turn))


def confirm_presence(turn: GuidedTurn, appointment_id: str, told: str = "") -> Dialogue:
    """The answer to a reminder; what else was open goes on in the same message. told: the start that the reminder told
    of: where the appointment begins at another by now, that is shown and asked."""
    if told:
        moved = [row for row in (yield from mine(turn)) if _is_moved(row, appointment_id, told)]
        if moved:
            choices = [choice(kind, appointment_id) for kind in (Kind.CONFIRM_PRESENCE, Kind.MOVE, Kind.CANCEL)]
            yield from turn.ask(turn.phrase("presence_of_moved", lines=moved[0]["line"]), choices)
            return
    yield from turn.go("payment")
    done = yield from turn.call("confirm_presence", appointment_id=appointment_id)
    if done["success"] and turn.state.in_progress and turn.state.goal is not Goal.CANCEL:
        yield from scheduling.resume(turn)
    else:
        yield from told_of(turn, done)


def _is_moved(row: Mapping[str, Any], appointment_id: str, told: str) -> bool:
    return row["appointment_id"] == appointment_id and not told.startswith(f"{row['date']}T{row['time']}")


def comes(turn: GuidedTurn) -> Dialogue:
    """Somebody says in words that they will come: of the one appointment that is near, or they say of which."""
    found = yield from mine(turn)
    last_day = (turn.runtime.now + NEAR).date().isoformat()
    near = [row for row in found if row["date"] <= last_day and row["status"] in _TO_CONFIRM]
    if len(near) == 1:
        yield from confirm_presence(turn, near[0]["appointment_id"])
    elif near:
        choices = [choice(Kind.CONFIRM_PRESENCE, row["appointment_id"]) for row in near]
        yield from turn.ask(turn.phrase("which_comes"), choices, "list_label_appointments")
    elif found:
        yield from listed(turn, found)
    else:
        yield from _none(turn, "no_appointments")


def told_of(turn: GuidedTurn, done: Result) -> Dialogue:
    """Nothing to add to what the system says of a change; a refusal is not the end."""
    if done["success"]:
        yield Say()
    else:
        yield from turn.ask(str(done["error"]), BOOK_OR_PERSON)


def _pick(
    turn: GuidedTurn, found: Found, heard: Understanding, appointment_id: str | None, kind: Kind
) -> Generator[Action, Result, dict[str, Any] | None]:
    """The appointment that is meant; asks and returns None while that is open."""
    if appointment_id is not None and found:
        of_this_id = [row for row in found if row["appointment_id"] == appointment_id]
        if not of_this_id:
            yield from gone(turn, found)
            return None
        found = of_this_id
    said_so = turn.vocabulary.hears(heard.said, "move", "cancel", "changes")
    if not found and appointment_id is None and heard.services and not said_so:
        yield from scheduling.book(turn, heard)
        return None
    if not found:
        yield from _none(turn, "no_appointments") if appointment_id is None else gone(turn, found)
        return None
    meant = found if len(found) == 1 else matching(turn, found, heard)
    is_meant = appointment_id is not None or fits(turn, meant[0], heard, kind)
    if len(meant) == 1 and is_meant:
        return meant[0]
    further = _further(turn, heard if kind is Kind.CANCEL else None)
    turn.state = turn.state.begun(Goal.MOVE if kind is Kind.MOVE else Goal.CANCEL)
    turn.state.state, turn.state.then = SchedulingState.SELECTING_TIME, further
    if len(meant) == 1:
        lines = "\n".join(row["line"] for row in found)
        choices = [choice(kind, meant[0]["appointment_id"]), NOT_THIS]
        yield from turn.ask(turn.phrase("not_that_one", lines=lines), choices)
        return None
    text = turn.phrase("which_to_move" if kind is Kind.MOVE else "which_to_cancel")
    lines = "\n".join(row["line"] for row in meant)
    choices = [choice(kind, row["appointment_id"]) for row in meant]
    yield from turn.ask(f"{text}\n\n{lines}", choices, "list_label_appointments")
    return None


_BUT = frozenset({"menos", "exceto", "fora", "tirando"})
_CHANGES = frozenset({Kind.MOVE, Kind.CANCEL})


def other_than_shown(turn: GuidedTurn) -> Dialogue:
    """It was another one that was meant: of those that stand, or one that does not stand for this contact."""
    shown = [
        chosen for option in turn.state.shown if (chosen := parse_choice(option["id"])) and chosen.kind in _CHANGES
    ]
    not_meant = {chosen.args[0] for chosen in shown}
    others = [row for row in (yield from mine(turn)) if row["appointment_id"] not in not_meant]
    if not (shown and others):
        choices = [CALL_PERSON, BOOK]
        yield from turn.ask(turn.phrase("other_not_found"), choices)
        return
    choices = [choice(shown[0].kind, row["appointment_id"]) for row in others]
    text = turn.phrase("which_to_move" if shown[0].kind is Kind.MOVE else "which_to_cancel")
    yield from turn.ask(text, [*choices, CALL_PERSON], "list_label_appointments")


def picking(state: SchedulingAgentState) -> bool:
    """Whether it is still open which appointment is to be moved or cancelled."""
    return state.in_progress and state.goal is not Goal.BOOK and state.appointment_id is None


def pick(turn: GuidedTurn, heard: Understanding) -> Dialogue:
    """The answer to "which one?", in words, or the yes to the only one; asked again where they fit none or several."""
    asked = parse_choice(turn.state.shown[0]["id"]) if heard.only_yes and asks_if_this(turn) else None
    change = move if turn.state.goal is Goal.MOVE else cancel
    yield from change(turn, heard, asked.args[0] if asked else None)


def asks_if_this(turn: GuidedTurn) -> bool:
    """Whether it was asked last if the one that is shown is meant."""
    return any(option["id"] == NOT_THIS for option in turn.state.shown)


def _none(turn: GuidedTurn, phrase: str) -> Dialogue:
    if turn.state.in_progress and turn.state.goal is Goal.BOOK and turn.state.selected_service_id:
        yield from scheduling.resume(turn, turn.phrase(phrase))
        return
    turn.state = turn.state.finished()
    yield from turn.ask(turn.phrase(phrase), BOOK_OR_PERSON)
