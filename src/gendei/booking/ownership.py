"""When two contacts turn out to be one patient: what one of them booked becomes the other's.

It runs in steps, each a commit of its own, and any of them may be repeated: what is moved already is not found again.
"""

from dataclasses import dataclass, replace

from gendei.booking.desk import BookingDesk
from gendei.booking.holds import recount
from gendei.booking.patients import PATIENT, patient_id
from gendei.clinic import Clinic, Contact
from gendei.documents import Documents, Query, Transaction, document_id, transact
from gendei.records import Record


@dataclass(frozen=True, slots=True)
class _Owner:
    """Whose an appointment is: a part of its document. The id of a patient's record follows from contact and name."""

    contact: Contact
    patient_id: str
    patient_name: str


_OWNER = Record(_Owner)


async def change_owner(desk: BookingDesk, documents: Documents, clinic: Clinic, old: Contact, new: Contact) -> None:
    """Give `new` everything of `old` in this clinic: people that it books for, and appointments. What `old` holds is
    let go. Everybody's appointments and other clinics are not touched."""
    base = f"gendei_clinics/{document_id(clinic.id)}"
    await desk.release(clinic, old)
    for person in await documents.query(Query(f"{base}/patients", where=(("contact", "==", old),))):
        await _move_person(documents, person.path, old, new)
    for booked in await documents.query(Query(f"{base}/appointments", where=(("contact", "==", old),))):
        await _move_appointment(documents, booked.path, old, new)
    for contact in (old, new):
        await recount(documents, clinic, contact)


async def _move_person(documents: Documents, path: str, old: Contact, new: Contact) -> None:
    """A record's id follows from the contact and the name; where the new one exists, it is the same person."""

    async def attempt(transaction: Transaction) -> None:
        before = PATIENT.found(await transaction.get(path))
        if before is None or before.contact != old:
            return
        target = f"{path.rpartition('/')[0]}/{patient_id(new, before.name)}"
        known = PATIENT.found(await transaction.get(target)) or before
        notes = before.notes if known.notes is None else known.notes
        merged = replace(known, contact=new, phone=known.phone or before.phone, notes=notes)
        transaction.put(target, PATIENT.write(merged))
        transaction.delete(path)

    await transact(documents, attempt)


async def _move_appointment(documents: Documents, path: str, old: Contact, new: Contact) -> None:
    async def attempt(transaction: Transaction) -> None:
        found = await transaction.get(path)
        before = _OWNER.found(found)
        if before is None or before.contact != old:
            return
        follows = before.patient_id == patient_id(old, before.patient_name)
        who = patient_id(new, before.patient_name) if follows else before.patient_id
        transaction.put(path, {**(found.data or {}), **_OWNER.write(replace(before, contact=new, patient_id=who))})

    await transact(documents, attempt)
