"""Whatever happens, and in whatever order, a charge ends in one state, and its ledger is what the provider has."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.payments.till import CENTS, HERE, MAKERS, Till

from gendei.payments.money_ledger import ChargeState, EntryKind, LedgerRefused
from gendei.payments.pix_charge import PixCharge
from gendei.providers.stand_in.pix_bank import BankFault, BankRefused, RefundOutcome
from gendei.store.sqlite import SqliteDocuments

Step = Callable[[Till, PixCharge], Awaitable[object]]


async def look(till: Till, charge: PixCharge) -> None:
    await till.look(charge)


async def two_look(till: Till, charge: PixCharge) -> None:
    await asyncio.gather(till.look(charge), till.look(charge))


async def pay(till: Till, charge: PixCharge) -> None:
    """By the code, wherever the payer has it from; also while two processes look."""
    made = till.bank.charges.get(charge.id)
    if made is not None:
        with suppress(BankRefused):
            till.bank.pay(made.code)


def after(**time: float) -> Step:
    async def step(till: Till, _charge: PixCharge) -> None:
        till.clock.forward(**time)

    return step


def fault(kind: BankFault) -> Step:
    async def step(till: Till, _charge: PixCharge) -> None:
        till.bank.faults.append(kind)

    return step


def refunds_are(outcome: RefundOutcome) -> Step:
    async def step(till: Till, _charge: PixCharge) -> None:
        till.bank.refund_outcome = outcome

    return step


def staff(name: str, *given: object) -> Step:
    async def step(till: Till, charge: PixCharge) -> None:
        await getattr(till.collector, name)(HERE, charge.id, "ana", *given)

    return step


async def end(till: Till, charge: PixCharge) -> None:
    await till.collector.end(HERE, charge.id)


STEPS = [look, two_look, pay, pay, end, after(seconds=1), after(minutes=9), after(hours=7)]
STEPS += [fault(kind) for kind in BankFault] + [refunds_are(outcome) for outcome in RefundOutcome]
STEPS += [staff("waive", "x"), staff("received_by_hand", "x"), staff("refund"), staff("refund", 2000)]
STEPS += [staff("keep", "x")]


async def told(provider: str, steps: list[Step]) -> tuple[Till, PixCharge]:
    """The till and the charge after all that happened, and after what was still to be done."""
    store = await SqliteDocuments.open(":memory:")
    till = Till(store, provider)
    charge = await till.ask(minutes=10)
    entries = charge.entries
    for step in steps:
        with suppress(LedgerRefused):
            await step(till, charge)
        now = (await till.stands(charge)).entries
        assert now[: len(entries)] == entries
        entries = now
    over = await till.settle(charge)
    for made in till.providers.values():
        await made.close()
    await store.close()
    return till, over


def require_in_order(till: Till, over: PixCharge) -> None:
    ledger, by_hand = over.ledger, {e.reference for e in over.entries if e.reference.startswith("hand:")}
    came = sum(e.cents for e in over.entries if e.kind is EntryKind.RECEIVED and e.reference not in by_hand)
    went = sum(e.cents for e in over.entries if e.kind is EntryKind.REFUNDED and e.of not in by_hand)
    assert came - went == till.bank.balance
    assert over.state is not ChargeState.OPEN
    assert ledger.held + ledger.kept - over.pending_refunds <= CENTS
    assert not over.came_late or over.pending_refunds == ledger.held
    assert len(till.bank.charges) <= 1
    for made in till.bank.charges.values():
        with pytest.raises(BankRefused):
            till.bank.pay(made.code)


@pytest.mark.parametrize("provider", MAKERS)
@settings(max_examples=50, deadline=None)
@given(steps=st.lists(st.sampled_from(STEPS), max_size=14))
def test_every_history_ends_in_one_state_with_its_money_where_the_ledger_says(provider, steps):
    require_in_order(*asyncio.run(told(provider, steps)))


@pytest.mark.slow
@pytest.mark.parametrize("provider", MAKERS)
@settings(max_examples=1000, deadline=None)
@given(steps=st.lists(st.sampled_from(STEPS), max_size=30))
def test_long_histories_end_as_short_ones(provider, steps):
    require_in_order(*asyncio.run(told(provider, steps)))
