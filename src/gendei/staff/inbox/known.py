"""What the clinic knows of an address, whether anything was ever written there or not."""

from dataclasses import dataclass

from gendei.clinic import Contact
from gendei.conversation.stored.contacts import home_of
from gendei.conversation.stored.conversation import CONVERSATION
from gendei.documents import Documents
from gendei.staff.actors import Actor, Right
from gendei.staff.patients import PatientRecords, key_of


@dataclass(frozen=True, slots=True)
class Known:
    """name: of who writes there, or of the first patient that it books for. written: there is a conversation. patients:
    how many the contact books for."""

    contact: Contact
    name: str | None
    written: bool
    patients: int


class KnownContacts:
    def __init__(self, documents: Documents, patients: PatientRecords) -> None:
        self._documents, self._patients = documents, patients

    async def known(self, actor: Actor, contact: str) -> Known:
        """`contact`: any address of the patient, also one that nobody knows. Raises NotFound for what is no contact,
        and Forbidden."""
        actor.require(Right.READ)
        key = await home_of(self._documents, key_of(actor, contact))
        stored = CONVERSATION.found(await self._documents.get(key.path))
        patients = await self._patients.of_contact(actor, key.contact)
        name = (stored.user_name if stored else None) or next((patient.name for patient in patients), None)
        return Known(key.contact, name, stored is not None, len(patients))
