"""What operators see of messages at /metrics, and who sees it."""

from dataclasses import replace

import httpx
import pytest
from prometheus_client import CollectorRegistry, generate_latest
from pydantic import SecretStr

from gendei.conversation.outbound.outbox_entry import Deliveries, Fate
from gendei.web.app import create_app
from gendei.web.metrics import DeliveryMetrics


def shown(deliveries: Deliveries) -> list[str]:
    registry = CollectorRegistry()
    registry.register(DeliveryMetrics(deliveries))
    return [line for line in generate_latest(registry).decode().splitlines() if not line.startswith("#")]


def test_the_fates_of_messages_are_counted_by_provider_and_kind():
    deliveries = Deliveries()
    for fate, why in ((Fate.SENT, ""), (Fate.SENT, ""), (Fate.FAILED, "undeliverable")):
        deliveries.count("meta", fate, why)
    assert shown(deliveries) == [
        'gendei_messages_total{fate="failed",provider="meta",why="undeliverable"} 1.0',
        'gendei_messages_total{fate="sent",provider="meta",why=""} 2.0',
        "gendei_stopped_numbers 0.0",
    ]


def test_stopped_numbers_are_counted():
    assert shown(Deliveries(stopped={("meta", "1001"), ("zapi", "1")})) == ["gendei_stopped_numbers 2.0"]


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded"])
async def test_the_world_behind_a_proxy_sees_no_figures(client, header):
    from_outside = await client.get("/metrics", headers={header: "203.0.113.9"})
    from_inside = await client.get("/metrics")
    assert (from_outside.status_code, "gendei" in from_outside.text, from_inside.status_code) == (404, False, 200)


TOKEN = "a-token-of-the-collector"


@pytest.mark.parametrize(
    ("address", "headers", "status"),
    [
        ("127.0.0.1", {}, 200),
        ("::1", {}, 200),
        ("127.0.0.1", {"Authorization": "Bearer wrong"}, 404),
        ("127.0.0.1", {"X-Forwarded-For": "127.0.0.1"}, 404),
        ("127.0.0.1", {"X-Real-IP": "127.0.0.1"}, 404),
        ("127.0.0.1", {"X-Forwarded-For": "203.0.113.9", "Authorization": f"Bearer {TOKEN}"}, 200),
        ("203.0.113.9", {}, 404),
        ("10.0.0.1", {}, 404),
        ("169.254.1.1", {}, 404),
        ("203.0.113.9", {"Authorization": f"Bearer {TOKEN}"}, 200),
        ("203.0.113.9", {"Authorization": f"Basic {TOKEN}"}, 404),
        ("203.0.113.9", {"Authorization": "Bearer"}, 404),
        ("203.0.113.9", {"Authorization": b"Bearer \xe9"}, 404),
    ],
)
async def test_figures_are_for_the_machine_itself_and_for_who_has_the_token(parts, address, headers, status):
    app = create_app(replace(parts, metrics_token=SecretStr(TOKEN)))
    transport = httpx.ASGITransport(app, client=(address, 4711))
    async with httpx.AsyncClient(transport=transport, base_url="http://gendei.test") as client:
        answer = await client.get("/metrics", headers=headers)
    assert (answer.status_code, "gendei_" in answer.text) == (status, status == 200)


async def test_without_a_token_no_token_opens_them(parts):
    transport = httpx.ASGITransport(create_app(parts), client=("203.0.113.9", 4711))
    async with httpx.AsyncClient(transport=transport, base_url="http://gendei.test") as client:
        answers = [await client.get("/metrics", headers={"Authorization": text}) for text in ("Bearer ", "Bearer None")]
    assert [answer.status_code for answer in answers] == [404, 404]
