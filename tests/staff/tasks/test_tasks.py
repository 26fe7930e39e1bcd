"""What staff do with tasks."""

from dataclasses import replace
from datetime import date, time, timedelta

import pytest
from tests.staff.agenda.office import ATENDENTE, GESTOR, OUTSIDER, READER
from tests.staff.tasks.conftest import Board

from gendei.clinic import Contact
from gendei.errors import NotFound
from gendei.staff.actors import Forbidden
from gendei.staff.tasks.fields import TaskRefused
from gendei.staff.tasks.stored import Due, Link, TaskStatus
from gendei.staff.tasks.texts import TaskFault


async def refused(action: object) -> TaskFault:
    with pytest.raises(TaskRefused) as caught:
        await action  # type: ignore[misc]
    return caught.value.fault


async def test_a_task_has_who_wrote_it_and_is_pending(board: Board) -> None:
    task = await board.add("  Ligar   para a Maria ", description=" sobre o exame ")
    assert (task.title, task.description, task.status, task.created_by) == (
        "Ligar para a Maria",
        "sobre o exame",
        TaskStatus.PENDING,
        "Bia",
    )


@pytest.mark.parametrize(
    ("words", "due"),
    [
        ("amanhã", Due(date(2026, 3, 3))),
        ("sexta às 15h", Due(date(2026, 3, 6), time(15))),
        ("às 15h", Due(date(2026, 3, 2), time(15))),
        ("às 9h", Due(date(2026, 3, 3), time(9))),
        ("semana que vem", Due(date(2026, 3, 15))),
        ("", None),
    ],
)
async def test_a_due_date_is_said_in_portuguese(board: Board, words: str, due: Due | None) -> None:
    assert (await board.add("Ligar", due=words)).due == due


@pytest.mark.parametrize(
    ("words", "fault"),
    [("qualquer hora", TaskFault.DUE_UNCLEAR), ("31/02", TaskFault.DUE_UNCLEAR), ("ontem", TaskFault.DUE_PAST)],
)
async def test_a_due_date_that_is_none_is_refused_with_what_to_write(
    board: Board, words: str, fault: TaskFault
) -> None:
    with pytest.raises(TaskRefused) as caught:
        await board.add("Ligar", due=words)
    assert (caught.value.fault, words in caught.value.text) == (fault, True)


async def test_a_due_date_that_may_be_two_days_is_asked_about_with_both(board: Board) -> None:
    with pytest.raises(TaskRefused) as caught:
        await board.tasks.due(ATENDENTE, "quinta que vem às 9h")
    assert (caught.value.fault, caught.value.days) == (
        TaskFault.DUE_TWO_DAYS,
        (Due(date(2026, 3, 5), time(9)), Due(date(2026, 3, 12), time(9))),
    )
    assert all(day in caught.value.text for day in ("quinta-feira, 05/03", "quinta-feira, 12/03"))


async def test_who_follows_the_tasks_sees_those_of_the_own_clinic_as_they_change(board: Board) -> None:
    async with board.tasks.live.follow(READER) as here, board.tasks.live.follow(OUTSIDER) as there:
        await anext(here)
        task = await board.add("Ligar", due="amanhã")
        seen = (await anext(here)).at(board.office.clock() + timedelta(days=2))
        assert ([entry.id for entry in seen.tasks], seen.pending, seen.overdue) == ([task.id], 1, 1)
        assert (await anext(there)).at(board.office.clock()).tasks == ()
    await board.tasks.live.close()


async def test_who_follows_the_tasks_sees_the_own_personal_ones_beside_the_clinics(board: Board) -> None:
    bia, carla = (replace(actor, person=actor.user_id) for actor in (ATENDENTE, GESTOR))
    now = board.office.clock()
    async with board.tasks.live.follow(bia) as hers, board.tasks.live.follow(carla) as others:
        await anext(hers), await anext(others)
        await board.tasks.add(bia, "Só meu", personal=True)
        assert [task.title for task in (await anext(hers)).at(now).tasks] == ["Só meu"]
        await board.add("De todos", due="amanhã")
        assert [task.title for task in (await anext(hers)).at(now).tasks] == ["De todos", "Só meu"]
        assert [task.title for task in (await anext(others)).at(now).tasks] == ["De todos"]
    await board.tasks.live.close()


async def test_what_others_keep_for_themselves_takes_no_place_in_the_clinics_list(
    board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gendei.staff.tasks.tasks.MOST_PENDING", 1)
    await board.tasks.add(replace(GESTOR, person="carla"), "Só meu", personal=True)
    await board.add("De todos")
    assert await refused(board.add("Mais uma")) is TaskFault.TOO_MANY


async def test_titles_and_descriptions_have_limits(board: Board) -> None:
    assert (await board.add("x" * 200, description="y" * 1000)).title == "x" * 200
    assert await refused(board.add("x" * 201)) is TaskFault.TITLE_TOO_LONG
    assert await refused(board.add(" ")) is TaskFault.TITLE_BLANK
    assert await refused(board.add("x", description="y" * 1001)) is TaskFault.DESCRIPTION_TOO_LONG


async def test_the_same_key_is_the_same_task(board: Board) -> None:
    first, again = await board.add("Ligar", key="k1"), await board.add("Ligar", key="k1")
    assert (first, len(await board.titles())) == (again, 1)


async def test_a_key_is_its_users_own(board: Board) -> None:
    await board.add("Ligar", key="k1")
    await board.add("Ligar", GESTOR, key="k1")
    assert len(await board.titles()) == 2


async def test_the_list_has_what_is_due_first_and_counts(board: Board) -> None:
    await board.add("sem prazo")
    await board.add("depois", due="sexta")
    await board.add("antes", due="amanhã às 9h")
    done = await board.add("feita")
    await board.tasks.complete(ATENDENTE, done.id)
    board.office.clock.now += timedelta(days=2)
    listed = await board.tasks.list(ATENDENTE)
    assert [task.title for task in listed.tasks] == ["antes", "depois", "sem prazo", "feita"]
    assert (listed.pending, listed.overdue, listed.completed) == (3, 1, 1)
    assert [task.title for task in listed.tasks if task.overdue] == ["antes"]


async def test_the_list_can_be_of_one_status(board: Board) -> None:
    await board.tasks.complete(ATENDENTE, (await board.add("feita")).id)
    await board.add("por fazer")
    listed = [await board.tasks.list(ATENDENTE, status) for status in TaskStatus]
    assert [[task.title for task in item.tasks] for item in listed] == [["por fazer"], ["feita"]]


async def test_a_task_is_completed_once_and_can_be_taken_up_again(board: Board) -> None:
    task = await board.add("Ligar")
    done = await board.tasks.complete(ATENDENTE, task.id)
    again = await board.tasks.complete(GESTOR, task.id)
    back = await board.tasks.complete(GESTOR, task.id, done=False)
    assert (done.completed_by, again, back.status, back.completed_at) == ("Bia", done, TaskStatus.PENDING, None)
    assert await board.actions() == ["task.added", "task.completed", "task.reopened"]


async def test_an_edit_changes_what_it_names_alone(board: Board) -> None:
    task = await board.add("Ligar", description="já", due="amanhã")
    edited = await board.tasks.update(ATENDENTE, task.id, title="Escrever", due="")
    assert (edited.title, edited.description, edited.due) == ("Escrever", "já", None)


@pytest.mark.parametrize("edit", [{}, {"title": " Ligar "}, {"due": "amanhã", "assigned_to": ""}])
async def test_an_edit_that_changes_nothing_is_refused_and_not_in_the_audit(board: Board, edit: dict[str, str]) -> None:
    task = await board.add("Ligar", due="amanhã")
    with pytest.raises(TaskRefused) as refused:
        await board.tasks.update(ATENDENTE, task.id, **edit)
    assert (refused.value.fault, await board.actions()) == (TaskFault.NOTHING_CHANGED, ["task.added"])


async def test_a_task_is_given_to_a_colleague_and_to_nobody_else(board: Board) -> None:
    carla, zeca = await board.employ(GESTOR), await board.employ(OUTSIDER)
    task = await board.add("Ligar", assigned_to=carla)
    assert (task.assigned_to, task.assigned_name) == (carla, "Carla")
    with pytest.raises(NotFound):
        await board.add("Ligar", assigned_to=zeca)


async def test_a_deleted_task_is_gone_and_in_the_audit(board: Board) -> None:
    task = await board.add("Ligar")
    assert await board.tasks.delete(ATENDENTE, task.id) == task
    assert (await board.titles(), await board.actions()) == ([], ["task.added", "task.deleted"])


async def test_a_task_is_linked_to_what_the_clinic_has_alone(board: Board) -> None:
    booked = await board.book()
    link = Link(patient_id=booked.patient_id, appointment_id=booked.id)
    assert (await board.tasks.add(ATENDENTE, "Ligar", link=link)).link == link
    for wrong in (Link(patient_id="0" * 20), Link(appointment_id="none"), Link(contact=Contact("+5511900000000"))):
        with pytest.raises(NotFound):
            await board.tasks.add(ATENDENTE, "Ligar", link=wrong)
    with pytest.raises(NotFound):
        await board.tasks.add(OUTSIDER, "Ligar", link=link)


async def test_another_clinic_sees_and_changes_nothing(board: Board) -> None:
    task = await board.add("Ligar para a Maria")
    assert await board.titles(OUTSIDER) == []
    for action in (
        board.tasks.get(OUTSIDER, task.id),
        board.tasks.complete(OUTSIDER, task.id),
        board.tasks.update(OUTSIDER, task.id, title="x"),
        board.tasks.delete(OUTSIDER, task.id),
    ):
        with pytest.raises(NotFound):
            await action
    assert await refused(board.tasks.find(OUTSIDER, task.id)) is TaskFault.NONE_FOUND
    assert await board.tasks.get(ATENDENTE, task.id) == task


async def test_who_may_only_read_changes_nothing(board: Board) -> None:
    task = await board.add("Ligar")
    for action in (
        board.add("x", READER),
        board.tasks.complete(READER, task.id),
        board.tasks.update(READER, task.id, title="x"),
        board.tasks.delete(READER, task.id),
    ):
        with pytest.raises(Forbidden):
            await action
    assert await board.titles(READER) == ["Ligar"]
