"""The conversation document: what a turn loads and rewrites as a whole."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated, Any
from uuid import uuid4

from pydantic import AliasChoices, AliasPath, Field

from gendei.channel_kinds import capabilities
from gendei.clinic import ClinicId, Contact
from gendei.conversation.stored.places import TICK, last_of, latest, placed
from gendei.documents import Data, Snapshot
from gendei.messages.called_for import CalledFor, graver
from gendei.messages.channels import window_end
from gendei.messages.keys import ConversationKey
from gendei.messages.message import Arrival, MessageRole
from gendei.messages.preferences import ORDINARY, StoredPreferences
from gendei.receptionist.llm.summaries import Memory
from gendei.records import ABSENT_WHEN_NONE, AS_IT_IS, NOT_STORED, Moment, Record

IDLE = timedelta(minutes=30)
MOST_MESSAGES = 100


class SessionStatus(StrEnum):
    """ACTIVE: the bot answers, also while a person is awaited. PAUSED: a person has the conversation. TERMINATED: staff
    closed it, or nothing was said for IDLE; what the patient writes next begins another session."""

    ACTIVE = "active"
    PAUSED = "paused"
    TERMINATED = "terminated"


@dataclass(frozen=True, slots=True)
class Session:
    """`messages`: of both sides, up to MOST_MESSAGES; the next one begins another session."""

    id: str
    started_at: Moment
    active_at: Moment
    messages: int = 0

    def status(self, now: datetime, *, is_human_takeover: bool, is_closed: bool) -> SessionStatus:
        """`is_human_takeover`: a person has the conversation; who waits for one is answered."""
        if is_closed or self.is_over(now):
            return SessionStatus.TERMINATED
        return SessionStatus.PAUSED if is_human_takeover else SessionStatus.ACTIVE

    def is_over(self, now: datetime) -> bool:
        return self.is_idle(now) or self.messages >= MOST_MESSAGES

    def is_idle(self, now: datetime) -> bool:
        """Whether the patient left it: what was offered in it is old."""
        return now - self.active_at >= IDLE


def session_after(session: Session | None, messages: int, now: datetime, *, was_closed: bool = False) -> Session:
    """The session after `messages` more, of both sides; a new one where the last is over."""
    if session is None or was_closed or session.is_over(now):
        return Session(str(uuid4()), now, now, messages)
    return Session(session.id, session.started_at, now, session.messages + messages)


WINDOW_MESSAGES = 50
"""Kept in the document itself ; the rest is in the full history."""
WINDOW_CHARACTERS = 4096
"""A message is cut to this in the window: 50 of them in 4-byte characters stay under 1 MiB."""
FIRST_AGENT = "triage"


class FailureReason(StrEnum):
    """Why something went wrong for the patient, as staff pages name it."""

    TURN_FAILED = "turn_failed"
    PARKED = "parked"
    SEND_FAILED = "send_failed"
    DELIVERY_FAILED = "delivery_failed"
    WINDOW_CLOSED = "window_closed"
    CHANNEL_MISSING = "channel_missing"
    TEMPLATE_UNUSABLE = "template_unusable"


@dataclass(frozen=True, slots=True)
class Failure:
    """`detail` is technical and safe to show: a type, a place, a provider's code; never a patient's words.
    `explanation` tells staff in Portuguese, where it is about a message that did not reach the patient."""

    reason: FailureReason
    detail: str
    at: Moment
    explanation: str = ""


@dataclass(frozen=True, slots=True)
class QueuedMessage:
    """What the person `name` wrote while the service window was closed: it goes when the patient writes again."""

    id: str
    text: str
    user_id: str
    name: str
    at: Moment


@dataclass(frozen=True, slots=True)
class Returned:
    """The bot got the conversation back `at` from the person `by`, whom it was called or taken for by `reason`. `task`:
    the id of what the clinic's people still have to do for the patient; None for nothing."""

    at: Moment
    by: str | None = None
    reason: str | None = None
    task: str | None = None


MOST_REASON = 500


@dataclass(frozen=True, slots=True)
class Conversation:
    """One contact of one clinic. `messages` is a window, the last 50 as {"role", "content",
    "timestamp"}, the timestamp an ISO text. `next_seq` numbers what is sent. `unread` counts patients' messages
    that no person has seen.

    is_human_takeover: a person has it, or was called. `waiting_for_person`: the bot called one and nobody came yet; it
    answers until then. answer_by: when that wait is longer than the clinic promises, None once it was told of or where
    nobody waits; escalated_at: when it was. `returned`: how the bot last got it back.

    phone, user_id: where to send on the channel of the last message, as its provider showed them; `addresses` keeps
    them for every channel, {"provider/externalId": {"phone", "userId"}}. `aliases`: the other contacts that are this
    patient. `folded`: those among them whose own history stands beside this one's. `folded_into` set: this is no
    conversation any more, but a part of that contact's (see gendei.conversation.stored.contacts).

    person_at: when a person of the clinic last took it or wrote; None while none has it.
    preferences: how the patient wants to be answered; session: see gendei.conversation.stored.conversation.
    assigned_to, assigned_name: the staff user who shall look after it. closed_at: staff are done with it; what the
    patient writes next opens it again. `queued`: what staff wrote for when the window opens again. danger_at: since
    when the patient may be in danger, and no person has taken it up. snoozed_until: staff see it again then, or when
    the patient writes, as snoozed_by wished.
    """

    clinic_id: ClinicId
    contact: Annotated[Contact, Field(alias="userPhone")]
    created_at: Moment
    updated_at: Moment
    phone: str | None = None
    user_id: str | None = None
    user_name: str | None = None
    patient_id: str | None = None
    provider: Annotated[str, Field(validation_alias=AliasPath("channel", "provider")), NOT_STORED] = ""
    external_id: Annotated[str, Field(validation_alias=AliasPath("channel", "externalId")), NOT_STORED] = ""
    messages: Annotated[tuple[Data, ...], AS_IT_IS] = ()
    current_agent: str = FIRST_AGENT
    agent_state: Annotated[dict[str, Any], AS_IT_IS] = field(default_factory=dict)
    thread_id: str | None = None
    is_human_takeover: bool = False
    taken_over_at: Moment | None = None
    taken_over_by: str | None = None
    takeover_reason: str | None = None
    called_for: Annotated[CalledFor | None, ABSENT_WHEN_NONE] = None
    last_message_at: Moment | None = None
    last_inbound_at: Moment | None = None
    window_ends_at: Moment | None = None
    next_seq: int = 1
    unread: int = 0
    waiting_for_person: bool = False
    answer_by: Annotated[Moment | None, ABSENT_WHEN_NONE] = None
    escalated_at: Annotated[Moment | None, ABSENT_WHEN_NONE] = None
    returned: Annotated[Returned | None, ABSENT_WHEN_NONE] = None
    last_failure: Failure | None = None
    addresses: Mapping[str, Data] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    folded: tuple[str, ...] = ()
    folded_into: Contact | None = None
    person_at: Annotated[Moment | None, Field(validation_alias=AliasChoices("personAt", "takenOverAt"))] = None
    assigned_to: str | None = None
    assigned_name: str | None = None
    labels: tuple[str, ...] = ()
    closed_at: Moment | None = None
    queued: tuple[QueuedMessage, ...] = ()
    preferences: StoredPreferences = ORDINARY
    session: Session | None = None
    danger_at: Annotated[Moment | None, ABSENT_WHEN_NONE] = None
    snoozed_until: Annotated[Moment | None, ABSENT_WHEN_NONE] = None
    snoozed_by: Annotated[str | None, ABSENT_WHEN_NONE] = None

    @property
    def key(self) -> ConversationKey:
        return ConversationKey(self.clinic_id, self.contact)

    @property
    def has_person(self) -> bool:
        """Whether a person of the clinic has it: the bot is silent then (promise 7). Who waits for one has none."""
        return self.is_human_takeover and not self.waiting_for_person

    @property
    def history(self) -> tuple[Mapping[str, str], ...]:
        """The window as the receptionist takes it, oldest first."""
        return tuple({name: message[name] for name in ("role", "content", "timestamp")} for message in self.messages)

    def received(self, arrivals: Sequence[Arrival]) -> "Conversation":
        """With the patient's messages appended, and what they tell about who writes. The service window counts from
        the provider's timestamp, but never from a moment that is still to come. What starts no turn stands in the
        full history only."""
        spoken = [
            (arrival, moment) for arrival, moment in placed(arrivals, self.heard_at) if arrival.message.starts_turn
        ]
        if not spoken:
            return self
        opened = [min(arrival.message.timestamp, arrival.received_at) for arrival, _ in spoken]
        ends = [
            window_end(moment, from_ad="referral" in arrival.message.details)
            for moment, (arrival, _) in zip(opened, spoken, strict=True)
            if capabilities(arrival.provider).keeps_window_open
        ]
        window = (_message(MessageRole.USER, arrival.message.content, moment) for arrival, moment in spoken)
        return replace(
            self.with_sender([arrival for arrival, _ in spoken]),
            messages=(*self.messages, *window)[-WINDOW_MESSAGES:],
            last_message_at=spoken[-1][1],
            last_inbound_at=latest(self.last_inbound_at, opened),
            window_ends_at=latest(self.window_ends_at, ends),
            unread=self.unread + len(spoken),
            closed_at=None,
            snoozed_until=None,
            snoozed_by=None,
            updated_at=spoken[-1][1],
        )

    def with_sender(self, arrivals: Sequence[Arrival]) -> "Conversation":
        """With what the messages tell about who writes, and where. A phone reaches its owner over every channel, a
        user id only over the one that showed it."""
        addresses = dict(self.addresses)
        for arrival in arrivals:
            shown = addresses.get(_channel(arrival.provider, arrival.external_id), {})
            addresses[_channel(arrival.provider, arrival.external_id)] = {
                "phone": arrival.message.phone or shown.get("phone"),
                "userId": arrival.message.user_id or shown.get("userId"),
            }
        last = arrivals[-1]
        here = addresses[_channel(last.provider, last.external_id)]
        return replace(
            self,
            phone=here["phone"] or last_of((arrival.message.phone for arrival in arrivals), self.phone),
            user_id=here["userId"],
            user_name=last_of((arrival.message.sender_name for arrival in arrivals), self.user_name),
            provider=last.provider,
            external_id=last.external_id,
            addresses=addresses,
        )

    def known_as(self, aliases: Iterable[str]) -> "Conversation":
        """With other contacts that are this patient."""
        more = sorted({*aliases} - {*self.aliases, self.contact})
        return replace(self, aliases=(*self.aliases, *more)) if more else self

    @property
    def heard_at(self) -> datetime | None:
        """Where the last of the patient's messages in the window stands."""
        said = next((message for message in reversed(self.messages) if message["role"] == MessageRole.USER), None)
        return None if said is None else datetime.fromisoformat(said["timestamp"])

    def after_last(self, now: datetime) -> datetime:
        """`now`, or the moment just behind the last message, so that sorting by time keeps the order."""
        return now if self.last_message_at is None else max(now, self.last_message_at + TICK)

    def said(self, role: MessageRole, content: str, now: datetime) -> "Conversation":
        """With one message appended to the window."""
        window = (*self.messages, _message(role, content, now))[-WINDOW_MESSAGES:]
        return replace(self, messages=window, last_message_at=now, updated_at=now)

    def answered(self, agent: str, state: dict[str, Any], patient_id: str | None, now: datetime) -> "Conversation":
        """After a turn of the bot that went well."""
        return replace(
            self,
            current_agent=agent,
            agent_state=state,
            patient_id=patient_id or self.patient_id,
            last_failure=None,
            updated_at=now,
        )

    def taken_over(self, reason: str, now: datetime, by: str | None = None) -> "Conversation":
        """Owned by the person `by` from now on; without `by`, the bot called one."""
        if by is None:
            return self.called_person(reason, now)
        return replace(
            self.taken_up(),
            is_human_takeover=True,
            taken_over_at=self.taken_over_at or now,
            taken_over_by=by,
            takeover_reason=self.takeover_reason if self.is_human_takeover else reason,
            called_for=self.called_for if self.is_human_takeover else CalledFor.STAFF,
            waiting_for_person=False,
            answer_by=None,
            escalated_at=None,
            returned=None,
            person_at=now,
            closed_at=None,
            updated_at=now,
        )

    def called_person(
        self, reason: str, now: datetime, answer_by: datetime | None = None, called_for: CalledFor | None = None
    ) -> "Conversation":
        """The bot called a person, and goes on until one comes. Who waits already waits since then, for one reason
        more. `answer_by`: what the clinic promises who asks now."""
        waits = self.waiting_for_person
        known = (self.takeover_reason or "") if waits else ""
        promised = [moment for moment in (self.answer_by if waits else None, answer_by) if moment]
        return replace(
            self,
            is_human_takeover=True,
            taken_over_at=(self.taken_over_at if waits else None) or now,
            taken_over_by=None,
            takeover_reason=known if reason in known else "; ".join(filter(None, (known, reason)))[:MOST_REASON],
            called_for=graver(self.called_for if waits else None, called_for),
            waiting_for_person=True,
            answer_by=None if waits and self.escalated_at else min(promised, default=None),
            escalated_at=self.escalated_at if waits else None,
            person_at=None,
            closed_at=None,
            updated_at=now,
        )

    def handed_back(self, now: datetime, task: str | None = None) -> "Conversation":
        """The bot's again, from its beginning: a half-finished booking is stale after a person stepped in. `task`: what
        is still to be done for the patient."""
        return replace(
            self,
            danger_at=None,
            is_human_takeover=False,
            taken_over_at=None,
            taken_over_by=None,
            takeover_reason=None,
            called_for=None,
            waiting_for_person=False,
            answer_by=None,
            escalated_at=None,
            returned=Returned(now, self.taken_over_by, self.takeover_reason, task),
            person_at=None,
            current_agent=FIRST_AGENT,
            agent_state=Memory.of(self.agent_state).without_model().to_dict(),
            updated_at=now,
        )

    def closed(self, now: datetime) -> "Conversation":
        """Staff are done with it; the bot answers what the patient may write next."""
        back = self.handed_back(now) if self.is_human_takeover else replace(self, updated_at=now)
        done = replace(back.seen(), waiting_for_person=False, answer_by=None, escalated_at=None, returned=None)
        return replace(done.taken_up(), closed_at=now, queued=())

    def alarmed(self, now: datetime) -> "Conversation":
        """The patient may be in danger: it stands first until a person takes it up."""
        return replace(self, danger_at=self.danger_at or now, updated_at=now)

    def taken_up(self) -> "Conversation":
        """A person sees to it, to a danger too, and puts it off no more."""
        return replace(self, danger_at=None, snoozed_until=None, snoozed_by=None)

    def snoozed(self, until: datetime | None, by: str, now: datetime) -> "Conversation":
        """Out of the list until then; None: back in it."""
        return replace(self, snoozed_until=until, snoozed_by=by if until else None, updated_at=now)

    def seen(self) -> "Conversation":
        """A person has read it up to its end."""
        return replace(self, unread=0)

    def failed(self, failure: Failure) -> "Conversation":
        return replace(self, last_failure=failure, updated_at=failure.at)

    @classmethod
    def read(cls, snapshot: Snapshot, key: ConversationKey, now: datetime) -> "Conversation":
        """The stored conversation, or a new one that begins `now`."""
        if snapshot.data is not None:
            return CONVERSATION.read(snapshot.data)
        return cls(clinic_id=key.clinic_id, contact=key.contact, created_at=now, updated_at=now)


CONVERSATION = Record(
    Conversation,
    "gendei_clinics/{clinicId}/conversations/{contact}",
    derived={
        "channel": lambda conversation: {"provider": conversation.provider, "externalId": conversation.external_id}
    },
)


def _message(role: MessageRole, content: str, moment: datetime) -> Data:
    return {"role": str(role), "content": content[:WINDOW_CHARACTERS], "timestamp": moment.isoformat()}


def _channel(provider: str, external_id: str) -> str:
    return f"{provider}/{external_id}"
