"""The commits in which a time is offered to who waits, kept for them, and given up again."""

from dataclasses import dataclass, replace
from datetime import datetime

from gendei.booking.agenda import AgendaEdit
from gendei.booking.slots import BookingRefused, Slot
from gendei.booking.visits import VisitRequest, planned_visit, required
from gendei.booking.wallclock import Interval, epoch_minute
from gendei.clinic import Clinic
from gendei.clock import Clock
from gendei.documents import Documents, Snapshot, Transaction, transact
from gendei.waiting.entry import ENTRY, OpenOffer, WaitingEntry, entry_path, slot_name
from gendei.waiting.refill import MOST_OFFERS, REFILL, OfferState, Refill, RefillOffer, holder, refill_path

SEEN = frozenset({OfferState.PASSED, OfferState.EXPIRED, OfferState.TAKEN})
"""Of an offer that ended so nobody is offered the same time again."""


@dataclass(frozen=True, slots=True)
class Offers:
    """Every call is one transaction. Of two processes that do the same, one does it."""

    documents: Documents
    clock: Clock

    async def make(
        self, clinic: Clinic, refill_id: str, entry_id: str, slot: Slot, service_id: str, until: datetime
    ) -> RefillOffer | None:
        """Offer the slot to an entry until then, and hold it so long. None where somebody else has it by now, or the
        entry is gone or is offered something else."""
        policy, name = clinic.waiting_list, slot_name(slot.professional_id, slot.start)

        async def attempt(transaction: Transaction) -> RefillOffer | None:
            edit = AgendaEdit(transaction, clinic, clinic.local(self.clock()))
            refill, entry, place = await _both(transaction, clinic, refill_id, entry_id)
            if refill is None or entry is None or policy is None or len(refill.offers) >= MOST_OFFERS:
                return None
            same = [offer for offer in refill.open_offers if offer.slot == name]
            if not entry.is_free(edit.now) or name in entry.offered or len(same) >= policy.at_once:
                return None
            visit = planned_visit(clinic, VisitRequest(service_id, slot.professional_id, slot.start), edit.now)
            await edit.load(slot.professional_id, visit.interval)
            who = holder(refill_id, slot.start)
            required(visit, edit, who)
            made = RefillOffer(entry_id, service_id, slot.professional_id, slot.start, visit.slot.end, edit.now, until)
            latest = max(until, *(offer.until for offer in same)) if same else until
            edit.hold(slot.professional_id, who, visit.interval, int(latest.timestamp()))
            edit.save()
            offered = replace(entry, offer=OpenOffer(refill_id, until), offered=(*entry.offered, name))
            transaction.put(place, ENTRY.write(offered))
            transaction.put(refill.path, REFILL.write(replace(refill, offers=(*refill.offers, made))))
            return made

        try:
            return await transact(self.documents, attempt)
        except BookingRefused:
            return None

    async def close(self, clinic: Clinic, refill_id: str, offer: RefillOffer, state: OfferState, why: str = "") -> None:
        """End an open offer, and let its time go where nobody else is offered it. Nothing where it is over. A no makes
        the refill due at once. why: of UNSENT."""

        async def attempt(transaction: Transaction) -> None:
            edit = AgendaEdit(transaction, clinic, clinic.local(self.clock()))
            refill, entry, place = await _both(transaction, clinic, refill_id, offer.entry_id)
            if refill is None or (standing := _standing(refill, offer)) is None:
                return
            await release(edit, refill, standing)
            ended = replace(standing, state=state, settled_at=edit.now, sent=why or standing.sent)
            due_at = edit.now if state is OfferState.PASSED else refill.due_at
            transaction.put(refill.path, REFILL.write(replace(refill.changed(standing, ended), due_at=due_at)))
            put_back(transaction, place, entry, refill_id, ended)

        await transact(self.documents, attempt)

    async def note_sent(self, refill_id: str, offer: RefillOffer) -> None:
        """The message was queued."""

        async def attempt(transaction: Transaction) -> None:
            refill = REFILL.found(await transaction.get(refill_path(refill_id)), id=refill_id)
            standing = _standing(refill, offer) if refill else None
            if refill is not None and standing is not None:
                noted = refill.changed(standing, replace(standing, sent="queued"))
                transaction.put(refill.path, REFILL.write(noted))

        await transact(self.documents, attempt)

    async def note_told(self, clinic: Clinic, refill_id: str, offer: RefillOffer) -> None:
        """Who lost it was told so, or could not be. Once it is free again, they may be offered it again."""

        async def attempt(transaction: Transaction) -> None:
            refill, entry, place = await _both(transaction, clinic, refill_id, offer.entry_id)
            if refill is not None and offer in refill.offers:
                told = refill.changed(offer, replace(offer, told=True))
                transaction.put(refill.path, REFILL.write(told))
                put_back(transaction, place, entry, refill_id, offer)

        await transact(self.documents, attempt)


async def release(edit: AgendaEdit, refill: Refill, offer: RefillOffer) -> None:
    """Let the time of an offer go, unless another one of it is open."""
    await edit.load(offer.professional_id, interval_of(offer))
    if not any(other.slot == offer.slot and other != offer for other in refill.open_offers):
        edit.drop_holds(holder(refill.id, offer.start))
    edit.save()


def interval_of(offer: RefillOffer) -> Interval:
    return epoch_minute(offer.start), epoch_minute(offer.end)


def put_back(
    transaction: Transaction, place: str, entry: WaitingEntry | None, refill_id: str, ended: RefillOffer
) -> None:
    """The entry, which keeps its place in the line, without the offer that ended."""
    if entry is None:
        transaction.delete(place)  # it was read, and is not there
        return
    still = entry.offer if entry.offer is not None and entry.offer.refill_id != refill_id else None
    offered = entry.offered if ended.state in SEEN else tuple(name for name in entry.offered if name != ended.slot)
    transaction.put(place, ENTRY.write(replace(entry, offer=still, offered=offered)))


def _standing(refill: Refill, offer: RefillOffer) -> RefillOffer | None:
    """The offer as it is now, where it is still open."""
    found = (each for each in refill.open_offers if (each.entry_id, each.slot, each.at) == _key(offer))
    return next(found, None)


def _key(offer: RefillOffer) -> tuple[str, str, datetime]:
    return offer.entry_id, offer.slot, offer.at


async def _both(
    transaction: Transaction, clinic: Clinic, refill_id: str, entry_id: str
) -> tuple[Refill | None, WaitingEntry | None, str]:
    """The refill and the entry as they stand, and where the entry is."""
    place = entry_path(clinic.id, entry_id)
    found: list[Snapshot] = await transaction.get_many([refill_path(refill_id), place])
    refill = REFILL.found(found[0], id=refill_id)
    own = refill if refill is not None and refill.clinic_id == clinic.id else None
    return own, ENTRY.found(found[1], id=entry_id, clinic_id=clinic.id), place
