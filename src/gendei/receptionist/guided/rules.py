"""What several mentions of a message mean together: ranked rules, kept as data beside this file."""

from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import Field

from gendei.prompts import INTENTS
from gendei.receptionist.guided.mentions import MENTIONS
from gendei.receptionist.understanding.ranked_rules import RankedRule, RuleFile, read_rules

FILE = Path(__file__).with_name("rules.yaml")


class Meaning(StrEnum):
    """What is done about a message; `policy.py` says how."""

    SHOW_APPOINTMENTS = "show_appointments"
    NOTE_PLAN = "note_plan"
    ANSWER = "answer"
    ASK_TEAM = "ask_team"
    NOTE_LATE = "note_late"
    MOVE = "move"
    CANCEL = "cancel"
    SHOW_PAST = "show_past"
    SHOW_BOOKED = "show_booked"
    SHOW_TOLD_OF = "show_told_of"
    COME = "come"
    BOOK_ANOTHER = "book_another"
    COMFORT = "comfort"
    STAFF_MATTER = "staff_matter"
    ANSWER_AND_BOOK = "answer_and_book"
    ARRIVED = "arrived"
    COMPLAINT = "complaint"
    ADVISE = "advise"
    BOOK = "book"
    TAKE_OFFER = "take_offer"
    AGREED = "agreed"
    NO_HURRY = "no_hurry"
    NUMBER_TOLD = "number_told"
    I_AM_ASSISTANT = "i_am_assistant"
    ASK_AWAY = "ask_away"
    YOU_ARE_WELCOME = "you_are_welcome"
    GOODBYE = "goodbye"
    GREET = "greet"
    TELL_ABOUT = "tell_about"
    NOT_KNOWN = "not_known"
    SERVICE_NOT_FOUND = "service_not_found"
    NOT_FOR_US = "not_for_us"
    NOT_THIS = "not_this"
    ASK_WISH = "ask_wish"


class WishRule(RankedRule):
    means: Annotated[Meaning, Field(strict=False)]


@cache
def rules() -> tuple[WishRule, ...]:
    """In their order. Raises as `read_rules`."""
    return read_rules(FILE, RuleFile[WishRule], INTENTS | MENTIONS.keys()).rules
