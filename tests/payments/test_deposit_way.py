"""Appointments and their money, whatever happens and in whatever order: races to the second, and random histories."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.payments.practice import JOAO, MARIA, STAFF, TIMES, Practice, attempted

from gendei.booking.appointment import Appointment, AppointmentStatus
from gendei.booking.desk import StaffAct
from gendei.booking.slots import BookingRefused
from gendei.clinic import Contact
from gendei.errors import NotFound
from gendei.payments.money_ledger import ChargeState, EntryKind, LedgerRefused
from gendei.payments.pix_charge import PixCharge
from gendei.providers.stand_in.pix_bank import BankFault, BankRefused
from gendei.store.sqlite import SqliteDocuments

S = AppointmentStatus
BY_STAFF = StaffAct("Ana", user_id=STAFF)


@pytest.fixture
async def practice():
    store = await SqliteDocuments.open(":memory:")
    opened = Practice(store)
    yield opened
    await opened.close()
    await store.close()


async def one(practice: Practice) -> tuple[Appointment, PixCharge]:
    """The newest appointment, and its charge."""
    appointment = max(await practice.appointments(), key=lambda each: (each.created_at, each.status is S.CONFIRMED))
    return appointment, next(each for each in await practice.charges() if each.id == appointment.charge_id)


@pytest.mark.parametrize("seconds", [-1, 0, 1])
async def test_paid_a_second_around_the_end_it_is_confirmed_or_free_again_and_never_both(practice, seconds):
    practice.bank.lenient = timedelta(minutes=1)
    await practice.book(MARIA, TIMES[0])
    await practice.look()
    _, charge = await one(practice)
    practice.clock.now = charge.pay_until + timedelta(seconds=seconds)
    practice.bank.pay(charge.code)
    await practice.look()
    appointment, charge = await one(practice)
    assert (appointment.status, charge.state, charge.ledger.is_withdrawn) == (S.CONFIRMED, ChargeState.PAID, False)
    await practice.require_in_order()


@pytest.mark.parametrize("seconds", [-1, 0, 1])
async def test_paid_a_second_around_being_taken_back_it_was_taken_back_or_is_confirmed(practice, seconds):
    await practice.book(MARIA, TIMES[0])
    await practice.look()
    _, charge = await one(practice)
    practice.clock.now = charge.pay_until
    if seconds < 0:
        with suppress(BankRefused):
            practice.bank.lenient = timedelta(seconds=1)
            practice.bank.pay(charge.code)
    await practice.look()
    if seconds > 0:
        with pytest.raises(BankRefused):
            practice.bank.pay(charge.code)
    appointment, charge = await one(practice)
    expected = (S.CONFIRMED, ChargeState.PAID) if seconds < 0 else (S.CANCELLED, ChargeState.EXPIRED)
    assert (appointment.status, charge.state) == expected


async def test_a_hint_and_a_look_at_once_enter_a_payment_once(practice):
    await practice.book(MARIA, TIMES[0])
    await practice.look()
    _, charge = await one(practice)
    practice.bank.pay(charge.code)
    await asyncio.gather(*(practice.collector.see_to(practice.clinic.id, charge.id) for _ in range(6)))
    appointment, charge = await one(practice)
    received = [entry for entry in charge.entries if entry.kind is EntryKind.RECEIVED]
    assert (appointment.status, len(received), len(appointment.history)) == (S.CONFIRMED, 1, 2)


async def test_of_two_payments_of_one_code_one_goes_back(practice):
    await practice.book(MARIA, TIMES[0])
    await practice.look()
    _, charge = await one(practice)
    practice.bank.pay(charge.code)
    practice.bank.pay(charge.code, twice=True)
    await practice.settle()
    appointment, charge = await one(practice)
    assert (appointment.status, charge.ledger.held, practice.bank.balance) == (S.CONFIRMED, 5000, 5000)


async def test_while_the_bank_cannot_be_asked_the_time_is_not_given_back(practice):
    await practice.book(MARIA, TIMES[0])
    await practice.look()
    practice.clock.forward(hours=1)
    practice.bank.faults.extend([BankFault.DOWN] * 2)
    await practice.look()
    assert (await one(practice))[0].status is S.PENDING
    with pytest.raises(BookingRefused):
        await practice.book(JOAO, TIMES[0])
    practice.bank.faults.clear()
    await practice.look()
    assert (await practice.book(JOAO, TIMES[0])).status is S.PENDING


async def test_moved_the_charge_goes_along_and_the_end_of_the_refund_with_it(practice):
    booked = await practice.book(MARIA, TIMES[0])
    moved = await practice.desk.move(practice.clinic, MARIA, booked.id, TIMES[1])
    _, charge = await one(practice)
    assert (moved.status, charge.refund_until) == (S.PENDING, TIMES[1] - timedelta(hours=24))
    practice.clock.now = TIMES[1] - timedelta(hours=20)
    await practice.settle()


async def test_who_moves_after_the_refund_is_over_does_not_get_it_back_by_that(practice):
    booked = await practice.book(MARIA, TIMES[0])
    await practice.look()
    practice.bank.pay((await one(practice))[1].code)
    await practice.look()
    practice.clock.now = TIMES[0] - timedelta(hours=23)
    later = TIMES[1] + timedelta(days=1)
    await practice.desk.move(practice.clinic, MARIA, booked.id, later)
    await practice.desk.cancel(practice.clinic, MARIA, booked.id)
    await practice.settle()
    assert (await one(practice))[1].state is ChargeState.KEPT
    await practice.require_in_order()


async def test_the_clinics_own_cancelling_gives_it_back_whenever_it_is(practice):
    booked = await practice.book(MARIA, TIMES[0])
    await practice.look()
    practice.bank.pay((await one(practice))[1].code)
    await practice.look()
    practice.clock.now = TIMES[0] - timedelta(hours=2)
    await practice.desk.cancel(practice.clinic, None, booked.id, act=BY_STAFF)
    await practice.settle()
    charge = (await one(practice))[1]
    assert (charge.state, charge.entries[-1].cause, practice.bank.balance) == (ChargeState.REFUNDED, STAFF, 0)


async def test_who_does_not_come_leaves_the_deposit_as_was_agreed(practice):
    booked = await practice.book(MARIA, TIMES[0])
    await practice.look()
    practice.bank.pay((await one(practice))[1].code)
    await practice.look()
    practice.clock.now = TIMES[0] + timedelta(hours=1)
    await practice.desk.set_status(practice.clinic, booked.id, S.NO_SHOW, BY_STAFF)
    assert (await one(practice))[1].state is ChargeState.KEPT


async def test_staff_who_confirm_without_the_money_do_without_it(practice):
    booked = await practice.book(MARIA, TIMES[0])
    await practice.desk.set_status(practice.clinic, booked.id, S.CONFIRMED, BY_STAFF)
    await practice.settle()
    charge = (await one(practice))[1]
    assert (charge.ledger.is_waived, charge.entries[-1].cause) == (True, STAFF)
    await practice.require_in_order()


Step = Callable[[Practice], Awaitable[object]]


def books(contact: Contact, number: int) -> Step:
    return lambda practice: attempted(practice, contact, TIMES[number])


def of_one(change: Callable[[Practice, Appointment], Awaitable[object]], number: int) -> Step:
    async def step(practice: Practice) -> None:
        found = sorted(await practice.appointments(), key=lambda each: each.id)
        if found:
            with suppress(BookingRefused, LedgerRefused, NotFound):
                await change(practice, found[number % len(found)])

    return step


async def pays(practice: Practice, appointment: Appointment) -> None:
    made = practice.bank.charges.get(appointment.charge_id)
    if made is not None:
        with suppress(BankRefused):
            practice.bank.pay(made.code)


async def pays_twice(practice: Practice, appointment: Appointment) -> None:
    made = practice.bank.charges.get(appointment.charge_id)
    if made is not None and practice.provider == "pix_api":
        with suppress(BankRefused):
            practice.bank.pay(made.code, twice=True)


async def cancels(practice: Practice, appointment: Appointment) -> None:
    await practice.desk.cancel(practice.clinic, appointment.contact, appointment.id)


async def staff_cancel(practice: Practice, appointment: Appointment) -> None:
    await practice.desk.cancel(practice.clinic, None, appointment.id, act=BY_STAFF)


async def moves(practice: Practice, appointment: Appointment) -> None:
    there = TIMES[1] if appointment.start == TIMES[0] else TIMES[0]
    await practice.desk.move(practice.clinic, appointment.contact, appointment.id, there)


async def staff_waive(practice: Practice, appointment: Appointment) -> None:
    await practice.collector.waive(practice.clinic.id, appointment.charge_id, STAFF, "x")


async def staff_receive(practice: Practice, appointment: Appointment) -> None:
    await practice.collector.received_by_hand(practice.clinic.id, appointment.charge_id, STAFF, "x")


async def staff_refund(practice: Practice, appointment: Appointment) -> None:
    await practice.collector.refund(practice.clinic.id, appointment.charge_id, STAFF)


async def staff_confirm(practice: Practice, appointment: Appointment) -> None:
    await practice.desk.set_status(practice.clinic, appointment.id, S.CONFIRMED, BY_STAFF)


async def looks(practice: Practice) -> None:
    await practice.look()


async def two_look(practice: Practice) -> None:
    await asyncio.gather(practice.look(), practice.look())


def after(**time: float) -> Step:
    async def step(practice: Practice) -> None:
        practice.clock.forward(**time)

    return step


def fault(kind: BankFault) -> Step:
    async def step(practice: Practice) -> None:
        practice.bank.faults.append(kind)

    return step


async def bank_is_lenient(practice: Practice) -> None:
    """It takes payments of what its charge was taken back of, as if it had not heard."""
    practice.bank.lenient = timedelta(days=2)
    for made in practice.bank.charges.values():
        made.removed = False


STEPS: list[Step] = [looks, looks, two_look, bank_is_lenient, after(seconds=1), after(minutes=29), after(hours=25)]
STEPS += [books(contact, number) for contact in (MARIA, JOAO) for number in (0, 1)]
STEPS += [of_one(change, n) for change in (pays, pays, cancels, staff_cancel, moves) for n in (0, 1)]
STEPS += [of_one(change, 0) for change in (pays_twice, staff_waive, staff_receive, staff_refund, staff_confirm)]
STEPS += [fault(kind) for kind in BankFault]


async def happened(steps: list[Step], provider: str) -> None:
    store = await SqliteDocuments.open(":memory:")
    practice = Practice(store, provider)
    for step in steps:
        await step(practice)
        live = [each for each in await practice.appointments() if each.status is S.CONFIRMED]
        charges = {charge.id: charge for charge in await practice.charges()}
        for each in live:
            ledger = charges[each.charge_id].ledger
            assert ledger.received >= ledger.asked or ledger.is_waived
    await practice.settle()
    await practice.require_in_order()
    await practice.close()
    await store.close()


@settings(max_examples=15, deadline=None)
@given(steps=st.lists(st.sampled_from(STEPS), max_size=12))
def test_every_history_ends_with_money_and_appointments_in_order(steps):
    asyncio.run(happened(steps, "pix_api"))


@pytest.mark.slow
@pytest.mark.parametrize("provider", ["pix_api", "mercado_pago"])
@settings(max_examples=300, deadline=None)
@given(steps=st.lists(st.sampled_from(STEPS), max_size=30))
def test_long_histories_end_as_short_ones(steps, provider):
    asyncio.run(happened(steps, provider))
