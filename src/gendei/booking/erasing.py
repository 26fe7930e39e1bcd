"""An appointment that is over without the person whom it was for: what the clinic counts stays."""

from dataclasses import dataclass

from gendei.clinic import Contact
from gendei.documents import Documents, Transaction, transact
from gendei.records import Record

ERASED = Contact("erased")
"""In the place of a patient's id and contact; no id is so short, and no address so plain."""
NO_NAME = "—"


@dataclass(frozen=True, slots=True)
class _Nobody:
    """What takes the place of the person, and of words that may be about them."""

    patient_id: str = ERASED
    patient_name: str = NO_NAME
    contact: Contact = ERASED
    patient_phone: str | None = None
    cancel_reason: str = ""


_NOBODY = Record(_Nobody)
_OF_PERSON = frozenset({"note", "late"})


async def forget_person(documents: Documents, path: str) -> None:
    """Keep service, professional, time, status, value and history of the appointment, and nothing of the person."""

    async def attempt(transaction: Transaction) -> None:
        found = await transaction.get(path)
        if found.data is not None:
            left = {name: value for name, value in found.data.items() if name not in _OF_PERSON}
            transaction.put(path, left | _NOBODY.write(_Nobody()))

    await transact(documents, attempt)
