"""Patients as lists have them, and where their records stand."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from gendei.booking.patients import PATIENT, StoredPatient, patients_of
from gendei.clinic import ClinicId, Contact
from gendei.documents import Documents, Query, Snapshot
from gendei.errors import NotFound
from gendei.staff.inbox.rows import fold

MOST_OF_CONTACT = 50
"""People that one contact books for, as far as they are shown."""
_ID = re.compile("[0-9a-f]{20}")


@dataclass(frozen=True, slots=True)
class PatientRow:
    """`contact`: who writes for the patient; `name`: who comes. `via`: why a search found the patient where neither
    name nor number tell it: the name of whom the same contact books for, or of who writes. `plan`: by which health plan
    the patient came last, as appointments have it."""

    id: str
    name: str
    contact: Contact
    phone: str | None
    updated_at: datetime
    via: str | None = None
    plan: str = ""


@dataclass(frozen=True, slots=True)
class Card:
    """A patient's record, under the id of the card."""

    id: str
    stored: StoredPatient

    @property
    def ids(self) -> frozenset[str]:
        """Every id that leads here: appointments and tasks have any of them."""
        return frozenset((self.id, *self.stored.merged))

    @property
    def row(self) -> PatientRow:
        stored = self.stored
        return PatientRow(self.id, stored.name, stored.contact, stored.phone, stored.updated_at, plan=stored.plan)


def path_of(clinic_id: ClinicId, patient_id: str) -> str:
    """Raises NotFound for what can be no id."""
    if not _ID.fullmatch(patient_id):
        raise NotFound
    return f"{patients_of(clinic_id)}/{patient_id}"


async def card_of(documents: Documents, clinic_id: ClinicId, patient_id: str) -> Card:
    """The card that an id leads to, also one that was merged into another. Raises NotFound."""
    cards = await cards_of(documents, clinic_id, [await documents.get(path_of(clinic_id, patient_id))])
    if not cards:
        raise NotFound
    return cards[0]


async def cards_of(documents: Documents, clinic_id: ClinicId, found: Iterable[Snapshot]) -> list[Card]:
    """The cards that these records lead to, each once, in their order."""
    records = {snapshot.id: PATIENT.read(snapshot.data) for snapshot in found if snapshot.data is not None}
    known = {own: record for own, record in records.items() if record.merged_into is None}
    pointed = [
        record.merged_into for record in records.values() if record.merged_into and record.merged_into not in known
    ]
    if pointed:
        paths = [path_of(clinic_id, patient_id) for patient_id in dict.fromkeys(pointed)]
        read = await documents.get_many(paths)
        known |= {snapshot.id: PATIENT.read(snapshot.data) for snapshot in read if snapshot.data is not None}
    wanted = dict.fromkeys(record.merged_into or own for own, record in records.items())
    return [Card(own, known[own]) for own in wanted if own in known]


async def of_contact(documents: Documents, clinic_id: ClinicId, contact: Contact) -> list[Card]:
    """For whom a contact books, by name."""
    query = Query(patients_of(clinic_id), where=(("contact", "==", contact),), limit=MOST_OF_CONTACT)
    cards = await cards_of(documents, clinic_id, await documents.query(query))
    return sorted(cards, key=lambda card: (fold(card.stored.name), card.id))
