"""What a turn gives the receptionist and gets back: plain values, so that either side is tested alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from gendei.clinic import Clinic, Contact
from gendei.clock import require_aware
from gendei.receptionist.replies import Reply


@dataclass(frozen=True, slots=True)
class PatientInput:
    """One message of the turn. `choice` is the id of a tapped option (see choices.py); `kind` is the message type
    ("text", "audio", "location", ...), so that what cannot be read is answered kindly."""

    text: str
    choice: str | None = None
    kind: str = "text"


@dataclass(frozen=True, slots=True)
class TurnInput:
    """Everything known when a turn starts.

    history: earlier messages, oldest first, as {"role", "content"}; `inputs` are not in it.
    channel: the provider's name, kept with a booking.
    agent, state: what the previous outcome returned, "triage" and {} at first.
    now: aware, in the clinic's zone.
    """

    clinic: Clinic
    contact: Contact
    phone: str | None
    user_name: str | None
    inputs: tuple[PatientInput, ...]
    history: tuple[Mapping[str, str], ...]
    agent: str
    state: Mapping[str, Any]
    now: datetime
    channel: str = ""

    def __post_init__(self) -> None:
        require_aware(self.now)


@dataclass(frozen=True, slots=True)
class ToolStep:
    """One tool call of a turn, for staff who ask why. `error` is None when it worked."""

    tool: str
    arguments: str
    error: str | None = None


@dataclass(frozen=True, slots=True)
class TurnOutcome:
    """What to send and to remember. `takeover_reason` set: a person owns the conversation from now on (the replies
    still go, they tell the patient so); `urgent`: somebody should see to it at once. `state` is JSON, kept under 50 kB.
    `failure`: why the ordinary answer could not be given, for staff; the replies then hold the apology. `patient_id`:
    the patient record, once there is one. `opt_out`: True when the patient wants no more messages that we start, False
    when they want them again."""

    replies: tuple[Reply, ...]
    agent: str
    state: dict[str, Any]
    takeover_reason: str | None = None
    urgent: bool = False
    patient_id: str | None = None
    steps: tuple[ToolStep, ...] = ()
    failure: str | None = None
    opt_out: bool | None = None


class Receptionist(Protocol):
    async def answer(self, turn: TurnInput) -> TurnOutcome:
        """At least one reply, always; never raises for what a model or a tool does."""
        ...
