"""Blocking time, closing days, and calendar feeds on the agenda's page."""

import pytest
from playwright.async_api import expect
from tests.pages.agenda_cast import LUCIA, TUESDAY, at, audited, booked, card, choose, open_agenda
from tests.pages.house import BOA_VIDA, staff

from gendei.staff.actors import Role

pytestmark = pytest.mark.slow


async def blocks(house) -> list[tuple[str | None, str, object, object]]:
    found = await house.gendei.agenda_desk.blocks.list(LUCIA, TUESDAY, TUESDAY)
    return [
        (appointment.professional_id, appointment.reason, appointment.start, appointment.end) for appointment in found
    ]


async def test_time_is_blocked_shown_and_given_back(house):
    page = await open_agenda(house)
    await page.get_by_role("button", name="Bloquear").click()
    sheet = page.get_by_role("dialog")
    await sheet.get_by_label("Das", exact=True).fill("14:00")
    await expect(sheet.get_by_label("Até as")).to_have_value("15:00")
    await sheet.get_by_label("Até as").fill("15:30")
    await sheet.get_by_label("Motivo").fill("Reunião")
    await sheet.get_by_role("button", name="Bloquear").click()
    shown = page.get_by_role("button", name="Bloqueado das 14:00 às 15:30: Reunião")
    await expect(shown).to_be_visible()
    assert await blocks(house) == [("ana", "Reunião", at(14), at(15, 30))]
    await shown.click()
    await expect(page.get_by_role("dialog")).to_contain_text("Bloqueado por Ana")
    await page.get_by_role("button", name="Liberar").click()
    await expect(shown).to_have_count(0)
    assert await blocks(house) == []


async def test_a_day_is_closed_for_the_whole_clinic(house):
    page = await open_agenda(house)
    await page.get_by_role("button", name="Bloquear").click()
    sheet = page.get_by_role("dialog")
    await choose(page, "Profissional", "Toda a clínica")
    await sheet.get_by_role("checkbox", name="Dias inteiros").click()
    await sheet.get_by_label("Motivo").fill("Feriado")
    await sheet.get_by_role("button", name="Bloquear").click()
    await expect(page.get_by_label("Dra. Ana Souza, ter 24/11").locator(".a-head")).to_contain_text("Feriado")
    await expect(page.locator(".a-free")).to_have_count(0)
    assert await blocks(house) == [(None, "Feriado", at(0), at(0, day=25))]


async def test_appointments_in_the_way_of_a_block_are_listed_and_may_be_left_standing(house):
    await booked(house, at(14))
    page = await open_agenda(house)
    await page.get_by_role("button", name="Bloquear").click()
    sheet = page.get_by_role("dialog")
    await sheet.get_by_label("Das", exact=True).fill("13:00")
    await sheet.get_by_label("Até as").fill("18:00")
    await sheet.get_by_role("button", name="Bloquear", exact=True).click()
    await expect(sheet.get_by_role("alert")).to_contain_text("Há horários marcados nesse período.")
    await expect(sheet.get_by_role("button", name="Maria Silva")).to_contain_text("ter 24/11 14:00 · Dra. Ana Souza")
    assert await blocks(house) == []
    await sheet.get_by_role("button", name="Bloquear assim mesmo").click()
    await expect(page.get_by_role("button", name="Bloqueado das 13:00 às 18:00")).to_be_visible()
    await expect(card(page)).to_be_visible()


async def test_a_block_that_ends_before_it_begins_is_refused_in_plain_words(house):
    page = await open_agenda(house)
    await page.get_by_role("button", name="Bloquear").click()
    sheet = page.get_by_role("dialog")
    await sheet.get_by_label("Das", exact=True).fill("15:00")
    await sheet.get_by_label("Até as").fill("14:00")
    await sheet.get_by_role("button", name="Bloquear", exact=True).click()
    await expect(sheet.get_by_role("alert")).to_have_text("O fim precisa ser depois do início.")


async def test_a_calendars_address_is_shown_once_serves_the_agenda_and_is_revoked(house):
    await booked(house, at(9))
    page = await open_agenda(house)
    await page.get_by_role("button", name="Calendários").click()
    sheet = page.get_by_role("dialog")
    await expect(sheet.get_by_text("Ainda não há nenhum endereço.")).to_be_visible()
    await sheet.get_by_role("button", name="Criar endereço").click()
    address = await sheet.get_by_label("Endereço novo").input_value()
    answer = await page.request.get(address)
    assert (answer.status, "BEGIN:VEVENT" in await answer.text()) == (200, True)
    [feed] = await house.gendei.agenda_desk.feeds.list(LUCIA)
    await sheet.get_by_role("button", name="Revogar").click()
    await expect(sheet.get_by_text("Ainda não há nenhum endereço.")).to_be_visible()
    assert (await page.request.get(address)).status == 404
    assert await audited(house, feed.id) == [("Ana", "agenda.feed_changed")] * 2


async def test_calendars_are_for_who_manages_the_clinic(house):
    page = await open_agenda(house, staff("Tito", BOA_VIDA, Role.ATENDENTE))
    await expect(page.get_by_role("button", name="Bloquear")).to_be_visible()
    await expect(page.get_by_role("button", name="Calendários")).to_have_count(0)
