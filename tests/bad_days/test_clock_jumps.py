"""The machine's clock is put an hour ahead or back, in the middle of whatever waits for a time."""

import pytest
from tests.bad_days.weather import Weather
from tests.conversation.cast import MARIA_HERE, World, column, text

from gendei.clinics.directory import Directory
from gendei.conversation.work.lease import Leases
from gendei.documents import Query, put
from gendei.messages.channels import Transient
from gendei.messages.keys import INBOX

HOUR = 3600
jumps = pytest.mark.parametrize("jump", [HOUR, -HOUR], ids=["ahead", "back"])


@jumps
async def test_during_a_turn_it_is_answered_once(world: World, jump: int) -> None:
    async with world.messaging:
        world.receptionist.free.clear()
        await world.accept(text("wamid.1"))
        await world.asked()
        world.clock.advance(jump)
        await world.messaging.worker.sweep()
        world.receptionist.free.set()
        await world.sending()
        await world.idle()

    assert (world.provider.texts(), column(await world.inbox(), "status")) == (["re: oi"], ["done"])


@jumps
async def test_while_a_message_waits_for_silence_it_is_answered_after_its_quiet_window(
    weather: Weather, directory: Directory, jump: int
) -> None:
    accepting = World(weather, directory)
    await accepting.accept(text("wamid.1"))
    [entry] = await accepting.documents.query(Query(INBOX))
    attended = {name: value for name, value in (entry.data or {}).items() if name != "unattended"}
    await accepting.documents.commit([put(entry.path, attended)])  # its process died: the sweep alone finds it
    world = World(weather, directory, clock=accepting.clock, quiet=0.01)
    world.clock.advance(jump)
    async with world.messaging:
        await world.messaging.worker.sweep()
        await world.sending()
        await world.idle()

    assert world.provider.texts() == ["re: oi"]


@jumps
async def test_the_lease_of_a_dead_process_keeps_nobody_waiting(world: World, jump: int) -> None:
    await world.accept(text("wamid.1"))
    assert await Leases(world.documents, world.clock).acquire(MARIA_HERE) is not None
    world.clock.advance(jump)
    async with world.messaging:
        await world.messaging.worker.sweep()
        await world.sending()
        await world.idle()

    assert world.provider.texts() == ["re: oi"]


@jumps
async def test_a_reply_that_is_on_its_way_to_the_outbox_leaves_at_once(world: World, jump: int) -> None:
    await world.accept(text("wamid.1"))
    second = world.another()
    async with world.messaging:
        world.provider.free.clear()
        await world.sending()
        await world.accept(text("wamid.2", "e aí?"))
        await world.asked()
        await world.messaging.worker.idle()  # the second reply waits behind the first
        world.clock.advance(jump)
        world.provider.free.set()
        await world.sending()
        await world.idle()

    assert (world.provider.texts(), second.provider.texts()) == (["re: oi", "re: e aí?"], [])


async def test_a_retry_waits_for_its_own_time_and_not_for_the_hour_that_came_back(world: World) -> None:
    world.provider.outcomes.append(Transient("busy", retry_after=0.01))
    async with world.messaging:
        world.provider.free.clear()
        await world.accept(text("wamid.1"))
        await world.sending()
        world.clock.advance(-HOUR)
        world.provider.free.set()
        await world.sending()
        await world.idle()

    assert (len(world.provider.sent), column(await world.outbox(), "status")) == (2, ["sent"])
