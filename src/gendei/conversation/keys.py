"""Where a conversation lives in the store, and the one text that names it everywhere."""

from dataclasses import dataclass

from gendei.clinic import ClinicId, Contact
from gendei.documents import document_id

INBOX = "gendei_inbox"
OUTBOX = "gendei_outbox"
LEASES = "gendei_leases"


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
        return f"gendei_clinics/{document_id(self.clinic_id)}/conversations/{document_id(self.contact)}"

    @property
    def lease_path(self) -> str:
        return f"{LEASES}/{document_id(self.text)}"

    def message_path(self, message_id: str) -> str:
        """`message_id`: an inbox or outbox entry's id, already one path segment."""
        return f"{self.path}/messages/{message_id}"
