"""The files that patients sent, as staff open them."""

import re
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, fields

from gendei.clinic import Contact
from gendei.clock import Clock
from gendei.conversation.files.clinic_files import ClinicFile, read_file
from gendei.conversation.files.media import MediaName, MediaStore
from gendei.conversation.stored.contacts import home_of
from gendei.conversation.stored.conversation import CONVERSATION
from gendei.conversation.stored.history import message_of
from gendei.documents import Documents, put
from gendei.errors import NotFound
from gendei.records import Moment, Record
from gendei.staff.actors import Actor, Right
from gendei.staff.inbox.messages_shown import media_of
from gendei.staff.patients import key_of


@dataclass(frozen=True, slots=True)
class PatientFile:
    """`size` in bytes; `file_name` as the patient's phone called it, "" where it did not."""

    name: MediaName
    mime_type: str
    size: int
    file_name: str


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

    def reading(self, file: PatientFile) -> AbstractAsyncContextManager[AsyncIterator[bytes]]:
        """Its bytes. Raises NotFound, and OSError, on entering or while they are read."""
        if self._media is None:
            raise NotFound
        return self._media.reading(file.name)


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
