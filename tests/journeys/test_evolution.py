"""Over Evolution API: what a patient sees, and what must never start a turn."""

import pytest
from tests.journeys.channels import SECRETS, Caller, open_square
from tests.providers.evolution_simulator import EvolutionWebhooks

from gendei.providers.stand_in.graph import Failure

MARIA, LID = "+5511999990001", "81234567890123@lid"
MENU = "quero marcar uma limpeza amanhã de tarde"


@pytest.fixture
async def square(tmp_path):
    async with open_square(tmp_path) as opened:
        yield opened


@pytest.fixture
def maria(square) -> Caller:
    return Caller(square, square.lines["evolution"], MARIA)


async def test_options_are_one_text_with_numbers(maria):
    told = await maria.say(MENU)
    numbered = [line for line in told.splitlines() if line[:1].isdigit()]
    assert (len(maria.texts), [line[0] for line in numbered][:4]) == (1, ["1", "2", "3", "4"])


async def test_a_tap_is_understood_by_its_id(maria):
    asked = await maria.tap("do|book", "")
    assert (await maria.say("quero marcar")).endswith(asked.partition("\n\n")[2])  # asked in other words


async def test_a_patient_with_a_hidden_number_books_and_is_answered_there(square):
    hidden = Caller(square, square.lines["evolution"], LID, "Cecília Prado")
    await hidden.say("quero marcar uma limpeza amanhã às 16h")
    await hidden.say("sim")
    assert await square.agenda_of(LID) == [("confirmed", "limpeza", "2026-11-24T16:00")]


async def test_what_staff_write_on_the_clinics_phone_takes_the_conversation_over(square, maria):
    await maria.say(MENU)
    assert await maria.deliver(maria.line.maker.echo(MARIA, "Oi, Maria, aqui é a Rosa.")) == 200
    await maria.say("oi?")
    seen = await square.conversation(MARIA)
    assert (len(maria.texts), seen["isHumanTakeover"]) == (1, True)


async def test_the_echo_of_our_own_message_takes_nothing_over(square, maria):
    await maria.say("onde fica?")
    (sent,) = maria.line.provider.sent
    await maria.deliver(maria.line.maker.echo(MARIA, sent.text, message_id=sent.id))
    await maria.say("quanto custa?")
    seen = await square.conversation(MARIA)
    assert (len(maria.texts), seen["isHumanTakeover"]) == (2, False)


@pytest.mark.parametrize(
    "content",
    [
        {"reactionMessage": {"key": {"id": "3EB0"}, "text": "👍"}},
        {"pollCreationMessage": {"name": "Qual?"}},
        {"protocolMessage": {"type": 14, "key": {"id": "3EB0"}, "editedMessage": {"conversation": "15h"}}},
        {},
    ],
)
async def test_reactions_polls_edits_and_empty_messages_are_not_answered(maria, content):
    assert (await maria.deliver(maria.line.maker.message(MARIA, content)), maria.texts) == (200, [])


@pytest.mark.parametrize("chat", ["120363041@g.us", "status@broadcast", "120363@newsletter"])
async def test_groups_and_status_updates_are_not_answered(square, maria, chat):
    assert await maria.deliver(maria.line.maker.text(chat, "quero marcar")) == 200
    assert maria.line.provider.sent == []


async def test_another_instances_secret_changes_nothing(square, maria):
    forged = EvolutionWebhooks("cravo", "evolution-webhooks-of-someone", square.gendei.clock)
    assert (await maria.deliver(forged.text(MARIA, "quero marcar")), maria.texts) == (401, [])


async def test_a_body_that_claims_another_instance_changes_nothing(square, maria):
    forged = EvolutionWebhooks("aurora", SECRETS["EVOLUTION_SECRET"], square.gendei.clock)
    assert (await maria.deliver(forged.text(MARIA, "quero marcar")), maria.texts) == (200, [])
    assert await square.conversation(MARIA) is None


async def test_the_fate_of_a_message_is_known(square, maria):
    await maria.say("onde fica?")
    (sent,) = maria.line.provider.sent
    await maria.deliver(maria.line.maker.status(sent.id, "READ"))
    await maria.deliver(maria.line.maker.status(sent.id, "DELIVERY_ACK"))
    clinic_messages = await square.history_of(MARIA)
    assert [
        clinic_message["deliveryState"]
        for clinic_message in clinic_messages
        if clinic_message.get("role") == "assistant"
    ] == ["read"]


async def test_a_number_without_whatsapp_is_told_to_staff_and_not_tried_again(square, maria):
    maria.line.provider.fail_next(Failure(status=400))
    await maria.say("onde fica?")
    seen = await square.conversation(MARIA)
    assert (maria.texts, seen["lastFailure"]["reason"]) == ([], "send_failed")


async def test_a_question_is_marked_as_read(maria):
    await maria.say("onde fica?", message_id="3EB0HELLO")
    await maria.line.provider.wait_until(lambda: len(maria.line.provider.reads) == 1)
    assert maria.line.provider.reads[0].message_id == "3EB0HELLO"
