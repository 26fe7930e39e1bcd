"""Signing in and out in a real browser."""

import pytest
import pytest_asyncio
from nicegui import ui
from playwright.async_api import Page, expect
from tests.pages.house import BOA_VIDA, SORRISO, staff
from tests.pages.stage import NARROW, WIDE

from gendei.staff.actors import Role, terminal
from gendei.web.pages import frame
from gendei.web.pages.frame import staff_page
from gendei.web.pages.site import PageContext
from gendei.web.sign_in import sign_in_texts

PASSWORD = "girassol na janela"
EMAIL = "rita@boa-vida.test"
PATH = "/sign-in-test"
pressed: list[str] = []


@pytest.fixture(scope="module", autouse=True)
def a_page():
    """A page behind the sign-in."""

    @staff_page(PATH, title="inbox")
    async def desk(context: PageContext) -> None:
        ui.label(f"{context.actor.name} em {context.clinic.name if context.clinic else 'nenhuma'}")
        ui.button("Apertar", on_click=lambda: pressed.append(context.actor.user_id))


@pytest_asyncio.fixture(loop_scope="session")
async def rita(house):
    return await house.gendei.staff.accounts.add(terminal(BOA_VIDA), EMAIL, "Rita", Role.ATENDENTE, PASSWORD)


async def fill(page: Page, password: str = PASSWORD) -> None:
    await page.get_by_label("E-mail").fill(EMAIL)
    await page.get_by_label("Senha").fill(password)
    await page.get_by_role("button", name="Entrar").click()


async def test_signing_in_leads_to_the_page_that_was_asked_for(house, rita):
    page = await house.visit(PATH)
    await fill(page)
    await expect(page.get_by_text("Rita em Clínica Boa Vida")).to_be_visible()


async def test_a_wrong_password_is_said_and_the_email_stays(house, rita):
    page = await house.visit("/login")
    await fill(page, "girassol na varanda")
    await expect(page.get_by_role("alert")).to_have_text(sign_in_texts().refused)
    await expect(page.get_by_label("E-mail")).to_have_value(EMAIL)
    await expect(page.get_by_label("Senha")).to_be_focused()
    house.complaints.clear()  # the browser calls the answer's status an error


async def test_signing_out_closes_the_way_back(house, rita):
    page = await house.visit(PATH)
    await fill(page)
    await page.get_by_role("button", name="Sua conta").click()
    await page.get_by_text("Sair").click()
    await expect(page.get_by_role("status")).to_have_text(sign_in_texts().ended)
    await page.goto(PATH)
    await expect(page.get_by_role("button", name="Entrar")).to_be_visible()


@pytest.mark.parametrize("size", [WIDE, NARROW, (320, 568)])
@pytest.mark.parametrize("dark", [False, True])
async def test_the_form_fits_on_any_screen_and_loads_nothing_that_is_refused(house, size, dark):
    page = await house.visit("/login", size=size, dark=dark)
    await house.shoot(page, f"sign-in-{size[0]}-{'dark' if dark else 'light'}")
    sticks_out = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    assert await page.evaluate(sticks_out) is False


async def test_an_open_page_of_a_session_that_was_ended_leads_out_and_does_nothing_more(house, monkeypatch):
    monkeypatch.setattr(frame, "SESSION_CHECK_SECONDS", 0.2)
    user = staff("Gil", SORRISO)
    page = await house.visit(PATH, user)
    await page.get_by_role("button", name="Apertar").click()
    await page.route(f"**{PATH}", lambda route: route.abort("aborted"))  # a browser that stays where it is
    buttons = await page.evaluate_handle("[...document.querySelectorAll('button')]")
    sessions, pressed_before = house.gendei.staff.sessions, len(pressed)
    for session in await sessions.of_user(user.actor(), user.id):
        async with page.expect_request(f"**{PATH}"):
            await sessions.revoke(user.actor(), session.id)
    await buttons.evaluate("all => all.forEach((one) => one.click())")
    other = await house.visit(PATH, staff("Ana", BOA_VIDA))
    await other.get_by_role("button", name="Apertar").click()
    await expect(other.get_by_text("Ana em")).to_be_visible()
    assert set(pressed[pressed_before:]) <= {"ana@boa-vida.test"}
    house.complaints.clear()  # the request that was not let through
