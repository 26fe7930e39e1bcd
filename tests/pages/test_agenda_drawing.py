"""Drawing free time to book it, making a card longer, and taking the last change back."""

import pytest
from playwright.async_api import Locator, Page, expect
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
from tests.pages.house import House

from gendei.booking.appointment import AppointmentStatus
from gendei.booking.time_blocks import BlockWish

pytestmark = pytest.mark.slow
AFTERNOON = "Livre das 13:00 às 18:00, ter 24/11, Dra. Ana Souza"


async def draw(page: Page, what: Locator, minute: int, minutes: int) -> None:
    """Press on a free stretch `minute` minutes after it begins, and let go so many minutes later."""
    await what.scroll_into_view_if_needed()
    box = await what.bounding_box()
    assert box is not None
    x, y = box["x"] + 40, box["y"] + minute * MINUTE + 1
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x, y + minutes * MINUTE, steps=4)


async def pull(page: Page, what: Locator, minutes: int) -> None:
    """Take a card by its lower edge, and let go so many minutes later."""
    await what.scroll_into_view_if_needed()
    box = await what.bounding_box()
    assert box is not None
    x, y = box["x"] + 40, box["y"] + box["height"] - 2
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x, y + minutes * MINUTE + 2, steps=4)


async def test_free_time_is_drawn_and_booked_as_long_as_it_was_drawn(house: House) -> None:
    page = await open_agenda(house)
    await draw(page, page.get_by_role("button", name=AFTERNOON), 60, 45)
    await expect(page.locator(".a-selection")).to_have_text("14:00 – 14:45")
    await page.mouse.up()
    sheet = page.get_by_role("dialog", name="Marcar")
    await expect(sheet.get_by_label("Hora", exact=True)).to_have_value("14:00")
    await expect(sheet.get_by_label("Minutos")).to_have_value("45")
    await sheet.get_by_label("Nome de quem vem").fill("Beatriz Lima")
    await sheet.get_by_label("Telefone").fill("(11) 98888-7777")
    await sheet.get_by_role("button", name="Marcar", exact=True).click()
    await expect(card(page, "Beatriz Lima")).to_be_visible()
    [one] = await all_booked(house)
    assert (one.start, one.end, one.professional_id) == (at(14), at(14, 45), "ana")


async def test_escape_ends_the_drawing_and_a_tap_opens_as_ever(house: House) -> None:
    page = await open_agenda(house)
    await draw(page, page.get_by_role("button", name=AFTERNOON), 60, 45)
    await page.keyboard.press("Escape")
    await page.mouse.up()
    await expect(page.locator(".a-selection")).to_have_count(0)
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await page.get_by_role("button", name=AFTERNOON).click(position={"x": 40, "y": 5})
    await expect(page.get_by_role("dialog").get_by_label("Minutos")).to_have_value("30")


async def test_a_card_is_made_longer_by_its_lower_edge_once_that_is_confirmed(house: House) -> None:
    one = await booked(house, at(9))
    page = await open_agenda(house)
    await pull(page, card(page), 30)
    await expect(card(page)).to_contain_text("09:00 – 10:00")
    await page.mouse.up()
    sheet = page.get_by_role("dialog", name="Mudar horário")
    await expect(sheet.get_by_label("Minutos")).to_have_value("60")
    await expect(sheet.get_by_test_id("move_to")).to_contain_text(", por 60 minutos")
    await sheet.get_by_role("button", name="Mudar").click()
    await expect(card(page)).to_have_attribute("data-moves", "60")
    await expect(page.get_by_text("Agora dura 60 minutos.")).to_be_visible()
    after = await stored(house, one)
    assert (after.start, after.end) == (at(9), at(10))
    assert (await audited(house, one.id))[0] == ("Ana", "appointment.moved")


async def test_a_card_that_would_reach_into_another_is_refused_and_stays_as_it_was(house: House) -> None:
    one = await booked(house, at(9))
    await booked(house, at(9, 30), "João Pereira", phone=JOAO)
    page = await open_agenda(house)
    await pull(page, card(page), 15)
    await page.mouse.up()
    sheet = page.get_by_role("dialog")
    await sheet.get_by_role("button", name="Mudar").click()
    await expect(sheet.get_by_role("alert")).to_contain_text("já tem um compromisso")
    await sheet.get_by_role("button", name="Voltar").click()
    await expect(card(page)).to_have_attribute("data-moves", "30")
    assert await stored(house, one) == one


async def test_a_longer_card_keeps_its_length_where_it_is_dragged(house: House) -> None:
    one = await booked(house, at(9))
    page = await open_agenda(house)
    await pull(page, card(page), 30)
    await page.mouse.up()
    await page.get_by_role("dialog").get_by_role("button", name="Mudar").click()
    await expect(card(page)).to_have_attribute("data-moves", "60")
    await drag(page, card(page), minutes=60)
    await page.get_by_role("dialog").get_by_role("button", name="Mudar").click()
    await expect(card(page)).to_contain_text("10:00")
    after = await stored(house, one)
    assert (after.start, after.end) == (at(10), at(11))


def undo(page: Page) -> Locator:
    return page.get_by_role("button", name="Desfazer: ")


async def test_a_move_is_undone_by_a_tap(house: House) -> None:
    one = await booked(house, at(9))
    page = await open_agenda(house)
    await expect(undo(page)).to_be_hidden()
    await drag(page, card(page), minutes=60)
    await page.get_by_role("dialog").get_by_role("button", name="Mudar").click()
    await expect(card(page)).to_contain_text("10:00")
    await page.get_by_role("button", name="Desfazer: Maria Silva mudado para 24/11 10:00").click()
    await expect(card(page)).to_contain_text("09:00")
    await expect(undo(page)).to_be_hidden()
    after = await stored(house, one)
    assert (after.start, after.status) == (at(9), AppointmentStatus.CONFIRMED)


async def test_a_presence_is_undone_by_keys(house: House) -> None:
    one = await booked(house, at(9))
    page = await open_agenda(house)
    await card(page).click()
    await page.get_by_role("button", name="Confirmar presença").click()
    await expect(card(page)).to_contain_text("Presença confirmada")
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await page.keyboard.press("Control+z")
    await expect(card(page)).to_contain_text("Marcada")
    assert (await stored(house, one)).status is AppointmentStatus.CONFIRMED


async def test_a_booking_is_undone_by_cancelling_and_a_cancellation_by_booking_the_same_again(house: House) -> None:
    page = await open_agenda(house)
    await page.get_by_role("button", name="Marcar").click()
    sheet = page.get_by_role("dialog")
    await sheet.get_by_label("Nome de quem vem").fill("Beatriz Lima")
    await sheet.get_by_label("Telefone").fill("(11) 98888-7777")
    await sheet.get_by_label("Observação").fill("Traz exames")
    await sheet.get_by_label("Minutos").fill("40")
    await sheet.get_by_role("button", name="Marcar", exact=True).click()
    await expect(card(page, "Beatriz Lima")).to_be_visible()
    await undo(page).click()
    await expect(card(page, "Beatriz Lima")).to_have_count(0)
    [first] = await all_booked(house)
    assert (first.status, first.cancel_reason) == (AppointmentStatus.CANCELLED, "Desfeito pela equipe.")
    two = await booked(house, at(10))
    await card(page).click()
    await page.get_by_role("button", name="Cancelar…").click()
    await page.get_by_role("dialog").get_by_label("Motivo do cancelamento").fill("Engano")
    await page.get_by_role("dialog").get_by_role("button", name="Cancelar o horário").click()
    await expect(card(page)).to_have_count(0)
    await undo(page).click()
    await expect(card(page)).to_contain_text("10:00")
    [again] = [each for each in await all_booked(house) if each.status.takes_time]
    assert again.id != two.id
    assert (again.start, again.contact, again.minutes) == (two.start, two.contact, two.minutes)


async def test_what_somebody_else_changed_since_is_not_undone(house: House) -> None:
    one = await booked(house, at(9))
    page = await open_agenda(house)
    await drag(page, card(page), minutes=60)
    await page.get_by_role("dialog").get_by_role("button", name="Mudar").click()
    await expect(card(page)).to_contain_text("10:00")
    await house.gendei.agenda_desk.agenda.move(LUCIA, one.id, at(15))
    await expect(card(page)).to_contain_text("15:00")
    await undo(page).click()
    await expect(page.get_by_text("Mudou desde que você abriu.")).to_be_visible()
    assert (await stored(house, one)).start == at(15)


async def test_a_block_and_its_removal_are_undone(house: House) -> None:
    blocks = house.gendei.agenda_desk.blocks
    block = await blocks.add(LUCIA, BlockWish("ana", at(14), at(15), "Reunião"))
    page = await open_agenda(house)
    await page.get_by_role("button", name="Bloqueado das 14:00 às 15:00: Reunião").click()
    await page.get_by_role("dialog").get_by_role("button", name="Liberar").click()
    await expect(page.locator(".a-block:not(.a-away)", has_text="Reunião")).to_have_count(0)
    await undo(page).click()
    await expect(page.locator(".a-block:not(.a-away)", has_text="Reunião")).to_have_count(1)
    [again] = await blocks.list(LUCIA, at(14).date(), at(14).date())
    assert (again.id != block.id, again.start, again.end, again.reason) == (True, at(14), at(15), "Reunião")
