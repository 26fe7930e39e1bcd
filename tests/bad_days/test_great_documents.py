"""Documents near the mebibyte that Firestore takes: what is too much is cut or set aside, and nobody is stuck."""

import pytest
from tests.conversation.cast import APOLOGY, MARIA_HERE, World, column, said, text
from tests.journeys.phone import Phone
from tests.journeys.town import Town

from gendei.conversation.stored.conversation import CONVERSATION
from gendei.documents import MAX_DOCUMENT_BYTES, put
from gendei.store.encoding import encode

WIDE = "😀"
"""Four bytes in UTF-8, as wide as a character is."""


async def test_a_conversation_of_fifty_of_the_longest_messages_and_a_great_state_goes_on(world: World) -> None:
    notes = {"notes": "x" * 200_000}
    async with world.messaging:
        for n in range(25):
            world.receptionist.script.append(said(WIDE * 4096, state=notes))
            await world.accept(text(f"wamid.{n}", WIDE * 4096))
            await world.idle()
        size = len(encode("", CONVERSATION.write(await world.conversation())).encode())
        await world.accept(text("wamid.last", "e agora?"))
        await world.idle()

    assert (size > 0.95 * MAX_DOCUMENT_BYTES, world.provider.texts()[-1]) == (True, "re: e agora?")
    assert len(await world.history()) == 52


async def test_a_state_that_no_document_holds_is_an_apology_and_the_next_message_is_answered(world: World) -> None:
    world.receptionist.script.append(said("pronto", state={"notes": "x" * MAX_DOCUMENT_BYTES}))
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.idle()
        await world.accept(text("wamid.2", "e agora?"))
        await world.idle()

    assert world.provider.texts() == [APOLOGY, "re: e agora?"]
    assert column(await world.inbox(), "status") == ["done", "done"]


async def test_a_conversation_that_has_no_room_left_begins_anew_instead_of_failing_for_good(world: World) -> None:
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.idle()
        found = await world.documents.get(MARIA_HERE.path)
        room = MAX_DOCUMENT_BYTES - len(encode("", found.data or {}).encode()) - 200
        notes = {"notes": "x" * room}
        await world.documents.commit([put(MARIA_HERE.path, (found.data or {}) | {"agentState": notes})])
        world.receptionist.script.append(said("sim", state=notes))
        await world.accept(text("wamid.2", "ainda aí? " * 100))
        await world.sending()
        await world.idle()
        await world.accept(text("wamid.3", "e agora?"))
        await world.idle()

    assert world.provider.texts() == ["re: oi", APOLOGY, "re: e agora?"]
    assert column(await world.inbox(), "status") == ["done"] * 3


@pytest.mark.parametrize("words", [900_000, 1_100_000], ids=["fits", "too much"])
async def test_a_message_of_about_a_mebibyte_is_taken_in_and_answered(town: Town, words: int) -> None:
    maria = Phone(town, "+5511999990001", "Maria Silva")
    accepted = await maria.write("a " * (words // 2))
    await town.idle()

    assert (accepted, len(maria.messages)) == (200, 1)
    assert [entry["status"] for entry in await town.stored("gendei_inbox")] == ["done"]
    assert "Rua do Sol" in await maria.say("onde fica?")
