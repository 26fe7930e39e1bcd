"""What the rules are asked about: the intents of a message, and what else it holds and stands after."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gendei.ear.kinds import MessageKind
from gendei.ear.model import DANGERS
from gendei.receptionist.asked_data import CPF
from gendei.receptionist.capabilities import plan_notes
from gendei.receptionist.guided.appointments import NOT_THIS, asks_if_this
from gendei.receptionist.guided.guided_turn import BOOK_OR_PERSON, MENU, GuidedTurn
from gendei.receptionist.guided.information import AROUND_BOOKING, TOPICS
from gendei.receptionist.guided.wishes import gives_up, said_last
from gendei.receptionist.offers.choices import Choice, Kind, parse_choice
from gendei.receptionist.state import SchedulingState
from gendei.receptionist.understanding.language import words
from gendei.receptionist.understanding.names_told import MAYBE_NAMES
from gendei.receptionist.understanding.patient_message import SURE, Understanding

_WISHED = frozenset(MessageKind) - {*DANGERS, MessageKind.PERSON, MessageKind.ANSWER}
"""What the rules ask of the ear."""
_OF_AGENDA = ("your_appointments", "no_appointments", "others_data", "not_in_agenda")
_STATES = re.compile(
    r"\s*(?:mas |ent[ãa]o |n[ãa]o,? |acho que )*(?:é|e|eh|era|ficou|foi|t[áa]|est[áa])\b", re.IGNORECASE
)
"""How somebody begins who tells of an appointment ("é dia 7 com o Bruno")."""
MAX_WORDS_BESIDE = 3
"""A greeting with more words beside it ("oi, vocês atendem criança?") asks something; "fui" with more is no goodbye."""


@dataclass(frozen=True, slots=True)
class _Message:
    """A message, and the conversation in which it stands."""

    turn: GuidedTurn
    heard: Understanding
    typed: str

    @property
    def topics(self) -> frozenset[str]:
        return self.heard.intents & TOPICS

    @property
    def books(self) -> bool:
        return self.heard.wants("book") or bool(self.heard.mentioned and self.heard.says_when)

    @property
    def asks_of_clinic(self) -> bool:
        around = self.topics <= AROUND_BOOKING and (self.books or self.heard.wants("staff_matter"))
        return bool(self.topics) and not around

    @property
    def is_number_alone(self) -> bool:
        """Whether a telephone or a CPF is told, and nothing else."""
        told = self.heard.phone or CPF.search(self.typed)
        others = self.heard.has_booking_facts or self.heard.intents - MAYBE_NAMES - {"someone_else", "greeting"}
        return bool(told and not others)

    @property
    def shown(self) -> list[str]:
        return [option["id"] for option in self.turn.state.shown]


def _hears(kind: MessageKind) -> "Callable[[_Message], object]":
    return lambda of: of.heard.kind is kind


MENTIONS: Mapping[str, Callable[[_Message], object]] = {
    # what it holds
    "service": lambda of: of.heard.services,
    "name": lambda of: of.heard.name,
    "after_mine": lambda of: of.heard.wants("after_mine"),
    "before_mine": lambda of: of.heard.wants("before_mine"),
    "when": lambda of: of.heard.says_when,
    "fact": lambda of: of.heard.has_booking_facts,
    "several": lambda of: of.heard.then,
    "booking": lambda of: of.books,
    "wishes_one": lambda of: (
        of.heard.wants("book", "another", "someone_else") or (of.heard.services and of.heard.says_when)
    ),
    "topic": lambda of: of.topics,
    "topic_alone": lambda of: of.topics - {"companion"},
    "asks_of_clinic": lambda of: of.asks_of_clinic,
    "asks_if_offered": lambda of: of.topics <= {"offered", "children"},
    "asks": lambda of: "?" in of.typed,
    "sentence": lambda of: of.heard.is_sentence,
    "gives_up": lambda of: gives_up(of.heard),
    "greets_shortly": lambda of: of.heard.wants("greeting") and not of.heard.is_sentence,  # "oi de novo"
    "few_facts": lambda of: of.heard.has_booking_facts and not of.heard.is_sentence,  # "consulta daqui a 15 dias"
    "short_greeting": lambda of: of.heard.wants("greeting") and _is_short(of.turn, "greeting", of.heard),
    "short_bye": lambda of: of.heard.wants("bye") and _is_short(of.turn, "bye", of.heard),
    "wishes_only": lambda of: of.heard.wants("wishes") and of.turn.vocabulary.is_only("wishes", of.heard.said),
    "names_visits": lambda of: not _visits(of.turn).isdisjoint(of.heard.said),
    "states": lambda of: _STATES.match(of.typed) and "?" not in of.typed,
    "number_alone": lambda of: of.is_number_alone,
    "only_yes": lambda of: of.heard.only_yes,
    "only_no": lambda of: of.heard.only_no,
    # what the ear hears
    **{f"ear_{kind}": _hears(kind) for kind in MessageKind if kind in _WISHED},
    "ear_sees": lambda of: of.heard.belief and of.heard.belief.wished[MessageKind.SEE] >= SURE,  # "que dia?" too
    "likely_asks": lambda of: of.heard.likeliest is MessageKind.ASK,
    "ear_doubts": lambda of: of.heard.in_doubt,
    "not_for_us": lambda of: (
        of.heard.kind is MessageKind.OTHER
        and not of.heard.wants("book")
        and not (of.heard.says_when and (of.heard.services or of.heard.professional))
    ),
    # what stands before it
    "in_progress": lambda of: of.turn.state.in_progress,
    "completed": lambda of: of.turn.state.state is SchedulingState.COMPLETED,
    "looked_up": lambda of: said_last(of.turn, *_OF_AGENDA),
    "booked": lambda of: of.turn.state.last,
    "corrects_booking": lambda of: (
        of.turn.state.last and (of.heard.says_when or of.heard.professional) and _corrects(of.turn, of.heard)
    ),
    "awaited": lambda of: of.turn.runtime.awaited is not None,
    "asked_about": lambda of: of.turn.state.about,
    "misunderstood": lambda of: of.turn.state.misunderstood,
    "offered_one": lambda of: of.heard.only_yes and only_shown(of.turn) is not None,
    "asked_if_this": lambda of: of.heard.only_no and asks_if_this(of.turn),
    "acknowledges_only": lambda of: acknowledges(of.turn, of.heard),
    "tells_plan": lambda of: plan_notes.tells(of.turn, of.heard),
}
"""Beside the intents: what the message holds, what the ear hears for sure, and what stands before it."""


def mentions_of(turn: GuidedTurn, heard: Understanding, typed: str) -> frozenset[str]:
    """All that the rules may ask about this message, in this place of the conversation."""
    message = _Message(turn, heard, typed)
    return heard.intents | {name for name, holds in MENTIONS.items() if holds(message)}


def only_shown(turn: GuidedTurn) -> Choice | None:
    """What a bare yes takes: the only option, to come where that was asked, or to book where that was offered beside
    one other thing."""
    shown = [option["id"] for option in turn.state.shown]
    asked = [chosen for id_ in shown if (chosen := parse_choice(id_)) and chosen.kind is Kind.CONFIRM_PRESENCE]
    if len(asked) == 1:
        return asked[0]
    if len(shown) == 2 and shown[1] == NOT_THIS:
        return parse_choice(shown[0])
    return parse_choice(shown[0]) if len(shown) == 1 or shown in map(list, (MENU[:2], BOOK_OR_PERSON)) else None


def acknowledges(turn: GuidedTurn, heard: Understanding) -> bool:
    """Whether what was said last is only taken note of: it asked nothing ("quanto custa?", "R$ 180,00", "ok")."""
    asked = "?" in (turn.runtime.said or ("?",))[-1]
    about_booked = [option["id"] for option in turn.state.shown if option["id"].startswith(Kind.CONFIRM_PRESENCE)]
    return not asked and not about_booked and turn.vocabulary.is_only("acknowledges", heard.said)


def _visits(turn: GuidedTurn) -> set[str]:
    """What the vertical calls an appointment."""
    noun = turn.runtime.vertical.appointment
    return {*words(noun.singular), *words(noun.plural)}


def _is_short(turn: GuidedTurn, intent: str, heard: Understanding) -> bool:
    """Whether little more was said than this, and the clinic's name."""
    beyond, named = turn.vocabulary.beyond(intent, heard.said), {*words(turn.runtime.clinic.name)}
    return sum(word not in named for word in beyond) <= MAX_WORDS_BESIDE


def _corrects(turn: GuidedTurn, heard: Understanding) -> bool:
    """Whether what was booked is to be another time: "na verdade quarta", "amanhã não dá, tem quarta?"."""
    ruled_out = heard.when.excluded if heard.when and heard.when.date else ()
    booked_on = turn.state.last.get("date")
    other_day = any(day.isoformat() == booked_on for day in ruled_out) and not heard.wants("book", "another")
    return heard.wants("correction") or other_day
