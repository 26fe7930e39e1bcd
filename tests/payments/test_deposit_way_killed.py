"""A process that dies before or after any commit of a deposit's whole way leaves what the next one brings in order."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import timedelta

import pytest
from tests.contracts.conftest import engine, shared_engine
from tests.payments.practice import JOAO, MARIA, TIMES, Practice
from tests.payments.test_killed import DyingDocuments, Killed

from gendei.booking.slots import BookingRefused
from gendei.documents import Query, delete
from gendei.providers.stand_in.pix_bank import BankRefused

__all__ = ["engine", "shared_engine"]
pytestmark = pytest.mark.slow
MOST_COMMITS = 9
"""More than any of the stories below has."""


async def _pays(practice: Practice, number: int) -> None:
    with suppress(BankRefused, IndexError):
        practice.bank.pay(list(practice.bank.charges.values())[number].code)


async def paid(practice: Practice) -> None:
    await practice.book(MARIA, TIMES[0])
    await practice.look()
    await _pays(practice, -1)
    await practice.look()


async def unpaid(practice: Practice) -> None:
    await practice.book(MARIA, TIMES[0])
    await practice.look()
    practice.clock.forward(minutes=30)
    await practice.look()


async def late_and_free(practice: Practice) -> None:
    await unpaid(practice)
    await _late(practice)


async def late_and_taken(practice: Practice) -> None:
    await unpaid(practice)
    await practice.book(JOAO, TIMES[0])
    await _late(practice)


async def _late(practice: Practice) -> None:
    first = next(iter(practice.bank.charges.values()))
    first.removed, practice.bank.lenient = False, timedelta(days=1)
    practice.bank.pay(first.code)
    await practice.look()


async def cancelled(practice: Practice) -> None:
    await paid(practice)
    [booked] = await practice.appointments()
    await practice.desk.cancel(practice.clinic, MARIA, booked.id)
    await practice.look()


async def moved(practice: Practice) -> None:
    await practice.book(MARIA, TIMES[0])
    [booked] = await practice.appointments()
    await practice.desk.move(practice.clinic, MARIA, booked.id, TIMES[1])
    await practice.look()
    await _pays(practice, -1)
    await practice.look()


Story = Callable[[Practice], Awaitable[None]]
STORIES: list[Story] = [paid, unpaid, late_and_free, late_and_taken, cancelled, moved]


@pytest.mark.parametrize("story", STORIES)
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_killed_at_any_commit_money_and_appointments_come_in_order(shared_engine, story, after):
    for at in range(1, MOST_COMMITS + 1):
        store = await shared_engine.open()
        await _emptied(store)
        practice = Practice(store)
        practice.open(DyingDocuments(store, at, after=after))
        with suppress(Killed, BookingRefused, StopIteration):
            await story(practice)
        practice.open(store)
        await practice.settle()
        await practice.require_in_order()
        await practice.close()
        await store.close()


async def _emptied(store) -> None:
    """As no earlier story was."""
    for collection in ("appointments", "charges", "agenda", "patients", "holds", "closures"):
        found = await store.query(Query(f"gendei_clinics/aurora/{collection}"))
        if found:
            await store.commit([delete(each.path) for each in found])
