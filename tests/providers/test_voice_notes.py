"""Voice notes out over each provider, against its stand-in on 127.0.0.1."""

import base64
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from gendei.clinic import Channel, ClinicId
from gendei.conversation.messages import MessageType, OutgoingMedia, OutgoingMessage
from gendei.conversation.ports import Accepted, Permanent, Transient
from gendei.errors import SecretUnreadable
from gendei.providers.evolution import EvolutionProvider
from gendei.providers.evolution_simulator import EvolutionSimulator
from gendei.providers.local_server import serve
from gendei.providers.meta import MetaProvider
from gendei.providers.simulator import GraphSimulator
from gendei.providers.zapi import ZapiProvider
from gendei.providers.zapi_simulator import ZapiSimulator
from gendei.receptionist.replies import Reply

OGG = b"OggS" + bytes(range(200))
NOTE = OutgoingMedia(MessageType.AUDIO, "", "audio/ogg", voice=True, content=OGG)
MESSAGE = OutgoingMessage("+5511999990001", None, Reply("São três e meia."), "ref", media=NOTE)


@dataclass
class Line:
    """A provider, a channel on it, and the stand-in behind it."""

    provider: Any
    channel: Channel
    stand_in: Any

    def sent(self) -> bytes | str:
        """The note that the stand-in took, or the text in its place."""
        one = self.stand_in.sent[-1]
        if isinstance(self.stand_in, GraphSimulator):
            audio = one.payload.get("audio")
            return self.stand_in.uploads[audio["id"]] if audio else one.text
        audio = one.payload.get("audio")
        return base64.b64decode(audio.removeprefix("data:audio/ogg;base64,")) if audio else one.text


@pytest.fixture(params=["meta", "evolution", "zapi"])
async def line(request):
    stand_ins = {
        "meta": GraphSimulator(),
        "evolution": EvolutionSimulator({"n1": "key"}),
        "zapi": ZapiSimulator({"n1": "key"}, "key"),
    }
    stand_in = stand_ins[request.param]
    async with serve(stand_in.app) as url, httpx.AsyncClient(verify=False) as client:  # noqa: S501 - plain HTTP
        providers = {
            "meta": lambda: MetaProvider(client, url, "v26.0", lambda *_: "key"),
            "evolution": lambda: EvolutionProvider(client, lambda *_: "key"),
            "zapi": lambda: ZapiProvider(client, lambda *_: "key"),
        }
        channel = Channel(request.param, "n1", {}, ClinicId("one"), {"base_url": url})
        yield Line(providers[request.param](), channel, stand_in)


async def test_a_note_goes_whole(line: Line):
    assert (isinstance(await line.provider.send(line.channel, MESSAGE), Accepted), line.sent()) == (True, OGG)


async def test_a_note_is_marked_as_spoken(line: Line):
    await line.provider.send(line.channel, MESSAGE)
    sent = line.stand_in.sent[-1]
    spoken = {
        "meta": lambda: sent.payload["audio"]["voice"],
        "evolution": lambda: sent.method == "message/sendWhatsAppAudio",
        "zapi": lambda: sent.payload["waveform"],
    }
    assert spoken[line.channel.provider]() is True


@pytest.fixture
async def meta():
    graph = GraphSimulator()
    async with serve(graph.app) as url, httpx.AsyncClient(verify=False) as client:  # noqa: S501 - plain HTTP
        yield Line(MetaProvider(client, url, "v26.0", lambda *_: "key"), Channel("meta", "n1"), graph)


async def test_where_meta_takes_no_upload_the_words_go(meta: Line):
    meta.stand_in.fail_uploads = True
    await meta.provider.send(meta.channel, MESSAGE)
    assert (meta.sent(), len(meta.stand_in.sent)) == ("São três e meia.", 1)


async def test_an_upload_whose_end_is_unknown_is_made_again_later(meta: Line):
    async with httpx.AsyncClient() as client:
        away = MetaProvider(client, "http://127.0.0.1:9", "v26.0", lambda *_: "key")
        assert isinstance(await away.send(meta.channel, MESSAGE), Transient)


async def test_without_a_token_nothing_is_uploaded(meta: Line):
    def none(*_: object) -> str:
        raise SecretUnreadable

    meta.provider._credential = none
    outcome = await meta.provider.send(meta.channel, MESSAGE)
    assert (isinstance(outcome, Permanent) and outcome.stop_channel, meta.stand_in.uploads) == (True, {})
