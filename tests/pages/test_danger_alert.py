"""Who may be in danger is heard and seen on every staff page, until somebody takes it up."""

import pytest
from playwright.async_api import Page, expect
from tests.pages.house import SORRISO, House, staff
from tests.pages.inbox_people import BIA, CAIO, JOAO, MARIA, OLGA, actor
from tests.pages.stage import NARROW
from tests.pages.test_inbox import COUNT_TONES
from tests.pages.test_inbox_first import DANGER, NOTE_ALARMS
from tests.pages.test_inbox_many import fits

from gendei.staff.actors import NO_CLINIC, Role

pytestmark = pytest.mark.slow

LONG = "Maria Aparecida Albuquerque de Oliveira Cavalcanti"


async def listening(house: House, path: str) -> Page:
    """A page that was touched, since browsers make no sound before."""
    page = await house.visit(path, BIA)
    await page.wait_for_function("window.socket?.connected")
    await page.evaluate(COUNT_TONES)
    await page.evaluate(NOTE_ALARMS)
    await page.locator(".g-clinic").click()
    await page.wait_for_function("new AudioContext().state === 'running'")
    return page


@pytest.mark.parametrize(
    ("path", "title"), [("/agenda", "Agenda"), ("/tasks", "Tarefas"), ("/account", "Conta e acessos")]
)
async def test_danger_is_heard_on_every_page_and_leads_to_the_conversation(house: House, path: str, title: str):
    page = await listening(house, path)
    await house.write(JOAO, "quero falar com uma pessoa", name="João")
    await house.write(MARIA, DANGER, name="Maria")
    await expect(page).to_have_title(f"⚠ (1) {title} · Gendei")
    await page.wait_for_function("window.tones >= 8")
    await page.get_by_role("link", name="Perigo: Maria").click()
    await expect(page).to_have_url(f"{house.url}/inbox?contact=%2B{MARIA[1:]}")
    await expect(page.get_by_role("alert").get_by_text("Sinal de perigo")).to_be_visible()


async def test_it_ends_on_every_page_once_somebody_takes_it_up(house: House):
    page = await listening(house, "/patients")
    await house.write(MARIA, DANGER, name="Maria")
    await house.write(JOAO, DANGER, name="João")
    await expect(page.get_by_role("link", name="2 em perigo")).to_have_attribute("href", "/inbox")
    for contact in (MARIA, JOAO):
        await house.gendei.front_desk.conversations.take_over(actor(CAIO), contact)
    await expect(page).to_have_title("Pacientes · Gendei")
    await page.wait_for_function("window.alarms.size === 0")
    await expect(page.locator(".g-danger")).to_have_count(0)


async def test_of_several_open_pages_one_rings(house: House):
    page = await listening(house, "/tasks")
    await page.evaluate("window.other = setInterval(() => localStorage.setItem('gendei-rang', String(Date.now())), 50)")
    await house.write(MARIA, DANGER, name="Maria")
    await expect(page.get_by_role("link", name="Perigo: Maria")).to_be_visible()
    assert await page.evaluate("[window.tones, window.alarms.size]") == [0, 1]
    await page.evaluate("clearInterval(window.other); localStorage.removeItem('gendei-rang')")
    await page.wait_for_function("window.tones >= 4")


async def test_the_other_clinics_people_are_told_of_their_own_alone(house: House):
    page = await house.visit("/tasks", OLGA)
    await house.write(MARIA, DANGER, name="Maria")
    await house.write(JOAO, DANGER, name="João", clinic_id=SORRISO)
    await expect(page.get_by_role("link", name="Perigo: João")).to_be_visible()
    await expect(page).to_have_title("⚠ (1) Tarefas · Gendei")


@pytest.mark.parametrize("width", [1280, 860, 761, NARROW[0]])
async def test_it_has_its_place_at_any_width(house: House, width: int):
    await house.write(MARIA, DANGER, name=LONG)
    page = await house.visit("/operator", staff("Olga", NO_CLINIC, Role.OPERADOR), size=(width, 800))
    await page.get_by_role("button", name="Atuar por esta clínica").first.click()
    await expect(page).to_have_url(f"{house.url}/inbox")
    await page.goto(f"{house.url}/tasks")
    await expect(page.get_by_role("link", name=f"Perigo: {LONG}")).to_be_in_viewport(ratio=1)
    await expect(page.get_by_role("link", name="Operação")).to_be_in_viewport(ratio=1)
    await expect(page.get_by_role("button", name="Sua conta")).to_be_in_viewport(ratio=1)
    assert await fits(page)
