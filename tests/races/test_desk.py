"""Many want the same time: on every engine one gets it, and the others are offered what is near."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from functools import partial

from tests.booking.builders import MARIA, Booking, at, request, taken
from tests.races.racing import CLINIC, OTHER, contacts, overlaps, race, standing

from gendei.booking.desk import StaffAct
from gendei.booking.slots import Refusal
from gendei.booking.time_blocks import BlockRefused, BlockWish, TimeBlock, TimeBlocks
from gendei.errors import TooContended

NINE, TEN, ELEVEN = at(2, "09:00"), at(2, "10:00"), at(2, "11:00")
HALF_AN_HOUR = timedelta(minutes=30)


async def test_of_two_hundred_who_want_one_slot_one_gets_it_and_the_others_an_offer(booking: Booking):
    outside = await booking.desk.book(OTHER, MARIA, request(NINE))
    ran = await race(
        partial(booking.desk.book, CLINIC, contact, request(NINE, "Paciente")) for contact in contacts(200)
    )
    assert [winner.start for winner in ran.winners] == [NINE]
    assert ({loser.reason for loser in ran.losers}, len(ran.losers)) == ({Refusal.TAKEN}, 199)
    assert ran.empty_handed == []
    offers = [slot for loser in ran.losers for slot in loser.alternatives if slot.professional_id == "ana"]
    assert [slot for slot in offers if NINE - HALF_AN_HOUR < slot.start < NINE + HALF_AN_HOUR] == []
    assert await taken(booking.documents, CLINIC) == {
        "ana_2026-03": {winner.id: list(winner.interval) for winner in ran.winners}
    }
    assert await standing(booking.desk, OTHER) == [outside]


async def test_of_fifty_who_want_ten_overlapping_slots_no_two_overlap(booking: Booking):
    starts = [NINE + timedelta(minutes=5 * number) for number in range(10)]
    ran = await race(
        partial(booking.desk.book, CLINIC, contact, request(starts[number % 10], "Paciente"))
        for number, contact in enumerate(contacts(50))
    )
    appointments = await standing(booking.desk)
    assert (overlaps(appointments), ran.empty_handed) == ([], [])
    assert (len(appointments), len(ran.winners) + len(ran.losers)) == (len(ran.winners), 50)
    assert 1 <= len(ran.winners) <= 2


async def test_bookings_moves_and_staff_edits_at_once_leave_no_overlap(booking: Booking):
    desk, (first, second, third, *others) = booking.desk, contacts(20)
    mine = await desk.book(CLINIC, first, request(NINE))
    yours = await desk.book(CLINIC, second, request(TEN))
    ran = await race(
        [
            partial(desk.move, CLINIC, first, mine.id, ELEVEN),
            partial(desk.move, CLINIC, None, yours.id, ELEVEN + timedelta(minutes=7)),
            partial(desk.book, CLINIC, third, request(ELEVEN - timedelta(minutes=11)), act=StaffAct("Recepção")),
            *(partial(desk.book, CLINIC, other, request(ELEVEN, "Paciente")) for other in others),
        ]
    )
    appointments = await standing(desk)
    assert (overlaps(appointments), ran.empty_handed) == ([], [])
    assert len([winner for winner in ran.winners if abs(winner.start - ELEVEN) < HALF_AN_HOUR]) == 1
    assert {appointment.id for appointment in appointments} == {
        mine.id,
        yours.id,
        *(winner.id for winner in ran.winners),
    }


async def test_a_slot_that_staff_free_while_many_want_it_goes_to_at_most_one(booking: Booking):
    before = await booking.desk.book(CLINIC, MARIA, request(NINE))
    ran = await race(
        [
            partial(booking.desk.cancel, CLINIC, None, before.id, act=StaffAct("Recepção")),
            *(partial(booking.desk.book, CLINIC, contact, request(NINE, "Paciente")) for contact in contacts(30)),
        ]
    )
    appointments = await standing(booking.desk)
    assert (overlaps(appointments), ran.empty_handed) == ([], [])
    assert len(appointments) == len(ran.winners) - 1


async def test_bookings_and_a_holiday_at_once_leave_nothing_on_the_holiday(booking: Booking):
    blocks = TimeBlocks(booking.documents, booking.clock)
    holiday = partial(blocks.add, CLINIC, BlockWish.whole_days(CLINIC, NINE.date(), NINE.date()), by="Recepção")
    starts = [NINE + timedelta(minutes=30 * number) for number in range(6)]
    bookings = [
        partial(booking.desk.book, CLINIC, contact, request(starts[number % 6], "Paciente"))
        for number, contact in enumerate(contacts(12))
    ]
    ran, closed = await asyncio.gather(race(bookings), _closed(holiday))
    assert await standing(booking.desk) == sorted(ran.winners, key=lambda winner: winner.start)
    assert (closed, len(ran.winners)) in [(True, 0), *((False, number) for number in range(1, 13))]


async def _closed(holiday: Callable[[], Awaitable[TimeBlock]]) -> bool:
    """Whether the holiday was first; as staff would, it is asked for again where the store was too busy."""
    while True:
        try:
            await holiday()
        except BlockRefused:
            return False
        except TooContended:
            continue
        return True


async def test_overrides_and_bookings_at_once_leave_one_ordinary_appointment_at_most(booking: Booking):
    over = StaffAct("Recepção", override=True)
    (first, second, *others) = contacts(20)
    ran = await race(
        [
            partial(booking.desk.book, CLINIC, first, request(NINE, "Encaixe"), act=over),
            partial(booking.desk.book, CLINIC, second, request(NINE, "Encaixe"), act=over),
            *(partial(booking.desk.book, CLINIC, other, request(NINE, "Paciente")) for other in others),
        ]
    )
    appointments = await standing(booking.desk)
    ordinary = [appointment for appointment in appointments if not appointment.override]
    assert (len(ordinary), {loser.reason for loser in ran.losers}) == (1, {Refusal.TAKEN})
    assert {winner.patient_name for winner in ran.winners} >= {"Encaixe"}
    assert await taken(booking.documents, CLINIC) == {
        "ana_2026-03": {appointment.id: list(appointment.interval) for appointment in appointments}
    }
