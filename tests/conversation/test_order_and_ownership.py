"""One turn at a time, in order, across processes; nothing lost or repeated when one of them dies."""

from tests.conversation.cast import APOLOGY, BOA_VIDA, JOAO, MARIA_HERE, World, column, said, text

from gendei.conversation.turns.turn import MAX_DEATHS
from gendei.conversation.work.lease import DEATHS_IN_COMPANY, Leases
from gendei.documents import put
from gendei.messages.keys import INBOX, ConversationKey

LEASE_OVER = 11


async def test_a_second_process_leaves_a_conversation_alone_while_its_turn_runs(world: World) -> None:
    second = world.another()
    world.receptionist.free.clear()
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.asked()
        async with second.messaging:
            await second.messaging.worker.sweep()
            await second.idle()
            world.receptionist.free.set()
            await world.idle()

    assert (world.provider.texts(), second.receptionist.turns) == (["re: oi"], [])


async def test_a_turn_whose_lease_ran_out_is_dropped_whole_when_another_process_answered(world: World) -> None:
    world.receptionist.script.append(said("resposta velha"))
    world.receptionist.free.clear()
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.asked()
        world.clock.advance(LEASE_OVER)
        second = world.another()
        async with second.messaging:
            await second.messaging.worker.sweep()
            await second.idle()
            world.receptionist.free.set()
            await world.idle()

    assert (world.provider.texts(), second.provider.texts()) == ([], ["re: oi"])
    assert column(await world.history(), "content") == ["oi", "re: oi"]


async def test_a_turn_is_dropped_while_the_process_that_took_over_is_still_thinking(world: World) -> None:
    world.receptionist.free.clear()
    second = world.another()
    second.receptionist.free.clear()
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.asked()
        world.clock.advance(LEASE_OVER)
        async with second.messaging:
            second.messaging.worker.notify(MARIA_HERE)
            await second.asked()
            world.receptionist.free.set()
            await world.idle()
            stored = await world.history()
            second.receptionist.free.set()
            await second.idle()

    assert stored == []
    assert (world.provider.texts(), second.provider.texts()) == ([], ["re: oi"])


async def test_a_message_whose_process_died_before_its_turn_is_answered_by_the_next(world: World) -> None:
    await world.accept(text("wamid.1"))

    second = world.another()
    async with second.messaging:
        await second.messaging.worker.sweep()
        await second.idle()

    assert second.provider.texts() == ["re: oi"]


async def test_a_message_whose_process_died_in_its_turn_is_answered_when_the_lease_is_over(world: World) -> None:
    await world.accept(text("wamid.1"))
    assert await Leases(world.documents, world.clock).acquire(MARIA_HERE) is not None

    second = world.another()
    async with second.messaging:
        await second.messaging.worker.sweep()
        await second.idle()
        early = second.provider.texts()
        world.clock.advance(LEASE_OVER)
        second.messaging.worker.notify(MARIA_HERE)
        await second.idle()

    assert (early, second.provider.texts()) == ([], ["re: oi"])


async def test_a_message_that_kills_every_process_is_parked_with_an_apology(world: World) -> None:
    await world.accept(text("wamid.1"))
    for _ in range(DEATHS_IN_COMPANY + MAX_DEATHS):
        assert await Leases(world.documents, world.clock).acquire(MARIA_HERE, alone=True) is not None
        world.clock.advance(LEASE_OVER)

    async with world.messaging:
        await world.messaging.worker.sweep()
        await world.idle()

    assert world.receptionist.turns == []
    assert world.provider.texts() == [APOLOGY]
    assert column(await world.inbox(), "status") == ["parked"]


async def test_conversations_in_which_two_processes_died_take_their_turns_one_after_the_other(world: World) -> None:
    """Who only happened to be there when another's message killed the process is not parked for it."""
    joao = ConversationKey(BOA_VIDA, JOAO)
    await world.accept(text("wamid.1"), text("wamid.2", sender=JOAO))
    for _ in range(2):
        for key in (MARIA_HERE, joao):
            assert await Leases(world.documents, world.clock).acquire(key) is not None
        world.clock.advance(LEASE_OVER)

    world.receptionist.free.clear()
    async with world.messaging:
        await world.messaging.worker.sweep()
        await world.asked()
        for step in range(5):  # each waits for the writer: time enough for the other to begin, if it may
            await world.documents.commit([put("gendei_probe/one", {"step": step})])
        seen_together = len(world.receptionist.turns)
        world.receptionist.free.set()
        await world.asked()
        await world.idle()

    assert (seen_together, sorted(world.provider.texts())) == (1, ["re: oi", "re: oi"])
    assert column(await world.inbox(), "status") == ["done", "done"]


async def test_an_entry_that_cannot_be_read_is_parked_and_the_conversation_goes_on(world: World) -> None:
    await world.accept(text("wamid.1", "oi"))
    found = await world.documents.get(f"{INBOX}/wamid.1")
    broken = {"id": "wamid.1", "type": "hologram"}
    await world.documents.commit([put(found.path, (found.data or {}) | {"message": broken})])

    async with world.messaging:
        await world.accept(text("wamid.2", "tudo bem?"))
        await world.idle()

    assert column(await world.inbox(), "status") == ["parked", "done"]
    assert world.receptionist.heard() == [("tudo bem?",)]


async def test_two_conversations_are_answered_side_by_side(world: World) -> None:
    world.receptionist.free.clear()
    async with world.messaging:
        await world.accept(text("wamid.1", "um"), text("wamid.2", "dois", sender="+5511999990002"))  # type: ignore[arg-type]  # a Contact is a str
        await world.asked()
        await world.asked()
        world.receptionist.free.set()
        await world.idle()

    assert sorted(world.provider.texts()) == ["re: dois", "re: um"]
