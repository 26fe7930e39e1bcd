"""What can be wished for without any fact: the buttons of a menu, giving up, a person."""

import re
from collections.abc import Callable, Mapping

from gendei.booking.dates import describe
from gendei.ear.kinds import MessageKind
from gendei.messages.called_for import CalledFor
from gendei.messages.turns import AwaitedPerson
from gendei.receptionist.guided import appointments, finishing, information, scheduling
from gendei.receptionist.guided.guided_turn import BOOK_OR_PERSON, MENU, Dialogue, GuidedTurn, Say, joined
from gendei.receptionist.guided.own_appointments import mine
from gendei.receptionist.offers.choices import Action as Wish
from gendei.receptionist.state import Goal, SchedulingState
from gendei.receptionist.understanding.patient_message import Understanding

COMPLAINS = ("complains", "handover_complaint")
ARRIVED = ("arrived", "handover_arrived")
"""Why a person is called for a complaint, or for who stands at the door, and what is said."""
OF_A_SERVICE = ("price", "duration", "preparation")
"""What may be asked of one service after another: "quanto é a limpeza?", "e o clareamento?"."""
_OF_REASON = {
    "complains": CalledFor.COMPLAINT,
    "arrived": CalledFor.ARRIVED,
    "file_asked": CalledFor.CANNOT,
    "staff_matter": CalledFor.CANNOT,
    "not_understood": CalledFor.NOT_UNDERSTOOD,
    "urgent": CalledFor.DANGER,
    "crisis": CalledFor.DANGER,
    "violence": CalledFor.DANGER,
}
_MONEY = ("paid", "money_matter")
_ANSWERED_BY = {
    "info_unknown": CalledFor.UNKNOWN,
    "plan_waiting_unknown": CalledFor.UNKNOWN,
    "service_not_found": CalledFor.CANNOT,
    "apology": CalledFor.TOOL_FAILED,
    "not_understood": CalledFor.NOT_UNDERSTOOD,
    "not_understood_menu": CalledFor.NOT_UNDERSTOOD,
    "not_understood_again": CalledFor.NOT_UNDERSTOOD,
}
"""What the patient read last of us, where that is why they ask for a person."""
_WHERE = frozenset({"address", "directions"})
ABOUT_DRAFT = {Wish.OTHER_DAY, Wish.OTHER_TIME, Wish.PROFESSIONALS}


def fulfil(turn: GuidedTurn, wish: Wish, heard: Understanding) -> Dialogue:
    if wish in ABOUT_DRAFT and not turn.state.selected_service_id:
        if turn.state.in_progress and turn.state.goal is Goal.BOOK:
            yield from scheduling.resume(turn)
            return
        wish = Wish.BOOK
    if wish is Wish.BOOK:
        before, turn.state = turn.state, turn.state.finished()
        turn.state.about, turn.state.about_professional = before.about, before.about_professional
        turn.state.about_other = before.about_other
        yield from scheduling.book(turn, heard)
    elif wish is Wish.PERSON:
        yield from hand_over(turn, "asked_for_person", "handover_started")
    elif wish is Wish.SERVICES:
        yield from turn.go("product_info")
        asked = Understanding((), frozenset({"services"}))
        yield from turn.ask((yield from information.answer(turn, asked)), MENU)
    elif wish in _OF_TIMES:
        yield from turn.go_to_scheduler()
        yield from _OF_TIMES[wish](turn)
    elif wish in _OF_WHAT_STANDS:
        yield from _OF_WHAT_STANDS[wish](turn)
    elif wish is Wish.GIVE_UP:
        yield from give_up(turn)


_OF_TIMES: Mapping[Wish, Callable[[GuidedTurn], Dialogue]] = {
    Wish.OTHER_DAY: scheduling.ask_day,
    Wish.OTHER_TIME: scheduling.offer_others,
    Wish.PROFESSIONALS: scheduling.ask_professional,
}
_OF_WHAT_STANDS: Mapping[Wish, Callable[[GuidedTurn], Dialogue]] = {
    Wish.APPOINTMENTS: appointments.show,
    Wish.KEEP: finishing.keep,
    Wish.NOT_THIS: appointments.other_than_shown,
}


def give_up(turn: GuidedTurn, phrase: str = "gave_up", heard: Understanding | None = None) -> Dialogue:
    """Nothing is booked, and what was held for the question is free for others at once. What is wished instead, or was
    kept until a move is done, is gone on with. What stands in the agenda is told, with what can be done about it: it
    may be what was meant, and it is not given up."""
    yield from let_go(turn)
    moves = turn.state.goal is Goal.MOVE
    further = [*(turn.state.then if moves else []), *(wish.stored() for wish in (heard.then if heard else ()))]
    service = turn.state.selected_service_id if turn.state.goal is Goal.BOOK else None
    if further:
        turn.state = turn.state.finished()
        turn.state.about = service
        lead = turn.phrase("gave_up_kept" if moves else "gave_up_this")
        yield from finishing.next_of(turn, further, lead, like_last=False)
        return
    turn.state = turn.state.finished()
    turn.state.about = service if phrase == "later" else None
    agent, standing = turn.agent, (yield from mine(turn))
    yield from turn.go(agent)
    if standing:
        yield from appointments.listed(turn, standing, turn.phrase(f"{phrase}_kept"))
    else:
        yield from turn.ask(turn.phrase(phrase), MENU[:2])


def let_go(turn: GuidedTurn) -> Dialogue:
    """Free what is held for the question that is open."""
    if turn.state.state is SchedulingState.CONFIRMING and turn.state.goal is not Goal.CANCEL:
        yield from turn.go_to_scheduler()
        yield from turn.call("release_slot")


def hand_over(turn: GuidedTurn, reason: str, phrase: str, *, urgent: bool = False) -> Dialogue:
    """Call a person; `reason` names the phrase that staff read. A yes that comes now is to nothing that was asked
    before. The draft is put aside, unless it was only not understood, or somebody is awaited already."""
    awaited, why = turn.runtime.awaited, turn.phrase(f"reason_{reason}")
    turn.state.question = None
    yield from turn.go("support")
    if awaited is not None and not urgent and (reason == "asked_for_person" or why in awaited.reason):
        yield Say(waited_for(turn, awaited, reason))
        return
    yield from turn.call("send_text_message", text=turn.phrase(phrase))
    if reason != "not_understood":
        turn.state = turn.state.finished()
    kind = called_for(turn, reason)
    yield from turn.call("enable_human_takeover", reason=why, kind=str(kind), urgent=urgent)
    yield Say()


def called_for(turn: GuidedTurn, reason: str) -> CalledFor:
    """`reason`: names the phrase that staff read. Who asks for a person because the last answer was none is called a
    person for what that answer lacked."""
    heard = turn.runtime.heard
    if reason == "staff_matter" and heard is not None and heard.wants(*_MONEY):
        return CalledFor.MONEY
    if reason == "asked_for_person":
        return next((why for phrase, why in _ANSWERED_BY.items() if said_last(turn, phrase)), CalledFor.ASKED)
    return _OF_REASON.get(reason, CalledFor.ASKED)


def said_last(turn: GuidedTurn, *phrases: str) -> bool:
    """Whether one of these phrases is in what the patient read last of us."""
    runtime, last = turn.runtime, turn.runtime.said[-1] if turn.runtime.said else ""
    wordings = (wording for phrase in phrases for wording in runtime.phrases.wordings(phrase, **runtime.words))
    return any(wording and wording in last for wording in wordings)


def waited_for(turn: GuidedTurn, awaited: AwaitedPerson, reason: str) -> str:
    """To who asks for a person again, or for the same as before."""
    if reason != "asked_for_person":
        return turn.runtime.reassure("awaited_complaint" if reason == "complains" else "awaited_kept")
    since = describe(turn.runtime.clinic.local(awaited.since), turn.runtime.now)
    return turn.runtime.reassure("awaited_overdue" if awaited.overdue else "awaited_again", since=since)


def left_for_team(turn: GuidedTurn, more: str = "") -> Dialogue:
    """What tells us nothing is for the person who was called: kept for them, and not asked about."""
    yield from turn.go("support")
    alarmed = turn.state.alarmed
    yield Say(joined(turn.runtime.reassure(f"{alarmed}_again" if alarmed else "awaited_kept"), more))


def inform(turn: GuidedTurn, heard: Understanding) -> Dialogue:
    """A question, outside of any booking. Where the clinic is goes as a pin or, where its coordinates
    are not known, with a button that opens the map."""
    clinic = turn.runtime.clinic
    topics = heard.intents & information.TOPICS
    if clinic.address and topics and topics <= _WHERE and ("address" in topics or information.lacks(turn, heard)):
        yield from turn.go("product_info")
        if clinic.location:
            yield from turn.call("enviar_localizacao")
        else:
            yield from turn.call("enviar_cta", **information.map_link(turn))
        yield Say()
        return
    turn.state.about = heard.service.id if heard.service else turn.state.about
    turn.state.about_professional = heard.professional.id if heard.professional else turn.state.about_professional
    turn.state.topic = next((topic for topic in OF_A_SERVICE if topic in heard.intents), None)
    text = yield from information.answer(turn, heard)
    yield from turn.ask(text, BOOK_OR_PERSON)


_NUMBERS = {"cinco": 5, "dez": 10, "quinze": 15, "vinte": 20, "trinta": 30, "quarenta": 40, "meia": 30, "uma": 60}
_MINUTES = re.compile(rf"\b(\d{{1,3}}) ?min|\b({'|'.join(_NUMBERS)}) (?:min|hora\b)")
"""How late somebody will be, in words as they are compared."""


def minutes_late(heard: Understanding) -> int | None:
    """How late somebody says to be."""
    said = _MINUTES.search(" ".join(heard.said))
    number = next(filter(None, said.groups())) if said else None
    return (_NUMBERS.get(number) or int(number)) if number else None


def gives_up(heard: Understanding) -> bool:
    """Whether somebody who speaks of being late will rather not come: more likely than not by the ear, and without
    saying how late."""
    if not heard.is_sentence or heard.belief is None or minutes_late(heard):
        return False
    return heard.belief.wished[MessageKind.CANCEL] + heard.belief.wished[MessageKind.CHANGE] > 1 / 2


def late(turn: GuidedTurn, heard: Understanding) -> Dialogue:
    """Somebody is on the way: it is noted on the appointment and staff are told; the patient reads what stands, and
    what the clinic says of being late."""
    yield from turn.go("payment")
    noted = (yield from turn.call("note_late", minutes=minutes_late(heard))).get("data") or {}
    lines = [noted["line"], *(yield from information.noted(turn, "late"))] if noted.get("line") else []
    yield from turn.ask(turn.phrase("late_today", lines="\n".join(lines)) if lines else turn.phrase("late_unknown"), ())
