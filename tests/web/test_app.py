"""Health, metrics, headers and errors."""

from contextlib import asynccontextmanager
from dataclasses import replace

import httpx
import pytest
from fastapi import HTTPException

from gendei.errors import NotFound, StoreUnavailable
from gendei.providers.stand_in.local_server import serve
from gendei.web.app import create_app


async def test_a_running_process_is_alive_also_without_its_store(client, taken):
    taken.is_ready = lambda: False
    assert (await client.get("/healthz")).status_code == 200


async def test_it_is_ready_while_the_store_answers(client):
    assert (await client.get("/readyz")).status_code == 200


def unreachable() -> bool:
    raise StoreUnavailable


@pytest.mark.parametrize("is_ready", [lambda: False, unreachable])
async def test_it_is_not_ready_without_the_store(client, taken, is_ready):
    taken.is_ready = is_ready
    assert (await client.get("/readyz")).status_code == 503


async def test_metrics_are_in_prometheus_form(client):
    await client.post("/webhooks/meta", content=b"{}")
    expected = 'gendei_webhooks_total{provider="meta",result="bad_signature"} 1.0'
    assert expected in (await client.get("/metrics")).text.splitlines()


@pytest.mark.parametrize("path", ["/healthz", "/nowhere", "/api/v1/nowhere"])
async def test_every_answer_to_a_browser_has_security_headers(client, path):
    headers = (await client.get(path)).headers
    names = ["x-content-type-options", "x-frame-options", "referrer-policy"]
    assert [headers[name] for name in names] == ["nosniff", "DENY", "same-origin"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]


@pytest.mark.parametrize("path", ["/docs", "/redoc", "/openapi.json"])
async def test_strangers_see_no_description_of_the_service(client, path):
    assert (await client.get(path)).status_code == 404


@pytest.fixture
async def failing(parts):
    app = create_app(parts)

    @app.get("/api/v1/things/{number}")
    async def thing(number: int):
        raise {
            1: HTTPException(409, "taken"),
            2: NotFound(),
            3: StoreUnavailable(),
            4: RuntimeError("segredo"),
        }[number]

    @app.get("/page")
    async def page():
        raise RuntimeError("segredo")

    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://gendei.test") as client:
        yield client


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        ("1", {"type": "about:blank", "title": "Conflict", "status": 409, "detail": "taken"}),
        ("2", {"type": "about:blank", "title": "Not Found", "status": 404}),
        ("3", {"type": "about:blank", "title": "Service Unavailable", "status": 503}),
        ("4", {"type": "about:blank", "title": "Internal Server Error", "status": 500}),
    ],
)
async def test_the_api_answers_errors_as_problems(failing, number, expected):
    response = await failing.get(f"/api/v1/things/{number}")
    assert (response.status_code, response.headers["content-type"], response.json()) == (
        expected["status"],
        "application/problem+json",
        expected,
    )


async def test_an_invalid_request_names_the_field_and_not_the_value(failing):
    response = await failing.get("/api/v1/things/segredo")
    assert (response.status_code, response.json()["errors"][0]["where"], "segredo" in response.text) == (
        422,
        "path.number",
        False,
    )


async def test_outside_the_api_errors_are_plain_text(failing):
    response = await failing.get("/page")
    assert (response.status_code, response.text, response.headers["content-type"]) == (
        500,
        "Internal Server Error",
        "text/plain; charset=utf-8",
    )


async def test_who_sits_at_a_browser_reads_an_error_as_a_page(failing):
    response = await failing.get("/page", headers={"accept": "text/html,*/*;q=0.8"})
    assert (response.status_code, response.headers["content-type"]) == (500, "text/html; charset=utf-8")
    assert "Algo deu errado" in response.text
    assert response.headers["content-security-policy"].startswith("default-src 'none'; style-src 'sha256-")


async def test_the_lifespan_is_entered_and_left_with_the_server(parts):
    seen = []

    @asynccontextmanager
    async def lifespan():
        seen.append("started")
        yield
        seen.append("stopped")

    async with serve(create_app(replace(parts, lifespan=lifespan))):
        during = list(seen)
    assert (during, seen) == (["started"], ["started", "stopped"])
