"""The files that staff send: what is taken, and how one waits in the media store for the message that carries it.

Sizes and types: Meta's page on media (October 2026): images 5 MB, audio 16 MB, OGG with Opus only. Evolution API and
Z-API name none of their own. Meta would take documents of 100 MB; they are held to 16, since a file is held in memory
while it is sent, with the two others as text a third longer.
"""

import unicodedata
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from typing import Annotated, Any

from pydantic import Field

from gendei.clinic import ClinicId
from gendei.conversation.files.media import MediaName, stored_media
from gendei.conversation.files.screening import HEAD_BYTES, type_of
from gendei.errors import GendeiError
from gendei.messages.message import MessageType, OutgoingMedia
from gendei.records import NOT_STORED

MEGABYTE = 1000 * 1000
LARGEST_SENT = {
    MessageType.IMAGE: 5 * MEGABYTE,
    MessageType.AUDIO: 16 * MEGABYTE,
    MessageType.DOCUMENT: 16 * MEGABYTE,
}
LARGEST_OF_ALL = max(LARGEST_SENT.values())
MAX_CAPTION = 1024
FOLDER = "sent"
"""Of the media store; a conversation's folder is named by a digest, and can never be this."""
_TAKEN = {
    "image/jpeg": (MessageType.IMAGE, "jpg"),
    "image/png": (MessageType.IMAGE, "png"),
    "application/pdf": (MessageType.DOCUMENT, "pdf"),
    "audio/ogg": (MessageType.AUDIO, "ogg"),
    "audio/mpeg": (MessageType.AUDIO, "mp3"),
    "audio/mp4": (MessageType.AUDIO, "m4a"),
    "audio/aac": (MessageType.AUDIO, "aac"),
    "audio/amr": (MessageType.AUDIO, "amr"),
}
_SAME = {"jpg": {"jpg", "jpeg", "jpe"}, "mp3": {"mp3", "mpga"}, "ogg": {"ogg", "oga", "opus"}, "m4a": {"m4a", "mp4"}}
_LONGEST_NAME = 80


class Fault(StrEnum):
    """Why a file is not taken."""

    EMPTY = "empty"
    TOO_LARGE = "too_large"
    UNKNOWN_TYPE = "unknown_type"


class FileRefused(GendeiError):
    """The file cannot be sent. Send a photo (JPEG or PNG), a PDF or a recording, within the sizes that are named."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        super().__init__(f"the file is not taken: {fault}")


@dataclass(frozen=True, slots=True)
class ClinicFile:
    """A file of staff's in the media store. `id`: by its name and content, so that the same is stored once. `kind`:
    image, audio or document. `captioned`: the message's text goes with it; else it only says what the file is."""

    clinic_id: Annotated[ClinicId, NOT_STORED]
    id: str
    kind: MessageType
    mime_type: str
    size: Annotated[int, Field(alias="bytes")]
    file_name: str
    captioned: bool = False

    @property
    def name(self) -> MediaName:
        return MediaName(self.clinic_id, FOLDER, self.id)

    @property
    def takes_caption(self) -> bool:
        """WhatsApp shows no words with a recording."""
        return self.kind is not MessageType.AUDIO

    @property
    def stand_in(self) -> str:
        """The text of a message that has none: what the lists and the receptionist read."""
        return f"[{self.kind}] {self.file_name}" if self.kind is MessageType.DOCUMENT else f"[{self.kind}]"

    def outgoing(self, content: bytes) -> OutgoingMedia:
        """Its `content` as it is sent."""
        return OutgoingMedia(self.kind, "", self.mime_type, self.file_name, content=content, captioned=self.captioned)

    def in_history(self, text: str, at: datetime) -> dict[str, Any]:
        """The fields of the message's record that say it, and its `text`."""
        caption = {"caption": text} if self.captioned else {}
        return {
            "type": self.kind,
            "content": f"[{self.kind}] {text}" if self.captioned else text,
            "details": {"filename": self.file_name, **caption},
            "media": stored_media(self.name, self.mime_type, self.size, at),
        }


def read_file(clinic_id: ClinicId, name: str, label: str, content: bytes) -> ClinicFile:
    """What `content` is, by itself: a name and a label ("audio/mp4") only tell apart what looks the same. Raises
    FileRefused."""
    if not content:
        raise FileRefused(Fault.EMPTY)
    head = content[:HEAD_BYTES]
    found = type_of(head, label)
    if found not in _TAKEN or (found == "audio/ogg" and b"OpusHead" not in head):
        raise FileRefused(Fault.UNKNOWN_TYPE)
    kind, extension = _TAKEN[found]
    if len(content) > LARGEST_SENT[kind]:
        raise FileRefused(Fault.TOO_LARGE)
    shown = _shown_name(name, extension)
    key = sha256(shown.encode() + b"\0" + sha256(content).digest()).hexdigest()[:32]
    return ClinicFile(clinic_id, key, kind, found, len(content), shown)


def _shown_name(name: str, extension: str) -> str:
    """`name` as patients may see it: no folders, nothing that hides or turns letters, and the extension of what the
    file is."""
    last = name.replace("\\", "/").rpartition("/")[2]
    plain = "".join(char if unicodedata.category(char)[0] != "C" else " " for char in last)
    stem, dot, ending = " ".join(plain.split()).rpartition(".")
    if not dot or ending.lower() not in _SAME.get(extension, {extension}):
        stem = f"{stem}{dot}{ending}"
    return f"{stem.strip(' .')[:_LONGEST_NAME] or 'arquivo'}.{extension}"
