"""M5: who says nothing, or says it slowly, is not waited for: neither for a request nor in a live call."""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import replace

import pytest
from starlette.types import Receive, Scope, Send
from tests.attacks.raw import Raw, many, raw, until_closed, upgrade
from tests.attacks.target import PATIENCE, Target, target
from tests.attacks.test_h2_frames import call
from tests.journeys.town import AURORA, BROMELIA, open_town
from tests.voice.live_client import SPEECH, calling
from tests.voice.studio import Studio

from gendei.channel_kinds import WEB
from gendei.clinic import Channel, ClinicId, Contact
from gendei.conversation.site.visitor_tokens import VisitorTokens, anonymous
from gendei.conversation.site.web_channel import Visitor
from gendei.http_server import requests
from gendei.providers.stand_in.local_server import serve
from gendei.voice.live.seats import LiveLimits
from gendei.web import intake, live_calls

HOST = b"Host: localhost\r\n"
WHOLE = b"GET /healthz HTTP/1.1\r\n" + HOST + b"\r\n"
SOON = 0.05
"""Seconds, in place of those that strangers have."""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    with target(tmp_path_factory.mktemp("site"), GENDEI_CONNECTIONS_AT_ONCE="20") as running:
        yield running


@pytest.fixture
async def town(tmp_path):
    studio = Studio()
    async with serve(studio.app) as url, open_town(tmp_path, speech_url=f"{url}/v1") as opened:
        for clinic_id in (AURORA, BROMELIA):
            clinic = await opened.gendei.directory.get(clinic_id)
            web = Channel(WEB, clinic_id, {}, clinic_id, {"origins": "https://clinic.example"})
            await opened.gendei.directory.import_clinic(replace(clinic, channels=(*clinic.channels, web)))
        yield opened


def address_of(url: str) -> tuple[str, int]:
    host, _, port = url.removeprefix("http://").partition(":")
    return host, int(port)


def url_of(town) -> str:
    return str(town.client.base_url).rstrip("/")


@pytest.fixture
def address(town) -> tuple[str, int]:
    return address_of(url_of(town))


async def is_alive(site: Target) -> bool:
    async with raw(site.address, "127.0.0.9") as one:
        await one.send(WHOLE)
        return (await one.head()).startswith(b"HTTP/1.1 200")


async def status(address: tuple[str, int], *sent: bytes) -> bytes:
    """What is answered to this before the connection is closed; b"" for nothing."""
    async with raw(address) as one:
        await one.send(*sent)
        return (await one.rest()).partition(b"\r\n")[0].removeprefix(b"HTTP/1.1 ")


# Requests


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sent", "answered"),
    [
        (b"", b""),
        (b"GET /healthz HTTP/1.1\r\nHost: loc", b"408 Request Timeout"),
        (WHOLE + b"\r\n", b"200 OK"),
        (b"POST /webhooks/meta HTTP/1.1\r\n" + HOST + b"Content-Length: 99\r\n\r\n{", b"408 Request Timeout"),
        (b"POST /webhooks/meta HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n1;", b"408 Request Timeout"),
    ],
    ids=["nothing", "half a head", "a line after a request", "half a body", "half a chunk"],
)
async def test_what_does_not_come_is_not_waited_for(town, address, monkeypatch, sent, answered):
    monkeypatch.setattr(requests, "HEAD_SECONDS", SOON)
    monkeypatch.setattr(requests, "BODY_SECONDS", SOON)
    assert await status(address, sent) == answered


async def test_a_body_that_comes_by_the_byte_is_cut_off(town, address, monkeypatch):
    monkeypatch.setattr(requests, "BODY_SECONDS", SOON)
    async with raw(address) as one:
        await one.send(b"POST /webhooks/meta HTTP/1.1\r\n", HOST, b"Content-Length: 999999\r\n\r\n")
        answer = asyncio.create_task(one.rest())
        while not answer.done():
            await one.send(b"x")
            await asyncio.wait([answer], timeout=SOON / 10)
    await answer


TOO_LARGE = b"431 Request Header Fields Too Large"


@pytest.mark.parametrize(
    "sent",
    [
        b"".join(b"X-%d: 1\r\n" % number for number in range(requests.MOST_HEADERS + 1)) + b"\r\n",
        b"X: " + b"x" * requests.MOST_HEAD_BYTES + b"\r\n\r\n",
        b"X: " + b"x" * requests.MOST_HEAD_BYTES,
        b"X: 1\r\n" * (requests.MOST_HEAD_BYTES // 6),
    ],
    ids=["too many headers", "a large one", "one without end", "headers without end"],
)
async def test_a_head_has_so_many_headers_and_bytes_and_no_more(site, sent):
    assert await status(site.address, b"GET /healthz HTTP/1.1\r\n", HOST, sent) == TOO_LARGE


async def test_an_address_without_end_is_refused(site):
    assert await status(site.address, b"GET /" + b"x" * requests.MOST_HEAD_BYTES) == TOO_LARGE


async def test_trailers_and_extensions_of_chunks_without_end_are_cut_off(site):
    begun = b"POST /webhooks/meta HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n"
    for endless in (b"1;" + b"x" * requests.MOST_HEAD_BYTES, b"0\r\n" + b"X: 1\r\n" * requests.MOST_HEAD_BYTES):
        async with raw(site.address) as one:
            await one.send(begun)
            for start in range(0, len(endless), 4096):
                await one.send(endless[start : start + 4096])
            await one.rest()


async def test_bodies_that_are_not_over_share_what_is_kept_for_them(town, address, monkeypatch):
    monkeypatch.setattr(intake.unfinished, "most", 150_000)
    begun = b"POST /webhooks/meta HTTP/1.1\r\n" + HOST + b"Content-Length: 1000000\r\n\r\n" + b"x" * 100_000
    async with raw(address) as one, raw(address) as other:
        await one.send(begun)
        await other.send(begun)
        first, second = asyncio.create_task(one.head()), asyncio.create_task(other.head())
        done, left = await asyncio.wait([first, second], return_when=asyncio.FIRST_COMPLETED)
        assert [task.result()[:12] for task in done] == [b"HTTP/1.1 413"]
        assert len(left) == 1
        left.pop().cancel()


async def test_who_takes_nothing_of_an_answer_is_cut_off(monkeypatch):
    monkeypatch.setattr(requests, "STALLED_SECONDS", SOON)
    gone = asyncio.Event()

    async def endless(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            for kind in ("startup", "shutdown"):
                await receive()
                await send({"type": f"lifespan.{kind}.complete"})
            return
        await receive()
        leaving = asyncio.create_task(receive())
        await send({"type": "http.response.start", "status": 200, "headers": []})
        while not leaving.done():
            await send({"type": "http.response.body", "body": b"x" * 65536, "more_body": True})
            await asyncio.sleep(0)  # sending to nobody does not wait
        gone.set()

    async with serve(endless) as url, raw(address_of(url)) as one:
        await one.send(WHOLE)
        async with asyncio.timeout(PATIENCE):
            await gone.wait()


async def test_half_sent_requests_make_room_for_whole_ones(site):
    async with many(site.address, 60) as half:
        for item in half:
            await item.send(b"GET / HTTP/1.1\r\n")
        await until_closed(half, 40)
        assert await is_alive(site)


async def test_where_all_are_at_work_only_the_health_is_told(site):
    slow = b"POST /webhooks/meta HTTP/1.1\r\n" + HOST + b"Content-Length: 99\r\n\r\n{"
    async with many(site.address, 21) as busy:
        for item in busy:
            await item.send(slow)
        async with raw(site.address) as late:
            await late.send(b"GET /login HTTP/1.1\r\n", HOST, b"\r\n")
            assert (await late.head()).startswith(b"HTTP/1.1 503")
        assert await is_alive(site)


async def test_two_hundred_sockets_without_a_session_all_stay_outside(site):
    for _ in range(220):
        async with raw(site.address) as one:
            await one.send(upgrade(site.host, "/_nicegui_ws/socket.io/?EIO=4&transport=websocket&client_id=1"))
            assert (await one.head()).startswith(b"HTTP/1.1 403")


# Live calls


def stranger(town, clinic_id: ClinicId = AURORA) -> str:
    """The token of somebody who proved no phone."""
    return VisitorTokens(town.gendei.secrets).issue(anonymous(clinic_id)).token


def patient(town, phone: str) -> str:
    """The token of somebody for whose phone the clinic's server vouches."""
    return VisitorTokens(town.gendei.secrets).issue(Visitor(AURORA, Contact(phone), phone, "Maria")).token


async def test_a_hundred_silent_strangers_keep_no_patient_from_the_door(town, address):
    host = f"{address[0]}:{address[1]}"
    sources = [f"127.0.2.{number}" for number in range(1, 7)]
    async with AsyncExitStack() as stack:
        silent: list[Raw] = await stack.enter_async_context(many(address, live_calls.STRANGERS_PER_NETWORK, sources))
        for item in silent:
            await item.send(upgrade(host, live_calls.PATH))
            assert (await item.head()).startswith(b"HTTP/1.1 101")
        async with calling(url_of(town), patient(town, "+5511999990001")) as client:
            assert client.of("ready") != []


async def test_strangers_who_say_nothing_leave_for_others_and_for_patients(town):
    town.gendei.live.limits = LiveLimits(sockets=2, per_address=9)
    url = url_of(town)
    async with calling(url, stranger(town)) as first, calling(url, stranger(town, BROMELIA)) as elsewhere:
        async with calling(url, stranger(town)) as second:
            assert await first.until_closed() == (4429, "busy")
            assert second.of("ready") != []
            async with (
                calling(url, patient(town, "+5511999990001")) as maria,
                calling(url, patient(town, "+5511999990002")) as joao,
            ):
                assert await second.until_closed() == (4429, "busy")
                assert [item.of("ready") != [] for item in (maria, joao)] == [True, True]
                async with calling(url, stranger(town)) as late:
                    assert await late.until_closed() == (4429, "busy")
                assert (maria.closed, joao.closed) == (None, None)
        assert elsewhere.closed is None


async def test_a_stranger_who_speaks_stays_before_one_who_does_not(town):
    town.gendei.live.limits = LiveLimits(sockets=4, per_address=9)
    url = url_of(town)
    async with calling(url, stranger(town)) as speaking, calling(url, stranger(town)) as silent:
        await speaking.play(SPEECH)
        await speaking.until(lambda: "hearing" in speaking.states)
        async with calling(url, stranger(town)) as third:
            assert await silent.until_closed() == (4429, "busy")
            assert (speaking.closed, third.of("ready") != []) == (None, True)


async def test_an_address_has_so_many_seats_for_strangers(town):
    town.gendei.live.limits = LiveLimits(sockets=20, per_address=1)
    url = url_of(town)
    async with calling(url, stranger(town)) as speaking:
        await speaking.send(type="text", text="oi")
        await speaking.told()
        async with calling(url, stranger(town)) as second, calling(url, stranger(town, BROMELIA)) as elsewhere:
            assert await second.until_closed() == (4429, "busy")
            assert elsewhere.of("ready") != []
        async with calling(url, patient(town, "+5511999990001")) as maria:
            assert (maria.of("ready") != [], speaking.closed) == (True, None)


async def test_a_stranger_has_to_speak_and_a_patient_may_think(town):
    town.gendei.live.limits = LiveLimits(silence=SOON)
    url = url_of(town)
    async with calling(url, patient(town, "+5511999990001")) as maria, calling(url, stranger(town)) as silent:
        assert await silent.until_closed() == (4408, "idle")
        assert maria.closed is None


async def test_strangers_use_up_half_of_a_clinics_day_and_patients_have_the_rest(town):
    town.gendei.live.limits = LiveLimits(daily_seconds=2)
    url = url_of(town)
    async with calling(url, stranger(town)) as noisy:
        await noisy.play(SPEECH * 3)
        assert await noisy.until_closed() == (4429, "busy")
    async with calling(url, stranger(town)) as another, calling(url, patient(town, "+5511999990001")) as maria:
        assert await another.until_closed() == (4429, "busy")
        assert maria.of("ready") != []


async def test_who_sends_a_head_that_no_socket_reads_is_answered(site):
    async with raw(site.address) as one:
        await one.send(upgrade(site.host, live_calls.PATH, Cookie="x" * 10_000))
        assert (await one.head()).startswith(b"HTTP/1.1 400")
    async with raw(site.address) as other:
        await call(site, other)
