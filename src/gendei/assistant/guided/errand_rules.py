"""Which errand a message is: ranked rules, kept as data beside this file."""

from enum import StrEnum
from functools import cache, cached_property
from pathlib import Path
from typing import Annotated

from pydantic import Field

from gendei.assistant.phrases import Errand
from gendei.receptionist.understanding.ranked_rules import RankedRule, RuleFile, read_rules

FILE = Path(__file__).with_name("errand_rules.yaml")
IN_TASK, BOOKS_A_TIME = "in_task", "books_a_time"
"""What a message may hold beside the words of errands: a conversation to begin, as the words of a task; and a service
and an hour to book."""


class Trait(StrEnum):
    """What may be said next to an errand, or with it."""

    ASKED_AGAIN = "asked_again"
    """Of another day, or of somebody else: "e quinta?"."""
    ONCE_MORE = "once_more"
    """Of somebody else, once it is shown: "não, a do João"."""
    ABOUT_ONE = "about_one"
    """Of the next one who is named too: "cancela a da Ana e a do João"."""
    WRITTEN = "written"
    """Words that are not ours to judge, or that the desk judges."""
    KEPT = "kept"
    """Behind it stands what is to be kept as it is, until somebody is told to do something else."""
    SENT = "sent"
    """Behind it stands what the patient reads."""


class ErrandRule(RankedRule):
    means: Annotated[Errand, Field(strict=False)]
    traits: Annotated[frozenset[Annotated[Trait, Field(strict=False)]], Field(default=frozenset(), strict=False)]


class ErrandRules(RuleFile[ErrandRule]):
    """around: the errands whose words are nobody's name, by what is spoken of."""

    around: dict[str, Annotated[tuple[Annotated[Errand, Field(strict=False)], ...], Field(strict=False)]]

    @cached_property
    def errands(self) -> frozenset[str]:
        return frozenset(rule.means for rule in self.rules)

    @cached_property
    def once_more(self) -> frozenset[str]:
        return frozenset(rule.means for rule in self.rules if Trait.ONCE_MORE in rule.traits)

    def of(self, errand: str) -> ErrandRule:
        return next(rule for rule in self.rules if rule.means == errand)


@cache
def errand_rules() -> ErrandRules:
    """In their order. Raises as `read_rules`."""
    return read_rules(FILE, ErrandRules, frozenset(Errand) | {IN_TASK, BOOKS_A_TIME})
