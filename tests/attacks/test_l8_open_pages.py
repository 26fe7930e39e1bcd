"""L8: an open page reads nothing more for who may not read it any more, whatever is pressed on it."""

# ruff: noqa: F811

import re
from collections import Counter
from datetime import timedelta

import pytest
import pytest_asyncio
from nicegui import ui
from playwright.async_api import expect
from tests.pages.agenda_cast import ANA, at, booked, card, open_agenda
from tests.pages.conftest import house, stage  # noqa: F401  # the fixtures of pages
from tests.pages.house import BOA_VIDA, SORRISO, staff
from tests.staff.door import open_door

from gendei.errors import StoreUnavailable
from gendei.staff import recent
from gendei.staff.access.sessions import IDLE, TOUCHED_EVERY
from gendei.staff.actors import Role, terminal
from gendei.staff.agenda.agenda import Agenda
from gendei.web.pages.frame import staff_page
from gendei.web.pages.site import PageContext

pytestmark = pytest.mark.asyncio(loop_scope="session")
PRESSED: Counter[str] = Counter()
TYPED: list[str] = []
BIA = staff("Bia")
OUTSIDER = staff("Otavio", SORRISO)


@pytest_asyncio.fixture(scope="module", loop_scope="session", autouse=True)
async def a_page():
    """One whose handlers ask for nobody before they read."""

    @staff_page("/asked-first", title="inbox")
    async def careless(context: PageContext) -> None:
        shown, who = ui.label().props("role=status"), context.actor.user_id

        def read() -> None:
            PRESSED.update([who])
            shown.text = f"lido {PRESSED[who]}"

        ui.button("Ler", on_click=read)
        ui.input("Texto", on_change=lambda event: TYPED.append(event.value))


@pytest.fixture
def at_once(monkeypatch):
    """Nothing is believed for a while: the store's answer counts at once, and not within three seconds."""
    monkeypatch.setattr(recent, "KEPT", timedelta())
    PRESSED.clear()
    TYPED.clear()


async def disable(house, user):
    await house.gendei.staff.accounts.disable(terminal(user.clinic_id), user.id)


@pytest.mark.slow
async def test_the_agenda_of_a_disabled_user_shows_no_other_day(house, at_once, monkeypatch):
    reads = []
    view = Agenda.view

    async def counted(self, actor, *args, **kwargs):
        reads.append(actor.user_id)
        return await view(self, actor, *args, **kwargs)

    monkeypatch.setattr(Agenda, "view", counted)
    await booked(house, at(9, day=25))
    page, colleagues = await open_agenda(house), await open_agenda(house, BIA)
    await disable(house, ANA)
    before = reads.count(ANA.id)
    await page.get_by_label("Próximo dia").click()
    await expect(page).to_have_url(re.compile(r"/login\?next="))
    await colleagues.get_by_label("Próximo dia").click()
    await expect(card(colleagues)).to_be_visible()
    assert (reads.count(ANA.id) - before, reads.count(BIA.id) > 0) == (0, True)


async def test_a_change_of_the_day_is_shown_to_nobody_who_was_disabled(house, at_once):
    page, colleagues = await open_agenda(house), await open_agenda(house, BIA)
    await disable(house, ANA)
    await booked(house, at(9))
    await expect(card(colleagues)).to_be_visible()
    await expect(page).to_have_url(re.compile(r"/login\?next="))


@pytest.mark.parametrize("how", ["disabled", "role", "session"])
async def test_no_handler_of_any_page_is_called_for_who_may_not_any_more(house, at_once, how):
    page, outsiders = await house.visit("/asked-first", BIA), await house.visit("/asked-first", OUTSIDER)
    await press(page, 1)
    await page.route("**/login**", lambda route: route.abort("aborted"))  # a browser that stays where it is
    await page.route("**/asked-first**", lambda route: route.abort("aborted"))
    staff_of_house, gestor = house.gendei.staff, terminal(BOA_VIDA)
    buttons = await page.evaluate_handle("[...document.querySelectorAll('button')]")
    if how == "disabled":
        await disable(house, BIA)
    elif how == "role":
        await house.sign_in(ANA)
        await staff_of_house.accounts.set_role(gestor, BIA.id, Role.ATENDENTE)
    else:
        for session in await staff_of_house.sessions.of_user(gestor, BIA.id):
            await staff_of_house.sessions.revoke(gestor, session.id)
    async with page.expect_request("**/asked-first**"):
        await buttons.evaluate("all => all.forEach((one) => one.click())")
    await press(outsiders, 1)
    assert {BIA.id: 1, OUTSIDER.id: 1} == PRESSED
    house.complaints.clear()  # the requests that were not let through


async def test_what_is_typed_and_pressed_arrives_in_order_also_while_the_store_is_away(
    house,
    at_once,
    monkeypatch,
):
    page = await house.visit("/asked-first", ANA)

    async def away(*_args, **_kwargs):
        raise StoreUnavailable("away")

    monkeypatch.setattr(house.gendei.staff.sessions, "find", away)
    await page.get_by_label("Texto").press_sequentially("girassol")
    await press(page, 1)
    assert ["girassol"[: end + 1] for end in range(len("girassol"))] == TYPED


async def test_looking_after_an_open_page_is_no_use_of_the_session_and_pressing_something_is():
    async with open_door() as door:
        session, cookie = await door.enter()
        for _ in range(int(IDLE / TOUCHED_EVERY) + 2):
            door.advance(seconds=TOUCHED_EVERY.total_seconds())
            await door.staff.sessions.find(cookie, is_use=False)
            assert await door.staff.sessions.find(cookie) is not None
        used = await door.staff.sessions.find(cookie)
        door.advance(seconds=IDLE.total_seconds())
        assert (used is not None and used.seen_at > session.seen_at) is True
        assert await door.staff.sessions.find(cookie, is_use=False) is None


async def press(page, times: int) -> None:
    """Press the button, and wait until its handler has said so."""
    await page.get_by_role("button", name="Ler").click()
    await expect(page.get_by_role("status")).to_have_text(f"lido {times}")
