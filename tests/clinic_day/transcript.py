"""A clinic's day as it was seen from outside: what was written, what stands at its end, and what others saw."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


class By(StrEnum):
    """Who wrote a line."""

    PATIENT = "patient"
    BOT = "bot"
    PERSON = "person"


@dataclass(frozen=True)
class Line:
    """with_person: whether a person had the conversation when a patient wrote it."""

    at: datetime
    contact: str
    by: By
    text: str
    with_person: bool = False


@dataclass(frozen=True)
class Visit:
    """An appointment as it stands at the end of the day; `lives`: it was not cancelled."""

    contact: str
    professional: str
    start: datetime
    end: datetime
    lives: bool = True
    override: bool = False


@dataclass(frozen=True)
class Conversation:
    """taken_by: who of the staff has it; "" where nobody does."""

    contact: str
    taken_by: str = ""


@dataclass
class Day:
    """lines: of all conversations, in their order. before: visits that stood before the day, by contact. asked_last:
    what was answered to a question that each patient asked at the end, by contact. team: the staff's names. leaks: what
    somebody of another clinic saw."""

    lines: list[Line] = field(default_factory=list)
    before: list[Visit] = field(default_factory=list)
    visits: list[Visit] = field(default_factory=list)
    tasks_about: list[str] = field(default_factory=list)
    conversations: list[Conversation] = field(default_factory=list)
    asked_last: dict[str, list[str]] = field(default_factory=dict)
    team: tuple[str, ...] = ()
    leaks: list[str] = field(default_factory=list)

    def talks(self) -> Iterator[tuple[str, list[Line]]]:
        """Each contact with its lines."""
        for contact in dict.fromkeys(line.contact for line in self.lines):
            yield contact, [line for line in self.lines if line.contact == contact]
