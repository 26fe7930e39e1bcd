"""/campaigns: number and price are seen, the code is given, and only its clinic's managers see what it does."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from playwright.async_api import Page, expect
from tests.pages.house import BOA_VIDA, SORRISO, House, staff
from tests.pages.second_factor import give_code, with_factor
from tests.pages.stage import NARROW, WIDE

from gendei.booking.visits import BookingRequest
from gendei.clinic import Contact, MessageTemplate
from gendei.clock import MovableClock
from gendei.commands.campaigns import SET_MARKETING_CONSENT, SetMarketingConsent
from gendei.conversation.outbound.templates import ApprovedTemplate
from gendei.staff.access.totp import new_totp_secret
from gendei.staff.actors import Role, terminal

GILDA, ANA, OTTO = staff("Gilda"), staff("Ana", role=Role.ATENDENTE), staff("Otto", SORRISO)
TEMPLATE = MessageTemplate("gendei_retorno_v2", "pt_BR", ("patient", "clinic_name"), 2)
TEXT = "Olá, {{1}}! Aqui é da {{2}}. Já faz um tempo desde a sua última visita. Quer marcar?"
PEOPLE = [Contact(f"+55119888877{number:02}") for number in range(4)]


async def some_came(house: House) -> None:
    """Four came half a year ago, of whom three agreed to marketing; the template is approved."""
    gendei, clock = house.gendei, house.gendei.clock
    assert isinstance(clock, MovableClock)
    clinic = await gendei.directory.get(BOA_VIDA)
    assert clinic is not None
    await gendei.directory.import_clinic(replace(clinic, templates={"follow_up": TEMPLATE}))
    approved = ApprovedTemplate(TEMPLATE.name, "pt_BR", "APPROVED", "MARKETING", "GREEN", 2, 2, text=TEXT)
    await gendei.messaging.templates.keep(clinic, approved)
    service, professional = clinic.services[0], clinic.professionals_for(clinic.services[0].id)[0]
    call = await gendei.desks.call(terminal(BOA_VIDA), "staff")
    for number, who in enumerate(PEOPLE):
        start = datetime(2026, 11, 24, 9 + number // 2, 30 * (number % 2), tzinfo=clinic.timezone)
        asked = BookingRequest(service.id, professional.id, start, f"Paciente {number}")
        await gendei.desk.book(clinic, who, asked)
        if number:
            await SET_MARKETING_CONSENT.do(call, SetMarketingConsent(contact=who, agreed=True))
    clock.move_to(clock() + timedelta(days=200, hours=13))  # at night nothing leaves


async def previewed(page: Page) -> None:
    await page.get_by_label("Nome da campanha").fill("Volta de junho")
    await page.get_by_role("button", name="Ver quantos e quanto custa").click()
    await expect(page.get_by_role("status").get_by_text("US$ 0,19")).to_be_visible()


async def test_a_campaign_is_seen_begun_with_the_code_paused_and_ended(house: House) -> None:
    await some_came(house)
    secret = new_totp_secret()
    page = await house.visit("/inbox", with_factor(house, GILDA, secret))
    await page.get_by_role("button", name="Sua conta").click()
    await page.get_by_role("link", name="Campanhas").click()
    await expect(page.get_by_text("Ainda não houve nenhuma campanha.")).to_be_visible()
    await previewed(page)
    seen = page.get_by_role("status")
    await expect(seen).to_contain_text("Sem aceite: 1.")
    await expect(seen).to_contain_text("Botões: Quero marcar · Não quero receber")
    await page.get_by_role("button", name="Começar").click()
    await page.get_by_role("dialog").get_by_role("button", name="Começar").click()
    await give_code(page, secret)
    campaign = page.get_by_role("article", name="Volta de junho")
    await page.get_by_role("button", name="Pausar: Volta de junho").click()
    await expect(campaign).to_contain_text("Pausada")
    await page.get_by_role("button", name="Continuar: Volta de junho").click()
    await house.gendei.campaigns.idle()
    await page.get_by_role("button", name="Atualizar").click()
    await expect(campaign).to_contain_text("Enviando")
    figures = await (await page.request.get("/campaigns.csv")).text()
    file = await page.get_by_role("link", name="Baixar os pacientes (CSV): Volta de junho").get_attribute("href")
    patients = await (await page.request.get(file or "")).text()

    assert "Volta de junho;Enviando;" in figures
    assert [line.split(";")[:3] for line in patients.splitlines()[1:]] == [
        [f"Paciente {number}", f"'{who}", "Na fila"] for number, who in enumerate(PEOPLE) if number
    ]
    theirs = await house.visit("/campaigns", OTTO)
    assert (await theirs.request.get(file or "")).status == 404
    assert "Volta de junho" not in await (await theirs.request.get("/campaigns.csv")).text()
    await expect(theirs.get_by_text("Ainda não houve nenhuma campanha.")).to_be_visible()
    attendant = await house.visit("/campaigns", ANA)
    await expect(attendant.get_by_text("Sua conta não tem acesso a esta página.")).to_be_visible()
    assert [(await attendant.request.get(each)).status for each in (file or "", "/campaigns.csv")] == [404, 404]


@pytest.mark.slow
@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_nothing_sticks_out(house: House, size: tuple[int, int]) -> None:
    await some_came(house)
    page = await house.visit("/campaigns", with_factor(house, GILDA, new_totp_secret()), size=size)
    await previewed(page)
    assert await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
