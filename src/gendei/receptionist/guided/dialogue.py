"""The guided receptionist: what to do with one turn of a patient's messages."""

from dataclasses import replace

from gendei.ear.kinds import MessageKind
from gendei.messages.turns import Danger
from gendei.receptionist.asked_data import FEW_WORDS, AskedAnswer
from gendei.receptionist.capabilities import knowing, paying, plan_notes, survey, waiting
from gendei.receptionist.guided import (
    answers,
    appointments,
    asked_appointments,
    confirming,
    danger,
    one_more,
    received,
    resuming,
    scheduling,
    wishes,
)
from gendei.receptionist.guided.choosing import chosen
from gendei.receptionist.guided.guided_turn import BOOK_OR_PERSON, MENU, Dialogue, GuidedTurn, Say, joined
from gendei.receptionist.guided.policy import if_urgent, meant
from gendei.receptionist.guided.politeness import beside_thanks
from gendei.receptionist.guided.repetition import unrepeated
from gendei.receptionist.offers.choices import Choice
from gendei.receptionist.offers.costs import keep_plan
from gendei.receptionist.state import Goal
from gendei.receptionist.understanding.language import words
from gendei.receptionist.understanding.one_wish import hear
from gendei.receptionist.understanding.patient_message import Understanding, typed_in

_OWN_ERRANDS = {MessageKind.BOOK, MessageKind.CHANGE, MessageKind.CANCEL}
"""Who has one of these only speaks of others ("passa a minha vez pra outro paciente")."""


def converse(turn: GuidedTurn) -> Dialogue:
    """One whole turn."""
    yield from unrepeated(turn, _converse(turn))


def _converse(turn: GuidedTurn) -> Dialogue:
    """Safety first, then a wish for a person or for no more messages, then what was tapped, then what
    was written, then what was sent besides words."""
    runtime, tapped = turn.runtime, turn.runtime.tapped
    typed = typed_in(runtime.inputs)
    if (held_back := one_more.decided(turn, tapped, typed)) is not None:
        typed = joined(held_back, typed)
    heard = _understood(turn, typed)
    doubted, turn.state.in_doubt = turn.state.in_doubt, None
    if doubted and danger.denied(turn, heard, doubted):
        typed, tapped, runtime.danger = doubted, None, Danger.DENIED
        heard = _understood(turn, doubted, safe=True)
    elif (alarm := danger.alarm(turn, heard, typed, doubted)) is not None:
        yield from alarm
        return
    elif doubted and not tapped:  # they go on without an answer: what they had told still counts
        typed = f"{doubted}\n{typed}"
        heard = _understood(turn, typed, safe=True)
    if heard.wants("person") and not tapped and survey.asks_for_person(turn, heard):
        yield from wishes.hand_over(turn, *_why_person(heard))
    elif turn.runtime.surveyed:
        yield from survey.told(turn)
    elif (asked := _asked_of(turn, tapped, heard, typed)) is not None:
        yield from asked
    elif heard.wants("opt_out", "opt_in") and not tapped:
        yield from _about_messages(turn, heard)
    elif tapped:
        turn.state.misunderstood = 0
        resuming.tapped_on(turn, tapped)
        yield from chosen(turn, tapped, heard)
    elif not any(word.isalnum() for word in heard.said) and not heard.only_yes and not heard.only_no:
        yield from (
            resuming.greet(turn, MENU) if "?" in typed and not turn.state.in_progress else _without_words(turn, heard)
        )
    else:
        of_file = None if danger.is_open(turn, heard) else received.of_file(turn, heard, typed)
        if of_file is received.OfFile.DESCRIBED:
            yield from _without_words(turn, heard, turn.phrase("file_announced"))
            return
        yield from received.acknowledge(turn)
        yield from _asked_of_file(turn) if of_file else _written(turn, heard, typed)


def _asked_of(turn: GuidedTurn, tapped: Choice | None, heard: Understanding, typed: str) -> Dialogue | None:
    """What is said or tapped of a deposit, or said of the waiting list."""
    of_deposit = paying.answered(turn, tapped, heard)
    return of_deposit if of_deposit is not None or tapped else waiting.asked(turn, heard, typed)


def _why_person(heard: Understanding) -> tuple[str, str]:
    """Why a person is called who was asked for, and what is said."""
    if heard.wants("arrived"):
        return wishes.ARRIVED
    of_complaint = heard.kind is MessageKind.COMPLAIN or heard.wants("indignant")
    return wishes.COMPLAINS if of_complaint else ("asked_for_person", "handover_started")


def _understood(turn: GuidedTurn, typed: str, *, safe: bool = False) -> Understanding:
    runtime = turn.runtime
    runtime.heard = hear(
        typed,
        clinic=runtime.clinic,
        vocabulary=turn.vocabulary,
        vertical=runtime.vertical,
        now=runtime.now,
        open_service=turn.state.open_service,
        safe=safe,
    )
    return runtime.heard


def _about_messages(turn: GuidedTurn, heard: Understanding) -> Dialogue:
    """Messages that we start are wanted no more, or again. A bare "sair" while a booking is open means the booking."""
    if turn.state.in_progress and len(heard.said) == 1:
        yield from wishes.give_up(turn)
        return
    yield from turn.go("greeter")
    turn.runtime.opt_out = heard.wants("opt_out")
    yield Say(turn.phrase("opted_out" if turn.runtime.opt_out else "opted_in"))


def _without_words(turn: GuidedTurn, heard: Understanding, announced: str = "") -> Dialogue:
    """Only a picture, a place, a card, a voice: said what becomes of it, and on with what was open. `announced`: what
    is said where it is still to come."""
    notice, state = received.notice(turn) or announced, turn.state
    if not state.in_progress:
        yield from turn.go("greeter")
        yield from turn.ask(notice or turn.phrase("sticker_received"), MENU if notice else [])
    elif state.goal is Goal.CANCEL:
        yield from appointments.cancel(turn, heard, state.appointment_id, notice)
    elif state.goal is Goal.BOOK and received.is_contact_card(turn):
        yield from turn.go_to_scheduler()
        yield from confirming.ask_name(turn, notice)
    else:
        yield from scheduling.resume(turn, notice)


def _asked_of_file(turn: GuidedTurn) -> Dialogue:
    """A question that only who sees the file can answer. An open booking goes on; else a person is called."""
    if turn.state.in_progress and turn.state.goal is Goal.BOOK:
        yield from scheduling.resume(turn, turn.phrase("file_asked"))
    else:
        yield from wishes.hand_over(turn, "file_asked", "handover_file_asked")


def _written(turn: GuidedTurn, heard: Understanding, typed: str) -> Dialogue:
    """Words: an answer to what was asked, or a new wish."""
    if resuming.goes_on(turn, heard):
        turn.state = turn.state.taken_up()
        heard = _understood(turn, typed)
    keep_plan(turn.runtime)
    if heard.wants("others_data") and heard.kind not in _OWN_ERRANDS:
        yield from turn.ask(turn.phrase("others_data"), BOOK_OR_PERSON)
        return
    if (of_other := asked_appointments.of_somebody_else(turn, heard, typed)) is not None:
        turn.state.misunderstood = 0
        yield from of_other
        return
    if heard.wants("thanks") and (asked := beside_thanks(turn, heard, typed)):
        typed, heard = asked, _without_thanks(_understood(turn, asked))
    card = _given(turn, typed) or plan_notes.card(turn, heard, typed)
    wish = wishes.left_for_team(turn) if danger.is_open(turn, heard) else card or _foreign(turn, heard, typed)
    if wish is None and turn.state.in_progress:
        wish = answers.answer(turn, heard, typed)
    wish = wish or meant(turn, heard, typed) or answers.nameless(turn, heard, typed)
    if wish is None:
        standing = [] if turn.state.in_progress else (yield from one_more.told_of(turn, heard))
        yield from one_more.ask_about(turn, standing, typed) if standing else _not_understood(turn, heard, typed)
        return
    turn.state.misunderstood = 0
    yield from wish


def _without_thanks(heard: Understanding) -> Understanding:
    return replace(heard, intents=heard.intents - {"thanks"})


def _given(turn: GuidedTurn, typed: str) -> Dialogue | None:
    """What became of what the patient was asked for after booking; None where they say more than that."""
    told, clinic = turn.runtime.given, turn.runtime.clinic
    if not told or len(words(typed)) > FEW_WORDS:
        return None
    phrase = f"{told}_{clinic.booking.asks}" if told == AskedAnswer.UNREADABLE else told
    return _said(turn, turn.phrase(phrase))


def _said(turn: GuidedTurn, text: str) -> Dialogue:
    """That, and on with what is open."""
    if turn.state.in_progress and turn.state.goal is Goal.BOOK:
        yield from scheduling.resume(turn, text)
    else:
        yield Say(text)


def _foreign(turn: GuidedTurn, heard: Understanding, typed: str) -> Dialogue | None:
    """Another language than Portuguese, where it is more than a greeting or a yes."""
    language = received.language_of(turn, heard, typed)
    if language is None or heard.only_yes or heard.only_no or turn.vocabulary.is_only("greeting", heard.said):
        return None
    return received.answer_foreign(turn, language)


def _not_understood(turn: GuidedTurn, heard: Understanding, typed: str) -> Dialogue:
    """One clarification, then options, then a person. Who told a story may have told of an emergency. A question in
    a booking that nothing here answers is one for the team."""
    state, urgent = turn.state, if_urgent(turn, heard)
    if heard.asks(typed) and state.in_progress and state.goal is not Goal.CANCEL:
        yield from scheduling.resume(turn, (yield from knowing.answer_to(turn, typed)) or turn.unknown())
        return
    if heard.wonders and state.in_progress and state.goal is not Goal.CANCEL:
        yield from scheduling.resume(turn)
        return
    state.misunderstood += 1
    if state.misunderstood == 1 and heard.wants("greeting") and not state.in_progress:
        yield from resuming.greet(turn, MENU)
    elif turn.runtime.awaited is not None and not state.in_progress:
        yield from wishes.left_for_team(turn, urgent if state.misunderstood == 1 else "")
    elif state.misunderstood > 2:
        state.misunderstood = 0
        yield from wishes.hand_over(turn, "not_understood", "handover_not_understood")
    elif state.in_progress and state.goal is not Goal.CANCEL:
        yield from scheduling.resume(turn, turn.phrase("not_understood_again"))
    elif state.misunderstood == 1:
        yield from turn.go("support")
        yield Say(joined(turn.phrase("not_understood"), urgent))
    else:
        yield from turn.go("support")
        yield from turn.ask(joined(turn.phrase("not_understood_menu"), urgent), MENU)
