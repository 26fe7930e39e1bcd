"""What operators see of messages at /metrics, and who sees it."""

import pytest
from prometheus_client import CollectorRegistry, generate_latest

from gendei.conversation.outbound.deliveries import Deliveries, Fate
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
