"""The waiting list of a clinic: to join it, to look at it, to leave it, and to answer what is offered."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from hashlib import sha256

from gendei.booking.acts import Alongside
from gendei.booking.agenda import AgendaEdit
from gendei.booking.appointment import BY_PATIENT, Appointment
from gendei.booking.deposits import DepositTerms
from gendei.booking.desk import BookingDesk
from gendei.booking.finder import offered
from gendei.booking.patients import clean_name
from gendei.booking.visits import BookingRequest
from gendei.clinic import Clinic, ClinicId, Contact, is_anonymous
from gendei.clock import Clock
from gendei.documents import Documents, Query, Snapshot, Transaction, Write, delete, transact
from gendei.errors import GendeiError, NotFound
from gendei.waiting.entry import ENTRY, WaitingEntry, WaitingFault, WaitingWish, entry_path, slot_name, waiting_of
from gendei.waiting.offers import Offers
from gendei.waiting.refill import REFILL, OfferState, Refill, RefillOffer, holder, refill_path

MOST_OF_ONE = 5
"""Entries that one contact may have."""
MOST_LISTED = 500
"""Entries of a clinic that are looked at."""


class WaitingRefused(GendeiError):
    """Nothing was changed. `reason` says why."""

    def __init__(self, reason: WaitingFault) -> None:
        self.reason = reason
        super().__init__(f"the waiting list refused: {reason}")


class OfferOver(GendeiError):
    """What was offered cannot be had any more. `lost`: somebody else has it. `collides`: what they have then."""

    def __init__(self, *, lost: bool = False, collides: Appointment | None = None) -> None:
        self.lost, self.collides = lost, collides
        super().__init__("what was offered is over")


@dataclass(frozen=True, slots=True)
class OfferName:
    """Names what was offered, as a button of the message does. start: aware."""

    entry_id: str
    refill_id: str
    professional_id: str
    start: datetime

    @property
    def slot(self) -> str:
        return slot_name(self.professional_id, self.start)


@dataclass(frozen=True, slots=True)
class Taken:
    """What a yes made: an appointment that was booked, or moved there."""

    appointment: Appointment
    moved: bool


@dataclass(frozen=True, slots=True)
class WaitingPlace:
    """Who wants to wait. appointment_id: what they have, and want earlier. by: who adds them."""

    contact: Contact
    patient_name: str
    wish: WaitingWish
    plan: str = ""
    appointment_id: str | None = None
    by: str = BY_PATIENT


Beside = Callable[[WaitingEntry], Sequence[Write]]
"""New documents of the same commit."""


def nothing_beside(_entry: WaitingEntry) -> Sequence[Write]:
    return ()


Terms = Callable[[WaitingEntry, RefillOffer], Awaitable[DepositTerms | None]]


async def nothing_asked(_entry: WaitingEntry, _offer: RefillOffer) -> DepositTerms | None:
    """The terms where no deposit is asked for."""
    return None


@dataclass(slots=True)
class WaitingList:
    """`on_change` is told of a refill that has something to be done; set by who does it."""

    documents: Documents
    clock: Clock
    desk: BookingDesk
    on_change: Callable[[ClinicId, str], None] = field(default=lambda _clinic, _refill: None)

    @property
    def offers(self) -> Offers:
        return Offers(self.documents, self.clock)

    async def join(self, clinic: Clinic, place: WaitingPlace, beside: Beside = nothing_beside) -> WaitingEntry:
        """Put somebody on the list. Who waits for the same already keeps the place in the line, with the new wish.
        Raises what `planned` does."""
        planned = await self.planned(clinic, place)

        async def attempt(transaction: Transaction) -> WaitingEntry:
            found = await transaction.get(planned.path)
            before, made = ENTRY.found(found, id=planned.id, clinic_id=clinic.id), planned
            if before is not None:
                made = replace(made, created_at=before.created_at, offer=before.offer, offered=before.offered)
            transaction.put(found.path, ENTRY.write(made))
            _also(transaction, beside(made))
            return made

        return await transact(self.documents, attempt)

    async def planned(self, clinic: Clinic, place: WaitingPlace) -> WaitingEntry:
        """What `join` would put on the list; nothing is changed. Raises WaitingRefused, BookingRefused for a service, a
        professional or a name that cannot be, and NotFound for an appointment that is not the contact's."""
        wish, now = place.wish, self.clock()
        offered(clinic, wish.service_id, wish.professional_id)
        self._require(clinic, place)
        clean = replace(place, patient_name=clean_name(place.patient_name))
        if place.appointment_id is not None:
            standing = await self.desk.appointment(clinic, place.contact, place.appointment_id)
            if not standing.status.live or standing.start <= now:
                raise WaitingRefused(WaitingFault.NOT_COMING)
            clean = replace(clean, patient_name=standing.patient_name, plan=standing.plan)
        entry_id = _id_of(clean)
        own = await self.of_contact(clinic, place.contact)
        if len(own) >= MOST_OF_ONE and entry_id not in {entry.id for entry in own}:
            raise WaitingRefused(WaitingFault.TOO_MANY)
        return WaitingEntry(
            *(entry_id, clinic.id, clean.contact, clean.patient_name, wish, now, clean.by),
            appointment_id=clean.appointment_id,
            plan=clean.plan,
        )

    def _require(self, clinic: Clinic, place: WaitingPlace) -> None:
        faults = (
            (WaitingFault.NO_LIST, clinic.waiting_list is None),
            (WaitingFault.UNREACHABLE, is_anonymous(place.contact)),
            (WaitingFault.PAST, place.wish.last < clinic.local(self.clock()).date()),
        )
        for fault, holds in faults:
            if holds:
                raise WaitingRefused(fault)

    async def of_contact(self, clinic: Clinic, contact: Contact) -> list[WaitingEntry]:
        """What a contact waits for, the longest first."""
        return self._still(
            clinic, await self._query(clinic, Query(waiting_of(clinic.id), (("contact", "==", contact),)))
        )

    async def all(self, clinic: Clinic) -> list[WaitingEntry]:
        """Who waits, the longest first."""
        query = Query(waiting_of(clinic.id), order_by=(("createdAt", False),), limit=MOST_LISTED)
        return self._still(clinic, await self._query(clinic, query))

    async def drop_past(self, clinic: Clinic) -> bool:
        """Remove those whose last day is over; whether somebody waits still."""
        query = Query(waiting_of(clinic.id), order_by=(("createdAt", False),), limit=MOST_LISTED)
        every = await self._query(clinic, query)
        still = {entry.id for entry in self._still(clinic, every)}
        if past := [delete(entry.path) for entry in every if entry.id not in still]:
            await self.documents.commit(past)
        return bool(still)

    async def get(self, clinic: Clinic, contact: Contact | None, entry_id: str) -> WaitingEntry:
        """One entry of the contact, or of anybody for staff (None). Raises NotFound."""
        found = await self.documents.get(entry_path(clinic.id, entry_id))
        entry = ENTRY.found(found, id=entry_id, clinic_id=clinic.id)
        if entry is None or contact not in {None, entry.contact}:
            raise NotFound
        return entry

    async def leave(
        self, clinic: Clinic, contact: Contact | None, entry_id: str, beside: Beside = nothing_beside
    ) -> WaitingEntry:
        """Take somebody off the list; what is offered to them goes to the next. Raises NotFound."""
        entry = await self.get(clinic, contact, entry_id)
        if entry.offer is not None:
            refill = await self._refill(clinic, entry.offer.refill_id)
            for offer in refill.open_offers if refill else ():
                if offer.entry_id == entry_id:
                    await self._pass(clinic, entry.offer.refill_id, offer)

        async def attempt(transaction: Transaction) -> None:
            if (await transaction.get(entry.path)).exists:
                transaction.delete(entry.path)
                _also(transaction, beside(entry))

        await transact(self.documents, attempt)
        return entry

    async def decline(self, clinic: Clinic, contact: Contact, name: OfferName) -> WaitingEntry:
        """They do not want this time, and wait on. Raises NotFound."""
        entry = await self.get(clinic, contact, name.entry_id)
        refill = await self._refill(clinic, name.refill_id)
        offer = refill.offer_of(entry.id, name.slot) if refill else None
        if offer is not None and offer.is_open:
            await self._pass(clinic, name.refill_id, offer)
        return entry

    async def take(
        self,
        clinic: Clinic,
        contact: Contact,
        name: OfferName,
        *,
        phone: str | None = None,
        channel: str = "whatsapp",
        terms: Terms = nothing_asked,
    ) -> Taken:
        """The yes to an offer: booked, or moved there, in one commit with the end of the wait. Said again, it returns
        what it made. terms: what is to be paid first, where it is booked. Raises OfferOver, NotFound, and
        BookingRefused."""
        refill = await self._refill(clinic, name.refill_id)
        offer = refill.offer_of(name.entry_id, name.slot) if refill else None
        if offer is None:
            raise NotFound
        if offer.state is OfferState.TAKEN and offer.appointment_id is not None:
            there = await self.desk.appointment(clinic, contact, offer.appointment_id)
            return Taken(there, moved=len({change.moved_from for change in there.history}) > 1)
        if offer.state is OfferState.LOST:
            raise OfferOver(lost=True)
        entry = await self.get(clinic, contact, name.entry_id)
        await self._require_free(clinic, entry, offer)
        along = _Taking(clinic, entry, name, self.on_change)
        if entry.appointment_id is not None:
            where = offer.start, offer.professional_id
            moved = await self.desk.move(clinic, contact, entry.appointment_id, *where, along=along)
            return Taken(moved, moved=True)
        request = BookingRequest(
            *(entry.wish.service_id, offer.professional_id, offer.start, entry.patient_name, phone, channel),
            plan=entry.plan,
            deposit=await terms(entry, offer),
        )
        return Taken(await self.desk.book(clinic, contact, request, along=along), moved=False)

    async def _require_free(self, clinic: Clinic, entry: WaitingEntry, offer: RefillOffer) -> None:
        """Raise OfferOver where they have something else at that time by now, or no more what they wanted earlier."""
        coming = await self.desk.appointments_of(clinic, entry.contact)
        if (there := colliding(coming, offer.start, offer.end, entry.appointment_id)) is not None:
            raise OfferOver(collides=there)
        if entry.appointment_id is not None and all(found.id != entry.appointment_id for found in coming):
            raise OfferOver()

    async def _pass(self, clinic: Clinic, refill_id: str, offer: RefillOffer) -> None:
        await self.offers.close(clinic, refill_id, offer, OfferState.PASSED)
        self.on_change(clinic.id, refill_id)

    async def _refill(self, clinic: Clinic, refill_id: str) -> Refill | None:
        """None for one of another clinic too."""
        if not refill_id.isalnum():
            return None
        found = REFILL.found(await self.documents.get(refill_path(refill_id)), id=refill_id)
        return found if found is not None and found.clinic_id == clinic.id else None

    async def _query(self, clinic: Clinic, query: Query) -> list[WaitingEntry]:
        found: Sequence[Snapshot] = await self.documents.query(query)
        entries = [ENTRY.read(each.data, id=each.id, clinic_id=clinic.id) for each in found]
        return sorted(entries, key=lambda entry: (entry.created_at, entry.id))

    def _still(self, clinic: Clinic, entries: list[WaitingEntry]) -> list[WaitingEntry]:
        today = clinic.local(self.clock()).date()
        return [entry for entry in entries if entry.wish.last >= today]


def _also(transaction: Transaction, writes: Sequence[Write]) -> None:
    for write in writes:
        transaction.create(write.path, write.data or {})


def colliding(
    appointments: Sequence[Appointment], start: datetime, end: datetime, moved: str | None = None
) -> Appointment | None:
    """Of somebody's live appointments the one that is at that time, but for the one that would be moved."""
    there = (each for each in appointments if each.id != moved and each.start < end and start < each.end)
    return next(there, None)


@dataclass(slots=True)
class _Taking(Alongside):
    """What stands in the commit of a yes beside the appointment: the offer is taken, others of that time have lost it,
    and the entry is gone."""

    clinic: Clinic
    entry: WaitingEntry
    name: OfferName
    on_change: Callable[[ClinicId, str], None]
    refill: Refill | None = None

    async def before(self, edit: AgendaEdit) -> None:
        """The time is held for who says yes, while their offer is open; else they may have it where it is free."""
        found = await edit.transaction.get_many([refill_path(self.name.refill_id), self.entry.path])
        self.refill = REFILL.found(found[0], id=self.name.refill_id)
        offer = self._offer()
        if not found[1].exists or offer is None or offer.state in {OfferState.TAKEN, OfferState.LOST}:
            raise OfferOver(lost=offer is not None and offer.state is OfferState.LOST)
        if offer.is_open:
            edit.drop_holds(holder(self.name.refill_id, offer.start))

    def after(self, edit: AgendaEdit, appointment: Appointment) -> None:
        offer = self._offer()
        if self.refill is None or offer is None:
            raise OfferOver()
        taken = replace(
            offer,
            state=OfferState.TAKEN,
            settled_at=edit.now,
            appointment_id=appointment.id,
            price_cents=appointment.price_cents,
        )
        offers = (taken if each == offer else _lost(each, offer, edit.now) for each in self.refill.offers)
        after = replace(self.refill, offers=tuple(offers), due_at=edit.now)
        edit.transaction.put(self.refill.path, REFILL.write(after))
        edit.transaction.delete(self.entry.path)
        edit.transaction.afterwards(partial(self.on_change, self.clinic.id, self.refill.id))

    def _offer(self) -> RefillOffer | None:
        return self.refill.offer_of(self.entry.id, self.name.slot) if self.refill else None


def _lost(other: RefillOffer, taken: RefillOffer, now: datetime) -> RefillOffer:
    """What an open offer of the same time is once somebody has it."""
    return replace(other, state=OfferState.LOST, settled_at=now) if other.is_open and other.is_of(taken) else other


def _id_of(place: WaitingPlace) -> str:
    """The same for who asks for the same again."""
    told = (place.contact, place.patient_name, place.wish.service_id, place.wish.professional_id or "")
    return sha256("\n".join((*told, place.appointment_id or "")).encode()).hexdigest()[:12]
