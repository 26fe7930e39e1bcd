"""When two contacts turn out to be one patient: what one of them booked becomes the other's.

It runs in steps, each a commit of its own, and any of them may be repeated: what is moved already is not found again.
"""

from dataclasses import dataclass, replace

from gendei.booking.desk import BookingDesk
from gendei.booking.holds import recount
from gendei.booking.merging import contradictions, merge
from gendei.booking.patients import PATIENT, StoredPatient, card_ids, card_in, patient_id
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
    """A record's id follows from the contact and the name; where the new one exists, it is the same person, unless they
    contradict each other: then both stay cards. The old id leads to what is now the card."""
    collection, _, own = path.rpartition("/")

    async def attempt(transaction: Transaction) -> None:
        before = PATIENT.found(await transaction.get(path))
        if before is None or before.contact != old:
            return
        moved = patient_id(new, before.name)
        if before.merged_into is not None:
            await _move_pointer(transaction, collection, (own, before), moved, new)
            return
        card_id, there = await card_in(transaction, collection, moved)
        card = there or StoredPatient(before.name, new, None, before.created_at, before.updated_at)
        ours = replace(before, contact=new, contacts=_swapped(before.contacts, old, new))
        if contradictions(card, ours):
            transaction.put(path, PATIENT.write(ours))
            transaction.put(f"{collection}/{card_id}", PATIENT.write(card))
            return
        await merge(transaction, collection, (card_id, card), (own, ours))

    await transact(documents, attempt)


async def _move_pointer(
    transaction: Transaction, collection: str, own: tuple[str, StoredPatient], moved: str, new: Contact
) -> None:
    """A record that was merged into another. Its card is that of the new contact's bookings too, unless these have
    one already."""
    own_id, before = own
    found, there = await transaction.get_many([f"{collection}/{each}" for each in (before.merged_into, moved)])
    card = PATIENT.found(found)
    if card is None:
        return
    pointer = PATIENT.write(replace(before, contact=new))
    contacts = tuple(each for each in _swapped(card.contacts, before.contact, new) if each != card.contact)
    merged = card.merged if there.exists else (*card.merged, moved)
    transaction.put(f"{collection}/{own_id}", pointer)
    transaction.put(there.path, there.data or pointer)
    transaction.put(found.path, PATIENT.write(replace(card, contacts=contacts, merged=merged)))


def _swapped(contacts: tuple[Contact, ...], old: Contact, new: Contact) -> tuple[Contact, ...]:
    return tuple(dict.fromkeys(new if contact == old else contact for contact in contacts))


async def _move_appointment(documents: Documents, path: str, old: Contact, new: Contact) -> None:
    """Its patient's id follows the contact, unless that leads to another card than the old one. People are moved
    before."""
    collection = f"{path.rpartition('/appointments/')[0]}/patients"

    async def attempt(transaction: Transaction) -> None:
        found = await transaction.get(path)
        before = _OWNER.found(found)
        if before is None or before.contact != old:
            return
        who = before.patient_id
        if who == patient_id(old, before.patient_name):
            moved = patient_id(new, before.patient_name)
            ours, theirs = await card_ids(documents, collection, [who, moved])
            is_card = ours == who and (await documents.get(f"{collection}/{document_id(who)}")).exists
            who = moved if ours == theirs or (ours == who and not is_card) else who
        transaction.put(path, {**(found.data or {}), **_OWNER.write(replace(before, contact=new, patient_id=who))})

    await transact(documents, attempt)
