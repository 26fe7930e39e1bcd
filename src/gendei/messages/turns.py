"""What a turn gives the receptionist and gets back: plain values, so that either side is tested alone."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Protocol

from gendei.clinic import Clinic, Contact
from gendei.clock import require_aware
from gendei.messages.called_for import CalledFor
from gendei.messages.preferences import ORDINARY, Preferences
from gendei.messages.replies import Reply
from gendei.records import ABSENT_WHEN_EMPTY, ABSENT_WHEN_NONE, Day, Moment


class Hearing(StrEnum):
    """How well a voice note was understood. SURE: its words count like written ones. UNSURE: they are asked back, and
    count only after a yes. SILENT, NOISE: there are none that count. TOO_LONG, UNREADABLE: a note that is not taken.
    UNHEARD: the speech service did not answer in time, or said nonsense."""

    SURE = "sure"
    UNSURE = "unsure"
    SILENT = "silent"
    NOISE = "noise"
    TOO_LONG = "too_long"
    UNREADABLE = "unreadable"
    UNHEARD = "unheard"


@dataclass(frozen=True, slots=True)
class PatientInput:
    """One message of the turn. `choice` is the id of a tapped option (see receptionist/choices.py); `kind` is the
    message type ("text", "audio", "location", ...), so that what cannot be read is answered kindly. `hearing`: of a
    voice note that somebody listened to, whose words are then the `text`."""

    text: str
    choice: str | None = None
    kind: str = "text"
    hearing: Hearing | None = None


@dataclass(frozen=True, slots=True)
class AwaitedPerson:
    """A person of the clinic was called and has not come yet: since when (aware), and why, as staff read it.
    `overdue`: for longer than the clinic promises."""

    since: datetime
    reason: str = ""
    overdue: bool = False


@dataclass(frozen=True, slots=True)
class PersonBefore:
    """A person of the clinic, by name where it is known, had the conversation until the moment `until` (aware).
    `is_open`: something is still to be done for the patient."""

    until: datetime
    name: str | None = None
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class LateNotice:
    """The patient said that they will be late: for which of their appointments, None where they have none that day, and
    what staff are told of it."""

    appointment_id: str | None = None
    told: str = ""


@dataclass(frozen=True, slots=True)
class LowScore:
    """The patient gave a visit a low score; `told`: what staff are told of it, with the reason where it is known."""

    appointment_id: str
    told: str


@dataclass(frozen=True, slots=True)
class DepositDue:
    """The patient booked and read that staff send how to pay the deposit; `told`: what staff are told of it."""

    appointment_id: str
    told: str


@dataclass(frozen=True, slots=True)
class TurnInput:
    """Everything known when a turn starts.

    history: earlier messages, oldest first, as {"role", "content"}; `inputs` are not in it.
    channel: the provider's name, kept with a booking.
    agent, state: what the previous outcome returned, "triage" and {} at first.
    now: aware, in the clinic's zone.
    preferences: how the patient wants to be answered, as far as they said. can_speak: replies may go as voice notes.
    awaited, before: a person who was called, or who had the conversation. resumes: the patient comes back after the
    last session ended.
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
    preferences: Preferences = ORDINARY
    can_speak: bool = False
    awaited: AwaitedPerson | None = None
    before: PersonBefore | None = None
    resumes: bool = False

    def __post_init__(self) -> None:
        require_aware(self.now)


class ToolStatus(StrEnum):
    """The states of a tool call; a call that a turn left behind half-way stays as it was."""

    PENDING = "pending"
    EXECUTING = "executing"
    COMPLETED = "completed"
    FAILED = "failed"
    TIMEOUT = "timeout"


@dataclass(frozen=True, slots=True)
class ToolStep:
    """One tool call of a turn, for staff who ask why. `error` is None when it worked. `arguments` and `result` are
    JSON without secrets (see receptionist/tools/calls.py); the moments are aware, None in records from before there
    were any. reason: why it did not, or why nothing was found (see receptionist/tools/refusals.py); found: how many
    things."""

    tool: str
    arguments: str
    error: str | None = None
    id: str = ""
    status: ToolStatus = ToolStatus.COMPLETED
    result: str | None = None
    started_at: Moment | None = None
    completed_at: Moment | None = None
    reason: Annotated[str | None, ABSENT_WHEN_NONE] = None
    found: Annotated[int | None, ABSENT_WHEN_NONE] = None


class Danger(StrEnum):
    """What was made of it that a message may tell of danger to health or life. DENIED: it was asked, and nobody is."""

    NONE = "none"
    DENIED = "denied"
    ASKED = "asked"
    CALLED = "called"


class Unclear(StrEnum):
    """What a message left open, or asked for in vain."""

    UNKNOWN_SERVICE = "unknown_service"
    SERVICES = "services"
    DAYS = "days"
    HOURS = "hours"
    PAST = "past"
    IMPOSSIBLE = "impossible"


@dataclass(frozen=True, slots=True)
class Understood:
    """What was understood of the patient's messages of one turn, for staff who ask why it was answered so; none of
    their words.

    by_model: a language model answered, which read the messages itself; else the guided receptionist did, by this.
    wishes: the intents that the rules heard. kind: what the ear takes the whole for ("" where it said too little), with
    its share in percent, and whether it is sure. tapped: the kind of the option that was chosen, or the action
    ("do_person"). rule: which one of the guided receptionist's decided what is done. services, professional: ids.
    hour, hour_from, hour_to: "15:00", the clinic's.
    """

    by_model: bool = False
    wishes: tuple[str, ...] = ()
    kind: str = ""
    share: int = 0
    sure: bool = False
    danger: Danger = Danger.NONE
    tapped: str = ""
    rule: Annotated[str, ABSENT_WHEN_EMPTY] = ""
    services: tuple[str, ...] = ()
    professional: str | None = None
    day: Day | None = None
    until: Day | None = None
    hour: str | None = None
    hour_from: str | None = None
    hour_to: str | None = None
    unclear: tuple[Unclear, ...] = ()


@dataclass(frozen=True, slots=True)
class Reasons:
    """What led to an answer."""

    steps: tuple[ToolStep, ...] = ()
    understood: Understood | None = None


NO_REASONS = Reasons()


@dataclass(frozen=True, slots=True)
class TurnOutcome:
    """What to send and to remember. `takeover_reason` set: a person is called (the replies tell the patient so),
    for one of CalledFor; `urgent`: somebody should see to it at once. `late`: staff are told that the patient will
    be late; `deposits`: how to pay what staff are to send; `charges`: ids of those that were begun, and are made
    once this is committed; `low_score`: how they liked a visit. `state` is JSON,
    kept under 50 kB. `failure`: why the ordinary answer could not be given, for staff; the replies then hold the
    apology. `patient_id`: the patient record, once there is one. `opt_out`: True when the patient wants no more
    messages that we start, False when they want them again. `understood`: None where nothing was read."""

    replies: tuple[Reply, ...]
    agent: str
    state: dict[str, Any]
    takeover_reason: str | None = None
    called_for: CalledFor | None = None
    urgent: bool = False
    patient_id: str | None = None
    steps: tuple[ToolStep, ...] = ()
    failure: str | None = None
    opt_out: bool | None = None
    understood: Understood | None = None
    preferences: Mapping[str, Any] = field(default_factory=dict)
    late: LateNotice | None = None
    deposits: tuple[DepositDue, ...] = ()
    charges: tuple[str, ...] = ()
    low_score: LowScore | None = None

    @property
    def reasons(self) -> Reasons:
        return Reasons(self.steps, self.understood)


class Receptionist(Protocol):
    async def answer(self, turn: TurnInput) -> TurnOutcome:
        """At least one reply, always; never raises for what a model or a tool does."""
        ...
