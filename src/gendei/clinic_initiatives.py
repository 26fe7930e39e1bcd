"""What a clinic begins by itself beside its reminders: to offer freed time to who waits for it, and to see to who did
not come."""

from dataclasses import dataclass


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
