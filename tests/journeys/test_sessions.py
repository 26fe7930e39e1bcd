"""Sessions as programs see them: active, paused, terminated; half an hour, a hundred messages; the summary."""

from datetime import timedelta
from typing import Any

from agents.testing import ScriptedModel, assistant_message
from tests.journeys.model import models_of
from tests.journeys.phone import Phone
from tests.journeys.town import AURORA, BROMELIA, NOW, Town, open_town

from gendei.clinic import ClinicId, Contact
from gendei.conversation.stored.conversation import MOST_MESSAGES
from gendei.documents import Query, put
from gendei.messages.keys import ConversationKey
from gendei.staff.actors import RIGHTS, Actor, Role

MARIA = "+5511999990001"


def bia(clinic_id: ClinicId = AURORA) -> Actor:
    return Actor(clinic_id, "u1", "Bia", RIGHTS[Role.GESTOR])


async def seen(town: Town, clinic_id: ClinicId = AURORA, *, status: int = 200) -> dict[str, Any]:
    """Maria's conversation over the API."""
    _, token = await town.gendei.staff.tokens.add(bia(clinic_id), "programa", bia(clinic_id).rights)
    answer = await town.client.get(f"/api/v1/conversations/{MARIA}", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == status
    return answer.json()


async def test_it_is_active_paused_with_a_person_and_terminated_when_closed(town: Town, maria: Phone):
    await maria.say("oi")
    active = (await seen(town))["session"]
    await maria.say("quero falar com uma pessoa")
    awaited = (await seen(town))["session"]
    await town.gendei.front_desk.conversations.take_over(bia(), MARIA)
    paused = (await seen(town))["session"]
    await maria.say("tem alguém aí?")
    while_paused = (await seen(town))["session"]
    await town.gendei.front_desk.conversations.close(bia(), MARIA)
    closed = (await seen(town))["session"]
    await maria.say("oi de novo")
    another = (await seen(town))["session"]
    assert [entry["status"] for entry in (active, awaited, paused, while_paused, closed, another)] == [
        "active", "active", "paused", "paused", "terminated", "active",
    ]  # fmt: skip
    assert [item["messages"] for item in (active, paused, while_paused)] == [2, 4, 5]
    assert (len({entry["id"] for entry in (active, paused, closed)}), another["id"] != active["id"]) == (1, True)


async def test_half_an_hour_ends_it_and_not_the_conversation(tmp_path):
    async with open_town(tmp_path) as town:
        await Phone(town, MARIA, "Maria Silva").say("quero marcar uma limpeza amanhã às 15h")
        first = await seen(town)
    for minutes, same in ((29, True), (60, False)):
        async with open_town(tmp_path, now=NOW + timedelta(minutes=minutes), outsiders=False) as town:
            assert (await seen(town))["session"]["status"] == ("active" if same else "terminated")
            await Phone(town, MARIA, "Maria Silva").say("onde fica?")
            session = (await seen(town))["session"]
            assert ((session["id"] == first["session"]["id"]), session["status"]) == (same, "active")
            await seen(town, BROMELIA, status=404)


async def test_after_a_hundred_messages_another_begins_and_none_is_lost(town: Town, maria: Phone):
    written: set[str] = set()
    full = {"messages": 0}
    while full["messages"] < MOST_MESSAGES:
        at_once = 20 if full["messages"] < 60 else 4 if full["messages"] < 90 else 1
        for number in range(len(written), len(written) + at_once):
            written.add(f"onde fica? {number}")
            await maria.write(f"onde fica? {number}")
        await town.idle()
        last, full = full, (await seen(town))["session"]
        assert full["id"] == last.get("id", full["id"])
    await maria.say("oi")
    another = (await seen(town))["session"]
    assert full["status"] == "terminated"
    assert (another["id"] != full["id"], another["messages"], another["status"]) == (True, 2, "active")
    path = ConversationKey(AURORA, Contact(MARIA)).path
    kept = [snapshot.data for snapshot in await town.gendei.documents.query(Query(f"{path}/messages"))]
    assert written <= {message["content"] for message in kept}
    assert len((await town.conversation(MARIA))["messages"]) == 50


async def test_what_a_model_no_longer_reads_is_summarised_and_stays_in_the_history(tmp_path):
    model = ScriptedModel([[assistant_message(f"Resposta {number}.")] for number in range(40)])
    async with open_town(tmp_path, models=models_of(model)) as town:
        maria = Phone(town, MARIA, "Maria Silva")
        for number in range(14):
            await maria.say(f"Pergunta {number}?")
        summary = (await seen(town))["summary"]
        path = ConversationKey(AURORA, Contact(MARIA)).path
        kept = await town.gendei.documents.query(Query(f"{path}/messages"))
        asked = str(model.last_call.input)
        assert (summary.startswith("Resposta "), f"conversamos antes: {summary}" in asked) == (True, True)
        assert ("Pergunta 0?" in asked, "Pergunta 12?" in asked, len(kept)) == (False, True, 28)
        assert summary not in maria.texts


async def messages(town: Town, clinic_id: ClinicId = AURORA, *, status: int = 200) -> list[dict[str, Any]]:
    """Those of Maria's conversation over the API, the oldest first."""
    _, token = await town.gendei.staff.tokens.add(bia(clinic_id), "programa", bia(clinic_id).rights)
    path = f"/api/v1/conversations/{MARIA}/messages"
    answer = await town.client.get(path, headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == status
    return answer.json().get("items", [])


async def test_messages_carry_their_sessions_id(town: Town, maria: Phone):
    await maria.say("onde fica?")
    first = (await seen(town))["session"]["id"]
    await town.gendei.front_desk.conversations.close(bia(), MARIA)
    await maria.say("onde fica?")
    second = (await seen(town))["session"]["id"]
    told = [(item["who"], item["session"]) for item in await messages(town) if item["kind"] == "message"]
    assert told == [("patient", first), ("bot", first), ("patient", second), ("bot", second)]
    assert (first != second, await messages(town, BROMELIA, status=404)) == (True, [])


async def test_messages_tell_what_became_of_them(town: Town, maria: Phone):
    await maria.say("onde fica?")
    broken = f"gendei_clinics/{AURORA}/appointments/broken"
    unreadable = {"contact": MARIA, "start": town.gendei.clock() + timedelta(days=1)}
    await town.gendei.documents.commit([put(broken, unreadable)])
    await maria.say("quais meus horários?")
    became = [(item["who"], item["processing"], item["delivery"]) for item in await messages(town)]
    assert became[:3] == [("patient", "completed", None), ("bot", None, "sent"), ("patient", "failed", None)]
    assert ("bot", None, "sent") in became[3:]  # beside what the system noted in the same moment
