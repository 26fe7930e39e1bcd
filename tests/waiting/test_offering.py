"""What freed time does for who waits: whom it is offered, when, and what their answer makes."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from functools import partial

import pytest
from tests.booking.builders import JOAO, MARIA, at, hours, request
from tests.waiting.line import ANNA, HERE, RITA, THERE, TUESDAY, Line, name_in, together, wish

from gendei.booking.events import telling_imports
from gendei.booking.slots import BookingRefused
from gendei.booking.time_blocks import BlockWish
from gendei.clinic import Clinic
from gendei.conversation.outbound.proactive import Decline
from gendei.conversation.stored.outreach import OutreachBook
from gendei.documents import Transaction, transact
from gendei.errors import NotFound
from gendei.messages.keys import ConversationKey
from gendei.staff.refill_numbers import RefillNumbers, refills_of
from gendei.waiting.refill import OfferState
from gendei.waiting.waiting_list import OfferOver, Taken

ONLY_ANA = wish(professional_id="ana")


async def test_freed_time_is_offered_to_the_first_who_waits_and_a_yes_books_it(line: Line) -> None:
    standing = await line.fill()
    entry = await line.join(MARIA, ONLY_ANA)
    await line.join(JOAO, ONLY_ANA)

    await line.free(standing)
    offered = await line.offered()
    with pytest.raises(BookingRefused):  # it is kept for who was offered it
        await line.desk.book(HERE, ANNA, request(TUESDAY))
    taken = await line.say(MARIA)

    assert offered == [(MARIA, TUESDAY)]
    assert isinstance(taken, Taken)
    assert (taken.moved, taken.appointment.start, taken.appointment.contact) == (False, TUESDAY, MARIA)
    assert [left.contact for left in await line.waiting.all(HERE)] == [JOAO]
    [refill] = await line.refills()
    assert [(offer.entry_id, offer.state, offer.price_cents) for offer in refill.offers] == [
        (entry.id, OfferState.TAKEN, 25000)
    ]
    assert refill.due_at is None
    month = date(2026, 3, 1), date(2026, 3, 31)
    numbers = await refills_of(line.documents, HERE, month, 10)
    assert (numbers.offered, numbers.filled, numbers.value_cents, round(numbers.median_minutes or 0, 2)) == (
        *(1, 1, 25000),
        0.02,
    )
    assert await refills_of(line.documents, THERE, month, 10) == RefillNumbers()


async def test_no_answer_by_the_limit_and_a_no_go_to_the_next_and_nobody_is_asked_twice(line: Line) -> None:
    standing = await line.fill()
    for who in (MARIA, JOAO, ANNA):
        await line.join(who, ONLY_ANA)

    await line.free(standing)
    await line.later(30)
    await line.say(JOAO, yes=False)
    with pytest.raises(BookingRefused):
        await line.say(MARIA)  # too late, and it is kept for another
    await line.later(31)
    await line.later(60)

    assert await line.offered() == [(MARIA, TUESDAY), (JOAO, TUESDAY), (ANNA, TUESDAY)]
    assert [left.contact for left in await line.waiting.all(HERE)] == [MARIA, JOAO, ANNA]
    [refill] = await line.refills()
    assert [str(offer.state) for offer in refill.offers] == ["expired", "passed", "expired"]
    assert (await line.desk.book(HERE, RITA, request(TUESDAY))).start == TUESDAY


async def test_of_several_who_are_offered_a_time_the_first_yes_has_it_and_the_others_are_told_and_stay(
    line: Line,
) -> None:
    line.clinics.now_is(together())
    standing = await line.fill()
    for who in (MARIA, JOAO, ANNA):
        await line.join(who, ONLY_ANA)

    await line.free(standing)
    taken = await line.say(JOAO)
    with pytest.raises(OfferOver) as over:
        await line.say(MARIA)

    assert await line.offered() == [(who, TUESDAY) for who in (MARIA, JOAO, ANNA)]
    assert isinstance(taken, Taken)
    assert over.value.lost
    lost = {entry.contact for entry in await line.entries() if entry.initiative.purpose == "waiting_taken"}
    assert lost == {MARIA, ANNA}
    assert [left.contact for left in await line.waiting.all(HERE)] == [MARIA, ANNA]

    line.clock.forward(minutes=1)
    await line.desk.cancel(HERE, JOAO, taken.appointment.id)  # it was never theirs to refuse
    await line.work()
    assert [who for who, _ in (await line.offered())[3:]] == [MARIA, ANNA]


async def test_who_waits_for_an_earlier_time_is_moved_and_the_time_that_they_leave_is_offered_on(line: Line) -> None:
    standing = await line.fill()
    own = await line.desk.book(HERE, MARIA, request(at(5, "15:00")))
    await line.join(MARIA, ONLY_ANA, appointment_id=own.id)
    await line.join(JOAO, wish(professional_id="ana", first=date(2026, 3, 5)))

    await line.free(standing)
    taken = await line.say(MARIA)

    assert isinstance(taken, Taken)
    assert (taken.moved, taken.appointment.id, taken.appointment.start) == (True, own.id, TUESDAY)
    assert await line.offered() == [(MARIA, TUESDAY), (JOAO, at(5, "15:00"))]


async def test_nobody_is_offered_what_does_not_fit_them(line: Line) -> None:
    standing = await line.fill()
    await line.desk.book(HERE, MARIA, request(TUESDAY, who="bruno"))
    fits = wish(professional_id="ana")
    unfit = {
        MARIA: fits,  # has something else at that time
        JOAO: wish(professional_id="ana", time_from=13 * 60),
        ANNA: wish(professional_id="ana", weekdays=(0, 2)),
        RITA: wish(professional_id="ana", notice_minutes=48 * 60),
    }
    for who, asked in unfit.items():
        await line.join(who, asked)
    await line.join(RITA, wish("limpeza", professional_id="ana", time_from=11 * 60))

    await line.free(standing)

    assert await line.offered() == []
    assert [refill.due_at for refill in await line.refills()] == [None]


async def test_a_block_that_is_removed_and_new_hours_are_offered_each_slot_to_another(line: Line) -> None:
    block = await line.blocks.add(HERE, BlockWish(None, at(4, "08:00"), at(4, "09:00")), by="Rosa")
    for who in (MARIA, JOAO, ANNA):
        await line.join(who, ONLY_ANA)

    await line.blocks.remove(HERE, block.id)
    await line.work()
    first = await line.offered()
    await line.say(MARIA)
    longer = replace(HERE, hours={**HERE.hours, 5: hours("08:00-08:30")})
    line.clinics.now_is(longer)
    opened = telling_imports(line.following.tell, line.clock)
    await transact(line.documents, partial(told, opened, longer))
    await line.work()

    assert first == [(MARIA, at(4, "08:00")), (JOAO, at(4, "08:30"))]
    assert (await line.offered())[2:] == [(ANNA, at(7, "08:00"))]


async def told(opened: Callable[..., None], after: Clinic, transaction: Transaction) -> None:
    opened(transaction, HERE, after, 2)


async def test_at_night_nobody_is_offered_anything_and_in_the_morning_the_first_is(line: Line) -> None:
    standing = await line.fill(at(4, "10:00"))
    await line.join(MARIA, ONLY_ANA)
    line.clock.now = at(2, "23:30")

    await line.free(standing)
    await line.turn_to(at(3, "07:59"))
    before = await line.offered()
    await line.turn_to(at(3, "08:00"))

    assert before == []
    assert await line.offered() == [(MARIA, at(4, "10:00"))]
    assert [entry.due_at for entry in await line.entries()] == [at(3, "08:00")]


async def test_who_opted_out_or_cannot_be_told_is_passed_over_and_keeps_the_place(line: Line) -> None:
    standing = await line.fill()
    await line.join(MARIA, ONLY_ANA)
    await line.join(JOAO, ONLY_ANA)
    await OutreachBook(line.documents, line.clock).opt_out(ConversationKey(HERE.id, MARIA))

    await line.free(standing)

    assert await line.offered() == [(JOAO, TUESDAY)]
    [refill] = await line.refills()
    assert [offer.sent for offer in refill.offers] == [str(Decline.OPTED_OUT), "queued"]
    assert (await line.waiting.all(HERE))[0].offered == ()


async def test_who_leaves_gives_what_they_were_offered_to_the_next(line: Line) -> None:
    standing = await line.fill()
    entry = await line.join(MARIA, ONLY_ANA)
    await line.join(JOAO, ONLY_ANA)
    await line.free(standing)

    await line.waiting.leave(HERE, MARIA, entry.id)
    await line.work()

    assert await line.offered() == [(MARIA, TUESDAY), (JOAO, TUESDAY)]
    assert [left.contact for left in await line.waiting.all(HERE)] == [JOAO]


async def test_another_clinic_and_another_patient_have_no_part_in_it(line: Line) -> None:
    standing = await line.fill()
    entry = await line.join(MARIA, ONLY_ANA)
    await line.join(JOAO, ONLY_ANA, clinic=THERE)
    await line.free(standing)
    [name] = [found for each in await line.entries() if (found := name_in(each, HERE))]

    assert await line.offered(THERE) == []
    assert [found.contact for found in await line.waiting.all(THERE)] == [JOAO]
    for clinic, who in ((HERE, JOAO), (THERE, MARIA)):
        with pytest.raises(NotFound):
            await line.waiting.take(clinic, who, name)
        with pytest.raises(NotFound):
            await line.waiting.leave(clinic, who, entry.id)
    assert len(await line.waiting.all(HERE)) == 1
