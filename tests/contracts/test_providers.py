"""What every channel promises, over real adapters with their HTTP answered by respx.

To add a channel, add its `Rig` to RIGS.
"""

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
import respx

from gendei.clinic import Channel, ClinicId, Contact
from gendei.errors import SecretUnreadable
from gendei.messages.channels import Accepted, Permanent, Provider, Transient, Unknown
from gendei.messages.message import IncomingMessage, MessageType, OutgoingMedia, OutgoingMessage, OutgoingTemplate
from gendei.messages.replies import Link, Option, Pin, Reply
from gendei.providers.evolution import EvolutionProvider
from gendei.providers.meta import MetaProvider
from gendei.providers.zapi import ZapiProvider

CREDENTIALS = {"one": "token-of-clinic-one", "two": "token-of-clinic-two"}
HEARD = IncomingMessage(
    "wamid.IN1", Contact("+5511987654321"), datetime(2026, 6, 10, 12, tzinfo=UTC), MessageType.TEXT, "+5511987654321"
)
WORDS = "Seu exame de sangue está pronto"


def credential(channel: Channel, _field: str) -> str:
    """As `SecretBox.open_channel`: each clinic's own, and an error for a clinic without."""
    if channel.clinic_id not in CREDENTIALS:
        raise SecretUnreadable
    return CREDENTIALS[channel.clinic_id]


@dataclass(frozen=True)
class Rig:
    """One adapter. `accepts`: the answer that takes a message, and the id in it. `refuses`: an answer that will
    never take it. `stops`: one that means that the credential is not good."""

    name: str
    make: Callable[[httpx.AsyncClient], Provider]
    accepts: tuple[httpx.Response, str]
    refuses: httpx.Response
    stops: httpx.Response
    settings: Mapping[str, str] = field(default_factory=dict)

    def channel(self, clinic: str = "one", **settings: str) -> Channel:
        return Channel(self.name, f"number-of-{clinic}", {}, ClinicId(clinic), {**self.settings, **settings})


def meta_error(code: int) -> httpx.Response:
    return httpx.Response(400, json={"error": {"message": f"(#{code}) x", "code": code, "fbtrace_id": "Atrace"}})


RIGS = [
    Rig(
        name="meta",
        make=lambda client: MetaProvider(client, "https://provider.test", "v26.0", credential),
        accepts=(httpx.Response(200, json={"messages": [{"id": "wamid.OUT1"}]}), "wamid.OUT1"),
        refuses=meta_error(131026),
        stops=meta_error(190),
    ),
    Rig(
        name="evolution",
        make=lambda client: EvolutionProvider(client, credential),
        accepts=(httpx.Response(201, json={"key": {"id": "3EB0OUT1"}, "status": "PENDING"}), "3EB0OUT1"),
        refuses=httpx.Response(400, json={"status": 400, "response": {"message": [{"exists": False}]}}),
        stops=httpx.Response(401, json={"status": 401, "error": "Unauthorized"}),
        settings={"base_url": "https://provider.test"},
    ),
    Rig(
        name="zapi",
        make=lambda client: ZapiProvider(client, credential),
        accepts=(httpx.Response(200, json={"zaapId": "Z1", "messageId": "3EB0OUT1", "id": "3EB0OUT1"}), "3EB0OUT1"),
        refuses=httpx.Response(400, json={"error": "invalid phone"}),
        stops=httpx.Response(403, json={"error": "null not allowed"}),
        settings={"base_url": "https://provider.test"},
    ),
]


@pytest.fixture(params=RIGS, ids=lambda rig: rig.name)
def rig(request: pytest.FixtureRequest) -> Rig:
    return request.param


@pytest.fixture
async def provider(rig: Rig):
    provider = rig.make(httpx.AsyncClient(follow_redirects=True))
    yield provider
    await provider.close()


@pytest.fixture
def wire():
    with respx.mock(assert_all_called=False) as router:
        yield router


def message(reply: Reply | None = None, **more: Any) -> OutgoingMessage:
    fields = {"to_phone": "+5511987654321", "to_user_id": None, "reply": reply or Reply(WORDS), "reference": "out-1"}
    return OutgoingMessage(**{**fields, **more})


PIN = Reply(WORDS, pin=Pin(-23.5614, -46.6559, "Clínica Boa Vida", "Rua das Flores, 100"))
REPLIES = [
    Reply(WORDS),
    Reply(WORDS, link=Link("Abrir", "https://clinica.test/mapa")),
    Reply(WORDS, tuple(Option(f"day|{number}", f"Dia {number}") for number in range(3))),
    Reply(WORDS, tuple(Option(f"day|{number}", f"Dia {number}") for number in range(10))),
]


@pytest.mark.parametrize("reply", [*REPLIES, PIN], ids=["text", "link", "3 options", "10 options", "pin"])
async def test_a_taken_message_has_the_providers_id(rig, provider, wire, reply):
    wire.route().mock(return_value=rig.accepts[0])
    assert await provider.send(rig.channel(), message(reply)) == Accepted(rig.accepts[1])


FILES = [
    OutgoingMedia(MessageType.IMAGE, "https://files.test/1", "image/jpeg"),
    OutgoingMedia(MessageType.VIDEO, "https://files.test/1", "video/mp4"),
    OutgoingMedia(MessageType.DOCUMENT, "https://files.test/1.pdf", "application/pdf", "preparo.pdf"),
    OutgoingMedia(MessageType.AUDIO, "https://files.test/1", "audio/mpeg"),
    OutgoingMedia(MessageType.AUDIO, "https://files.test/1", "audio/ogg", voice=True),
]


@pytest.mark.parametrize("media", FILES, ids=lambda media: f"{media.kind}{' note' * media.voice}")
async def test_a_file_goes_by_its_address(rig, provider, wire, media):
    route = wire.route().mock(return_value=rig.accepts[0])
    outcome = await provider.send(rig.channel(), message(media=media))
    assert (outcome, media.url in route.calls.last.request.content.decode()) == (Accepted(rig.accepts[1]), True)


@pytest.mark.parametrize(
    "media",
    [
        OutgoingMedia(MessageType.IMAGE, "http://files.test/1", "image/jpeg"),
        OutgoingMedia(MessageType.LOCATION, "https://files.test/1", "image/jpeg"),
    ],
)
async def test_what_is_no_file_at_an_https_address_does_not_leave(rig, provider, wire, media):
    route = wire.route().mock(return_value=rig.accepts[0])
    outcome = await provider.send(rig.channel(), message(media=media))
    assert (type(outcome), outcome.stop_channel, route.called) == (Permanent, False, False)


async def test_a_template_is_sent_or_read_out(rig, provider, wire):
    wire.route().mock(return_value=rig.accepts[0])
    template = OutgoingTemplate("lembrete", "pt_BR", ("Maria", "amanhã"), ("do|keep",))
    assert await provider.send(rig.channel(), message(template=template)) == Accepted(rig.accepts[1])


@pytest.mark.parametrize("status", [400, 405, 409, 413, 415, 422])
@pytest.mark.parametrize("reply", [REPLIES[0], REPLIES[-1]], ids=["text", "options"])
async def test_a_refused_message_is_asked_for_twice_at_most(rig, provider, wire, status, reply):
    """Once as something to tap and once as text, where there was something to tap; never in a loop."""
    answer = meta_error(131009).content if rig.name == "meta" else b"{}"
    route = wire.route().mock(return_value=httpx.Response(status, content=answer))
    outcome = await provider.send(rig.channel(interactive="true"), message(reply))
    assert (type(outcome), route.call_count) == (Permanent, 2 if reply.options else 1)


async def test_a_pin_goes_by_its_coordinates_and_as_text_where_it_is_refused(rig, provider, wire):
    refused = meta_error(131009) if rig.name == "meta" else httpx.Response(400, json={})
    route = wire.route().mock(side_effect=[refused, rig.accepts[0]])
    outcome = await provider.send(rig.channel(), message(PIN))
    pin, text = (str(json.loads(call.request.content)) for call in route.calls)
    assert (outcome, "-23.5614" in pin, WORDS in pin) == (Accepted(rig.accepts[1]), True, False)
    assert (WORDS in text, PIN.pin.link.url in text) == (True, True)


async def test_what_cannot_be_tapped_is_numbered_instead(rig, provider, wire):
    refused = meta_error(131009) if rig.name == "meta" else httpx.Response(400, json={})
    route = wire.route().mock(side_effect=[refused, rig.accepts[0]])
    outcome = await provider.send(rig.channel(interactive="true"), message(REPLIES[2]))
    numbered = "1. Dia 0\\n2. Dia 1\\n3. Dia 2" in route.calls.last.request.content.decode()
    assert (outcome, numbered) == (Accepted(rig.accepts[1]), True)


@pytest.mark.parametrize("status", [401, 403, 404])
async def test_a_number_that_is_not_ours_any_more_stops_the_channel(rig, provider, wire, status):
    answer = meta_error(190).content if rig.name == "meta" else b"{}"
    route = wire.route().mock(return_value=httpx.Response(status, content=answer))
    outcome = await provider.send(rig.channel(interactive="true"), message(REPLIES[2]))
    assert (type(outcome), outcome.stop_channel, route.call_count) == (Permanent, True, 1)


async def test_each_clinic_sends_with_its_own_credential_and_number_alone(rig, provider, wire):
    route = wire.route().mock(return_value=rig.accepts[0])
    await provider.send(rig.channel("two"), message())
    request = route.calls.last.request
    seen = f"{request.url} {request.headers.raw} {request.content!r}"
    assert ("clinic-two" in seen, "number-of-two" in seen, "clinic-one" in seen) == (True, True, False)


async def test_a_refusal_is_permanent_for_this_message_alone(rig, provider, wire):
    wire.route().mock(return_value=rig.refuses)
    outcome = await provider.send(rig.channel(), message())
    assert (type(outcome), outcome.stop_channel) == (Permanent, False)


async def test_a_bad_credential_stops_the_channel(rig, provider, wire):
    wire.route().mock(return_value=rig.stops)
    outcome = await provider.send(rig.channel(), message())
    assert (type(outcome), outcome.stop_channel) == (Permanent, True)


async def test_an_unreadable_credential_stops_the_channel_and_nothing_leaves(rig, provider, wire):
    route = wire.route().mock(return_value=rig.accepts[0])
    outcome = await provider.send(rig.channel("nobody"), message())
    assert (type(outcome), outcome.stop_channel, route.called) == (Permanent, True, False)


@pytest.mark.parametrize("status", [429, 500, 502, 503])
async def test_a_passing_trouble_is_transient(rig, provider, wire, status):
    wire.route().mock(return_value=httpx.Response(status, text="<html>"))
    assert isinstance(await provider.send(rig.channel(), message()), Transient)


async def test_the_wait_that_the_provider_asks_for_is_kept(rig, provider, wire):
    wire.route().mock(return_value=httpx.Response(503, headers={"Retry-After": "90"}))
    outcome = await provider.send(rig.channel(), message())
    assert (type(outcome), outcome.retry_after) == (Transient, 90)


@pytest.mark.parametrize("error", [httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout])
async def test_where_nothing_left_it_can_be_sent_again(rig, provider, wire, error):
    wire.route().mock(side_effect=error("down"))
    assert isinstance(await provider.send(rig.channel(), message()), Transient)


async def test_after_closing_nothing_leaves_and_it_can_be_sent_again(rig, provider, wire):
    await provider.close()
    assert isinstance(await provider.send(rig.channel(), message()), Transient)


@pytest.mark.parametrize(
    "error",
    [httpx.ReadTimeout, httpx.WriteTimeout, httpx.ReadError, httpx.WriteError, httpx.RemoteProtocolError, OSError],
)
async def test_where_the_request_may_have_left_nobody_knows(rig, provider, wire, error):
    wire.route().mock(side_effect=error("cut"))
    assert isinstance(await provider.send(rig.channel(), message()), Unknown)


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b"{}", b'{"messages": [{"id"', b'{"messages": []}', b"\xff"])
async def test_an_acceptance_that_cannot_be_read_is_unknown(rig, provider, wire, body):
    wire.route().mock(return_value=httpx.Response(200, content=body))
    assert isinstance(await provider.send(rig.channel(), message()), Unknown)


async def test_a_redirect_is_never_followed(rig, provider, wire):
    elsewhere = wire.route(host="elsewhere.test").mock(return_value=rig.accepts[0])
    wire.route().mock(return_value=httpx.Response(307, headers={"Location": "https://elsewhere.test/"}))
    outcome = await provider.send(rig.channel(), message())
    assert (type(outcome), elsewhere.called) == (Permanent, False)


async def test_without_anybody_to_send_to_nothing_leaves(rig, provider, wire):
    route = wire.route().mock(return_value=rig.accepts[0])
    outcome = await provider.send(rig.channel(), message(to_phone=None))
    assert (type(outcome), route.called) == (Permanent, False)


@pytest.mark.parametrize("answer", [httpx.Response(400, text="<html>"), httpx.ReadTimeout("slow"), OSError("odd")])
async def test_marking_as_read_never_raises(rig, provider, wire, answer):
    wire.route().mock(side_effect=[answer])
    assert await provider.mark_read(rig.channel(), HEARD, typing=True) is None


async def test_logs_hold_neither_credentials_nor_words_nor_phones(rig, provider, wire, caplog):
    caplog.set_level(logging.DEBUG)
    wire.route().mock(side_effect=[rig.refuses, rig.stops, httpx.ReadTimeout("slow"), httpx.Response(200)])
    for _ in range(4):
        await provider.send(rig.channel(), message())
    await provider.send(rig.channel("nobody"), message())
    found = [secret for secret in ("token-of", WORDS, "sangue", "5511987654321") if secret in caplog.text]
    assert (found, "number-of-one" in caplog.text) == ([], True)
