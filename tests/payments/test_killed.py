"""A process that dies before or after any of its commits leaves a charge that the next one brings to its end."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from tests.contracts.conftest import engine, shared_engine
from tests.payments.till import CENTS, HERE, Till

from gendei.documents import Documents, Write
from gendei.payments.money_ledger import ChargeState
from gendei.payments.pix_charge import PixCharge

__all__ = ["engine", "shared_engine"]
MOST_COMMITS = 8
"""More than any of the stories below has."""


class Killed(BaseException):
    """The process is gone."""


class DyingDocuments:
    """A store whose process dies at a commit, before or after it is applied."""

    def __init__(self, documents: Documents, at: int, *, after: bool) -> None:
        self._documents, self._left, self._after = documents, at, after

    def __getattr__(self, name: str) -> Any:
        return getattr(self._documents, name)

    async def commit(self, writes: Sequence[Write]) -> None:
        self._left -= 1
        if self._left == 0 and not self._after:
            raise Killed
        await self._documents.commit(writes)
        if self._left == 0:
            raise Killed


async def unpaid(till: Till, charge: PixCharge) -> None:
    await till.look(charge)
    till.clock.now = charge.pay_until
    await till.look(charge)


async def paid_and_refunded(till: Till, charge: PixCharge) -> None:
    shown = await till.look(charge)
    till.bank.pay(shown.code)
    await till.look(charge)
    await till.collector.refund(HERE, charge.id, "ana")
    await till.look(charge)


async def paid_too_late(till: Till, charge: PixCharge) -> None:
    await unpaid(till, charge)
    made = till.bank.charges[charge.id]
    made.removed, till.bank.lenient = False, timedelta(days=1)
    till.bank.pay(made.code)
    await till.look(charge)


Story = Callable[[Till, PixCharge], Awaitable[None]]
STORIES: list[Story] = [unpaid, paid_and_refunded, paid_too_late]


@pytest.mark.parametrize("story", STORIES)
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("provider", ["mercado_pago", "pix_api"])
@pytest.mark.slow
async def test_killed_at_any_commit_a_charge_comes_to_its_end(shared_engine, story, after, provider):
    store = await shared_engine.open()
    for at in range(1, MOST_COMMITS + 1):
        till = Till(store, provider, first_id=at)
        charge = await till.ask(minutes=10)
        healthy = till.collector
        till.collector = replace(healthy, documents=DyingDocuments(store, at, after=after))
        with suppress(Killed):
            await story(till, charge)
        till.collector = healthy
        await till.settle(charge)
        if (left := (await till.stands(charge))).state is ChargeState.PAID:
            await till.collector.refund(HERE, charge.id, "ana")
            left = await till.settle(charge)
        assert (left.state in {ChargeState.EXPIRED, ChargeState.REFUNDED}, till.bank.balance) == (True, 0)
        assert left.ledger.received == left.ledger.refunded <= CENTS
        assert all(
            made.removed or made.payments or till.clock() >= made.expires_at for made in till.bank.charges.values()
        )
        for made_provider in till.providers.values():
            await made_provider.close()
    await store.close()
