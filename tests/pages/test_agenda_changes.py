"""Moving, cancelling and marking appointments on the agenda's page."""

from datetime import timedelta

import pytest
from playwright.async_api import expect
from tests.pages.agenda_cast import (
    JOAO,
    LUCIA,
    MINUTE,
    all_booked,
    at,
    audited,
    booked,
    card,
    drag,
    open_agenda,
    stored,
)
from tests.pages.inbox_people import pass_time

from gendei.booking.appointment import AppointmentStatus


async def test_a_card_is_dragged_to_another_time_and_moved_once_that_is_confirmed(house):
    one = await booked(house, at(9))
    page = await open_agenda(house)
    await drag(page, card(page), minutes=92)
    sheet = page.get_by_role("dialog")
    await expect(sheet.get_by_test_id("move_from")).to_have_text(
        "amanhã, terça-feira, 24/11, às 9h, com Dra. Ana Souza"
    )
    await expect(sheet.get_by_test_id("move_to")).to_have_text(
        "amanhã, terça-feira, 24/11, às 10h30, com Dra. Ana Souza"
    )
    await sheet.get_by_role("button", name="Mudar").click()
    await expect(card(page)).to_contain_text("10:30")
    assert (await stored(house, one)).start == at(10, 30)
    assert await audited(house, one.id) == [("Ana", "appointment.moved"), ("Lúcia", "appointment.booked")]


@pytest.mark.slow
async def test_a_card_is_dragged_to_another_professional(house):
    one = await booked(house, at(9))
    page = await open_agenda(house)
    await drag(page, card(page), minutes=0, to=page.get_by_label("Dra. Carla Menezes").locator(".a-lane"))
    await page.get_by_role("dialog").get_by_role("button", name="Mudar").click()
    await expect(page.get_by_label("Dra. Carla Menezes").locator(".a-card")).to_contain_text("Maria Silva")
    after = await stored(house, one)
    assert (after.professional_id, after.start) == ("carla", at(9))


@pytest.mark.slow
async def test_the_board_scrolls_on_under_a_card_that_is_held_at_its_edge(house):
    await booked(house, at(9))
    page = await open_agenda(house, size=(1280, 600))
    box = await card(page).bounding_box()
    assert box is not None
    await page.mouse.move(box["x"] + 30, box["y"] + 10)
    await page.mouse.down()
    await page.mouse.move(box["x"] + 30, 590, steps=3)
    await expect(page.get_by_role("button", name="Livre das 13:00 às 18:00").first).to_be_in_viewport(ratio=0.9)
    await page.keyboard.press("Escape")
    await page.mouse.up()
    await expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.slow
async def test_a_card_of_the_week_is_dragged_to_another_day(house):
    one = await booked(house, at(9))
    page = await open_agenda(house, view="week")
    await drag(page, card(page), minutes=0, to=page.get_by_label("Dra. Ana Souza, qui 26/11").locator(".a-lane"))
    await page.get_by_role("dialog").get_by_role("button", name="Mudar").click()
    await expect(page.get_by_label("Dra. Ana Souza, qui 26/11").locator(".a-card")).to_contain_text("09:00")
    assert (await stored(house, one)).start == at(9, day=26)


@pytest.mark.slow
async def test_a_drop_that_is_not_confirmed_moves_nothing(house):
    one = await booked(house, at(9))
    page = await open_agenda(house)
    await drag(page, card(page), minutes=60)
    await page.get_by_role("dialog").get_by_role("button", name="Voltar").click()
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await expect(card(page)).to_contain_text("09:00")
    assert await stored(house, one) == one


@pytest.mark.slow
async def test_escape_ends_a_drag_and_nothing_opens(house):
    await booked(house, at(9))
    page = await open_agenda(house)
    box = await card(page).bounding_box()
    await page.mouse.move(box["x"] + 30, box["y"] + 10)
    await page.mouse.down()
    await page.mouse.move(box["x"] + 30, box["y"] + 100, steps=3)
    await expect(page.locator(".a-ghost")).to_have_count(1)
    await page.keyboard.press("Escape")
    await page.mouse.up()
    await expect(page.locator(".a-ghost")).to_have_count(0)
    await expect(page.get_by_role("dialog")).to_have_count(0)


TOUCH = """([type, x, y]) => document.elementFromPoint(x, y).dispatchEvent(new PointerEvent(
    type, {bubbles: true, cancelable: true, pointerType: "touch", clientX: x, clientY: y}))"""


@pytest.mark.slow
async def test_a_finger_that_holds_a_card_drags_it(house):
    await booked(house, at(9))
    page = await open_agenda(house)
    box = await card(page).bounding_box()
    x, y = box["x"] + 30, box["y"] + 10
    await page.evaluate(TOUCH, ["pointerdown", x, y])
    await expect(page.locator(".a-ghost")).to_have_count(1)
    for kind in ("pointermove", "pointerup"):
        await page.evaluate(TOUCH, [kind, x, y + 60 * MINUTE])
    await expect(page.get_by_test_id("move_to")).to_contain_text("às 10h, com Dra. Ana Souza")


async def test_a_finger_that_moves_at_once_scrolls(house):
    await booked(house, at(9))
    page = await open_agenda(house)
    box = await card(page).bounding_box()
    x, y = box["x"] + 30, box["y"] + 10
    for kind, moved in (("pointerdown", 0), ("pointermove", 30), ("pointermove", 60), ("pointerup", 60)):
        await page.evaluate(TOUCH, [kind, x, y + moved])
    await expect(page.locator(".a-ghost")).to_have_count(0)
    await expect(page.get_by_role("dialog")).to_have_count(0)


async def test_a_clash_is_refused_with_its_reason_and_the_card_is_where_it_was(house):
    one = await booked(house, at(9))
    await booked(house, at(10), "João Pereira", phone=JOAO)
    page = await open_agenda(house)
    await drag(page, card(page), minutes=60)
    sheet = page.get_by_role("dialog")
    await sheet.get_by_role("button", name="Mudar").click()
    await expect(sheet.get_by_role("alert")).to_contain_text("Dra. Ana Souza já tem um compromisso nesse horário.")
    await sheet.get_by_role("button", name="Voltar").click()
    await expect(card(page)).to_contain_text("09:00")
    assert await stored(house, one) == one


@pytest.mark.slow
async def test_a_drop_outside_of_the_hours_is_refused_with_its_reason(house):
    await booked(house, at(11))
    page = await open_agenda(house)
    await drag(page, card(page), minutes=60)
    sheet = page.get_by_role("dialog")
    await sheet.get_by_role("button", name="Mudar").click()
    await expect(sheet.get_by_role("alert")).to_contain_text("Fora do horário de atendimento")


@pytest.mark.slow
async def test_who_drags_what_somebody_else_moved_meanwhile_is_told_how_it_stands(house):
    one = await booked(house, at(9))
    page = await open_agenda(house)
    box = await card(page).bounding_box()
    await page.mouse.move(box["x"] + 30, box["y"] + 10)
    await page.mouse.down()
    await page.mouse.move(box["x"] + 30, box["y"] + 10 + 60 * MINUTE, steps=3)
    await house.gendei.agenda_desk.agenda.move(LUCIA, one.id, at(15))
    await page.mouse.up()
    await page.get_by_role("dialog").get_by_role("button", name="Mudar").click()
    sheet = page.get_by_role("dialog", name="Horário marcado")
    await expect(sheet.get_by_role("alert")).to_have_text(
        "Mudou desde que você abriu. Veja como está agora e tente de novo."
    )
    await expect(sheet).to_contain_text("amanhã, terça-feira, 24/11, às 15h")
    await expect(card(page)).to_contain_text("15:00")
    assert (await stored(house, one)).start == at(15)


async def test_a_sheet_that_is_out_of_date_changes_nothing_and_shows_the_present(house):
    one = await booked(house, at(9))
    page = await open_agenda(house)
    await card(page).click()
    await house.gendei.agenda_desk.agenda.cancel(LUCIA, one.id, "Viajou")
    await page.get_by_role("dialog").get_by_role("button", name="Confirmar presença").click()
    await expect(page.get_by_role("alert")).to_contain_text("Mudou desde que você abriu.")
    await expect(page.get_by_role("dialog").get_by_text("Viajou")).to_be_visible()
    assert (await stored(house, one)).status is AppointmentStatus.CANCELLED


@pytest.mark.slow
async def test_an_appointment_is_opened_and_moved_by_keys_alone(house):
    one = await booked(house, at(9))
    page = await open_agenda(house)
    await card(page).focus()
    await page.keyboard.press("Enter")
    await page.get_by_role("button", name="Mudar…").press("Enter")
    sheet = page.get_by_role("dialog", name="Mudar horário")
    await sheet.get_by_label("Hora", exact=True).fill("16:00")
    await sheet.get_by_role("button", name="Mudar").press("Enter")
    await expect(card(page)).to_contain_text("16:00")
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await expect(card(page)).to_be_focused()
    assert (await stored(house, one)).start == at(16)


async def test_cancelling_takes_a_reason_which_stays_with_the_appointment(house):
    one = await booked(house, at(9))
    page = await open_agenda(house)
    await card(page).click()
    await page.get_by_role("button", name="Cancelar…").click()
    sheet = page.get_by_role("dialog", name="Cancelar o horário")
    await sheet.get_by_role("button", name="Cancelar o horário").click()
    await expect(sheet.get_by_role("alert")).to_have_text("Escreva o motivo.")
    await sheet.get_by_label("Motivo do cancelamento").fill("A médica não vem.")
    await sheet.get_by_role("button", name="Cancelar o horário").click()
    await expect(card(page)).to_have_count(0)
    after = await stored(house, one)
    assert (after.status, after.cancel_reason) == (AppointmentStatus.CANCELLED, "A médica não vem.")
    assert (await audited(house, one.id))[0] == ("Ana", "appointment.cancelled")


@pytest.mark.slow
async def test_what_came_of_telling_the_patient_is_said(house):
    await booked(house, at(9))
    page = await open_agenda(house)
    await card(page).click()
    await page.get_by_role("button", name="Mudar…").click()
    sheet = page.get_by_role("dialog", name="Mudar horário")
    await sheet.get_by_label("Hora", exact=True).fill("16:00")
    await sheet.get_by_role("checkbox", name="Avisar o paciente pelo WhatsApp").click()
    await sheet.get_by_role("button", name="Mudar").click()
    await expect(page.get_by_text("Mudado para amanhã, terça-feira, 24/11, às 16h. Não avisado:")).to_be_visible()


@pytest.mark.slow
async def test_a_patient_who_wrote_today_is_told_by_whatsapp(house):
    await house.write("5511999990001", "Oi")
    await booked(house, at(9))
    page = await open_agenda(house)
    await card(page).click()
    await page.get_by_role("button", name="Cancelar…").click()
    sheet = page.get_by_role("dialog", name="Cancelar o horário")
    await sheet.get_by_label("Motivo do cancelamento").fill("A médica não vem.")
    await sheet.get_by_role("checkbox", name="Avisar o paciente pelo WhatsApp").click()
    await sheet.get_by_role("button", name="Cancelar o horário").click()
    await expect(page.get_by_text("Cancelado. O paciente será avisado pelo WhatsApp.")).to_be_visible()


@pytest.mark.slow
async def test_a_visit_is_marked_as_come_and_as_done_once_its_time_has_come(house):
    one = await booked(house, at(9))
    page = await open_agenda(house)
    await card(page).click()
    await expect(page.get_by_role("button", name="Marcar falta")).to_have_count(0)
    await page.get_by_role("button", name="Confirmar presença").click()
    pass_time(house, timedelta(days=1))
    await expect(card(page)).to_contain_text("Presença confirmada")
    await card(page).click()
    await page.get_by_role("button", name="Marcar como realizada").click()
    await expect(card(page)).to_contain_text("Realizada")
    assert (await stored(house, one)).status is AppointmentStatus.COMPLETED


@pytest.mark.slow
async def test_a_wrong_click_is_taken_back_on_the_same_sheet(house):
    one = await booked(house, at(9))
    pass_time(house, timedelta(days=1))
    page = await open_agenda(house)
    await card(page).click()
    await page.get_by_role("button", name="Marcar falta").click()
    await expect(card(page)).to_have_count(0)
    await page.get_by_role("button", name="Mostrar canceladas e faltas").click()
    await card(page).click()
    await page.get_by_role("button", name="Desfazer: voltar para Marcada").click()
    await expect(page.get_by_text("Agora: Marcada.")).to_be_visible()
    await expect(card(page)).to_contain_text("09:00")
    assert (await stored(house, one)).status is AppointmentStatus.CONFIRMED


@pytest.mark.slow
async def test_who_did_not_come_gives_the_time_back_and_is_booked_again_for_another(house):
    one = await booked(house, at(9))
    pass_time(house, timedelta(days=1))
    page = await open_agenda(house)
    await card(page).click()
    await page.get_by_role("button", name="Marcar falta").click()
    await expect(card(page)).to_have_count(0)
    await expect(page.get_by_role("button", name="Livre das 09:00 às 12:00, ter 24/11, Dra. Ana Souza")).to_be_visible()
    assert (await stored(house, one)).status is AppointmentStatus.NO_SHOW
    await page.get_by_role("button", name="Mostrar canceladas e faltas").click()
    await card(page).click()
    await page.get_by_role("button", name="Marcar de novo…").click()
    sheet = page.get_by_role("dialog", name="Marcar")
    await expect(sheet.get_by_label("Nome de quem vem")).to_have_value("Maria Silva")
    await sheet.get_by_label("Hora", exact=True).fill("10:00")
    await sheet.get_by_role("button", name="Marcar", exact=True).click()
    await expect(page.get_by_text("Marcado: Maria Silva")).to_be_visible()
    again = [each for each in await all_booked(house) if each.status.takes_time]
    assert [(each.start, each.contact) for each in again] == [(at(10), one.contact)]
