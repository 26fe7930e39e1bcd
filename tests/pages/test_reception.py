"""What the reception does on the agenda's page: arrivals, overrides, notes, personal data; and a form that is kind."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from playwright.async_api import Locator, Page, expect
from tests.pages.agenda_cast import ANA, JOAO, LUCIA, all_booked, at, audited, booked, card, open_agenda, stored
from tests.pages.house import BOA_VIDA, SORRISO, House, staff
from tests.pages.inbox_people import pass_time

from gendei.booking.appointment import AppointmentStatus, Attendance
from gendei.booking.personal_data import PersonalData
from gendei.clinic import Overriders
from gendei.staff.actors import Role
from gendei.staff.patients import PatientEdit

pytestmark = pytest.mark.slow


async def new_booking(page: Page) -> Locator:
    await page.get_by_role("button", name="Marcar").click()
    return page.get_by_role("dialog", name="Marcar", exact=True)


async def test_who_comes_arrives_goes_in_and_is_done_and_a_mistake_is_taken_back(house: House) -> None:
    one = await booked(house, at(9))
    page = await open_agenda(house)
    await card(page).click()
    await expect(page.get_by_role("button", name="Confirmar presença")).to_be_visible()
    await expect(page.get_by_role("button", name="Chegou")).to_have_count(0)
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_have_count(0)
    pass_time(house, timedelta(days=1))
    await expect(card(page)).to_contain_text("Marcada")
    for button, shown in (
        ("Chegou", "Chegou às 09:00"),
        ("Desfazer: Ainda não chegou", "Marcada"),
        ("Chegou", "Chegou às 09:00"),
        ("Entrou na sala", "Na sala às 09:00"),
        ("Marcar como realizada", "Realizada"),
    ):
        await card(page).click()
        await page.get_by_role("dialog").get_by_role("button", name=button).click()
        await expect(card(page)).to_contain_text(shown)
        await expect(page.get_by_role("dialog")).to_have_count(0)
    after = await stored(house, one)
    assert (after.status, after.attendance) == (AppointmentStatus.COMPLETED, Attendance.IN_ROOM)
    assert [action for _, action in await audited(house, one.id)].count("appointment.attendance_set") == 4


async def test_booked_and_presence_confirmed_have_different_words(house: House) -> None:
    await booked(house, at(9))
    page = await open_agenda(house)
    await expect(card(page)).to_have_attribute("aria-label", "09:00 às 09:30: Maria Silva, Consulta Geral, Marcada")
    await card(page).click()
    await page.get_by_role("button", name="Confirmar presença").click()
    await expect(page.get_by_text("Agora: Presença confirmada.")).to_be_visible()
    await expect(card(page)).to_contain_text("Presença confirmada")


async def test_a_taken_time_is_overridden_when_that_is_asked_for_and_the_card_says_so(house: House) -> None:
    await booked(house, at(9))
    page = await open_agenda(house)
    sheet = await new_booking(page)
    await sheet.get_by_label("Hora", exact=True).fill("09:10")
    await sheet.get_by_label("Nome de quem vem").fill("João Pereira")
    await sheet.get_by_label("Telefone").fill(JOAO)
    await expect(sheet.get_by_role("button", name="Encaixar assim mesmo")).to_have_count(0)
    await sheet.get_by_role("button", name="Marcar", exact=True).click()
    await sheet.get_by_role("button", name="Encaixar assim mesmo").click()
    await expect(card(page, "João Pereira")).to_contain_text("Encaixe")
    await expect(card(page, "João Pereira")).to_have_attribute(
        "aria-label", "09:10 às 09:40: João Pereira, Consulta Geral, Marcada, Encaixe"
    )
    [_, one] = await all_booked(house)
    assert (one.override, await audited(house, one.id)) == (True, [("Ana", "appointment.overridden")])
    await card(page, "João Pereira").click()
    await expect(page.get_by_role("dialog").get_by_text("Encaixe", exact=True)).to_be_visible()


@pytest.mark.parametrize(("overriders", "offered"), [(Overriders.MANAGERS, 0), (Overriders.STAFF, 1)])
async def test_an_override_is_offered_to_whom_the_clinic_lets(
    house: House, overriders: Overriders, offered: int
) -> None:
    clinic = await house.gendei.directory.get(BOA_VIDA)
    assert clinic is not None
    changed = replace(clinic, booking=replace(clinic.booking, override=overriders))
    await house.gendei.directory.import_clinic(changed)
    await booked(house, at(9))
    page = await open_agenda(house, staff("Rita", role=Role.ATENDENTE))
    sheet = await new_booking(page)
    await sheet.get_by_label("Hora", exact=True).fill("09:10")
    await sheet.get_by_label("Nome de quem vem").fill("João Pereira")
    await sheet.get_by_label("Telefone").fill(JOAO)
    await sheet.get_by_role("button", name="Marcar", exact=True).click()
    await expect(sheet.get_by_role("alert")).to_contain_text("já tem um compromisso")
    await expect(sheet.get_by_role("button", name="Encaixar assim mesmo")).to_have_count(offered)


async def test_the_free_times_are_one_stop_of_the_tab_key(house: House) -> None:
    page = await open_agenda(house)
    sheet = await new_booking(page)
    free = sheet.locator(".a-free-slots .a-chip")
    await expect(free.first).to_be_visible()
    await sheet.get_by_label("Minutos").focus()
    await page.keyboard.press("Tab")
    await expect(free.first).to_be_focused()
    await page.keyboard.press("Tab")
    await expect(sheet.get_by_label("Nome de quem vem")).to_be_focused()
    await page.keyboard.press("Shift+Tab")
    for key, hour in (("ArrowRight", "08:30"), ("ArrowDown", "09:00"), ("End", "17:30"), ("ArrowLeft", "17:00")):
        await page.keyboard.press(key)
        await expect(sheet.get_by_role("button", name=hour, exact=True)).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(sheet.get_by_label("Hora", exact=True)).to_have_value("17:00")


@pytest.mark.parametrize("leave", ["Escape", "Voltar", "Fechar"])
async def test_closing_a_filled_form_asks_and_an_empty_one_closes(house: House, leave: str) -> None:
    page = await open_agenda(house)

    async def go() -> None:
        if leave == "Escape":
            await page.keyboard.press("Escape")
        else:
            await sheet.get_by_role("button", name=leave).click()

    sheet = await new_booking(page)
    await expect(sheet.locator(".a-free-slots .a-chip").first).to_be_visible()
    await go()
    await expect(page.get_by_role("dialog")).to_have_count(0)
    sheet = await new_booking(page)
    await sheet.get_by_label("Observação").fill("Ligar antes")
    await go()
    question = page.get_by_role("dialog", name="Descartar o que você escreveu?")
    await question.get_by_role("button", name="Continuar escrevendo").click()
    await expect(question).to_have_count(0)
    await expect(sheet.get_by_label("Observação")).to_have_value("Ligar antes")
    await go()
    await question.get_by_role("button", name="Descartar").click()
    await expect(page.get_by_role("dialog")).to_have_count(0)


async def test_an_empty_form_says_all_that_is_missing_and_leads_there(house: House) -> None:
    page = await open_agenda(house)
    sheet = await new_booking(page)
    await sheet.get_by_label("Hora", exact=True).fill("")
    await sheet.get_by_role("button", name="Marcar", exact=True).click()
    await expect(sheet.get_by_role("alert")).to_have_text("Falta preencher: Hora, Nome de quem vem, Telefone.")
    await expect(sheet.get_by_label("Hora", exact=True)).to_be_focused()
    assert await all_booked(house) == []


async def test_note_birth_date_and_cpf_are_given_with_the_booking_and_seen_by_a_tap_that_is_audited(
    house: House,
) -> None:
    page = await open_agenda(house)
    sheet = await new_booking(page)
    await sheet.get_by_label("Nome de quem vem").fill("Beatriz Lima")
    await sheet.get_by_label("Telefone").fill("(11) 98888-7777")
    await sheet.get_by_label("Nascimento").fill("1990-05-01")
    await sheet.get_by_label("CPF").fill("52998224726")
    await sheet.get_by_label("Observação").fill("Traz os exames")
    await sheet.get_by_role("button", name="Marcar", exact=True).click()
    await expect(sheet.get_by_role("alert")).to_have_text("Esse CPF não existe. Confira os números.")
    await sheet.get_by_label("CPF").fill("52998224725")
    await sheet.get_by_role("button", name="Marcar", exact=True).click()
    await expect(card(page, "Beatriz Lima")).to_contain_text("Traz os exames")
    [one] = await all_booked(house)
    await card(page, "Beatriz Lima").click()
    shown = page.get_by_role("dialog", name="Horário marcado")
    await expect(shown).to_contain_text("Traz os exames")
    await expect(shown).not_to_contain_text("529.982.247-25")
    await shown.get_by_role("button", name="Ver dados pessoais").click()
    await expect(shown).to_contain_text("529.982.247-25")
    await expect(shown).to_contain_text("01/05/1990 (36 anos)")
    assert ("Ana", "patient.read") in await audited(house, one.patient_id)


async def test_note_and_personal_data_are_changed_on_one_sheet(house: House) -> None:
    one = await booked(house, at(9))
    page = await open_agenda(house)
    await card(page).click()
    await page.get_by_role("button", name="Anotar…").click()
    sheet = page.get_by_role("dialog", name="Observação e cadastro")
    await sheet.get_by_label("Observação").fill("Vem de cadeira de rodas")
    await sheet.get_by_label("CPF").fill("52998224725")
    await sheet.get_by_role("button", name="Salvar").click()
    await expect(page.get_by_text("Salvo.")).to_be_visible()
    known = await house.gendei.front_desk.patients.personal_data(LUCIA, one.patient_id)
    assert ((await stored(house, one)).note, known) == ("Vem de cadeira de rodas", PersonalData(cpf="52998224725"))


async def test_who_is_known_is_shown_with_what_is_known(house: House) -> None:
    one = await booked(house, at(9))
    known = PatientEdit(personal_data=PersonalData(date(1990, 5, 1), "52998224725"))
    await house.gendei.front_desk.patients.edit(LUCIA, one.patient_id, known)
    page = await open_agenda(house)
    sheet = await new_booking(page)
    await sheet.get_by_label("Nome de quem vem").fill("silv")
    await sheet.get_by_role("button", name="Maria Silva").click()
    await expect(sheet.get_by_label("CPF")).to_have_value("529.982.247-25")
    await expect(sheet.get_by_label("Nascimento")).to_have_value("1990-05-01")
    await expect(sheet.get_by_label("Telefone")).to_have_value("(11) 99999-0001")


async def test_a_clinic_that_keeps_no_personal_data_asks_for_none(house: House) -> None:
    page = await open_agenda(house, staff("Olga", SORRISO))
    sheet = await new_booking(page)
    await expect(sheet.get_by_label("Observação")).to_be_visible()
    await expect(sheet.get_by_label("CPF")).to_have_count(0)
    await expect(sheet.get_by_label("Nascimento")).to_have_count(0)


async def test_another_duration_is_booked_and_shown(house: House) -> None:
    page = await open_agenda(house, ANA)
    sheet = await new_booking(page)
    await expect(sheet.get_by_label("Minutos")).to_have_value("30")
    await sheet.get_by_label("Minutos").fill("50")
    await sheet.get_by_label("Nome de quem vem").fill("Beatriz Lima")
    await sheet.get_by_label("Telefone").fill("(11) 98888-7777")
    await sheet.get_by_role("button", name="Marcar", exact=True).click()
    await expect(card(page, "Beatriz Lima")).to_be_visible()
    [one] = await all_booked(house)
    assert (one.minutes, one.start) == (50, at(8))


async def test_the_patients_card_has_what_the_clinic_keeps_and_another_clinic_finds_no_card(house: House) -> None:
    one = await booked(house, at(9))
    page = await house.visit(f"/patients/{one.patient_id}", ANA)
    await page.wait_for_function("window.socket?.connected")
    await page.get_by_label("CPF").fill("52998224726")
    await page.get_by_role("button", name="Salvar").click()
    await expect(page.get_by_text("Esse CPF não existe.")).to_be_visible()
    await page.get_by_label("CPF").fill("52998224725")
    await page.get_by_label("Nascimento").fill("1990-05-01")
    async with page.expect_navigation():
        await page.get_by_role("button", name="Salvar").click()
    await expect(page.get_by_label("CPF")).to_have_value("529.982.247-25")
    known = await house.gendei.front_desk.patients.personal_data(LUCIA, one.patient_id)
    assert known == PersonalData(date(1990, 5, 1), "52998224725")
    theirs = await house.visit(f"/patients/{one.patient_id}", staff("Olga", SORRISO))
    await expect(theirs.get_by_text("Paciente não encontrado nesta clínica.")).to_be_visible()
