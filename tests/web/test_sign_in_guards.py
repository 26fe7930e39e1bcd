"""What a route that asks for an actor answers to whom."""

from datetime import timedelta

import pytest
from tests.staff.door import AURORA, GIL, OLGA, OTAVIO, RITA, Door, open_door
from tests.web.entrance import HTTPS, Browser, add_probes, as_program, browse

from gendei.clinics.directory import Directory
from gendei.staff.actors import Right
from gendei.staff.recent import KEPT
from gendei.web.app import WebParts, create_app
from gendei.web.sign_in import add_sign_in


@pytest.fixture
async def door():
    async with open_door() as door:
        yield door


@pytest.fixture
async def app(door: Door, parts: WebParts):
    app = create_app(parts)
    add_probes(app)
    async with Directory(door.documents, door.clock) as directory:
        add_sign_in(app, door.staff, directory)
        yield app


@pytest.fixture
async def browser(app):
    async with browse(app) as browser:
        yield browser


async def test_nobody_is_asked_for_a_token_as_a_problem(browser: Browser):
    answer = await browser.get("/api/v1/me")
    assert (answer.status_code, answer.headers["www-authenticate"], answer.json()["status"]) == (401, "Bearer", 401)


async def test_a_session_and_a_token_act_for_their_own_clinic(app, door: Door, browser: Browser):
    await browser.sign_in(OTAVIO)
    async with await as_program(app, door, await door.actor(GIL), Right.READ) as program:
        answers = [await browser.get("/api/v1/me"), await program.get("/api/v1/me"), await program.post("/api/v1/me")]
    token = (await door.staff.tokens.list(await door.actor(GIL)))[0].id[:12]
    assert [answer.json() for answer in answers] == [f"{OTAVIO} at bromelia", *[f"token:{token} at {AURORA}"] * 2]


async def test_without_the_right_it_is_forbidden_without_a_word_why(app, door: Door, browser: Browser):
    await browser.sign_in(RITA)
    async with await as_program(app, door, await door.actor(GIL), Right.READ) as program:
        answers = [await browser.get("/api/v1/managed"), await program.get("/api/v1/managed")]
    assert [(answer.status_code, answer.json()["title"]) for answer in answers] == [(403, "Forbidden")] * 2


async def test_an_operadora_without_a_clinic_reads_none(browser: Browser):
    await browser.sign_in(OLGA)
    assert (await browser.get("/api/v1/me")).status_code == 403


@pytest.mark.parametrize(
    "authorization", ["Bearer", "Bearer ", "Bearer x", f"Bearer gdt_{'A' * 43}", f"Basic gdt_{'A' * 43}", "x"]
)
async def test_a_bad_token_is_nobody_also_with_a_good_cookie(browser: Browser, authorization: str):
    await browser.sign_in()
    answer = await browser.client.get("/api/v1/me", headers={"authorization": authorization})
    assert answer.status_code == 401


async def test_a_revoked_and_an_expired_token_are_nobody(app, door: Door):
    gil = await door.actor(GIL)
    _, text = await door.staff.tokens.add(gil, "x", [Right.READ], expires_at=door.now + timedelta(hours=1))
    async with browse(app) as expired, await as_program(app, door, gil, Right.READ) as revoked:
        expired.client.headers["authorization"] = f"Bearer {text}"
        good = [(await item.get("/api/v1/me")).status_code for item in (expired, revoked)]
        revoked_id = next(token.id for token in await door.staff.tokens.list(gil) if token.name == "program")
        await door.another_process().tokens.revoke(gil, revoked_id)
        door.advance(hours=1)
        door.now += KEPT
        bad = [(await item.get("/api/v1/me")).status_code for item in (expired, revoked)]
    assert (good, bad) == ([200, 200], [401, 401])


@pytest.mark.parametrize(
    ("origin", "token", "status"),
    [(HTTPS, True, 200), (HTTPS, False, 403), ("https://evil.test", True, 403), (None, True, 403)],
)
async def test_a_browser_writes_only_from_a_page_of_ours(
    browser: Browser, origin: str | None, token: bool, status: int
):
    await browser.sign_in()
    headers = {"x-csrf-token": await browser.token()} if token else {}
    answer = await browser.client.post("/api/v1/me", headers=headers | ({"origin": origin} if origin else {}))
    assert answer.status_code == status


@pytest.mark.parametrize(("base", "expected"), [(HTTPS, "max-age=31536000"), ("http://gendei.test", None)])
async def test_https_is_kept_to_where_it_was_used(app, base: str, expected: str | None):
    async with browse(app, base) as browser:
        assert (await browser.get("/login")).headers.get("strict-transport-security") == expected
