"""What staff see of who waits for longer than the clinic promises, of what is still to be done, and of who is late."""

from datetime import timedelta

import pytest
from playwright.async_api import expect
from tests.pages.agenda_cast import ANA, card
from tests.pages.house import NOW, House
from tests.pages.inbox_people import BIA, JOAO, MARIA, MARIAS, OLGA, actor, choose, log_of, pass_time, row_of
from tests.pages.stage import NARROW, WIDE

HEARS = """() => {
  window.rung = 0;
  const begin = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (when) { window.rung += 1; begin.call(this, when); };
}"""

AT_REST = "() => Promise.allSettled(document.getAnimations().map((each) => each.finished))"


async def overdue(house: House) -> None:
    """Maria waits for a person longer than promised, and João does not wait at all."""
    await house.write(MARIA, "quero falar com uma pessoa", name="Maria")
    await house.write(MARIA, "qual o endereço?", name="Maria")
    await house.write(JOAO, "oi", name="João")


@pytest.mark.slow
async def test_who_waits_for_too_long_is_marked_in_the_list_and_rings_once_more(house: House):
    await overdue(house)
    page = await house.visit("/inbox", BIA)
    await page.evaluate(HEARS)
    await page.get_by_label("Nome, telefone ou texto").click()  # browsers make no sound before a touch
    await expect(row_of(page, "Maria")).to_contain_text("Aguarda há")
    await expect(row_of(page, "Maria")).not_to_contain_text("Prazo vencido")
    pass_time(house, timedelta(minutes=31))
    assert await house.gendei.messaging.escalating.sweep() == 1
    await expect(row_of(page, "Maria")).to_contain_text("Prazo vencido")
    await page.wait_for_function("window.rung > 0")
    await row_of(page, "Maria").click()
    await expect(log_of(page)).to_contain_text("Ninguém da equipe respondeu no prazo da clínica")
    await expect(row_of(page, "João")).not_to_contain_text("Prazo")
    stranger = await house.visit("/inbox", OLGA)
    await expect(stranger.get_by_text("Nenhuma conversa aberta")).to_be_visible()


async def test_what_is_still_to_be_done_becomes_a_task_on_handing_back(house: House):
    await house.write(MARIA, "preciso de um atestado", name="Maria")
    page = await house.visit(MARIAS, BIA)
    await choose(page, "Devolver")
    await page.get_by_label("O que ainda falta fazer (opcional)").fill("Enviar o atestado")
    await page.get_by_role("dialog").get_by_role("button", name="Devolver").click()
    await expect(page.get_by_text("A assistente atende")).to_be_visible()
    await page.goto(f"{house.url}/tasks")
    await expect(page.get_by_text("Concluir o que ficou combinado com Maria")).to_be_visible()
    await expect(page.get_by_text("Enviar o atestado")).to_be_visible()
    assert (await house.gendei.tasks.list(actor(OLGA))).tasks == ()


async def late_today(house: House) -> None:
    """Maria comes this morning, a quarter of an hour late."""
    for words in ("consulta geral com a dra ana hoje às 11h30", "Maria Silva", "sim", "vou atrasar 15 minutos"):
        await house.write(MARIA, words, name="Maria Silva")


@pytest.mark.slow
async def test_who_will_be_late_stands_on_the_card_and_on_the_sheet(house: House):
    await late_today(house)
    page = await house.visit(f"/agenda?day={NOW.date()}&view=day", ANA)
    await expect(card(page)).to_contain_text("Vai se atrasar 15 min")
    await page.wait_for_function("window.socket?.connected")
    await card(page).click()
    await expect(page.get_by_role("dialog")).to_contain_text("Vai se atrasar 15 min, avisado às 09:00")


@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_it_is_there_to_be_looked_at(house: House, size: tuple[int, int], dark: bool):
    await overdue(house)
    await late_today(house)
    pass_time(house, timedelta(minutes=31))
    await house.gendei.messaging.escalating.sweep()
    look = f"{size[0]}-{'dark' if dark else 'light'}"
    page = await house.visit("/inbox", BIA, size=size, dark=dark)
    await expect(row_of(page, "Maria")).to_contain_text("Prazo vencido")
    await house.shoot(page, f"waiting-list-{look}")
    await row_of(page, "Maria").click()
    await choose(page, "Devolver")
    await expect(page.get_by_role("dialog")).to_be_visible()
    await page.evaluate(AT_REST)
    await house.shoot(page, f"waiting-hand-back-{look}")
    page = await house.visit(f"/agenda?day={NOW.date()}&view=day", ANA, size=size, dark=dark)
    await expect(card(page)).to_be_visible()
    await house.shoot(page, f"waiting-agenda-{look}")
    await card(page).click()
    await expect(page.get_by_role("dialog")).to_be_visible()
    await page.evaluate(AT_REST)
    await house.shoot(page, f"waiting-sheet-{look}")
