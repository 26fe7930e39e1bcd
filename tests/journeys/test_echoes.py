"""Staff write on the clinic's own phone (a number that is also in the WhatsApp Business app)."""

import pytest
from tests.handing import hand_back

from gendei.providers.stand_in.graph import new_message_id
from gendei.providers.stand_in.phone import SignedBody


def echo(town, to: str, text: str, message_id: str | None = None) -> SignedBody:
    maker = town.maker()
    seconds = str(int(town.gendei.clock().timestamp()))
    written = {"from": "551130000000", "to": to.removeprefix("+"), "id": message_id or new_message_id()}
    written |= {"timestamp": seconds, "type": "text", "text": {"body": text}}
    return maker.signed(maker.body({"message_echoes": [written]}, field="smb_message_echoes"))


@pytest.fixture
async def answered_by_staff(town, maria):
    await maria.say("oi")
    assert await town.post(echo(town, maria.number, "Oi Maria, é a Rosa. Já vejo para você.")) == 200
    await town.idle()


async def test_the_bot_is_silent_after_staff_answered_on_the_phone(town, maria, answered_by_staff):
    before = len(maria.messages)
    await maria.say("obrigada!")
    seen = await town.conversation(maria.number)
    assert (len(maria.messages), seen["takenOverBy"], seen["waitingForPerson"]) == (before, "celular da clínica", False)


async def test_after_the_hand_back_the_bot_answers_again(town, maria, answered_by_staff):
    await hand_back(town.gendei.messaging.handover, "aurora", maria.number, "Rosa")
    assert await maria.say("onde fica?") == "📍 Rua do Sol, 12, Campinas"


async def test_what_we_sent_ourselves_takes_nothing_over(town, maria):
    await maria.say("oi")
    assert await town.post(echo(town, maria.number, maria.last.text, maria.last.id)) == 200
    await town.idle()
    assert (await town.conversation(maria.number))["isHumanTakeover"] is False
