"""When something breaks: Meta is asked to come again, the patient reads an apology, staff see the reason."""

from datetime import timedelta

from tests.journeys.phone import Phone
from tests.journeys.town import AURORA, open_town

from gendei.documents import delete, put
from gendei.messages.keys import ConversationKey
from gendei.providers.stand_in.graph import Failure

APOLOGY = (
    "Desculpe, tive um problema aqui e não consegui responder. Já avisei a equipe. "
    "Pode tentar de novo em alguns minutos?"
)


async def test_while_the_store_is_away_meta_is_asked_to_come_again_and_the_message_is_answered_then(tmp_path):
    async with open_town(tmp_path) as town:
        maria = Phone(town, "+5511999990001", "Maria Silva")
        webhook = town.maker().text(maria.number, "onde fica?", name=maria.name)
    async with open_town(tmp_path, outsiders=False) as town:
        await town.gendei.documents.close()
        refused = await town.post(webhook)
        ready, alive = [(await town.client.get(path)).status_code for path in ("/readyz", "/healthz")]
    async with open_town(tmp_path, outsiders=False) as town:
        accepted = await town.post(webhook)
        await town.idle()
        told = Phone(town, maria.number, maria.name).texts
    assert (refused, ready, alive, accepted, told) == (503, 503, 200, 200, ["📍 Rua do Sol, 12, Campinas"])


async def test_an_exception_in_a_turn_becomes_an_apology_and_staff_see_the_reason(town, maria):
    unreadable = {"contact": maria.number, "start": town.gendei.clock() + timedelta(days=1)}
    await town.gendei.documents.commit([put(f"gendei_clinics/{AURORA}/appointments/broken", unreadable)])
    told = await maria.say("quais meus horários?")
    failure = (await town.conversation(maria.number))["lastFailure"]
    assert (told, failure["reason"], failure["detail"]) == (APOLOGY, "turn_failed", "ToolBroken: UnreadableDocument")
    await town.gendei.documents.commit([delete(f"gendei_clinics/{AURORA}/appointments/broken")])
    assert "Rua do Sol" in await maria.say("onde fica?")


async def test_a_draft_that_cannot_be_read_is_begun_anew(town, maria):
    await maria.say("limpeza amanhã às 15h")
    key = ConversationKey(AURORA, maria.number)
    broken = await town.conversation(maria.number) | {"agentState": {"state": "no-such-state"}}
    await town.gendei.documents.commit([put(key.path, broken)])
    assert "Rua do Sol" in await maria.say("onde fica?")


async def test_a_message_that_whatsapp_refuses_is_shown_to_staff(town, maria):
    town.graph.fail_next(Failure(status=400, code=131026))
    assert await maria.write("onde fica?") == 200
    await town.idle()
    failure = (await town.conversation(maria.number))["lastFailure"]
    assert (maria.messages, failure["reason"], "131026" in failure["detail"]) == ([], "send_failed", True)


async def test_a_message_that_whatsapp_did_not_take_at_first_arrives_once(town, maria):
    town.graph.fail_next(Failure(status=503, code=131016))
    await maria.write("onde fica?")
    await town.graph.wait_sent(1)
    await town.idle()
    assert (maria.texts, town.graph.failures_left) == (["📍 Rua do Sol, 12, Campinas"], 0)


async def test_a_delivery_that_failed_later_is_shown_to_staff(town, maria):
    await maria.say("onde fica?")
    error = {"code": 131047, "title": "Re-engagement message"}
    await town.post(town.maker().status(maria.last.id, "failed", maria.last.reference, error=error))
    failure = (await town.conversation(maria.number))["lastFailure"]
    assert (failure["reason"], "131047" in failure["detail"]) == ("delivery_failed", True)


async def test_one_patients_failure_does_not_touch_another(town, maria, joao):
    town.graph.fail_next(Failure(status=400, code=131026))
    await maria.write("onde fica?")
    await town.idle()
    assert (await joao.say("onde fica?"), (await town.conversation(joao.number))["lastFailure"]) == (
        "📍 Rua do Sol, 12, Campinas",
        None,
    )
