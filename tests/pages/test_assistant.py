"""The assistant's panel: asked from any page, and doing only what a person confirms."""

import re

import pytest
from playwright.async_api import Page, expect
from tests.pages.house import NOW, SORRISO, House, staff
from tests.pages.stage import NARROW

from gendei.assistant.pages import PAGES
from gendei.booking.visits import BookingRequest
from gendei.staff.actors import Role
from gendei.web.pages import assistant_panel

ANA, BRUNO = staff("Ana", role=Role.ATENDENTE), staff("Bruno", role=Role.ATENDENTE)
OUTSIDER = staff("Otto", SORRISO)


async def booked(house: House, hour: int) -> None:
    clinic = await house.gendei.directory.get(ANA.clinic_id)
    assert clinic is not None
    service = clinic.services[0].id
    who = clinic.professionals_for(service)[0].id
    wish = BookingRequest(service, who, NOW.replace(hour=hour), "Maria Silva", "+5511999990001")
    await house.gendei.agenda_desk.agenda.book(ANA.actor(ANA.clinic_id), wish)


async def ask(page: Page, words: str) -> None:
    await page.get_by_label("Mensagem para o assistente").fill(words)
    await page.keyboard.press("Enter")


@pytest.mark.slow
async def test_a_move_is_asked_for_confirmed_and_goes_on_on_the_next_page(house: House) -> None:
    await booked(house, 15)
    page = await house.visit("/agenda", ANA)
    await page.get_by_role("button", name="Assistente da equipe").click()
    await page.get_by_role("button", name="O que tenho hoje?").click()
    log = page.get_by_role("log", name="Conversa com o assistente")
    await expect(log.get_by_role("article").last).to_contain_text("15:00 Maria Silva")
    await ask(page, "remarca a das 15h para amanhã às 10h")
    await expect(log.get_by_role("article").last).to_contain_text("Confirma?")
    await house.shoot(page, "assistant-wide")
    await page.goto("/inbox")
    await page.get_by_role("button", name="Assistente da equipe").click()
    await log.get_by_role("button", name="Confirmar").click()
    await expect(log.get_by_role("article").last).to_contain_text("Pronto: remarquei Maria Silva")
    await expect(log.get_by_role("button", name="Confirmar")).to_have_count(0)
    others = [await house.visit("/inbox", value) for value in (BRUNO, OUTSIDER)]
    for other in others:
        await other.get_by_role("button", name="Assistente da equipe").click()
        await expect(other.get_by_text("Pergunte pela agenda")).to_be_visible()
        await expect(other.get_by_role("article")).to_have_count(0)


@pytest.mark.parametrize("dark", [False, True])
async def test_on_a_phone_it_takes_the_whole_screen_and_a_no_does_nothing(house: House, dark: bool) -> None:
    page = await house.visit("/inbox", ANA, size=NARROW, dark=dark)
    await page.get_by_role("button", name="Assistente da equipe").click()
    await ask(page, "cria tarefa ligar para <b>João</b> amanhã")
    log = page.get_by_role("log", name="Conversa com o assistente")
    await expect(log.get_by_role("article").last).to_contain_text("“Ligar para <b>João</b>”")
    await house.shoot(page, f"assistant-narrow-{'dark' if dark else 'light'}")
    box = await page.get_by_role("complementary", name="Assistente da equipe").bounding_box()
    assert box is not None
    assert (box["width"], box["height"]) == NARROW
    await log.get_by_role("button", name="Não").click()
    await expect(log.get_by_role("article").last).to_contain_text("Certo, não fiz nada.")
    await page.get_by_role("button", name="Fechar o assistente").click()
    await expect(log).to_be_hidden()
    assert (await house.gendei.tasks.list(ANA.actor(ANA.clinic_id))).tasks == ()


async def test_on_a_phone_it_is_asked_from_an_open_conversation_too(house: House) -> None:
    await house.write("+5511999990001", "oi")
    page = await house.visit("/inbox?contact=%2B5511999990001", ANA, size=NARROW)
    await expect(page.get_by_role("button", name="Assistente da equipe")).to_be_hidden()
    await page.get_by_role("button", name="Ações").click()
    await page.get_by_role("menuitem", name="Assistente da equipe").click()
    await ask(page, "quem está esperando?")
    log = page.get_by_role("log", name="Conversa com o assistente")
    await expect(log.get_by_role("article")).to_have_count(2)
    await page.get_by_role("button", name="Fechar o assistente").click()
    await expect(page.get_by_role("button", name="Assumir")).to_be_visible()


async def test_on_a_wide_screen_the_page_makes_room_and_nothing_of_it_is_covered(house: House) -> None:
    await house.write("+5511999990001", "oi")
    page = await house.visit("/inbox?contact=%2B5511999990001", ANA, size=(1280, 800))
    await page.get_by_role("button", name="Assistente da equipe").click()
    await expect(page.get_by_text("Pergunte pela agenda")).to_be_visible()
    for name in ("Assumir", "Acrescentar botão de resposta"):
        await page.get_by_role("button", name=name).click(trial=True)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "dark"), [((1440, 900), False), (NARROW, True)])
async def test_free_times_are_tapped_and_what_it_cannot_do_leads_to_the_page(
    house: House, size: tuple[int, int], dark: bool
) -> None:
    await booked(house, 15)
    page = await house.visit("/agenda", ANA, size=size, dark=dark)
    await page.get_by_role("button", name="Assistente da equipe").click()
    await ask(page, "remarca a das 15h para domingo")
    log = page.get_by_role("log", name="Conversa com o assistente")
    choices = log.get_by_role("group", name="Respostas prontas")
    await expect(log.get_by_role("article").last).to_contain_text("Horários livres perto")
    await house.shoot(page, f"assistant-choices-{'dark' if dark else 'light'}")
    await page.reload()
    await page.get_by_role("button", name="Assistente da equipe").click()
    await choices.get_by_role("button").first.click()
    await expect(log.get_by_role("article").last).to_contain_text("Vou remarcar Maria Silva")
    await expect(choices).to_have_count(0)
    await ask(page, "exporta os pacientes")
    await house.shoot(page, f"assistant-elsewhere-{'dark' if dark else 'light'}")
    await log.get_by_role("link", name="Abrir: Agenda").click()
    await expect(page).to_have_url(re.compile("/agenda$"))
    other = await house.visit("/agenda", OUTSIDER)
    await other.get_by_role("button", name="Assistente da equipe").click()
    await expect(other.get_by_role("article")).to_have_count(0)


async def test_its_answers_lead_to_every_page_that_the_person_may_open_and_to_no_other(house: House) -> None:
    assert {path for _, path in assistant_panel.PAGES} == PAGES.keys()
    page = await house.visit("/inbox", ANA)
    for path, right in PAGES.items():
        await page.goto(path)
        closed = page.get_by_text("Sua conta não tem acesso a esta página.")
        await expect(closed).to_have_count(0 if right is None or ANA.actor().may(right) else 1)
    await page.get_by_role("button", name="Assistente da equipe").click()
    await ask(page, "exporta os pacientes")
    log = page.get_by_role("log", name="Conversa com o assistente")
    await expect(log.get_by_role("article").last).to_contain_text("Números (página de quem administra)")
    await expect(log.get_by_role("link")).to_have_text(["Abrir: Agenda"])
