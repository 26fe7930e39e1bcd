"""A message that fails every time is set aside with its reason; the patient is told, and the conversation goes on."""

import pytest
from tests.conversation.cast import APOLOGY, MARIA_THERE, World, column, text
from tests.journeys.phone import Phone
from tests.journeys.town import AURORA, BROMELIA, Town

from gendei.conversation.backlog import Backlog
from gendei.conversation.turns.turn import MAX_ATTEMPTS
from gendei.documents import put
from gendei.messages.keys import INBOX

TROUBLE = "Desculpe, tive um problema aqui e não consegui responder."


async def test_what_cannot_be_read_is_parked_told_to_the_patient_and_shown_to_the_operator(
    town: Town,
) -> None:
    maria = Phone(town, "+5511999990001", "Maria Silva")
    joao = Phone(town, "+5511999990002", "João Pedro")
    await maria.say("oi")
    entry = {
        "clinicId": "aurora",
        "contact": maria.number,
        "conversation": f"aurora/{maria.number}",
        "provider": "meta",
        "externalId": "700000000000001",
        "status": "waiting",
        "message": {"id": "wamid.poison", "type": "hologram"},
        "receivedAt": town.gendei.clock(),
        "ordinal": 0,
        "attempts": 0,
    }
    await town.gendei.documents.commit([put(f"{INBOX}/wamid.poison", entry)])
    await town.gendei.messaging.worker.sweep()
    await town.idle()
    told = maria.last.text
    failure = (await town.conversation(maria.number))["lastFailure"]
    shown = await Backlog(town.gendei.documents, town.gendei.clock, AURORA).show()

    assert (told.startswith(TROUBLE), failure["reason"]) == (True, "parked")
    assert [(refusal.id, str(refusal.trouble), refusal.reason) for refusal in shown] == [
        ("wamid.poison", "parked", "1 unreadable or failing repeatedly")
    ]
    assert await Backlog(town.gendei.documents, town.gendei.clock, BROMELIA).show() == []
    assert "Rua do Sol" in await maria.say("onde fica?")
    assert joao.messages == []


async def test_what_fails_in_every_turn_is_parked_after_its_attempts_and_the_next_message_answered(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not the receptionist fails, which is an apology at once, but what is made of its answer."""
    failures = 0

    def poisonous(_entries: object) -> None:
        nonlocal failures
        failures += 1
        raise ArithmeticError("of this message alone")

    monkeypatch.setattr("gendei.conversation.turns.recording.done_writes", poisonous)
    async with world.messaging:
        await world.accept(text("wamid.1", "veneno"))
        await world.sending()
        monkeypatch.undo()
        await world.idle()
        await world.accept(text("wamid.2", "tudo bem?"))
        await world.sending()
        await world.idle()

    assert (failures, world.provider.texts()) == (MAX_ATTEMPTS, [APOLOGY, "re: tudo bem?"])
    assert column(await world.inbox(), "status") == ["parked", "done"]
    assert "veneno" in column(await world.history(), "content")
    assert await world.history(MARIA_THERE) == []
