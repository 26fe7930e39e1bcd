"""Pages learn when a stretch of the agenda changes."""

from collections.abc import AsyncIterator

import pytest
from tests.booking.builders import at
from tests.staff.agenda.office import ATENDENTE, OUTSIDER, Office, wish

from gendei.booking.time_blocks import BlockWish
from gendei.clinic import ClinicId
from gendei.staff.actors import Actor, Forbidden
from gendei.staff.agenda.view import AgendaLive

THE_DAY = at(2, "09:00").date()


@pytest.fixture
async def live(office: Office) -> AsyncIterator[AgendaLive]:
    opened = AgendaLive(office.documents)
    yield opened
    await opened.close()


async def test_a_booking_and_a_block_are_told(office, live):
    async with live.follow(ATENDENTE, THE_DAY, 1) as changes:
        first = await anext(changes)
        await office.agenda.book(ATENDENTE, wish("11:00"))
        second = await anext(changes)
        await office.blocks.add(ATENDENTE, BlockWish("ana", at(2, "14:00"), at(2, "15:00")))
        assert first < second < await anext(changes)


async def test_another_clinics_changes_are_not_told(office, live):
    async with live.follow(OUTSIDER, THE_DAY, 1) as others, live.follow(ATENDENTE, THE_DAY, 1) as own:
        assert (await anext(others), await anext(own)) == (1, 1)
        await office.agenda.book(ATENDENTE, wish("11:00"))
        assert await anext(own) == 2
        await office.agenda.book(OUTSIDER, wish("11:00"))
        assert await anext(others) == 2


async def test_who_may_not_read_follows_nothing(live):
    with pytest.raises(Forbidden):
        async with live.follow(Actor(ClinicId("boa-vida"), "x", "X", frozenset()), THE_DAY, 1):
            pass
