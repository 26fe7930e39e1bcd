"""A number whose every message fails stops, keeps what waits, and goes on when somebody acted."""

import asyncio
from dataclasses import replace
from typing import Any

from tests.conversation.cast import BOA_VIDA, JOAO, MARIA, NUMBERS, SORRISO, World, clinic, column, status, text

from gendei.clinic import Channel
from gendei.conversation.outbound.channel_states import (
    ChannelStates,
    Scope,
    resume_channel,
    state_path,
    stopped_channels,
)
from gendei.conversation.outbound.outbox_entry import Deliveries
from gendei.documents import Documents, Query, Snapshot
from gendei.messages.channels import Permanent
from gendei.messages.keys import ConversationKey
from gendei.messages.message import DeliveryState, FailureKind

EXPIRED = Permanent("190 the access token is invalid or expired", stop_channel=True)


class SlowToRead:
    """A real store whose queries are answered as of when they were asked, once `free` is set."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self.asked, self.free = asyncio.Event(), asyncio.Event()

    async def query(self, query: Query) -> list[Snapshot]:
        found = await self._documents.query(query)
        self.asked.set()
        await self.free.wait()
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._documents, name)


async def stopped(world: World) -> None:
    """Maria's reply met an expired token."""
    world.provider.outcomes.append(EXPIRED)
    await world.accept(text("wamid.1", "maria"))
    await world.idle()


async def test_an_expired_token_stops_the_number_and_what_is_to_be_sent_waits(world: World) -> None:
    async with world.messaging:
        await stopped(world)
        await world.accept(text("wamid.2", "joao", sender=JOAO))
        await world.idle()

    assert world.provider.texts() == ["re: maria"]
    assert column(await world.outbox(), "status") == ["pending", "pending"]
    assert world.messaging.deliveries.stopped == {("meta", "1001")}


async def test_the_stop_stands_in_the_store_with_its_reason(world: World) -> None:
    async with world.messaging:
        await stopped(world)

    state = (await world.documents.get(state_path(BOA_VIDA, "meta", "1001"))).data or {}
    assert (state["stopped"], state["reason"], state["since"]) == (True, EXPIRED.reason, world.clock())


async def test_a_stop_is_not_forgotten_by_a_look_into_the_store_that_began_before_it(world: World) -> None:
    store = SlowToRead(world.documents)
    states = ChannelStates(store, world.clock, Deliveries())
    channel = Channel("meta", NUMBERS[BOA_VIDA])
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(states.refresh())
        await store.asked.wait()
        tasks.create_task(states.stop(BOA_VIDA, channel, EXPIRED.reason, Scope.ALL))
        tasks.create_task(asyncio.sleep(0)).add_done_callback(lambda _: store.free.set())

    assert states.wait(channel, proactive=False) > 0


async def test_the_number_of_another_clinic_goes_on(world: World) -> None:
    async with world.messaging:
        await stopped(world)
        await world.accept(text("wamid.2", "lá", sender=MARIA), clinic_id=SORRISO)
        await world.idle()

    assert world.provider.texts() == ["re: maria", "re: lá"]


async def test_another_process_knows_of_it_and_does_not_try(world: World) -> None:
    second = world.another()
    async with world.messaging:
        await stopped(world)
    async with second.messaging:
        await second.messaging.outbox.sweep()
        await second.accept(text("wamid.2", "joao", sender=JOAO))
        await second.idle()

    assert second.provider.texts() == []


async def test_what_waited_goes_when_an_operator_resumes_the_number(world: World) -> None:
    async with world.messaging:
        await stopped(world)
        await world.accept(text("wamid.2", "joao", sender=JOAO))
        await world.idle()
        [stop] = await stopped_channels(world.documents)
        await resume_channel(world.documents, stop, world.clock())
        await world.messaging.outbox.sweep()
        await world.idle()

    assert sorted(world.provider.texts()) == ["re: joao", "re: maria", "re: maria"]
    assert (column(await world.outbox(), "status"), world.messaging.deliveries.stopped) == (["sent", "sent"], set())


async def test_an_import_of_the_clinic_with_new_credentials_resumes_it(world: World) -> None:
    async with world.messaging:
        await stopped(world)
        renewed = Channel("meta", NUMBERS[BOA_VIDA], {"access_token": "sealed anew"})
        await world.directory.import_clinic(replace(clinic(BOA_VIDA), channels=(renewed,)))
        world.messaging.outbox.notify(ConversationKey(BOA_VIDA, MARIA))
        await world.idle()

    assert world.provider.texts() == ["re: maria", "re: maria"]
    assert await stopped_channels(world.documents) == []


async def test_the_attempt_that_met_the_stop_does_not_count(world: World) -> None:
    async with world.messaging:
        await stopped(world)

    assert column(await world.outbox(), "attempts") == [0]


async def test_a_reply_that_waited_beyond_its_window_fails_where_staff_see_it(world: World) -> None:
    async with world.messaging:
        await stopped(world)
        world.clock.advance(25 * 3600)
        world.messaging.outbox.notify(ConversationKey(BOA_VIDA, MARIA))
        await world.idle()

    failure = (await world.conversation()).last_failure
    assert failure is not None
    assert failure.reason == "window_closed"


async def test_a_status_that_names_a_payment_problem_stops_the_number_too(world: World) -> None:
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.idle()
        failed = status(
            "wamid.out1",
            DeliveryState.FAILED,
            reference=world.provider.sent[0].reference,
            error="131042 Payment",
            kind=FailureKind.CHANNEL,
        )
        await world.accept(statuses=[failed])
        await world.accept(text("wamid.2", "joao", sender=JOAO))
        await world.idle()

    assert world.provider.texts() == ["re: oi"]
    assert [channel.reason for channel in await stopped_channels(world.documents)] == ["131042 Payment"]
