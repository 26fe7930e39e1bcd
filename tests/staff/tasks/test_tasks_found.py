"""A task is found by a rough title: one match acts, several ask which, none says so."""

import pytest
from tests.staff.agenda.office import ATENDENTE
from tests.staff.tasks.conftest import Board

from gendei.staff.tasks.fields import TaskRefused
from gendei.staff.tasks.stored import TaskStatus
from gendei.staff.tasks.texts import TaskFault

BOTH = ["Ligar para Maria sobre o exame", "Ligar para João"]


@pytest.mark.parametrize(
    ("words", "title"),
    [
        ("ligar para joão", "Ligar para João"),
        ("LIGAR JOAO", "Ligar para João"),
        ("ligar pra joao", "Ligar para João"),
        ("Ligar para Joãoo", "Ligar para João"),
        ("exame maria", "Ligar para Maria sobre o exame"),
    ],
)
async def test_a_few_words_are_enough(board: Board, words: str, title: str) -> None:
    for value in BOTH:
        await board.add(value)
    assert (await board.tasks.find(ATENDENTE, words)).title == title


async def test_several_that_fit_are_named_and_nothing_is_chosen(board: Board) -> None:
    added = [await board.add(title) for title in BOTH]
    with pytest.raises(TaskRefused) as caught:
        await board.tasks.find(ATENDENTE, "ligar")
    assert (caught.value.fault, set(caught.value.candidates)) == (TaskFault.SEVERAL_FOUND, set(added))
    assert all(title in caught.value.text for title in BOTH)


async def test_a_title_that_is_exactly_it_is_the_only_one(board: Board) -> None:
    await board.add("Ligar para Maria")
    await board.add("Ligar para Maria Clara")
    assert (await board.tasks.find(ATENDENTE, "ligar para maria")).title == "Ligar para Maria"


@pytest.mark.parametrize("words", ["ligar para Ana", "comprar luvas", "", "0" * 20, "ligar 15"])
async def test_none_that_fits_says_so(board: Board, words: str) -> None:
    for title in [*BOTH, "ligar 16"]:
        await board.add(title)
    with pytest.raises(TaskRefused) as caught:
        await board.tasks.find(ATENDENTE, words)
    assert caught.value.fault is TaskFault.NONE_FOUND


@pytest.mark.parametrize("words", ["tudo", "Todas as tarefas", "*"])
async def test_everything_at_once_is_no_task(board: Board, words: str) -> None:
    for title in BOTH:
        await board.add(title)
    with pytest.raises(TaskRefused) as caught:
        await board.tasks.find(ATENDENTE, words)
    assert caught.value.fault is TaskFault.ONE_AT_A_TIME


async def test_an_id_names_its_task(board: Board) -> None:
    task = await board.add("Ligar")
    assert await board.tasks.find(ATENDENTE, task.id) == task


async def test_the_search_can_be_among_completed_ones(board: Board) -> None:
    task = await board.add("Ligar")
    await board.tasks.complete(ATENDENTE, task.id)
    with pytest.raises(TaskRefused):
        await board.tasks.find(ATENDENTE, "ligar", TaskStatus.PENDING)
    assert (await board.tasks.find(ATENDENTE, "ligar", TaskStatus.COMPLETED)).id == task.id
