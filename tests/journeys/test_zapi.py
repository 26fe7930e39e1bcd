"""Over Z-API: what a patient sees, and what must never start a turn."""

import pytest
from tests.journeys.channels import SECRETS, Caller, open_square
from tests.providers.zapi_simulator import ZapiWebhooks

from gendei.providers.stand_in.graph import Failure

MARIA, LID = "+5511999990001", "81234567890123@lid"


@pytest.fixture
async def square(tmp_path):
    async with open_square(tmp_path) as opened:
        yield opened


@pytest.fixture
def maria(square) -> Caller:
    return Caller(square, square.lines["zapi"], MARIA)


async def test_options_are_one_text_with_numbers(maria):
    told = await maria.say("quero marcar uma limpeza amanhã de tarde")
    numbers = [line[0] for line in told.splitlines() if line[:1].isdigit()]
    assert (len(maria.texts), numbers[:4]) == (1, ["1", "2", "3", "4"])


async def test_a_title_with_a_small_error_is_the_same_choice(square, maria):
    await maria.say("limpeza amanhã às 15h")
    await maria.say("comfirmar")
    assert await square.agenda_of(MARIA) == [("confirmed", "limpeza", "2026-11-24T15:00")]


async def test_a_tap_is_understood_by_its_id(maria):
    asked = await maria.tap("do|book", "")
    assert (await maria.say("quero marcar")).endswith(asked.partition("\n\n")[2])  # asked in other words


async def test_a_patient_whose_hidden_number_shows_first_is_the_same_patient_with_a_phone(square, maria):
    hidden = Caller(square, square.lines["zapi"], LID)
    await hidden.say("quero marcar uma limpeza amanhã às 16h")
    signed = maria.line.maker.message(MARIA, {"text": {"message": "sim"}}, chatLid=LID)
    assert await maria.deliver(signed) == 200
    assert await square.agenda_of(LID) == [("confirmed", "limpeza", "2026-11-24T16:00")]


async def test_what_staff_write_on_the_clinics_phone_takes_the_conversation_over(square, maria):
    await maria.say("quero marcar uma limpeza")
    assert await maria.deliver(maria.line.maker.echo(MARIA, "Oi, Maria, aqui é a Rosa.")) == 200
    await maria.say("oi?")
    seen = await square.conversation(MARIA)
    assert (len(maria.texts), seen["isHumanTakeover"]) == (1, True)


async def test_what_we_sent_ourselves_takes_nothing_over(square, maria):
    await maria.say("onde fica?")
    (sent,) = maria.line.provider.sent
    ours = maria.line.maker.message(MARIA, {"text": {"message": sent.text}}, fromMe=True, fromApi=True)
    await maria.deliver(ours)
    seen = await square.conversation(MARIA)
    assert seen["isHumanTakeover"] is False


@pytest.mark.parametrize(
    ("content", "more"),
    [
        ({"text": {"message": "oi"}}, {"isGroup": True, "phone": "120363041-group"}),
        ({"text": {"message": "oi"}}, {"broadcast": True}),
        ({"text": {"message": "oi"}}, {"isNewsletter": True}),
        ({"text": {"message": "oi"}}, {"isEdit": True}),
        ({}, {"waitingMessage": True}),
        ({"reaction": {"value": "👍", "referencedMessage": {"messageId": "3EB0"}}}, {}),
        ({"pollVote": {"options": []}}, {}),
    ],
)
async def test_what_is_no_new_message_of_one_patient_is_not_answered(square, maria, content, more):
    assert await maria.deliver(maria.line.maker.message(MARIA, content, **more)) == 200
    assert maria.line.provider.sent == []


async def test_a_message_whose_content_comes_later_is_answered_then(maria):
    waiting = maria.line.maker.message(MARIA, {}, message_id="3EB0LATE", waitingMessage=True)
    await maria.deliver(waiting)
    assert "Rua da Lua" in await maria.say("onde fica?", message_id="3EB0LATE")


async def test_without_the_secret_nothing_is_believed(square, maria):
    body, headers = maria.line.maker.text(MARIA, "quero marcar")
    paths = ("/webhooks/zapi/cravo", "/webhooks/zapi/cravo/wrong", f"/webhooks/zapi/nobody/{SECRETS['ZAPI_SECRET']}")
    statuses = [(await square.client.post(path, content=body, headers=headers)).status_code for path in paths]
    assert (statuses, await square.conversation(MARIA)) == ([401, 401, 401], None)


async def test_a_body_that_claims_another_instance_changes_nothing(square, maria):
    forged = ZapiWebhooks("3AURORA001", square.gendei.clock)
    assert (await maria.deliver(forged.text(MARIA, "quero marcar")), maria.texts) == (200, [])


async def test_the_fate_of_a_message_is_known(square, maria):
    await maria.say("onde fica?")
    (sent,) = maria.line.provider.sent
    await maria.deliver(maria.line.maker.status([sent.id], "READ"))
    await maria.deliver(maria.line.maker.status([sent.id], "RECEIVED"))
    states = [
        message.get("deliveryState") for message in await square.history_of(MARIA) if message.get("role") == "assistant"
    ]
    assert states == ["read"]


async def test_a_refused_message_is_told_to_staff_and_not_tried_again(square, maria):
    maria.line.provider.fail_next(Failure(status=400))
    await maria.say("onde fica?")
    seen = await square.conversation(MARIA)
    assert (maria.texts, seen["lastFailure"]["reason"]) == ([], "send_failed")
