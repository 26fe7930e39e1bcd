"""Who looks at the inbox in these tests, who writes, and where things are on the page."""

from datetime import timedelta

from playwright.async_api import Locator, Page
from tests.pages.house import SORRISO, House, staff

from gendei.clock import MovableClock
from gendei.staff.access.users import User
from gendei.staff.actors import Actor

MARIA, JOAO = "+5511999990001", "+5511999990002"
BIA, CAIO, OLGA = staff("Bia"), staff("Caio"), staff("Olga", SORRISO)
"""Olga works at the other clinic."""
MARIAS = f"/inbox?contact=%2B{MARIA[1:]}"


def row_of(page: Page, name: str) -> Locator:
    return page.get_by_role("navigation", name="Conversas").get_by_role("link", name=name)


def log_of(page: Page) -> Locator:
    return page.get_by_role("log")


def field_of(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Escreva uma mensagem")


async def send(page: Page, text: str) -> None:
    await field_of(page).fill(text)
    await page.get_by_role("button", name="Enviar", exact=True).click()


async def choose(page: Page, action: str) -> None:
    """Something of the conversation's menu."""
    await page.get_by_role("button", name="Ações").click()
    await page.get_by_role("menuitem", name=action).click()


def actor(user: User = BIA) -> Actor:
    """As the backend knows somebody, without a browser."""
    return user.actor()


def pass_time(house: House, step: timedelta) -> None:
    """The service's clock goes on."""
    clock = house.gendei.clock
    assert isinstance(clock, MovableClock)
    assert clock.move_to(clock() + step)
