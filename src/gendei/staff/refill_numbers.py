"""What a month's freed time became by the waiting list."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from statistics import median

from gendei.booking.appointment import Conditions
from gendei.clinic import Clinic
from gendei.documents import Documents, Query
from gendei.waiting.refill import REFILL, REFILLS, OfferState, Refill


@dataclass(frozen=True, slots=True)
class RefillNumbers:
    """Of time that became free in the month and was offered. `filled`: how often somebody took it; `value_cents` of
    these; `median_minutes` from when it became free to the yes, None where nobody took any."""

    offered: int = 0
    filled: int = 0
    value_cents: int = 0
    median_minutes: float | None = None


async def refills_of(documents: Documents, clinic: Clinic, days: tuple[date, date], most: int) -> RefillNumbers:
    """Of the time that became free on the local days from the first to the last; nothing is asked of the store where
    the clinic has no waiting list."""
    if clinic.waiting_list is None:
        return RefillNumbers()
    first, last = (datetime.combine(day, time(), clinic.timezone) for day in days)
    freed: Conditions = (
        ("clinicId", "==", clinic.id),
        ("freedAt", ">=", first),
        ("freedAt", "<", last + timedelta(days=1)),
    )
    found = await documents.query(Query(REFILLS, freed, (("freedAt", False),), limit=most))
    return refill_numbers([REFILL.read(each.data, id=each.id) for each in found])


def refill_numbers(refills: Sequence[Refill]) -> RefillNumbers:
    taken = [(offer, refill) for refill in refills for offer in refill.offers if offer.state is OfferState.TAKEN]
    waits = [(offer.settled_at - refill.freed_at).total_seconds() / 60 for offer, refill in taken if offer.settled_at]
    return RefillNumbers(
        offered=sum(len({offer.slot for offer in refill.offers}) for refill in refills),
        filled=len(taken),
        value_cents=sum(offer.price_cents or 0 for offer, _ in taken),
        median_minutes=median(waits) if waits else None,
    )
