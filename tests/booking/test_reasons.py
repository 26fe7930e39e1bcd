"""Why nothing is free for a wish, and what is nearest to it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, time

import pytest
from tests.booking.builders import BRUNO, JOAO, MARIA, Booking, at, hours, make_clinic, request

from gendei.booking.availability import nearest_to_yes
from gendei.booking.slots import Alternative, Found, GivesWay, NoSlots
from gendei.booking.time_blocks import BlockWish, TimeBlocks
from gendei.booking.time_wish import TimeWish
from gendei.clinic import BookingPolicy, ClinicId, Professional, TimeOff

ANA = Professional(
    "ana",
    "Dra. Ana Souza",
    ("consulta", "limpeza"),
    hours={0: hours("08:00-12:00 13:00-18:00"), 1: hours("13:00-18:00"), 3: hours("08:00-12:00")},
    time_off=(TimeOff(at(12, "00:00"), at(13, "00:00")), TimeOff(at(16, "13:00"), at(16, "18:00"))),
)
"""Mondays, Tuesday afternoons and Thursday mornings; away on Thursday the 12th and on the afternoon of Monday 16."""
CLINIC = make_clinic(
    hours={**{day: hours("08:00-12:00 13:00-18:00") for day in range(5)}, 5: hours("08:00-12:00")},
    closed=frozenset({date(2026, 3, 11)}),
    professionals=(ANA, BRUNO),
    booking=BookingPolicy(lead_minutes=120, horizon_days=30),
)
"""With a lunch hour, Saturday mornings, and a holiday on Wednesday the 11th."""
NOW = at(2, "10:00")
"""A Monday morning; the horizon ends on April 1st."""


def wish(days: int | tuple[int, int], hours: str = "", month: int = 3, year: int = 2026) -> TimeWish:
    """Days of March, and hours as "12:00-18:00", "18:00-" or "15:00"."""
    first, last = days if isinstance(days, tuple) else (days, days)
    begin, dash, end = hours.partition("-")
    clocks = [time.fromisoformat(clock) if clock else None for clock in (begin, end)]
    at_, bounds = (None, clocks) if dash else (clocks[0], (None, None))
    return TimeWish(date(year, month, first), date(year, month, last), at_, *bounds)


MORNING, AFTERNOON, EVENING = "06:00-12:00", "12:00-18:00", "18:00-23:00"


@pytest.fixture
async def agenda(booking: Booking) -> Booking:
    """On Tuesday the 3rd Ana's afternoon is booked, but for 17:00 to 18:00; staff blocked her on Tuesday the 10th from
    15:00, and everybody on Friday the 13th."""
    blocks = TimeBlocks(booking.documents, booking.clock)
    booking.clock.now = NOW
    for hour in range(13, 17):
        start = at(3, f"{hour}:00")
        await booking.desk.book(CLINIC, MARIA, request(start, "Maria Silva", "limpeza"))
    await blocks.add(CLINIC, BlockWish("ana", at(10, "15:00"), at(10, "18:00")), by="Rita")
    await blocks.add(CLINIC, BlockWish.whole_days(CLINIC, date(2026, 3, 13), date(2026, 3, 13)), by="Rita")
    return booking


REASONS = [
    # the day
    (wish(1), NoSlots.PAST),
    (wish(8), NoSlots.CLOSED),  # a Sunday
    (wish(11), NoSlots.CLOSED),  # a holiday
    (wish(13), NoSlots.CLOSED),  # staff closed it
    (wish(4), NoSlots.PROFESSIONAL_OFF),  # her weekly hours
    (wish(12), NoSlots.PROFESSIONAL_OFF),  # her time off
    (wish(7), NoSlots.PROFESSIONAL_OFF),  # the clinic opens, she does not come
    (wish(2, month=4), NoSlots.TOO_FAR),
    # a part of the day
    (wish(2, "06:00-09:00"), NoSlots.PAST),
    (wish(2, MORNING), NoSlots.TOO_SOON),
    (wish(5, AFTERNOON), NoSlots.PROFESSIONAL_OFF_THEN),  # her weekly hours
    (wish(16, AFTERNOON), NoSlots.PROFESSIONAL_OFF_THEN),  # her time off
    (wish(10, "15:00-"), NoSlots.PROFESSIONAL_OFF_THEN),  # a block
    (wish(9, "12:00-13:00"), NoSlots.CLOSED_THEN),  # lunch
    (wish(9, EVENING), NoSlots.CLOSED_THEN),
    (wish(3, "13:00-17:00"), NoSlots.FULL),
    (wish(13, AFTERNOON), NoSlots.CLOSED),
    (wish(4, AFTERNOON), NoSlots.PROFESSIONAL_OFF),
    (wish(2, AFTERNOON, month=4), NoSlots.TOO_FAR),
    # an hour
    (wish(2, "09:00"), NoSlots.PAST),
    (wish(2, "11:00"), NoSlots.TOO_SOON),
    (wish(3, "14:00"), NoSlots.FULL),
    (wish(5, "15:00"), NoSlots.PROFESSIONAL_OFF_THEN),
    (wish(9, "12:30"), NoSlots.CLOSED_THEN),
    (wish(9, "20:00"), NoSlots.CLOSED_THEN),
    (wish(9, "09:10"), NoSlots.OFF_GRID),
    (wish(9, "11:45"), NoSlots.TOO_SHORT),
    (wish(9, "17:50-"), NoSlots.TOO_SHORT),
    (wish(12, "09:00"), NoSlots.PROFESSIONAL_OFF),
    # several days
    (wish((3, 4), "13:00-17:00"), NoSlots.FULL),  # booked on the one, off on the other
    (wish((4, 5), AFTERNOON), NoSlots.PROFESSIONAL_OFF_THEN),
    (wish((11, 13)), NoSlots.PROFESSIONAL_OFF),  # off between two closed days
    (wish((7, 8), EVENING), NoSlots.PROFESSIONAL_OFF),
    (wish((1, 2), "09:00"), NoSlots.PAST),
]


@pytest.mark.parametrize(("asked", "reason"), REASONS)
async def test_the_reason_is_that_of_what_was_asked_for(agenda: Booking, asked: TimeWish, reason: NoSlots):
    found = await agenda.desk.find(CLINIC, "consulta", asked, professional_id="ana")
    assert (found.slots, found.reason) == ((), reason)


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        (wish(7, AFTERNOON), NoSlots.CLOSED_THEN),  # Saturday afternoon
        (wish(9, "12:30"), NoSlots.CLOSED_THEN),
        (wish(8), NoSlots.CLOSED),
        (wish(2, "11:00"), NoSlots.TOO_SOON),
        (wish(9, "09:10"), NoSlots.OFF_GRID),
    ],
)
async def test_with_nobody_named_the_reason_is_everybodys(agenda: Booking, asked: TimeWish, reason: NoSlots):
    found = await agenda.desk.find(CLINIC, "consulta", asked)
    assert (found.slots, found.reason) == ((), reason)


async def test_with_nobody_named_whoever_is_free_answers(agenda: Booking):
    found = await agenda.desk.find(CLINIC, "consulta", wish(5, "15:00"))
    assert found == Found((found.slots[0],))
    assert (found.slots[0].professional_id, found.slots[0].start) == ("bruno", at(5, "15:00"))


async def test_who_comes_while_the_clinic_is_closed_opens_it(agenda: Booking):
    sunday = replace(BRUNO, hours={6: hours("09:00-12:00")})
    clinic = replace(CLINIC, professionals=(ANA, sunday))
    found = await agenda.desk.find(clinic, "consulta", wish(8, MORNING), professional_id="ana")
    assert found.reason is NoSlots.PROFESSIONAL_OFF


@pytest.mark.parametrize(
    ("reasons", "told"),
    [
        ((NoSlots.FULL, NoSlots.PROFESSIONAL_OFF, NoSlots.CLOSED), (NoSlots.FULL, True)),
        ((NoSlots.FULL, NoSlots.OFF_GRID), (NoSlots.FULL, False)),
        ((NoSlots.TOO_SOON, NoSlots.PAST, NoSlots.CLOSED), (NoSlots.TOO_SOON, True)),
        ((NoSlots.TOO_SOON, NoSlots.PROFESSIONAL_OFF_THEN), (NoSlots.TOO_SOON, False)),
        ((NoSlots.CLOSED_THEN, NoSlots.PROFESSIONAL_OFF_THEN), (NoSlots.PROFESSIONAL_OFF_THEN, True)),
    ],
)
def test_of_several_days_the_reason_nearest_to_a_yes_is_told_and_whether_it_says_all(
    reasons: Sequence[NoSlots], told: tuple[NoSlots, bool]
):
    assert nearest_to_yes(reasons) == told


def shown(alternative: Alternative) -> str:
    """ "day ana 05-08:00 ana 09-13:00": what gives way, and the first and last slot."""
    first, last = alternative.slots[0], alternative.slots[-1]
    times = (f"{slot.professional_id} {slot.start:%d-%H:%M}" for slot in (first, last))
    return " ".join([alternative.gives_way, *times])


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        # the same part of the day, the same day, another professional
        (
            wish(5, AFTERNOON),
            [
                "day ana 03-17:00 ana 09-17:30",
                "hours ana 05-11:30 ana 05-09:00",
                "professional bruno 05-13:00 bruno 05-17:30",
            ],
        ),
        # an hour nearby keeps the part of the day as well
        (wish(9, "09:10"), ["hours ana 09-09:00 ana 09-11:30", "professional bruno 09-08:30 bruno 09-10:00"]),
        (
            wish(5, "15:00"),
            [
                "day ana 02-15:00 ana 17-15:00",
                "hours ana 05-11:30 ana 05-10:00",
                "professional bruno 05-15:00 bruno 05-15:00",
            ],
        ),
        # another professional on the day, another day
        (wish(4), ["professional bruno 04-08:00 bruno 04-17:30", "day ana 03-17:00 ana 05-11:30"]),
        (wish(8), ["day ana 05-08:00 ana 09-17:30"]),
        # far ahead and far behind there is what is nearest
        (wish(30, month=4), ["day ana 30-08:00 ana 31-17:30"]),
        (wish(1), ["day ana 02-13:00 ana 03-17:30"]),
    ],
)
async def test_what_is_nearest_comes_first_and_tells_what_gives_way(
    agenda: Booking, asked: TimeWish, expected: list[str]
):
    found = await agenda.desk.find(CLINIC, "consulta", asked, professional_id="ana")
    assert [shown(alternative) for alternative in found.alternatives] == expected


async def test_an_hour_that_no_other_day_has_leads_to_the_nearest_hours_of_other_days(agenda: Booking):
    found = await agenda.desk.find(CLINIC, "limpeza", wish(4, "16:30"), professional_id="ana")
    [near] = found.alternatives
    assert near.gives_way is GivesWay.DAY_AND_HOURS
    assert min(slot.start.time() for slot in near.slots) >= time(13)


async def test_where_who_was_asked_for_has_nothing_at_all_others_are_offered(agenda: Booking):
    away = replace(ANA, time_off=(TimeOff(at(1, "00:00"), at(10, "00:00", month=4)),))
    clinic = replace(CLINIC, professionals=(away, BRUNO))
    [found] = (await agenda.desk.find(clinic, "consulta", wish(8), professional_id="ana")).alternatives
    assert (found.gives_way, {slot.professional_id for slot in found.slots}) == (GivesWay.ALL, {"bruno"})


async def test_a_wish_for_any_day_goes_on_to_the_horizon(agenda: Booking):
    """For two weeks her evenings, hers alone, are taken; the first that is free is behind them."""
    evenings = replace(ANA, hours={0: hours("18:00-18:30")}, time_off=())
    clinic = replace(CLINIC, professionals=(evenings,))
    for day in (2, 9):
        await agenda.desk.book(clinic, JOAO, request(at(day, "18:00"), "João Lima"))
    found = await agenda.desk.find(clinic, "consulta", replace(wish((2, 15), EVENING), any_day=True))
    assert [slot.start for slot in found.slots] == [at(day, "18:00") for day in (16, 23, 30)]


async def test_days_that_are_ruled_out_are_neither_found_nor_offered(agenda: Booking):
    asked = replace(wish((9, 10)), excluded=(date(2026, 3, 9),))
    found = await agenda.desk.find(CLINIC, "consulta", asked, professional_id="ana")
    assert {slot.start.day for slot in found.slots} == {10}
    refused = await agenda.desk.find(
        CLINIC, "consulta", replace(wish(8), excluded=(date(2026, 3, 9),)), professional_id="ana"
    )
    assert {slot.start.day for near in refused.alternatives for slot in near.slots} == {5, 10}


async def test_alternatives_come_from_the_whole_horizon_when_two_weeks_have_none(booking: Booking):
    away = replace(ANA, time_off=(TimeOff(at(1, "00:00"), at(24, "00:00")),))
    clinic = replace(CLINIC, professionals=(away,))
    found = await booking.desk.find(clinic, "consulta", wish(3))
    assert [shown(near) for near in found.alternatives] == ["day ana 24-13:00 ana 26-11:30"]


async def test_a_clinic_without_a_free_slot_has_no_alternatives(booking: Booking):
    clinic = make_clinic(hours={}, professionals=(BRUNO,))
    assert await booking.desk.find(clinic, "consulta", wish(3)) == Found((), NoSlots.CLOSED)


async def test_ones_own_hold_hides_nothing_and_another_clinics_agenda_neither(agenda: Booking):
    other = replace(CLINIC, id=ClinicId("sorriso"))
    await agenda.desk.hold(CLINIC, MARIA, "consulta", "ana", at(9, "09:00"))
    asked = wish(9, "09:00")
    seen = [
        await agenda.desk.find(clinic, "consulta", asked, professional_id="ana", contact=contact)
        for clinic, contact in ((CLINIC, MARIA), (CLINIC, JOAO), (other, JOAO))
    ]
    assert [found.reason for found in seen] == [None, NoSlots.FULL, None]
    full = await agenda.desk.find(other, "consulta", wish(3, "13:00-17:00"), professional_id="ana")
    assert full.reason is None


def test_a_wish_until_midnight_has_an_end():
    assert TimeWish(NOW.date(), NOW.date(), time_from=time(22), time_to=time(0)).fits(at(2, "23:30"))
