"""Whom freed time fits, and which slot of it: looked up in the store, decided by the list's order."""

from collections import Counter
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from gendei.booking.appointment import Appointment
from gendei.booking.charges import takers
from gendei.booking.desk import BookingDesk
from gendei.booking.slots import BookingRefused, Slot
from gendei.booking.visits import require_notice
from gendei.clinic import Clinic
from gendei.waiting.entry import WaitingEntry, slot_name
from gendei.waiting.refill import OfferState, Refill
from gendei.waiting.waiting_list import colliding

TO_ANSWER = timedelta(minutes=5)
"""What can be answered for less long is not offered."""


@dataclass(slots=True)
class Candidates:
    """Of one refill at one moment. now: in the clinic's zone."""

    desk: BookingDesk
    clinic: Clinic
    refill: Refill
    now: datetime
    _free: dict[str, list[Slot]] = field(default_factory=dict)
    _given: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._given.update(offer.slot for offer in self.refill.open_offers)

    async def of(self, entries: Sequence[WaitingEntry]) -> AsyncIterator[tuple[WaitingEntry, Slot]]:
        """Each entry that a slot fits with the first such slot, in the order of the list. A slot that nobody is
        offered goes before one that is offered to others as well."""
        unsent = {offer.entry_id for offer in self.refill.offers if offer.state is OfferState.UNSENT}
        for entry in entries:
            if entry.id in unsent or not entry.is_free(self.now):
                continue
            fitting = [slot for slot in await self._slots(entry) if self._fits(entry, slot)]
            fitting.sort(key=lambda slot: self._given[_name(slot)])
            if fitting and (slot := await self._first(entry, fitting)) is not None:
                self._given[_name(slot)] += 1
                yield entry, slot

    def _fits(self, entry: WaitingEntry, slot: Slot) -> bool:
        """Whether it is as it was asked for, can be answered in time, is offered to few enough, and was not offered to
        them before."""
        policy, name = self.clinic.waiting_list, _name(slot)
        tried = name in entry.offered or any(
            (each.entry_id, each.slot) == (entry.id, name) for each in self.refill.offers
        )
        lead = timedelta(minutes=self.clinic.booking.lead_minutes)
        if policy is None or tried or self._given[name] >= policy.at_once:
            return False
        return entry.wish.fits(slot, self.now) and slot.start - lead - self.now >= TO_ANSWER

    async def _slots(self, entry: WaitingEntry) -> list[Slot]:
        """The free slots of the entry's service that touch the freed time, and those that this refill offers already;
        by start."""
        service_id = entry.wish.service_id
        if service_id not in self._free:
            self._free[service_id] = await self._search(service_id)
        shared = {
            Slot(offer.professional_id, self.clinic.local(offer.start), self.clinic.local(offer.end))
            for offer in self.refill.open_offers
            if offer.service_id == service_id
        }
        able = takers(self.clinic, entry.plan, service_id)
        found = {*self._free[service_id], *shared}
        return sorted((slot for slot in found if slot.professional_id in able), key=lambda slot: (slot.start, slot[0]))

    async def _search(self, service_id: str) -> list[Slot]:
        place, clinic = self.refill.place, self.clinic
        first, last = (clinic.local(moment).date() for moment in (place.start, place.end))
        try:
            found = await self.desk.search_days(
                clinic, service_id, first, (last - first).days + 1, professional_id=place.professional_id
            )
        except BookingRefused:
            return []
        slots = [slot for day in found for slot in day.slots]
        return [slot for slot in slots if slot.start < place.end and place.start < slot.end]

    async def _first(self, entry: WaitingEntry, fitting: Sequence[Slot]) -> Slot | None:
        """The first slot at which they have nothing else and, where they have an appointment already, that is
        earlier."""
        coming = await self.desk.appointments_of(self.clinic, entry.contact)
        if entry.appointment_id is not None:
            own = next((each for each in coming if each.id == entry.appointment_id), None)
            if own is None or not self._may_move(entry, own):
                return None
            fitting = [slot for slot in fitting if slot.start < own.start]
        own_id = entry.appointment_id
        free = (slot for slot in fitting if colliding(coming, slot.start, slot.end, own_id) is None)
        return next(free, None)

    def _may_move(self, entry: WaitingEntry, own: Appointment) -> bool:
        try:
            require_notice(self.clinic, entry.contact, own, self.now)
        except BookingRefused:
            return False
        return True


def _name(slot: Slot) -> str:
    return slot_name(slot.professional_id, slot.start)
