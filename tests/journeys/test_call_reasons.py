"""Why a person was called is one of a fixed list: kept on every handover, counted in the numbers, told with what would
avoid it."""

import pytest
from tests.journeys.phone import Phone
from tests.journeys.test_numbers import numbers
from tests.journeys.town import AURORA, BROMELIA
from tests.web.api.conftest import bearer

from gendei.conversation.stored.history import Event
from gendei.documents import Query, put
from gendei.messages.called_for import CalledFor
from gendei.messages.keys import ConversationKey
from gendei.messages.replies import Reply
from gendei.staff.actors import Right, terminal
from gendei.web.pages.reasons import advice

TALKS = {
    "asked": ("quero falar com uma pessoa",),
    "unknown": ("vocês têm wifi?", "quero falar com uma pessoa"),
    "cannot": ("preciso de um atestado",),
    "money": ("preciso do recibo da consulta",),
    "not_understood": ("xpto zzzt blorgh", "fghj qwer tyui", "bnmv lkjh poiu", "zxcv mnbv asdf", "qpwo eiru tyal"),
    "danger": ("estou com uma dor muito forte no peito e falta de ar",),
    "complaint": ("que absurdo, péssimo atendimento, quero reclamar",),
    "arrived": ("cheguei, estou na recepção",),
}


def rita_of(town) -> Phone:
    return Phone(town, "+5511988880001", "Rita Melo")


async def conversation(town, clinic_id=AURORA, more=""):
    headers = await bearer(town.gendei, clinic_id, Right.READ)
    return await town.client.get(f"/api/v1/conversations/+5511988880001{more}", headers=headers)


async def called(town, clinic_id=AURORA) -> dict[str, int]:
    return (await numbers(town, clinic_id))["totals"]["called"]


@pytest.mark.parametrize("reason", TALKS)
async def test_a_person_is_called_for_a_reason_that_is_counted(town, reason):
    rita = rita_of(town)
    for words in TALKS[reason]:
        await rita.say(words)
    assert (await conversation(town)).json()["calledFor"] == reason
    messages = (await conversation(town, more="/messages")).json()["items"]
    assert [each["calledFor"] for each in messages if each["kind"] == "event"] == [reason]
    assert await called(town) == {reason: 1}
    assert await called(town, BROMELIA) == {}
    assert (await conversation(town, BROMELIA)).status_code == 404


async def test_who_comes_because_they_were_called_is_not_counted_again_and_who_comes_unasked_is(town):
    rita, ines = rita_of(town), Phone(town, "+5511988880002", "Inês Dias")
    await rita.say("quero falar com uma pessoa")
    await ines.say("quanto custa a limpeza?")
    people = town.gendei.front_desk.conversations
    await people.send(terminal(AURORA), rita.number, Reply("Bom dia, Rita!"))
    await people.take_over(terminal(AURORA), ines.number)
    await town.idle()
    assert (await conversation(town)).json()["calledFor"] == "asked"
    assert await called(town) == {"asked": 1, "staff": 1}


async def test_a_handover_of_before_there_were_reasons_is_read_and_counted_without_one(town):
    rita = rita_of(town)
    await rita.say("quero falar com uma pessoa")
    key = ConversationKey(AURORA, rita.number)
    [event] = [
        found
        for found in await town.gendei.documents.query(Query(f"{key.path}/messages"))
        if (found.data or {}).get("event") == Event.TAKEN_OVER
    ]
    await town.gendei.documents.commit([put(event.path, {k: v for k, v in event.data.items() if k != "calledFor"})])
    home = await town.gendei.documents.get(key.path)
    await town.gendei.documents.commit([put(key.path, {k: v for k, v in home.data.items() if k != "calledFor"})])
    assert (await conversation(town)).json()["calledFor"] is None
    assert await called(town) == {"untold": 1}


def test_each_reason_leads_to_what_would_avoid_it():
    for reason in (*CalledFor, "untold"):
        assert all(advice(str(reason)))
        assert advice(str(reason)).place.startswith("/")
    assert advice("of a later version") == advice("untold")
