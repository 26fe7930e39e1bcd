"""The inbox: what staff see of conversations as they happen, and what they do in them."""

import pytest
from playwright.async_api import Locator, Page, expect
from tests.pages.house import NARROW, SORRISO, WIDE, House, staff

MARIA, JOAO = "+5511999990001", "+5511999990002"
BIA, CAIO, OLGA = staff("Bia"), staff("Caio"), staff("Olga", SORRISO)


def row_of(page: Page, name: str) -> Locator:
    return page.get_by_role("navigation", name="Conversas").get_by_role("link", name=name)


def log_of(page: Page) -> Locator:
    return page.get_by_role("log")


async def test_a_message_shows_in_the_list_and_in_the_conversation_as_it_arrives(house: House):
    page = await house.visit("/inbox", BIA)
    await expect(page.get_by_text("Ainda não há conversas.")).to_be_visible()
    await house.write(MARIA, "Oi, tudo bem?", name="Maria Silva")
    await row_of(page, "Maria Silva").click()
    await house.write(MARIA, "qual é o endereço?", name="Maria Silva")
    await expect(log_of(page).get_by_text("qual é o endereço?")).to_be_visible()
    await expect(log_of(page)).to_contain_text("Rua")


@pytest.mark.parametrize("size", [WIDE, NARROW])
@pytest.mark.parametrize("dark", [False, True])
async def test_pictures(house: House, size, dark):
    for number, (name, text) in enumerate(
        [
            ("Maria Silva", "Quero marcar uma consulta amanhã"),
            ("João Pereira", "quero falar com uma pessoa"),
            ("Ana Beatriz", "😀🎉"),
            ("محمد", "مرحبا، أريد موعدًا"),
        ]
    ):
        await house.write(f"+551199999000{number}", text, name=name)
    name = f"inbox-{'dark' if dark else 'light'}-{size[0]}"
    page = await house.visit("/inbox", BIA, size=size, dark=dark)
    await expect(row_of(page, "Maria Silva")).to_be_visible()
    await house.shoot(page, name + "-list")
    await row_of(page, "Maria Silva").click()
    await expect(log_of(page)).to_contain_text("amanhã")
    await house.shoot(page, name + "-open")
