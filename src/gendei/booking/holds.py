"""Holds: a slot kept for one contact for a few minutes, until they have said yes.

The hold itself stands in the agenda, where everybody's bookings see it. A small document of the contact's,
gendei_clinics/{clinicId}/holds/{contact}, says where, so that it can be replaced and let go without a search. It stays
after a booking, as a hold that is over, with what the contact has booked by itself: {"booked": {appointmentId: start}}.

A contact may have so many appointments ahead: a stranger who books the agenda full keeps patients out of it. Every
booking of the contact reads and writes the document in its transaction, so that of two at once only one takes the last
place. Cancelling and moving leave the entries as they are: they are looked up where it matters.
"""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Annotated

from gendei.booking.agenda import AgendaEdit
from gendei.booking.appointment import BY_PATIENT, Appointment, appointment_path, owned
from gendei.booking.slots import BookingRefused, Refusal, Slot
from gendei.booking.wallclock import epoch_minute
from gendei.clinic import Clinic, Contact, is_anonymous
from gendei.clock import instant
from gendei.documents import Documents, Transaction, document_id, transact
from gendei.errors import NotFound, StoreError
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


async def place(edit: AgendaEdit, contact: Contact, slot: Slot) -> Hold:
    """Hold `slot`, whose pages are loaded, instead of whatever the contact held."""
    before = await _pointer(edit, contact)
    await _drop(edit, contact, before)
    ends = instant(edit.now).replace(microsecond=0) + timedelta(minutes=edit.clinic.booking.hold_minutes)
    edit.hold(slot.professional_id, contact, (epoch_minute(slot.start), epoch_minute(slot.end)), int(ends.timestamp()))
    expires_at = edit.clinic.local(ends)
    _put(edit, contact, _Pointer(*_place(slot), expires_at, before.booked if before else None))
    return Hold(slot, expires_at)


async def let_go(edit: AgendaEdit, contact: Contact) -> None:
    """Give up what the contact holds, if anything."""
    standing = await _pointer(edit, contact)
    if standing is None:
        return
    if standing.booked is None:
        await _drop(edit, contact, standing)
        edit.transaction.delete(hold_path(edit.clinic, contact))
    elif standing.expires_at > edit.now:
        await _drop(edit, contact, standing)
        _put(edit, contact, replace(standing, expires_at=edit.now))


async def release(documents: Documents, contact: Contact, edited: Callable[[Transaction], AgendaEdit]) -> None:
    """`let_go` by itself. Best effort: where the store fails, the hold ends by itself."""

    async def attempt(transaction: Transaction) -> None:
        edit = edited(transaction)
        await let_go(edit, contact)
        edit.save()

    with suppress(StoreError):
        await transact(documents, attempt)


async def turn_into(edit: AgendaEdit, contact: Contact, slot: Slot, booked: Mapping[str, datetime]) -> None:
    """Let go as a part of the contact's own booking of `slot`, and keep what it has `booked` with it."""
    await _drop(edit, contact, await _pointer(edit, contact))
    _put(edit, contact, _Pointer(*_place(slot), edit.now, booked))


async def use_up(documents: Documents, edit: AgendaEdit, contact: Contact) -> None:
    """`let_go` as a part of a move, or of what staff book. The document is read outside of the transaction first, which
    would have to write it even where nothing is held: no decision rests on it, and at worst a hold lives on until it
    ends."""
    standing = _POINTER.found(await documents.get(hold_path(edit.clinic, contact)))
    edit.drop_holds(contact)
    if standing is not None and (standing.expires_at > edit.now or standing.booked is None):
        await let_go(edit, contact)


async def recount(documents: Documents, clinic: Clinic, contact: Contact) -> None:
    """Forget what the contact has booked, so that its next booking counts it anew."""

    async def attempt(transaction: Transaction) -> None:
        pointer = await transaction.get(hold_path(clinic, contact))
        standing = _POINTER.found(pointer)
        if standing is not None and standing.booked is not None:
            transaction.put(pointer.path, _POINTER.write(replace(standing, booked=None)))

    await transact(documents, attempt)


async def _pointer(edit: AgendaEdit, contact: Contact) -> _Pointer | None:
    """The contact's document, read in the transaction."""
    return _POINTER.found(await edit.transaction.get(hold_path(edit.clinic, contact)))


def _put(edit: AgendaEdit, contact: Contact, pointer: _Pointer) -> None:
    edit.transaction.put(hold_path(edit.clinic, contact), _POINTER.write(pointer))


def _place(slot: Slot) -> tuple[str, datetime, datetime]:
    return slot.professional_id, slot.start, slot.end


async def _drop(edit: AgendaEdit, contact: Contact, standing: _Pointer | None) -> None:
    if standing is not None and standing.expires_at > edit.now:
        await edit.load(standing.professional_id, (epoch_minute(standing.start), epoch_minute(standing.end)))
    edit.drop_holds(contact)


def most_ahead(clinic: Clinic, contact: Contact) -> int:
    """How many live appointments ahead the contact may have booked: fewer where it proved no phone."""
    policy = clinic.booking
    return policy.most_ahead_of_visitor if is_anonymous(contact) else policy.most_ahead


async def require_room(
    documents: Documents, edit: AgendaEdit, contact: Contact, own: Callable[[], Awaitable[list[Appointment]]]
) -> dict[str, datetime]:
    """What the contact has booked ahead, by id with its start. `own`: the contact's live appointments ahead, asked for
    where they were not counted yet. Raises BookingRefused(TOO_MANY) where there is no room for one more."""
    standing = await _pointer(edit, contact)
    most = most_ahead(edit.clinic, contact)
    if standing is None or standing.booked is None:
        booked = {
            appointment.id: appointment.start
            for appointment in await own()
            if appointment.history and appointment.history[0].by == BY_PATIENT
        }
    else:
        full = sum(instant(start) > instant(edit.now) for start in standing.booked.values()) >= most
        booked = await _as_they_stand(documents, edit, contact, standing.booked, everything=full)
    if len(booked) >= most:
        raise BookingRefused(Refusal.TOO_MANY)
    return booked


async def has_counted(edit: AgendaEdit, contact: Contact) -> bool:
    """Whether what the contact has booked was counted already."""
    standing = await _pointer(edit, contact)
    return standing is not None and standing.booked is not None


async def _as_they_stand(
    documents: Documents, edit: AgendaEdit, contact: Contact, booked: Mapping[str, datetime], *, everything: bool
) -> dict[str, datetime]:
    """Without what is over. An entry's start is that of the booking: what was moved since is read anew once that start
    has passed, or where it counts (`everything`). An appointment that has begun is never moved, so this cannot be
    outrun."""
    known = {} if everything else {key: start for key, start in booked.items() if instant(start) > instant(edit.now)}
    doubtful = sorted(booked.keys() - known.keys())
    snapshots = await documents.get_many([appointment_path(edit.clinic, key) for key in doubtful]) if doubtful else []
    for snapshot in snapshots:
        with suppress(NotFound):
            appointment = owned(edit.clinic, contact, snapshot)
            if appointment.status.live and instant(appointment.start) > instant(edit.now):
                known[appointment.id] = appointment.start
    return known
