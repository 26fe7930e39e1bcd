"""One message on its way to the patient, and the legal moves of its life."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from typing import Annotated, Any

from pydantic import BeforeValidator, ValidationInfo

from gendei.clinic import ClinicId, Contact
from gendei.conversation.files.clinic_files import ClinicFile
from gendei.conversation.speech.voice_notes import VoiceNote, messages_of
from gendei.conversation.stored.conversation import Conversation
from gendei.conversation.stored.history import Author, outgoing
from gendei.documents import Write, create
from gendei.messages.keys import OUTBOX, ConversationKey
from gendei.messages.message import (
    DeliveryState,
    FailureKind,
    MessageCharge,
    MessageRole,
    OutgoingMessage,
    OutgoingTemplate,
    StatusUpdate,
)
from gendei.messages.replies import Reply
from gendei.messages.turns import NO_REASONS, Reasons
from gendei.observing.tracing import carried
from gendei.records import ABSENT_WHEN_EMPTY, ABSENT_WHEN_NONE, NOT_STORED, Moment, Record


@dataclass(frozen=True, slots=True)
class Initiative:
    """Of a message that we start ourselves. `purpose`: one of TEMPLATE_PURPOSES. `values` fill a template's
    parameters. `until`: nobody needs it after that. `appointment`: the id, status and start of the one it tells of,
    without which it is wrong. `template_only`: WhatsApp wants a template and nothing else. `sent_template`: the name
    and language of the one that it was sent as, and `sent_text` what the patient reads of it, "" where nobody knows.
    `campaign`: the path of the campaign that it is one of, whose `mayLeave` is asked once more before it leaves; what
    becomes of it is told there, and is no failure of the conversation. `awaited`: as in Opening."""

    purpose: str
    values: Mapping[str, str] = field(default_factory=dict)
    until: Moment | None = None
    appointment: tuple[str, str, Moment] | None = None
    template_only: bool = False
    sent_template: tuple[str, str] | None = None
    sent_text: Annotated[str, ABSENT_WHEN_EMPTY] = ""
    campaign: Annotated[str, ABSENT_WHEN_EMPTY] = ""
    awaited: Annotated[bool, ABSENT_WHEN_EMPTY] = False


class Fate(StrEnum):
    """RETRIED and IN_DOUBT may still become another; DELIVERY_FAILED was SENT before."""

    SENT = "sent"
    RETRIED = "retried"
    IN_DOUBT = "in_doubt"
    HELD = "held"
    FAILED = "failed"
    DELIVERY_FAILED = "delivery_failed"
    SUPPRESSED = "suppressed"


@dataclass(frozen=True, slots=True, eq=False)
class Deliveries:
    """Counts of this process by (provider, fate, why); `why` is a FailureKind, a FailureReason or "". stopped: the
    numbers that send nothing until somebody acts."""

    counts: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    stopped: set[tuple[str, str]] = field(default_factory=set)

    def count(self, provider: str, fate: Fate, why: str = "") -> None:
        self.counts[provider, str(fate), why] += 1


KEPT_FOR = timedelta(days=31)
"""A provider reports on a message for up to 30 days (Meta's time to live)."""


class OutboxStatus(StrEnum):
    """PENDING: to be sent. SENDING: claimed, and the outcome is not recorded yet. The others are final."""

    PENDING = "pending"
    SENDING = "sending"
    SENT = "sent"
    FAILED = "failed"
    SUPPRESSED = "suppressed"


OPEN = frozenset({OutboxStatus.PENDING, OutboxStatus.SENDING})

RANK = {
    DeliveryState.SENT: 1,
    DeliveryState.FAILED: 2,
    DeliveryState.DELIVERED: 3,
    DeliveryState.READ: 4,
    DeliveryState.PLAYED: 5,
}
"""A state replaces only one of lower rank: statuses come in any order, and what was delivered did not fail."""


def _with_clinic(stored: Any, info: ValidationInfo) -> Any:
    """What an entry carries is its clinic's, and stands there without saying so."""
    return {**stored, "clinicId": info.data["clinic_id"]} if isinstance(stored, dict) else stored


_OF_ITS_CLINIC = BeforeValidator(_with_clinic)


@dataclass(frozen=True, slots=True)
class OutboxEntry:
    """`seq` orders the entries of one conversation. `despite_takeover`: goes out although a person owns the
    conversation, since it announces just that. `owner` and `claimed_at` tell who is sending; `settle_by`: the
    outcome is unknown, and until then a status may still tell it. `detail` of a failure is in `error`.
    `replaced_id`: the provider's id of a send that failed and was followed by another; what is told of it is over.
    `initiative`: None for a reply. `trace`: of the span that said it. `note`: in place of the reply's text. `file`:
    goes with the reply's text. `charge`: what the provider said first of its price."""

    id: Annotated[str, NOT_STORED]
    clinic_id: ClinicId
    contact: Contact
    seq: int
    author: Author
    reply: Reply
    to_phone: str | None
    to_user_id: str | None
    provider: str
    external_id: str
    created_at: Moment
    due_at: Moment
    despite_takeover: bool = False
    status: OutboxStatus = OutboxStatus.PENDING
    attempts: int = 0
    owner: str | None = None
    claimed_at: Moment | None = None
    settle_by: Moment | None = None
    provider_message_id: str | None = None
    delivery_state: DeliveryState | None = None
    error: str | None = None
    expire_at: Moment | None = None
    replaced_id: str | None = None
    initiative: Initiative | None = None
    trace: Annotated[str, ABSENT_WHEN_EMPTY] = ""
    note: Annotated[VoiceNote | None, _OF_ITS_CLINIC, ABSENT_WHEN_NONE] = None
    file: Annotated[ClinicFile | None, _OF_ITS_CLINIC, ABSENT_WHEN_NONE] = None
    charge: Annotated[MessageCharge | None, ABSENT_WHEN_NONE] = None

    @property
    def key(self) -> ConversationKey:
        return ConversationKey(self.clinic_id, self.contact)

    @property
    def path(self) -> str:
        return f"{OUTBOX}/{self.id}"

    @property
    def history_path(self) -> str:
        return self.key.message_path(self.id)

    @property
    def is_open(self) -> bool:
        return self.status in OPEN

    @property
    def shown_state(self) -> str:
        """What the history shows of it."""
        return str(self.delivery_state or self.status)

    @property
    def can_become_template(self) -> bool:
        """Whether a template may still take its place."""
        return self.initiative is not None and self.initiative.sent_template is None

    def message(self, template: OutgoingTemplate | None = None) -> OutgoingMessage:
        return OutgoingMessage(self.to_phone, self.to_user_id, self.reply, reference=self.id, template=template)

    def claimed(self, owner: str, now: datetime, template: OutgoingTemplate | None = None) -> "OutboxEntry":
        self._require_open()
        initiative = self.initiative
        if initiative is not None and template is not None:
            text = template.text or (_summary(template) if self.author is Author.STAFF else "")
            initiative = replace(initiative, sent_template=(template.name, template.language), sent_text=text)
        return replace(
            self,
            status=OutboxStatus.SENDING,
            owner=owner,
            claimed_at=now,
            settle_by=None,
            attempts=self.attempts + 1,
            initiative=initiative,
        )

    def unsettled(self, owner: str, until: datetime, reason: str) -> "OutboxEntry":
        """Nobody knows whether it was sent; `owner` looks again at `until`."""
        self._require_open()
        return replace(
            self, status=OutboxStatus.SENDING, owner=owner, settle_by=until, due_at=until, error=reason or None
        )

    def deferred(self, due_at: datetime, reason: str) -> "OutboxEntry":
        """Certainly not sent; again at `due_at`."""
        self._require_open()
        return replace(
            self,
            status=OutboxStatus.PENDING,
            owner=None,
            claimed_at=None,
            settle_by=None,
            due_at=due_at,
            error=reason,
        )

    def held(self, due_at: datetime, reason: str) -> "OutboxEntry":
        """Certainly not sent, and not for anything of its own: the attempt does not count."""
        return replace(self.deferred(due_at, reason), attempts=max(0, self.attempts - 1))

    def as_template(self, now: datetime, failed_id: str | None = None) -> "OutboxEntry":
        """WhatsApp wants a template: to be sent again, as one. `failed_id`: the send that this replaces."""
        if self.initiative is None:
            raise ValueError(f"outbox entry {self.id} has no purpose that a template could serve")
        return replace(self._anew(now, failed_id), initiative=replace(self.initiative, template_only=True))

    def replayed(self, now: datetime) -> "OutboxEntry":
        """Failed, and to be sent again because an operator wants it."""
        if self.status is not OutboxStatus.FAILED:
            raise ValueError(f"outbox entry {self.id} is {self.status}: only what failed is sent again")
        return self._anew(now, self.provider_message_id)

    def _anew(self, now: datetime, failed_id: str | None) -> "OutboxEntry":
        return replace(
            self,
            status=OutboxStatus.PENDING,
            owner=None,
            claimed_at=None,
            settle_by=None,
            due_at=now,
            attempts=0,
            provider_message_id=None,
            delivery_state=None,
            error=None,
            expire_at=None,
            replaced_id=failed_id or self.replaced_id,
        )

    def accepted(self, message_id: str, now: datetime) -> "OutboxEntry":
        """The provider took it. Nothing changes where a status said so before."""
        if not self.is_open or message_id == self.replaced_id:
            return self
        return self._finished(
            OutboxStatus.SENT, now, provider_message_id=message_id, delivery_state=DeliveryState.SENT, error=None
        )

    def failed(self, reason: str, now: datetime) -> "OutboxEntry":
        self._require_open()
        return self._finished(OutboxStatus.FAILED, now, error=reason)

    def suppressed(self, now: datetime, reason: str | None = None) -> "OutboxEntry":
        self._require_open()
        return self._finished(OutboxStatus.SUPPRESSED, now, error=reason)

    def reported(self, update: StatusUpdate, now: datetime) -> "OutboxEntry":
        """After a provider's status. It settles an entry whose outcome was not known, and is ignored where the
        message never left or is known to be further on. What failed because the window is closed goes again as a
        template, where that is possible."""
        if update.message_id == self.replaced_id or (not self.is_open and self.delivery_state is None):
            return self
        if self.delivery_state is not None and RANK[update.state] <= RANK[self.delivery_state]:
            return self
        failed = update.state is DeliveryState.FAILED
        if failed and update.kind is FailureKind.WINDOW_CLOSED and self.can_become_template:
            return self.as_template(now, update.message_id)
        return self._finished(
            OutboxStatus.FAILED if failed else OutboxStatus.SENT,
            now,
            provider_message_id=self.provider_message_id or update.message_id,
            delivery_state=update.state,
            error=update.error if failed else None,
            charge=self.charge or update.charge,
        )

    def _finished(self, status: OutboxStatus, now: datetime, **changes: Any) -> "OutboxEntry":
        return replace(self, status=status, settle_by=None, expire_at=now + KEPT_FOR, **changes)

    def _require_open(self) -> None:
        if not self.is_open:
            raise ValueError(f"outbox entry {self.id} is {self.status}: nothing can be sent for it any more")


OUTBOX_ENTRY = Record(
    OutboxEntry,
    "gendei_outbox/{id}",
    derived={"conversation": lambda entry: entry.key.text, "open": lambda entry: entry.is_open},
)


def enqueue(  # noqa: PLR0913  # what is said, by whom, and how
    conversation: Conversation,
    replies: Sequence[Reply],
    *,
    author: Author,
    now: datetime,
    name: str | None = None,
    despite_takeover: bool = False,
    reasons: Reasons = NO_REASONS,
    notes: Mapping[int, VoiceNote] | None = None,
    file: ClinicFile | None = None,
) -> tuple[Conversation, list[Write]]:
    """The conversation with `replies` said, and the writes that put them into outbox and history. The
    `reasons` are told with the first of them, and `file` goes with it. `notes`: the replies that are spoken, by their
    place."""
    writes: list[Write] = []
    for position, (reply, note) in enumerate(messages_of(replies, notes or {})):
        begun = replace(entry_for(conversation, reply, author, now), despite_takeover=despite_takeover, note=note)
        entry = replace(begun, file=file) if position == 0 else begun
        conversation, put = enqueue_entry(conversation, entry, name, reasons if position == 0 else NO_REASONS)
        writes += put
    return conversation, writes


def entry_for(conversation: Conversation, reply: Reply, author: Author, now: datetime) -> OutboxEntry:
    """The next entry of a conversation, due at once."""
    return OutboxEntry(
        id=_entry_id(conversation),
        clinic_id=conversation.clinic_id,
        contact=conversation.contact,
        seq=conversation.next_seq,
        author=author,
        reply=reply,
        to_phone=conversation.phone,
        to_user_id=conversation.user_id,
        provider=conversation.provider,
        external_id=conversation.external_id,
        created_at=now,
        due_at=now,
        trace=carried(),
    )


def enqueue_entry(
    conversation: Conversation, entry: OutboxEntry, name: str | None = None, reasons: Reasons = NO_REASONS
) -> tuple[Conversation, list[Write]]:
    """The conversation with `entry` said in it, and the writes that put it into outbox and history."""
    moment = conversation.after_last(entry.created_at)
    told = outgoing(entry.reply, entry.author, name, entry.id, moment, reasons, entry.note or entry.file)
    if conversation.session and not conversation.session.is_over(entry.created_at):
        told["session"] = conversation.session.id
    if entry.note is not None and entry.note.also_written:  # the window shows it once
        said = replace(conversation, last_message_at=moment, updated_at=moment)
    else:
        said = conversation.said(MessageRole.ASSISTANT, told["content"], moment)
    writes = [create(entry.path, OUTBOX_ENTRY.write(entry)), create(entry.history_path, told)]
    return replace(said, next_seq=conversation.next_seq + 1), writes


def _summary(template: OutgoingTemplate) -> str:
    """What is known of a template whose text is not: staff must not take their own words for what was sent."""
    return f"[{template.name}] {' · '.join(template.parameters)}".strip()


def _entry_id(conversation: Conversation) -> str:
    """The same for the same place in the same conversation, and spread evenly over the store's key space. The
    beginning is part of it: a conversation that was erased and starts again must not meet its old entries."""
    place = f"{conversation.key.text}#{conversation.created_at.isoformat()}#{conversation.next_seq}"
    return sha256(place.encode()).hexdigest()[:32]
