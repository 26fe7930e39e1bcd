"""The clinic's inbox over HTTP: danger stands first until a person takes it up, conversations are put off, closed and
passed on together, and begun."""

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import httpx
import pytest
from tests.journeys.phone import Phone
from tests.journeys.town import AURORA, BROMELIA, NOW, Town, open_town
from tests.web.api.conftest import bearer, moment

from gendei.clinic import MessageTemplate
from gendei.documents import put
from gendei.staff.access.users import USER, User, user_path
from gendei.staff.actors import Right, Role

DANGER = "estou com dor no peito e falta de ar"
MARIA, EVA = "+5511999990001", "+5511999990009"
"""Eva never wrote."""


@dataclass(frozen=True)
class Reception:
    """A program of Aurora's, and one of Bromélia's."""

    client: httpx.AsyncClient
    own: dict[str, str]
    outsider: dict[str, str]

    async def get(self, path: str, **params: Any) -> Any:
        answer = await self.client.get(f"/api/v1{path}", params=params, headers=self.own)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def post(self, path: str, body: Any = None, *, outsider: bool = False) -> httpx.Response:
        headers = self.outsider if outsider else self.own
        return await self.client.post(f"/api/v1{path}", json=body or {}, headers=headers)

    async def listed(self, **params: Any) -> list[str]:
        return [row["contact"] for row in (await self.get("/conversations", **params))["items"]]


@pytest.fixture
async def reception(town: Town) -> Reception:
    own, outsider = [await bearer(town.gendei, clinic, Right.READ, Right.WRITE) for clinic in (AURORA, BROMELIA)]
    return Reception(town.client, own, outsider)


async def with_template(town: Town) -> None:
    """Aurora has a template for messages of its staff."""
    template = MessageTemplate("equipe", parameters=("patient", "clinic_name"))
    await town.gendei.directory.import_clinic(replace(await town.clinic(), templates={"staff_message": template}))


async def test_danger_stands_first_until_a_person_takes_it_up(town, maria, joao, reception):
    await maria.say(DANGER)
    await joao.say("oi")
    first = (await reception.get("/conversations"))["items"][0]
    assert (first["contact"], first["dangerSince"] is not None) == (maria.number, True)
    await reception.get(f"/conversations/{maria.number}/messages")
    assert await reception.listed() == [maria.number, joao.number]
    refused = await reception.post(f"/conversations/{maria.number}/see-to-danger", outsider=True)
    seen = await reception.post(f"/conversations/{maria.number}/see-to-danger")
    assert (refused.status_code, seen.status_code, seen.json()["dangerSince"]) == (404, 200, None)


async def test_danger_told_to_a_person_who_has_the_conversation_stands_first_again(town, maria, joao, reception):
    await maria.say("oi")
    await reception.post(f"/conversations/{maria.number}/take-over")
    await joao.say("oi")
    await maria.say(DANGER)
    assert (await reception.get(f"/conversations/{maria.number}"))["dangerSince"] is not None
    await reception.post(f"/conversations/{maria.number}/messages", {"text": "Ligue 192. Estou ligando para você."})
    assert (await reception.get(f"/conversations/{maria.number}"))["dangerSince"] is None


async def test_what_is_put_off_comes_back_when_the_patient_writes(town, maria, joao, reception):
    for patient in (maria, joao):
        await patient.say("oi")
    off = await reception.post(f"/conversations/{maria.number}/snooze", {"until": moment("08:00")})
    assert (off.status_code, off.json()["snoozedUntil"]) == (200, "2026-11-24T11:00:00Z")
    assert (await reception.listed(), await reception.listed(snoozed=True)) == ([joao.number], [maria.number])
    await maria.say("ainda estou aqui")
    assert sorted(await reception.listed()) == sorted([maria.number, joao.number])


async def test_nothing_is_put_off_to_the_past_nor_by_an_outsider(town, maria, reception):
    await maria.say("oi")
    path = f"/conversations/{maria.number}/snooze"
    past = await reception.post(path, {"until": moment("08:00", 20)})
    outsider = await reception.post(path, {"until": moment("08:00")}, outsider=True)
    assert (past.status_code, past.json()["reason"], outsider.status_code) == (409, "past", 404)
    back = await reception.post(path, {"until": None})
    assert (back.status_code, await reception.listed()) == (200, [maria.number])


async def test_several_are_closed_at_once_but_for_danger(town, maria, joao, reception):
    await maria.say(DANGER)
    await joao.say("oi")
    asked = {"contacts": [maria.number, joao.number, EVA]}
    assert (await reception.post("/conversations/close", asked, outsider=True)).json()["done"] == []
    closed = (await reception.post("/conversations/close", asked)).json()
    left = [{"contact": maria.number, "reason": "danger"}, {"contact": EVA, "reason": "not_found"}]
    assert closed == {"done": [joao.number], "left": left}
    assert await reception.listed() == [maria.number]


async def test_several_are_passed_on_at_once_to_a_colleague_and_to_no_stranger(town, maria, joao, reception):
    caio = User("caio@aurora.test", "Caio", Role.ATENDENTE, AURORA, town.gendei.clock(), "-")
    olga = User("olga@bromelia.test", "Olga", Role.ATENDENTE, BROMELIA, town.gendei.clock(), "-")
    await town.gendei.documents.commit([put(user_path(user.id), USER.write(user)) for user in (caio, olga)])
    for patient in (maria, joao):
        await patient.say("oi")
    contacts = [maria.number, joao.number]
    done = await reception.post("/conversations/assign", {"contacts": contacts, "assignedTo": caio.id})
    stranger = await reception.post("/conversations/assign", {"contacts": contacts, "assignedTo": olga.id})
    names = {row["assignedName"] for row in (await reception.get("/conversations"))["items"]}
    assert (done.json()["done"], stranger.status_code, names) == (contacts, 404, {"Caio"})


async def test_a_conversation_is_begun_by_template_and_the_text_follows_the_answer(town, reception):
    await with_template(town)
    text = "Seu aparelho chegou. Quando pode vir?"
    begun = await reception.post("/conversations", {"contact": "(11) 99999-0009", "text": text, "patientName": "Eva"})
    await town.idle()
    assert (begun.status_code, begun.json()["contact"]) == (201, EVA)
    [invited] = town.sent_to(EVA)
    assert (invited.payload["template"]["name"], invited.text) == ("equipe", "Eva\nClínica Aurora")
    eva = Phone(town, EVA, "Eva Lima")
    await eva.write("oi, quem é?")
    await town.idle()
    assert [message.text for message in town.sent_to(EVA)[1:]] == [text]
    row = await reception.get(f"/conversations/{EVA}")
    assert (row["state"], row["takenOverBy"]) == ("person", "programa")


async def test_where_the_window_is_open_the_text_itself_begins(town, maria, reception):
    await maria.say("oi")
    begun = await reception.post("/conversations", {"contact": maria.number, "text": "Aqui é a Bia."})
    await town.idle()
    assert (begun.status_code, maria.last.text) == (201, "Aqui é a Bia.")


@pytest.mark.parametrize(
    ("contact", "status", "reason"),
    [("12", 422, "invalid"), ("BR.99", 409, "no_template"), (EVA, 409, "no_template"), ("\n", 422, None)],
)
async def test_what_cannot_be_begun_says_why_and_leaves_nothing(town, reception, contact, status, reason):
    refused = await reception.post("/conversations", {"contact": contact, "text": "Oi"})
    assert (refused.status_code, refused.json().get("reason")) == (status, reason)
    assert (await reception.listed(), town.sent_to(EVA)) == ([], [])


@pytest.mark.usefixtures("on_firestore")
async def test_on_firestore_danger_stands_first_and_what_is_put_off_is_gone(town, maria, joao, reception):
    await maria.say(DANGER)
    await joao.say("oi")
    await reception.post(f"/conversations/{joao.number}/snooze", {"until": moment("08:00")})
    assert (await reception.listed(), await reception.listed(snoozed=True)) == ([maria.number], [joao.number])


async def test_who_goes_on_by_a_template_has_the_conversation_and_the_bot_does_not_answer_for_them(tmp_path):
    async with open_town(tmp_path) as town:
        await Phone(town, MARIA, "Maria Silva").say("quero falar com uma pessoa")
    async with open_town(tmp_path, now=NOW + timedelta(hours=25), outsiders=False) as town:
        await with_template(town)
        own, other = [await bearer(town.gendei, clinic, Right.READ, Right.WRITE) for clinic in (AURORA, BROMELIA)]
        reception, maria = Reception(town.client, own, other), Phone(town, MARIA, "Maria Silva")
        path, words = f"/conversations/{MARIA}", {"text": "Seu laudo chegou.", "template": True}
        refused = await reception.post(f"{path}/messages", words, outsider=True)
        sent = await reception.post(f"{path}/messages", words)
        await town.idle()
        assert (refused.status_code, sent.status_code) == (404, 201)
        assert (maria.last.payload["type"], (await reception.get(path))["state"]) == ("template", "person")
        assert await maria.say("oi, pode falar") == "Seu laudo chegou."
        before = len(maria.messages)
        await maria.say("qual o endereço?")
        assert len(maria.messages) == before
