"""How a patient wants to be answered, over the API."""

import pytest
from tests.web.api.conftest import Api, gestor

from gendei.staff.audit import Action

MARIA = "+5511999990001"
PATH = f"/conversations/{MARIA}/preferences"
ORDINARY = {
    "answers": "as_asked",
    "voice": "",
    "rate": 1.0,
    "language": "pt-BR",
    "interruption": True,
    "context": 20,
    "notices": True,
}


async def test_who_said_nothing_has_the_ordinary_ones(api: Api) -> None:
    await api.converse(MARIA)
    assert (await api.client.get(PATH)).json() == ORDINARY


async def test_what_is_put_stands_and_only_what_changed_is_in_the_audit(api: Api) -> None:
    await api.converse(MARIA)
    wanted = ORDINARY | {"answers": "audio", "voice": "onyx", "rate": 1.5, "notices": False}
    answers = [await api.client.put(PATH, json=wanted), await api.client.put(PATH, json=wanted)]
    assert [(answer.status_code, answer.json()) for answer in answers] == [(200, wanted)] * 2
    assert (await api.client.get(PATH)).json() == wanted
    [entry] = await api.gendei.staff.audit.search(gestor(), action=Action.PATIENT_CHANGED)
    assert entry.detail == {"preferences": ["answers", "notices", "rate", "voice"]}


@pytest.mark.parametrize(
    "wrong",
    [{"voice": "<darth>"}, {"rate": 2.1}, {"rate": True}, {"context": 4}, {"language": "xx"}, {"color": "red"}],
    ids=str,
)
async def test_what_there_is_not_is_refused_by_its_name_and_changes_nothing(api: Api, wrong: dict[str, object]) -> None:
    await api.converse(MARIA)
    refused = await api.client.put(PATH, json=ORDINARY | {"answers": "audio"} | wrong)
    [named] = [problem["where"] for problem in refused.json()["errors"]]
    assert (refused.status_code, named) == (422, f"body.{next(iter(wrong))}")
    assert (await api.client.get(PATH)).json() == ORDINARY


async def test_nothing_is_reset_by_being_left_out(api: Api) -> None:
    await api.converse(MARIA)
    assert (await api.client.put(PATH, json={"voice": "nova"})).status_code == 422
    assert (await api.client.get(PATH)).json() == ORDINARY


async def test_another_clinic_finds_nobody_and_changes_nothing(api: Api) -> None:
    await api.converse(MARIA)
    seen = await api.client.get(PATH, headers=api.outsider)
    put = await api.client.put(PATH, json=ORDINARY | {"answers": "audio"}, headers=api.outsider)
    assert (seen.status_code, put.status_code, (await api.client.get(PATH)).json()) == (404, 404, ORDINARY)
