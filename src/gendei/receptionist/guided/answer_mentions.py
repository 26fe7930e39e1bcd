"""What the rules about answers are asked: the intents of a message, what else it holds, and what is open."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gendei.ear.answers import Asked, share_of_yes, sure_yes
from gendei.ear.kinds import MessageKind
from gendei.kinship import KIN
from gendei.receptionist.capabilities import plans
from gendei.receptionist.guided import appointments, slot_reference
from gendei.receptionist.guided.guided_turn import GuidedTurn
from gendei.receptionist.guided.information import AROUND_BOOKING, TOPICS, asks_about_clinic
from gendei.receptionist.state import Goal, SchedulingAgentState, SchedulingState
from gendei.receptionist.understanding.language import words
from gendei.receptionist.understanding.names_told import MAX_NAME_WORDS, MAYBE_NAMES, PARTICLES
from gendei.receptionist.understanding.patient_message import Understanding
from gendei.receptionist.understanding.refusing import only_refuses, refuses
from gendei.receptionist.understanding.service_names import EMPTY, TITLES

MAX_PLAN_WORDS = 3
_FOR_SOMEBODY = re.compile(r"(?:(?:não|na verdade|ah)[, ]+)?[eé]\s+(?:pr[ao]|para)\s+(?:[ao]\s+)?(.+)", re.IGNORECASE)
_PUT_RIGHT = re.compile(
    r"(?:não|na verdade|ops|errei|me enganei|me confundi|quis dizer|quer dizer|digo|ali[aá]s)[, ]+"
    r"(?:(?:o nome )?[eé]\s+)?(?:[ao]\s+)?(.+)",
    re.IGNORECASE,
)
_AGE = re.compile(r"\b(?:tem|faz|fez|com|de|tenho) \d{1,2} (?:ano|aninho|mes)")
_NO_YES = ("no", "wait", "later", "another", "also", "changes")
_OWN = frozenset({"minha", "meu"})
_THE = frozenset({"a", "o", "uma", "um"})
_OF_SOMEBODY = frozenset({"mim", "nossa", "nosso", *_OWN})


@dataclass(frozen=True, slots=True)
class _Answer:
    """A message, and the conversation in which it answers something."""

    turn: GuidedTurn
    heard: Understanding
    typed: str

    @property
    def state(self) -> SchedulingAgentState:
        return self.turn.state

    @property
    def day(self) -> str | None:
        when = self.heard.when
        return str(when.date) if when and when.date else None

    @property
    def names_other_service(self) -> bool:
        return self.heard.service is not None and self.heard.service.id != self.state.selected_service_id


def _agreed(of: _Answer) -> bool:
    stands = of.state.stands(of.state.question, of.turn.runtime.now)
    return bool(of.turn.runtime.agreed) and "?" not in of.typed if stands else of.heard.only_yes


MENTIONS: Mapping[str, Callable[[_Answer], object]] = {
    # what is open
    "picking": lambda of: appointments.picking(of.state),
    "asked_if_this": lambda of: appointments.asks_if_this(of.turn),
    "booking": lambda of: of.state.goal is Goal.BOOK,
    "moving": lambda of: of.state.goal is Goal.MOVE,
    "cancelling": lambda of: of.state.goal is Goal.CANCEL,
    "of_one": lambda of: of.state.appointment_id,
    "of_several": lambda of: of.state.together,
    "confirming": lambda of: of.state.state is SchedulingState.CONFIRMING,
    "choosing_service": lambda of: of.state.state is SchedulingState.SELECTING_SERVICE,
    "service_chosen": lambda of: of.state.selected_service_id,
    "asked_name": lambda of: of.state.name_asked,
    "asked_plan": lambda of: plans.was_asked(of.turn),
    # what the message holds
    "after_mine": lambda of: of.heard.wants("after_mine"),
    "before_mine": lambda of: of.heard.wants("before_mine"),
    "when": lambda of: of.heard.says_when,
    "fact": lambda of: of.heard.has_booking_facts,
    "name": lambda of: of.heard.name,
    "phone_told": lambda of: of.heard.phone,
    "few_words": lambda of: len(of.heard.said) <= MAX_PLAN_WORDS,
    "only_yes": lambda of: of.heard.only_yes,
    "only_no": lambda of: of.heard.only_no,
    "topic": lambda of: of.heard.intents & TOPICS,
    "topic_of_clinic": lambda of: of.heard.intents & TOPICS - AROUND_BOOKING,
    "asks_of_clinic": lambda of: asks_about_clinic(of.heard),
    "ear_cancel": lambda of: of.heard.kind is MessageKind.CANCEL,
    "names_kin": lambda of: not (KIN | _OWN).isdisjoint(of.heard.said),
    "age": lambda of: _AGE.search(" ".join(of.heard.said)),
    "plan_named": lambda of: of.heard.plans.plan is not None,
    "other_plan": lambda of: of.heard.plans.other,
    "asks_of_plan": lambda of: of.heard.plans.asks,
    "plan_unclear": lambda of: of.heard.plans.unclear,
    "more_than_a_plan": lambda of: of.heard.intents & TOPICS - {"insurance"},
    "unheard_name": lambda of: _is_unheard_name(of.heard, of.typed),
    # what it holds of what is open
    "agreed": _agreed,
    "agrees_alone": lambda of: of.state.state is SchedulingState.SELECTING_TIME and _agrees_alone(of.heard, of.typed),
    "name_of_another": lambda of: of.state.awaiting_name and _is_name_of_another(of.turn, of.heard, of.typed),
    "name_of_who_comes": lambda of: name_of_who_comes(of.turn, of.heard, of.typed),
    "only_waits": lambda of: _only_waits(of.turn, of.heard),
    "not_to_cancel": lambda of: only_refuses(of.typed, "cancel", of.turn.vocabulary),
    "not_to_book": lambda of: refuses(of.typed, "book", of.turn.vocabulary),
    "its_day": lambda of: of.day and of.day == of.state.selected_date,
    "of_another": lambda of: (of.day and of.day != of.state.selected_date) or of.names_other_service,
    "says_one_more": lambda of: _says_one_more(of.turn, of.heard, of.typed, other=of.names_other_service),
    "books_beside_a_move": lambda of: _books_beside_a_move(of.turn, of.heard),
    "points_at_a_time": lambda of: slot_reference.pointed(of.turn, of.heard),
    "asks_of_another": lambda of: of.state.selected_service_id and of.names_other_service and _only_asks(of.heard),
    "only_greets": lambda of: of.turn.vocabulary.is_only("greeting", of.heard.said) and not of.heard.only_yes,
    "leaves": lambda of: _leaves(of.turn, of.heard),
}
"""Beside the intents, by the names that the rules call them."""


def mentions_of(turn: GuidedTurn, heard: Understanding, typed: str) -> frozenset[str]:
    """All that the rules may ask about this message, with what is open now."""
    answer = _Answer(turn, heard, typed)
    return heard.intents | {name for name, holds in MENTIONS.items() if holds(answer)}


def _is_unheard_name(heard: Understanding, typed: str) -> bool:
    """Whether it may be the name of a plan that nobody knows."""
    is_name = len(heard.said) <= MAX_PLAN_WORDS and EMPTY.isdisjoint(heard.said) and "?" not in typed
    return is_name and not heard.has_booking_facts and not heard.intents


def _only_asks(heard: Understanding) -> bool:
    return heard.kind is MessageKind.ASK and not (heard.says_when or heard.wants("book", "correction", "no"))


def _leaves(turn: GuidedTurn, heard: Understanding) -> bool:
    return heard.wants("bye") and not turn.vocabulary.beyond("courtesy", turn.vocabulary.beyond("bye", heard.said))


def _agrees_alone(heard: Understanding, typed: str) -> bool:
    """Whether it is a yes in words that no list has, and nothing else ("uai, confirma logo")."""
    told = heard.has_booking_facts or heard.name or heard.wants(*TOPICS, *_NO_YES)
    told = told or any(word.isdigit() for word in heard.said)
    return not told and "?" not in typed and share_of_yes(typed, Asked.BOOK) >= sure_yes()


def _only_waits(turn: GuidedTurn, heard: Understanding) -> bool:
    """Whether nothing else is wanted, or nothing that can be done meanwhile ("não sei se ela vai querer, peraí")."""
    rest = list(heard.said)
    for intent in ("courtesy", "wait", "no"):
        rest = turn.vocabulary.beyond(intent, rest)
    told = heard.has_booking_facts or heard.name or "?" in heard.said
    return not rest or not (told or heard.intents - {"wait", "courtesy", "no", "no_service", "someone_else", "unsure"})


def name_of_who_comes(turn: GuidedTurn, heard: Understanding, typed: str) -> str | None:
    """The name that is put right before the yes to a booking: in "é para ana prado", "me enganei, é ana prado", in
    capitals or without; or alone, in capitals."""
    state, typed = turn.state, typed.strip(" .!")
    if state.state is not SchedulingState.CONFIRMING or state.goal is not Goal.BOOK:
        return None
    found = _FOR_SOMEBODY.fullmatch(typed) or _PUT_RIGHT.fullmatch(typed)
    name = found[1] if found else typed if written_as_name(typed) else ""
    said, no_names = words(name), EMPTY | KIN | _OF_SOMEBODY
    named = 2 <= len(said) <= MAX_NAME_WORDS and all(word.isalpha() and word not in no_names for word in said)
    theirs = heard.professional is not None and {*words(heard.professional.name), *TITLES}.issuperset(said)
    facts = heard.services or heard.says_when or theirs
    return name if named and not facts and not heard.intents - MAYBE_NAMES - {"correction"} else None


def _is_name_of_another(turn: GuidedTurn, heard: Understanding, typed: str) -> bool:
    """Whether it is a name of which a professional bears only a part ("Miguel Souza", where Dra. Ana Souza works), or
    that of a professional who does something else."""
    if heard.professional is None or heard.says_when or heard.services or heard.intents - MAYBE_NAMES:
        return False
    theirs, chosen = {*words(heard.professional.name), *TITLES}, turn.state.selected_service_id
    if chosen and chosen not in heard.professional.service_ids:
        return TITLES.isdisjoint(heard.said) and written_as_name(typed)
    return 2 <= len(heard.said) <= MAX_NAME_WORDS and written_as_name(typed) and not theirs.issuperset(heard.said)


def written_as_name(typed: str) -> bool:
    return all(word[0].isupper() or word in PARTICLES for word in typed.split())


def _books_beside_a_move(turn: GuidedTurn, heard: Understanding) -> bool:
    """Whether a booking of its own is wished while an appointment is moved: for somebody else than the one whose
    appointment it is, or one more ("marca tb pra minha esposa", "quero marcar também um clareamento")."""
    state, more = turn.state, heard.wants("another", "also")
    if heard.wants("move", "changes", "correction", "no") or not (more or heard.wants("book")):
        return False
    if heard.name is not None:
        return not set(words(heard.name)) <= set(words(state.patient_name or ""))
    own = state.patient_name in (None, turn.runtime.user_name)
    other_service = any(service.id != state.selected_service_id for service in heard.services)
    return (heard.wants("someone_else") and (own or more)) or (more and other_service)


def _says_one_more(turn: GuidedTurn, heard: Understanding, typed: str, *, other: bool) -> bool:
    """Whether another is wanted beside the one that is booked: for somebody else too, or another service that is added
    to it ("e a limpeza" while a time is chosen, "e a limpeza?" before the yes), or the speaker's own while somebody
    else is the one that comes ("e a minha limpeza?")."""
    state = turn.state
    if heard.wants("also") or heard.intents >= {"another", "someone_else"}:
        return True
    if not other or heard.wants("correction", "no"):
        return False
    if state.state is not SchedulingState.CONFIRMING:
        return heard.said[0] == "e" and heard.said[1] in _THE and "?" not in typed
    for_other = state.patient_name not in (None, turn.runtime.user_name)
    own = heard.wants("myself") or (_OWN & set(heard.said) and not heard.wants("someone_else"))
    return heard.said[0] == "e" or (for_other and bool(own))
