"""What the patient has booked: show it, move it, cancel it."""

from collections.abc import Callable, Generator
from dataclasses import replace
from typing import Any

from gendei.receptionist.guided import scheduling
from gendei.receptionist.guided.guided_turn import Action, Dialogue, Result, Say, Talk, joined
from gendei.receptionist.guided.own_appointments import Found, mine
from gendei.receptionist.offers.choices import Action as Wish
from gendei.receptionist.offers.choices import Kind, choice
from gendei.receptionist.state import Goal, SchedulingAgentState, SchedulingState
from gendei.receptionist.understanding.patient_message import Understanding


def show(talk: Talk) -> Dialogue:
    """Every coming appointment, with what can be done about it."""
    found = yield from mine(talk)
    if not found and talk.state.in_progress and talk.state.goal is Goal.BOOK:
        yield from scheduling.resume(talk, talk.phrase("no_appointments"))
    else:
        yield from _listed(talk, found) if found else _none(talk, "no_appointments")


def gone(talk: Talk, found: Found) -> Dialogue:
    """A button's appointment is none of the patient's coming ones: say so, with those there are."""
    if found:
        yield from _listed(talk, found, talk.phrase("refusal_not_coming"))
    else:
        yield from _none(talk, "refusal_not_coming")


def _listed(talk: Talk, found: Found, lead: str = "") -> Dialogue:
    lines = "\n".join(one["line"] for one in found)
    text = joined(lead, f"{talk.phrase('your_appointments')}\n\n{lines}")
    if len(found) == 1:
        one = found[0]["appointment_id"]
        choices = [choice(Kind.MOVE, one), choice(Kind.CANCEL, one), choice(Kind.ACTION, Wish.BOOK)]
    else:
        choices = [choice(kind, one["appointment_id"]) for kind in (Kind.MOVE, Kind.CANCEL) for one in found[:5]]
    yield from talk.ask(text, choices, "list_label_appointments")


def move(talk: Talk, heard: Understanding, appointment_id: str | None = None) -> Dialogue:
    """Find out which appointment, then a new time for it."""
    found = yield from mine(talk)
    chosen = yield from _pick(talk, found, heard, appointment_id, Kind.MOVE)
    if chosen is None:
        return
    talk.state = talk.state.begun(Goal.MOVE, chosen["appointment_id"])
    talk.state.select_service(chosen["service_id"], chosen["service"])
    talk.state.want_professional(chosen["professional_id"], chosen["professional"])
    talk.state.state = SchedulingState.SELECTING_DATE
    lead = talk.phrase("moving", line=chosen["line"])
    asked = heard.when
    if (
        asked is not None
        and asked.date is not None
        and chosen["date"] not in {day.isoformat() for day in (asked.date, *asked.alternatives)}
    ):
        talk.state.selected_time = chosen["time"]  # for who says "no mesmo horário"
        yield from scheduling.proceed(talk, heard, lead)
    else:
        yield from scheduling.offer(talk, lead)


def cancel(talk: Talk, heard: Understanding, appointment_id: str | None = None, lead: str = "") -> Dialogue:
    """Find out which appointment, then ask for the yes. `lead`: text to say first."""
    found = yield from mine(talk)
    if appointment_id is None and heard.wants("all") and len(found) > 1:
        yield from _cancel_all(talk, _matching(found, replace(heard, when=None)))
        return
    chosen = yield from _pick(talk, found, heard, appointment_id, Kind.CANCEL)
    if chosen is None:
        return
    id_ = chosen["appointment_id"]
    question, asked_at = talk.state.question, talk.state.asked_at
    talk.state = talk.state.begun(Goal.CANCEL, id_)
    talk.state.state, talk.state.question, talk.state.asked_at = SchedulingState.CONFIRMING, question, asked_at
    yes = talk.runtime.ask(Kind.CANCEL_NOW, id_)
    choices = [yes, choice(Kind.MOVE, id_), choice(Kind.ACTION, Wish.KEEP)]
    yield from talk.ask(joined(lead, talk.phrase("confirm_cancel", line=chosen["line"])), choices)


def _cancel_all(talk: Talk, meant: Found) -> Dialogue:
    """Ask once for all of them. The yes belongs to this question alone, not to one about the first of them."""
    first, *others = (one["appointment_id"] for one in meant)
    talk.state = talk.state.begun(Goal.CANCEL, first)
    talk.state.state, talk.state.together = SchedulingState.CONFIRMING, others
    lines = "\n".join(one["line"] for one in meant)
    choices = [talk.runtime.ask(Kind.CANCEL_NOW, first), choice(Kind.ACTION, Wish.KEEP)]
    yield from talk.ask(talk.phrase("confirm_cancel_all", lines=lines), choices)


def cancel_now(talk: Talk, heard: Understanding, yes: str, appointment_id: str) -> Dialogue:
    """The patient said yes (`yes`: its id). To another question than the one that stands, it is asked again. The
    tool's own text tells what was done."""
    if not talk.state.stands(yes, talk.runtime.now):
        yield from cancel(talk, heard, appointment_id, talk.phrase("old_question"))
        return
    ids = [appointment_id, *talk.state.together]
    yield from talk.go("payment")
    for one in ids:
        done = yield from talk.call("cancel_appointment", appointment_id=one, reason=None)
        if not done["success"]:
            break
    talk.state = talk.state.finished()
    yield from _told(talk, done)


def confirm_presence(talk: Talk, appointment_id: str) -> Dialogue:
    """The answer to a reminder; what else was open goes on in the same message."""
    yield from talk.go("payment")
    done = yield from talk.call("confirm_presence", appointment_id=appointment_id)
    if done["success"] and talk.state.in_progress and talk.state.goal is not Goal.CANCEL:
        yield from scheduling.resume(talk)
    else:
        yield from _told(talk, done)


def _told(talk: Talk, done: Result) -> Dialogue:
    """Nothing to add to what the system says of a change; a refusal is not the end."""
    if done["success"]:
        yield Say()
    else:
        yield from talk.ask(str(done["error"]), [choice(Kind.ACTION, Wish.BOOK), choice(Kind.ACTION, Wish.PERSON)])


def keep(talk: Talk) -> Dialogue:
    """The patient thought better of it."""
    talk.state = talk.state.finished()
    yield Say(talk.phrase("kept"))


def _pick(
    talk: Talk, found: Found, heard: Understanding, appointment_id: str | None, kind: Kind
) -> Generator[Action, Result, dict[str, Any] | None]:
    """The appointment that is meant; asks and returns None while that is open."""
    if appointment_id is not None and found:
        of_this_id = [one for one in found if one["appointment_id"] == appointment_id]
        if not of_this_id:
            yield from gone(talk, found)
            return None
        found = of_this_id
    if not found:
        yield from _none(talk, "no_appointments") if appointment_id is None else gone(talk, found)
        return None
    meant = found if len(found) == 1 else _matching(found, heard)
    if len(meant) == 1:
        return meant[0]
    talk.state = talk.state.begun(Goal.MOVE if kind is Kind.MOVE else Goal.CANCEL)
    talk.state.state = SchedulingState.SELECTING_TIME
    text = talk.phrase("which_to_move" if kind is Kind.MOVE else "which_to_cancel")
    lines = "\n".join(one["line"] for one in meant)
    choices = [choice(kind, one["appointment_id"]) for one in meant]
    yield from talk.ask(f"{text}\n\n{lines}", choices, "list_label_appointments")
    return None


def picking(state: SchedulingAgentState) -> bool:
    """Whether it is still open which appointment is to be moved or cancelled."""
    return state.in_progress and state.goal is not Goal.BOOK and state.appointment_id is None


def pick(talk: Talk, heard: Understanding) -> Dialogue:
    """The answer to "which one?", in words; asked again where they fit none or several."""
    yield from move(talk, heard) if talk.state.goal is Goal.MOVE else cancel(talk, heard)


def _matching(found: Found, heard: Understanding) -> Found:
    """Those that fit everything that was said of service, professional, day and hour, a fact that fits none aside;
    all of them when nothing was said."""
    when = heard.when
    tests: list[Callable[[dict[str, Any]], bool]] = []
    if heard.mentioned:
        tests.append(lambda one: one["service_id"] in {service.id for service in heard.mentioned})
    if heard.professional:
        tests.append(lambda one: heard.professional is not None and one["professional_id"] == heard.professional.id)
    if when and when.date:
        tests.append(lambda one: one["date"] in {day.isoformat() for day in (when.date, *when.alternatives) if day})
    if when and when.time:
        tests.append(lambda one: one["time"] == f"{when.time:%H:%M}")
    for test in tests:
        found = [one for one in found if test(one)] or found
    return found


def _none(talk: Talk, phrase: str) -> Dialogue:
    talk.state = talk.state.finished()
    yield from talk.ask(talk.phrase(phrase), [choice(Kind.ACTION, Wish.BOOK), choice(Kind.ACTION, Wish.PERSON)])
