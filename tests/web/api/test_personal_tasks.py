"""Tasks that nobody but their user sees, over the API."""

from typing import Any

import pytest
from tests.journeys.town import AURORA
from tests.web.api.conftest import Api, gestor

from gendei.clinic import ClinicId
from gendei.documents import put
from gendei.staff.access.users import USER, User, user_path
from gendei.staff.actors import NO_CLINIC, Actor, Right, Role

WORDS = "contador"
BOTH = (Right.READ, Right.WRITE)


async def employed(
    api: Api, name: str, clinic: ClinicId = AURORA, role: Role = Role.ATENDENTE, by: Actor | None = None
) -> dict[str, str]:
    """The headers of a token of somebody who works at the clinic, made by themselves unless somebody else makes it."""
    user = User(f"{name}@clinica.example", name.capitalize(), role, clinic, api.gendei.clock(), "-")
    await api.gendei.documents.commit([put(user_path(user.id), USER.write(user))])
    return await token_of(api, user, by)


async def token_of(api: Api, user: User, by: Actor | None = None) -> dict[str, str]:
    actor = user.actor(AURORA)
    rights = [*BOTH, *([Right.MANAGE] if user.role is Role.GESTOR else [])]
    _, text = await api.gendei.staff.tokens.add(by or actor, "meu", rights, user=actor)
    return {"Authorization": f"Bearer {text}"}


async def add(api: Api, headers: dict[str, str], **more: Any) -> dict[str, Any]:
    wish = {"title": f"Ligar para o {WORDS}", "description": f"do {WORDS}", "due": "amanhã", "personal": True} | more
    answer = await api.client.post("/tasks", json=wish, headers=headers)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def test_who_wrote_a_personal_task_finds_does_changes_and_removes_it(api: Api) -> None:
    bia = await employed(api, "bia")
    task = await add(api, bia)
    at = f"/tasks/{task['id']}"
    listed = (await api.client.get("/tasks", headers=bia)).json()
    assert (task["personal"], listed) == (True, {"items": [task], "pending": 1, "overdue": 0, "completed": 0})
    changed = (await api.client.patch(at, json={"title": "Outro"}, headers=bia)).json()
    done = (await api.client.post(f"{at}/complete", json={}, headers=bia)).json()
    assert [(each["title"], each["status"], each["personal"]) for each in (changed, done)] == [
        ("Outro", "pending", True),
        ("Outro", "completed", True),
    ]
    assert (await api.client.get("/tasks", headers=bia)).json()["completed"] == 1
    assert (await api.client.delete(at, headers=bia)).json() == done
    assert (await api.client.get(at, headers=bia)).status_code == 404


async def test_nobody_else_sees_counts_or_touches_it(api: Api) -> None:
    task = await add(api, bia := await employed(api, "bia"))
    at, manager = f"/tasks/{task['id']}", await employed(api, "gil", role=Role.GESTOR)
    others = {
        "colleague": await employed(api, "rui"),
        "manager": manager,
        "operator": await employed(api, "otto", NO_CLINIC, Role.OPERADOR),
        "the clinic's program": dict(api.client.headers),
        "a token that the manager made for Bia": await employed(api, "bia", by=gestor()),
        "outsider": api.outsider,
    }
    for who, headers in others.items():
        listed = await api.client.get("/tasks", headers=headers)
        assert (who, listed.json()) == (who, {"items": [], "pending": 0, "overdue": 0, "completed": 0})
        tried = [
            await api.client.get(at, headers=headers),
            await api.client.patch(at, json={"title": "Meu"}, headers=headers),
            await api.client.post(f"{at}/complete", json={}, headers=headers),
            await api.client.delete(at, headers=headers),
        ]
        assert (who, [answer.status_code for answer in tried]) == (who, [404] * 4)
        assert (who, [WORDS in answer.text for answer in tried]) == (who, [False] * 4)
    assert (await api.client.get(at, headers=bia)).json() == task


async def test_the_audit_tells_that_there_is_one_and_none_of_its_words(api: Api) -> None:
    bia = await employed(api, "bia")
    task = await add(api, bia)
    await api.client.patch(f"/tasks/{task['id']}", json={"description": WORDS}, headers=bia)
    entries = [
        entry for entry in await api.gendei.staff.audit.search(gestor()) if str(entry.action).startswith("task.")
    ]
    assert sorted((entry.action, entry.subject, entry.detail) for entry in entries) == [
        ("task.added", task["id"], {"kind": "personal"}),
        ("task.changed", task["id"], {"kind": "personal", "changed": ["description"]}),
    ]
    assert WORDS not in str(entries)


@pytest.mark.parametrize("changed", [False, True])
async def test_a_personal_task_is_nobody_elses_to_do(api: Api, changed: bool) -> None:
    bia, rui = await employed(api, "bia"), "rui@clinica.example"
    await employed(api, "rui")
    if changed:
        task = await add(api, bia)
        answer = await api.client.patch(f"/tasks/{task['id']}", json={"assignedTo": rui}, headers=bia)
    else:
        wish = {"title": "Ligar", "personal": True, "assignedTo": rui}
        answer = await api.client.post("/tasks", json=wish, headers=bia)
    assert (answer.status_code, answer.json()["reason"]) == (409, "personal_of_another")


async def test_a_program_of_the_clinics_has_no_personal_tasks(api: Api) -> None:
    answer = await api.client.post("/tasks", json={"title": "Ligar", "personal": True})
    assert (answer.status_code, answer.json()["reason"]) == (409, "personal_of_nobody")


async def test_the_same_key_is_the_same_task_personal_or_not(api: Api) -> None:
    bia = await employed(api, "bia")
    first, again = [
        await api.gendei.tasks.add(await actor_of(api, bia), "Ligar", key="k1", personal=personal)
        for personal in (True, False)
    ]
    assert (first.personal, again) == (True, first)


async def test_who_is_locked_out_keeps_them_until_let_in_again(api: Api) -> None:
    task = await add(api, bia := await employed(api, "bia"))
    accounts, colleague = api.gendei.staff.accounts, await employed(api, "rui")
    await accounts.disable(gestor(), "bia@clinica.example")
    assert (await api.client.get("/tasks", headers=colleague)).json()["items"] == []
    await accounts.enable(gestor(), "bia@clinica.example")
    assert (await api.client.get("/tasks", headers=bia)).json()["items"] == [task]


async def actor_of(api: Api, headers: dict[str, str]) -> Actor:
    actor = await api.gendei.staff.tokens.actor_of(headers["Authorization"].removeprefix("Bearer "))
    assert actor is not None
    return actor
