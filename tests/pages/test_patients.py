"""Patients: looked up, kept, and of no other clinic."""

from datetime import datetime, timedelta
from urllib.parse import quote

import pytest
from playwright.async_api import expect
from tests.pages.house import BOA_VIDA, NOW, SORRISO, House, staff
from tests.pages.stage import NARROW, WIDE

from gendei.booking.appointment import Appointment
from gendei.booking.desk import StaffAct
from gendei.booking.visits import BookingRequest
from gendei.clinic import ClinicId, Contact
from gendei.staff.actors import Role, terminal
from gendei.staff.audit import Action

pytestmark = pytest.mark.slow

MARIA = Contact("+5511999990001")
SCRIPT = "Maria <script>window.broken=1</script><img src=x onerror=window.broken=1>"
TOMORROW = NOW + timedelta(days=1)
ANA = staff("Ana", role=Role.ATENDENTE)
OUTSIDER = staff("Otto", SORRISO)


async def book(
    house: House, name: str = "Maria Souza", start: datetime = TOMORROW, contact: Contact = MARIA
) -> Appointment:
    """At Boa Vida, by staff."""
    clinic = await house.gendei.directory.get(BOA_VIDA)
    assert clinic is not None
    wish = BookingRequest("consulta", "ana", start, name)
    return await house.gendei.desk.book(clinic, contact, wish, act=StaffAct("Ana"))


async def audited(house: House, action: Action, clinic_id: ClinicId = BOA_VIDA) -> list[tuple[str, str]]:
    found = await house.gendei.staff.audit.search(terminal(clinic_id), action=action)
    return [(entry.user_id, entry.subject) for entry in found]


async def test_a_patient_is_found_by_a_name_without_its_accents(house):
    await book(house, "Célia Araújo")
    await book(house, "João Lima", TOMORROW + timedelta(hours=1), Contact("+5511999990002"))
    page = await house.visit("/patients", ANA)
    await page.get_by_label("Nome ou telefone").fill("celia")
    await expect(page.get_by_label("Pacientes encontrados").get_by_role("link")).to_have_text(
        ["Célia Araújo(11) 99999-0001"]
    )


async def test_where_nobody_is_found_it_says_what_to_do(house):
    page = await house.visit("/patients", ANA)
    await expect(page.get_by_text("Ainda não há pacientes.")).to_be_visible()
    await page.get_by_label("Nome ou telefone").fill("ninguém")
    await expect(page.get_by_text("Ninguém com esse nome ou telefone.")).to_be_visible()


async def test_a_card_shows_what_is_booked_the_family_and_the_way_to_the_agenda(house):
    coming = await book(house)
    await book(house, "Pedro Souza", TOMORROW + timedelta(hours=1))
    page = await house.visit(f"/patients/{coming.patient_id}", ANA)
    booked = page.get_by_role("region", name="Próximos horários").get_by_role("link").first
    await expect(booked).to_contain_text("ter, 24/11/2026 09:00")
    assert await booked.get_attribute("href") == "/agenda?day=2026-11-24&professional=ana"
    await page.get_by_role("link", name="Pedro Souza").click()
    await expect(page.get_by_role("heading", name="Pedro Souza")).to_be_visible()


async def test_that_a_card_was_read_stands_in_the_audit(house):
    patient = (await book(house)).patient_id
    page = await house.visit(f"/patients/{patient}", ANA)
    await expect(page.get_by_role("heading", name="Maria Souza")).to_be_visible()
    assert await audited(house, Action.PATIENT_READ) == [(ANA.id, patient)]


async def test_name_and_notes_are_kept(house):
    patient = (await book(house)).patient_id
    page = await house.visit(f"/patients/{patient}", ANA)
    await page.get_by_label("Nome", exact=True).fill("Maria Souza Prado")
    await page.get_by_label("Anotações da equipe").fill("Prefere a manhã.")
    await page.get_by_role("button", name="Salvar").click()
    await expect(page.get_by_role("heading", name="Maria Souza Prado")).to_be_visible()
    await expect(page.get_by_label("Anotações da equipe")).to_have_value("Prefere a manhã.")
    assert await audited(house, Action.PATIENT_CHANGED) == [(ANA.id, patient)]


async def test_a_name_that_is_none_is_refused_in_words_and_nothing_is_lost(house):
    page = await house.visit(f"/patients/{(await book(house)).patient_id}", ANA)
    await page.get_by_label("Anotações da equipe").fill("Prefere a manhã.")
    await page.get_by_label("Nome", exact=True).fill("😀")
    await page.get_by_role("button", name="Salvar").click()
    await expect(page.get_by_text("Escreva o nome de quem vem")).to_be_visible()
    await expect(page.get_by_label("Anotações da equipe")).to_have_value("Prefere a manhã.")


async def test_what_a_contact_wants_to_get_is_set(house):
    page = await house.visit(f"/patients/{(await book(house)).patient_id}", ANA)
    await page.get_by_role("button", name="Não enviar avisos").click()
    await expect(page.get_by_text("Não quer avisos desde 23/11/2026")).to_be_visible()
    await page.get_by_role("button", name="Voltar a enviar avisos").click()
    await expect(page.get_by_text("Aceita avisos")).to_be_visible()


async def test_a_conversations_contact_leads_to_who_books_with_it(house):
    await book(house)
    page = await house.visit(f"/patients/{quote(MARIA)}", ANA)
    await expect(page.get_by_role("heading", name="Maria Souza")).to_be_visible()
    await book(house, "Pedro Souza", TOMORROW + timedelta(hours=1))
    await page.reload()
    await expect(page.get_by_role("region", name="Este contato marca para").get_by_role("link")).to_have_count(2)


async def test_script_in_a_name_and_in_notes_is_text(house):
    page = await house.visit(f"/patients/{(await book(house, SCRIPT)).patient_id}", ANA)
    await expect(page.get_by_role("heading", name=SCRIPT)).to_be_visible()
    await page.get_by_label("Anotações da equipe").fill(SCRIPT)
    async with page.expect_event("load"):  # the page is read anew, and shows then what was stored
        await page.get_by_role("button", name="Salvar").click()
    await expect(page.get_by_label("Anotações da equipe")).to_have_value(SCRIPT)
    assert await page.evaluate("window.broken") is None


async def test_another_clinic_finds_neither_the_patient_nor_the_contact(house):
    patient = (await book(house)).patient_id
    page = await house.visit("/patients", OUTSIDER)
    await expect(page.get_by_text("Ainda não há pacientes.")).to_be_visible()
    for who in (patient, quote(MARIA), "nada", "%F0%9F%98%80"):
        await page.goto(f"/patients/{who}")
        await expect(page.get_by_text("Paciente não encontrado nesta clínica.")).to_be_visible()
    assert await audited(house, Action.PATIENT_READ) == []


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_nothing_sticks_out(house, size):
    page = await house.visit(f"/patients/{(await book(house, 'Maria ' * 12)).patient_id}", ANA, size=size)
    await expect(page.get_by_role("region", name="Histórico")).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
