"""Many at once: twelve professionals in a day, a week of everybody, a month."""

from dataclasses import replace

import pytest
from playwright.async_api import Locator, Page, expect
from tests.pages.agenda_cast import ANA, TUESDAY, at, booked, card, open_agenda
from tests.pages.density_cast import DAY, NAMES, fill_day, twelve
from tests.pages.house import BOA_VIDA, SORRISO, House, staff
from tests.pages.stage import NARROW, WIDE, Size

from gendei.booking.appointment import AppointmentStatus
from gendei.booking.desk import StaffAct
from gendei.booking.visits import BookingRequest
from gendei.clinic import Contact
from gendei.staff.access.users import User

pytestmark = pytest.mark.slow


async def open_view(
    house: House, view: str, who: str = "*", user: User = ANA, size: Size = WIDE, *, dark: bool = False
) -> Page:
    page = await house.visit(f"/agenda?day={TUESDAY}&view={view}&professional={who}", user, size=size, dark=dark)
    await expect(page.locator(".a-lane, .a-team-cell, .a-month-day").first).to_be_attached()
    await page.wait_for_function("window.socket?.connected")
    return page


async def cut(cards: Locator) -> list[str]:
    """The cards of which something is cut off at the bottom, or whose name does not show."""
    found: list[str] = await cards.evaluate_all(
        """cards => cards.filter(card => {
            const box = card.getBoundingClientRect(), name = card.querySelector(".a-card-name").getBoundingClientRect();
            return name.bottom > box.bottom + 1 || name.top < box.top - 1 || name.width < 30;
        }).map(card => card.getAttribute("aria-label"))"""
    )
    return found


async def test_twelve_professionals_fit_side_by_side_and_cards_of_15_minutes_are_read(house: House) -> None:
    await fill_day(house, await twelve(house))
    page = await open_agenda(house)
    await expect(page.locator(".a-column .a-head-name")).to_have_text(list(NAMES.values()))
    scroll = page.locator(".a-scroll")
    assert await scroll.evaluate("one => one.scrollWidth <= one.clientWidth")
    assert await page.locator(".a-tiny").count() > 10
    assert await cut(page.locator(".a-card")) == []
    await choose_look(page, "Compacta")
    await expect(page.locator(".a-board")).to_have_class("a-board a-day a-compact")
    assert await cut(page.locator(".a-card")) == []
    assert await scroll.evaluate("one => one.scrollHeight <= one.clientHeight")


async def test_who_does_not_work_that_day_and_cards_side_by_side_are_read_among_twelve(house: House) -> None:
    clinic = await twelve(house)
    people = [replace(person, hours={0: DAY}) if person.id == "leonardo" else person for person in clinic.professionals]
    await house.gendei.directory.import_clinic(replace(clinic, professionals=tuple(people)))
    await booked(house, at(9))
    wish = BookingRequest("consulta", "ana", at(9), "João Pereira")
    await house.gendei.desk.book(clinic, Contact("+5511999990002"), wish, act=StaffAct("Lúcia", override=True))
    page = await open_agenda(house)
    head = page.locator(".a-head", has_text="Não atende")
    await expect(head.locator(".a-head-name")).to_have_text("Dr. Leonardo Albuquerque")
    assert await head.evaluate("head => head.scrollHeight <= head.clientHeight")
    assert await head.locator(".a-head-name").evaluate("name => name.scrollHeight <= name.clientHeight")
    cards = page.locator(".a-card")
    await expect(cards).to_have_count(2)
    icons = await cards.evaluate_all("all => all.map(one => getComputedStyle(one, '::after').display)")
    assert icons == ["none", "none"]
    assert await cut(cards) == []


async def choose_look(page: Page, *choices: str) -> None:
    await page.get_by_role("button", name="Exibição").click()
    for choice in choices:
        await page.get_by_role("radio", name=choice).click()
    await page.keyboard.press("Escape")


async def test_the_filter_leaves_out_whom_one_does_not_want_to_see_and_is_remembered(house: House) -> None:
    await twelve(house)
    page = await open_agenda(house)
    heads = page.locator(".a-column .a-head-name")
    await page.get_by_role("button", name="Filtrar equipe").click()
    await page.get_by_role("checkbox", name="Dr. Bruno Carvalho").click()
    await expect(heads).to_have_count(11)
    await page.get_by_role("checkbox", name="Dra. Ana Souza").click()
    await expect(heads.first).to_have_text("Dra. Carla Menezes")
    await expect(page.get_by_role("button", name="Filtrar equipe (10 de 12)")).to_be_attached()
    await page.reload()
    await expect(heads).to_have_count(10)
    await page.get_by_role("button", name="Filtrar equipe (10 de 12)").click()
    await page.get_by_role("button", name="Mostrar todos").click()
    await expect(heads).to_have_count(12)


async def test_colours_tell_the_service_or_the_professional_and_the_edge_still_the_state(house: House) -> None:
    await twelve(house)
    one = await booked(house, at(9))
    await booked(house, at(9), "João Pereira", who="carla", phone="+5511999990002")
    page = await open_agenda(house)
    edge = "one => getComputedStyle(one).borderLeftColor"
    ground = "one => getComputedStyle(one).backgroundColor"
    hue = "all => all.map(one => one.style.getPropertyValue('--hue'))"
    plain, before = await card(page).evaluate(ground), await card(page).evaluate(edge)
    await choose_look(page, "Por serviço")
    await expect(page.get_by_role("list", name="O que as cores dizem").get_by_role("listitem").first).to_have_text(
        "Consulta Geral"
    )
    hues = await page.locator(".a-card").evaluate_all(hue)
    assert (len(hues), len(set(hues))) == (2, 1)
    assert await card(page).evaluate(ground) != plain
    assert await card(page).evaluate(edge) == before
    await choose_look(page, "Por profissional")
    await expect(page.get_by_role("list", name="O que as cores dizem")).to_be_hidden()
    await page.reload()
    await expect(page.locator(".a-card.a-tinted")).to_have_count(2)
    assert len(set(await page.locator(".a-card").evaluate_all(hue))) == 2
    clinic = await house.gendei.directory.get(BOA_VIDA)
    assert clinic is not None
    await house.gendei.desk.set_status(clinic, one.id, AppointmentStatus.CONFIRMED_PRESENCE)
    await expect(card(page)).to_contain_text("Presença confirmada")
    assert await card(page).evaluate(edge) != before


async def test_a_week_of_everybody_has_a_row_for_each_with_what_is_taken_and_free(house: House) -> None:
    clinic = await twelve(house)
    await fill_day(house, clinic)
    page = await open_view(house, "week")
    rows = page.get_by_role("row")
    await expect(rows).to_have_count(13)
    ana = rows.filter(has=page.get_by_role("rowheader", name="Dra. Ana Souza"))
    tuesday = ana.get_by_role("cell").nth(1)
    await expect(tuesday.locator(".a-mini")).to_have_count(6)
    await expect(ana.get_by_role("cell").nth(5)).to_have_text("Não atende")
    await tuesday.get_by_role("button", name="08:00 às 08:30: João Pereira").click()
    await expect(page.get_by_role("dialog", name="Horário marcado")).to_contain_text("Dra. Ana Souza")
    await page.get_by_role("dialog").get_by_role("button", name="Fechar").click()
    await tuesday.get_by_role("button", name="livre 1h30").click()
    await expect(page.get_by_role("dialog", name="Marcar").get_by_label("Hora", exact=True)).to_have_value("11:20")
    await page.get_by_role("dialog").get_by_role("button", name="Fechar").click()
    await tuesday.get_by_role("button", name="e mais 8").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("terça-feira, 24/11")


async def test_a_booking_shows_in_the_week_of_everybody_without_a_reload_and_in_no_other_clinics(house: House) -> None:
    page, theirs = await open_view(house, "week"), await open_view(house, "week", user=staff("Olga", SORRISO))
    await booked(house, at(9))
    await expect(page.locator(".a-mini", has_text="Maria Silva")).to_be_visible()
    own = await house.gendei.directory.get(SORRISO)
    assert own is not None
    wish = BookingRequest("avaliacao", "paula", at(10, 20), "Beto")
    await house.gendei.desk.book(own, Contact("+5581999990001"), wish)
    await expect(theirs.locator(".a-mini .a-card-name")).to_have_text(["Beto"])


async def test_a_month_tells_how_full_each_day_is_and_leads_there(house: House) -> None:
    clinic = await twelve(house)
    booked_day = await fill_day(house, clinic)
    percent = round(100 * sum(appointment.minutes for appointment in booked_day) / (len(NAMES) * 9 * 60))
    page = await open_view(house, "month")
    await expect(page.get_by_role("heading", level=1)).to_have_text("novembro de 2026")
    day = page.get_by_role("button", name=f"ter 24/11, {len(booked_day)} marcados, {percent}% ocupado")
    await expect(day).to_be_visible()
    await page.get_by_role("button", name="Próximo mês").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("dezembro de 2026")
    await expect(page.get_by_role("button", name="sex 25/12, Fechado, ninguém")).to_be_visible()
    await page.get_by_role("button", name="Mês anterior").click()
    await day.click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("terça-feira, 24/11")
    await page.wait_for_url("**view=day**")


async def test_a_month_of_one_professional_names_the_first_of_each_day(house: House) -> None:
    for hour, name in ((8, "Ana Prado"), (9, "Maria Silva"), (10, "Lia Sá"), (11, "Marcos Reis")):
        await booked(house, at(hour), name)
    await booked(house, at(9), "João Pereira", who="carla")
    page = await open_view(house, "month", "ana")
    await expect(page.locator(".a-mini .a-card-name")).to_have_text(["Ana Prado", "Maria Silva", "Lia Sá"])
    await expect(page.get_by_text("e mais 1")).to_be_visible()
    await booked(house, at(8, day=25), "Beatriz Lima")
    await expect(page.locator(".a-mini", has_text="Beatriz Lima")).to_be_visible()


async def test_everybodys_day_is_read_one_after_the_other_on_a_phone(house: House) -> None:
    await booked(house, at(9))
    await booked(house, at(10), "João Pereira", who="carla")
    page = await open_view(house, "day", size=NARROW)
    await expect(card(page)).to_be_visible()
    await expect(card(page, "João Pereira")).to_be_visible()
    await expect(page.locator(".a-head-name", has_text="Dra. Carla Menezes")).to_be_visible()


@pytest.mark.parametrize("view", ["day", "week", "month"])
@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_nothing_of_twelve_sticks_out_of_the_screen(house: House, view: str, size: Size) -> None:
    await fill_day(house, await twelve(house))
    page = await open_view(house, view, size=size)
    await expect(page.locator(".a-card, .a-mini, .a-month-count").first).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
