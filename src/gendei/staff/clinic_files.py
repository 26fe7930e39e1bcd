"""The files that staff send: uploaded once, then named by id in a message (`gendei.conversation.files.clinic_files`).

An id is one of the actor's clinic, whose document says what the file is: another clinic's is "not found".
"""

import re
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, fields

from gendei.clock import Clock
from gendei.conversation.files.clinic_files import ClinicFile, read_file
from gendei.conversation.files.media import MediaStore
from gendei.documents import Documents, put
from gendei.errors import NotFound
from gendei.records import Moment, Record
from gendei.staff.actors import Actor, Right

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
