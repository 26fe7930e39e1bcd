import asyncio

import pytest
from tests.conversation.cast import (
    APOLOGY,
    JOAO,
    MARIA,
    MARIA_HERE,
    MARIA_THERE,
    NOON,
    SORRISO,
    World,
    column,
    said,
    text,
)

from gendei.clinics.directory import Directory
from gendei.conversation.stored.conversation import FailureReason
from gendei.conversation.stored.history import read_steps
from gendei.messages.message import MessageType
from gendei.messages.replies import Option, Reply
from gendei.messages.turns import ToolStep, TurnOutcome
from gendei.store.sqlite import SqliteDocuments


async def test_a_message_is_answered(world: World) -> None:
    async with world.messaging:
        await world.accept(text("wamid.1", "oi"))
        await world.idle()

    [sent] = world.provider.sent
    assert (sent.to_phone, sent.reply.text) == (MARIA, "re: oi")


async def test_the_same_webhook_five_times_is_one_answer(world: World) -> None:
    async with world.messaging:
        for _ in range(5):
            await world.accept(text("wamid.1"))
            await world.idle()

    assert world.provider.texts() == ["re: oi"]


async def test_three_quick_messages_are_one_turn(documents: SqliteDocuments, directory: Directory) -> None:
    world = World(documents, directory, quiet=0.3)

    async with world.messaging:
        for number in range(3):
            await world.accept(text(f"wamid.{number}", str(number)))
        await world.sending()

    assert world.receptionist.heard() == [("0", "1", "2")]


async def test_messages_that_arrive_during_a_turn_are_in_the_next(world: World) -> None:
    world.receptionist.free.clear()
    async with world.messaging:
        await world.accept(text("wamid.1", "um"))
        await world.asked()
        await world.accept(text("wamid.2", "dois"))
        await world.accept(text("wamid.3", "três"))
        world.receptionist.free.set()
        await world.idle()

    assert world.receptionist.heard() == [("um",), ("dois", "três")]
    assert world.provider.texts() == ["re: um", "re: dois | três"]


async def test_the_receptionist_is_given_what_is_known(world: World) -> None:
    world.receptionist.script.append(said("Olá!", agent="sales_closer", state={"step": "service"}))
    async with world.messaging:
        await world.accept(text("wamid.1", "oi", sender_name="Maria"))
        await world.idle()
        tapped = text("wamid.2", button_payload="svc:1", button_title="Consulta", type=MessageType.INTERACTIVE)
        await world.accept(tapped)
        await world.idle()

    turn = world.receptionist.turns[1]
    assert (turn.phone, turn.user_name, turn.agent, turn.state) == (MARIA, "Maria", "sales_closer", {"step": "service"})
    assert [(message["role"], message["content"]) for message in turn.history] == [
        ("user", "oi"),
        ("assistant", "Olá!"),
    ]
    assert [(item.text, item.choice, item.kind) for item in turn.inputs] == [("Consulta", "svc:1", "interactive")]
    assert (turn.channel, str(turn.now.tzinfo), turn.now) == ("meta", "America/Sao_Paulo", NOON)


async def test_the_patient_sees_that_the_message_was_read_and_an_answer_is_coming(world: World) -> None:
    async with world.messaging:
        await world.accept(text("wamid.1"), text("wamid.2"))
        await world.idle()

    assert world.provider.read == [("wamid.2", True)]


async def test_the_whole_turn_is_in_the_history(world: World) -> None:
    options = (Option("slot:9h", "9h"),)
    step = ToolStep("list_slots", "{}")
    world.receptionist.script.append(
        TurnOutcome((Reply("Quando?", options), Reply("Diga.")), "triage", {}, steps=(step,))
    )
    async with world.messaging:
        await world.accept(text("wamid.1", "oi"))
        await world.idle()

    first, second, third = await world.history()
    assert (first["role"], first["content"], first["author"], first["id"]) == ("user", "oi", "patient", "wamid.1")
    assert (second["content"], second["options"]) == ("Quando?", [{"id": "slot:9h", "title": "9h"}])
    assert read_steps(second["steps"]) == (step,)
    assert (third["content"], third["author"], third["providerMessageId"]) == ("Diga.", "bot", "wamid.out2")


async def test_an_answered_message_leaves_only_its_id_in_the_inbox(world: World) -> None:
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.idle()

    [entry] = await world.inbox()
    assert (entry["status"], "message" in entry) == ("done", False)


async def test_an_outsider_sees_nothing_of_a_conversation(world: World) -> None:
    async with world.messaging:
        await world.accept(text("wamid.1", "meu segredo"))
        await world.idle()
        await world.accept(text("wamid.2", "oi", sender=JOAO))
        await world.accept(text("wamid.3", "oi"), clinic_id=SORRISO)
        await world.idle()

    assert [turn.history for turn in world.receptionist.turns[1:]] == [(), ()]
    assert column(await world.history(MARIA_THERE), "content") == ["oi", "re: oi"]


async def test_a_receptionist_that_breaks_is_followed_by_an_apology_and_a_reason_for_staff(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    world.receptionist.script.append(ValueError("meu CPF é 123"))
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.idle()

    conversation = await world.conversation()
    event = next(message for message in await world.history() if message["role"] == "system")
    assert world.provider.texts() == [APOLOGY]
    assert conversation.last_failure is not None
    assert conversation.last_failure.reason is FailureReason.TURN_FAILED
    assert event["detail"].startswith("ValueError at cast.py:")
    assert "CPF" not in caplog.text + event["detail"] + conversation.last_failure.detail


async def test_a_receptionist_that_takes_too_long_is_followed_by_an_apology(
    documents: SqliteDocuments, directory: Directory
) -> None:
    world = World(documents, directory, limit_seconds=0.01)
    world.receptionist.free.clear()
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.idle()

    assert world.provider.texts() == [APOLOGY]


@pytest.mark.parametrize(
    "outcome", [said(), said("ok", state={"raw": object()}), said("ok", state={"x": "y" * 1_100_000})]
)
async def test_an_answer_that_cannot_be_used_is_replaced_by_an_apology(world: World, outcome: TurnOutcome) -> None:
    world.receptionist.script.append(outcome)
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.idle()

    assert world.provider.texts() == [APOLOGY]
    assert (await world.conversation()).last_failure is not None


async def test_a_failure_that_the_receptionist_tells_of_is_kept_until_a_turn_goes_well(world: World) -> None:
    world.receptionist.script.append(said("Desculpe.", failure="the model is down"))
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.idle()
        failed = await world.conversation()
        await world.accept(text("wamid.2"))
        await world.idle()

    assert failed.last_failure is not None
    assert failed.last_failure.detail == "the model is down"
    assert (await world.conversation()).last_failure is None


async def test_a_shutdown_finishes_the_turn_and_sends_its_reply(world: World) -> None:
    world.receptionist.free.clear()
    async with world.messaging:
        await world.accept(text("wamid.1"))
        await world.asked()
        asyncio.get_running_loop().call_soon(world.receptionist.free.set)

    assert world.provider.texts() == ["re: oi"]
    assert column(await world.inbox(), "status") == ["done"]


async def test_what_is_accepted_after_the_shutdown_is_answered_by_the_next_process(world: World) -> None:
    async with world.messaging:
        pass
    await world.accept(text("wamid.1"))

    second = world.another()
    async with second.messaging:
        await second.messaging.worker.sweep()
        await second.idle()

    assert (world.provider.texts(), second.provider.texts()) == ([], ["re: oi"])


async def test_the_conversation_document_has_the_fields_of_the_seed(world: World) -> None:
    async with world.messaging:
        await world.accept(text("wamid.1", sender_name="Maria"))
        await world.idle()

    data = (await world.documents.get(MARIA_HERE.path)).data or {}
    seed = ("clinicId", "userPhone", "userName", "patientId", "currentAgent", "agentState", "threadId")
    assert {name: data[name] for name in seed} == {
        "clinicId": "boa-vida",
        "userPhone": MARIA,
        "userName": "Maria",
        "patientId": None,
        "currentAgent": "greeter",
        "agentState": {},
        "threadId": None,
    }
    assert data["messages"][0] == {"role": "user", "content": "oi", "timestamp": NOON.isoformat()}
