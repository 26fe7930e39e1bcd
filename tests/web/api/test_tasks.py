"""Tasks over the API."""

from typing import Any

import pytest
from tests.web.api.conftest import Api, gestor

from gendei.staff.audit import Action


async def add(api: Api, title: str = "Ligar para Maria", **more: Any) -> dict[str, Any]:
    answer = await api.client.post("/tasks", json={"title": title} | more)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def test_a_task_is_added_listed_completed_and_removed(api: Api) -> None:
    task = await add(api, due="sexta às 15h")
    listed = (await api.client.get("/tasks")).json()
    done = (await api.client.post(f"/tasks/{task['id']}/complete", json={})).json()
    completed = (await api.client.get("/tasks", params={"status": "completed"})).json()
    gone = await api.client.delete(f"/tasks/{task['id']}")
    assert (task["dueDate"], task["dueTime"], task["createdBy"]) == ("2026-11-27", "15:00:00", "programa")
    assert listed == {"items": [task], "pending": 1, "overdue": 0, "completed": 0}
    assert (done["status"], completed["items"]) == ("completed", [done])
    assert (gone.json(), (await api.client.get(f"/tasks/{task['id']}")).status_code) == (done, 404)


async def test_a_completed_task_becomes_pending_again(api: Api) -> None:
    task = await add(api)
    await api.client.post(f"/tasks/{task['id']}/complete", json={})
    back = await api.client.post(f"/tasks/{task['id']}/complete", json={"done": False})
    assert back.json() == task | {"updatedAt": back.json()["updatedAt"]}


async def test_a_change_leaves_the_rest(api: Api) -> None:
    task = await add(api, description="já", due="amanhã")
    changed = (await api.client.patch(f"/tasks/{task['id']}", json={"due": ""})).json()
    assert changed == task | {"dueDate": None, "updatedAt": changed["updatedAt"]}


@pytest.mark.parametrize("same", [{}, {"title": "Ligar"}, {"due": "", "assignedTo": ""}])
async def test_a_change_that_changes_nothing_is_refused(api: Api, same: dict[str, str]) -> None:
    task = await add(api, "Ligar")
    answer = await api.client.patch(f"/tasks/{task['id']}", json=same)
    foreign = await api.client.patch(f"/tasks/{task['id']}", json=same, headers=api.outsider)
    assert (answer.status_code, answer.json()["reason"], foreign.status_code) == (409, "nothing_changed", 404)
    assert (await api.client.get(f"/tasks/{task['id']}")).json() == task


@pytest.mark.parametrize(("due", "reason"), [("31/02", "due_unclear"), ("ontem", "due_past")])
async def test_a_due_date_that_is_none_is_refused_in_portuguese(api: Api, due: str, reason: str) -> None:
    answer = await api.client.post("/tasks", json={"title": "Ligar", "due": due})
    assert (answer.status_code, answer.json()["reason"], due in answer.json()["detail"]) == (409, reason, True)


@pytest.mark.parametrize("title", ["", "  ", "x" * 201])
async def test_a_title_that_is_none_or_too_long_is_named(api: Api, title: str) -> None:
    answer = await api.client.post("/tasks", json={"title": title})
    assert (answer.status_code, answer.json()["errors"][0]["where"]) == (422, "body.title")


@pytest.mark.parametrize("title", ["\u200b", "\x00", "\u202e\u2066"])
async def test_a_title_that_nobody_sees_is_none(api: Api, title: str) -> None:
    answer = await api.client.post("/tasks", json={"title": title})
    assert (answer.status_code, answer.json()["reason"]) == (409, "title_blank")


async def test_what_turns_round_how_a_title_is_read_is_taken_out(api: Api) -> None:
    task = await add(api, "Ligar\u202e para\x00 Maria 👩‍⚕️", description="já\n\u2066sim")
    assert (task["title"], task["description"]) == ("Ligar para Maria 👩‍⚕️", "já\n sim")


async def test_a_task_sent_twice_with_a_key_is_one(api: Api) -> None:
    key = {"Idempotency-Key": "k1"}
    answers = [await api.client.post("/tasks", json={"title": "Ligar"}, headers=key) for _ in range(2)]
    assert (answers[0].json(), (await api.client.get("/tasks")).json()["pending"]) == (answers[1].json(), 1)


async def test_a_link_to_another_clinics_patient_is_not_found(api: Api) -> None:
    booked = await api.book()
    answer = await api.client.post(
        "/tasks", json={"title": "Ligar", "patientId": booked["patientId"]}, headers=api.outsider
    )
    assert answer.status_code == 404


async def test_who_changed_a_task_is_in_the_audit(api: Api) -> None:
    task = await add(api)
    await api.client.patch(f"/tasks/{task['id']}", json={"title": "Escrever"})
    [entry] = await api.gendei.staff.audit.search(gestor(), action=Action.TASK_CHANGED)
    assert (entry.name, entry.subject, entry.detail) == ("programa", task["id"], {"changed": ["title"]})
