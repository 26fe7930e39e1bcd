import pytest
from tests.conversation.cast import BOA_VIDA, JOAO, MARIA, MARIA_HERE, NOON, SORRISO, World, column, said, text
from tests.handing import hand_back, send_as_person, take_over

from gendei.clinic import Contact
from gendei.conversation.turns.recording import Turn, record_turn
from gendei.errors import NotFound
from gendei.messages.channels import Transient, WindowClosed
from gendei.messages.message import Arrival, MessageRole
from gendei.messages.turns import ToolStep


async def test_the_bot_asks_for_a_person_says_so_and_goes_on_until_one_comes(world: World) -> None:
    world.receptionist.script.append(said("Já chamo alguém.", takeover_reason="pediu um atendente"))
    async with world.messaging:
        await world.accept(text("wamid.1", "quero falar com alguém"))
        await world.idle()
        await world.accept(text("wamid.2", "alô?"))
        await world.idle()

    conversation = await world.conversation()
    assert world.provider.texts() == ["Já chamo alguém.", "re: alô?"]
    assert (conversation.is_human_takeover, conversation.waiting_for_person) == (True, True)
    assert [turn.awaited and turn.awaited.reason for turn in world.receptionist.turns] == [None, "pediu um atendente"]
    assert (conversation.takeover_reason, conversation.unread) == ("pediu um atendente", 2)


async def test_what_the_patient_writes_to_a_person_is_kept(world: World) -> None:
    handover = world.messaging.handover
    async with world.messaging:
        await world.accept(text("wamid.1", "oi"))
        await world.idle()
        await take_over(handover, BOA_VIDA, MARIA, "Bia", "ligação")
        await world.accept(text("wamid.2", "alô?"))
        await world.idle()

    assert [message["content"] for message in await world.history() if message["role"] == "user"] == ["oi", "alô?"]
    assert column(await world.inbox(), "status") == ["done", "done"]


async def test_a_person_who_takes_over_while_the_bot_thinks_keeps_its_answer_from_being_sent(world: World) -> None:
    async with world.messaging:
        await world.accept(text("wamid.1", "oi"))
        await world.idle()
        step = ToolStep("book_appointment", "{}")
        world.receptionist.script.append(said("Marcado!", steps=(step,)))
        world.receptionist.free.clear()
        await world.accept(text("wamid.2", "pode marcar"))
        await world.asked()
        await world.asked()
        await take_over(world.messaging.handover, BOA_VIDA, MARIA, "Bia", "eu cuido")
        world.receptionist.free.set()
        await world.idle()

    history = await world.history()
    assert world.provider.texts() == ["re: oi"]
    assert "pode marcar" in column(history, "content")
    assert [message["steps"][0]["tool"] for message in history if message.get("event") == "reply_dropped"] == [
        "book_appointment"
    ]
    assert (await world.conversation()).is_human_takeover


async def test_another_change_of_staff_while_the_bot_thinks_does_not_ask_it_again(world: World) -> None:
    handover = world.messaging.handover
    async with world.messaging:
        await world.accept(text("wamid.1", "oi"))
        await world.idle()
        world.receptionist.free.clear()
        await world.accept(text("wamid.2", "e amanhã?"))
        await world.asked()
        await world.asked()
        await take_over(handover, BOA_VIDA, MARIA, "Bia", "")
        await hand_back(handover, BOA_VIDA, MARIA, "Bia", "ela prefere de manhã")
        world.receptionist.free.set()
        await world.idle()

    assert world.provider.texts() == ["re: oi", "re: e amanhã?"]
    assert len(world.receptionist.turns) == 2


async def test_what_the_bot_had_not_sent_yet_is_suppressed_by_a_take_over(world: World) -> None:
    world.provider.outcomes.append(Transient("busy", retry_after=5))
    async with world.messaging:
        await world.accept(text("wamid.1", "oi"))
        await world.idle()
        await take_over(world.messaging.handover, BOA_VIDA, MARIA, "Bia", "")
        world.clock.advance(10)
        world.messaging.outbox.notify(MARIA_HERE)
        await world.idle()

    assert len(world.provider.sent) == 1
    assert column(await world.outbox(), "status") == ["suppressed"]
    assert [message["deliveryState"] for message in await world.history() if message["author"] == "bot"] == [
        "suppressed"
    ]


async def test_a_person_writes_in_order_after_the_bot_and_owns_the_conversation(world: World) -> None:
    async with world.messaging:
        await world.accept(text("wamid.1", "oi"))
        await world.idle()
        entry_id = await send_as_person(world.messaging.handover, BOA_VIDA, MARIA, "Bia", "Oi, aqui é a Bia.")
        await world.idle()

    conversation = await world.conversation()
    sent = next(message for message in await world.history() if message["id"] == entry_id)
    assert world.provider.texts() == ["re: oi", "Oi, aqui é a Bia."]
    assert (sent["author"], sent["authorName"]) == ("staff", "Bia")
    assert (conversation.taken_over_by, conversation.unread, conversation.waiting_for_person) == ("Bia", 0, False)


async def test_the_bot_answers_again_after_a_hand_back_and_knows_the_note(world: World) -> None:
    async with world.messaging:
        await world.accept(text("wamid.1", "oi"))
        await world.idle()
        await take_over(world.messaging.handover, BOA_VIDA, MARIA, "Bia", "")
        await hand_back(world.messaging.handover, BOA_VIDA, MARIA, "Bia", "já pagou o sinal")
        await world.accept(text("wamid.2", "obrigada"))
        await world.idle()

    turn = world.receptionist.turns[1]
    assert (turn.history[-1]["role"], turn.history[-1]["content"]) == ("system", "já pagou o sinal")
    assert (turn.agent, turn.state) == ("triage", {})


async def test_a_message_that_waits_while_the_conversation_is_handed_back_is_answered_by_the_bot(world: World) -> None:
    conversation = await world.conversation()
    waiting = [Arrival("wamid.1", text("wamid.1"), NOON, "meta", "1001")]

    assert record_turn(conversation, Turn([], waiting, None), NOON) is None


async def test_a_person_cannot_write_outside_of_the_service_window(world: World) -> None:
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.idle()
        world.clock.advance(24 * 3600)
        with pytest.raises(WindowClosed):
            await send_as_person(world.messaging.handover, BOA_VIDA, MARIA, "Bia", "oi")
        await world.idle()

    assert len(world.provider.sent) == 1


@pytest.mark.parametrize(("clinic_id", "contact"), [(SORRISO, MARIA), (BOA_VIDA, JOAO), (BOA_VIDA, Contact("../x"))])
async def test_an_outsider_finds_no_conversation_to_take(world: World, clinic_id: str, contact: Contact) -> None:
    handover = world.messaging.handover
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.idle()
        for attempt in (
            take_over(handover, clinic_id, contact, "Eva", ""),  # type: ignore[arg-type]  # a ClinicId is a str
            hand_back(handover, clinic_id, contact, "Eva"),  # type: ignore[arg-type]  # a ClinicId is a str
            send_as_person(handover, clinic_id, contact, "Eva", "oi"),  # type: ignore[arg-type]  # a ClinicId is a str
        ):
            with pytest.raises(NotFound):
                await attempt

    assert not (await world.conversation()).is_human_takeover


async def test_handing_back_what_the_bot_has_changes_nothing(world: World) -> None:
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.idle()
        before = await world.documents.get(MARIA_HERE.path)
        await hand_back(world.messaging.handover, BOA_VIDA, MARIA, "Bia", "nada")

    assert await world.documents.get(MARIA_HERE.path) == before
    assert MessageRole.SYSTEM not in column(await world.history(), "role")
