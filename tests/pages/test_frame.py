"""What every page has: sign-in, menu, and what holds when the connection is lost."""

import pytest
from nicegui import app, ui
from playwright.async_api import expect
from starlette.routing import Route
from tests.pages.house import SORRISO, staff
from tests.pages.stage import NARROW, WIDE

from gendei.staff.actors import NO_CLINIC, Role
from gendei.web.pages.frame import keep_draft, staff_page
from gendei.web.pages.site import PageContext

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", autouse=True)
def a_page():
    """A page to try the frame on."""

    @staff_page("/frame-test", title="inbox")
    async def desk(context: PageContext, word: str = "") -> None:
        ui.label(f"{context.actor.name}, {word}")
        keep_draft(ui.textarea("Texto"), "test")

    @staff_page("/frame-broken", title="inbox")
    async def broken(context: PageContext) -> None:
        raise RuntimeError("segredo")


async def test_a_page_that_fails_says_so_and_shows_nothing_of_why(house):
    page = await house.visit("/frame-broken", staff("Ana"))
    await expect(page.get_by_role("alert")).to_contain_text("A página não abriu.")
    await expect(page.get_by_role("link", name="Tentar de novo")).to_be_visible()
    assert "segredo" not in await page.content()
    house.complaints.clear()  # the browser calls the answer's 500 an error


async def test_a_page_shows_whose_it_is_and_takes_parameters(house):
    page = await house.visit("/frame-test?word=oi", staff("Ana"))
    await expect(page.get_by_text("Clínica Boa Vida")).to_be_visible()
    await expect(page.get_by_text("Ana, oi")).to_be_visible()


@pytest.mark.parametrize("width", [1280, 860, 761, 390])
async def test_an_operators_menu_and_account_are_on_the_screen_at_any_width(house, width):
    operator = staff("Olga", NO_CLINIC, Role.OPERADOR)
    page = await house.visit("/operator", operator, size=(width, 800))
    await page.get_by_role("button", name="Atuar por esta clínica").first.click()
    await expect(page).to_have_url(f"{house.url}/inbox")
    await expect(page.get_by_role("link", name="Operação")).to_be_in_viewport(ratio=1)
    await expect(page.get_by_role("button", name="Sua conta")).to_be_in_viewport(ratio=1)


async def test_who_is_not_signed_in_is_sent_to_the_sign_in_and_back(house):
    answer = await (await house.visit("/healthz")).request.get(f"{house.url}/frame-test?word=oi", max_redirects=0)
    assert (answer.status, answer.headers["location"]) == (303, "/login?next=%2Fframe-test%3Fword%3Doi")


OPEN = ("/_nicegui", "/static", "/favicon", "/phone", "/demo")
"""What anybody may have; the last two are the demo's alone."""


async def test_no_page_opens_without_signing_in(house):
    asked = (await house.visit("/healthz")).request
    pages = {route.path: route for route in app.routes if isinstance(route, Route) and not route.path.startswith(OPEN)}
    assert {"/inbox", "/agenda", "/patients/{who}", "/tasks", "/numbers", "/audit", "/operator", "/account"} <= set(
        pages
    )
    for path, page in pages.items():
        method = "GET" if "GET" in (page.methods or ()) else "POST"
        answer = await asked.fetch(house.url + path.replace("{who}", "x"), method=method, max_redirects=0)
        sent_away = answer.status == 303 and answer.headers["location"].startswith("/login?next=")
        assert sent_away or answer.status in {401, 403, 404}, path


@pytest.mark.parametrize(
    ("role", "shown"),
    [
        (Role.ATENDENTE, ["Conversas", "Agenda", "Pacientes", "Tarefas"]),
        (Role.GESTOR, ["Conversas", "Agenda", "Pacientes", "Tarefas", "Números", "Ajustes"]),
    ],
)
async def test_the_menu_holds_what_the_role_may_open(house, role, shown):
    page = await house.visit("/frame-test", staff("Ana", SORRISO, role))
    links = page.get_by_role("navigation").first.get_by_role("link")
    await expect(links).to_have_text([f"{icon}{name}" for icon, name in zip(ICONS, shown, strict=False)])


ICONS = ("chat", "calendar_month", "group", "task_alt", "bar_chart", "tune")


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_there_is_one_menu_on_any_screen_and_nothing_sticks_out(house, size):
    page = await house.visit("/frame-test", staff("Ana"), size=size)
    await expect(page.get_by_role("link", name="Agenda")).to_have_count(1)
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")


LONG = 30_000
"""Milliseconds; a browser tries again every few seconds."""


async def test_a_lost_connection_is_said_and_what_was_typed_stays(house):
    page = await house.visit("/frame-test", staff("Ana"))
    await page.get_by_label("Texto").fill("Bom dia")
    await page.context.set_offline(True)  # or it is back before anything needs to be said
    await page.evaluate("window.socket.io.engine.close()")
    await expect(page.get_by_text("Sem conexão com o servidor.")).to_be_visible(timeout=LONG)
    await page.context.set_offline(False)
    await expect(page.get_by_text("Sem conexão com o servidor.")).to_be_hidden(timeout=LONG)
    await expect(page.get_by_label("Texto")).to_have_value("Bom dia")
    house.complaints.clear()  # the browser calls each attempt without a network an error


async def test_a_page_that_comes_back_without_its_session_leads_to_the_sign_in(house):
    page = await house.visit("/frame-test", staff("Ana"))
    await page.context.set_offline(True)
    await page.evaluate("window.socket.io.engine.close()")
    await expect(page.get_by_text("Sem conexão com o servidor.")).to_be_visible(timeout=LONG)
    await page.context.clear_cookies()
    await page.context.set_offline(False)
    await page.wait_for_url("**/login?next=*", timeout=LONG)
    house.complaints.clear()  # the browser calls each attempt without a network an error


async def test_what_was_typed_survives_that_the_page_is_built_anew(house):
    page = await house.visit("/frame-test", staff("Ana"))
    await page.get_by_label("Texto").fill("Bom dia")
    await page.reload()
    await expect(page.get_by_label("Texto")).to_have_value("Bom dia")


async def test_what_was_sent_does_not_come_back(house):
    page = await house.visit("/frame-test", staff("Ana"))
    await page.get_by_label("Texto").fill("Bom dia")
    await page.get_by_label("Texto").fill("")
    await page.reload()
    await expect(page.get_by_label("Texto")).to_have_value("")


async def test_no_script_but_our_own_runs_in_a_page(house):
    page = await house.visit("/frame-test", staff("Ana"))
    await page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.broken=1\">')")
    await page.evaluate(
        "document.body.append(Object.assign(document.createElement('script'), {text: 'window.broken=1'}))"
    )
    assert await page.evaluate("window.broken") is None
    assert any("Content Security Policy" in complaint for complaint in house.complaints)
    house.complaints.clear()


SOCKET = """url => new Promise(done => {
    const socket = new WebSocket(url);
    socket.onopen = () => done("open");
    socket.onerror = () => done("refused");
})"""


async def test_another_sites_page_opens_no_socket(house):
    own = await house.visit("/frame-test", staff("Ana"))
    another = await own.context.new_page()
    address = f"{house.url.replace('http', 'ws')}/_nicegui_ws/socket.io/?EIO=4&transport=websocket"
    assert [await page.evaluate(SOCKET, address) for page in (own, another)] == ["open", "refused"]


@pytest.mark.parametrize("dark", [False, True])
async def test_an_unknown_address_is_our_own_404_with_the_way_back(house, dark):
    page = await house.visit("/nowhere", staff("Ana"), size=NARROW, dark=dark)
    await expect(page.get_by_role("heading", name="Página não encontrada")).to_be_visible()
    await house.shoot(page, f"not-found-{'dark' if dark else 'light'}")
    await page.get_by_role("link", name="Ir para o início").click()
    await expect(page).to_have_url(f"{house.url}/inbox")
    answer = await page.request.get(f"{house.url}/nowhere", headers={"accept": "*/*"})
    assert (answer.status, await answer.text()) == (404, "Not Found")
    house.complaints.clear()  # the browser notes every answer of 4xx


async def test_the_address_alone_leads_to_the_sign_in(house):
    page = await house.visit("/")
    await expect(page).to_have_url(f"{house.url}/login?next=%2Finbox")
