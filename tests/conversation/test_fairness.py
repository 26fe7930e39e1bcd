"""One clinic's flood does not keep another clinic's patients waiting."""

import asyncio

from tests.conversation.cast import BOA_VIDA, JOAO, MARIA, MARIA_THERE, PATIENCE, SORRISO, World, text

from gendei.clinic import ClinicId, Contact
from gendei.conversation.turns.worker import WorkerPace
from gendei.conversation.work.lanes import Lanes
from gendei.messages.keys import ConversationKey
from gendei.messages.message import IncomingMessage
from gendei.store.sqlite import SqliteDocuments

FLOOD = 200
SENDS_OF_A_CLINIC = 16


def flood() -> list[IncomingMessage]:
    """As many patients of Boa Vida as one webhook tells of."""
    return [text(f"wamid.flood{number}", sender=Contact(f"+55118{number:08d}")) for number in range(FLOOD)]


async def started(world: World, turns: int) -> None:
    for _ in range(turns):
        await world.asked()


async def test_a_clinic_with_hundreds_waiting_leaves_room_for_anothers_turn(world: World) -> None:
    world.receptionist.free.clear()
    async with world.messaging:
        await world.accept(*flood())
        await started(world, WorkerPace().per_clinic)
        await world.accept(text("wamid.quiet", sender=MARIA), clinic_id=SORRISO)
        next_turn = await world.asked()
        world.receptionist.free.set()

    assert (next_turn.clinic.id, next_turn.contact) == (SORRISO, MARIA)
    assert (await world.conversation(MARIA_THERE)).history[-1]["content"] == "re: oi"


async def test_a_clinic_with_hundreds_to_send_leaves_room_for_anothers_message(world: World) -> None:
    world.provider.free.clear()
    async with world.messaging:
        await world.accept(*flood())
        for _ in range(SENDS_OF_A_CLINIC):
            await world.sending()
        await world.accept(text("wamid.quiet", sender=MARIA), clinic_id=SORRISO)
        next_message = await world.sending()
        in_flight = len(world.provider.sent)
        world.provider.free.set()

    assert (next_message.to_phone, in_flight) == (MARIA, SENDS_OF_A_CLINIC + 1)


async def test_a_message_is_durable_with_the_next_group_however_many_of_another_clinic_come(
    world: World, documents: SqliteDocuments
) -> None:
    deliveries = [asyncio.create_task(world.accept(message)) for message in flood()]
    await asyncio.sleep(0)  # now all of them are on their way to the writer
    before = documents.groups_written
    await world.accept(text("wamid.quiet", sender=JOAO), clinic_id=SORRISO)
    after = documents.groups_written
    await asyncio.gather(*deliveries)

    assert after - before <= 2  # the group under way, and the one that this message is in
    assert len(await world.inbox()) == FLOOD + 1


async def test_where_all_places_are_taken_a_newcomer_gets_the_next_that_is_free() -> None:
    begun = list[ClinicId]()
    ends = asyncio.Semaphore(0)
    running = asyncio.Semaphore(0)

    async def run(key: ConversationKey) -> float | None:
        begun.append(key.clinic_id)
        running.release()
        await ends.acquire()
        return None

    lanes = Lanes(run, at_once=4, per_clinic=4)
    lanes.start()
    for number in range(FLOOD):
        lanes.plan(ConversationKey(BOA_VIDA, Contact(str(number))))
    async with asyncio.timeout(PATIENCE):
        for _ in range(4):
            await running.acquire()
        lanes.plan(ConversationKey(SORRISO, MARIA))
        for _ in range(2):
            ends.release()
            await running.acquire()
    await lanes.stop(grace=0)

    assert SORRISO in begun[4:6]
