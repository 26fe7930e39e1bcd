"""Several processes offer what patients cancel, and are killed again and again; patients answer all at once."""

import asyncio
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from random import Random

import pytest
from tests.booking.builders import every_day, request
from tests.contracts.conftest import Engine
from tests.crash.killing import killing
from tests.waiting.line import Clinics, Line, name_in, together, wish

from gendei.booking.appointment import Appointment
from gendei.booking.slots import BookingRefused
from gendei.clinic import Clinic, Contact, ProactivePolicy
from gendei.clock import system_clock
from gendei.errors import NotFound, TooContended
from gendei.waiting.refill import OfferState
from gendei.waiting.waiting_list import OfferName, OfferOver, WaitingPlace

pytestmark = pytest.mark.slow

CLINIC: Clinic = replace(together(), hours=every_day("06:00-22:00"), proactive=ProactivePolicy(0, 0, 20))
WAITING = [Contact(f"+55119888855{number:02}") for number in range(8)]
PROGRAM = "tests.waiting.other_process"
SECONDS, TIMES = 45.0, 10


async def answering(line: Line, until: float) -> None:
    """All who were asked say yes at once, twice."""
    answered: set[str] = set()
    while asyncio.get_running_loop().time() < until:
        asked = {entry.id: (entry.contact, name_in(entry, CLINIC)) for entry in await line.entries()}
        fresh = [(who, name) for known, (who, name) in asked.items() if name is not None and known not in answered]
        answered |= asked.keys()
        await asyncio.gather(*(says_yes(line, who, name) for who, name in fresh for _ in range(2)))
        await asyncio.sleep(0.1)


async def says_yes(line: Line, who: Contact, name: OfferName) -> None:
    with suppress(OfferOver, BookingRefused, NotFound, TooContended):
        await line.waiting.take(CLINIC, who, name)


async def freeing(line: Line, standing: list[Appointment], until: float) -> None:
    while standing and asyncio.get_running_loop().time() < until - 5:
        gone = standing.pop()
        await line.desk.cancel(CLINIC, gone.contact, gone.id)
        await asyncio.sleep(SECONDS / TIMES / 2)


async def test_killed_again_and_again_each_time_is_offered_once_to_each_and_taken_by_one(shared_engine: Engine) -> None:
    store, rng = await shared_engine.open(), Random(5)
    line = Line(store, system_clock, Clinics(CLINIC))  # type: ignore[arg-type]
    day: datetime = CLINIC.local(system_clock()).replace(hour=9, minute=0, second=0, microsecond=0) + timedelta(days=1)
    starts = [day + timedelta(minutes=30 * number) for number in range(TIMES)]
    standing = [
        await line.desk.book(CLINIC, Contact(f"+55119888844{number:02}"), request(start, name="Rita Reis"))
        for number, start in enumerate(starts)
    ]
    for who in WAITING:
        asked = wish(professional_id="ana", first=day.date(), last=day.date())
        await line.waiting.join(CLINIC, WaitingPlace(who, "Maria Silva", asked))
    until = asyncio.get_running_loop().time() + SECONDS

    kills, *_ = await asyncio.gather(
        killing(PROGRAM, shared_engine, rng, until, (0.1, 1.0)), answering(line, until), freeing(line, standing, until)
    )

    found = [each for each in await line.desk.appointments(CLINIC, day.date(), day.date()) if each.status.takes_time]
    named = [(entry.contact, name_in(entry, CLINIC)) for entry in await line.entries()]
    told = [(who, name.refill_id, name.slot) for who, name in named if name is not None]
    taken = [offer for refill in await line.refills() for offer in refill.offers if offer.state is OfferState.TAKEN]
    assert all(first.end <= second.start for first, second in pairwise(sorted(found, key=lambda each: each.start)))
    assert len(told) == len(set(told))
    assert len(taken) == len({offer.appointment_id for offer in taken}) == len({each.contact for each in found})
    assert (kills > 1, len(taken) > 3) == (True, True)
    await store.close()
