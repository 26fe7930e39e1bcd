"""What is done about a patient's words while something is open: an answer, one more fact, a correction, a question
between. The first of the ranked rules that fits decides."""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from gendei.health_plan import PRIVATE
from gendei.prompts import INTENTS
from gendei.receptionist.capabilities import knowing, plans
from gendei.receptionist.guided import (
    appointments,
    confirming,
    finishing,
    information,
    scheduling,
    several_questions,
    slot_reference,
    wishes,
)
from gendei.receptionist.guided.answer_mentions import (
    MENTIONS,
    mentions_of,
    name_of_who_comes,
    written_as_name,
)
from gendei.receptionist.guided.guided_turn import Dialogue, GuidedTurn, Say
from gendei.receptionist.guided.politeness import sympathy
from gendei.receptionist.offers.choices import Action as Wish
from gendei.receptionist.offers.choices import Kind, choice
from gendei.receptionist.offers.questions import further_wish
from gendei.receptionist.state import Goal, SchedulingState
from gendei.receptionist.understanding.language import contains, name_in, words
from gendei.receptionist.understanding.multi_booking import FurtherWish
from gendei.receptionist.understanding.names_told import (
    MAX_NAME_WORDS,
    MAYBE_NAMES,
    bare_name,
    capitalised,
    is_small_talk,
    name_part,
    undressed,
)
from gendei.receptionist.understanding.patient_message import Understanding
from gendei.receptionist.understanding.ranked_rules import RankedRule, RuleFile, first_of, read_rules
from gendei.receptionist.understanding.service_names import EMPTY

FILE = Path(__file__).with_name("answers.yaml")
DAS_DORES = ("das", "dores")
"""A name that is no complaint."""
_BEFORE_A_NAME = frozenset({"com", "em", "sem"})
"""No answer to who comes begins so ("com mulher de preferência")."""
_NOTHING = Understanding((), frozenset())


NEW_WISH = "new_wish"
"""The meaning of what is no answer."""


class AnswerRule(RankedRule):
    """`means`: one of ANSWERS, or NEW_WISH."""

    means: str


@cache
def rules() -> tuple[AnswerRule, ...]:
    """In their order. Raises as `read_rules`."""
    return read_rules(FILE, RuleFile[AnswerRule], INTENTS | MENTIONS.keys()).rules


def answer(turn: GuidedTurn, heard: Understanding, typed: str) -> Dialogue | None:
    """What the words mean for what is open; None when they do not answer it."""
    rule = first_of(rules(), mentions_of(turn, heard, typed))
    turn.state.name_asked = False
    if rule is None or rule.means == NEW_WISH:
        return None
    turn.runtime.rule = rule.rule
    return ANSWERS[rule.means](turn, heard, typed)


def nameless(turn: GuidedTurn, heard: Understanding, typed: str) -> Dialogue | None:
    """Words that mean nothing else, while it is open who comes, or written as names are before the yes to a booking:
    they are the name."""
    state = turn.state
    told_early = state.in_progress and state.goal is Goal.BOOK and written_as_name(typed)
    if heard.intents - MAYBE_NAMES or not 2 <= len(heard.said) <= MAX_NAME_WORDS:
        return None
    if not state.awaiting_name and not told_early:
        return None
    likely = heard.said[0] not in _BEFORE_A_NAME and all(word.isalpha() and word not in EMPTY for word in heard.said)
    return _named(turn, heard, typed) if likely else None


def _pays_alone(turn: GuidedTurn, _heard: Understanding, _typed: str) -> Dialogue:
    turn.state.tell_plan(PRIVATE)
    return scheduling.resume(turn)


def _plan_not_heard(turn: GuidedTurn, _heard: Understanding, typed: str) -> Dialogue:
    name = typed.strip(" .!")
    return plans.unknown(turn, capitalised(name) if name.islower() else name)


def _plan_told(turn: GuidedTurn, heard: Understanding, _typed: str) -> Dialogue:
    plan = heard.plans.plan or ""
    if turn.state.state is SchedulingState.CONFIRMING:
        return scheduling.resume(turn)
    return scheduling.resume(turn, turn.phrase("plan_noted_private" if plan == PRIVATE else "plan_noted", plan=plan))


def _one_more(turn: GuidedTurn, _heard: Understanding, typed: str) -> Dialogue:
    """Another booking is wanted before this booking or move is done: this one first."""
    turn.state.then.append(FurtherWish(typed).stored())
    moves = turn.state.goal is Goal.MOVE
    yield from scheduling.resume(turn, turn.phrase("move_first" if moves else "one_by_one"))


def _somebody_else(turn: GuidedTurn, _heard: Understanding, _typed: str) -> Dialogue:
    """With another professional than the one so far: the only other one, or whoever is chosen."""
    state = turn.state
    able = turn.runtime.clinic.professionals_for(state.selected_service_id or "")
    others = [professional for professional in able if professional.id != state.selected_professional_id]
    if len(others) != 1:
        yield from wishes.fulfil(turn, Wish.PROFESSIONALS, _NOTHING)
        return
    state.want_professional(others[0].id, others[0].name)
    yield from turn.go_to_scheduler()
    yield from scheduling.offer(turn)


def _note_phone(turn: GuidedTurn, heard: Understanding, _typed: str) -> Dialogue:
    turn.state.patient_phone = heard.phone
    return scheduling.resume(turn, turn.phrase("noted"))


def _go_on(turn: GuidedTurn, heard: Understanding, _typed: str) -> Dialogue:
    """A fact for the open draft, or a correction of it. Who comes, put right before the yes, leaves the rest."""
    state = turn.state
    yield from turn.go_to_scheduler()
    if heard.name and not heard.has_booking_facts and state.state is SchedulingState.CONFIRMING:
        state.patient_name, state.awaiting_name = heard.name, False
        yield from scheduling.resume(turn)
    else:
        yield from scheduling.proceed(turn, heard)


def _named(turn: GuidedTurn, heard: Understanding, typed: str) -> Dialogue:
    """The answer to "em nome de quem?"."""
    state = turn.state
    if heard.wants("myself") and not heard.name:
        state.patient_name, state.awaiting_name = turn.runtime.user_name, False
        yield from scheduling.resume(turn)
        return
    part = name_part(typed, turn.vocabulary)
    wished = turn.vocabulary.heard_in(words(part)) - MAYBE_NAMES - {"greeting", "robot"}
    wished -= {"pain"} if contains(heard.said, DAS_DORES) else set()
    no_name = wished or heard.only_yes or is_small_talk(part, turn.vocabulary)
    told = name_of_who_comes(turn, heard, typed) or heard.name
    name = told or ("" if no_name else undressed(bare_name(part), turn.vocabulary))
    name = name_in(name) or ""
    if not name or len(name.split()) > MAX_NAME_WORDS:
        yield from confirming.ask_name(turn)
        return
    state.patient_name, state.awaiting_name = capitalised(name) if name.islower() else name, False
    yield from scheduling.resume(turn, "" if state.state is SchedulingState.CONFIRMING else turn.phrase("noted"))


def _say_yes(turn: GuidedTurn, heard: Understanding, typed: str) -> Dialogue:
    further = further_wish(typed, turn.runtime, turn.vocabulary)
    if further or heard.wants("another", "also"):
        turn.state.then.append(FurtherWish(further or typed).stored())
    yield from turn.go_to_scheduler()
    yield from finishing.said_yes(turn)


def _cancel_now(turn: GuidedTurn, heard: Understanding, typed: str) -> Dialogue:
    if further := further_wish(typed, turn.runtime, turn.vocabulary):
        turn.state.then.append(FurtherWish(further).stored())
    return finishing.cancel_now(turn, heard, turn.state.question or "", turn.state.appointment_id or "")


def _wait(turn: GuidedTurn, _heard: Understanding, _typed: str) -> Dialogue:
    """The patient needs a moment: the question stays as it is."""
    yield Say(turn.phrase("take_your_time"))


def _answer_and_resume(turn: GuidedTurn, heard: Understanding, typed: str) -> Dialogue:
    """A question in the middle of a booking: answered, and back to where we were, or on with the day that was said."""
    asked_plan = plans.was_asked(turn)
    text = yield from several_questions.answer(turn, heard, typed)
    if not text and information.lacks(turn, heard):
        text = yield from knowing.answer_to(turn, typed)
    text = text or (yield from information.answer(turn, heard))
    if asked_plan and not turn.state.plan and not heard.says_when:
        yield from turn.go_to_scheduler()
        yield from plans.ask(turn, text)
    elif turn.state.goal is Goal.CANCEL:
        yield Say(text)
    elif heard.says_when and not heard.services and not heard.wants("hours", "attends"):
        yield from turn.go_to_scheduler()
        yield from scheduling.proceed(turn, heard, text)
    else:
        yield from scheduling.resume(turn, text)


def _ask_what_to_change(turn: GuidedTurn, _heard: Understanding, _typed: str) -> Dialogue:
    """Another time or day, or another service of the professional who is wanted."""
    state, ways = turn.state, (Wish.OTHER_TIME, Wish.OTHER_DAY, Wish.GIVE_UP)
    wanted = turn.runtime.clinic.professional(state.selected_professional_id or "")
    theirs = wanted.service_ids if wanted and state.professional_wanted and state.goal is Goal.BOOK else ()
    others = [choice(Kind.SERVICE, id_) for id_ in theirs if id_ != state.selected_service_id]
    return turn.ask(turn.phrase("what_to_change"), [*(choice(Kind.ACTION, wish) for wish in ways), *others[:5]])


def _known_or_not(turn: GuidedTurn, _heard: Understanding, typed: str) -> Dialogue:
    yield from scheduling.resume(turn, (yield from knowing.answer_to(turn, typed)) or turn.unknown())


Answer = Callable[[GuidedTurn, Understanding, str], Dialogue | None]


def _resumed(phrase: str) -> Answer:
    """That, and the question that is open."""

    def resume(turn: GuidedTurn, _heard: Understanding, _typed: str) -> Dialogue:
        if turn.state.goal is not Goal.CANCEL:
            return scheduling.resume(turn, turn.phrase(phrase))
        return appointments.cancel(turn, _NOTHING, turn.state.appointment_id, turn.phrase(phrase))

    return resume


def _fulfilled(wish: Wish) -> Answer:
    return lambda turn, heard, _typed: wishes.fulfil(turn, wish, heard)


ANSWERS: Mapping[str, Answer] = {
    "keep": lambda turn, _heard, _typed: finishing.keep(turn),
    "not_this": lambda turn, _heard, _typed: appointments.other_than_shown(turn),
    "pick": lambda turn, heard, _typed: appointments.pick(turn, heard),
    "named": _named,
    "pays_alone": _pays_alone,
    "resume": lambda turn, _heard, _typed: scheduling.resume(turn),
    "ask_plan": lambda turn, _heard, _typed: plans.ask(turn),
    "plan_not_heard": _plan_not_heard,
    "plan_not_taken": lambda turn, heard, _typed: plans.unknown(turn, heard.plans.other),
    "plan_told": _plan_told,
    "leave_for_later": lambda turn, _heard, _typed: wishes.give_up(turn, "later"),
    "wait": _wait,
    "cancel_now": _cancel_now,
    "say_yes": _say_yes,
    "give_up": lambda turn, heard, _typed: wishes.give_up(turn, heard=heard),
    "ask_what_to_change": _ask_what_to_change,
    "ask_again": _resumed("ask_again"),
    "greet_back": _resumed("known_hello"),
    "this_one": lambda turn, _heard, _typed: slot_reference.this_one(turn),
    "answer_and_resume": _answer_and_resume,
    "cancel_some": lambda turn, heard, _typed: appointments.cancel_some(turn, heard),
    "move_it": lambda turn, heard, _typed: appointments.move(turn, heard, turn.state.appointment_id),
    "same_hour": lambda turn, _heard, _typed: scheduling.same_hour(turn),
    "one_more": _one_more,
    "point": lambda turn, heard, _typed: slot_reference.pointed(turn, heard),
    "somebody_else": _somebody_else,
    "other_day": _fulfilled(Wish.OTHER_DAY),
    "other_time": _fulfilled(Wish.OTHER_TIME),
    "known_or_not": _known_or_not,
    "sympathize": lambda turn, heard, _typed: scheduling.resume(turn, sympathy(turn, heard)),
    "note": _resumed("noted"),
    "note_phone": _note_phone,
    "advise": lambda turn, _heard, _typed: scheduling.unsure(turn),
    "go_on": _go_on,
    "still_open": _resumed("still_open"),
}
