"""The Meta provider against the stand-in of the Graph API, and where it differs from other channels."""

import json
import logging
from datetime import UTC, datetime

import httpx
import pytest

from gendei.clinic import Channel, ClinicId, Contact
from gendei.messages.channels import Accepted, Permanent, Transient, Unknown
from gendei.messages.message import IncomingMessage, MessageType, OutgoingMessage
from gendei.messages.replies import Option, Reply
from gendei.providers.meta import MetaProvider
from gendei.providers.stand_in.graph import Failure, GraphSimulator, Read
from gendei.providers.stand_in.local_server import serve

CHANNEL = Channel("meta", "106540352242922", {"access_token": "sealed"}, ClinicId("boa-vida"))
HEARD = IncomingMessage(
    "wamid.IN1", Contact("+5511987654321"), datetime(2026, 6, 10, 12, tzinfo=UTC), MessageType.TEXT, "+5511987654321"
)


@pytest.fixture
def graph():
    return GraphSimulator()


@pytest.fixture
async def meta(graph):
    async with httpx.AsyncClient(transport=httpx.ASGITransport(graph.app)) as client:
        yield MetaProvider(client, "http://graph.test/", "v26.0", lambda _channel, field: f"clear {field}")


def message(reference: str = "out-1", reply: Reply | None = None, phone: str | None = "+5511987654321"):
    return OutgoingMessage(phone, "BR.1349", reply or Reply("Olá!"), reference)


async def test_what_was_sent_arrives_with_token_number_and_reference(graph, meta):
    outcome = await meta.send(CHANNEL, message())
    (sent,) = graph.sent
    assert (outcome, sent.to, sent.text, sent.token, sent.phone_number_id, sent.reference) == (
        Accepted(sent.id),
        "+5511987654321",
        "Olá!",
        "clear access_token",
        "106540352242922",
        "out-1",
    )


async def test_a_patient_without_a_phone_is_reached_by_user_id(graph, meta):
    await meta.send(CHANNEL, message(phone=None))
    assert graph.sent[0].to == "BR.1349"


async def test_options_arrive_as_what_can_be_tapped(graph, meta):
    await meta.send(CHANNEL, message(reply=Reply("Qual?", (Option("do|book", "Agendar"), Option("do|keep", "Manter")))))
    assert graph.sent[0].options == [("do|book", "Agendar"), ("do|keep", "Manter")]


@pytest.mark.parametrize("typing", [True, False])
async def test_reading_and_typing_are_one_request(graph, meta, typing):
    await meta.mark_read(CHANNEL, HEARD, typing=typing)
    assert (graph.reads, graph.sent) == ([Read("106540352242922", "wamid.IN1", typing)], [])


@pytest.mark.parametrize(
    ("failure", "expected"),
    [
        (Failure(code=131026), Permanent),
        (Failure(code=130429), Transient),
        (Failure(status=500, code=2), Transient),
        (Failure(status=401, code=190), Permanent),
        (Failure("garbage"), Unknown),
    ],
)
async def test_a_failure_told_to_the_stand_in_is_the_outcome(graph, meta, failure, expected):
    graph.fail_next(failure)
    assert isinstance(await meta.send(CHANNEL, message()), expected)


@pytest.mark.parametrize("code", [100, 131008, 131009, 131051])
async def test_what_meta_will_not_show_goes_once_more_as_text_with_the_same_reference(graph, meta, code):
    graph.fail_next(Failure(code=code))
    outcome = await meta.send(CHANNEL, message(reply=Reply("Qual?", (Option("do|book", "Agendar"),))))
    (sent,) = graph.sent
    assert (outcome, sent.text, sent.reference) == (Accepted(sent.id), "Qual?\n\n1. Agendar", "out-1")


@pytest.mark.parametrize(
    "failure", [Failure(code=131026), Failure(status=500, code=2), Failure("garbage", accepted=True)]
)
async def test_any_other_answer_is_not_followed_by_a_text(graph, meta, failure):
    graph.fail_next(failure)
    await meta.send(CHANNEL, message(reply=Reply("Qual?", (Option("do|book", "Agendar"),))))
    assert [sent.payload["type"] for sent in graph.sent] in ([], ["interactive"])


async def test_a_line_cut_inside_the_answer_leaves_open_whether_it_was_sent(graph):
    graph.fail_next(Failure("drop", accepted=True))
    async with serve(graph.app) as url, httpx.AsyncClient() as client:
        outcome = await MetaProvider(client, url, "v26.0", lambda *_: "token").send(CHANNEL, message())
    assert (type(outcome), [sent.reference for sent in graph.sent]) == (Unknown, ["out-1"])


async def test_another_version_in_the_answer_is_told_once(wire, caplog):
    answer = httpx.Response(200, json={"messages": [{"id": "x"}]}, headers={"facebook-api-version": "v27.0"})
    wire.post("https://graph.test/v26.0/106540352242922/messages").mock(return_value=answer)
    async with httpx.AsyncClient() as client:
        meta = MetaProvider(client, "https://graph.test", "v26.0", lambda *_: "token")
        await meta.send(CHANNEL, message())
        await meta.send(CHANNEL, message())
    warnings = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert warnings == ["Meta answers with v27.0, not v26.0: set GENDEI_GRAPH_VERSION"]


async def test_a_refusal_is_logged_with_what_finds_it_again(wire, caplog):
    body = {"error": {"code": 131026, "message": "Olá!", "fbtrace_id": "Atrace"}}
    wire.route().mock(return_value=httpx.Response(400, json=body))
    async with httpx.AsyncClient() as client:
        await MetaProvider(client, "https://graph.test", "v26.0", lambda *_: "token").send(CHANNEL, message())
    (line,) = [record.getMessage() for record in caplog.records if record.name == "gendei.providers.meta"]
    found = [word for word in ("131026", "Atrace", "106540352242922", "Olá") if word in line]
    assert found == ["131026", "Atrace", "106540352242922"]


async def test_a_token_that_no_header_can_hold_stops_the_channel(wire):
    async with httpx.AsyncClient() as client:
        meta = MetaProvider(client, "https://graph.test", "v26.0", lambda *_: "tókèn\n")
        outcome = await meta.send(CHANNEL, message())
    assert (type(outcome), outcome.stop_channel, "tók" in str(outcome)) == (Permanent, True, False)


async def test_half_a_character_in_a_reference_does_not_stop_the_channel(wire):
    route = wire.route().mock(return_value=httpx.Response(200, json={"messages": [{"id": "x"}]}))
    async with httpx.AsyncClient() as client:
        meta = MetaProvider(client, "https://graph.test", "v26.0", lambda *_: "token")
        assert await meta.send(CHANNEL, message("\ud83d")) == Accepted("x")
    assert json.loads(route.calls.last.request.content)["biz_opaque_callback_data"] == "\ud83d"
