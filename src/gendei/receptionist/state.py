"""What the receptionist remembers of a booking between two messages (seed 1's SchedulingAgentState, extended)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

MAX_OFFERED = 120
MAX_SHOWN = 10


class SchedulingState(StrEnum):
    INITIAL = "initial"
    SELECTING_SERVICE = "selecting_service"
    SELECTING_PROFESSIONAL = "selecting_professional"
    SELECTING_DATE = "selecting_date"
    SELECTING_TIME = "selecting_time"
    CONFIRMING = "confirming"
    COMPLETED = "completed"


class Goal(StrEnum):
    """What the patient wants to get done."""

    BOOK = "book"
    MOVE = "move"
    CANCEL = "cancel"


@dataclass(slots=True)
class SchedulingAgentState:
    """The booking draft. Setting a choice upstream clears what followed from it.

    selected_date: ISO date; with selected_until the first day of a range. selected_time: "HH:MM". time_from, time_to:
    "HH:MM", the part of the day asked for.
    professional_wanted: the patient asked for this professional, so other times are searched with them alone; else
    they only came with the chosen slot.
    available_slots: every slot offered in this conversation as "service|professional|start" (choices.start_text),
    newest last: a booking takes nothing else. shown: the options of the last message as [id, title], so that
    "o segundo" and a typed title find their choice. misunderstood: messages in a row that made no sense.
    """

    state: SchedulingState = SchedulingState.INITIAL
    goal: Goal = Goal.BOOK
    appointment_id: str | None = None
    selected_service_id: str | None = None
    selected_service_name: str | None = None
    selected_professional_id: str | None = None
    selected_professional_name: str | None = None
    professional_wanted: bool = False
    selected_date: str | None = None
    selected_until: str | None = None
    selected_time: str | None = None
    time_from: str | None = None
    time_to: str | None = None
    available_slots: list[str] = field(default_factory=list)
    patient_name: str | None = None
    awaiting_name: bool = False
    shown: list[list[str]] = field(default_factory=list)
    misunderstood: int = 0

    @property
    def in_progress(self) -> bool:
        return self.state not in {SchedulingState.INITIAL, SchedulingState.COMPLETED}

    def select_service(self, service_id: str, name: str) -> None:
        if self.selected_service_id not in {None, service_id}:
            self.select_professional(None, None)
            self.professional_wanted = False
        self.selected_service_id, self.selected_service_name = service_id, name

    def select_professional(self, professional_id: str | None, name: str | None) -> None:
        if professional_id != self.selected_professional_id:
            self.selected_time = None
        self.selected_professional_id, self.selected_professional_name = professional_id, name

    def want_professional(self, professional_id: str | None, name: str | None) -> None:
        """The patient's own preference; None for no matter who."""
        self.select_professional(professional_id, name)
        self.professional_wanted = professional_id is not None

    def select_date(self, date: str | None, time: str | None, time_from: str | None, time_to: str | None) -> None:
        if date is not None:
            self.selected_date = date
        self.selected_time, self.time_from, self.time_to = time, time_from, time_to

    def offer(self, keys: list[str]) -> None:
        """Remember slots as offered; the oldest fall out."""
        fresh = set(keys)
        kept = [key for key in self.available_slots if key not in fresh]
        self.available_slots = [*kept, *keys][-MAX_OFFERED:]

    def finished(self) -> "SchedulingAgentState":
        """After the goal was reached or given up: nothing of the draft leaks on, but what was offered stays so."""
        return SchedulingAgentState(state=SchedulingState.COMPLETED, available_slots=self.available_slots)

    def begun(self, goal: Goal, appointment_id: str | None = None) -> "SchedulingAgentState":
        """A new goal starts from nothing but what was offered before."""
        return SchedulingAgentState(goal=goal, appointment_id=appointment_id, available_slots=self.available_slots)

    def to_dict(self) -> dict[str, Any]:
        """JSON for the conversation document; empty fields are left out."""
        return {name: value for name in self.__slots__ if (value := getattr(self, name)) not in (None, [], False, 0)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "SchedulingAgentState":
        """The inverse of `to_dict`; fields that this version does not know are dropped."""
        known = {name: data[name] for name in cls.__slots__ if name in data}
        known["state"] = SchedulingState(known.get("state", "initial"))
        known["goal"] = Goal(known.get("goal", "book"))
        return cls(**known)
