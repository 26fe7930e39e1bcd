"""What pages are for who reads them with a screen reader, by the keyboard, or with tired eyes."""

from datetime import timedelta
from itertools import pairwise

import pytest
from playwright.async_api import Page, expect
from tests.pages.agenda_cast import ANA, TUESDAY, at, booked, card, open_agenda
from tests.pages.house import House
from tests.pages.inbox_people import BIA, JOAO, MARIA, MARIAS, actor, log_of, pass_time, row_of
from tests.pages.stage import NARROW, WIDE

from gendei.messages.replies import Reply

PATHS = ("/inbox", "/agenda", "/patients", "/tasks", "/numbers", "/account", "/audit")
LEAST = 4.5
"""WCAG 2.1, 1.4.3: of a text's colour to what is behind it."""
TOO_FAINT = """(least) => {
    const channel = (value) => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    const light = ([red, green, blue]) => 0.2126 * channel(red) + 0.7152 * channel(green) + 0.0722 * channel(blue);
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const rgba = (colour) => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
        return [red, green, blue, alpha / 255];
    };
    const over = (top, below, alpha) => below.map((value, at) => top[at] * alpha + value * (1 - alpha));
    const up = (element) => element ? [...up(element.parentElement), element] : [];
    const found = new Map();
    for (const element of document.querySelectorAll("body *")) {
        const own = [...element.childNodes].map((node) => node.nodeType === 3 ? node.data.trim() : "").join("");
        const box = element.getBoundingClientRect();
        if (!own || !element.checkVisibility({ opacityProperty: true }) || box.width < 2 || box.height < 2) continue;
        if (element.closest(":disabled, [aria-disabled=true], .material-icons, .q-icon")) continue;
        let behind = rgba(getComputedStyle(document.documentElement).backgroundColor);
        behind = behind[3] ? behind : [255, 255, 255, 1];
        let shown = 1;
        for (const around of up(element)) {
            const style = getComputedStyle(around);
            const [red, green, blue, alpha] = rgba(style.backgroundColor);
            shown *= Number(style.opacity);
            behind = over([red, green, blue], behind.slice(0, 3), alpha * shown);
        }
        const [red, green, blue, alpha] = rgba(getComputedStyle(element).color);
        const text = over([red, green, blue], behind, alpha * shown);
        const [low, high] = [light(text), light(behind)].sort((one, other) => one - other);
        const contrast = (high + 0.05) / (low + 0.05);
        if (contrast < least) found.set(element.className, `${contrast.toFixed(2)} ${own.slice(0, 40)}`);
    }
    return [...found].map(([name, told]) => `${name}: ${told}`);
}"""


async def full(house: House) -> None:
    """An inbox with something of every kind."""
    await house.write(MARIA, "quero marcar uma consulta amanhã", name="Maria")
    front = house.gendei.front_desk.conversations
    await front.add_note(actor(), MARIA, "Prefere de manhã.")
    await front.set_labels(actor(), MARIA, ["orçamento"])
    await front.take_over(actor(), MARIA)
    await front.hand_back(actor(), MARIA, "Já pagou.")
    await booked(house, at(10), "Maria Silva")
    await house.write(JOAO, "quero falar com uma pessoa", name="João")
    await house.write("+5511999990003", "estou com dor no peito e falta de ar", name="Ana")
    await house.write("+5511999990004", "oi", name="Rui")
    await front.snooze(actor(), "+5511999990004", house.gendei.clock() + timedelta(minutes=1))
    pass_time(house, timedelta(minutes=2))


@pytest.mark.slow
@pytest.mark.parametrize("path", PATHS)
async def test_a_page_has_one_first_heading_one_middle_and_a_link_that_skips_to_it(house: House, path):
    await house.write(MARIA, "oi", name="Maria")
    page = await house.visit(path, BIA)
    await expect(page.locator("main")).to_have_count(1)
    await expect(page.get_by_role("heading", level=1)).to_have_count(1)
    await page.keyboard.press("Tab")
    await expect(page.get_by_role("link", name="Pular para o conteúdo")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.locator("main")).to_be_focused()


@pytest.mark.slow
async def test_the_headings_of_a_conversation_lie_one_below_the_other(house: House):
    await full(house)
    page = await house.visit(MARIAS, BIA)
    await expect(page.locator(".i-card h3").first).to_be_visible()
    await log_of(page).get_by_text("Por que respondeu assim").first.click()
    levels = await page.locator("h1, h2, h3").evaluate_all("all => all.map((one) => Number(one.tagName[1]))")
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels)), levels


async def faint(page: Page) -> list[str]:
    told: list[str] = await page.evaluate(TOO_FAINT, LEAST)
    return told


@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True])
async def test_every_text_of_the_inbox_can_be_told_from_what_is_behind_it(house: House, dark):
    await full(house)
    page = await house.visit(MARIAS, BIA, size=WIDE, dark=dark)
    await expect(page.locator(".i-card").get_by_text("Maria").first).to_be_visible()
    await expect(row_of(page, "Rui")).to_contain_text("Voltou")
    await log_of(page).get_by_text("Por que respondeu assim").first.click()
    assert await faint(page) == []
    await row_of(page, "Ana").click()
    await expect(page.get_by_role("alert").get_by_text("Sinal de perigo")).to_be_visible()
    await page.get_by_role("button", name="Marcar várias").click()
    assert await faint(page) == []


@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True])
async def test_what_a_person_of_the_clinic_wrote_can_be_read(house: House, dark):
    await house.write(MARIA, "oi", name="Maria")
    await house.gendei.front_desk.conversations.take_over(actor(), MARIA)
    await house.gendei.front_desk.conversations.send(actor(), MARIA, Reply("Veja em https://example.org"))
    page = await house.visit(MARIAS, BIA, dark=dark)
    await expect(log_of(page).locator(".i-person").get_by_role("link")).to_be_visible()
    assert await faint(page) == []


@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True])
async def test_the_days_around_a_month_can_be_read_too(house: House, dark):
    for hour in (8, 9, 10, 11):
        await booked(house, at(hour) + timedelta(days=7))
    page = await house.visit(f"/agenda?day={TUESDAY}&view=month&professional=ana", ANA, dark=dark)
    await expect(page.locator(".a-other-month").get_by_text("e mais 1")).to_be_visible()
    assert await faint(page) == []


@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True])
async def test_the_empty_phone_of_the_demo_can_be_read(demo_house: House, dark):
    page = await demo_house.visit("/phone", dark=dark)
    await expect(page.get_by_text("Escreva como paciente, ou comece por aqui").first).to_be_visible()
    assert await faint(page) == []


DIALLED = "(11) 99999-0001"


@pytest.mark.slow
async def test_a_conversation_and_an_appointment_tell_the_phone_as_it_is_dialled(house: House):
    await house.write(MARIA, "oi", name="Maria")
    await booked(house, at(10))
    page = await house.visit(MARIAS, BIA)
    await expect(page.locator(".i-head")).to_contain_text(DIALLED)
    await expect(page.locator(".i-card")).to_contain_text(DIALLED)
    await page.get_by_role("button", name="Nova conversa").click()
    await page.get_by_label("Nome do paciente, ou telefone com DDD").fill("maria")
    await expect(page.get_by_role("dialog").get_by_role("button", name="Maria Silva")).to_contain_text(DIALLED)
    page = await open_agenda(house)
    await card(page).click()
    await expect(page.get_by_role("dialog")).to_contain_text(DIALLED)


@pytest.mark.slow
async def test_who_has_no_name_is_listed_by_the_phone_as_it_is_dialled(house: House):
    await house.write(MARIA, "oi", name="")
    page = await house.visit(MARIAS, BIA)
    await expect(row_of(page, DIALLED)).to_be_visible()
    await expect(page.get_by_role("heading", name=DIALLED)).to_be_visible()


@pytest.mark.slow
async def test_the_head_of_a_conversation_stays_low_on_a_phone_whatever_its_labels(house: House):
    await house.write(MARIA, "oi", name="Maria")
    await house.gendei.front_desk.conversations.set_labels(actor(), MARIA, ["orçamento", "retorno", "exame", "receita"])
    page = await house.visit(MARIAS, BIA, size=NARROW)
    await expect(page.get_by_role("heading", name="Maria")).to_be_visible()
    assert await page.locator(".i-head").evaluate("head => head.offsetHeight") < 80
    await expect(page.get_by_placeholder("Mensagem", exact=True)).to_be_visible()


@pytest.mark.slow
async def test_a_hint_of_two_lines_covers_no_field_below_it(house: House):
    page = await open_agenda(house, size=NARROW)
    await page.get_by_role("button", name="Marcar").first.click()
    hint = page.get_by_text("Escreva parte do nome ou do telefone para achar quem já é paciente.")
    await expect(hint).to_be_visible()
    below = page.get_by_role("dialog").locator(".q-field", has=page.get_by_label("Telefone", exact=True))
    first, second = await hint.bounding_box(), await below.bounding_box()
    assert first is not None
    assert second is not None
    assert first["y"] + first["height"] + 4 <= second["y"]
