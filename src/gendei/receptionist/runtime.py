"""What tools and agents share during one turn; injected with the SDK's RunContextWrapper."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from time import monotonic
from typing import Any

from agents import FunctionTool, RunContextWrapper

from gendei.booking.appointment import Appointment
from gendei.booking.deposit_desk import DepositDesk, OwnDeposit
from gendei.booking.desk import BookingDesk
from gendei.clinic import Clinic, Contact
from gendei.clock import instant
from gendei.knowledge.knowledge_base import KnowledgeBase
from gendei.messages.called_for import CalledFor
from gendei.messages.preferences import ORDINARY, Preferences
from gendei.messages.replies import Reply
from gendei.messages.turns import (
    AwaitedPerson,
    Danger,
    DepositDue,
    LateNotice,
    LowScore,
    PatientInput,
    PersonBefore,
    ToolStep,
)
from gendei.payments.pix_charge import PixCharge
from gendei.prompts import Phrases
from gendei.receptionist.offers.choices import YESES, Choice, Kind, choice, new_offer, parse_choice
from gendei.receptionist.sources import Source
from gendei.receptionist.state import SchedulingAgentState
from gendei.receptionist.strict_turn import StrictTurn
from gendei.receptionist.survey_taps import SurveyTaps
from gendei.receptionist.tools.refusals import Reason
from gendei.receptionist.understanding.patient_message import Understanding
from gendei.verticals import Vertical
from gendei.waiting.waiting_list import WaitingList


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The result of a tool. A refusal may carry data too: the alternatives that the model can offer. brief: the same
    data with nothing said twice, for language models. For staff who ask why, and not for the model: reason, why it did
    not, or why nothing was found; found: how many things."""

    success: bool
    data: Any = None
    error: str | None = None
    reason: Reason | None = None
    found: int | None = None
    brief: Any = None

    def to_dict(self, *, brief: bool = False) -> dict[str, Any]:
        data = self.data if self.brief is None or not brief else self.brief
        if self.success:
            return {"success": True, "data": data}
        refusal = {"success": False, "error": self.error}
        return refusal if data is None else {**refusal, "data": data}

    def to_json(self, *, brief: bool = False) -> str:
        return json.dumps(self.to_dict(brief=brief), ensure_ascii=False)


@dataclass(slots=True)
class MadeCall:
    """A call of a tool in this turn, made so many times. result: of the first that worked or was refused."""

    result: ToolResult | None = None
    times: int = 1


class Change(StrEnum):
    """What a turn did to an appointment. The values name the phrases that tell the patient."""

    BOOKED = "booking_confirmed"
    MOVED = "booking_moved"
    CANCELLED = "booking_cancelled"
    PRESENCE = "presence_confirmed"


@dataclass(slots=True)
class Runtime:
    """One turn: who speaks, what is known, and what came of it. Identity lives here and is no tool's parameter.

    words: what fills the phrases in this clinic: the vertical's words and the clinic's name. known: what a model's
    instructions are filled with; calls: what it called; all_said: it has nothing left to say; only_agrees: the messages
    say yes, perhaps to what, and no more.
    replies: queued for the patient, in order. changes: appointments that tools committed in this turn.
    seen: committed appointments that tools read or wrote in this turn, by id. told: changes that the patient has
    been told by a rendered text, kept in `rendered`. appointments: the patient's coming ones when the turn began, where
    a model is to read them. tool_failures: what broke inside tools, for staff. offer_id: the offer that all slots
    shown in this turn belong to. tap_stands: the tap of this turn answers the question that was asked last. agreed: the
    choices that this turn's messages say yes to, without their offer (agreement.py). opt_out: what the patient decided
    in this turn about messages that we start. preferences: how the patient wants to be answered, and wished: what of it
    this turn changed. awaited, before: a person of the clinic who was called, or who had the conversation. reassures:
    the patient reads already that the team will answer. resumes: they come back after the session ended. late: they
    will be late, and for what. can_speak: replies may go as voice notes. attached: tools of the clinic's own servers,
    by agent, and attached_answers: what they said in this turn. said: the last two messages that the patient read of
    us, oldest first; earlier: what the patient wrote before; wordings: the phrases of this turn that can be said
    otherwise, and how. heard: what the rules and the ear made of the messages; rule: of guided/rules.yaml, which
    decided; danger: what was made of it that they may tell of danger; by_model: a language model answers. began: on
    the monotonic clock.
    given: the phrase of what became of what the patient was asked for (asked_data.py).
    strict: the model states no fact, and `attached` has what it calls instead, too. comes: the patient's word that they
    will come to what they have (presence.py). waiting: the clinic's waiting list; waits: what they wait for, by the
    entry's id, as far as this turn has read it. survey_taps: keeps answers to surveys; surveyed: the phrase of what
    became of one in this turn, of the appointment survey_of; low_score: what staff are told of it. knowledge: what the
    clinics answer questions with; entries: the question of each entry that this turn has read, by its id; sources: the
    approved answers that it has read, by the entry's id; named: the entries that a model says it used; unanswered: what
    nothing answered. deposits: what is known of deposits; charges: those that this turn read, by id; owed: the
     patient's deposits, where the messages may be about one; says_paid: those that staff are to look for.
    """

    clinic: Clinic
    vertical: Vertical
    phrases: Phrases
    desk: BookingDesk
    contact: Contact
    phone: str | None
    channel: str
    user_name: str | None
    now: datetime
    inputs: tuple[PatientInput, ...]
    state: SchedulingAgentState
    words: dict[str, str]
    agent: str = "triage"
    replies: list[Reply] = field(default_factory=list)
    changes: list[tuple[Change, Appointment]] = field(default_factory=list)
    seen: dict[str, Appointment] = field(default_factory=dict)
    told: set[tuple[Change, str]] = field(default_factory=set)
    rendered: list[Reply] = field(default_factory=list)
    appointments: list[Appointment] | None = None
    known: Mapping[str, str] = field(default_factory=dict)
    takeover_reason: str | None = None
    called_for: CalledFor | None = None
    urgent: bool = False
    patient_id: str | None = None
    steps: list[ToolStep] = field(default_factory=list)
    tool_failures: list[str] = field(default_factory=list)
    offer_id: str | None = None
    tap_stands: bool = False
    agreed: frozenset[str] = frozenset()
    opt_out: bool | None = None
    preferences: Preferences = ORDINARY
    wished: dict[str, Any] = field(default_factory=dict)
    awaited: AwaitedPerson | None = None
    before: PersonBefore | None = None
    reassures: bool = False
    resumes: bool = False
    late: LateNotice | None = None
    can_speak: bool = False
    attached: Mapping[str, Sequence[FunctionTool]] = field(default_factory=dict)
    attached_answers: list[Any] = field(default_factory=list)
    said: tuple[str, ...] = ()
    earlier: tuple[str, ...] = ()
    wordings: dict[str, str] = field(default_factory=dict)
    heard: Understanding | None = None
    rule: str = ""
    danger: Danger = Danger.NONE
    by_model: bool = False
    strict: StrictTurn | None = None
    comes: str = ""
    waiting: WaitingList | None = None
    waits: Mapping[str, str] = field(default_factory=dict)
    knowledge: KnowledgeBase | None = None
    entries: dict[str, str] = field(default_factory=dict)
    sources: dict[str, Source] = field(default_factory=dict)
    named: list[str] = field(default_factory=list)
    unanswered: str = ""
    calls: dict[tuple[str, str], MadeCall] = field(default_factory=dict)
    all_said: bool = False
    given: str = ""
    survey_taps: SurveyTaps | None = None
    surveyed: str = ""
    survey_of: str = ""
    low_score: LowScore | None = None
    only_agrees: bool = False
    deposits: DepositDesk | None = None
    charges: dict[str, PixCharge] = field(default_factory=dict)
    owed: list[OwnDeposit] = field(default_factory=list)
    says_paid: list[DepositDue] = field(default_factory=list)
    began: float = field(default_factory=monotonic)

    def moment(self) -> datetime:
        """The present one: `now` is the turn's beginning."""
        return self.now + timedelta(seconds=monotonic() - self.began)

    def say(self, phrase: str, **values: str) -> str:
        """A phrase of the catalogue in this clinic's words."""
        first, *others = self.phrases.wordings(phrase, **{**self.words, **values})
        if first and others:
            self.wordings[first] = others[0]
        return first

    def reassure(self, phrase: str, **values: str) -> str:
        """A phrase that says that the team will answer, in another of its wordings than the last time."""
        self.reassures, told = True, self.state.reassured
        self.state.reassured += 1
        return self.phrases.say(phrase, told, **{**self.words, **values})

    @property
    def attached_names(self) -> frozenset[str]:
        return frozenset(tool.name for tools in self.attached.values() for tool in tools)

    @property
    def old_yes(self) -> bool:
        """Whether this turn's tap says yes to something else than the question that stood when it began."""
        tapped = self.tapped
        return tapped is not None and tapped.kind in YESES and not self.tap_stands

    @property
    def characters(self) -> int:
        """How much text this turn has to be understood of."""
        return sum(len(message.text) for message in self.inputs)

    @property
    def tapped(self) -> Choice | None:
        """What was tapped last in this turn, or typed for a shown option."""
        return next((found for message in reversed(self.inputs) if (found := parse_choice(message.choice))), None)

    @property
    def standing(self) -> list[Appointment]:
        """The patient's coming appointments, as far as this turn has read or made them."""
        known = {appointment.id: appointment for appointment in self.appointments or ()} | self.seen
        return [found for found in known.values() if found.status.live and instant(found.start) > instant(self.now)]

    def offer(self, keys: Sequence[str]) -> None:
        """Slots ("service|professional|start") are shown now, as one offer with all others of this turn."""
        self.offer_id = self.offer_id or new_offer()
        self.state.offer(keys, self.offer_id, self.now)

    def keep_offered(self, key: str) -> None:
        """A slot that is held stays bookable; the last offer stays the last."""
        offer = self.state.newest_offer(self.now) or self.offer_id or new_offer()
        self.state.offer([key], offer, self.now)

    def ask(self, kind: Kind, *args: str) -> str:
        """The id that says yes to the question asked now. The same question, asked again, keeps its id."""
        standing = parse_choice(self.state.question) if self.state.stands(self.state.question, self.now) else None
        same = standing is not None and (standing.kind, standing.args) == (kind, args)
        yes = str(standing) if same else choice(kind, *args, offer=new_offer())
        self.state.ask(yes, self.now)
        return yes

    def agrees(self, kind: Kind, *args: str) -> bool:
        """Whether the patient said yes, in this turn, to just this."""
        return str(Choice(kind, args)) in self.agreed

    def changed(self, change: Change, appointment: Appointment) -> None:
        """A change was committed. The text of it is the system's, and all of a model's answer where the patient said
        yes and nothing else, and nothing else is left of what they said yes to."""
        self.changes.append((change, appointment))
        self.seen[appointment.id] = appointment
        done = self.only_agrees and len(self.changes) >= len(self.agreed)
        self.all_said = self.all_said or (self.by_model and done)

    def tell(self, change: Change, appointment: Appointment, reply: Reply) -> None:
        """Queue the rendered text of a change, once."""
        if (change, appointment.id) not in self.told:
            self.told.add((change, appointment.id))
            self.tell_own(reply)

    def tell_own(self, reply: Reply) -> None:
        """Queue a text of ours, which stands whatever becomes of a model's own words."""
        self.rendered.append(reply)
        self.replies.append(reply)

    def tell_own_first(self, text: str) -> None:
        """The same, before what is asked in this turn."""
        self.rendered.append(Reply(text))
        place = next((place for place, reply in enumerate(self.replies) if reply.options), len(self.replies))
        self.replies.insert(place, self.rendered[-1])

    @property
    def unrendered(self) -> list[Reply]:
        """The replies in the words of who answers, and not of the system."""
        rendered = {reply.text for reply in self.rendered}
        return [reply for reply in self.replies if reply.text not in rendered]

    def remember(self, appointments: list[Appointment]) -> None:
        self.seen.update((appointment.id, appointment) for appointment in appointments)


def failed(reason: Reason, error: str, data: Mapping[str, Any] | None = None) -> ToolResult:
    """A refusal; `error` is what the model reads."""
    return ToolResult(False, data, error, reason)


Context = RunContextWrapper[Runtime]
"""What a tool is called with."""


class Declined(ValueError):
    """A tool does not do what a model asked for; the message tells the model what to do."""

    def __init__(self, reason: Reason, message: str) -> None:
        self.reason = reason
        super().__init__(message)
