"""Holds: a slot kept for one contact for a few minutes, until they have said yes.

The hold itself stands in the agenda, where everybody's bookings see it. A small document of the contact's,
gendei_clinics/{clinicId}/holds/{contact}, says where, so that it can be replaced and let go without a search. It stays
after a booking, as a hold that is over, with what the contact has booked by itself: {"booked": {appointmentId: start}}.

A contact may have so many appointments ahead: a stranger who books the agenda full keeps patients out of it. Every
booking of the contact reads and writes the document in its transaction, so that of two at once only one takes the last
place. Cancelling and moving leave the entries as they are: they are looked up where it matters.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Annotated

from gendei.booking.agenda import AgendaEdit
from gendei.booking.appointment import Appointment, Appointments, appointment_path, owned
from gendei.booking.slots import BookingRefused, Refusal, Slot
from gendei.booking.wallclock import epoch_minute
from gendei.clinic import Clinic, Contact, is_anonymous
from gendei.clock import instant
from gendei.documents import Data, Documents, Snapshot, Transaction, document_id, transact
from gendei.errors import NotFound
from gendei.records import ABSENT_WHEN_NONE, Moment, Record


@dataclass(frozen=True, slots=True)
class Hold:
    """A slot that is kept for one contact until `expires_at` (aware, in the clinic's zone)."""

    slot: Slot
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class _Pointer:
    """Where a contact's hold stands in the agenda, or stood. booked: what it booked by itself and has ahead, the start
    by the appointment's id; None until that was counted."""

    professional_id: str
    start: Moment
    end: Moment
    expires_at: Moment
    booked: Annotated[Mapping[str, Moment] | None, ABSENT_WHEN_NONE] = None


_POINTER = Record(_Pointer, "gendei_clinics/{clinicId}/holds/{contact}")


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
    before = _POINTER.found(pointer)
    standing = _Pointer(slot.professional_id, slot.start, slot.end, expires_at, before.booked if before else None)
    transaction.put(pointer.path, _POINTER.write(standing))
    return Hold(slot, expires_at)


async def let_go(transaction: Transaction, edit: AgendaEdit, clinic: Clinic, contact: Contact, now: datetime) -> None:
    """Give up what the contact holds, if anything."""
    pointer = await transaction.get(hold_path(clinic, contact))
    standing = _POINTER.found(pointer)
    if standing is None:
        return
    if standing.booked is None:
        await _drop(edit, pointer, contact, now)
        transaction.delete(pointer.path)
    elif standing.expires_at > now:
        await _drop(edit, pointer, contact, now)
        transaction.put(pointer.path, _POINTER.write(replace(standing, expires_at=now)))


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
    over = _Pointer(slot.professional_id, slot.start, slot.end, now, booked)
    transaction.put(pointer.path, _POINTER.write(over))


async def use_up(
    documents: Documents, transaction: Transaction, edit: AgendaEdit, clinic: Clinic, contact: Contact, now: datetime
) -> None:
    """`let_go` as a part of a move, or of what staff book. The document is read outside of the transaction first, which
    would have to write it even where nothing is held: no decision rests on it, and at worst a hold lives on until it
    ends."""
    standing = _POINTER.found(await documents.get(hold_path(clinic, contact)))
    edit.drop_holds(contact)
    if standing is not None and (standing.expires_at > now or standing.booked is None):
        await let_go(transaction, edit, clinic, contact, now)


async def recount(documents: Documents, clinic: Clinic, contact: Contact) -> None:
    """Forget what the contact has booked, so that its next booking counts it anew."""

    async def attempt(transaction: Transaction) -> None:
        pointer = await transaction.get(hold_path(clinic, contact))
        standing = _POINTER.found(pointer)
        if standing is not None and standing.booked is not None:
            transaction.put(pointer.path, _POINTER.write(replace(standing, booked=None)))

    await transact(documents, attempt)


async def _drop(edit: AgendaEdit, pointer: Snapshot, contact: Contact, now: datetime) -> None:
    standing = _POINTER.found(pointer)
    if standing is not None and standing.expires_at > now:
        await edit.load(standing.professional_id, (epoch_minute(standing.start), epoch_minute(standing.end)))
    edit.drop_holds(contact)


PATIENT = "patient"
"""Who acts, in an appointment's history."""


def most_ahead(clinic: Clinic, contact: Contact) -> int:
    """How many live appointments ahead the contact may have booked: fewer where it proved no phone."""
    policy = clinic.booking
    return policy.most_ahead_of_visitor if is_anonymous(contact) else policy.most_ahead


async def require_room(
    documents: Documents, appointments: Appointments, clinic: Clinic, contact: Contact, data: Data | None, now: datetime
) -> dict[str, datetime]:
    """What the contact has booked ahead, by id with its start. `data`: the contact's document, read in the transaction
    that will write it. Raises BookingRefused(TOO_MANY) where there is no room for one more."""
    booked: dict[str, datetime] | None = (data or {}).get("booked")
    most = most_ahead(clinic, contact)
    if booked is None:
        found = [appointment for appointment in await appointments.of_contact(clinic, contact) if _is_own(appointment)]
        booked = {appointment.id: appointment.start for appointment in found}
    else:
        full = sum(instant(start) > instant(now) for start in booked.values()) >= most
        booked = await _as_they_stand(documents, clinic, contact, booked, now, everything=full)
    if len(booked) >= most:
        raise BookingRefused(Refusal.TOO_MANY)
    return booked


async def _as_they_stand(
    documents: Documents,
    clinic: Clinic,
    contact: Contact,
    booked: dict[str, datetime],
    now: datetime,
    *,
    everything: bool,
) -> dict[str, datetime]:
    """Without what is over. An entry's start is that of the booking: what was moved since is read anew once that start
    has passed, or where it counts (`everything`). An appointment that has begun is never moved, so this cannot be
    outrun."""
    begun = {appointment_id for appointment_id, start in booked.items() if instant(start) <= instant(now)}
    doubtful = list(booked) if everything else sorted(begun)
    known = {appointment_id: start for appointment_id, start in booked.items() if appointment_id not in doubtful}
    snapshots = await documents.get_many([appointment_path(clinic, item) for item in doubtful]) if doubtful else []
    for snapshot in snapshots:
        try:
            appointment = owned(clinic, contact, snapshot)
        except NotFound:
            continue
        if appointment.status.live and instant(appointment.start) > instant(now):
            known[appointment.id] = appointment.start
    return known


def _is_own(appointment: Appointment) -> bool:
    return bool(appointment.history) and appointment.history[0].by == PATIENT
