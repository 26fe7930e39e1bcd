"""Signing in and out over HTTP."""

import pyotp
import pytest
from tests.journeys.town import clinics
from tests.staff.door import AURORA, BROMELIA, GIL, OLGA, OTAVIO, PASSWORD, RITA, WRONG, Door, open_door
from tests.web.entrance import COOKIE, HTTPS, LOOPBACK, Browser, add_probes, browse

from gendei.clinics.directory import Directory
from gendei.staff.access.attempts import FOR_EMAIL
from gendei.staff.access.sessions import IDLE
from gendei.staff.access.totp import new_totp_secret
from gendei.staff.actors import terminal
from gendei.staff.recent import KEPT
from gendei.web.app import WebParts, create_app
from gendei.web.sign_in import add_sign_in, sign_in_texts

TEXTS = sign_in_texts()
NOBODY = {"user": None, "clinic": None, "token": None}


@pytest.fixture
async def door():
    async with open_door() as door:
        yield door


@pytest.fixture
async def app(door: Door, parts: WebParts):
    app = create_app(parts)
    add_probes(app)
    async with Directory(door.documents, door.clock) as directory:
        for clinic in clinics():
            await directory.import_clinic(clinic)
        add_sign_in(app, door.staff, directory)
        yield app


@pytest.fixture
async def browser(app):
    async with browse(app) as browser:
        yield browser


@pytest.fixture
async def other(app):
    async with browse(app) as browser:
        yield browser


def attributes(response) -> set[str]:
    """Of the session's cookie, which is the first."""
    return {part.strip() for part in response.headers.get_list("set-cookie")[0].split(";")[1:]}


# The way in


async def test_the_page_needs_nobody_and_no_script_and_nothing_from_elsewhere(browser: Browser):
    page = await browser.get("/login")
    policy = page.headers["content-security-policy"]
    assert (page.status_code, "<script" in page.text, "http" in page.text) == (200, False, False)
    assert ("default-src 'none'" in policy, "unsafe" in policy, page.headers["cache-control"]) == (
        True,
        False,
        "no-store",
    )


async def test_signing_in_leads_to_the_inbox_with_a_cookie_for_this_host_alone(browser: Browser):
    answer = await browser.sign_in()
    assert (answer.status_code, answer.headers["location"]) == (303, "/inbox")
    assert answer.headers["set-cookie"].startswith(f"{COOKIE}=")
    assert attributes(answer) == {"HttpOnly", "Max-Age=604800", "Path=/", "SameSite=lax", "Secure"}
    assert (await browser.probed())["user"] == RITA


async def test_on_the_machine_itself_a_cookie_goes_over_plain_http(app):
    async with browse(app, LOOPBACK) as browser:
        answer = await browser.sign_in()
        assert (answer.headers["set-cookie"].startswith("gendei="), "Secure" in attributes(answer)) == (True, False)
        assert (await browser.probed())["user"] == RITA


@pytest.mark.parametrize("base", ["http://gendei.test", "http://192.0.2.1:8000"])
async def test_elsewhere_a_cookie_over_plain_http_is_for_https_only(app, base: str):
    async with browse(app, base) as browser:
        assert "Secure" in attributes(await browser.sign_in())
        assert await browser.probed() == NOBODY


async def test_a_proxy_that_hides_https_does_not_make_the_cookie_weaker(app):
    async with browse(app, LOOPBACK) as browser:
        answer = await browser.client.post(
            "/session",
            data={"email": RITA, "password": PASSWORD},
            headers={"origin": "https://127.0.0.1:8000"},
        )
        assert "Secure" in attributes(answer)


async def test_a_cookie_without_the_hosts_prefix_is_not_taken_over_https(browser: Browser, other: Browser):
    await browser.sign_in()
    other.client.cookies.set("gendei", browser.cookie())
    assert await other.probed() == NOBODY


@pytest.mark.parametrize(
    ("asked", "led"),
    [
        ("/agenda", "/agenda"),
        ("/inbox/%2B5511?tab=a", "/inbox/%2B5511?tab=a"),
        ("//evil.test", "/inbox"),
        ("https://evil.test", "/inbox"),
        ("/\\evil.test", "/inbox"),
        ("/a\r\nset-cookie: x=y", "/inbox"),
        ("javascript:alert(1)", "/inbox"),
    ],
)
async def test_it_leads_on_within_this_site_only(browser: Browser, asked: str, led: str):
    assert (await browser.sign_in(next=asked)).headers["location"] == led


async def test_the_operadora_begins_at_her_own_pages(browser: Browser):
    assert (await browser.sign_in(OLGA)).headers["location"] == "/operator"


async def test_who_is_signed_in_needs_no_page_to_sign_in(browser: Browser):
    await browser.sign_in()
    assert (await browser.get("/login?next=/agenda")).headers["location"] == "/agenda"


@pytest.mark.parametrize(("email", "password"), [(RITA, WRONG), ("ninguem@x.com", PASSWORD), ("x", PASSWORD)])
async def test_a_refusal_says_the_same_whatever_was_wrong_and_keeps_the_email(browser: Browser, email, password):
    page = await browser.sign_in(email, password)
    assert (page.status_code, TEXTS.refused in page.text, f'value="{email}"' in page.text) == (403, True, True)
    assert (password in page.text, "set-cookie" in page.headers) == (False, False)


async def test_what_was_typed_shows_as_text(browser: Browser):
    page = await browser.sign_in('"><script>alert(1)</script>', WRONG, next='/"><b>')
    assert ("<script>" in page.text, "<b>" in page.text) == (False, False)


async def test_an_empty_form_is_asked_for_again(browser: Browser):
    page = await browser.sign_in(" ", "")
    assert (page.status_code, TEXTS.incomplete in page.text) == (400, True)


async def test_too_many_attempts_are_told_how_long_to_wait(browser: Browser):
    for _ in range(FOR_EMAIL.free + 1):
        await browser.sign_in(RITA, WRONG)
    page = await browser.sign_in()
    assert (page.status_code, page.headers["retry-after"], TEXTS.wait(1) in page.text) == (429, "60", True)


def test_minutes_are_counted_in_portuguese():
    said = [TEXTS.wait(minutes) for minutes in (1, 2)]
    assert ["1 minuto e" in said[0], "2 minutos e" in said[1]] == [True, True]


async def test_a_code_that_was_used_does_not_open_a_second_time(door: Door, browser: Browser, other: Browser):
    secret = new_totp_secret()
    await door.staff.accounts.set_totp(terminal(), RITA, secret, pyotp.TOTP(secret).at(door.now))
    door.advance(hours=1)
    code = pyotp.TOTP(secret).at(door.now)
    assert [(await item.sign_in(code=code)).status_code for item in (browser, other)] == [303, 403]


# Forms of others, and old ones


@pytest.mark.parametrize("origin", ["https://evil.test", "null", "http://evil.test", "https://gendei.test.evil.test"])
@pytest.mark.parametrize("path", ["/session", "/session/end", "/session/clinic"])
async def test_another_sites_form_is_refused(browser: Browser, path: str, origin: str):
    await browser.sign_in(OLGA)
    fields = {"email": RITA, "password": PASSWORD, "clinic": AURORA, "csrf_token": await browser.token()}
    assert (await browser.post(path, origin=origin, **fields)).status_code == 403
    found = await browser.probed()
    assert (found["user"], found["clinic"]) == (OLGA, "")


@pytest.mark.parametrize(
    "headers", [{}, {"sec-fetch-site": "cross-site", "origin": HTTPS}, {"sec-fetch-site": "same-site"}]
)
async def test_a_form_that_the_browser_does_not_call_this_sites_is_refused(browser: Browser, headers):
    data = {"email": RITA, "password": PASSWORD}
    assert (await browser.client.post("/session", data=data, headers=headers)).status_code == 403


async def test_a_form_of_another_session_is_refused(browser: Browser, other: Browser):
    await browser.sign_in(OLGA)
    stolen = await browser.token()
    await other.sign_in(OLGA)
    for path in ("/session/end", "/session/clinic"):
        assert (await other.post(path, csrf_token=stolen, clinic=AURORA)).status_code == 403
    assert (await other.probed())["user"] == OLGA


@pytest.mark.parametrize("token", ["", "x", "é"])
async def test_a_form_without_its_token_ends_nothing(browser: Browser, token: str):
    await browser.sign_in()
    answer = await browser.post("/session/end", csrf_token=token)
    assert (answer.status_code, answer.text) == (403, TEXTS.stale)
    assert (await browser.probed())["user"] == RITA


async def test_a_form_that_is_posted_again_after_signing_in_anew_is_refused(browser: Browser):
    await browser.sign_in()
    before = await browser.token()
    await browser.post("/session/end", csrf_token=before)
    await browser.sign_in()
    assert (await browser.post("/session/end", csrf_token=before)).status_code == 403


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"x" * 9000, "application/x-www-form-urlencoded", 413),
        (b"{}", "application/json", 415),
        (b"", "multipart/form-data; boundary=x", 415),
        (b"\xff=\xfe&&=&email", "application/x-www-form-urlencoded", 400),
    ],
)
async def test_what_is_no_form_is_refused(browser: Browser, content: bytes, kind: str, status: int):
    answer = await browser.client.post(
        "/session", content=content, headers={"content-type": kind, "origin": browser.origin}
    )
    assert answer.status_code == status


# The way out


async def test_signing_out_ends_the_session_also_for_who_kept_the_cookie(browser: Browser, other: Browser):
    await browser.sign_in()
    other.client.cookies.set(COOKIE, browser.cookie())
    answer = await browser.post("/session/end", csrf_token=await browser.token())
    assert (answer.status_code, answer.headers["location"]) == (303, "/login?ended")
    assert [await item.probed() for item in (browser, other)] == [NOBODY, NOBODY]
    assert TEXTS.ended in (await browser.get("/login?ended")).text


async def test_signing_out_without_a_session_is_no_error(browser: Browser):
    assert (await browser.post("/session/end", csrf_token="")).headers["location"] == "/login?ended"


async def test_signing_in_again_ends_the_session_before(door: Door, browser: Browser, other: Browser):
    await browser.sign_in()
    other.client.cookies.set(COOKIE, browser.cookie())
    await browser.sign_in(GIL)
    assert ((await browser.probed())["user"], await other.probed()) == (GIL, NOBODY)


async def test_an_expired_a_revoked_and_a_forged_cookie_are_nobody(door: Door, browser: Browser, other: Browser):
    await browser.sign_in()
    other.client.cookies.set(COOKIE, f"{browser.cookie()[:-2]}xx")
    assert await other.probed() == NOBODY
    await door.staff.accounts.disable(terminal(), RITA)
    door.now += KEPT
    assert await browser.probed() == NOBODY
    await browser.sign_in(GIL)
    door.now += IDLE
    assert await browser.probed() == NOBODY


# An operadora at a clinic


async def test_the_operadora_chooses_a_clinic_and_leaves_it(door: Door, browser: Browser):
    await browser.sign_in(OLGA)
    token = await browser.token()
    answer = await browser.post("/session/clinic", csrf_token=token, clinic=AURORA)
    assert (answer.headers["location"], (await browser.probed())["clinic"]) == ("/inbox", AURORA)
    assert (OLGA, "session.clinic_chosen", OLGA) in await door.actions(AURORA)
    answer = await browser.post("/session/clinic", csrf_token=token, clinic="")
    assert (answer.headers["location"], (await browser.probed())["clinic"]) == ("/operator", "")


async def test_a_clinic_that_is_not_there_is_not_found(browser: Browser):
    await browser.sign_in(OLGA)
    answer = await browser.post("/session/clinic", csrf_token=await browser.token(), clinic="nowhere")
    assert (answer.status_code, (await browser.probed())["clinic"]) == (404, "")


@pytest.mark.parametrize("who", [RITA, GIL, OTAVIO])
async def test_staff_of_a_clinic_choose_none(browser: Browser, who: str):
    await browser.sign_in(who)
    before = await browser.probed()
    answers = [
        (await browser.post("/session/clinic", csrf_token=before["token"] or "", clinic=clinic)).status_code
        for clinic in (AURORA, BROMELIA, "nowhere", "")
    ]
    assert (answers, await browser.probed()) == ([403] * 4, before)


async def test_nobody_chooses_no_clinic(browser: Browser):
    assert (await browser.post("/session/clinic", clinic=AURORA)).headers["location"] == "/login"
