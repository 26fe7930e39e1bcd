"""Holds: a slot kept for one contact for a few minutes, until they have said yes.

The hold itself stands in the agenda, where everybody's bookings see it. A small document of the contact's,
gendei_clinics/{clinicId}/holds/{contact}, says where, so that it can be replaced and let go without a search. It stays
after a booking, as a hold that is over, with what the contact has booked (`gendei.booking.room`).
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from gendei.booking.agenda import AgendaEdit
from gendei.booking.slots import Slot
from gendei.booking.wallclock import epoch_minute
from gendei.clinic import Clinic, Contact
from gendei.clock import instant
from gendei.documents import Data, Documents, Snapshot, Transaction, document_id, transact


@dataclass(frozen=True, slots=True)
class Hold:
    """A slot that is kept for one contact until `expires_at` (aware, in the clinic's zone)."""

    slot: Slot
    expires_at: datetime


def hold_path(clinic: Clinic, contact: Contact) -> str:
    return f"gendei_clinics/{document_id(clinic.id)}/holds/{document_id(contact)}"


async def place(
    transaction: Transaction,
    edit: AgendaEdit,
    clinic: Clinic,
    contact: Contact,
    slot: Slot,
    pointer: Snapshot,
    now: datetime,
) -> Hold:
    """Hold `slot`, whose pages are loaded, instead of whatever the contact held. pointer: the contact's document, read
    in the transaction."""
    await _drop(edit, pointer, contact, now)
    expires_at = clinic.local(instant(now).replace(microsecond=0) + timedelta(minutes=clinic.booking.hold_minutes))
    interval = epoch_minute(slot.start), epoch_minute(slot.end)
    edit.hold(slot.professional_id, contact, interval, int(expires_at.timestamp()))
    booked = {"booked": pointer.data["booked"]} if pointer.data and "booked" in pointer.data else {}
    transaction.put(pointer.path, _fields(slot, expires_at) | booked)
    return Hold(slot, expires_at)


async def let_go(transaction: Transaction, edit: AgendaEdit, clinic: Clinic, contact: Contact, now: datetime) -> None:
    """Give up what the contact holds, if anything."""
    pointer = await transaction.get(hold_path(clinic, contact))
    if pointer.data is None:
        return
    if "booked" not in pointer.data:
        await _drop(edit, pointer, contact, now)
        transaction.delete(pointer.path)
    elif pointer.data["expiresAt"] > now:
        await _drop(edit, pointer, contact, now)
        transaction.put(pointer.path, {**pointer.data, "expiresAt": now})


async def turn_into(
    transaction: Transaction,
    edit: AgendaEdit,
    contact: Contact,
    pointer: Snapshot,
    slot: Slot,
    booked: dict[str, datetime],
    now: datetime,
) -> None:
    """Let go as a part of the contact's own booking of `slot`, and keep what it has `booked` with it. pointer: the
    contact's document, read in the transaction."""
    await _drop(edit, pointer, contact, now)
    transaction.put(pointer.path, _fields(slot, now) | {"booked": booked})


async def use_up(
    documents: Documents, transaction: Transaction, edit: AgendaEdit, clinic: Clinic, contact: Contact, now: datetime
) -> None:
    """`let_go` as a part of a move, or of what staff book. The document is read outside of the transaction first, which
    would have to write it even where nothing is held: no decision rests on it, and at worst a hold lives on until it
    ends."""
    pointer = await documents.get(hold_path(clinic, contact))
    edit.drop_holds(contact)
    if pointer.data is not None and (pointer.data["expiresAt"] > now or "booked" not in pointer.data):
        await let_go(transaction, edit, clinic, contact, now)


async def recount(documents: Documents, clinic: Clinic, contact: Contact) -> None:
    """Forget what the contact has booked, so that its next booking counts it anew."""

    async def attempt(transaction: Transaction) -> None:
        pointer = await transaction.get(hold_path(clinic, contact))
        if pointer.data is not None and "booked" in pointer.data:
            transaction.put(pointer.path, {name: value for name, value in pointer.data.items() if name != "booked"})

    await transact(documents, attempt)


def _fields(slot: Slot, expires_at: datetime) -> Data:
    return {"professionalId": slot.professional_id, "start": slot.start, "end": slot.end, "expiresAt": expires_at}


async def _drop(edit: AgendaEdit, pointer: Snapshot, contact: Contact, now: datetime) -> None:
    if pointer.data is not None and pointer.data["expiresAt"] > now:
        interval = epoch_minute(pointer.data["start"]), epoch_minute(pointer.data["end"])
        await edit.load(pointer.data["professionalId"], interval)
    edit.drop_holds(contact)
