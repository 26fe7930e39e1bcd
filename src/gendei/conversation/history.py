"""The full history of a conversation: one document a message, never trimmed."""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from enum import StrEnum
from secrets import token_hex

from gendei.clinic import Contact
from gendei.conversation.conversations import Arrival, Conversation, placed
from gendei.conversation.files.clinic_files import ClinicFile
from gendei.conversation.keys import ConversationKey
from gendei.conversation.messages import Echo, IncomingMessage, MessageRole, MessageType
from gendei.conversation.speech.voice_notes import Heard, HeardNote, VoiceNote
from gendei.documents import Data, Documents, Operator, Query, Snapshot, Write, create, put
from gendei.receptionist.contract import ToolStatus, ToolStep
from gendei.receptionist.replies import Option, Reply


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
    ASSIGNED = "assigned"
    CLOSED = "closed"
    REOPENED = "reopened"
    NOTE = "note"  # what staff write for each other; it is never sent


NOTHING_HEARD: Heard = {}
CLINIC_PHONE = "celular da clínica"
"""The name under which staff see what was written on the clinic's own phone: WhatsApp does not say by whom."""


def arrival_writes(
    conversation: Conversation, arrivals: Sequence[Arrival], heard: Heard = NOTHING_HEARD
) -> list[Write]:
    """A patient's messages, behind those that `conversation` holds. `timestamp` is when it reached us, in order of
    arrival; `sentAt` is the provider's. What was corrected or taken back before its turn is stored so; for earlier
    messages see `gendei.conversation.inbound.marks`. `heard`: what the voice notes among them say."""
    moments = placed(arrivals, conversation.heard_at)
    documents = {one.id: _arrival(one, moment) | _heard(heard.get(one.id)) for one, moment in moments}
    by_message = {one.message.id: one.id for one in arrivals}
    for one in arrivals:
        if target := by_message.get(one.message.earlier_message or ""):
            documents[target] |= correction(one.message)
    return [put(conversation.key.message_path(one), data) for one, data in documents.items()]


def correction(message: IncomingMessage) -> Data:
    """What an edit or a deletion leaves on the message that it is about: the first words stay beside the new ones."""
    if message.details.get("event") == "revoke":
        return {"deletedAt": message.timestamp}
    return {"edited": {"text": message.details.get("text"), "at": message.timestamp}}


def _arrival(arrival: Arrival, timestamp: datetime) -> Data:
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
    return {
        "role": str(MessageRole.USER),
        "content": message.content,
        "type": str(message.type),
        "timestamp": timestamp,
        "sentAt": message.timestamp,
        "author": str(Author.PATIENT),
        "providerMessageId": message.id,
        "tapped": message.button_payload,
        "details": details,
    }


def _heard(note: HeardNote | None) -> Data:
    if note is None:
        return {}
    return {"note": note.to_document()} | ({} if note.media is None else {"media": note.media})


def echoed(echo: Echo, timestamp: datetime) -> Data:
    """What staff wrote on the clinic's own phone."""
    return {
        "role": str(MessageRole.ASSISTANT),
        "content": echo.text,
        "type": str(MessageType.TEXT),
        "timestamp": timestamp,
        "sentAt": echo.timestamp,
        "author": str(Author.STAFF),
        "authorName": CLINIC_PHONE,
        "providerMessageId": echo.message_id,
        "deliveryState": "sent",
        "options": [],
        "steps": [],
    }


Place = tuple[datetime, str]
"""Where a message stands in a history: its timestamp, then its id."""
SAME_MOMENT = 10
"""The most messages of one moment that the end of a page may part."""


async def latest_messages(
    documents: Documents, conversation: Conversation, limit: int = 50, before: Place | None = None
) -> list[Snapshot]:
    """The newest messages of the full history, oldest first, also those from under the patient's other contacts;
    with `before`, those that stand before that place."""
    until: tuple[tuple[str, Operator, datetime], ...] = () if before is None else (("timestamp", "<=", before[0]),)
    more = 0 if before is None else SAME_MOMENT

    async def of(contact: Contact) -> list[Snapshot]:
        collection = f"{conversation.key.of(contact).path}/messages"
        return await documents.query(Query(collection, until, order_by=(("timestamp", True),), limit=limit + more))

    pages = await asyncio.gather(*(of(Contact(one)) for one in (conversation.contact, *conversation.folded)))
    everything = sorted((message for page in pages for message in page), key=place_of)
    return [one for one in everything if before is None or place_of(one) < before][-limit:]


def place_of(message: Snapshot) -> Place:
    return (message.data or {})["timestamp"], message.id


def outgoing(  # the columns of one message
    reply: Reply,
    author: Author,
    name: str | None,
    outbox_id: str,
    timestamp: datetime,
    steps: Sequence[ToolStep],
    carried: VoiceNote | ClinicFile | None = None,
) -> Data:
    """A message to the patient, with the options that were shown and the tool calls that led to it. `carried`: the
    file that goes with it or, where it was spoken, in place of the text, which is then what it says."""
    return {
        "role": str(MessageRole.ASSISTANT),
        "content": reply.text,
        "type": str(MessageType.INTERACTIVE if reply.options else MessageType.TEXT),
        "timestamp": timestamp,
        "author": str(author),
        "authorName": name,
        "outboxId": outbox_id,
        "providerMessageId": None,
        "deliveryState": "pending",
        "options": [_option(option) for option in reply.options],
        "steps": step_documents(steps),
        **_shown_beside(reply),
        **(carried.in_history(reply.text, timestamp) if carried else {}),
    }


def _shown_beside(reply: Reply) -> Data:
    """What else the patient sees of a message; a place has the details that a patient's has."""
    if reply.pin:
        return {"type": str(MessageType.LOCATION), "details": asdict(reply.pin)}
    if reply.link:
        return {"link": {"label": reply.link.label, "url": reply.link.url}}
    return {"listLabel": reply.list_label} if reply.is_list else {}


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
    steps: Sequence[ToolStep] = (),
) -> Write:
    """A system message for staff. `detail` never holds a patient's words, except in what staff wrote themselves."""
    document = {
        "role": str(MessageRole.SYSTEM),
        "content": f"[{event}]",
        "type": str(MessageType.SYSTEM),
        "timestamp": now,
        "author": str(Author.SYSTEM if by is None else Author.STAFF),
        "authorName": by,
        "event": str(event),
        "detail": detail,
        "steps": step_documents(steps),
    }
    return create(key.message_path(f"event-{token_hex(12)}"), document)


def note_write(key: ConversationKey, text: str, now: datetime, by: str) -> Write:
    """What the person `by` writes for the others of the clinic; it is never sent, and the bot does not know it."""
    note = event_write(key, Event.NOTE, now, by=by)
    return create(note.path, (note.data or {}) | {"content": text})


def step_documents(steps: Sequence[ToolStep]) -> list[Data]:
    return [
        {
            "tool": step.tool,
            "arguments": step.arguments,
            "error": step.error,
            "id": step.id,
            "status": str(step.status),
            "result": step.result,
            "startedAt": step.started_at,
            "completedAt": step.completed_at,
        }
        for step in steps
    ]


def read_steps(documents: Sequence[Data]) -> tuple[ToolStep, ...]:
    """What `step_documents` wrote; those of before had a tool, its arguments and an error alone."""
    return tuple(
        ToolStep(
            one["tool"],
            one["arguments"],
            one.get("error"),
            id=one.get("id", ""),
            status=ToolStatus(one.get("status", "failed" if one.get("error") else "completed")),
            result=one.get("result"),
            started_at=one.get("startedAt"),
            completed_at=one.get("completedAt"),
        )
        for one in documents
    )
