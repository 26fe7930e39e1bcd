"""/templates: templates are made, rehearsed with the stand-in of Meta, and told of to who manages the clinic alone."""

import pytest
from playwright.async_api import expect
from tests.pages.house import SORRISO, House, staff
from tests.pages.second_factor import give_code, with_factor
from tests.pages.stage import NARROW, WIDE

from gendei.staff.access.totp import new_totp_secret
from gendei.staff.actors import Role

GILDA, ANA, OTTO = staff("Gilda"), staff("Ana", role=Role.ATENDENTE), staff("Otto", SORRISO)
NAME = "gendei_lembrete_v1"


@pytest.mark.slow
async def test_templates_are_made_and_what_meta_decides_is_seen(demo_house: House) -> None:
    house = demo_house
    without = await house.visit("/templates", GILDA)
    await without.get_by_role("button", name="Criar os que faltam").click()
    await expect(without.get_by_text("só muda com a verificação em duas etapas")).to_be_visible()
    assert house.graph.office.templates == {}
    secret = new_totp_secret()
    page = await house.visit("/inbox", with_factor(house, GILDA, secret))
    await page.get_by_role("button", name="Sua conta").click()
    await page.get_by_role("link", name="Modelos do WhatsApp").click()
    reminder = page.get_by_role("article", name="Lembrete")
    await expect(reminder).to_contain_text("Sem modelo")
    await page.get_by_role("button", name="Criar os que faltam").click()
    await give_code(page, secret)
    await expect(reminder).to_contain_text("Em análise")
    await page.get_by_role("button", name=f"Aprovar: {NAME}").click()
    await expect(reminder).to_contain_text("Aprovado")
    await page.get_by_role("button", name=f"Avisar marketing: {NAME}").click()
    await expect(reminder).to_contain_text("Vai passar a marketing")
    await page.get_by_role("button", name="Escrever outro texto: Lembrete").click()
    sheet = page.get_by_role("dialog")
    await sheet.get_by_label("Texto do modelo").fill("{patient}, aproveite")
    await sheet.get_by_role("button", name="Enviar à Meta").click()
    await expect(sheet.get_by_role("alert")).to_contain_text("Comece o texto por uma palavra")

    theirs = await house.visit("/templates", OTTO)
    await expect(theirs.get_by_role("article", name="Lembrete")).to_contain_text("Sem modelo")
    attendant = await house.visit("/templates", ANA)
    await expect(attendant.get_by_text("Sua conta não tem acesso a esta página.")).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_nothing_sticks_out(house: House, size) -> None:
    page = await house.visit("/templates", GILDA, size=size)
    await expect(page.get_by_role("article", name="Lembrete")).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
