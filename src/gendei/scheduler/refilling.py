"""Offers freed time to who waits for it: in order, with a hold and a limit, however many processes look.

A follower of the agenda's events makes one refill of each freed time. Each step of it is a commit of its own
(waiting/offers.py), and whoever finds a refill that is due does the next step that is open; so it does not matter where
a process dies. The message's own name (`Opening.once`) lets it be queued once.
"""

import logging
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from gendei.booking.dates import describe
from gendei.booking.dates.rendering import clock as spoken_time
from gendei.booking.dates.rendering import which_time
from gendei.booking.events import AgendaEvent, EventKind
from gendei.booking.wallclock import start_text
from gendei.clinic import Clinic
from gendei.conversation.outbound.proactive import Decline, Opening, Queued
from gendei.conversation.outbound.reminders import Reminders
from gendei.conversation.work.backoff import Backoff
from gendei.conversation.work.due_documents import PAGE, DueDocuments, DueId, seconds_until
from gendei.conversation.work.lanes import Lanes, LaneWork, Sweeping
from gendei.documents import Query, Transaction, create, delete, transact
from gendei.errors import Conflict, NotFound
from gendei.messages.replies import Option, Reply
from gendei.prompts import Phrases
from gendei.receptionist.offers.choices import Kind, choice
from gendei.scheduler.planner import KnownClinics
from gendei.verticals import Vertical
from gendei.waiting.candidates import Candidates
from gendei.waiting.entry import WaitingEntry
from gendei.waiting.refill import KEPT_FOR, REFILL, REFILLS, OfferState, Refill, RefillOffer, refill_path
from gendei.waiting.waiting_list import WaitingList

log = logging.getLogger(__name__)
BACKOFF = Backoff(30, 2, 1800, attempts=8, jitter=False)
"""A claim lasts as long as the pause before the next attempt."""
SWEEP, PURGE, STOP = 60.0, 3600.0, 2.0


@dataclass(frozen=True, slots=True)
class WaitingTexts:
    """What patients read, and the options of an offer."""

    phrases: Phrases
    verticals: Mapping[str, Vertical]

    def offer(self, clinic: Clinic, entry: WaitingEntry, offer: RefillOffer, refill_id: str, now: datetime) -> Opening:
        values = self._values(clinic, entry, offer, now)
        name = (entry.id, refill_id, offer.professional_id, start_text(clinic.local(offer.start)))
        options = (
            Option(choice(Kind.WAITING_TAKE, *name), self._say("button_waiting_take")),
            Option(choice(Kind.WAITING_DECLINE, *name), self._say("button_waiting_decline")),
            Option(choice(Kind.WAITING_LEAVE, entry.id), self._say("button_waiting_leave")),
        )
        shared = clinic.waiting_list is not None and clinic.waiting_list.at_once > 1
        phrase = "waiting_offer_earlier" if entry.appointment_id else "waiting_offer"
        limit = self._say("waiting_limit_shared" if shared else "waiting_limit", **values)
        text = f"{self._say(phrase, **self._words(clinic), **values).strip()}\n{limit.strip()}"
        once = f"waiting/{refill_id}/{entry.id}/{offer.name}"
        return Opening("waiting_offer", Reply(text, options), values, once=once, until=offer.until)

    def lost(self, clinic: Clinic, entry: WaitingEntry, offer: RefillOffer, refill_id: str, now: datetime) -> Opening:
        values = self._values(clinic, entry, offer, now)
        once = f"waiting_taken/{refill_id}/{entry.id}/{offer.name}"
        text = self._say("waiting_taken", **self._words(clinic), **values).strip()
        return Opening("waiting_taken", Reply(text), values, once=once, until=offer.start)

    def _values(self, clinic: Clinic, entry: WaitingEntry, offer: RefillOffer, now: datetime) -> dict[str, str]:
        start, until = clinic.local(offer.start), clinic.local(offer.until)
        service, professional = clinic.service(offer.service_id), clinic.professional(offer.professional_id)
        return {
            "patient": entry.patient_name,
            "service": service.name if service else "",
            "professional_name": professional.name if professional else "",
            "weekday_date": describe(start.date(), clinic.local(now)),
            "time": spoken_time(start.time()) + which_time(start),
            "until": spoken_time(until.time()),
            "clinic_name": clinic.name,
            "address": clinic.address,
        }

    def _words(self, clinic: Clinic) -> dict[str, str]:
        return dict(self.verticals[clinic.vertical].for_clinic(clinic).words())

    def _say(self, phrase: str, **values: str) -> str:
        return self.phrases.say(phrase, 0, **values)


class Refilling(LaneWork[DueId]):
    """A follower of the agenda's events, and the work that follows. Use it as a context manager. `counts`: of offers,
    by what became of them, and of messages that were not queued, by the reason. `reminders`: whose store, clock, sender
    and words it has."""

    name = "waiting"
    delay = timedelta(0)

    def __init__(
        self, reminders: Reminders, clinics: KnownClinics, waiting: WaitingList, *, seeks: bool = True
    ) -> None:
        self.seeks = seeks
        self._documents, self._clock, self._clinics = reminders.documents, reminders.clock, clinics
        self._waiting, self._proactive = waiting, reminders.proactive
        self._texts = WaitingTexts(reminders.phrases, reminders.verticals)
        self.counts: Counter[str] = Counter()
        unread = "nobody is offered anything by it"
        self._refills = DueDocuments(self._documents, self._clock, REFILLS, REFILL, log, unread)
        waiting.on_change = lambda clinic_id, refill_id: self.notify(DueId(clinic_id, refill_id))
        sweepings = (
            Sweeping(self.sweep, SWEEP, log, "what is offered to who waits could not be looked for: %s"),
            Sweeping(self.purge, PURGE, log, "old refills could not be removed: %s"),
        )
        super().__init__(Lanes(self._carry_out, at_once=8, per_clinic=4), *sweepings, grace=STOP)

    def wants(self, event: AgendaEvent) -> bool:
        clinic = self._clinics.known(event.clinic_id)
        return event.kind is EventKind.TIME_FREED and (clinic is None or clinic.waiting_list is not None)

    async def follow(self, event: AgendaEvent) -> None:
        """Begin with what is free now, where somebody waits. Raises StoreError."""
        clinic = await self._clinics.get(event.clinic_id)
        if clinic is None or clinic.waiting_list is None or not await self._waiting.drop_past(clinic):
            return
        now = self._clock()
        refill = Refill(event.id, clinic.id, event.place, event.at, now + KEPT_FOR, due_at=now)
        with suppress(Conflict):  # it was told of before
            await self._documents.commit([create(refill.path, REFILL.write(refill))])
        self.notify(DueId(clinic.id, refill.id))

    async def sweep(self) -> None:
        """Begin with what is due before the next sweep: one query, however many clinics there are. Raises
        StoreError."""
        await self._refills.plan(self._lanes, timedelta(seconds=SWEEP))

    async def purge(self) -> None:
        """Remove refills of long ago, a few at a time (Firestore also does it by a TTL policy on `expireAt`)."""
        old = Query(REFILLS, (("expireAt", "<", self._clock()),), (("expireAt", False),), limit=PAGE)
        if found := await self._documents.query(old):
            await self._documents.commit([delete(snapshot.path) for snapshot in found])

    async def _carry_out(self, key: DueId) -> float | None:
        """Do what is due; seconds until the next thing is, None where nothing is."""
        claimed = await self._refills.claim(key, BACKOFF)
        if claimed is None or isinstance(claimed, float):
            return claimed
        clinic = await self._clinics.get(key.clinic_id)
        if clinic is None or claimed.attempts > BACKOFF.attempts:
            log.error("clinic %s: freed time is offered to nobody any more", key.clinic_id)
            await self._refills.drop(claimed)
            return None
        again_at = await self._see_to(clinic, claimed)
        return await self._wait(claimed, again_at)

    async def _see_to(self, clinic: Clinic, refill: Refill) -> datetime | None:
        """Tell who lost it, end what was not answered in time, and offer what is free to the next in line. When it is
        to be looked at again in any case; None where that follows of what is offered."""
        now = clinic.local(self._clock())
        for offer in refill.offers:
            if offer.state is OfferState.LOST and not offer.told:
                await self._tell_lost(clinic, refill, offer)
            elif offer.is_open and offer.until <= now:
                await self._waiting.offers.close(clinic, refill.id, offer, OfferState.EXPIRED)
                self.counts["expired"] += 1
            elif offer.is_open and not offer.sent:
                await self._send(clinic, refill.id, offer)
        if refill.place.end <= now or clinic.waiting_list is None:
            return None
        morning = clinic.proactive.not_before(now)
        entries = await self._waiting.all(clinic)
        if morning > now:
            return morning if entries and morning < refill.place.end else None
        while await self._offer_next(clinic, refill.id, entries):
            entries = await self._waiting.all(clinic)
        return None

    async def _offer_next(self, clinic: Clinic, refill_id: str, entries: list[WaitingEntry]) -> bool:
        """Offer what is free now in the list's order; whether somebody could not be told, so that others may be."""
        refill, now = await self._refill(refill_id), clinic.local(self._clock())
        candidates = Candidates(self._waiting.desk, clinic, refill, now)
        unsent = False
        async for entry, slot in candidates.of(entries):
            until = self._until(clinic, slot.start, now)
            service_id = entry.wish.service_id
            made = await self._waiting.offers.make(clinic, refill_id, entry.id, slot, service_id, until)
            if made is not None and not await self._send(clinic, refill_id, made):
                unsent = True
        return unsent

    def _until(self, clinic: Clinic, start: datetime, now: datetime) -> datetime:
        """The limit of an answer; no later than the time can still be booked."""
        minutes = clinic.waiting_list.offer_minutes if clinic.waiting_list else 1
        latest = start - timedelta(minutes=clinic.booking.lead_minutes)
        return min(now + timedelta(minutes=minutes), latest)

    async def _send(self, clinic: Clinic, refill_id: str, offer: RefillOffer) -> bool:
        """Queue the message of an offer, once; where it may not leave, the offer ends. Whether it was queued."""
        try:
            entry = await self._waiting.get(clinic, None, offer.entry_id)
        except NotFound:
            await self._waiting.offers.close(clinic, refill_id, offer, OfferState.PASSED)
            return False
        opening = self._texts.offer(clinic, entry, offer, refill_id, self._clock())
        outcome = await self._proactive.send(clinic, entry.contact, opening)
        if isinstance(outcome, Queued) or outcome.reason is Decline.ALREADY:
            await self._waiting.offers.note_sent(refill_id, offer)
            self.counts["offered"] += 1
            return True
        await self._waiting.offers.close(clinic, refill_id, offer, OfferState.UNSENT, str(outcome.reason))
        self.counts[str(outcome.reason)] += 1
        return False

    async def _tell_lost(self, clinic: Clinic, refill: Refill, offer: RefillOffer) -> None:
        with suppress(NotFound):
            entry = await self._waiting.get(clinic, None, offer.entry_id)
            opening = self._texts.lost(clinic, entry, offer, refill.id, self._clock())
            await self._proactive.send(clinic, entry.contact, opening)
        await self._waiting.offers.note_told(clinic, refill.id, offer)
        self.counts["lost"] += 1

    async def _wait(self, claimed: Refill, again_at: datetime | None) -> float | None:
        """Write down when something is due next, unless somebody answered meanwhile, and it is due already; seconds
        until then."""

        async def attempt(transaction: Transaction) -> datetime | None:
            refill, now = REFILL.found(await transaction.get(claimed.path), id=claimed.id), self._clock()
            if refill is None or refill.due_at != claimed.due_at:
                return refill.due_at if refill else None
            after = refill.settled(now)
            if again_at is not None:
                after = replace(after, due_at=min(again_at, after.due_at or again_at))
            transaction.put(after.path, REFILL.write(after))
            return after.due_at

        due_at = await transact(self._documents, attempt)
        return None if due_at is None else seconds_until(due_at, self._clock())

    async def _refill(self, refill_id: str) -> Refill:
        return REFILL.read((await self._documents.get(refill_path(refill_id))).data, id=refill_id)
