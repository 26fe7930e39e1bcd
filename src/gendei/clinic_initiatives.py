"""What a clinic begins by itself beside its reminders: to offer freed time to who waits for it, to see to who did not
come, and to ask who came how it was."""

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class WaitingListPolicy:
    """offer_minutes: how long who is offered a time may take to answer. at_once: how many are offered the same time
    together; the first yes has it. keep_days: how long who names no last day waits."""

    offer_minutes: int = 30
    at_once: int = 1
    keep_days: int = 60

    def __post_init__(self) -> None:
        if self.offer_minutes < 1 or self.at_once < 1 or self.keep_days < 1:
            raise ValueError(f"a waiting list counts from 1: {self}")


@dataclass(frozen=True, slots=True)
class NoShowPolicy:
    """write: the patient is written to, with free times. unmarked_hours: how long after the end of an appointment of
    which nobody said whether the patient came staff get a task; None: never. most: who did not come so often in a year
    books with the team alone; 0: everybody may book."""

    write: bool = True
    unmarked_hours: int | None = 2
    most: int = 0

    def __post_init__(self) -> None:
        if self.most < 0 or (self.unmarked_hours is not None and self.unmarked_hours < 1):
            raise ValueError(f"no-shows are counted from 0, and hours from 1: {self}")


class SurveyAfter(StrEnum):
    """Which visits are asked about: those that staff marked as done, or all that are over and not marked as missed."""

    COMPLETED = "completed"
    ENDED = "ended"


LOWEST_SCORE, HIGHEST_SCORE = 1, 5
"""The scores of a survey."""


@dataclass(frozen=True, slots=True)
class SurveyPolicy:
    """after: see SurveyAfter. delay_minutes: from the end of the visit to the question. low: who gives this score or a
    lower one is asked why; 0: nobody. every_days: who was asked so lately is not asked again."""

    after: SurveyAfter = SurveyAfter.COMPLETED
    delay_minutes: int = 120
    low: int = 3
    every_days: int = 30

    def __post_init__(self) -> None:
        if self.delay_minutes < 0 or not 0 <= self.low < HIGHEST_SCORE or self.every_days < 0:
            raise ValueError(f"a survey counts from 0, and its best score is not low: {self}")
