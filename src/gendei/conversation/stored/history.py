"""The full history of a conversation: one document a message, never trimmed."""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from secrets import token_hex
from typing import Annotated

from pydantic import BeforeValidator, Field

from gendei.clinic import Contact
from gendei.conversation.files.clinic_files import ClinicFile
from gendei.conversation.speech.voice_notes import Heard, HeardNote, VoiceNote
from gendei.conversation.stored.conversation import Conversation
from gendei.conversation.stored.places import placed
from gendei.documents import Data, Documents, Operator, Query, Snapshot, Write, create, put
from gendei.messages.called_for import CalledFor
from gendei.messages.keys import ConversationKey
from gendei.messages.message import Arrival, Echo, IncomingMessage, MessageCharge, MessageRole, MessageType, PastMessage
from gendei.messages.replies import Link, Option, Reply
from gendei.messages.turns import NO_REASONS, Reasons, ToolStep, Understood
from gendei.records import ABSENT_WHEN_NONE, AS_IT_IS, NOT_STORED, Moment, Record


class Author(StrEnum):
    """Who wrote a message; a message of staff also has the person's name."""

    PATIENT = "patient"
    BOT = "bot"
    STAFF = "staff"
    SYSTEM = "system"


class Event(StrEnum):
    """What a system message of the history tells staff."""

    TURN_FAILED = "turn_failed"
    MESSAGES_PARKED = "messages_parked"
    REPLY_DROPPED = "reply_dropped"
    TAKEN_OVER = "taken_over"
    HANDED_BACK = "handed_back"
    LEFT = "left"  # no person said anything for long, so that the bot has it again
    OVERDUE = "overdue"  # nobody came for longer than the clinic promises
    ASSIGNED = "assigned"
    CLOSED = "closed"
    REOPENED = "reopened"
    SNOOZED = "snoozed"
    WOKEN = "woken"  # staff brought it back before its time
    DANGER_SEEN = "danger_seen"
    NOTE = "note"  # what staff write for each other; it is never sent


class Processing(StrEnum):
    """What became of a patient's message. FAILED: it was set aside, or its turn got no better answer than an
    apology."""

    PENDING = "pending"
    COMPLETED = "completed"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredMessage:
    """What every message of a history says. `turn`: the same of all that one turn took up and said; `session`: the id
    of the session that it belongs to, None outside of any."""

    role: MessageRole
    content: str
    type: MessageType
    timestamp: Moment
    author: Author
    turn: Annotated[str | None, ABSENT_WHEN_NONE] = None
    session: Annotated[str | None, ABSENT_WHEN_NONE] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PatientMessage(StoredMessage):
    """`note`: of a voice note, what was heard; `edited` and `deleted_at`: what the patient did to it since;
    `processing`: where it is not COMPLETED."""

    role: MessageRole = MessageRole.USER
    author: Author = Author.PATIENT
    sent_at: Moment
    provider_message_id: str
    tapped: str | None
    details: Annotated[Data, AS_IT_IS]
    note: Annotated[Data | None, ABSENT_WHEN_NONE] = None
    media: Annotated[Data | None, ABSENT_WHEN_NONE] = None
    edited: Annotated[Data | None, ABSENT_WHEN_NONE] = None
    deleted_at: Annotated[Moment | None, ABSENT_WHEN_NONE] = None
    processing: Annotated[Processing | None, ABSENT_WHEN_NONE] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClinicMessage(StoredMessage):
    """To the patient, from the bot or staff. `outbox_id`: None of what staff wrote on the clinic's phone, which has a
    `sent_at`. `template`: the one that it was sent as; `explanation`: why it was not, for staff; `case`: the id of
    the case that staff made of it; `charge`: what the provider says of its price."""

    role: MessageRole = MessageRole.ASSISTANT
    author_name: str | None
    outbox_id: Annotated[str | None, ABSENT_WHEN_NONE] = None
    sent_at: Annotated[Moment | None, ABSENT_WHEN_NONE] = None
    provider_message_id: str | None = None
    delivery_state: str = "pending"
    options: tuple[Data, ...] = ()
    steps: tuple[ToolStep, ...] = ()
    understood: Annotated[Understood | None, ABSENT_WHEN_NONE] = None
    details: Annotated[Data | None, ABSENT_WHEN_NONE] = None
    link: Annotated[Link | None, ABSENT_WHEN_NONE] = None
    list_label: Annotated[str | None, ABSENT_WHEN_NONE] = None
    note: Annotated[Data | None, ABSENT_WHEN_NONE] = None
    media: Annotated[Data | None, ABSENT_WHEN_NONE] = None
    error: Annotated[str | None, ABSENT_WHEN_NONE] = None
    explanation: Annotated[str | None, ABSENT_WHEN_NONE] = None
    template: Annotated[str | None, ABSENT_WHEN_NONE] = None
    case: Annotated[str | None, ABSENT_WHEN_NONE] = None
    charge: Annotated[MessageCharge | None, ABSENT_WHEN_NONE] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EventMessage(StoredMessage):
    """What staff are told between the messages, or tell each other (NOTE)."""

    role: MessageRole = MessageRole.SYSTEM
    type: MessageType = MessageType.SYSTEM
    author_name: str | None
    event: Event
    detail: str
    called_for: Annotated[CalledFor | None, ABSENT_WHEN_NONE] = None
    steps: tuple[ToolStep, ...] = ()
    understood: Annotated[Understood | None, ABSENT_WHEN_NONE] = None


def _with_status(steps: Sequence[Data]) -> list[Data]:
    """Stored steps from before they had a status had a tool, its arguments and an error alone."""
    return [{"status": "failed" if step.get("error") else "completed"} | step for step in steps]


Details = Annotated[Data, BeforeValidator(lambda stored: stored or {})]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFile:
    """A message's file. state: stored, failed (with its `reason`, which is technical), or expired. size: bytes."""

    state: str
    folder: str = ""
    file: str = ""
    content_type: str = ""
    size: Annotated[int, Field(alias="bytes")] = 0
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryMessage:
    """Any message of a history, as it is read: one of a patient, of the clinic, or an event (then `event` is set).
    details: what its type has beyond these; note: of a voice note, what was heard; case: the id of the case that staff
    made of it (gendei.cases)."""

    id: Annotated[str, NOT_STORED]
    author: Author
    type: MessageType
    content: str
    timestamp: Moment
    author_name: str | None = None
    turn: str | None = None
    session: str | None = None
    processing: Processing | None = None
    event: Event | None = None
    detail: str = ""
    called_for: CalledFor | None = None
    provider_message_id: str | None = None
    delivery_state: str | None = None
    explanation: str | None = None
    template: str | None = None
    charge: MessageCharge | None = None
    tapped: str | None = None
    options: tuple[Option, ...] = ()
    list_label: str | None = None
    link: Link | None = None
    steps: Annotated[tuple[ToolStep, ...], BeforeValidator(_with_status)] = ()
    understood: Understood | None = None
    case: str | None = None
    details: Details = field(default_factory=dict)
    note: Details = field(default_factory=dict)
    edited: Annotated[Data | None, AS_IT_IS] = None
    deleted_at: Moment | None = None
    media: StoredFile | None = None

    @property
    def place(self) -> "Place":
        return self.timestamp, self.id

    @property
    def is_of_patient(self) -> bool:
        return self.author is Author.PATIENT


_PATH = "gendei_clinics/{clinicId}/conversations/{contact}/messages/{id}"
PATIENT_MESSAGE = Record(PatientMessage, _PATH)
CLINIC_MESSAGE = Record(ClinicMessage, _PATH)
EVENT_MESSAGE = Record(EventMessage, _PATH)
"""To write new ones. What becomes of a message later is added to its document."""
_HISTORY_MESSAGE = Record(HistoryMessage)
_STEP = Record(ToolStep)
NOTHING_HEARD: Heard = {}
CLINIC_PHONE = "celular da clínica"
"""The name under which staff see what was written on the clinic's own phone: WhatsApp does not say by whom."""


def arrival_writes(
    conversation: Conversation, arrivals: Sequence[Arrival], heard: Heard = NOTHING_HEARD, *, failed: bool = False
) -> list[Write]:
    """A patient's messages, behind those that `conversation` holds. `timestamp` is when it reached us, in order of
    arrival; `sentAt` is the provider's. What was corrected or taken back before its turn is stored so; for earlier
    messages see `gendei.conversation.inbound.inbox`. `heard`: what the voice notes among them say. `failed`: they
    could not be answered."""
    moments = placed(arrivals, conversation.heard_at)
    documents = {
        entry.id: PATIENT_MESSAGE.write(_arrival(entry, moment, heard.get(entry.id))) for entry, moment in moments
    }
    if failed:
        documents = {place: data | {"processing": str(Processing.FAILED)} for place, data in documents.items()}
    by_message = {arrival.message.id: arrival.id for arrival in arrivals}
    for arrival in arrivals:
        if target := by_message.get(arrival.message.earlier_message or ""):
            documents[target] |= correction(arrival.message)
    return [put(conversation.key.message_path(message_id), data) for message_id, data in documents.items()]


def correction(message: IncomingMessage) -> Data:
    """What an edit or a deletion leaves on the message that it is about: the first words stay beside the new ones."""
    if message.details.get("event") == "revoke":
        return {"deletedAt": message.timestamp}
    return {"edited": {"text": message.details.get("text"), "at": message.timestamp}}


def _arrival(arrival: Arrival, timestamp: datetime, heard: HeardNote | None) -> PatientMessage:
    message = arrival.message
    known = (
        ("mediaId", message.media_id),
        ("mediaUrl", message.media_url),
        ("mimeType", message.mime_type),
        ("caption", message.caption),
        ("replyTo", message.reply_to),
        *message.details.items(),
    )
    details = {name: value for name, value in known if value is not None}
    if message.type is MessageType.REACTION:
        details["removed"] = not message.details.get("emoji")
    if message.type is MessageType.ORDER and message.text:
        details["text"] = message.text
    return PatientMessage(
        content=message.content,
        type=message.type,
        timestamp=timestamp,
        sent_at=message.timestamp,
        provider_message_id=message.id,
        tapped=message.button_payload,
        details=details,
        note=heard.in_history() if heard else None,
        media=heard.media if heard else None,
    )


def said_before(message: PastMessage) -> Data:
    """What a patient wrote before the number was ours."""
    kept = PatientMessage(
        content=message.text,
        type=message.type,
        timestamp=message.timestamp,
        sent_at=message.timestamp,
        provider_message_id=message.id,
        tapped=None,
        details={},
    )
    return PATIENT_MESSAGE.write(kept)


def echoed(echo: Echo, timestamp: datetime) -> Data:
    """What staff wrote on the clinic's own phone."""
    message = ClinicMessage(
        content=echo.text,
        type=MessageType.TEXT,
        timestamp=timestamp,
        author=Author.STAFF,
        author_name=CLINIC_PHONE,
        sent_at=echo.timestamp,
        provider_message_id=echo.message_id,
        delivery_state="sent",
    )
    return CLINIC_MESSAGE.write(message)


Place = tuple[datetime, str]
"""Where a message stands in a history: its timestamp, then its id."""
SAME_MOMENT = 10
"""The most messages of one moment that the end of a page may part."""


async def latest_messages(
    documents: Documents, conversation: Conversation, limit: int = 50, before: Place | None = None
) -> list[HistoryMessage]:
    """The newest messages of the full history, oldest first, also those from under the patient's other contacts;
    with `before`, those that stand before that place."""
    until: tuple[tuple[str, Operator, datetime], ...] = () if before is None else (("timestamp", "<=", before[0]),)
    more = 0 if before is None else SAME_MOMENT

    async def of(contact: Contact) -> list[Snapshot]:
        collection = f"{conversation.key.of(contact).path}/messages"
        return await documents.query(Query(collection, until, order_by=(("timestamp", True),), limit=limit + more))

    pages = await asyncio.gather(*(of(Contact(contact)) for contact in (conversation.contact, *conversation.folded)))
    messages = sorted((message_of(found) for page in pages for found in page), key=lambda message: message.place)
    return [message for message in messages if before is None or message.place < before][-limit:]


def outgoing(  # the columns of one message
    reply: Reply,
    author: Author,
    name: str | None,
    outbox_id: str,
    timestamp: datetime,
    reasons: Reasons,
    carried: VoiceNote | ClinicFile | None = None,
) -> Data:
    """A message to the patient, with the options that were shown and what led to it. `carried`: the
    file that goes with it or, where it was spoken, in place of the text, which is then what it says."""
    message = ClinicMessage(
        content=reply.text,
        type=MessageType.INTERACTIVE if reply.options else MessageType.TEXT,
        timestamp=timestamp,
        author=author,
        author_name=name,
        outbox_id=outbox_id,
        options=tuple(_option(option) for option in reply.options),
        steps=reasons.steps,
        understood=reasons.understood,
        link=reply.link,
        list_label=reply.list_label if reply.is_list else None,
    )
    if reply.pin:  # a place has the details that a patient's has
        message = replace(message, type=MessageType.LOCATION, details=asdict(reply.pin))
    return CLINIC_MESSAGE.write(replace(message, **carried.in_history(reply.text, timestamp)) if carried else message)


def _option(option: Option) -> Data:
    described = {"description": option.description} if option.description else {}
    return {"id": option.id, "title": option.title, **described}


def event_write(
    key: ConversationKey,
    event: Event,
    now: datetime,
    *,
    detail: str = "",
    by: str | None = None,
    reasons: Reasons = NO_REASONS,
    called_for: CalledFor | None = None,
) -> Write:
    """A system message for staff. `detail` never holds a patient's words, except in what staff wrote themselves."""
    message = EventMessage(
        content=f"[{event}]",
        timestamp=now,
        author=Author.SYSTEM if by is None else Author.STAFF,
        author_name=by,
        event=event,
        detail=detail,
        called_for=called_for,
        steps=reasons.steps,
        understood=reasons.understood,
    )
    return create(key.message_path(f"event-{token_hex(12)}"), EVENT_MESSAGE.write(message))


def note_write(key: ConversationKey, text: str, now: datetime, by: str) -> Write:
    """What the person `by` writes for the others of the clinic; it is never sent, and the bot does not know it."""
    note = event_write(key, Event.NOTE, now, by=by)
    return create(note.path, (note.data or {}) | {"content": text})


def message_of(found: Snapshot) -> HistoryMessage:
    """The message of a document of a history. Raises UnreadableDocument, also where there is none."""
    return _HISTORY_MESSAGE.read(found.data, id=found.id)


def read_steps(documents: Sequence[Data]) -> tuple[ToolStep, ...]:
    """The steps of a message."""
    return tuple(_STEP.read(step) for step in _with_status(documents))
