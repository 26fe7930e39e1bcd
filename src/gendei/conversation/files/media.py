"""The files that patients send: what is fetched, what is taken, and the ports to where they come from and go to.

A fetch is a document of its own, created in the commit that puts the message into the history, so that a process that
dies loses none. Sources: Meta's pages on media (an id in a webhook is good for 7 days, a file has up to 100 MB).
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Annotated, Any, Protocol

from pydantic import Field

from gendei.clinic import Channel, ClinicId, Contact
from gendei.documents import Data, Write, put
from gendei.errors import GendeiError
from gendei.messages.keys import MEDIA, ConversationKey, StoredKey
from gendei.messages.message import Arrival, MessageType
from gendei.records import Moment, Record

MIB = 1024 * 1024
LARGEST = {
    MessageType.IMAGE: 16 * MIB,
    MessageType.STICKER: 1 * MIB,
    MessageType.AUDIO: 16 * MIB,
    MessageType.VIDEO: 100 * MIB,
    MessageType.DOCUMENT: 100 * MIB,
}
"""The most bytes that are taken of each type: above what WhatsApp sends, so that only a broken source exceeds it."""


class MediaUnavailable(GendeiError):
    """The file could not be fetched now. It is tried again."""


class MediaRefused(GendeiError):
    """The file is not taken, and trying again would not change it. The message says why."""


@dataclass(frozen=True, slots=True)
class MediaRef:
    """Where a provider keeps a file. `url` may be missing or too old; `sha256` is what the provider says, hex or
    base64. `largest`: bytes."""

    media_id: str | None
    url: str | None
    mime_type: str | None
    sha256: str | None
    largest: int


@dataclass(frozen=True, slots=True)
class MediaName:
    """One stored file: the clinic it belongs to, and two names without meaning, one for the conversation and one for
    the message."""

    clinic_id: ClinicId
    folder: str
    file: str

    @classmethod
    def of(cls, clinic_id: ClinicId, contact: Contact, message_id: str) -> "MediaName":
        return cls(clinic_id, sha256(contact.encode()).hexdigest()[:32], sha256(message_id.encode()).hexdigest()[:32])


def stored_media(name: MediaName, content_type: str, size: int, at: datetime) -> Data:
    """What a message of the history says of its file, which is in the media store since `at`."""
    where = {"folder": name.folder, "file": name.file}
    return {"state": "stored", **where, "contentType": content_type, "bytes": size, "at": at}


class MediaSource(Protocol):
    """A provider's files."""

    def open(self, channel: Channel, ref: MediaRef) -> AbstractAsyncContextManager[AsyncIterator[bytes]]:
        """The file's bytes. Raises MediaUnavailable or MediaRefused, on entering or while they are read."""
        ...


class MediaWriter(Protocol):
    async def write(self, chunk: bytes) -> None: ...


class MediaStore(Protocol):
    """Where files are kept for staff. Every call may raise OSError."""

    def writing(self, name: MediaName) -> AbstractAsyncContextManager[MediaWriter]:
        """Nothing is there under `name` until the body ends well; then everything, in place of what was there."""
        ...

    def reading(self, name: MediaName) -> AbstractAsyncContextManager[AsyncIterator[bytes]]:
        """The file's bytes. Raises NotFound."""
        ...

    async def remove(self, name: MediaName) -> None:
        """Delete the file; what is not there is no error."""
        ...

    async def close(self) -> None: ...


async def content_of(store: MediaStore, name: MediaName) -> bytes:
    """A whole file. Raises NotFound and OSError."""
    async with store.reading(name) as chunks:
        return b"".join([chunk async for chunk in chunks])


@dataclass(frozen=True, slots=True)
class MediaParts:
    """The adapters; `sources` by provider."""

    store: MediaStore
    sources: dict[str, MediaSource]


@dataclass(frozen=True, slots=True)
class Fetch:
    """A file still to be fetched. `message_path`: the message of the history that it belongs to."""

    key: Annotated[StoredKey, Field(alias="conversation")]
    message_path: str
    provider: str
    external_id: str
    kind: MessageType
    media_id: str | None
    url: str | None
    mime_type: str | None
    sha256: str | None
    attempts: int
    due_at: Moment

    @property
    def message_id(self) -> str:
        return self.message_path.rpartition("/")[2]

    @property
    def path(self) -> str:
        return f"{MEDIA}/{self.message_id}"

    @property
    def name(self) -> MediaName:
        return MediaName.of(self.key.clinic_id, self.key.contact, self.message_id)

    @property
    def ref(self) -> MediaRef:
        return MediaRef(self.media_id, self.url, self.mime_type, self.sha256, LARGEST[self.kind])


FETCH = Record(Fetch, "gendei_media/{id}")


def fetch_writes(key: ConversationKey, arrivals: Sequence[Arrival], now: datetime) -> list[Write]:
    """What is to be fetched for these messages of the history."""
    return [
        put(fetch.path, FETCH.write(fetch))
        for arrival in arrivals
        if arrival.message.type in LARGEST and (arrival.message.media_id or arrival.message.media_url)
        for fetch in [fetch_of(key, arrival, now)]
    ]


def fetch_of(key: ConversationKey, arrival: Arrival, now: datetime) -> Fetch:
    """What is to be fetched for a message that has a file."""
    message = arrival.message
    return Fetch(
        key=key,
        message_path=key.message_path(arrival.id),
        provider=arrival.provider,
        external_id=arrival.external_id,
        kind=message.type,
        media_id=message.media_id,
        url=message.media_url,
        mime_type=message.mime_type,
        sha256=_text(message.details.get("sha256")),
        attempts=0,
        due_at=now,
    )


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
