"""When a clinic reminds its patients of an appointment by itself, and what becomes of who does not answer."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from gendei.records import ABSENT_WHEN_EMPTY


class ReminderPurpose(StrEnum):
    """REMINDER tells of the appointment; CONFIRMATION asks whether the patient comes, and waits for the answer."""

    REMINDER = "reminder"
    CONFIRMATION = "confirmation"


class Unanswered(StrEnum):
    """What follows where a CONFIRMATION stays without an answer."""

    TASK = "task"
    ASK_AGAIN = "ask_again"


@dataclass(frozen=True, slots=True)
class ReminderRule:
    """One message, `hours_before` the start. services: the ids of those that it is for; empty for all. confirmed_too:
    also to who said already that they come."""

    hours_before: int
    purpose: ReminderPurpose = ReminderPurpose.REMINDER
    services: Annotated[tuple[str, ...], ABSENT_WHEN_EMPTY] = ()
    confirmed_too: Annotated[bool, ABSENT_WHEN_EMPTY] = False

    @property
    def key(self) -> str:
        """Names what it sends to one appointment: once, however often the rule is changed and changed back."""
        return f"{self.purpose}/{self.hours_before}"

    @property
    def template(self) -> str:
        """Under which of the clinic's templates its own stands, if it has one."""
        return "/".join((self.key, *self.services))

    def is_for(self, service_id: str) -> bool:
        return not self.services or service_id in self.services


@dataclass(frozen=True, slots=True)
class ReminderPolicy:
    """rules: None for those of the vertical. unanswered_hours_before: when who was asked and did not answer is seen to;
    None: never."""

    rules: tuple[ReminderRule, ...] | None = None
    unanswered_hours_before: int | None = None
    unanswered: Unanswered = Unanswered.TASK
