"""What the service does by itself with charges: staff are told what only they can do, and each day is compared."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from tests.journeys.town import AURORA, BROMELIA
from tests.payments.paying_clinics import CENTS, PayingClinics, paying_clinics

from gendei.documents import Query
from gendei.payments.money_ledger import ChargeState
from gendei.payments.reconciliation import last_reconciliations
from gendei.payments.reconciling import Discrepancy
from gendei.providers.stand_in.pix_bank import BankFault, RefundOutcome
from gendei.scheduler.charge_work import IDLE_SWEEPS, TOLD_AFTER, ChargeWork
from gendei.scheduler.daily_reconciling import DailyReconciling


@pytest.fixture
async def town(tmp_path):
    async with paying_clinics(tmp_path) as town:
        yield town


async def tasks(town: PayingClinics, clinic=AURORA) -> list[tuple[str, str]]:
    """(title, status) of the clinic's tasks about its account; what the patient is to be told is beside the point."""
    found = await town.gendei.documents.query(Query(f"gendei_clinics/{clinic}/tasks"))
    return sorted((each.data["title"], each.data["status"]) for each in found if each.data["title"])


async def compare(town: PayingClinics) -> None:
    """As a process does that has compared nothing yet."""
    await DailyReconciling(town.gendei.payments.collector, town.gendei.directory).sweep()


async def test_a_refund_by_hand_is_a_task_until_staff_say_that_it_was_done(town):
    charge, collector = await town.shown("manual"), town.gendei.payments.collector
    await collector.received_by_hand(AURORA, charge.id, "ana", "extrato")
    await collector.refund(AURORA, charge.id, "ana")
    await town.work()
    assert await tasks(town) == [("Devolver R$ 50,00 de sinal", "pending")]
    [order] = (await town.stands(charge)).refunds
    await collector.refunded_by_hand(AURORA, charge.id, order.id, "ana")
    await town.work()
    assert (await tasks(town), await tasks(town, BROMELIA)) == ([("Devolver R$ 50,00 de sinal", "completed")], [])


async def test_a_refused_refund_is_a_task_until_it_went_through(town):
    charge = await town.paid()
    town.bank.refund_outcome = RefundOutcome.REFUSED
    await town.gendei.payments.collector.refund(AURORA, charge.id, "ana")
    await town.after(seconds=1)
    assert [status for _, status in await tasks(town)] == ["pending"]
    town.bank.refund_outcome = RefundOutcome.DONE
    await town.after(hours=7)
    await town.after(minutes=1)
    assert ([status for _, status in await tasks(town)], (await town.stands(charge)).state) == (
        ["completed"],
        ChargeState.REFUNDED,
    )


async def test_an_account_that_is_not_answered_is_one_task_for_all_its_charges(town):
    charges = [await town.shown(), await town.shown()]
    town.bank.faults.extend([BankFault.DOWN] * 2 * TOLD_AFTER)
    for _ in range(TOLD_AFTER):
        assert await tasks(town) == []
        await town.after(minutes=31)
    assert [status for _, status in await tasks(town)] == ["pending"]
    await town.after(minutes=31)
    assert [status for _, status in await tasks(town)] == ["completed"]
    assert [(await town.stands(each)).state for each in charges] == [ChargeState.EXPIRED] * 2


@pytest.mark.parametrize("provider", ["pix_api", "mercado_pago"])
async def test_each_day_is_compared_once_and_what_was_missed_is_entered(town, provider):
    charge = await town.shown(provider)
    await town.after(hours=1)
    made = town.bank.charges[charge.id]
    made.removed, town.bank.lenient = False, timedelta(days=3)
    await town.after(hours=24)
    await town.after(hours=1)
    town.bank.pay(made.code)
    town.clock.move_to((town.clock() + timedelta(days=1)).replace(hour=9))
    asked = len(town.bank.asked)
    await compare(town)
    assert len(town.bank.asked) > asked
    found = [each for each in await last_reconciliations(town.gendei.documents, AURORA) if each.provider == provider]
    assert [(each.kind, each.theirs, each.ours) for each in found[0].differences] == [(Discrepancy.FOUND, CENTS, 0)]
    asked = len(town.bank.asked)
    await compare(town)
    assert (len(town.bank.asked), await tasks(town)) == (asked, [])
    await town.after(minutes=1)
    assert (await town.stands(charge)).state is ChargeState.PAID  # its time was still free


async def test_what_the_provider_does_not_have_is_a_task_of_its_clinic(town):
    charge = await town.paid()
    del town.bank.charges[charge.id]
    town.clock.move_to((town.clock() + timedelta(days=1)).replace(hour=9))
    await compare(town)
    assert (await tasks(town), await tasks(town, BROMELIA)) == ([("Pagamentos com diferença: R$ 50,00", "pending")], [])


async def test_a_day_that_could_not_be_compared_is_compared_later(town):
    await town.paid()
    town.clock.move_to((town.clock() + timedelta(days=1)).replace(hour=9))
    town.bank.faults.extend([BankFault.DOWN] * 4)
    await compare(town)
    assert [each.done_at for each in await last_reconciliations(town.gendei.documents, AURORA)] == [None, None]
    town.clock.move_to(town.clock() + timedelta(minutes=31))
    await compare(town)
    assert all(each.done_at for each in await last_reconciliations(town.gendei.documents, AURORA))


async def test_a_charge_whose_account_is_gone_stays_open_and_staff_may_end_it(town):
    charge = await town.shown()
    clinic = await town.gendei.directory.get(AURORA)
    await town.gendei.directory.import_clinic(replace(clinic, deposits=None))
    for _ in range(TOLD_AFTER):
        await town.after(minutes=31)
    left = await town.stands(charge)
    assert (left.state, left.due_at > town.clock()) == (ChargeState.OPEN, True)
    assert [status for _, status in await tasks(town)] == ["pending"]
    await town.gendei.payments.collector.waive(AURORA, charge.id, "ana", "conta encerrada")
    assert (await town.stands(charge)).state is ChargeState.EXPIRED


class Counted:
    """A store that counts its queries."""

    def __init__(self, documents: Any) -> None:
        self._documents, self.queries = documents, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._documents, name)

    async def query(self, query: Query) -> Any:
        self.queries += 1
        return await self._documents.query(query)


async def test_while_nothing_is_to_be_collected_hardly_anything_is_read(town):
    counted = Counted(town.gendei.documents)
    collector = replace(town.gendei.payments.collector, documents=counted)
    work = ChargeWork(collector, DailyReconciling(collector, town.gendei.directory))
    for _ in range(60):
        await work._glance()
    assert counted.queries == 60 / IDLE_SWEEPS
