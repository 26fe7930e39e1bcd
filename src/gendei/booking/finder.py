"""Free slots as they stand in the store: what is offered before anything is held or booked."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from itertools import chain, islice

from gendei.booking.agenda import occupied
from gendei.booking.alternatives import alternatives_to
from gendei.booking.availability import free_slots, nearest_to_yes, out_of_reach, why_none
from gendei.booking.slots import Alternative, BookingRefused, DaySearch, Found, GivesWay, NoSlots, Refusal, Slot
from gendei.booking.time_wish import TimeWish
from gendei.clinic import Clinic, Contact, Professional, Service
from gendei.clock import Clock, instant
from gendei.documents import Documents

_AROUND = timedelta(days=14)
"""How far alternatives are looked for at first: 29 days never touch a third month."""
_FIRST_LOOK = timedelta(days=13)
_DAYS_EXPLAINED = 28
"""Of more days the reason is that of the first: hours come again every week."""
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

    async def find(
        self,
        clinic: Clinic,
        service_id: str,
        wish: TimeWish,
        *,
        professional_id: str | None = None,
        contact: Contact | None = None,
    ) -> Found:
        """The free slots that fit a wish, of one professional or of everybody who does the service; where there are
        none, why, and what is nearest to it.

        Raises BookingRefused with UNKNOWN_SERVICE, UNKNOWN_PROFESSIONAL or NOT_OFFERED.
        """
        service, who = offered(clinic, service_id, professional_id)
        now = clinic.local(self._clock())
        reach = now.date(), _horizon(clinic, now)
        reasons: list[NoSlots] = []
        for days in _stretches(wish, reach):
            obeying, able, busy = await occupied(self._documents, clinic, who, days, now, contact)
            free = _in_order(free_slots(obeying, service, able, busy, days, now))
            if fitting := tuple(slot for slot in free if wish.fits(slot.start)):
                return Found(fitting)
            asked = islice(wish.each_day(*days), _DAYS_EXPLAINED)
            reasons = [why_none(obeying, service, able, busy, day, now, wish) for day in asked]
        reason, says_all = nearest_to_yes(reasons or [out_of_reach(clinic, wish.last, now) or NoSlots.FULL])
        near = await self._nearest_to(clinic, (service_id, professional_id), wish, reason, contact)
        return Found((), reason, says_all, near)

    async def _nearest_to(
        self,
        clinic: Clinic,
        asked: tuple[str, str | None],
        wish: TimeWish,
        reason: NoSlots,
        contact: Contact | None,
    ) -> tuple[Alternative, ...]:
        """First of the two weeks around, and only then of the whole horizon: where there is nothing, or those hours are
        worked and all of them taken. asked: service and professional."""
        offer, now = offered(clinic, asked[0]), clinic.local(self._clock())
        today, horizon = now.date(), _horizon(clinic, now)
        first, last = (min(max(day, today), horizon) for day in (wish.first, wish.last))
        close = max(first - _AROUND, today), min(last + _AROUND, horizon)
        found: tuple[Alternative, ...] = ()
        for days in (close, (today, horizon)):
            found = alternatives_to(wish, await self._free(clinic, offer, days, now, contact), asked[1])
            on_other_days = wish.any_day or any(near.gives_way is GivesWay.DAY for near in found)
            if found and (on_other_days or reason is not NoSlots.FULL):
                break
        return found

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
        """One answer for each of `days` local days; one read of the store for all of them.

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


def _stretches(wish: TimeWish, reach: tuple[date, date]) -> Iterator[tuple[date, date]]:
    """Where to look, one after the other, within reach: two weeks, and in the end all that was asked for."""
    first, last = max(wish.first, reach[0]), min(wish.last, reach[1])
    begin = first, min(last, first + _FIRST_LOOK)
    whole = reach if wish.any_day else (first, last)
    if first <= last:
        yield begin
    if whole != begin and whole[0] <= whole[1]:
        yield whole


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
