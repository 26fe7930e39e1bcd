"""Live updates, on both engines: what another process does is seen by who looks."""

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import TypeVar
from uuid import uuid4

import pytest
from tests.conversation.cast import BOA_VIDA, JOAO, MARIA, PATIENCE, SORRISO, World, clinic, status, text
from tests.staff.inbox.desk import BIA, CAIO, NOBODY, OLGA, TEXTS, explain, front_desk

from gendei.clinics.directory import Directory
from gendei.documents import Documents
from gendei.errors import StoreUnavailable
from gendei.messages.message import DeliveryState
from gendei.staff.actors import Forbidden
from gendei.staff.desks import FrontDesk
from gendei.staff.inbox.live import LiveInbox
from gendei.staff.inbox.rows import Row
from gendei.store.firestore import FirestoreDocuments
from gendei.store.sqlite import SqliteDocuments

T = TypeVar("T")


@pytest.fixture(params=["sqlite", "firestore"])
async def documents(request: pytest.FixtureRequest) -> AsyncIterator[Documents]:
    opening = partial(SqliteDocuments.open, ":memory:")
    if request.param == "firestore":
        address = request.getfixturevalue("firestore_emulator")
        opening = partial(FirestoreDocuments.open, f"live-{uuid4().hex[:20]}", emulator=address)
    store = await opening()
    yield store
    await store.close()


@pytest.fixture
async def directory(documents: Documents) -> Directory:
    known = Directory(documents)
    for clinic_id in (BOA_VIDA, SORRISO):
        await known.import_clinic(clinic(clinic_id))
    return known


@pytest.fixture
def world(documents: Documents, directory: Directory) -> World:
    return World(documents, directory, explain=explain, left_note=TEXTS.left_note)


async def until(states: AsyncIterator[T], holds: Callable[[T], bool]) -> T:
    """The first state for which `holds`."""
    async with asyncio.timeout(PATIENCE):
        async for state in states:
            if holds(state):
                return state
    raise AssertionError("the states ended")


def of_maria(state: LiveInbox) -> Row | None:
    return state.row(MARIA)


async def test_a_message_is_there_before_its_turn_and_goes_on_to_its_answer(world: World, desk: FrontDesk) -> None:
    async with desk.live.inbox(BIA) as states:
        assert (await until(states, lambda _: True)).rows == ()
        await world.accept(text("wamid.1", "bom dia"))
        arrived = of_maria(await until(states, lambda state: bool(state.rows)))
        async with world.messaging:
            answered = of_maria(await until(states, lambda state: state.rows[0].preview == "re: bom dia"))

    assert arrived
    assert (arrived.preview, arrived.unread) == ("bom dia", 1)
    assert answered
    assert answered.unread == 1


async def test_everybody_who_looks_is_told(world: World, desk: FrontDesk) -> None:
    async with desk.live.inbox(BIA) as bias, desk.live.inbox(CAIO) as caios:
        await until(bias, lambda _: True)
        await world.accept(text("wamid.1", "bom dia"))
        told = [await until(states, lambda item: bool(item.rows)) for states in (bias, caios)]

    assert [state.rows[0].contact for state in told] == [MARIA, MARIA]


async def test_who_comes_later_sees_what_stands(world: World, desk: FrontDesk) -> None:
    await world.accept(text("wamid.1", "bom dia"))
    async with desk.live.inbox(BIA) as bias:
        await until(bias, lambda bia: bool(bia.rows))
        async with desk.live.inbox(CAIO) as caios:
            assert len((await until(caios, lambda _: True)).rows) == 1


async def test_the_other_clinic_is_told_nothing(world: World, desk: FrontDesk) -> None:
    async with desk.live.inbox(OLGA) as states:
        await until(states, lambda _: True)
        await world.accept(text("wamid.1", "bom dia"))
        await world.accept(text("wamid.2", "olá", sender=JOAO), clinic_id=SORRISO)
        told = await until(states, lambda state: bool(state.rows))

    assert [row.contact for row in told.rows] == [JOAO]


async def test_two_people_in_one_conversation_see_each_other(world: World, desk: FrontDesk) -> None:
    elsewhere = front_desk(world.another())
    async with desk.live.inbox(BIA) as states:
        await elsewhere.presence.here(CAIO, MARIA, typing=True)
        await elsewhere.presence.here(OLGA, MARIA)
        seen = await until(states, lambda state: bool(state.present))
        await elsewhere.presence.gone(CAIO, MARIA)
        await until(states, lambda state: not state.present)

    assert [(row.name, row.contact, row.typing) for row in seen.present] == [("Caio", MARIA, True)]
    assert await desk.presence.others(BIA, MARIA) == []


async def test_who_does_not_say_so_any_more_is_not_there(world: World, desk: FrontDesk) -> None:
    await desk.presence.here(CAIO, MARIA)
    assert [other.name for other in await desk.presence.others(BIA, MARIA)] == ["Caio"]
    world.clock.advance(61)

    assert await desk.presence.others(BIA, MARIA) == []


async def test_ticks_are_told_to_who_looks_at_the_conversation(world: World, desk: FrontDesk) -> None:
    async with world.messaging:
        await world.accept(text("wamid.1", "oi"))
        await world.idle()
        async with desk.live.conversation(BIA, MARIA) as changes:
            before = await until(changes, lambda _: True)
            await world.accept(statuses=[status("wamid.out1", DeliveryState.READ)])
            await until(changes, lambda count: count > before)

    delivery = (await desk.views.view(BIA, MARIA)).items[-1].delivery
    assert delivery
    assert delivery.state == "read"


async def test_closing_ends_what_is_being_followed(world: World, desk: FrontDesk) -> None:
    async with desk.live.inbox(BIA) as states:
        await until(states, lambda _: True)
        await desk.live.close()
        with pytest.raises(StoreUnavailable):
            await until(states, lambda _: False)


async def test_who_may_not_read_follows_nothing(desk: FrontDesk) -> None:
    with pytest.raises(Forbidden):
        async with desk.live.inbox(NOBODY):
            pass
