"""What the guided receptionist can do next. A dialogue is a generator that yields these and is sent what came of
each tool call, so that its policy reads as a conversation and the SDK still runs every step."""

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class HandOff:
    """Give the conversation to another agent of the team."""

    agent: str


@dataclass(frozen=True, slots=True)
class Call:
    """Call a tool of the present agent; the dialogue is sent its result as {"success", "data" | "error"}."""

    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Say:
    """End the turn with this text; an empty one adds nothing to what tools have queued."""

    text: str = ""


Action = HandOff | Call | Say
Result = dict[str, Any]
Dialogue = Generator[Action, Result, None]
