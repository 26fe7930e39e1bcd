"""Freed time, and to whom it was offered: gendei_refills/{id}, one document an event that freed time.

Its id is the event's, so that an event that is told twice is one refill. It names nobody: people stand in the entries
of the waiting list, which go when the person does.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated

from gendei.booking.events import AgendaPlace
from gendei.booking.wallclock import epoch_minute
from gendei.clinic import ClinicId, Contact
from gendei.records import ABSENT_WHEN_EMPTY, ABSENT_WHEN_NONE, NOT_STORED, Moment, Record
from gendei.waiting.entry import slot_name

REFILLS = "gendei_refills"
KEPT_FOR = timedelta(days=400)
"""As long as the clinic's numbers may be asked for."""
MOST_OFFERS = 300
"""Of one refill: more would not fit into its document."""


class OfferState(StrEnum):
    """OPEN: it may be answered. TAKEN: a yes, and booked. PASSED: a no, or they wait no more. EXPIRED: no answer in
    time. LOST: somebody else said yes first. UNSENT: it could not be told, for the reason in `sent`."""

    OPEN = "open"
    TAKEN = "taken"
    PASSED = "passed"
    EXPIRED = "expired"
    LOST = "lost"
    UNSENT = "unsent"


@dataclass(frozen=True, slots=True)
class RefillOffer:
    """sent: "" until the message was queued or declined, then "queued" or the reason. told: who lost it was told so.
    settled_at: when it was answered. price_cents: of what was booked."""

    entry_id: str
    service_id: str
    professional_id: str
    start: Moment
    end: Moment
    at: Moment
    until: Moment
    state: OfferState = OfferState.OPEN
    sent: Annotated[str, ABSENT_WHEN_EMPTY] = ""
    told: Annotated[bool, ABSENT_WHEN_EMPTY] = False
    settled_at: Annotated[Moment | None, ABSENT_WHEN_NONE] = None
    appointment_id: Annotated[str | None, ABSENT_WHEN_NONE] = None
    price_cents: Annotated[int | None, ABSENT_WHEN_NONE] = None

    @property
    def slot(self) -> str:
        return slot_name(self.professional_id, self.start)

    @property
    def name(self) -> str:
        """The same in whatever zone its moments are."""
        return f"{self.slot}/{self.at.timestamp()}"

    @property
    def is_open(self) -> bool:
        return self.state is OfferState.OPEN

    def is_of(self, other: "RefillOffer") -> bool:
        """Whether both are of the same time of one professional, or of times that overlap."""
        return self.professional_id == other.professional_id and self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class Refill:
    """due_at: when any process may see to it; None: nothing is to be done any more. attempts: how often a process began
    and did not end."""

    id: Annotated[str, NOT_STORED]
    clinic_id: ClinicId
    place: AgendaPlace
    freed_at: Moment
    expire_at: Moment
    due_at: Annotated[Moment | None, ABSENT_WHEN_NONE] = None
    attempts: Annotated[int, ABSENT_WHEN_EMPTY] = 0
    offers: Annotated[tuple[RefillOffer, ...], ABSENT_WHEN_EMPTY] = ()

    @property
    def path(self) -> str:
        return refill_path(self.id)

    @property
    def open_offers(self) -> tuple[RefillOffer, ...]:
        return tuple(offer for offer in self.offers if offer.is_open)

    def offer_of(self, entry_id: str, slot: str) -> RefillOffer | None:
        """What was offered to an entry of this slot (`slot_name`), last."""
        return next(
            (found for found in reversed(self.offers) if (found.entry_id, found.slot) == (entry_id, slot)), None
        )

    def changed(self, before: RefillOffer, after: RefillOffer) -> "Refill":
        """With `after` in the place of `before`."""
        return replace(self, offers=tuple(after if offer == before else offer for offer in self.offers))

    def settled(self, now: datetime) -> "Refill":
        """Due when the next thing is to be done; at once where something is, and never again where nothing is."""
        to_do = any((offer.is_open and not offer.sent) or _to_tell(offer) for offer in self.offers)
        ends = [offer.until for offer in self.open_offers]
        return replace(self, due_at=now if to_do else min(ends, default=None), attempts=0)


def _to_tell(offer: RefillOffer) -> bool:
    """Whether somebody reads that a time is theirs to have, and it is another's."""
    return offer.state is OfferState.LOST and not offer.told


REFILL = Record(Refill, "gendei_refills/{id}")


def refill_path(refill_id: str) -> str:
    return f"{REFILLS}/{refill_id}"


def holder(refill_id: str, start: datetime) -> Contact:
    """In whose name a slot is held while it is offered: of nobody, so that several may be offered it."""
    return Contact(f"waiting:{refill_id}:{epoch_minute(start)}")
