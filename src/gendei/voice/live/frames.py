"""The protocol of a live call: what a client may send, what it gets, and why a socket is closed. See docs/voice.md."""

import json
from collections.abc import Mapping
from enum import IntEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from gendei.conversation.site.web_channel import ChatMessage
from gendei.conversation.stored.history import Author

SMALLEST_CHUNK, LARGEST_CHUNK = 1024, 4096
"""Bytes of one binary frame; ours may be smaller, so that no sound waits for more."""
LARGEST_TEXT = 16_384
"""Characters of one JSON frame: a message of 4,096 in its longest form."""


class Close(IntEnum):
    """Why a socket was closed; the name in lower case is the close reason. Numbers 4000 to 4999 are an application's
    own (RFC 6455, 7.4.2); the last three digits mean what they mean in HTTP."""

    ENDED = 1000
    BAD_FRAME = 4400
    NOT_ALLOWED = 4401
    SPEECH_OFF = 4404
    IDLE = 4408
    REPLACED = 4409
    FLOOD = 4413
    BUSY = 4429
    FAILED = 4500
    STALLED = 4504

    @property
    def reason(self) -> str:
        return self.name.lower()


class CallOver(Exception):
    """The call ends for this reason."""

    def __init__(self, code: Close) -> None:
        super().__init__(code.reason)
        self.code = code


class _Frame(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Start(_Frame):
    """The first frame. `session`: of a call that was lost, to go on with it; `after`: the id of the last message that
    came then."""

    type: Literal["start"]
    token: Annotated[str, Field(min_length=1, max_length=4096)]
    session: Annotated[str | None, Field(max_length=64)] = None
    after: Annotated[str | None, Field(max_length=256)] = None


class Text(_Frame):
    """Written instead of spoken."""

    type: Literal["text"]
    text: Annotated[str, Field(min_length=1, max_length=4096, pattern=r"\S")]


class Tap(_Frame):
    """An option of a message."""

    type: Literal["tap"]
    id: Annotated[str, Field(min_length=1, max_length=256)]
    title: Annotated[str, Field(min_length=1, max_length=256)]


class Interrupt(_Frame):
    """Say no more of what is being said."""

    type: Literal["interrupt"]


class End(_Frame):
    """The call is over, and so is its session."""

    type: Literal["end"]


Command = Annotated[Start | Text | Tap | Interrupt | End, Field(discriminator="type")]
_COMMAND: TypeAdapter[Start | Text | Tap | Interrupt | End] = TypeAdapter(Command)

Frame = Mapping[str, Any]
"""A JSON frame to the client: "type" and what belongs to it."""


def read_command(text: str) -> Start | Text | Tap | Interrupt | End:
    """Raises CallOver for what is no frame of ours."""
    try:
        if len(text) <= LARGEST_TEXT:
            return _COMMAND.validate_json(text)
    except (ValidationError, RecursionError):
        pass
    raise CallOver(Close.BAD_FRAME)


def check_chunk(chunk: bytes) -> None:
    """Raises CallOver for what is no chunk of PCM16."""
    if not SMALLEST_CHUNK <= len(chunk) <= LARGEST_CHUNK or len(chunk) % 2:
        raise CallOver(Close.BAD_FRAME)


def message_frame(message: ChatMessage, *, missed: bool) -> Frame:
    """What the clinic says. `missed`: it came while there was no socket; it is shown and not spoken."""
    frame: dict[str, Any] = {
        "type": "message",
        "id": message.id,
        "at": message.at.isoformat(),
        "text": message.text,
        "by": "person" if message.author is Author.STAFF else "bot",
        "options": [
            {"id": option.id, "title": option.title, "description": option.description} for option in message.options
        ],
        "missed": missed,
    }
    link = {"label": message.link.label, "url": message.link.url} if message.link else None
    return frame | {name: value for name, value in (("listLabel", message.list_label), ("link", link)) if value}


def encoded(frame: Frame) -> str:
    return json.dumps(frame, ensure_ascii=False)
