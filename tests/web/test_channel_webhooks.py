"""POST /webhooks/{provider}/{clinicId}: who is believed, what is stored, and what the provider is told."""

import logging
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

import httpx
import pytest
from tests.providers.evolution_simulator import EvolutionWebhooks
from tests.providers.zapi_simulator import ZapiWebhooks
from tests.web.conftest import NOW

from gendei.clinic import Channel, Clinic, ClinicId
from gendei.errors import StoreUnavailable
from gendei.providers import evolution_webhook, zapi_webhook
from gendei.providers.stand_in.local_server import serve
from gendei.providers.webhook_body import Parsed
from gendei.secrets import SecretBox, channel_purpose, new_key
from gendei.web.app import create_app
from gendei.web.channel_webhooks import UnsignedChannels
from gendei.web.intake import MAX_BODY_BYTES

BOX = SecretBox(new_key())
SECRET, OTHER_SECRET, SECOND_SECRET = "secret-of-aurora-0001", "secret-of-bromelia-01", "secret-of-aurora-0002"
MARIA = "+5511987654321"


def channel(clinic: str, provider: str, number: str, secret: str) -> Channel:
    sealed = BOX.seal(secret, channel_purpose(ClinicId(clinic), provider, number, "webhook_secret"))
    return Channel(provider, number, {"webhook_secret": sealed}, ClinicId(clinic))


def clinic(clinic_id: str, *channels: Channel) -> Clinic:
    return Clinic(ClinicId(clinic_id), clinic_id, "med", ZoneInfo("America/Sao_Paulo"), {}, (), (), channels=channels)


@dataclass
class Clinics:
    """Three clinics; `failure` is raised instead, when set."""

    failure: Exception | None = None

    async def get(self, clinic_id: ClinicId) -> Clinic | None:
        if self.failure:
            raise self.failure
        return {
            "aurora": clinic(
                "aurora",
                channel("aurora", "evolution", "aurora-1", SECRET),
                channel("aurora", "evolution", "aurora-2", SECOND_SECRET),
                channel("aurora", "zapi", "3AURORA1", SECRET),
                channel("aurora", "nameless", "aurora_bot", SECRET),
            ),
            "bromelia": clinic(
                "bromelia",
                channel("bromelia", "evolution", "bromelia-1", OTHER_SECRET),
                channel("bromelia", "nameless", "bromelia_bot", SECRET),
                channel("bromelia", "nameless", "bromelia_bot_2", SECRET),
            ),
            "open": clinic("open", Channel("evolution", "open-1", {}, ClinicId("open"))),
        }.get(clinic_id)

    async def by_channel(self, provider: str, external_id: str) -> Clinic | None:
        return None


@pytest.fixture
def clinics() -> Clinics:
    return Clinics()


@pytest.fixture
def parts(parts, clinics):
    parsers = {"evolution": evolution_webhook.parse, "zapi": zapi_webhook.parse, "nameless": nameless}
    return replace(parts, unsigned=UnsignedChannels(parsers, clinics, BOX.open_channel))


def nameless(body: bytes, received_at: datetime) -> Parsed:
    """A provider whose bodies do not say for which number they are."""
    parsed = zapi_webhook.parse(body, received_at)
    return replace(parsed, received=tuple(replace(part, external_id="") for part in parsed.received))


def evolution(text: str = "Oi", instance: str = "aurora-1") -> bytes:
    return EvolutionWebhooks(instance, SECRET, lambda: NOW).text(MARIA, text)[0]


def zapi(text: str = "Oi", instance: str = "3AURORA1") -> bytes:
    return ZapiWebhooks(instance, lambda: NOW).text(MARIA, text)[0]


async def post(client, path: str, body: bytes, **headers: str) -> int:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return (await client.post(f"/webhooks/{path}", content=body, headers=named)).status_code


def count(registry, name: str, **labels: str) -> float | None:
    return registry.get_sample_value(name, labels)


async def test_a_body_that_names_no_number_is_of_the_number_whose_secret_was_shown(client, taken, clinics):
    told = await post(client, "nameless/aurora", zapi(), X_Gendei_Secret=SECRET)
    unproven = await post(client, "nameless/aurora", zapi(), X_Gendei_Secret=OTHER_SECRET)
    both = await post(client, "nameless/bromelia", zapi(), X_Gendei_Secret=SECRET)
    numbers = [part.external_id for _, received in taken.calls for part in received]
    assert (told, unproven, both, numbers) == (200, 401, 200, ["aurora_bot"])


async def test_a_header_with_the_secret_is_believed(client, taken):
    status = await post(client, "evolution/aurora", evolution("Oi, tudo bem?"), X_Gendei_Secret=SECRET)
    assert (status, taken.calls[0][0], taken.texts) == (200, "evolution", ["Oi, tudo bem?"])


async def test_a_bearer_with_the_secret_is_believed(client, taken):
    status = await post(client, "evolution/aurora", evolution(), Authorization=f"Bearer {SECRET}")
    assert (status, taken.texts) == (200, ["Oi"])


async def test_an_address_that_ends_with_the_secret_is_believed(client, taken):
    status = await post(client, f"zapi/aurora/{SECRET}", zapi("Oi, tudo bem?"))
    assert (status, taken.calls[0][0], taken.texts) == (200, "zapi", ["Oi, tudo bem?"])


@pytest.mark.parametrize(
    ("path", "header"),
    [
        ("evolution/aurora", ""),
        ("evolution/aurora", SECRET[:-1]),
        ("evolution/aurora", f"{SECRET}0"),
        ("evolution/aurora", SECRET.upper()),
        ("evolution/aurora", OTHER_SECRET),
        ("evolution/aurora/wrong", ""),
        ("evolution/aurora/%C3%A7%00", ""),
        ("zapi/aurora", OTHER_SECRET),
        ("zapi/bromelia", OTHER_SECRET),
        ("evolution/nobody", SECRET),
        ("evolution/nobody", "0" * 32),
        ("evolution/open", ""),
        ("evolution/open", "0" * 32),
    ],
)
async def test_whoever_does_not_know_the_secret_of_a_clinic_stores_nothing(client, taken, path, header):
    assert (await post(client, path, evolution(), X_Gendei_Secret=header), taken.calls) == (401, [])


async def test_an_unknown_clinic_and_a_wrong_secret_look_alike(client):
    answers = [
        await client.post(path, content=evolution(), headers={"X-Gendei-Secret": "wrong"})
        for path in ("/webhooks/evolution/aurora", "/webhooks/evolution/nobody")
    ]
    assert answers[0].headers == answers[1].headers
    assert answers[0].content == answers[1].content


@pytest.mark.parametrize("instance", ["bromelia-1", "aurora-2", "unheard-of"])
async def test_a_secret_speaks_for_its_own_number_alone(client, taken, instance):
    status = await post(client, "evolution/aurora", evolution(instance=instance), X_Gendei_Secret=SECRET)
    assert (status, taken.calls) == (200, [])


async def test_each_number_of_a_clinic_has_a_secret_of_its_own(client, taken):
    await post(client, "evolution/aurora", evolution(instance="aurora-2"), X_Gendei_Secret=SECOND_SECRET)
    assert [received[0].external_id for _, received in taken.calls] == ["aurora-2"]


@pytest.mark.parametrize("path", [f"meta/aurora/{SECRET}", f"telegram/aurora/{SECRET}"])
async def test_a_provider_without_such_webhooks_has_no_address(client, path):
    assert await post(client, path, evolution()) == 404


async def test_nothing_can_be_read_there(client):
    assert (await client.get(f"/webhooks/zapi/aurora/{SECRET}")).status_code == 405


@pytest.mark.parametrize("body", [b"", b"hello", b"[]", b"{}"])
async def test_what_is_no_webhook_is_a_bad_request(client, taken, body):
    assert (await post(client, f"zapi/aurora/{SECRET}", body), taken.calls) == (400, [])


async def test_a_body_over_3_mb_is_refused(client, taken):
    status = await post(client, f"zapi/aurora/{SECRET}", b" " * (MAX_BODY_BYTES + 1))
    assert (status, taken.calls) == (413, [])


async def test_while_the_store_is_away_the_provider_is_asked_to_come_again(client, taken, clinics):
    taken.failure = StoreUnavailable()
    assert await post(client, f"zapi/aurora/{SECRET}", zapi()) == 503
    clinics.failure = StoreUnavailable()
    assert await post(client, f"zapi/aurora/{SECRET}", zapi()) == 503


async def test_a_defect_is_told_without_the_patients_words(client, taken, caplog):
    taken.failure = ValueError("segredo")
    status = await post(client, f"zapi/aurora/{SECRET}", zapi("segredo"))
    assert (status, "ValueError" in caplog.text, "segredo" in caplog.text) == (500, True, False)


async def test_deliveries_are_counted_by_what_became_of_them(client, registry):
    await post(client, f"zapi/aurora/{SECRET}", zapi())
    await post(client, "zapi/aurora/wrong", zapi())
    results = [
        count(registry, "gendei_webhooks_total", provider="zapi", result=result)
        for result in ("accepted", "bad_secret")
    ]
    assert (results, count(registry, "gendei_webhook_messages_total", provider="zapi")) == ([1, 1], 1)


async def test_no_log_holds_the_secret_of_an_address(parts, caplog):
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.WARNING, logger="httpx")  # the caller's own log names what it asks for
    async with serve(create_app(parts)) as url, httpx.AsyncClient(base_url=url) as client:
        statuses = [
            await post(client, path, zapi())
            for path in (f"zapi/aurora/{SECRET}", f"zapi/nobody/{SECRET}", "zapi/aurora")
        ]
    assert (statuses, SECRET in caplog.text) == ([200, 401, 401], False)
