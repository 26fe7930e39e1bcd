"""What staff block is closed to everybody: to the bot's search, to bookings, moves and holds."""

from dataclasses import replace
from datetime import date

import pytest
from tests.booking.builders import JOAO, MARIA, at, request
from tests.staff.agenda.office import ATENDENTE, GESTOR, HERE, OUTSIDER, READER, THERE, Office, wish

from gendei.booking.slots import BookingRefused, NoSlots, Refusal
from gendei.booking.time_blocks import BlockRefusal, BlockWish
from gendei.errors import NotFound
from gendei.staff.actors import Forbidden
from gendei.staff.agenda.blocks import NotBlocked
from gendei.staff.audit import Action

TUESDAY, WEDNESDAY = date(2026, 3, 3), date(2026, 3, 4)
AFTERNOON = BlockWish("ana", at(3, "13:00"), at(3, "18:00"), "Congresso")


async def test_every_path_of_the_desk_obeys_a_block(office: Office) -> None:
    morning = await office.desk.book(HERE, MARIA, request(at(3, "09:00")))
    await office.blocks.add(ATENDENTE, AFTERNOON)
    for attempt in (
        office.desk.book(HERE, JOAO, request(at(3, "14:00"), "João Lima")),
        office.desk.move(HERE, MARIA, morning.id, at(3, "14:00")),
        office.desk.hold(HERE, JOAO, "consulta", "ana", at(3, "14:00")),
    ):
        with pytest.raises(BookingRefused) as refused:
            await attempt
        assert refused.value.reason is Refusal.PROFESSIONAL_OFF
    assert (await office.desk.book(HERE, JOAO, request(at(3, "14:00"), "João Lima", who="bruno"))).start.hour == 14


async def test_the_bot_offers_nothing_in_it_and_all_again_when_it_is_freed(office: Office) -> None:
    before = await office.desk.search_days(HERE, "consulta", TUESDAY, professional_id="ana")
    block = await office.blocks.add(ATENDENTE, AFTERNOON)
    [during] = await office.desk.search_days(HERE, "consulta", TUESDAY, professional_id="ana")
    await office.blocks.remove(ATENDENTE, block.id)
    assert during.slots == tuple(slot for slot in before[0].slots if slot.start.hour < 13)
    assert await office.desk.search_days(HERE, "consulta", TUESDAY, professional_id="ana") == before
    assert await office.blocks.list(ATENDENTE, TUESDAY, TUESDAY) == []


async def test_a_holiday_closes_the_clinic_for_everybody_and_for_pages_that_begin_later(office: Office) -> None:
    await office.desk.book(HERE, MARIA, request(at(4, "09:00")))
    holiday = await office.blocks.add(ATENDENTE, BlockWish.whole_days(HERE, TUESDAY, TUESDAY, "Feriado"))
    for who in ("ana", "bruno"):
        with pytest.raises(BookingRefused) as refused:
            await office.desk.book(HERE, JOAO, request(at(3, "09:00"), "João Lima", who=who))
        assert refused.value.reason is Refusal.CLOSED
    [found] = await office.desk.search_days(HERE, "consulta", TUESDAY)
    assert (found.slots, found.reason, holiday.days) == ((), NoSlots.CLOSED, (TUESDAY,))


async def test_who_is_new_in_the_clinic_keeps_the_holiday_too(office: Office) -> None:
    office.clinics.known[HERE.id] = replace(HERE, professionals=HERE.professionals[:1])
    await office.blocks.add(ATENDENTE, BlockWish.whole_days(HERE, TUESDAY, TUESDAY))
    with pytest.raises(BookingRefused) as refused:
        await office.desk.book(HERE, JOAO, request(at(3, "09:00"), "João Lima", who="bruno"))
    [found] = await office.desk.search_days(HERE, "consulta", TUESDAY, professional_id="bruno")
    assert (refused.value.reason, found.reason) == (Refusal.CLOSED, NoSlots.CLOSED)


async def test_a_block_over_appointments_is_refused_with_all_of_them(office: Office) -> None:
    first = (await office.agenda.book(ATENDENTE, wish("14:00"))).appointment
    second = (await office.agenda.book(ATENDENTE, wish("13:00", who="bruno"))).appointment
    with pytest.raises(NotBlocked) as refused:
        await office.blocks.add(ATENDENTE, BlockWish(None, at(2, "12:00"), at(2, "18:00")))
    assert (refused.value.reason, refused.value.standing) == (BlockRefusal.APPOINTMENTS, (second, first))
    assert refused.value.text.startswith("Há horários marcados nesse período.")
    assert await office.blocks.list(ATENDENTE, date(2026, 3, 1), date(2026, 3, 31)) == []


async def test_it_may_leave_them_standing_and_they_can_still_move_away(office: Office) -> None:
    standing = (await office.agenda.book(ATENDENTE, wish("14:00"))).appointment
    wanted = BlockWish("ana", at(2, "13:00"), at(2, "18:00"), despite_appointments=True)
    await office.blocks.add(ATENDENTE, wanted)
    assert await office.agenda.appointment(ATENDENTE, standing.id) == standing
    assert (await office.agenda.move(ATENDENTE, standing.id, at(2, "11:00"))).appointment.start == at(2, "11:00")


async def test_what_was_cancelled_is_in_nobodys_way(office: Office) -> None:
    gone = (await office.agenda.book(ATENDENTE, wish("14:00"))).appointment
    await office.agenda.cancel(ATENDENTE, gone.id)
    block = await office.blocks.add(ATENDENTE, BlockWish("ana", at(2, "13:00"), at(2, "18:00")))
    assert await office.blocks.list(ATENDENTE, date(2026, 3, 2), date(2026, 3, 2)) == [block]


async def test_a_block_reaches_over_the_end_of_a_month(office: Office) -> None:
    block = await office.blocks.add(ATENDENTE, BlockWish("ana", at(31, "13:00"), at(2, "12:00", month=4)))
    for start in (at(31, "14:00"), at(1, "09:00", month=4)):
        with pytest.raises(BookingRefused) as refused:
            await office.desk.book(HERE, MARIA, request(start))
        assert refused.value.reason is Refusal.PROFESSIONAL_OFF
    assert await office.blocks.list(ATENDENTE, date(2026, 4, 1), date(2026, 4, 1)) == [block]
    await office.blocks.remove(ATENDENTE, block.id)
    assert (await office.desk.book(HERE, MARIA, request(at(1, "09:00", month=4)))).start.month == 4


@pytest.mark.parametrize(
    ("wanted", "reason"),
    [
        (BlockWish("ana", at(3, "14:00"), at(3, "14:00")), BlockRefusal.NO_TIME),
        (BlockWish("ana", at(1, "14:00"), at(1, "15:00")), BlockRefusal.PAST),
        (BlockWish("ana", at(3, "14:00"), at(5, "14:00", year=2027)), BlockRefusal.TOO_LONG),
        (BlockWish("ana", at(3, "14:00", year=2090), at(3, "15:00", year=2090)), BlockRefusal.TOO_FAR),
        (BlockWish("zoe", at(3, "14:00"), at(3, "15:00")), BlockRefusal.UNKNOWN_PROFESSIONAL),
    ],
)
async def test_a_block_that_cannot_be_is_refused(office: Office, wanted: BlockWish, reason: BlockRefusal) -> None:
    with pytest.raises(NotBlocked) as refused:
        await office.blocks.add(ATENDENTE, wanted)
    assert refused.value.reason is reason


async def test_blocking_and_freeing_are_in_the_audit(office: Office) -> None:
    block = await office.blocks.add(ATENDENTE, AFTERNOON)
    await office.blocks.remove(GESTOR, block.id)
    entries = await office.audit.search(GESTOR, subject=block.id)
    assert sorted((entry.action, entry.name) for entry in entries) == [
        (Action.TIME_BLOCKED, "Bia"),
        (Action.TIME_FREED, "Carla"),
    ]


async def test_another_clinic_sees_frees_and_feels_nothing(office: Office) -> None:
    block = await office.blocks.add(ATENDENTE, BlockWish.whole_days(HERE, TUESDAY, WEDNESDAY))
    assert await office.blocks.list(OUTSIDER, TUESDAY, TUESDAY) == []
    with pytest.raises(NotFound):
        await office.blocks.remove(OUTSIDER, block.id)
    assert (await office.desk.book(THERE, MARIA, request(at(3, "09:00")))).start == at(3, "09:00")
    assert await office.blocks.list(READER, TUESDAY, TUESDAY) == [block]


async def test_who_may_only_read_blocks_nothing(office: Office) -> None:
    with pytest.raises(Forbidden):
        await office.blocks.add(READER, AFTERNOON)
    with pytest.raises(Forbidden):
        await office.blocks.remove(READER, "0" * 12)
