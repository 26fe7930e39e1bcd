"""What several mentions of a message mean together: ranked rules, kept as data beside this file."""

from collections.abc import Set as AbstractSet
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import Field

from gendei.datafile import StrictModel, read_yaml
from gendei.prompts import INTENTS
from gendei.receptionist.guided.mentions import Mention

FILE = Path(__file__).with_name("rules.yaml")


class Meaning(StrEnum):
    """What is done about a message; `policy.py` says how."""

    SHOW_APPOINTMENTS = "show_appointments"
    NOTE_PLAN = "note_plan"
    ANSWER = "answer"
    NOTE_LATE = "note_late"
    MOVE = "move"
    CANCEL = "cancel"
    SHOW_PAST = "show_past"
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
    PHONE_TOLD = "phone_told"
    I_AM_ASSISTANT = "i_am_assistant"
    ASK_AWAY = "ask_away"
    YOU_ARE_WELCOME = "you_are_welcome"
    GOODBYE = "goodbye"
    GREET = "greet"
    TELL_ABOUT = "tell_about"
    NOT_KNOWN = "not_known"
    SERVICE_NOT_FOUND = "service_not_found"
    NOT_FOR_US = "not_for_us"
    ASK_WISH = "ask_wish"


Names = Annotated[frozenset[str], Field(default=frozenset(), strict=False)]


class WishRule(StrictModel):
    """It fits where all of `all`, one of `any` (if there is any) and none of `none` were mentioned."""

    rule: str
    all: Names
    any: Names
    none: Names
    means: Annotated[Meaning, Field(strict=False)]
    examples: Annotated[tuple[str, ...], Field(min_length=1, strict=False)]
    where: Names

    def fits(self, mentions: AbstractSet[str]) -> bool:
        wanted = not self.any or not self.any.isdisjoint(mentions)
        return wanted and self.all <= mentions and self.none.isdisjoint(mentions)

    @property
    def names(self) -> frozenset[str]:
        return self.all | self.any | self.none | self.where


class _Rules(StrictModel):
    rules: Annotated[tuple[WishRule, ...], Field(strict=False)]


@cache
def rules() -> tuple[WishRule, ...]:
    """In their order. Raises ConfigurationError for a file that is not well, and ValueError for a name that nothing
    mentions."""
    found = read_yaml(FILE).into(_Rules).rules
    unknown = frozenset[str]().union(*(rule.names for rule in found)) - INTENTS - {*Mention}
    if unknown:
        raise ValueError(f"{FILE.name}: nothing mentions {sorted(unknown)}")
    return found


def first_of(mentions: AbstractSet[str]) -> WishRule | None:
    """The first rule that fits."""
    return next((rule for rule in rules() if rule.fits(mentions)), None)
