"""GET and POST /webhooks/meta: what is believed, what is stored, and what Meta is told."""

from dataclasses import replace

import httpx
import pytest
from tests.providers import bodies

from gendei.errors import StoreUnavailable, TooContended
from gendei.providers.stand_in.local_server import serve
from gendei.providers.stand_in.phone import WebhookMaker
from gendei.web.app import create_app
from gendei.web.intake import MAX_BODY_BYTES

PATH = "/webhooks/meta"
QUERY = {"hub.mode": "subscribe", "hub.verify_token": "verify me", "hub.challenge": "11 5820/<&ç"}


async def post(client: httpx.AsyncClient, signed: tuple[bytes, dict[str, str]]) -> httpx.Response:
    body, headers = signed
    return await client.post(PATH, content=body, headers=headers)


def count(registry, name: str, **labels: str) -> float | None:
    return registry.get_sample_value(name, {"provider": "meta", **labels})


async def test_the_challenge_goes_back_verbatim_as_plain_text(client):
    response = await client.get(PATH, params=QUERY)
    assert (response.status_code, response.text, response.headers["content-type"]) == (
        200,
        "11 5820/<&ç",
        "text/plain; charset=utf-8",
    )


@pytest.mark.parametrize(
    "change",
    [{"hub.mode": "unsubscribe"}, {"hub.verify_token": "Verify me"}, {"hub.verify_token": ""}, {"hub.mode": None}],
)
async def test_whoever_does_not_know_the_token_gets_no_challenge(client, change):
    query = {name: value for name, value in (QUERY | change).items() if value is not None}
    response = await client.get(PATH, params=query)
    assert (response.status_code, "5820" in response.text) == (403, False)


async def test_without_a_token_of_ours_nobody_is_verified(parts, caplog):
    transport = httpx.ASGITransport(create_app(replace(parts, meta_verify_token=None)))
    async with httpx.AsyncClient(transport=transport, base_url="http://gendei.test") as client:
        response = await client.get(PATH, params=QUERY | {"hub.verify_token": ""})
    assert (response.status_code, "GENDEI_META_VERIFY_TOKEN" in caplog.text) == (403, True)


async def test_a_signed_message_is_handed_over_before_the_200(client, taken, meta):
    response = await post(client, meta.text(bodies.MARIA, "Oi, tudo bem?"))
    assert (response.status_code, taken.calls[0][0], taken.texts) == (200, "meta", ["Oi, tudo bem?"])


async def test_a_message_that_could_not_be_read_in_full_keeps_its_arrival_time(client, taken, meta, parts):
    await post(client, meta.message(bodies.MARIA, {**bodies.text("Oi"), "timestamp": "soon"}))
    assert taken.calls[0][1][0].messages[0].timestamp == parts.clock()


async def test_another_secrets_signature_stores_nothing(client, taken):
    response = await post(client, WebhookMaker(b"another secret", "1").text(bodies.MARIA, "Oi"))
    assert (response.status_code, taken.calls) == (401, [])


async def test_no_signature_stores_nothing(client, taken, meta):
    response = await client.post(PATH, content=meta.text(bodies.MARIA, "Oi")[0])
    assert (response.status_code, taken.calls) == (401, [])


async def test_one_changed_byte_stores_nothing(client, taken, meta):
    body, headers = meta.text(bodies.MARIA, "Oi")
    response = await post(client, (body.replace(b"Oi", b"Ok"), headers))
    assert (response.status_code, taken.calls) == (401, [])


@pytest.mark.parametrize("body", [b"", b"hello", b"[]", b'{"object": "page"}'])
async def test_what_is_signed_but_no_webhook_is_a_bad_request(client, taken, meta, body):
    response = await post(client, meta.signed(body))
    assert (response.status_code, taken.calls) == (400, [])


async def test_a_body_over_3_mb_is_refused(client, taken, meta):
    response = await post(client, meta.signed(b" " * (MAX_BODY_BYTES + 1)))
    assert (response.status_code, taken.calls) == (413, [])


async def test_a_body_of_no_announced_length_is_refused_as_soon_as_it_is_over_3_mb(client, taken, meta):
    served = 0

    async def chunks():
        nonlocal served
        for _ in range(100):
            served += 1
            yield b" " * 100_000

    response = await client.post(PATH, content=chunks(), headers=meta.signed(b"")[1])
    assert (response.status_code, taken.calls, served) == (413, [], MAX_BODY_BYTES // 100_000 + 1)


async def test_a_body_of_just_3_mb_is_read(client, meta):
    body, _ = meta.text(bodies.MARIA, "Oi")
    response = await post(client, meta.signed(body.ljust(MAX_BODY_BYTES)))
    assert response.status_code == 200


async def test_a_length_that_lies_over_3_mb_is_refused_unread(client, meta):
    headers = meta.signed(b"")[1] | {"Content-Length": "9" * 30}
    assert (await client.post(PATH, content=b"", headers=headers)).status_code == 413


@pytest.mark.parametrize("failure", [StoreUnavailable(), TooContended()])
async def test_while_the_store_is_away_meta_is_asked_to_come_again(client, taken, meta, failure):
    taken.failure = failure
    assert (await post(client, meta.text(bodies.MARIA, "Oi"))).status_code == 503


async def test_a_defect_is_told_without_the_patients_words(client, taken, meta, caplog):
    taken.failure = ValueError("segredo")
    response = await post(client, meta.text(bodies.MARIA, "segredo"))
    told = (response.status_code, "ValueError" in caplog.text, "segredo" in caplog.text + response.text)
    assert told == (500, True, False)


async def test_without_the_app_secret_nothing_is_believed(parts, taken, meta, caplog):
    transport = httpx.ASGITransport(create_app(replace(parts, meta_app_secret=None)))
    async with httpx.AsyncClient(transport=transport, base_url="http://gendei.test") as client:
        response = await post(client, meta.text(bodies.MARIA, "Oi"))
    assert (response.status_code, taken.calls, "GENDEI_META_APP_SECRET" in caplog.text) == (503, [], True)


@pytest.mark.parametrize("field", ["account_update", "standby", "smb_message_echoes"])
async def test_what_is_not_for_us_is_fine_and_stores_nothing(client, taken, meta, field):
    response = await post(
        client, meta.signed(meta.body({"messages": [bodies.message(bodies.text("Oi"))]}, field=field))
    )
    assert (response.status_code, taken.calls) == (200, [])


async def test_the_dashboards_test_is_fine(client, meta):
    assert (await post(client, meta.signed(bodies.DASHBOARD_TEST))).status_code == 200


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH"])
async def test_other_methods_are_not_allowed(client, method):
    assert (await client.request(method, PATH)).status_code == 405


async def test_everything_is_counted(client, taken, meta, registry):
    batch = bodies.value(
        messages=[bodies.message(bodies.text("Oi")), "broken"], statuses=[bodies.DELIVERED, bodies.FAILED]
    )
    await post(client, meta.signed(bodies.envelope(batch)))
    await post(client, (b"{}", {}))
    taken.failure = StoreUnavailable()
    await post(client, meta.text(bodies.MARIA, "Oi"))
    results = {
        result: count(registry, "gendei_webhooks_total", result=result)
        for result in ("accepted", "bad_signature", "store_unavailable")
    }
    parts = [count(registry, f"gendei_webhook_{part}_total") for part in ("messages", "statuses", "skipped")]
    assert (results, parts) == ({"accepted": 1, "bad_signature": 1, "store_unavailable": 1}, [1, 2, 1])


async def test_over_a_real_connection_a_webhook_is_taken(parts, taken, meta):
    async with serve(create_app(parts)) as url, httpx.AsyncClient(base_url=url) as client:
        response = await post(client, meta.text(bodies.MARIA, "Oi"))
    assert (response.status_code, response.text, taken.texts) == (200, "OK", ["Oi"])
