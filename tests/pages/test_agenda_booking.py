"""Booking on the agenda's page."""

import pytest
from playwright.async_api import Locator, Page, expect
from tests.pages.agenda_cast import ANA, JOAO, MARIA, all_booked, at, audited, booked, card, choose, open_agenda
from tests.pages.house import SORRISO, staff

pytestmark = pytest.mark.slow

MORNING = "Livre das 08:00 às 12:00, ter 24/11, Dra. Ana Souza"


async def test_a_free_time_is_booked_by_a_tap_for_somebody_new(house):
    page = await open_agenda(house)
    await page.get_by_role("button", name=MORNING).click(position={"x": 60, "y": 65 * 1.7})
    sheet = page.get_by_role("dialog")
    await expect(sheet.get_by_label("Hora", exact=True)).to_have_value("09:00")
    await sheet.get_by_label("Nome de quem vem").fill("Beatriz Lima")
    await sheet.get_by_label("Telefone").fill("(11) 98888-7777")
    await sheet.get_by_role("button", name="Marcar").click()
    await expect(page.get_by_text("Marcado: Beatriz Lima, amanhã, terça-feira, 24/11, às 9h.")).to_be_visible()
    await expect(card(page, "Beatriz Lima")).to_contain_text("09:00")
    [one] = await all_booked(house)
    assert (one.professional_id, one.start, one.contact, one.channel) == ("ana", at(9), "+5511988887777", "staff")
    assert await audited(house, one.id) == [("Ana", "appointment.booked")]


async def test_who_is_a_patient_already_is_found_by_a_part_of_the_name(house):
    await booked(house, at(8))
    page = await open_agenda(house)
    await page.get_by_role("button", name="Marcar").click()
    sheet = page.get_by_role("dialog")
    await choose(page, "Serviço", "Check-up completo")
    await sheet.get_by_label("Data").fill("2026-11-25")
    await sheet.get_by_label("Hora", exact=True).fill("10:00")
    await sheet.get_by_label("Nome de quem vem").fill("silv")
    await sheet.get_by_role("button", name="Maria Silva").click()
    await expect(sheet.get_by_label("Telefone")).to_have_value("(11) 99999-0001")
    await sheet.get_by_role("button", name="Marcar").click()
    await expect(page.get_by_text("Marcado: Maria Silva")).to_be_visible()
    [first, second] = await all_booked(house)
    assert (second.patient_id, second.contact, second.start) == (first.patient_id, MARIA, at(10, day=25))


async def test_a_patient_who_wrote_today_is_told_of_the_booking(house):
    await house.write("5511999990001", "Oi")
    page = await open_agenda(house)
    await page.get_by_role("button", name="Marcar").click()
    sheet = page.get_by_role("dialog")
    await sheet.get_by_label("Nome de quem vem").fill("Maria Silva")
    await sheet.get_by_label("Telefone").fill(MARIA)
    await sheet.get_by_role("checkbox", name="Avisar o paciente pelo WhatsApp").click()
    await sheet.get_by_role("button", name="Marcar").click()
    await expect(page.get_by_text("às 8h. O paciente será avisado pelo WhatsApp.")).to_be_visible()
    await house.gendei.messaging.idle()
    assert "Sua consulta está confirmada!" in str(house.graph.sent[-1])


async def test_a_slot_of_the_day_is_chosen_as_the_bot_has_it(house):
    await booked(house, at(8))
    page = await open_agenda(house)
    await page.get_by_role("button", name="Marcar").click()
    sheet = page.get_by_role("dialog")
    await expect(sheet.locator(".a-free-slots .a-chip").first).to_have_text("08:30")
    await sheet.get_by_role("button", name="10:30", exact=True).click()
    await expect(sheet.get_by_label("Hora", exact=True)).to_have_value("10:30")


async def test_a_taken_time_is_refused_with_its_reason_and_the_nearest_free_ones(house):
    await booked(house, at(9))
    page = await open_agenda(house)
    await page.get_by_role("button", name="Marcar").click()
    sheet = page.get_by_role("dialog")
    await sheet.get_by_label("Hora", exact=True).fill("09:10")
    await sheet.get_by_label("Nome de quem vem").fill("João Pereira")
    await sheet.get_by_label("Telefone").fill(JOAO)
    await sheet.get_by_role("button", name="Marcar").click()
    await expect(sheet.get_by_role("alert")).to_contain_text("Dra. Ana Souza já tem um compromisso nesse horário.")
    await sheet.get_by_role("alert").get_by_role("button", name="ter 24/11 09:30 · Dra. Ana Souza").click()
    await sheet.get_by_role("button", name="Marcar").click()
    await expect(card(page, "João Pereira")).to_contain_text("09:30")


async def test_a_phone_that_is_none_and_a_missing_name_are_said_in_plain_words(house):
    page = await open_agenda(house)
    await page.get_by_role("button", name="Marcar").click()
    sheet = page.get_by_role("dialog")
    await sheet.get_by_label("Telefone").fill("123")
    await sheet.get_by_role("button", name="Marcar").click()
    await expect(sheet.get_by_role("alert")).to_have_text("Falta preencher: Nome de quem vem.")
    await sheet.get_by_label("Nome de quem vem").fill("Beatriz Lima")
    await sheet.get_by_role("button", name="Marcar").click()
    await expect(sheet.get_by_role("alert")).to_have_text(
        "Esse telefone não existe. Escreva com DDD, por exemplo (11) 99999-8888."
    )
    assert await all_booked(house) == []


async def test_a_name_of_emoji_alone_is_refused_in_plain_words(house):
    page = await open_agenda(house)
    await page.get_by_role("button", name="Marcar").click()
    sheet = page.get_by_role("dialog")
    await sheet.get_by_label("Telefone").fill(MARIA)
    await sheet.get_by_label("Nome de quem vem").fill("🙂🙂🙂")
    await sheet.get_by_role("button", name="Marcar").click()
    await expect(sheet.get_by_role("alert")).to_have_text("Escreva o nome de quem vem, com 2 a 80 letras.")


async def test_free_slots_are_found_over_several_days_and_lead_to_a_booking(house):
    page = await open_agenda(house)
    await page.get_by_role("button", name="Horários livres").click()
    sheet = page.get_by_role("dialog")
    await choose(page, "Serviço", "Consulta com dermatologista")
    await sheet.get_by_role("button", name="Procurar").click()
    days = sheet.locator(".a-result")
    await expect(days).to_have_count(7)
    await expect(days.nth(1)).to_have_text("qua 25/11não atende")
    await days.nth(0).get_by_role("button", name="13:30 com Dra. Carla Menezes").click()
    booking = page.get_by_role("dialog", name="Marcar")
    await expect(booking.get_by_label("Hora", exact=True)).to_have_value("13:30")
    await booking.get_by_label("Nome de quem vem").fill("João Pereira")
    await booking.get_by_label("Telefone").fill(JOAO)
    await booking.get_by_role("button", name="Marcar").click()
    await expect(card(page, "João Pereira")).to_contain_text("13:30")
    [one] = await all_booked(house)
    assert (one.service_id, one.professional_id) == ("dermatologia", "carla")


async def test_who_writes_is_booked_from_the_conversation_and_no_other_clinics_patient(house):
    await house.write(MARIA, "Oi", name="Maria")
    page = await house.visit(f"/inbox?contact=%2B{MARIA[1:]}", ANA)
    await page.get_by_role("link", name="Marcar horário").click()
    sheet = sheet_of(page)
    await expect(sheet.get_by_label("Nome de quem vem")).to_have_value("Maria")
    await expect(sheet.get_by_label("Telefone")).to_have_value("(11) 99999-0001")
    await sheet.locator(".a-free-slots .a-chip").last.click()
    await sheet.get_by_role("button", name="Marcar", exact=True).click()
    await expect(page.get_by_text("Marcado: Maria, hoje")).to_be_visible()
    [one] = await all_booked(house)
    assert (one.patient_name, one.contact) == ("Maria", MARIA)
    page = await house.visit(f"/patients/{one.patient_id}", ANA)
    await page.get_by_role("link", name="Marcar horário").click()
    await expect(sheet_of(page).get_by_label("Nome de quem vem")).to_have_value("Maria")
    theirs = await house.visit(f"/agenda?contact=%2B{MARIA[1:]}", staff("Otto", SORRISO))
    await expect(theirs.locator(".a-lane").first).to_be_attached()
    await expect(theirs.get_by_role("dialog")).to_have_count(0)


def sheet_of(page: Page) -> Locator:
    return page.get_by_role("dialog", name="Marcar")
