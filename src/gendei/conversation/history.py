"""The full history of a conversation: one document a message, never trimmed."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from secrets import token_hex

from gendei.conversation.conversations import Arrival, moments
from gendei.conversation.keys import ConversationKey
from gendei.conversation.messages import MessageRole, MessageType
from gendei.documents import Data, Write, create, put
from gendei.receptionist.contract import ToolStep
from gendei.receptionist.replies import Reply


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


def arrival_writes(key: ConversationKey, arrivals: Sequence[Arrival]) -> list[Write]:
    """A patient's messages. `timestamp` is when it reached us, in order of arrival; `sentAt` is the provider's."""
    return [
        put(key.message_path(one.id), _arrival(one, moment))
        for one, moment in zip(arrivals, moments(arrivals), strict=True)
    ]


def _arrival(arrival: Arrival, timestamp: datetime) -> Data:
    message = arrival.message
    return {
        "role": str(MessageRole.USER),
        "content": message.content,
        "type": str(message.type),
        "timestamp": timestamp,
        "sentAt": message.timestamp,
        "author": str(Author.PATIENT),
        "providerMessageId": message.id,
        "tapped": message.button_payload,
        "details": {
            name: value
            for name, value in (
                ("mediaId", message.media_id),
                ("mediaUrl", message.media_url),
                ("mimeType", message.mime_type),
                ("replyTo", message.reply_to),
                *message.details.items(),
            )
            if value is not None
        },
    }


def outgoing(
    reply: Reply, author: Author, name: str | None, outbox_id: str, timestamp: datetime, steps: Sequence[ToolStep]
) -> Data:
    """A message to the patient, with the options that were shown and the tool calls that led to it."""
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
        "options": [{"id": option.id, "title": option.title} for option in reply.options],
        "steps": step_documents(steps),
    }


def event_write(
    key: ConversationKey,
    event: Event,
    now: datetime,
    *,
    detail: str = "",
    by: str | None = None,
    steps: Sequence[ToolStep] = (),
) -> Write:
    """A system message for staff. `detail` never holds a patient's words."""
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


def step_documents(steps: Sequence[ToolStep]) -> list[Data]:
    return [{"tool": step.tool, "arguments": step.arguments, "error": step.error} for step in steps]
