"""The files that patients sent, as staff open them."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from gendei.clinic import Contact
from gendei.clock import Clock
from gendei.conversation.conversations import CONVERSATION
from gendei.conversation.files.media import MediaName, MediaStore
from gendei.conversation.identity import Contacts
from gendei.documents import Documents
from gendei.errors import NotFound
from gendei.staff.actors import Actor, Right
from gendei.staff.contacts import key_of
from gendei.staff.inbox.messages_shown import media_of


@dataclass(frozen=True, slots=True)
class PatientFile:
    """`size` in bytes; `file_name` as the patient's phone called it, "" where it did not."""

    name: MediaName
    mime_type: str
    size: int
    file_name: str


class PatientFiles:
    """`media`: None where no files are fetched, so that there are none."""

    def __init__(self, documents: Documents, clock: Clock, media: MediaStore | None) -> None:
        self._documents, self._media = documents, media
        self._contacts = Contacts(documents, clock)

    async def find(self, actor: Actor, contact: str, message_id: str) -> PatientFile:
        """The file of a message in a conversation of the actor's clinic. Raises NotFound, and Forbidden. That it was
        read stands in the audit with the conversation."""
        actor.require(Right.READ)
        if not message_id or "/" in message_id:
            raise NotFound
        key = await self._contacts.home(key_of(actor, contact))
        found = await self._documents.get(key.path)
        if found.data is None:
            raise NotFound
        folded = CONVERSATION.read(found.data).folded
        paths = [key.of(Contact(folded_contact)).message_path(message_id) for folded_contact in (key.contact, *folded)]
        for message in await self._documents.get_many(paths):
            media = media_of(key.clinic_id, message.data) if message.data else None
            if message.data and media and media.file:
                details = message.data.get("details") or {}
                return PatientFile(
                    media.file, media.mime_type or "", media.size or 0, str(details.get("filename") or "")
                )
        raise NotFound

    def reading(self, file: PatientFile) -> AbstractAsyncContextManager[AsyncIterator[bytes]]:
        """Its bytes. Raises NotFound, and OSError, on entering or while they are read."""
        if self._media is None:
            raise NotFound
        return self._media.reading(file.name)
