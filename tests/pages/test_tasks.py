"""Tasks: written, seen by colleagues as they change, done, and of no other clinic."""

import pytest
from playwright.async_api import Page, expect
from tests.pages.house import SORRISO, House, staff
from tests.pages.stage import NARROW

from gendei.staff.actors import Role, terminal
from gendei.staff.audit import Action

ANA, BRUNO = staff("Ana", role=Role.ATENDENTE), staff("Bruno", role=Role.ATENDENTE)
GESTORA = staff("Gilda")
OUTSIDER = staff("Otto", SORRISO)
MARIA = "+5511999990001"


async def rows(page: Page, *titles: str) -> None:
    groups = page.get_by_label("Lista de tarefas").get_by_role("group")
    await expect(groups.locator(".t-title")).to_have_text(list(titles))


async def audited(house: House) -> list[str]:
    found = await house.gendei.staff.audit.search(terminal(ANA.clinic_id))
    return sorted(entry.action for entry in found if entry.action.startswith("task."))


@pytest.mark.slow
async def test_a_task_is_written_with_the_day_that_was_meant_and_colleagues_see_it(house):
    await house.sign_in(BRUNO)
    page, colleague, other = [await house.visit("/tasks", value) for value in (ANA, BRUNO, OUTSIDER)]
    await page.get_by_role("button", name="Nova tarefa").click()
    sheet = page.get_by_role("dialog")
    await sheet.get_by_label("Título").fill("x" * 201)
    await sheet.get_by_label("Prazo (se houver)").fill("quinta que vem às 15h")
    await expect(sheet.get_by_role("status")).to_contain_text("pode ser quinta-feira, 26/11, ou quinta-feira, 03/12")
    await sheet.get_by_role("button", name="quinta-feira, 03/12, às 15h").click()
    await expect(sheet.get_by_role("status")).to_have_text("Prazo: quinta-feira, 03/12, às 15h")
    await sheet.get_by_role("button", name="Salvar").click()
    await expect(sheet.get_by_role("alert")).to_contain_text("O título pode ter até 200 caracteres.")
    await sheet.get_by_label("Título").fill("Ligar <b>já</b>")
    await sheet.get_by_label("Responsável").click()
    await page.get_by_role("option", name="Bruno").click()
    await sheet.get_by_role("button", name="Salvar").click()
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await colleague.get_by_role("button", name="Minhas").click()
    for item in (page, colleague):
        await rows(item, "Ligar <b>já</b>")
        await expect(item.get_by_role("group", name="Ligar")).to_contain_text("quinta-feira, 03/12, às 15h")
        await expect(item.get_by_role("navigation").first.get_by_label("1 tarefa pendente")).to_have_text("1")
    await rows(other)
    await expect(other.get_by_label("tarefa pendente")).to_have_count(0)


async def test_a_conversations_tasks_stand_beside_it_and_are_done_changed_and_removed(house):
    await house.write(MARIA, "quero falar com uma pessoa")
    page = await house.visit(f"/inbox?contact=%2B{MARIA[1:]}", ANA)
    card = page.get_by_label("Paciente")
    await card.get_by_label("Concluir: Atender Maria, que espera por uma pessoa").click()
    await expect(card.get_by_text("Nenhuma tarefa pendente.")).to_be_visible()
    await card.get_by_role("button", name="Nova tarefa").click()
    await page.get_by_role("dialog").get_by_label("Título").fill("Mandar o laudo")
    await page.get_by_role("dialog").get_by_role("button", name="Salvar").click()
    await expect(card.get_by_role("group", name="Mandar o laudo")).to_be_visible()
    await page.goto("/tasks")
    await rows(page, "Mandar o laudo")
    assert await page.get_by_role("link", name="Conversa", exact=True).get_attribute("href") == (
        "/inbox?contact=%2B5511999990001"
    )
    await page.get_by_label("Editar: Mandar o laudo").click()
    await page.get_by_role("dialog").get_by_label("Título").fill("Mandar o laudo hoje")
    await page.get_by_role("dialog").get_by_role("button", name="Salvar").click()
    await page.get_by_label("Apagar: Mandar o laudo hoje").click()
    await page.get_by_role("dialog").get_by_role("button", name="Apagar").click()
    await rows(page)
    await page.get_by_role("button", name="Concluídas").click()
    await page.get_by_label("Voltar a pendente: Atender Maria").click()
    await rows(page)
    assert await audited(house) == sorted(
        [Action.TASK_COMPLETED, Action.TASK_ADDED, Action.TASK_CHANGED, Action.TASK_DELETED, Action.TASK_REOPENED]
    )


@pytest.mark.slow
async def test_a_personal_task_is_on_no_page_of_anybody_else(house):
    await house.write(MARIA, "oi")
    inbox = f"/inbox?contact=%2B{MARIA[1:]}"
    page = await house.visit(inbox, ANA)
    await page.get_by_label("Paciente").get_by_role("button", name="Nova tarefa").click()
    sheet = page.get_by_role("dialog")
    await sheet.get_by_label("Título").fill("Conferir a conta")
    await sheet.get_by_role("checkbox", name="Tarefa pessoal, que só eu vejo").click()
    await expect(sheet.get_by_label("Responsável")).to_be_hidden()
    await sheet.get_by_role("button", name="Salvar").click()
    await expect(page.get_by_label("Paciente").get_by_role("group", name="Conferir a conta")).to_be_visible()
    await page.goto("/tasks")
    await page.get_by_role("button", name="Minhas").click()
    await rows(page, "Conferir a conta")
    await expect(page.get_by_role("group", name="Conferir a conta")).to_contain_text("Só você vê")
    await expect(page.get_by_role("navigation").first.get_by_label("1 tarefa pendente")).to_have_text("1")
    for who in (GESTORA, BRUNO):
        other = await house.visit("/tasks", who)
        await rows(other)
        await expect(other.get_by_label("tarefa pendente")).to_have_count(0)
        await other.goto(inbox)
        await expect(other.get_by_label("Paciente").get_by_text("Nenhuma tarefa pendente.")).to_be_visible()
    other = await house.visit("/audit", GESTORA)
    await expect(other.get_by_role("row").filter(has_text="tarefa pessoal")).to_have_count(1)
    await expect(other.get_by_text("Conferir a conta")).to_have_count(0)
    await page.get_by_label("Editar: Conferir a conta").click()
    await page.get_by_role("dialog").get_by_label("Título").fill("Conferir tudo")
    await page.get_by_role("dialog").get_by_role("button", name="Salvar").click()
    await rows(page, "Conferir tudo")
    await page.get_by_label("Apagar: Conferir tudo").click()
    await page.get_by_role("dialog").get_by_role("button", name="Apagar").click()
    await rows(page)


async def test_an_overdue_task_is_first_and_marked_on_a_narrow_screen(house):
    actor = ANA.actor()
    await house.sign_in(ANA)
    for title, due in (("Depois", "amanhã"), ("Antes", "às 9h01")):
        await house.gendei.tasks.add(actor, title, due=due)
    house.gendei.clock.move_to(house.gendei.clock().replace(minute=30))
    page = await house.visit("/tasks", ANA, size=NARROW)
    await rows(page, "Antes", "Depois")
    await expect(page.get_by_role("group", name="Antes")).to_contain_text(
        "Atrasada: hoje, segunda-feira, 23/11, às 9h01"
    )
    await expect(page.get_by_role("navigation").get_by_label("2 tarefas pendentes, 1 atrasada")).to_have_text("2")
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
