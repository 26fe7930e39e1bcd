"""A charge from asking to its end, over a provider that goes wrong in every way."""

from dataclasses import replace
from datetime import timedelta

import pytest
from tests.payments.till import BEGIN, CENTS, HERE, MAKERS, THERE, Hands, Till

from gendei.errors import NotFound
from gendei.payments.money_ledger import ChargeState, EntryKind, LedgerRefused
from gendei.payments.pix_charge import PixCharge, found_at_provider
from gendei.payments.provider import ForgedWebhook, FoundCharge, FoundStatus, PaymentWebhook, RefundState
from gendei.payments.reconciling import Difference, Discrepancy, reconcile
from gendei.providers.stand_in.pix_bank import BankFault, BankRefused, RefundOutcome
from gendei.providers.stand_in.pix_faces import WEBHOOK_SECRET, signed_notification
from gendei.store.sqlite import SqliteDocuments


@pytest.fixture(params=MAKERS)
async def till(request: pytest.FixtureRequest):
    store = await SqliteDocuments.open(":memory:")
    till = Till(store, request.param)
    yield till
    for provider in till.providers.values():
        await provider.close()
    await store.close()


def kinds(charge: PixCharge) -> list[EntryKind]:
    return [entry.kind for entry in charge.entries]


async def test_a_charge_is_made_by_whoever_finds_it_due(till):
    charge = await till.ask()
    await till.work()
    shown = await till.stands(charge)
    assert (shown.state, bool(shown.code), list(till.bank.charges)) == (ChargeState.OPEN, True, [charge.id])


async def test_a_payment_is_entered_with_nobody_telling_of_it(till):
    charge = await till.shown()
    till.bank.pay(charge.code)
    await till.run(hours=0.1)
    paid = await till.stands(charge)
    assert (paid.state, paid.ledger.held, paid.due_at) == (ChargeState.PAID, CENTS, None)
    assert (await till.look(charge)).entries == paid.entries


async def test_what_is_not_paid_in_time_is_taken_back_there_and_then_asked_no_more(till):
    charge = await till.shown()
    await till.run(hours=0.6)
    over = await till.stands(charge)
    assert (over.state, kinds(over)) == (ChargeState.EXPIRED, [EntryKind.ASKED, EntryKind.WITHDRAWN])
    with pytest.raises(BankRefused):
        till.bank.pay(charge.code)


@pytest.mark.parametrize("seconds", [-1, 0, 1])
async def test_paid_around_its_expiry_it_is_paid_or_was_taken_back_and_never_both(till, seconds):
    till.bank.lenient = timedelta(minutes=1)
    charge = await till.shown()
    till.clock.now = charge.pay_until + timedelta(seconds=seconds)
    till.bank.pay(charge.code)
    paid = await till.look(charge)
    assert (kinds(paid), paid.state, paid.came_late) == (
        [EntryKind.ASKED, EntryKind.RECEIVED],
        ChargeState.PAID,
        False,
    )


async def test_while_the_provider_is_down_nothing_is_given_up(till):
    charge = await till.shown()
    till.clock.now = charge.pay_until
    till.bank.faults.extend([BankFault.DOWN] * 3)
    waits = []
    for _ in range(3):
        put_off = await till.look(charge)
        waits.append((put_off.state, put_off.due_at - till.clock()))
    assert waits == [(ChargeState.OPEN, timedelta(seconds=seconds)) for seconds in (5, 10, 20)]
    assert (await till.look(charge)).state is ChargeState.EXPIRED


@pytest.mark.parametrize("fault", BankFault)
async def test_whatever_goes_wrong_while_it_is_made_there_is_one_charge_or_none(till, fault):
    await till.collector.providers[till.provider].find(till.account(), "0" * 32, "")
    charge = await till.ask()
    till.bank.faults.append(fault)
    await till.run(hours=0.1)
    after = await till.stands(charge)
    expected = ChargeState.EXPIRED if fault is BankFault.REFUSED else ChargeState.OPEN
    assert (after.state, len(till.bank.charges), bool(after.code)) == (expected, fault is not BankFault.REFUSED, 1) or (
        fault is BankFault.REFUSED and (after.state, after.code, till.bank.charges) == (expected, "", {})
    )


async def test_a_charge_that_was_made_while_nobody_heard_is_taken_back(till):
    await till.collector.providers[till.provider].find(till.account(), "0" * 32, "")
    charge = await till.ask(minutes=10)
    till.bank.faults.append(BankFault.SILENT)
    await till.look(charge)
    till.clock.now = charge.pay_until
    await till.run(hours=0.1)
    assert ((await till.stands(charge)).state, till.bank.charges[charge.id].removed) == (ChargeState.EXPIRED, True)


async def test_of_two_processes_of_which_one_is_refused_the_charge_of_the_other_stands(till):
    charge = await till.ask()
    await till.collector.providers[till.provider].find(till.account(), "0" * 32, "")
    made = found_at_provider(charge, FoundCharge(charge.id, "", FoundStatus.ENDED), till.clock())
    there = await till.collector.providers[till.provider].create(till.account(), charge.order)
    late = found_at_provider(made, there, till.clock())
    assert (made.state, made.closed, late.closed, late.must_close(till.clock())) == (
        ChargeState.EXPIRED,
        True,
        False,
        True,
    )


async def test_what_comes_after_it_was_given_up_goes_back(till):
    charge = await till.shown()
    till.clock.now = charge.pay_until
    await till.look(charge)
    till.bank.charges[charge.id].removed = False
    till.bank.lenient = timedelta(days=1)
    till.bank.pay(charge.code)
    await till.run(hours=2)
    back = await till.stands(charge)
    assert (back.state, till.bank.balance) == (ChargeState.REFUNDED, 0)


@pytest.mark.parametrize("outcome", [RefundOutcome.IN_PROGRESS, RefundOutcome.REFUSED])
async def test_a_refund_that_does_not_come_through_is_not_forgotten(till, outcome):
    charge = await till.shown()
    till.bank.pay(charge.code)
    await till.look(charge)
    till.bank.refund_outcome = outcome
    await till.collector.refund(HERE, charge.id, "ana")
    await till.look(charge)
    assert (await till.stands(charge)).state is ChargeState.PAID
    till.bank.refund_outcome = RefundOutcome.DONE
    till.bank.settle_refunds()
    await till.run(hours=7)
    after = await till.stands(charge)
    assert (after.state, till.bank.balance, after.due_at) == (ChargeState.REFUNDED, 0, None)


async def test_what_came_late_goes_back_whole_where_staff_gave_back_a_part_while_the_refund_was_refused(till):
    charge = await till.shown()
    till.clock.now = charge.pay_until
    await till.look(charge)
    made = till.bank.charges[charge.id]
    made.removed, till.bank.lenient, till.bank.refund_outcome = False, timedelta(days=1), RefundOutcome.REFUSED
    till.bank.pay(charge.code)
    await till.run(hours=1.5)
    till.bank.refund_outcome = RefundOutcome.DONE
    await till.collector.refund(HERE, charge.id, "ana", 2000)
    await till.run(hours=8)
    assert ((await till.stands(charge)).state, till.bank.balance) == (ChargeState.REFUNDED, 0)


async def test_a_part_goes_back_and_the_rest_is_kept(till):
    charge = await till.shown()
    till.bank.pay(charge.code)
    await till.look(charge)
    await till.collector.refund(HERE, charge.id, "ana", 2000)
    await till.collector.keep(HERE, charge.id, "ana", "não veio")
    await till.work()
    after = await till.stands(charge)
    assert (after.state, after.ledger.kept, after.ledger.refunded) == (ChargeState.KEPT, 3000, 2000)
    with pytest.raises(LedgerRefused):
        await till.collector.refund(HERE, charge.id, "ana", 3001)
    assert till.bank.balance == 3000


async def test_paid_at_the_desk_the_code_is_taken_back(till):
    charge = await till.shown()
    await till.collector.received_by_hand(HERE, charge.id, "ana", "dinheiro")
    await till.work()
    after = await till.stands(charge)
    assert (after.state, till.bank.charges[charge.id].removed) == (ChargeState.PAID, True)
    with pytest.raises(LedgerRefused):
        await till.collector.received_by_hand(HERE, charge.id, "ana", "dinheiro")


async def test_paid_at_the_desk_and_by_the_code_the_surplus_goes_back(till):
    charge = await till.shown()
    till.bank.pay(charge.code)
    await till.collector.received_by_hand(HERE, charge.id, "ana", "dinheiro")
    await till.work()
    after = await till.stands(charge)
    assert (after.state, after.ledger.held, till.bank.balance) == (ChargeState.PAID, CENTS, 0)


async def test_a_second_payment_of_one_code_goes_back():
    store = await SqliteDocuments.open(":memory:")
    till = Till(store)
    charge = await till.shown()
    till.bank.pay(charge.code)
    till.bank.pay(charge.code, twice=True)
    await till.look(charge)
    assert ((await till.stands(charge)).ledger.held, till.bank.balance) == (CENTS, CENTS)
    await store.close()


async def test_a_waiver_takes_the_code_back_and_what_came_all_the_same_goes_back(till):
    charge = await till.shown()
    till.bank.pay(charge.code)
    waived = await till.collector.waive(HERE, charge.id, "ana", "paciente antiga")
    await till.work()
    after = await till.stands(charge)
    assert (waived.state, after.ledger.is_waived, after.state) == (ChargeState.EXPIRED, True, ChargeState.REFUNDED)


async def test_ended_early_it_is_taken_back_at_once(till):
    charge = await till.shown()
    assert (await till.collector.end(HERE, charge.id)).state is ChargeState.EXPIRED


async def test_another_clinic_has_no_such_charge(till):
    charge = await till.shown()
    asking = [till.collector.charge(THERE, charge.id), till.collector.see_to(THERE, charge.id)]
    asking += [till.collector.waive(THERE, charge.id, "eva", ""), till.collector.refund(THERE, charge.id, "eva")]
    asking += [till.collector.keep(THERE, charge.id, "eva", ""), till.collector.end(THERE, charge.id)]
    for asked in asking:
        with pytest.raises(NotFound):
            await asked
    assert await till.stands(charge) == charge


def webhook_of(till: Till, charge: PixCharge, secret: str = WEBHOOK_SECRET) -> PaymentWebhook:
    if till.provider == "pix_api":
        body = f'{{"pix": [{{"txid": "{charge.id}", "valor": "50.00"}}]}}'.encode()
        return PaymentWebhook({}, {"secret": secret}, body, BEGIN)
    return PaymentWebhook(*signed_notification(int(charge.reference), secret=secret), b"{}", BEGIN)


async def test_a_webhook_is_a_hint_to_look_and_proves_nothing(till):
    charge = await till.shown()
    assert [each.id for each in await till.collector.hinted(till.account(), webhook_of(till, charge))] == [charge.id]
    assert (await till.stands(charge)).state is ChargeState.OPEN
    till.bank.pay(charge.code)
    for _ in range(2):
        asked = list(till.bank.asked)
        await till.collector.hinted(till.account(), webhook_of(till, charge))
        assert (till.bank.asked, (await till.stands(charge)).due_at) == (asked, till.clock())
        await till.work()
    assert kinds(await till.stands(charge)) == [EntryKind.ASKED, EntryKind.RECEIVED]


async def test_a_forged_webhook_asks_nobody_and_changes_nothing(till):
    charge = await till.shown()
    asked = list(till.bank.asked)
    with pytest.raises(ForgedWebhook):
        await till.collector.hinted(till.account(), webhook_of(till, charge, secret="guessed"))
    assert (till.bank.asked, await till.stands(charge)) == (asked, charge)


async def test_the_webhook_of_one_clinic_looks_at_no_charge_of_another(till):
    charge = await till.shown()
    till.bank.pay(charge.code)
    assert await till.collector.hinted(till.account(THERE), webhook_of(till, charge)) == ()
    assert await till.stands(charge) == charge


async def test_reconciliation_finds_what_nobody_looked_at(till):
    charge = await till.shown()
    till.clock.now = charge.pay_until
    await till.look(charge)
    till.clock.forward(days=2)
    assert await reconcile(till.collector, till.account(), BEGIN, till.clock()) == ()
    till.bank.charges[charge.id].removed = False
    till.bank.lenient = timedelta(days=9)
    till.bank.pay(charge.code)
    stranger = till.bank.make("f" * 32, 700, "", till.clock() + timedelta(hours=1))
    till.bank.pay(stranger.code)
    found = await reconcile(till.collector, till.account(), BEGIN, till.clock() + timedelta(hours=1))
    assert {(each.kind, each.charge_id, each.theirs, each.ours) for each in found} == {
        (Discrepancy.FOUND, charge.id, CENTS, 0),
        (Discrepancy.UNKNOWN, "", 700, 0),
    }
    assert (await till.stands(charge)).state in {ChargeState.PAID, ChargeState.REFUNDED}


async def test_reconciliation_tells_of_a_charge_that_the_provider_has_not(till):
    charge = await till.shown()
    till.bank.charges.clear()
    found = await reconcile(till.collector, till.account(), BEGIN, BEGIN + timedelta(days=1))
    assert found == (Difference(Discrepancy.MISSING, charge.reference, charge.id, 0, 0),)


async def test_without_an_account_a_charge_waits_and_tells_why(till):
    charge = await till.ask()
    gone = replace(till.collector, account_of=lambda _clinic, _provider: None)
    after = await gone.see_to(HERE, charge.id)
    assert (after.state, after.trouble) == (ChargeState.OPEN, "the clinic has no such account")
    till.clock.now = charge.pay_until
    assert (await gone.see_to(HERE, charge.id)).state is ChargeState.EXPIRED


# By the clinic's own key


@pytest.fixture
async def desk():
    store = await SqliteDocuments.open(":memory:")
    yield Till(store, "manual", Hands())
    await store.close()


async def test_by_the_own_key_staff_say_what_came_and_what_went_back(desk):
    charge = await desk.shown()
    await desk.run(hours=0.3)
    await desk.collector.received_by_hand(HERE, charge.id, "ana", "extrato")
    await desk.collector.refund(HERE, charge.id, "ana")
    await desk.work()
    ordered = await desk.stands(charge)
    [order] = ordered.refunds
    assert (ordered.state, order.state) == (ChargeState.PAID, RefundState.BY_HAND)
    for _ in range(2):
        await desk.collector.refunded_by_hand(HERE, charge.id, order.id, "bia")
    after = await desk.stands(charge)
    assert (after.state, after.entries[-1].cause) == (ChargeState.REFUNDED, "bia")
    with pytest.raises(NotFound):
        await desk.collector.refunded_by_hand(HERE, charge.id, "another", "bia")


async def test_by_the_own_key_it_is_asked_no_more_when_its_time_is_over(desk):
    charge = await desk.shown()
    await desk.run(hours=1)
    over = await desk.stands(charge)
    assert (over.state, over.code) == (ChargeState.EXPIRED, charge.code)
    assert await reconcile(desk.collector, desk.account(), BEGIN, desk.clock()) == ()
