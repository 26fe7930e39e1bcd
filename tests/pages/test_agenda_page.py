"""The agenda as it is seen: days, weeks, what changes elsewhere, and who sees nothing."""

import re

import pytest
from playwright.async_api import expect
from tests.pages.agenda_cast import (
    ANA,
    LUCIA,
    MARIA,
    TUESDAY,
    all_booked,
    at,
    booked,
    card,
    choose,
    clinic_of,
    open_agenda,
)
from tests.pages.house import BOA_VIDA, SORRISO, House, staff
from tests.pages.stage import NARROW, WIDE

from gendei.booking.appointment import AppointmentStatus
from gendei.booking.time_blocks import BlockWish
from gendei.booking.visits import BookingRequest
from gendei.clinic import Contact
from gendei.staff.actors import NO_CLINIC, RIGHTS, Actor, Role

pytestmark = pytest.mark.slow

SCRIPT = "<img src=x onerror=broken=1>"
RTL = "\u05d3\u05e0\u05d4 \u05db\u05d4\u05df"


@pytest.mark.parametrize(("size", "shown"), [(WIDE, False), (NARROW, True)])
async def test_a_short_card_shows_the_note_only_where_it_has_a_line_for_it(house, size, shown):
    visit = BookingRequest("retorno", "ana", at(9), "Maria Silva", MARIA, note="Traz o exame.")
    await house.gendei.agenda_desk.agenda.book(LUCIA, visit)
    page = await open_agenda(house, size=size)
    await expect(card(page)).to_be_visible()
    await expect(card(page).locator(".a-card-note")).to_be_visible(visible=shown)


async def test_a_card_says_when_who_what_and_in_which_state_by_words_and_icon(house):
    one = await booked(house, at(9))
    await house.gendei.agenda_desk.agenda.set_status(LUCIA, one.id, AppointmentStatus.CONFIRMED_PRESENCE)
    page = await open_agenda(house)
    await expect(card(page)).to_have_text("09:00Maria SilvaConsulta Geral · Presença confirmada")
    await expect(card(page)).to_have_attribute("data-icon", "how_to_reg")
    await expect(card(page)).to_have_attribute(
        "aria-label", "09:00 às 09:30: Maria Silva, Consulta Geral, Presença confirmada"
    )


async def test_the_day_has_a_lane_for_each_professional_with_who_does_not_attend(house):
    page = await open_agenda(house)
    await expect(page.locator(".a-column .a-head")).to_have_text(
        ["Dra. Ana Souza", "Dr. Bruno CarvalhoNão atende", "Dra. Carla Menezes"]
    )


async def test_the_week_of_a_professional_has_a_lane_for_each_day(house):
    await booked(house, at(9), who="carla")
    page = await open_agenda(house, view="week")
    await expect(page.locator(".a-column .a-head")).to_have_text(
        ["seg 23/11", "ter 24/11", "qua 25/11", "qui 26/11", "sex 27/11", "sáb 28/11", "dom 29/11Não atende"]
    )
    await page.get_by_label("Profissional").click()
    await page.get_by_role("option", name="Dra. Carla Menezes").click()
    await expect(card(page)).to_be_visible()
    await page.wait_for_url("**professional=carla")


async def test_a_holiday_is_named_above_its_day(house):
    wish = BlockWish.whole_days(await clinic_of(house), TUESDAY, TUESDAY, "Feriado municipal")
    await house.gendei.agenda_desk.blocks.add(LUCIA, wish)
    page = await open_agenda(house, view="week")
    await expect(page.get_by_label("Dra. Ana Souza, ter 24/11").locator(".a-head")).to_contain_text("Feriado municipal")
    await expect(page.get_by_role("button", name="Livre das 08:00 às 12:00, ter 24/11")).to_have_count(0)


async def test_the_line_of_the_present_stands_in_today_alone(house):
    page = await open_agenda(house, view="week")
    await expect(page.get_by_label("Dra. Ana Souza, seg 23/11").locator(".a-now")).to_have_count(1)
    await expect(page.locator(".a-now")).to_have_count(1)


async def test_a_tap_leads_to_the_next_day_and_the_address_says_so(house):
    page = await open_agenda(house)
    await page.get_by_role("button", name="Próximo dia").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("quarta-feira, 25/11")
    await page.wait_for_url("**/agenda?day=2026-11-25&view=day&professional=ana")
    await page.get_by_role("button", name="Hoje").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("segunda-feira, 23/11")


async def test_an_address_that_makes_no_sense_shows_today(house):
    page = await house.visit("/agenda?day=never&view=year&professional=nobody", ANA)
    await expect(page.get_by_role("heading", level=1)).to_have_text("segunda-feira, 23/11")


async def test_what_was_cancelled_is_seen_on_request(house):
    one = await booked(house, at(9))
    await house.gendei.agenda_desk.agenda.cancel(LUCIA, one.id, "Viajou")
    page = await open_agenda(house)
    await page.get_by_role("button", name="Mostrar canceladas e faltas").click()
    await expect(card(page)).to_contain_text("Cancelada")
    await page.get_by_role("button", name="Esconder canceladas e faltas").click()
    await expect(card(page)).to_have_count(0)


async def test_a_patients_booking_shows_without_a_reload(house):
    page = await open_agenda(house)
    request = BookingRequest("consulta", "ana", at(9), "Maria Silva")
    await house.gendei.desk.book(await clinic_of(house), Contact(MARIA), request)
    await expect(card(page)).to_be_visible()


async def test_other_days_are_followed_once_they_are_shown(house):
    page = await open_agenda(house)
    await page.get_by_role("button", name="Próximo dia").click()
    await expect(page.get_by_label("Dr. Bruno Carvalho, qua 25/11")).to_be_visible()
    await booked(house, at(10, day=25))
    await expect(card(page)).to_be_visible()


async def test_script_in_a_name_shows_as_text(house):
    await booked(house, at(9), SCRIPT)
    page = await open_agenda(house)
    await expect(card(page, SCRIPT)).to_be_visible()
    await card(page, SCRIPT).click()
    await expect(page.get_by_role("dialog").get_by_text(SCRIPT)).to_be_visible()
    assert await page.evaluate("window.broken") is None


async def test_a_name_that_runs_from_the_right_has_its_own_direction(house):
    await booked(house, at(9), RTL)
    page = await open_agenda(house)
    name = page.get_by_text(RTL)
    assert await name.evaluate("one => [one.dir, getComputedStyle(one).direction]") == ["auto", "rtl"]


async def test_another_clinic_sees_nothing_of_it_and_reaches_nothing(house):
    one = await booked(house, at(9))
    page = await open_agenda(house, staff("Olga", SORRISO))
    await expect(page.locator(".a-column .a-head-name").first).to_have_text("Dra. Paula Lins")
    await expect(page.locator(".a-card")).to_have_count(0)
    detail = {"id": one.id, "version": one.version, "professional": "paula", "day": str(TUESDAY), "minute": 600}
    await page.evaluate(
        "detail => document.querySelector('.a-board').dispatchEvent(new CustomEvent('agendamove', {detail}))", detail
    )
    await expect(page.get_by_text("Não existe mais.")).to_be_visible()
    olga = Actor(SORRISO, "olga@sorriso.test", "Olga", RIGHTS[Role.GESTOR])
    assert (await all_booked(house), await all_booked(house, olga)) == ([one], [])


async def test_another_clinics_changes_are_not_shown(house):
    page = await open_agenda(house, staff("Olga", SORRISO))
    await booked(house, at(9))
    own = await house.gendei.directory.get(SORRISO)
    request = BookingRequest("avaliacao", "paula", at(10, 20), "Beto")
    await house.gendei.desk.book(own, Contact(MARIA), request)
    await expect(page.locator(".a-card-name")).to_have_text(["Beto"])


async def test_who_was_signed_out_meanwhile_changes_nothing(house: House):
    one = await booked(house, at(9))
    page = await open_agenda(house)
    await card(page).click()
    [cookie] = [named for named in await page.context.cookies() if named["name"] == "gendei"]
    session = await house.gendei.staff.sessions.find(cookie["value"])
    assert session is not None
    await house.gendei.staff.sessions.end(session)
    await page.get_by_role("button", name="Confirmar presença").click()
    await page.wait_for_url("**/login?next=*")
    assert await all_booked(house) == [one]


async def test_who_acts_for_another_clinic_meanwhile_changes_neither_from_the_open_page(house: House):
    page = await house.visit("/operator", staff("Olga", NO_CLINIC, Role.OPERADOR))
    sessions = house.gendei.staff.sessions
    [cookie] = [named for named in await page.context.cookies() if named["name"] == "gendei"]
    first = await sessions.find(cookie["value"])
    assert first is not None
    await sessions.act_for(first, BOA_VIDA)
    await page.goto(f"/agenda?day={TUESDAY}")
    await page.wait_for_function("window.socket?.connected")
    await page.get_by_role("button", name="Bloquear").click()
    await choose(page, "Profissional", "Toda a clínica")
    await page.get_by_role("dialog").get_by_role("checkbox", name="Dias inteiros").click()
    await sessions.act_for(first, SORRISO)
    await page.get_by_role("dialog").get_by_role("button", name="Bloquear").click()
    await expect(page.locator(".g-clinic")).to_have_text("Sorriso Odontologia")

    blocks, olga = house.gendei.agenda_desk.blocks, Actor(SORRISO, "olga", "Olga", RIGHTS[Role.GESTOR])
    assert [await blocks.list(actor, TUESDAY, TUESDAY) for actor in (LUCIA, olga)] == [[], []]


@pytest.mark.parametrize("view", ["day", "week"])
@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_nothing_sticks_out_of_the_screen(house, view, size):
    await booked(house, at(9), "Maria Aparecida dos Santos de Albuquerque e Vasconcelos")
    page = await open_agenda(house, view=view, size=size)
    await expect(page.locator(".a-card")).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")


async def test_on_a_phone_one_professional_is_shown_as_a_list_at_a_time(house):
    await booked(house, at(9))
    await booked(house, at(10), "João", who="carla")
    page = await open_agenda(house, size=NARROW)
    await expect(card(page)).to_be_visible()
    await expect(card(page, "João")).to_be_hidden()
    shown = page.locator(".a-current .a-free-text:visible")
    await expect(shown).to_have_text(
        ["Livre das 08:00 às 09:00", "Livre das 09:30 às 12:00", "Livre das 13:00 às 18:00"]
    )
    await page.get_by_label("Profissional").click()
    await page.get_by_role("option", name="Dra. Carla Menezes").click()
    await expect(card(page, "João")).to_be_visible()
    await expect(card(page)).to_be_hidden()


async def test_a_free_time_of_the_list_is_booked_by_a_tap_on_a_phone(house):
    page = await open_agenda(house, size=NARROW)
    await page.get_by_role("button", name="Livre das 13:00 às 18:00, ter 24/11, Dra. Ana Souza").click()
    sheet = page.get_by_role("dialog")
    await expect(sheet.get_by_label("Hora", exact=True)).to_have_value("13:00")
    await choose(page, "Serviço", "Retorno")
    await sheet.get_by_label("Nome de quem vem").fill("Beatriz Lima")
    await sheet.get_by_label("Telefone").fill("11 98888-7777")
    await sheet.get_by_role("button", name="Marcar").click()
    await expect(card(page, "Beatriz Lima")).to_contain_text("13:00")
    [one] = await all_booked(house)
    assert (one.service_id, one.start, one.patient_phone) == ("retorno", at(13), "+5511988887777")


@pytest.mark.parametrize(("day", "paged"), [("9999-12-31", "Próximo dia"), ("0001-01-01", "Dia anterior")])
async def test_where_the_days_end_it_shows_the_last_one_also_when_paged_beyond(house, day, paged):
    page = await house.visit(f"/agenda?day={day}", staff("Ana"))
    title = page.locator(".a-title")
    shown = "31/12" if day > "2000" else "01/01"
    await expect(title).to_contain_text(shown)
    await page.get_by_label(paged).click()
    await expect(page).to_have_url(re.compile("day=(2999-12-31|1900-01-01)"))
    await expect(title).to_contain_text(shown)
