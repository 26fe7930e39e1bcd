"""Where a conversation lives in the store, and the one text that names it everywhere."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

from pydantic import BeforeValidator, PlainSerializer

from gendei.clinic import ClinicId, Contact
from gendei.documents import document_id

INBOX = "gendei_inbox"
OUTBOX = "gendei_outbox"
LEASES = "gendei_leases"
MEDIA = "gendei_media"
"""Files that patients sent and that are still to be fetched."""
EVENTS = "gendei_events"
"""Events of the agenda that a follower has still to be given."""


@dataclass(frozen=True, slots=True)
class ConversationKey:
    """One contact of one clinic; `text` is "clinicId/contact", as inbox and outbox entries carry it."""

    clinic_id: ClinicId
    contact: Contact

    @classmethod
    def parse(cls, text: str) -> "ConversationKey":
        clinic_id, _, contact = text.partition("/")
        return cls(ClinicId(clinic_id), Contact(contact))

    @property
    def text(self) -> str:
        return f"{self.clinic_id}/{self.contact}"

    @property
    def path(self) -> str:
        return _path(self.clinic_id, self.contact)

    @property
    def lease_path(self) -> str:
        return _lease_path(self.text)

    @property
    def link_path(self) -> str:
        """Where it says that this contact is only another address of somebody; see conversation/stored/contacts.py."""
        return _link_path(self.clinic_id, self.contact)

    def of(self, contact: Contact) -> "ConversationKey":
        """Another contact of the same clinic."""
        return ConversationKey(self.clinic_id, contact)

    def message_path(self, message_id: str) -> str:
        """`message_id`: an inbox or outbox entry's id, already one path segment."""
        return f"{self.path}/messages/{message_id}"


def _parsed(stored: object) -> object:
    return ConversationKey.parse(stored) if isinstance(stored, str) else stored


def _text(key: ConversationKey) -> str:
    return key.text


StoredKey = Annotated[ConversationKey, BeforeValidator(_parsed), PlainSerializer(_text)]
"""A key that stands as its text in a document."""


@lru_cache(maxsize=8192)  # a turn names its conversation a dozen times, and quoting is slow
def _path(clinic_id: str, contact: str) -> str:
    return f"gendei_clinics/{document_id(clinic_id)}/conversations/{document_id(contact)}"


@lru_cache(maxsize=8192)
def _link_path(clinic_id: str, contact: str) -> str:
    return f"gendei_clinics/{document_id(clinic_id)}/contacts/{document_id(contact)}"


@lru_cache(maxsize=8192)
def _lease_path(text: str) -> str:
    return f"{LEASES}/{document_id(text)}"
