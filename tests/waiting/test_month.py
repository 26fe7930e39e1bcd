"""A month of a full clinic whose patients cancel and move, and of who waits: with processes that die and an outage."""

from collections import Counter
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from random import Random

import pytest
from tests.booking.builders import TestClock, at, request
from tests.contracts.conftest import Engine
from tests.scheduler.flaky import Flaky
from tests.scheduler.office import Clinics
from tests.waiting.line import HERE, Line, name_in, together, wish

from gendei.booking.slots import BookingRefused
from gendei.clinic import Clinic, ClinicId, Contact
from gendei.documents import Documents
from gendei.errors import NotFound, StoreUnavailable
from gendei.store.sqlite import SqliteDocuments
from gendei.waiting.refill import OfferState
from gendei.waiting.waiting_list import OfferOver, WaitingRefused

ALONE, SEVERAL = HERE, replace(together(), id=ClinicId("aurora"))
CLINICS = {clinic.id: clinic for clinic in (ALONE, SEVERAL)}
FIRST, STEP = at(2, "10:00"), timedelta(minutes=30)
OUTAGE = (at(10, "09:00"), at(10, "15:00"))
HOURS = ("08:00", "08:30", "09:00", "09:30", "10:00", "10:30", "11:00", "11:30", "14:00", "15:00", "16:00", "17:00")


class Month:
    """Plays it. `asked`: to whom which slot was offered, as the messages say."""

    def __init__(self, documents: Documents, rng: Random) -> None:
        self.rng, self.clock = rng, TestClock(FIRST)
        self.sound = Line(documents, self.clock, Clinics(*CLINICS.values()))
        self.flaky = Flaky(documents, rng, 0.0)
        self.answered: set[str] = set()
        self._numbers = iter(range(10_000, 99_999))

    async def play(self, days: int) -> None:
        doomed = Line(self.flaky, self.clock, self.sound.clinics)  # type: ignore[arg-type]
        async with self.sound:
            async with doomed:
                for step in range(int(timedelta(days=days) / STEP)):
                    self.clock.now = FIRST + step * STEP
                    await self._half_hour(doomed)
            await self.sound.later(60)  # what the dead held when the last step ended is free by now

    async def _half_hour(self, doomed: Line) -> None:
        clinic = self.rng.choice(list(CLINICS.values()))
        await self._fill(clinic)
        await self._change(clinic)
        if not OUTAGE[0] <= self.clock.now < OUTAGE[1]:
            await self._work(doomed)
        await self._answer()

    async def _work(self, doomed: Line) -> None:
        """A process that dies at any commit, and then one that goes on in its place."""
        self.flaky.share = 0.2
        with suppress(StoreUnavailable):
            await doomed.work()
        self.flaky.share = 0.0
        await self.sound.work()

    def _contact(self) -> Contact:
        return Contact(f"+55119988{next(self._numbers)}")

    def _start(self) -> datetime:
        day = self.clock.now + timedelta(days=self.rng.randint(1, 5))
        return at(day.day, self.rng.choice(HOURS), day.month)

    async def _fill(self, clinic: Clinic) -> None:
        """Somebody wants a time; who finds it taken waits, perhaps with what they have until then."""
        start, who = self._start(), self._contact()
        with suppress(BookingRefused):
            await self.sound.desk.book(clinic, who, request(start))
            return
        own = None
        with suppress(BookingRefused):
            if self.rng.random() < 0.5:
                own = await self.sound.desk.book(clinic, who, request(start + timedelta(days=14), who="bruno"))
        asked = wish(first=self.clock.now.date(), last=start.date() + timedelta(days=4))
        with suppress(WaitingRefused):
            await self.sound.join(who, asked, clinic=clinic, appointment_id=own.id if own else None)

    async def _change(self, clinic: Clinic) -> None:
        """Somebody cancels or moves."""
        today = self.clock.now.date()
        found = await self.sound.desk.appointments(clinic, today, today + timedelta(days=6))
        live = [each for each in found if each.status.live and each.start > self.clock.now]
        if not live or self.rng.random() < 0.4:
            return
        chosen = self.rng.choice(live)
        with suppress(BookingRefused):
            if self.rng.random() < 0.7:
                await self.sound.desk.cancel(clinic, chosen.contact, chosen.id)
            else:
                await self.sound.desk.move(clinic, chosen.contact, chosen.id, self._start())

    async def _answer(self) -> None:
        """Of who was asked some say yes, some no, some late, and some twice."""
        for entry in await self.sound.entries(self.clock.now - 3 * STEP):
            clinic = CLINICS[entry.clinic_id]
            name, chance = name_in(entry, clinic), self.rng.random()
            if name is None or entry.id in self.answered or chance < 0.5:
                continue
            self.answered.add(entry.id)
            with suppress(OfferOver, BookingRefused, NotFound):
                if chance < 0.6:
                    await self.sound.waiting.decline(clinic, entry.contact, name)
                    continue
                for _ in range(2 if chance > 0.9 else 1):
                    await self.sound.waiting.take(clinic, entry.contact, name)


async def verdict(month: Month) -> Counter[str]:
    """What became of all offers. Fails where two have one time, somebody was asked twice for one, at night, or for what
    collides with their own."""
    sent: Counter[tuple[str, str, str]] = Counter()
    for entry in await month.sound.entries():
        clinic = CLINICS[entry.clinic_id]
        if (name := name_in(entry, clinic)) is not None:
            sent[entry.clinic_id, name.entry_id, f"{name.refill_id}{name.slot}"] += 1
            assert clinic.proactive.not_before(clinic.local(entry.created_at)) == clinic.local(entry.created_at)
    assert set(sent.values()) <= {1}
    for clinic in CLINICS.values():
        found = await month.sound.desk.appointments(clinic, FIRST.date(), FIRST.date() + timedelta(days=60))
        for professional in clinic.professionals:
            live = [each for each in found if each.status.takes_time and each.professional_id == professional.id]
            assert all(
                first.end <= second.start for first, second in pairwise(sorted(live, key=lambda each: each.start))
            )
        for who in {each.contact for each in found}:
            own = [each for each in found if each.status.takes_time and each.contact == who]
            assert all(
                first.end <= second.start for first, second in pairwise(sorted(own, key=lambda each: each.start))
            )
    results: Counter[str] = Counter()
    for refill in await month.sound.refills():
        for offer in refill.offers:
            results[offer.state] += 1
        assert all(offer.until > month.clock.now for offer in refill.open_offers)
    return results


async def played(store: Documents, seed: int, days: int) -> Counter[str]:
    month = Month(store, Random(seed))
    await month.play(days)
    results = await verdict(month)
    await store.close()
    return results


async def test_what_is_cancelled_is_filled_again_and_nothing_overlaps() -> None:
    results = await played(await SqliteDocuments.open(":memory:"), 4, days=2)
    assert results[OfferState.TAKEN] > 1


@pytest.mark.slow
async def test_a_month_of_cancellations(shared_engine: Engine) -> None:
    results = await played(await shared_engine.open(), 11, days=30)
    assert min(results[state] for state in (OfferState.TAKEN, OfferState.EXPIRED, OfferState.PASSED)) > 20
    assert results[OfferState.LOST] > 5
