"""The files of conversations, as staff list and open them."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, fields
from datetime import datetime

from gendei.clinic import Contact
from gendei.clock import Clock
from gendei.conversation.files.clinic_files import ClinicFile, read_file
from gendei.conversation.files.media import MediaName, MediaStore
from gendei.conversation.stored.contacts import home_of
from gendei.conversation.stored.conversation import CONVERSATION, Conversation
from gendei.conversation.stored.history import HistoryMessage, message_of
from gendei.documents import Documents, Query, put
from gendei.errors import NotFound
from gendei.messages.keys import ConversationKey
from gendei.messages.message import MessageType
from gendei.records import Moment, Record
from gendei.staff.actors import Actor, Right
from gendei.staff.inbox.messages_shown import ShownMedia, media_of
from gendei.staff.patient_rows import card_of
from gendei.staff.patients import key_of

MOST_FILES = 50
"""Of a patient, that are listed."""
LISTED = (MessageType.IMAGE, MessageType.DOCUMENT)


@dataclass(frozen=True, slots=True)
class PatientFile:
    """`size` in bytes; `file_name` as the patient's phone called it, "" where it did not."""

    name: MediaName
    mime_type: str
    size: int
    file_name: str


@dataclass(frozen=True, slots=True)
class ConversationFile:
    """A picture or a document. `contact`: whose conversation it stands in; `by_patient`: they sent it, else the clinic
    did."""

    id: str
    contact: Contact
    at: datetime
    kind: str
    name: str
    caption: str
    by_patient: bool
    media: ShownMedia


class PatientFiles:
    """`media`: None where no files are fetched, so that there are none."""

    def __init__(self, documents: Documents, media: MediaStore | None) -> None:
        self._documents, self._media = documents, media

    async def find(self, actor: Actor, contact: str, message_id: str) -> PatientFile:
        """The file of a message in a conversation of the actor's clinic. Raises NotFound, and Forbidden. That it was
        read stands in the audit with the conversation."""
        actor.require(Right.READ)
        if not message_id or "/" in message_id:
            raise NotFound
        key = await home_of(self._documents, key_of(actor, contact))
        found = await self._documents.get(key.path)
        if found.data is None:
            raise NotFound
        folded = CONVERSATION.read(found.data).folded
        paths = [key.of(Contact(folded_contact)).message_path(message_id) for folded_contact in (key.contact, *folded)]
        for message in [message_of(found) for found in await self._documents.get_many(paths) if found.exists]:
            media = media_of(key.clinic_id, message)
            if media and media.file:
                file_name = str(message.details.get("filename") or "")
                return PatientFile(media.file, media.mime_type or "", media.size or 0, file_name)
        raise NotFound

    async def of_patient(self, actor: Actor, patient_id: str, limit: int = MOST_FILES) -> list[ConversationFile]:
        """Pictures and documents of the conversations with who books for the patient, the latest first. Raises NotFound
        and Forbidden."""
        actor.require(Right.READ)
        card = await card_of(self._documents, actor.clinic_id, patient_id)
        keys = [ConversationKey(actor.clinic_id, contact) for contact in card.stored.all_contacts]
        found = await self._documents.get_many([key.path for key in keys])
        written = [CONVERSATION.read(snapshot.data) for snapshot in found if snapshot.exists]
        pages = await asyncio.gather(*(self._files(conversation, limit) for conversation in written))
        return sorted((file for page in pages for file in page), key=_latest, reverse=True)[:limit]

    async def _files(self, conversation: Conversation, limit: int) -> list[ConversationFile]:
        """Of one conversation, also from under the patient's other contacts."""
        queries = [
            Query(
                f"{conversation.key.of(Contact(contact)).path}/messages",
                where=(("type", "==", str(kind)),),
                order_by=(("timestamp", True),),
                limit=limit,
            )
            for contact in (conversation.contact, *conversation.folded)
            for kind in LISTED
        ]
        pages = await asyncio.gather(*map(self._documents.query, queries))
        return [file for page in pages for found in page if (file := _file(conversation, message_of(found)))]

    def reading(self, file: PatientFile) -> AbstractAsyncContextManager[AsyncIterator[bytes]]:
        """Its bytes. Raises NotFound, and OSError, on entering or while they are read."""
        if self._media is None:
            raise NotFound
        return self._media.reading(file.name)


def _latest(file: ConversationFile) -> tuple[datetime, str]:
    return file.at, file.id


def _file(conversation: Conversation, message: HistoryMessage) -> ConversationFile | None:
    media = media_of(conversation.clinic_id, message)
    if media is None or message.deleted_at is not None:
        return None
    details = message.details
    return ConversationFile(
        id=message.id,
        contact=conversation.contact,
        at=message.timestamp,
        kind=str(message.type),
        name=str(details.get("filename") or ""),
        caption=str(details.get("caption") or ""),
        by_patient=message.is_of_patient,
        media=media,
    )


_IS_ID = re.compile(r"[0-9a-f]{32}").fullmatch


@dataclass(frozen=True, slots=True, kw_only=True)
class _Uploaded(ClinicFile):
    """With when it came, and the user it is of."""

    at: Moment
    by: str


_UPLOADED = Record(_Uploaded, "gendei_clinics/{clinicId}/files/{id}")


class ClinicFiles:
    """`media`: None where no files are kept, so that none can be sent."""

    def __init__(self, documents: Documents, clock: Clock, media: MediaStore | None) -> None:
        self._documents, self._clock, self._media = documents, clock, media

    async def add(self, actor: Actor, name: str, label: str, content: bytes) -> ClinicFile:
        """Keep a file, to be sent; the same again is the same file. `name`, `label`: what the computer calls it and
        its type. Raises Forbidden, FileRefused, and OSError where the media store fails."""
        actor.require(Right.WRITE)
        file = read_file(actor.clinic_id, name, label, content)
        if self._media is None:
            raise OSError("there is no media store")
        async with self._media.writing(file.name) as kept:
            await kept.write(content)
        told = {field.name: getattr(file, field.name) for field in fields(file)}
        known = _Uploaded(**told, at=self._clock(), by=actor.user_id)
        await self._documents.commit([put(_path(actor, file.id), _UPLOADED.write(known))])
        return file

    async def find(self, actor: Actor, file_id: str) -> ClinicFile:
        """Raises Forbidden, and NotFound."""
        actor.require(Right.WRITE)
        if not _IS_ID(file_id):
            raise NotFound
        file = _UPLOADED.found(await self._documents.get(_path(actor, file_id)), clinic_id=actor.clinic_id)
        if file is None:
            raise NotFound
        return ClinicFile(*(getattr(file, field.name) for field in fields(ClinicFile)))

    def reading(self, file: ClinicFile) -> AbstractAsyncContextManager[AsyncIterator[bytes]]:
        """Its bytes. Raises NotFound, and OSError, on entering or while they are read."""
        if self._media is None:
            raise NotFound
        return self._media.reading(file.name)


def _path(actor: Actor, file_id: str) -> str:
    return f"gendei_clinics/{actor.clinic_id}/files/{file_id}"
