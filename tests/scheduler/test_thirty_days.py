"""Thirty days of three clinics, with moves, cancellations, answers, an outage and processes that die."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import pairwise
from random import Random

import pytest
from tests.booking.builders import BRUNO, TestClock, at, request
from tests.contracts.conftest import Engine
from tests.scheduler.flaky import Flaky
from tests.scheduler.office import ASKED, DAY, HERE, THERE, Clinics, Office, reminding

from gendei.booking.slots import BookingRefused
from gendei.clinic import Clinic, ClinicId, Contact
from gendei.conversation.outbound.proactive import Decline
from gendei.documents import Documents
from gendei.errors import StoreUnavailable
from gendei.reminding import ReminderRule
from gendei.scheduler.due import QUEUED, SUPERSEDED, TOO_LATE
from gendei.scheduler.surveying import ASKED_LATELY

THIRD = reminding(replace(THERE, id=ClinicId("aurora"), channels=HERE.channels), ASKED, DAY, unanswered_hours_before=30)
ALL = {clinic.id: clinic for clinic in (HERE, THERE, THIRD)}
FIRST = at(2, "10:00")
OUTAGE = (at(12, "09:00"), at(12, "15:00"))
STEP = timedelta(minutes=30)


@dataclass
class Life:
    """What one appointment was: from when to when it stood at which start, and whether presence was said."""

    clinic: Clinic
    id: str
    contact: Contact
    stood: list[tuple[datetime, datetime, datetime]] = field(default_factory=list)

    def until(self, now: datetime) -> None:
        start, since, _ = self.stood[-1]
        self.stood[-1] = (start, since, now)

    def expected(self, now: datetime) -> Iterator[tuple[datetime, ReminderRule]]:
        """Each reminder that had its moment before `now` while the appointment stood so and a process was there."""
        policy = self.clinic.reminders
        for start, since, until in self.stood:
            for rule in (policy.rules or ()) if policy else ():
                due, seen = start - timedelta(hours=rule.hours_before), min(until, start, now) - STEP
                nobody = OUTAGE[0] - STEP <= due < OUTAGE[1] and seen <= OUTAGE[1]
                if since <= due < seen and not nobody:
                    yield start, rule


class Month:
    """Plays it. `lives`: of all that was booked. process: makes one of the service."""

    def __init__(
        self,
        documents: Documents,
        rng: Random,
        clinics: Mapping[ClinicId, Clinic] = ALL,
        process: type[Office] = Office,
    ) -> None:
        self.rng, self.clock = rng, TestClock(FIRST)
        self.clinics, self._process = list(clinics.values()), process
        self.sound = process(documents, self.clock, Clinics(*self.clinics))
        self.flaky = Flaky(documents, rng, 0.0)
        self.lives: list[Life] = []
        self._numbers = iter(range(10_000, 99_999))

    async def play(self, appointments: int, days: int) -> None:
        steps = int(timedelta(days=days) / STEP)
        doomed = self._process(self.flaky, self.clock, self.sound.clinics)  # type: ignore[arg-type]
        async with self.sound, doomed:
            for step in range(steps):
                self.clock.now = FIRST + step * STEP
                for _ in range(self.rng.choice((0, 1, 2)) if len(self.lives) < appointments else 0):
                    await self._book()
                await self._change()
                if not OUTAGE[0] <= self.clock.now < OUTAGE[1]:
                    await self._work(doomed)

    async def _work(self, doomed: Office) -> None:
        """A process that dies at any commit, and then one that goes on in its place."""
        self.flaky.share = 0.2
        with suppress(StoreUnavailable):
            await doomed.work()
        self.flaky.share = 0.0
        await self.sound.work()

    async def _book(self) -> None:
        clinic = self.rng.choice(self.clinics)
        day = self.clock.now.replace(hour=8, minute=30) + timedelta(days=self.rng.randint(0, 9))
        start = day + timedelta(minutes=30 * self.rng.randint(0, 18))
        contact = Contact(f"+55119988{next(self._numbers)}")
        who = BRUNO.id if self.rng.random() < 0.5 else "ana"
        try:
            booked = await self.sound.desk.book(clinic, contact, request(start, who=who))
        except BookingRefused:
            return
        self.lives.append(Life(clinic, booked.id, contact, [(start, self.clock.now, start)]))

    async def _change(self) -> None:
        open_ = [life for life in self.lives[-60:] if life.stood[-1][2] > self.clock.now]
        if not open_ or self.rng.random() < 0.9:
            return
        life, chance = self.rng.choice(open_), self.rng.random()
        try:
            if chance < 0.4:
                await self.sound.desk.confirm_presence(life.clinic, life.contact, life.id)
                life.until(self.clock.now)
            elif chance < 0.7:
                await self.sound.desk.cancel(life.clinic, life.contact, life.id)
                life.until(self.clock.now)
            else:
                start = life.stood[-1][0] + timedelta(days=self.rng.randint(1, 4))
                await self.sound.desk.move(life.clinic, life.contact, life.id, start)
                life.until(self.clock.now)
                life.stood.append((start, self.clock.now, start))
        except BookingRefused:
            return


async def verdict(month: Month) -> Counter[str]:
    """How many occasions were sent or declined, by result. Fails where one is missing, double or wrong."""
    entries = await month.sound.entries()
    sent = [
        (entry.contact, entry.initiative.appointment[0], entry.initiative.appointment[2], entry.created_at)
        for entry in entries
        if entry.initiative and entry.initiative.appointment
    ]
    for (*what, first), (*again, second) in pairwise(sorted(sent)):
        assert what != again or second - first > timedelta(hours=2)  # no two rules are nearer
    results: Counter[str] = Counter()
    for life in month.lives:
        told = [start for contact, id_, start, _ in sent if id_ == life.id]
        assert all(any(start == each for each, _, _ in life.stood) for start in told)
        assert all(contact == life.contact for contact, id_, _, _ in sent if id_ == life.id)
        plan = await month.sound.plan(await month.sound.desk.appointment(life.clinic, None, life.id))
        last = life.stood[-1][0]
        outcomes = plan.outcomes if plan is not None and plan.start == last else {}
        for start, rule in life.expected(month.clock.now):
            if start == last:
                assert rule.key in outcomes, (life, rule)
        known = {QUEUED, SUPERSEDED, TOO_LATE, ASKED_LATELY, *map(str, Decline)}
        for outcome in outcomes.values():
            assert outcome.result in known
            results[outcome.result] += 1
    return results


async def played(engine: Engine, seed: int, appointments: int, days: int) -> Counter[str]:
    """The results of so many days, judged."""
    store = await engine.open()
    month = Month(store, Random(seed))
    await month.play(appointments, days)
    results = await verdict(month)
    await store.close()
    return results


async def test_each_occasion_is_sent_once_or_declined_with_its_reason(engine: Engine) -> None:
    assert (await played(engine, 1, appointments=40, days=6))[QUEUED] > 15


@pytest.mark.slow
async def test_a_month_of_a_thousand_appointments(shared_engine: Engine) -> None:
    assert (await played(shared_engine, 7, appointments=1000, days=30))[QUEUED] > 500
