"""Messages as they come from and go to any provider."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field, PlainSerializer

from gendei.clinic import Contact
from gendei.clock import require_aware
from gendei.messages.replies import Reply
from gendei.records import ABSENT_WHEN_EMPTY, NOT_STORED, Moment, Record

MAX_STORED_CHARACTERS = 65_536
"""Of any one field: far above what WhatsApp lets a patient write, and far below a document's limit."""


class MessageRole(StrEnum):
    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"


class MessageType(StrEnum):
    TEXT = "text"
    IMAGE = "image"
    AUDIO = "audio"
    VIDEO = "video"
    DOCUMENT = "document"
    STICKER = "sticker"
    LOCATION = "location"
    CONTACTS = "contacts"
    INTERACTIVE = "interactive"
    BUTTON = "button"
    ORDER = "order"
    REACTION = "reaction"
    SYSTEM = "system"
    UNSUPPORTED = "unsupported"


ABOUT_EARLIER_MESSAGES = frozenset({"edit", "keep_in_chat", "pin", "poll_update", "reaction"})
"""Meta's `unsupported.type`s that are no message of their own."""


def _cut(text: str | None) -> str | None:
    return text and text[:MAX_STORED_CHARACTERS]


_CUT = PlainSerializer(_cut)
_Words = Annotated[str | None, _CUT, ABSENT_WHEN_EMPTY]


@dataclass(frozen=True, slots=True)
class IncomingMessage:
    """A parsed message of a patient.

    id: the provider's, unique per provider. sender: the conversation's key. phone: "+" and digits, None when the
    provider showed only a user id. aliases: other addresses that the same webhook shows for the sender, in contact
    form ("+55...", "BR.1349", "1234@lid"). timestamp: aware, the provider's own. button_payload: the id of a tapped
    option. details: what a type has beyond the common fields (coordinates, cards, order lines, error code). transcript:
    what was surely heard in a voice note, known during its turn alone. spoken: of words spoken live, what was heard of
    them (the document of a voice_notes.Transcript); they have no file.
    """

    id: str
    sender: Contact
    timestamp: Moment
    type: MessageType
    phone: _Words = None
    user_id: _Words = None
    aliases: Annotated[tuple[str, ...], ABSENT_WHEN_EMPTY] = ()
    sender_name: _Words = None
    text: _Words = None
    media_id: _Words = None
    media_url: _Words = None
    mime_type: _Words = None
    caption: _Words = None
    button_payload: _Words = None
    button_title: _Words = None
    reply_to: _Words = None
    details: Annotated[dict[str, Any], ABSENT_WHEN_EMPTY] = field(default_factory=dict)
    transcript: Annotated[str | None, NOT_STORED] = None
    spoken: Annotated[dict[str, Any] | None, ABSENT_WHEN_EMPTY] = None

    def __post_init__(self) -> None:
        require_aware(self.timestamp)

    @property
    def starts_turn(self) -> bool:
        """Reactions and system notices are kept but never answered by themselves, and so is what a phone did to an
        earlier message (an edit, a pin, a vote). Anything else that cannot be read is answered: ask for words."""
        if self.type is MessageType.UNSUPPORTED:
            return self.details.get("unsupported_type") not in ABOUT_EARLIER_MESSAGES
        return self.type not in {MessageType.REACTION, MessageType.SYSTEM}

    @property
    def content(self) -> str:
        """The message as text for the agent and the history."""
        if self.type is MessageType.TEXT:
            return self.text or ""
        if self.type in {MessageType.INTERACTIVE, MessageType.BUTTON}:
            return self.button_title or self.button_payload or ""
        shown = self.transcript or self.caption or self.details.get("name") or ""
        return f"[{self.type}] {shown}" if shown and isinstance(shown, str) else f"[{self.type}]"

    @property
    def words(self) -> str:
        """What the patient said with it: text, the title of what was tapped, or a caption; "" where it has no words.
        A place's name, a card or a basket are not words: they must never be read as a wish."""
        if self.type is MessageType.TEXT:
            return self.text or ""
        if self.type in {MessageType.INTERACTIVE, MessageType.BUTTON}:
            return self.button_title or self.button_payload or ""
        return self.transcript or self.caption or ""

    @property
    def earlier_message(self) -> str | None:
        """The id of the message that this one corrects or takes back; None for every other kind."""
        if self.type is MessageType.SYSTEM and self.details.get("event") in {"edit", "revoke"}:
            target = self.details.get("original_message_id")
            return target if isinstance(target, str) and target else None
        return None


INCOMING = Record(IncomingMessage)


@dataclass(frozen=True, slots=True)
class Arrival:
    """A patient's message with the moment it reached us and its id in the store."""

    id: str
    message: IncomingMessage
    received_at: datetime
    provider: str
    external_id: str


class DeliveryState(StrEnum):
    """What a provider says became of a message; only ever moves forward (`failed` ends an unsent one)."""

    SENT = "sent"
    DELIVERED = "delivered"
    READ = "read"
    PLAYED = "played"
    FAILED = "failed"


class FailureKind(StrEnum):
    """What a failed send means for what comes next, whichever provider said it.

    The first group passes by itself and is tried again (see conversation/work/backoff.py); the others are final
    for the message. Source of the rules: Meta's pages on error codes (September 2026)."""

    UNREACHABLE = "unreachable"  # nothing left this machine
    TEMPORARY = "temporary"  # the provider has a problem
    THROUGHPUT = "throughput"  # the number sends too fast
    PAIR_RATE = "pair_rate"  # too much to this one recipient
    MAINTENANCE = "maintenance"  # of the number, a minute
    CALL_RATE = "call_rate"  # too many calls of the API, minutes

    REFUSED = "refused"  # this message, for good
    UNDELIVERABLE = "undeliverable"  # the recipient cannot get it
    WINDOW_CLOSED = "window_closed"  # only a template may go
    TEMPLATE = "template"  # the template is missing, unapproved, paused or does not fit
    NOT_NOW = "not_now"  # the provider chose not to deliver it; not again for 24 hours
    OPTED_OUT = "opted_out"  # the recipient stopped marketing
    RESTRICTED = "restricted"  # the number may not start conversations for a while
    CHANNEL = "channel"  # every message of the number fails until somebody acts


@dataclass(frozen=True, slots=True)
class MessageCharge:
    """What a provider says of the price of one message: `category` as it calls it, and whether it is `charged` at all.
    `model`: how prices are made, as the provider calls it."""

    category: str
    charged: bool
    model: Annotated[str, ABSENT_WHEN_EMPTY] = ""


@dataclass(frozen=True, slots=True)
class StatusUpdate:
    """A provider's word on one outgoing message. `reference` is our own outbox id where the provider echoes it
    (Meta: biz_opaque_callback_data); `error` is "code title" for operators, and `kind` what a failure means. `charge`:
    where the provider tells of it."""

    message_id: str
    state: DeliveryState
    timestamp: datetime
    reference: str | None = None
    error: str | None = None
    kind: FailureKind = FailureKind.REFUSED
    charge: MessageCharge | None = None


@dataclass(frozen=True, slots=True)
class Echo:
    """A message that went out from the clinic's own number, as the provider shows it: written by staff on the
    clinic's phone, or one of our own sends (then `message_id` is one that the outbox knows, or is about to)."""

    message_id: Annotated[str, Field(alias="id")]
    to: Contact
    timestamp: Moment
    text: Annotated[str, _CUT]

    def __post_init__(self) -> None:
        require_aware(self.timestamp)


ECHO = Record(Echo)


@dataclass(frozen=True, slots=True)
class PastMessage:
    """What was said on the number before we had it: by the patient, or else from the clinic's number."""

    id: str
    contact: Contact
    timestamp: datetime
    from_patient: bool
    type: MessageType
    text: str


@dataclass(frozen=True, slots=True)
class KnownName:
    """A contact as the clinic's phone has it in its address book."""

    contact: Contact
    name: str


@dataclass(frozen=True, slots=True)
class Received:
    """Everything that one webhook body holds for one connected number, in the body's order. `external_id`: "" where the
    provider's bodies name none; then it is the number whose secret was shown."""

    external_id: str
    messages: tuple[IncomingMessage, ...] = ()
    statuses: tuple[StatusUpdate, ...] = ()
    echoes: tuple[Echo, ...] = ()
    past: tuple[PastMessage, ...] = ()
    names: tuple[KnownName, ...] = ()


@dataclass(frozen=True, slots=True)
class OutgoingMedia:
    """A file to send: its `content`, or an https `url` that the provider can fetch. `captioned`: the message's reply
    text goes as its caption. kind: image, video, document or audio; `voice` makes audio a voice note (OGG/Opus, mono),
    whose words the text says: it goes in place of a note that is refused."""

    kind: MessageType
    url: str
    mime_type: str
    file_name: str = ""
    voice: bool = False
    content: bytes = field(default=b"", repr=False)
    captioned: bool = True


@dataclass(frozen=True, slots=True)
class OutgoingTemplate:
    """An approved template, the only thing that leaves outside the 24-hour window. `parameters` fill the body in
    order; `button_payloads` are the choice ids of its quick replies, in order. `text`: what the patient reads, with the
    values in it; "" where the provider was never asked for it."""

    name: str
    language: str
    parameters: tuple[str, ...] = ()
    button_payloads: tuple[str, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class OutgoingMessage:
    """A message to a patient. `to_phone` wins over `to_user_id` where both are known. `reference` is the outbox id,
    which the provider echoes in its statuses where it can. With a template, `reply` is what the patient will read,
    for the history and for channels without templates."""

    to_phone: str | None
    to_user_id: str | None
    reply: Reply
    reference: str
    media: OutgoingMedia | None = None
    template: OutgoingTemplate | None = None
