"""A mother books for her son, he books for himself, and staff make one card of it: over WhatsApp and the JSON API."""

from contextlib import asynccontextmanager

import pytest
from tests.journeys.phone import Phone
from tests.journeys.town import AURORA, BROMELIA
from tests.web.api.conftest import bearer

from gendei.staff.actors import Right

PDF = {"type": "document", "document": {"id": "777", "mime_type": "application/pdf", "filename": "pedido.pdf"}}


@pytest.fixture
def pedro(town) -> Phone:
    return Phone(town, "+5511999990005", "Pedro")


@asynccontextmanager
async def program(town, clinic_id):
    """What asks the clinic's API, as a function of a path that gives status and answer."""
    headers = await bearer(town.gendei, clinic_id, Right.READ, Right.WRITE)

    async def ask(path, **body):
        method = "POST" if body else "GET"
        answer = await town.client.request(method, f"/api/v1{path}", json=body or None, headers=headers)
        return answer.status_code, answer.json()

    yield ask


async def booked_for_son(maria) -> None:
    await maria.say("quero marcar uma limpeza para meu filho amanhã às 15h")
    await maria.say("Pedro Silva")
    await maria.tap("Confirmar")


async def booked_by_himself(pedro, words: str) -> None:
    await pedro.say(words)
    await pedro.say("Pedro da Silva")
    await pedro.say("sim")


async def found(ask, search: str) -> list[str]:
    return [row["id"] for row in (await ask(f"/patients?search={search}"))[1]["items"] if row["via"] is None]


async def test_a_mother_and_her_son_share_a_card_and_each_others_appointments(town, maria, pedro):
    await maria.say("quero marcar uma limpeza amanhã às 14h")
    await maria.say("sim")
    await booked_for_son(maria)
    await booked_by_himself(pedro, "quero marcar uma limpeza quarta às 10h")
    await town.post(town.maker().message(pedro.number, PDF, name="Pedro", message_id="wamid.pdf"))
    await town.idle()
    async with program(town, AURORA) as ask:
        [hers], [kept, gone] = await found(ask, "maria"), sorted(await found(ask, "pedro"))
        status, plan = await ask(f"/patients/{kept}/merge?otherId={gone}")
        assert (status, plan["refused"], plan["namesDiffer"], len(await found(ask, "pedro"))) == (200, None, False, 2)
        assert (await ask(f"/patients/{kept}/merge", otherId=gone))[0] == 200
        card, again = (await ask(f"/patients/{kept}"))[1], (await ask(f"/patients/{gone}"))[1]
        assert card == again
        assert [(each["contact"], each["start"][:16]) for each in card["coming"]] == [
            (maria.number, "2026-11-24T15:00"),
            (pedro.number, "2026-11-25T10:00"),
        ]
        assert sorted((each["contact"], each["name"]) for each in card["bookers"]) == [
            (maria.number, "Maria Silva"),
            (pedro.number, "Pedro"),
        ]
        assert [each["start"][:16] for each in card["familyComing"]] == ["2026-11-24T14:00"]
        files = (await ask(f"/patients/{kept}/files"))[1]
        assert [(each["name"], each["contact"], each["byPatient"]) for each in files] == [
            ("pedido.pdf", pedro.number, True)
        ]
        seen_by_her = (await ask(f"/patients/{hers}"))[1]
        assert [each["patientName"] for each in seen_by_her["familyComing"]] == ["Pedro Silva", "Pedro da Silva"]

        await booked_by_himself(pedro, "quero marcar mais uma limpeza quinta às 10h")
        card = (await ask(f"/patients/{kept}"))[1]
        assert [each["start"][:16] for each in card["coming"]][2:] == ["2026-11-26T10:00"]
        assert await found(ask, "pedro") == [kept]


async def test_the_bot_tells_nobody_what_another_phone_booked(town, maria, pedro):
    """Staff merge cards; a patient still sees what the own contact booked, and no more."""
    await booked_for_son(maria)
    await booked_by_himself(pedro, "quero marcar uma limpeza quarta às 10h")
    async with program(town, AURORA) as ask:
        kept, gone = await found(ask, "pedro")
        await ask(f"/patients/{kept}/merge", otherId=gone)
    told = await pedro.say("quais são as minhas consultas?")
    assert ("10h" in told, "15h" in told) == (True, False)


async def test_another_clinic_sees_and_merges_nothing(town, maria, pedro):
    await booked_for_son(maria)
    await booked_by_himself(pedro, "quero marcar uma limpeza quarta às 10h")
    async with program(town, AURORA) as ask:
        kept, gone = await found(ask, "pedro")
    async with program(town, BROMELIA) as ask:
        assert await found(ask, "pedro") == []
        assert (await ask(f"/patients/{kept}/merge", otherId=gone))[0] == 404
        assert (await ask(f"/patients/{kept}/merge?otherId={gone}"))[0] == 404
        assert (await ask(f"/patients/{kept}/files"))[0] == 404
    async with program(town, AURORA) as ask:
        assert len(await found(ask, "pedro")) == 2
