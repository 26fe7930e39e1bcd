"""Free slots as they stand in the store: what is offered before anything is held or booked."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from itertools import chain

from gendei.booking.agenda import occupied
from gendei.booking.availability import free_slots, out_of_reach, why_none
from gendei.booking.slots import BookingRefused, DaySearch, NoSlots, Refusal, Slot
from gendei.clinic import Clinic, Contact, Professional, Service
from gendei.clock import Clock, instant
from gendei.documents import Documents

_AROUND = timedelta(days=14)
"""How far alternatives are looked for at first: 29 days never touch a third month."""
_ANY_TIME = time(12)
_DAY = timedelta(days=1)

Offer = tuple[Service, tuple[Professional, ...]]


def offered(clinic: Clinic, service_id: str, professional_id: str | None = None) -> Offer:
    """The service and who does it: the one who was asked for, or everybody.

    Raises BookingRefused with UNKNOWN_SERVICE, UNKNOWN_PROFESSIONAL or NOT_OFFERED.
    """
    service = clinic.service(service_id)
    if service is None:
        raise BookingRefused(Refusal.UNKNOWN_SERVICE)
    who = clinic.professionals_for(service_id)
    if professional_id is not None:
        if clinic.professional(professional_id) is None:
            raise BookingRefused(Refusal.UNKNOWN_PROFESSIONAL)
        who = tuple(professional for professional in who if professional.id == professional_id)
    if not who:
        raise BookingRefused(Refusal.NOT_OFFERED)
    return service, who


class SlotFinder:
    """Searches in one clinic at a time. `contact`: who is asking; their own hold hides no slot from them."""

    def __init__(self, documents: Documents, clock: Clock) -> None:
        self._documents, self._clock = documents, clock

    async def search(
        self,
        clinic: Clinic,
        service_id: str,
        day: date,
        *,
        professional_id: str | None = None,
        contact: Contact | None = None,
        around: time | None = None,
    ) -> DaySearch:
        """The free slots of one local day, of one professional or of everybody who does the service.

        around: the local time that was asked for. `nearest` is filled when nothing is free that day, or nothing
        begins at that time.
        """
        try:
            (found,) = await self.search_days(clinic, service_id, day, professional_id=professional_id, contact=contact)
        except BookingRefused as refused:
            found = DaySearch(day, (), NoSlots(refused.reason))
        if found.slots and (around is None or any(slot.start.time() == around for slot in found.slots)):
            return found
        moment = datetime.combine(day, around or _ANY_TIME, clinic.timezone)
        near = await self.alternatives(clinic, service_id, professional_id, moment, contact)
        return DaySearch(day, found.slots, found.reason, near)

    async def search_days(
        self,
        clinic: Clinic,
        service_id: str,
        first_day: date,
        days: int = 1,
        *,
        professional_id: str | None = None,
        contact: Contact | None = None,
    ) -> list[DaySearch]:
        """One answer for each of `days` local days, without `nearest`; one read of the store for all of them.

        Raises BookingRefused with UNKNOWN_SERVICE, UNKNOWN_PROFESSIONAL or NOT_OFFERED.
        """
        service, who = offered(clinic, service_id, professional_id)
        now = clinic.local(self._clock())
        asked = [first_day + _DAY * number for number in range(days)]
        within = [day for day in asked if out_of_reach(clinic, day, now) is None]
        if not within:
            return [DaySearch(day, (), out_of_reach(clinic, day, now)) for day in asked]
        clinic, who, busy = await occupied(self._documents, clinic, who, (within[0], within[-1]), now, contact)
        slots = _in_order(free_slots(clinic, service, who, busy, (within[0], within[-1]), now))
        by_day: dict[date, list[Slot]] = {day: [] for day in asked}
        for slot in slots:
            by_day[slot.start.date()].append(slot)
        return [
            DaySearch(day, tuple(free), None if free else why_none(clinic, service, who, busy, day, now))
            for day, free in by_day.items()
        ]

    async def next_slots(
        self,
        clinic: Clinic,
        service_id: str,
        *,
        professional_id: str | None = None,
        after: datetime | None = None,
        limit: int = 10,
        contact: Contact | None = None,
    ) -> list[Slot]:
        """The first `limit` free slots that begin at `after` (aware; now when None) or later, up to the horizon.

        Raises BookingRefused with UNKNOWN_SERVICE, UNKNOWN_PROFESSIONAL or NOT_OFFERED.
        """
        service, who = offered(clinic, service_id, professional_id)
        now = clinic.local(self._clock())
        begin = max(now, clinic.local(after), key=instant) if after is not None else now
        first, horizon = begin.date(), _horizon(clinic, now)
        slots: list[Slot] = []
        while first <= horizon and len(slots) < limit:
            last = min(first + 2 * _AROUND, horizon)
            free = await self._free(clinic, (service, who), (first, last), now, contact)
            slots += [slot for slot in _in_order(free) if instant(slot.start) >= instant(begin)]
            first = last + _DAY
        return slots[:limit]

    async def alternatives(
        self,
        clinic: Clinic,
        service_id: str,
        professional_id: str | None,
        moment: datetime,
        contact: Contact | None = None,
    ) -> tuple[Slot, ...]:
        """At most 10 free slots closest to `moment` (in the clinic's zone), of the professional who was asked for
        and of others who do the service; first from the two weeks around, and only then from the whole horizon."""
        if not clinic.professionals_for(service_id):
            return ()
        offer = offered(clinic, service_id)
        now = clinic.local(self._clock())
        horizon = _horizon(clinic, now)
        middle = min(max(moment.date(), now.date()), horizon)
        close = max(middle - _AROUND, now.date()), min(middle + _AROUND, horizon)
        for days in (close, (now.date(), horizon)):
            found = nearest(await self._free(clinic, offer, days, now, contact), moment, professional_id)
            if found:
                return found
        return ()

    async def _free(
        self, clinic: Clinic, offer: Offer, days: tuple[date, date], now: datetime, contact: Contact | None
    ) -> dict[str, list[Slot]]:
        service, who = offer
        clinic, who, busy = await occupied(self._documents, clinic, who, days, now, contact)
        return free_slots(clinic, service, who, busy, days, now)


def _horizon(clinic: Clinic, now: datetime) -> date:
    return now.date() + timedelta(days=clinic.booking.horizon_days)


def _in_order(free: Mapping[str, Sequence[Slot]]) -> list[Slot]:
    """By start; at the same start in the order of the clinic's professionals."""
    return sorted(chain.from_iterable(free.values()), key=_start)


def _start(slot: Slot) -> float:
    return slot.start.timestamp()


MOST = 10
"""No more alternatives than one WhatsApp list shows."""


def nearest(
    free: Mapping[str, Sequence[Slot]], moment: datetime, preferred: str | None, limit: int = MOST
) -> tuple[Slot, ...]:
    """At most `limit` slots, closest to `moment` (aware, in the clinic's zone) first.

    free: professional id to slots in order of start. preferred: whom the patient asked for; half of the places
    are theirs as long as they have slots, the others show who else is free.
    """

    asked = moment.timestamp()

    def distance(slot: Slot) -> tuple[object, ...]:
        start = slot.start.timestamp()
        return abs(start - asked), start, slot.professional_id

    own: list[Slot] = []
    others: list[Slot] = []
    for professional_id, slots in free.items():
        middle = bisect_left(slots, asked, key=lambda slot: slot.start.timestamp())
        around = slots[max(0, middle - limit) : middle + limit]
        (own if professional_id == preferred else others).extend(around)
    own.sort(key=distance)
    others.sort(key=distance)
    of_others = min(len(others), max(limit // 2, limit - len(own)))
    return tuple(sorted(own[: limit - of_others] + others[:of_others], key=distance))
