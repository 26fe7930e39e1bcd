"""What became of a conversation's day, told from its messages: which wish was fulfilled, or why none was."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from enum import StrEnum
from itertools import takewhile

from rapidfuzz import fuzz

from gendei.conversation.stored.history import Author, Event, HistoryMessage
from gendei.messages.message import MessageType
from gendei.messages.turns import ToolStatus, ToolStep
from gendei.prompts import Phrases
from gendei.receptionist.offers.choices import Kind, parse_choice
from gendei.receptionist.tools import CATEGORY_OF
from gendei.staff.inbox.rows import fold


class Outcome(StrEnum):
    """The first five are wishes that were fulfilled. ASKED_AGAIN: the answer did not help, the same was asked once
    more. NO_TIME: nothing was free when it was wanted. STOPPED: a booking was begun and not ended. NOTHING_ASKED: a
    greeting, thanks, or something in which no wish is to be seen."""

    BOOKED = "booked"
    MOVED = "moved"
    CANCELLED = "cancelled"
    PRESENCE = "presence"
    ANSWERED = "answered"
    PERSON = "person"
    NOT_UNDERSTOOD = "not_understood"
    UNKNOWN = "unknown"
    ASKED_AGAIN = "asked_again"
    NO_TIME = "no_time"
    STOPPED = "stopped"
    FAILED = "failed"
    UNANSWERED = "unanswered"
    NOTHING_ASKED = "nothing_asked"


FULFILLED = frozenset(
    {Outcome.BOOKED, Outcome.MOVED, Outcome.CANCELLED, Outcome.PRESENCE, Outcome.ANSWERED},
)
_DOING = {
    "create_appointment": Outcome.BOOKED,
    "reschedule_appointment": Outcome.MOVED,
    "cancel_appointment": Outcome.CANCELLED,
    "confirm_presence": Outcome.PRESENCE,
}
_TELLING = frozenset({"get_patient_appointments", "enviar_localizacao", "enviar_cta"})
_SEARCH = "get_available_slots"
_NONE_FREE = re.compile(r'"available":\s*false')
_OPEN = frozenset(Kind) - {Kind.ACTION, Kind.CONFIRM_PRESENCE, Kind.SURVEY}
"""What is tapped in the middle of a booking, a move or a cancelling."""
_BROKEN = frozenset({Event.TURN_FAILED, Event.MESSAGES_PARKED})
NOT_UNDERSTOOD = ("not_understood", "not_understood_menu", "not_understood_again", "which_wish")
UNKNOWN = (
    "info_unknown",
    "plan_waiting_unknown",
    "service_not_found",
    "foreign_english",
    "foreign_spanish",
    "foreign_other",
)
BEGUN = (
    *(
        "ask_service",
        "ask_professional",
        "ask_day",
        "which_day",
        "ask_name",
        "ask_plan",
        "which_time",
        "what_to_change",
    ),
    *("confirm_booking", "confirm_move", "confirm_cancel", "which_to_move", "which_to_cancel", "gave_up", "later"),
    *("gave_up_kept", "later_kept"),
)
TALK = (
    *("greeting", "greeting_named", "you_are_welcome", "agreed", "no_hurry", "goodbye", "kept", "noted"),
    *("i_am_assistant", "others_data", "ask_away", "not_for_us", "opted_out", "opted_in"),
    *("survey_thanked", "survey_why", "survey_noted", "survey_declined"),
)
"""Phrases that answer no question."""
_FEWEST_LETTERS = 12
_ALIKE = 85
"""Of 100: how near two messages must come to ask the same, and how long they must be for it."""
_SILENT = frozenset({MessageType.REACTION, MessageType.SYSTEM})


class Signs:
    """How messages of the bot are told apart by the phrases that they hold."""

    def __init__(self, phrases: Phrases) -> None:
        groups = {"not_understood": NOT_UNDERSTOOD, "unknown": UNKNOWN, "begun": BEGUN, "talk": TALK}
        self._patterns = {name: _pattern(phrases.texts, keys) for name, keys in groups.items()}

    def outcome(self, messages: Sequence[HistoryMessage]) -> Outcome:
        """Of one conversation's messages of a day, in order, in which the patient wrote."""
        talk = [message for message in messages if message.event is None and message.type not in _SILENT]
        said = [message for message in talk if message.author is Author.BOT]
        steps = [step for message in said for step in message.steps if step.status is ToolStatus.COMPLETED]
        done = [_DOING[step.tool] for step in steps if step.tool in _DOING]
        checks: tuple[tuple[Outcome, Callable[[], bool]], ...] = (
            (Outcome.PERSON, lambda: _has_person(messages)),
            *((outcome, lambda: True) for outcome in done[-1:]),
            (Outcome.FAILED, lambda: _is_broken(messages, said)),
            (Outcome.UNANSWERED, lambda: not said or talk[-1].is_of_patient),
            (Outcome.NOT_UNDERSTOOD, lambda: self._any("not_understood", said)),
            (Outcome.UNKNOWN, lambda: self._any("unknown", said)),
            (Outcome.ASKED_AGAIN, lambda: _asked_again(talk)),
            (Outcome.NO_TIME, lambda: _found_nothing(steps)),
            (Outcome.STOPPED, lambda: self._is_begun(said, steps)),
            (Outcome.ANSWERED, lambda: self._is_answered(talk, steps)),
        )
        return next((outcome for outcome, holds in checks if holds()), Outcome.NOTHING_ASKED)

    def _any(self, group: str, said: Sequence[HistoryMessage]) -> bool:
        return any(self._patterns[group].search(message.content) for message in said)

    def _is_begun(self, said: Sequence[HistoryMessage], steps: Sequence[ToolStep]) -> bool:
        """Times were looked for, or the last word was a question on the way to a booking, a move or a cancelling."""
        chosen = (parse_choice(option.id) for option in said[-1].options)
        asks = any(choice is not None and choice.kind in _OPEN for choice in chosen)
        return asks or any(step.tool == _SEARCH for step in steps) or self._any("begun", said[-1:])

    def _is_answered(self, talk: Sequence[HistoryMessage], steps: Sequence[ToolStep]) -> bool:
        """Something was looked up, or a question got an answer that is more than talk."""
        if any(CATEGORY_OF.get(step.tool, "information") == "information" or step.tool in _TELLING for step in steps):
            return True
        asked = [place for place, message in enumerate(talk) if message.is_of_patient and "?" in message.content]
        answers = [message for place in asked for message in takewhile(_is_bots, talk[place + 1 :])]
        return any(not self._patterns["talk"].search(message.content) for message in answers)


def _pattern(texts: Mapping[str, Collection[str]], keys: Collection[str]) -> re.Pattern[str]:
    """What finds any of these phrases, whatever their placeholders hold."""
    wordings = [wording for key in keys for wording in texts.get(key, ())]
    written = (
        r"[^\n]{0,200}?".join(re.escape(part) for part in re.split(r"\{\w+\}", wording.strip())) for wording in wordings
    )
    return re.compile("|".join(written) or r"(?!)")


def _is_bots(message: HistoryMessage) -> bool:
    return message.author is Author.BOT


def _has_person(messages: Sequence[HistoryMessage]) -> bool:
    return any(
        message.event is Event.TAKEN_OVER or (message.event is None and message.author is Author.STAFF)
        for message in messages
    )


def _is_broken(messages: Sequence[HistoryMessage], said: Sequence[HistoryMessage]) -> bool:
    """A turn ended in an apology, or the last word did not arrive."""
    return any(message.event in _BROKEN for message in messages) or (bool(said) and said[-1].delivery_state == "failed")


def _found_nothing(steps: Sequence[ToolStep]) -> bool:
    searches = [step for step in steps if step.tool == _SEARCH]
    return bool(searches) and all(_NONE_FREE.search(step.result or "") for step in searches)


def _asked_again(talk: Sequence[HistoryMessage]) -> bool:
    """The patient asked what was asked before, although there was an answer between."""
    asked: list[str] = []
    answered = 0
    for message in talk:
        if not message.is_of_patient:
            answered = len(asked)
            continue
        words = fold(message.content)[:200]
        if len(words) >= _FEWEST_LETTERS and not message.tapped:
            if any(fuzz.ratio(words, before) >= _ALIKE for before in asked[:answered]):
                return True
            asked.append(words)
    return False
