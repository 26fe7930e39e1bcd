"""Holds: a slot kept for one contact for a few minutes, until they have said yes.

The hold itself stands in the agenda, where everybody's bookings see it. A small document of the contact's,
gendei_clinics/{clinicId}/holds/{contact}, says where, so that it can be replaced and let go without a search.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from gendei.booking.agenda import AgendaEdit
from gendei.booking.slots import Slot
from gendei.booking.wallclock import epoch_minute
from gendei.clinic import Clinic, Contact
from gendei.documents import Documents, Snapshot, Transaction, document_id
from gendei.records import Moment, Record


@dataclass(frozen=True, slots=True)
class Hold:
    """A slot that is kept for one contact until `expires_at` (aware, in the clinic's zone)."""

    slot: Slot
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class _Pointer:
    """Where a contact's hold stands in the agenda."""

    professional_id: str
    start: Moment
    end: Moment
    expires_at: Moment


_POINTER = Record(_Pointer, "gendei_clinics/{clinicId}/holds/{contact}")


def hold_path(clinic: Clinic, contact: Contact) -> str:
    return f"gendei_clinics/{document_id(clinic.id)}/holds/{document_id(contact)}"


async def place(
    transaction: Transaction, edit: AgendaEdit, clinic: Clinic, contact: Contact, slot: Slot, now: datetime
) -> Hold:
    """Hold `slot`, whose pages are loaded, instead of whatever the contact held."""
    pointer = await transaction.get(hold_path(clinic, contact))
    await _drop(edit, pointer, contact, now)
    expires_at = now.replace(microsecond=0) + timedelta(minutes=clinic.booking.hold_minutes)
    interval = epoch_minute(slot.start), epoch_minute(slot.end)
    edit.hold(slot.professional_id, contact, interval, int(expires_at.timestamp()))
    standing = _Pointer(slot.professional_id, slot.start, slot.end, expires_at)
    transaction.put(pointer.path, _POINTER.write(standing))
    return Hold(slot, expires_at)


async def let_go(transaction: Transaction, edit: AgendaEdit, clinic: Clinic, contact: Contact, now: datetime) -> None:
    """Give up what the contact holds, if anything."""
    pointer = await transaction.get(hold_path(clinic, contact))
    if pointer.exists:
        await _drop(edit, pointer, contact, now)
        transaction.delete(pointer.path)


async def use_up(
    documents: Documents, transaction: Transaction, edit: AgendaEdit, clinic: Clinic, contact: Contact, now: datetime
) -> None:
    """`let_go` as a part of a booking. The pointer is read outside of the transaction, which would have to write it
    even where there is none: no decision rests on it, and at worst a hold lives on until it ends."""
    pointer = await documents.get(hold_path(clinic, contact))
    await _drop(edit, pointer, contact, now)
    if pointer.exists:
        transaction.delete(pointer.path)


async def _drop(edit: AgendaEdit, pointer: Snapshot, contact: Contact, now: datetime) -> None:
    standing = _POINTER.found(pointer)
    if standing is not None and standing.expires_at > now:
        await edit.load(standing.professional_id, (epoch_minute(standing.start), epoch_minute(standing.end)))
    edit.drop_holds(contact)
