"""Tasks that a turn leaves for staff."""

from tests.conversation.cast import BOA_VIDA, MARIA, SORRISO, World, column, said, text

from gendei.documents import put
from gendei.messages.keys import INBOX


async def occasions(world: World, clinic_id: str = BOA_VIDA) -> list[tuple[str, str, str]]:
    rows = await world.all(f"gendei_clinics/{clinic_id}/tasks", "createdAt")
    return [(row["occasion"], row["contact"], row["status"]) for row in rows]


async def test_parked_messages_are_a_task(world: World) -> None:
    await world.accept(text("wamid.1", "oi"))
    found = await world.documents.get(f"{INBOX}/wamid.1")
    await world.documents.commit([put(found.path, (found.data or {}) | {"message": {"type": "hologram"}})])
    async with world.messaging:
        await world.accept(text("wamid.2", "tudo bem?"))
        await world.idle()
    assert column(await world.inbox(), "status") == ["parked", "done"]
    assert (await occasions(world), await occasions(world, SORRISO)) == ([("parked", MARIA, "pending")], [])


async def test_a_turn_that_hands_over_leaves_one_task_with_its_own_commit(world: World) -> None:
    world.receptionist.script.append(said("Chamei alguém.", takeover_reason="pediu", urgent=True))
    async with world.messaging:
        await world.accept(text("wamid.1", "socorro"))
        await world.idle()
    assert await occasions(world) == [("urgency", MARIA, "pending")]
