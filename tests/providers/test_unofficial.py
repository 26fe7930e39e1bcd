"""Evolution API and Z-API, each against its stand-in: the forms that it takes, and where it differs from Meta."""

import json
import logging
from dataclasses import replace
from datetime import UTC, datetime

import httpx
import pytest
from hypothesis import given
from tests.providers.evolution_simulator import EvolutionSimulator
from tests.providers.test_meta_payload import REPLIES
from tests.providers.zapi_simulator import ZapiSimulator

from gendei.clinic import Channel, ClinicId, Contact
from gendei.messages.channels import Accepted, Permanent, Transient, Unknown
from gendei.messages.message import FailureKind, IncomingMessage, MessageType, OutgoingMedia, OutgoingMessage
from gendei.messages.replies import Option, Pin, Reply
from gendei.providers import evolution, zapi
from gendei.providers.stand_in.graph import Failure, Read
from gendei.providers.stand_in.local_server import serve

MARIA, LID = "+5511987654321", "81234567890123@lid"
NOW = datetime(2026, 6, 10, 12, tzinfo=UTC)
SECRETS = {"api_key": "the-api-key", "token": "T0KEN0FZAPI", "client_token": "the-client-token"}
QUESTION = Reply(
    "Qual horário?\nTemos dois.", (Option("slot|a", "ter 14h", "Dra. Ana", "Terça"), Option("slot|b", "ter 15h"))
)
LONG_QUESTION = Reply("Qual?", tuple(Option(f"slot|{place}", f"opção {place}") for place in range(5)))


def secret(_channel: Channel, field: str) -> str:
    return SECRETS[field]


def outgoing(reply: Reply | None = None, phone: str | None = MARIA, **more) -> OutgoingMessage:
    return OutgoingMessage(phone, LID, reply or Reply("Olá!"), "out-1", **more)


def heard(sender: str, message_id: str = "3EB0IN") -> IncomingMessage:
    phone = sender if sender.startswith("+") else None
    user_id = None if phone else sender
    return IncomingMessage(message_id, Contact(sender), NOW, MessageType.TEXT, phone, user_id, text="Oi")


@pytest.fixture(params=["evolution", "zapi"])
async def rig(request):
    """(stand-in, channel with the given settings, provider, its base address)."""
    if request.param == "evolution":
        simulator = EvolutionSimulator({"aurora": SECRETS["api_key"]})
        number, provider_class = "aurora", evolution.EvolutionProvider
    else:
        simulator = ZapiSimulator({"aurora": SECRETS["token"]}, SECRETS["client_token"])
        number, provider_class = "aurora", zapi.ZapiProvider
    async with serve(simulator.app) as url, httpx.AsyncClient() as client:

        def channel(external_id: str = number, **settings: str) -> Channel:
            return Channel(request.param, external_id, {}, ClinicId("aurora"), {"base_url": url, **settings})

        yield simulator, channel, provider_class(client, secret)


async def test_what_was_sent_arrives_as_text(rig):
    simulator, channel, provider = rig
    outcome = await provider.send(channel(), outgoing())
    (sent,) = simulator.sent
    assert (outcome, sent.instance, sent.to, sent.text) == (Accepted(sent.id), "aurora", MARIA, "Olá!")


async def test_a_hidden_number_is_answered_where_it_wrote_from(rig):
    simulator, channel, provider = rig
    await provider.send(channel(), outgoing(phone=None))
    assert simulator.sent[0].to == LID


async def test_options_are_numbered_unless_the_channel_says_otherwise(rig):
    simulator, channel, provider = rig
    await provider.send(channel(interactive="false"), outgoing(QUESTION))
    expected = "Qual horário?\nTemos dois.\n\n*Terça*\n1. ter 14h – Dra. Ana\n\n2. ter 15h"
    assert [sent.text for sent in simulator.sent] == [expected]


@pytest.mark.parametrize("reply", [QUESTION, LONG_QUESTION], ids=["buttons", "list"])
async def test_an_interactive_channel_gets_what_can_be_tapped_with_our_ids(rig, reply):
    simulator, channel, provider = rig
    outcome = await provider.send(channel(interactive="true"), outgoing(reply))
    (sent,) = simulator.sent
    missing = [option.id for option in reply.options if f"'{option.id}'" not in str(sent.payload)]
    assert (type(outcome), "1. " in sent.text, missing) == (Accepted, False, [])


@pytest.mark.parametrize(
    ("failure", "expected"),
    [
        (Failure(status=400), Permanent),
        (Failure(status=422), Permanent),
        (Failure(status=429), Transient),
        (Failure(status=500), Transient),
        (Failure(status=504), Unknown),
        (Failure("garbage"), Unknown),
        (Failure("drop", accepted=True), Unknown),
    ],
)
async def test_a_failure_told_to_the_stand_in_is_the_outcome(rig, failure, expected):
    simulator, channel, provider = rig
    simulator.fail_next(failure)
    assert isinstance(await provider.send(channel(), outgoing()), expected)


async def test_an_instance_that_is_gone_stops_the_channel(rig):
    simulator, channel, provider = rig
    outcome = await provider.send(channel("gone"), outgoing())
    assert (type(outcome), outcome.stop_channel, simulator.sent) == (Permanent, True, [])


async def test_what_hangs_is_given_up_by_whoever_waits(rig, monkeypatch):
    simulator, channel, provider = rig
    monkeypatch.setattr("gendei.providers.exchange.TIMEOUT", httpx.Timeout(0.05))
    simulator.fail_next(Failure("hang", accepted=True))
    assert isinstance(await provider.send(channel(), outgoing()), Unknown)


@pytest.mark.parametrize("sender", [MARIA, LID])
async def test_a_message_is_marked_as_read(rig, sender):
    simulator, channel, provider = rig
    await provider.mark_read(channel(), heard(sender), typing=True)
    assert simulator.reads == [Read("aurora", "3EB0IN", typing=False)]


async def test_no_address_or_secret_is_logged(rig, caplog):
    simulator, channel, provider = rig
    caplog.set_level(logging.DEBUG, logger="httpx")
    simulator.fail_next(Failure(status=400))
    await provider.send(channel(), outgoing())
    await provider.send(channel(), outgoing())
    found = [word for word in (*SECRETS.values(), "5511987654321", "Olá") if word in caplog.text]
    assert (found, "HTTP Request" in caplog.text) == ([], True)


async def test_evolution_shows_that_somebody_types():
    simulator = EvolutionSimulator({"aurora": SECRETS["api_key"]})
    async with httpx.AsyncClient(transport=httpx.ASGITransport(simulator.app)) as client:
        channel = Channel("evolution", "aurora", {}, ClinicId("aurora"), {"base_url": "http://evolution.test"})
        await evolution.EvolutionProvider(client, secret).mark_read(channel, heard(MARIA), typing=True)
    shown = [(presence["number"], presence["presence"]) for presence in simulator.presences]
    assert shown == [("5511987654321@s.whatsapp.net", "composing")]


async def test_evolution_marks_a_message_as_read_in_the_chat_that_it_came_in(wire):
    route = wire.post("http://evolution.test/chat/markMessageAsRead/aurora").mock(return_value=httpx.Response(201))
    async with httpx.AsyncClient() as client:
        channel = Channel("evolution", "aurora", {}, ClinicId("aurora"), {"base_url": "http://evolution.test"})
        for message in (replace(heard(MARIA), user_id=LID), heard(MARIA), heard(LID)):
            await evolution.EvolutionProvider(client, secret).mark_read(channel, message, typing=False)
    chats = [json.loads(call.request.content)["readMessages"][0]["remoteJid"] for call in route.calls]
    assert chats == [LID, "5511987654321@s.whatsapp.net", LID]


async def test_evolution_says_that_a_number_is_not_on_whatsapp():
    simulator = EvolutionSimulator({"aurora": SECRETS["api_key"]})
    simulator.strangers.add(MARIA)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(simulator.app)) as client:
        channel = Channel("evolution", "aurora", {}, ClinicId("aurora"), {"base_url": "http://evolution.test"})
        outcome = await evolution.EvolutionProvider(client, secret).send(channel, outgoing(QUESTION))
    assert outcome == Permanent("HTTP 400 the number is not on WhatsApp", kind=FailureKind.UNDELIVERABLE)


PLACE = Reply("📍 Rua do Sol, 12", pin=Pin(-23.5614, -46.6559, "Clínica Aurora", "Rua do Sol, 12"))


async def test_a_pin_is_taken_with_its_name_and_address(rig):
    simulator, channel, provider = rig
    outcome = await provider.send(channel(), outgoing(PLACE))
    assert (type(outcome), [sent.text for sent in simulator.sent]) == (Accepted, ["Clínica Aurora\nRua do Sol, 12"])


async def test_a_pin_that_is_refused_goes_as_text_with_its_map(rig):
    simulator, channel, provider = rig
    simulator.fail_next(Failure(status=400))
    outcome = await provider.send(channel(), outgoing(PLACE))
    assert (type(outcome), [sent.text for sent in simulator.sent]) == (
        Accepted,
        [f"📍 Rua do Sol, 12\n\nVer no mapa: {PLACE.pin.link.url}"],
    )


def test_evolutions_pin_has_numbers_and_zapis_has_text():
    assert evolution.compose(outgoing(PLACE), interactive=False) == (
        "message/sendLocation",
        {
            "number": "5511987654321",
            "latitude": -23.5614,
            "longitude": -46.6559,
            "name": "Clínica Aurora",
            "address": "Rua do Sol, 12",
        },
    )
    assert zapi.compose(outgoing(PLACE), interactive=False) == (
        "send-location",
        {
            "phone": "5511987654321",
            "title": "Clínica Aurora",
            "address": "Rua do Sol, 12",
            "latitude": "-23.561400",
            "longitude": "-46.655900",
        },
    )


def test_evolutions_voice_note_has_a_method_of_its_own():
    media = OutgoingMedia(MessageType.AUDIO, "https://files.test/1", "audio/ogg", voice=True)
    expected = ("message/sendWhatsAppAudio", {"number": "5511987654321", "audio": "https://files.test/1"})
    assert evolution.compose(outgoing(media=media), interactive=True) == expected


def test_evolutions_file_has_its_kind_name_and_caption():
    media = OutgoingMedia(MessageType.DOCUMENT, "https://files.test/1", "application/pdf", "preparo.pdf")
    assert evolution.compose(outgoing(media=media), interactive=False)[1] == {
        "number": "5511987654321",
        "mediatype": "document",
        "mimetype": "application/pdf",
        "media": "https://files.test/1",
        "caption": "Olá!",
        "fileName": "preparo.pdf",
    }


@pytest.mark.parametrize(
    ("name", "url", "endpoint"),
    [
        ("preparo.PDF", "https://files.test/1", "send-document/pdf"),
        ("", "https://files.test/guia.docx?v=2", "send-document/docx"),
        ("", "https://files.test/1", "send-document/pdf"),
    ],
)
def test_zapis_document_goes_to_the_endpoint_of_its_extension(name, url, endpoint):
    media = OutgoingMedia(MessageType.DOCUMENT, url, "application/pdf", name)
    assert zapi.compose(outgoing(media=media), interactive=False)[0] == endpoint


def test_zapis_error_in_a_200_is_a_refusal():
    outcome = zapi.read_answer(httpx.Response(200), {"error": "Invalid phone"})
    assert (type(outcome), outcome.stop_channel) == (Permanent, False)


@given(REPLIES)
def test_any_reply_is_taken_by_both_as_text(reply):
    texts = [evolution.compose(outgoing(reply), interactive=False)[1]["text"]]
    texts += [zapi.compose(outgoing(reply), interactive=False)[1]["message"]]
    assert [len(text.encode("utf-16-le")) <= 2 * 4096 for text in texts] == [True, True]


@given(REPLIES)
def test_no_id_of_a_reply_is_changed_where_it_can_be_tapped(reply):
    calls = [evolution.compose(outgoing(reply), interactive=True), zapi.compose(outgoing(reply), interactive=True)]
    for _, payload in calls:
        buttons = payload.get("buttons", []) + payload.get("buttonList", {}).get("buttons", [])
        rows = [row for section in payload.get("sections", []) for row in section["rows"]]
        ids = [entry["id"] for entry in buttons + payload.get("optionList", {}).get("options", [])]
        ids += [row["rowId"] for row in rows]
        assert set(ids) == {option.id for option in reply.options}
