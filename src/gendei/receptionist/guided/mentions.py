"""What the rules are asked about: the intents of a message, and what else it holds and stands after."""

from collections.abc import Iterator
from enum import StrEnum

from gendei.ear.kinds import MessageKind
from gendei.receptionist.guided import plan_notes
from gendei.receptionist.guided.bare_yes import acknowledges, only_shown
from gendei.receptionist.guided.guided_turn import GuidedTurn
from gendei.receptionist.guided.information import AROUND_BOOKING, TOPICS
from gendei.receptionist.guided.naming import MAYBE_NAMES
from gendei.receptionist.guided.wishes import gives_up
from gendei.receptionist.state import SchedulingState
from gendei.receptionist.understanding.language import words
from gendei.receptionist.understanding.patient_message import Understanding

MAX_WORDS_BESIDE = 3
"""A greeting with more words beside it ("oi, vocês atendem criança?") asks something; "fui" with more is no goodbye."""


class Mention(StrEnum):
    """Beside the intents: what the message holds, what the ear hears for sure, and what stands before it."""

    # what it holds
    SERVICE = "service"
    AFTER_MINE = "after_mine"
    BEFORE_MINE = "before_mine"
    WHEN = "when"
    FACT = "fact"
    SEVERAL = "several"
    BOOKING = "booking"
    WISHES_ONE = "wishes_one"
    TOPIC = "topic"
    TOPIC_ALONE = "topic_alone"
    ASKS_OF_CLINIC = "asks_of_clinic"
    ASKS_IF_OFFERED = "asks_if_offered"
    ASKS = "asks"
    SENTENCE = "sentence"
    GIVES_UP = "gives_up"
    GREETS_SHORTLY = "greets_shortly"
    FEW_FACTS = "few_facts"
    SHORT_GREETING = "short_greeting"
    SHORT_BYE = "short_bye"
    WISHES_ONLY = "wishes_only"
    NAMES_VISITS = "names_visits"
    PHONE_ALONE = "phone_alone"
    ONLY_YES = "only_yes"
    ONLY_NO = "only_no"
    # what the ear hears
    EAR_BOOK = "ear_book"
    EAR_CHANGE = "ear_change"
    EAR_CANCEL = "ear_cancel"
    EAR_SEE = "ear_see"
    EAR_CONFIRM = "ear_confirm"
    EAR_ASK = "ear_ask"
    LIKELY_ASKS = "likely_asks"
    EAR_GREET = "ear_greet"
    EAR_COMPLAIN = "ear_complain"
    EAR_OTHER = "ear_other"
    EAR_DOUBTS = "ear_doubts"
    NOT_FOR_US = "not_for_us"
    # what stands before it
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    BOOKED = "booked"
    CORRECTS_BOOKING = "corrects_booking"
    AWAITED = "awaited"
    ASKED_ABOUT = "asked_about"
    MISUNDERSTOOD = "misunderstood"
    OFFERED_ONE = "offered_one"
    ACKNOWLEDGES_ONLY = "acknowledges_only"
    TELLS_PLAN = "tells_plan"


_EAR = {kind: Mention(f"ear_{kind}") for kind in MessageKind if f"ear_{kind}" in {*Mention}}


def mentions_of(turn: GuidedTurn, heard: Understanding, typed: str) -> frozenset[str]:
    """All that the rules may ask about this message, in this place of the conversation."""
    return heard.intents | {*_held(turn, heard, typed)} | {*_heard(heard)} | {*_before(turn, heard)}


def _held(turn: GuidedTurn, heard: Understanding, typed: str) -> Iterator[Mention]:
    topics = heard.intents & TOPICS
    booking = heard.wants("book") or bool(heard.mentioned and heard.says_when)
    around = topics <= AROUND_BOOKING
    holds = {
        Mention.SERVICE: heard.services,
        Mention.WHEN: heard.says_when,
        Mention.FACT: heard.has_booking_facts,
        Mention.SEVERAL: heard.then,
        Mention.BOOKING: booking,
        Mention.WISHES_ONE: heard.wants("book", "another", "someone_else") or (heard.services and heard.says_when),
        Mention.TOPIC: topics,
        Mention.TOPIC_ALONE: topics - {"companion"},
        Mention.ASKS_OF_CLINIC: topics and not (around and (booking or heard.wants("staff_matter"))),
        Mention.ASKS_IF_OFFERED: topics <= {"offered", "children"},
        Mention.ASKS: "?" in typed,
        Mention.SENTENCE: heard.is_sentence,
        Mention.GIVES_UP: gives_up(heard),
        Mention.GREETS_SHORTLY: heard.wants("greeting") and not heard.is_sentence,  # "oi de novo"
        Mention.FEW_FACTS: heard.has_booking_facts and not heard.is_sentence,  # "consulta daqui a 15 dias"
        Mention.SHORT_GREETING: heard.wants("greeting") and _is_short(turn, "greeting", heard),
        Mention.SHORT_BYE: heard.wants("bye") and _is_short(turn, "bye", heard),
        Mention.WISHES_ONLY: heard.wants("wishes") and turn.vocabulary.is_only("wishes", heard.said),
        Mention.NAMES_VISITS: not _visits(turn).isdisjoint(heard.said),
        Mention.PHONE_ALONE: _is_phone_alone(heard),
        Mention.ONLY_YES: heard.only_yes,
        Mention.ONLY_NO: heard.only_no,
    }
    return (mention for mention, holds_it in holds.items() if holds_it)


def _visits(turn: GuidedTurn) -> set[str]:
    """What the vertical calls an appointment."""
    noun = turn.runtime.vertical.appointment
    return {*words(noun.singular), *words(noun.plural)}


def _is_phone_alone(heard: Understanding) -> bool:
    return bool(heard.phone and not heard.has_booking_facts and not heard.intents - MAYBE_NAMES - {"someone_else"})


def _is_short(turn: GuidedTurn, intent: str, heard: Understanding) -> bool:
    """Whether little more was said than this, and the clinic's name."""
    beyond, named = turn.vocabulary.beyond(intent, heard.said), {*words(turn.runtime.clinic.name)}
    return sum(word not in named for word in beyond) <= MAX_WORDS_BESIDE


def _heard(heard: Understanding) -> Iterator[Mention]:
    if heard.kind in _EAR:
        yield _EAR[heard.kind]
    if heard.likeliest is MessageKind.ASK:
        yield Mention.LIKELY_ASKS
    if heard.in_doubt:
        yield Mention.EAR_DOUBTS
    if heard.kind is MessageKind.OTHER and not heard.wants("book") and not heard.says_when:
        yield Mention.NOT_FOR_US


def _before(turn: GuidedTurn, heard: Understanding) -> Iterator[Mention]:
    state, runtime = turn.state, turn.runtime
    stands = {
        Mention.IN_PROGRESS: state.in_progress,
        Mention.COMPLETED: state.state is SchedulingState.COMPLETED,
        Mention.BOOKED: state.last,
        Mention.CORRECTS_BOOKING: state.last and (heard.says_when or heard.professional) and _corrects(turn, heard),
        Mention.AWAITED: runtime.awaited is not None,
        Mention.ASKED_ABOUT: state.about,
        Mention.MISUNDERSTOOD: state.misunderstood,
        Mention.OFFERED_ONE: heard.only_yes and only_shown(turn) is not None,
        Mention.ACKNOWLEDGES_ONLY: acknowledges(turn, heard),
        Mention.TELLS_PLAN: plan_notes.tells(turn, heard),
    }
    return (mention for mention, stands_so in stands.items() if stands_so)


def _corrects(turn: GuidedTurn, heard: Understanding) -> bool:
    """Whether what was booked is to be another time: "na verdade quarta", "amanhã não dá, tem quarta?"."""
    ruled_out = heard.when.excluded if heard.when and heard.when.date else ()
    booked_on = turn.state.last.get("date")
    other_day = any(day.isoformat() == booked_on for day in ruled_out) and not heard.wants("book", "another")
    return heard.wants("correction") or other_day
