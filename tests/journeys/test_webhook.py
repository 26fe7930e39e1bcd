"""What Meta, or somebody who is not Meta, posts: stored, or refused with nothing stored."""

import json

import httpx
import pytest
from tests.journeys.town import APP_SECRET, AURORA, VERIFY_TOKEN

from gendei.providers.stand_in.phone import WebhookMaker

PATH = "/webhooks/meta"
COLLECTIONS = ("gendei_inbox", "gendei_outbox", "gendei_leases", f"gendei_clinics/{AURORA}/conversations")


@pytest.fixture
async def nothing_stored(town):
    """After the test, no message, answer or conversation is in the store."""
    yield
    await town.idle()
    assert [await town.stored(name) for name in COLLECTIONS] == [[], [], [], []]


async def status_of(town, body: bytes, headers: dict[str, str]) -> int:
    return (await town.client.post(PATH, content=body, headers=headers)).status_code


async def test_nothing_is_stored_of_what_is_not_signed_by_meta(town, maria, nothing_stored):
    body, headers = town.maker().text(maria.number, "oi")
    other_app = WebhookMaker(b"another app", town.maker().phone_number_id, town.gendei.clock)
    signatures = ["sha256=" + "0" * 64, "sha256=", "", "0" * 64, "sha1=" + "0" * 40, "sha256=é"]
    statuses = [
        await status_of(town, body, {}),
        await status_of(town, body.replace(b"oi", b"ei"), headers),
        await status_of(town, *other_app.text(maria.number, "oi")),
        *[
            await status_of(town, body, {"X-Hub-Signature-256": signature.encode("latin-1")})
            for signature in signatures
        ],
    ]
    assert statuses == [401] * 9


async def test_nothing_is_stored_of_what_is_no_webhook(town, nothing_stored):
    bodies = [b"", b"oi", b'{"object": "whatsapp_business_account"', b"[1]", b"\xff\xfe", b"null"]
    assert [await status_of(town, *town.maker().signed(body)) for body in bodies] == [400] * 6


async def test_nothing_is_stored_of_a_body_over_3_mb(town, maria, nothing_stored):
    body, _ = town.maker().text(maria.number, "oi")
    assert await status_of(town, *town.maker().signed(body.ljust(3 * 1024 * 1024 + 1))) == 413


async def test_nothing_is_stored_of_a_number_or_a_status_that_is_not_ours(town, maria, nothing_stored):
    elsewhere = WebhookMaker(APP_SECRET.encode(), "799", town.gendei.clock)
    foreign_status = town.maker().status("wamid.X", "delivered", "no-such-reference")
    statuses = [await town.post(elsewhere.text(maria.number, "oi")), await town.post(foreign_status)]
    assert statuses == [200, 200]


async def test_meta_verifies_the_address_with_the_token(town):
    query = {"hub.mode": "subscribe", "hub.verify_token": VERIFY_TOKEN, "hub.challenge": "1158201444"}
    response = await town.client.get(PATH, params=query)
    assert (response.status_code, response.text) == (200, "1158201444")


async def test_nobody_else_verifies_it(town):
    query = {"hub.mode": "subscribe", "hub.challenge": "1158201444"}
    asked = [query, query | {"hub.verify_token": ""}, query | {"hub.verify_token": "wrong"}]
    responses = [await town.client.get(PATH, params=value) for value in asked]
    assert [(response.status_code, "1158201444" in response.text) for response in responses] == [(403, False)] * 3


async def test_a_message_with_fields_that_nobody_knows_is_answered(town, maria):
    content = {"type": "text", "text": {"body": "onde fica?", "mood": 7}, "hologram": {"id": [1, None]}}
    await town.post(town.maker().message(maria.number, content, name=maria.name))
    await town.idle()
    assert maria.texts == ["📍 Rua do Sol, 12, Campinas"]


async def test_a_broken_message_does_not_take_the_others_of_its_webhook_with_it(town, maria):
    maker = town.maker()
    whole = json.loads(maker.text(maria.number, "onde fica?", name=maria.name)[0])
    whole["entry"][0]["changes"][0]["value"]["messages"].insert(0, {"from": 12, "type": ["text"]})
    status = await town.post(maker.signed(whole))
    await town.idle()
    assert (status, maria.texts) == (200, ["📍 Rua do Sol, 12, Campinas"])


async def test_what_patients_write_is_data_and_nothing_else(town, maria):
    told = await maria.say("{clinic_name} %s ${AURORA_TOKEN} {{7*7}} <b>'; DROP TABLE documents; --")
    assert ("49" in told, "EAAG" in told, (await town.conversation(maria.number))["messages"][0]["content"]) == (
        False,
        False,
        "{clinic_name} %s ${AURORA_TOKEN} {{7*7}} <b>'; DROP TABLE documents; --",
    )


async def test_health_readiness_and_metrics_tell_nothing_of_patients(town, maria):
    await maria.say("onde fica?")
    pages: list[httpx.Response] = [await town.client.get(path) for path in ("/healthz", "/readyz", "/metrics")]
    text = "".join(page.text for page in pages)
    assert ([page.status_code for page in pages], maria.number[1:] in text, 'result="accepted"} 1.0' in text) == (
        [200, 200, 200],
        False,
        True,
    )
