"""Voice notes out over each provider, against its stand-in on 127.0.0.1."""

import base64

import httpx
import pytest
from tests.providers.lines import Line, open_line

from gendei.errors import SecretUnreadable
from gendei.messages.channels import Accepted, Permanent, Transient
from gendei.messages.message import MessageType, OutgoingMedia, OutgoingMessage
from gendei.messages.replies import Reply
from gendei.providers.meta import MetaProvider
from gendei.providers.stand_in.graph import GraphSimulator

OGG = b"OggS" + bytes(range(200))
NOTE = OutgoingMedia(MessageType.AUDIO, "", "audio/ogg", voice=True, content=OGG)
MESSAGE = OutgoingMessage("+5511999990001", None, Reply("São três e meia."), "ref", media=NOTE)


def sent_over(line: Line) -> bytes | str:
    """The note that the stand-in took, or the text in its place."""
    one = line.stand_in.sent[-1]
    audio = one.payload.get("audio")
    if isinstance(line.stand_in, GraphSimulator):
        return line.stand_in.uploads[audio["id"]] if audio else one.text
    return base64.b64decode(audio.removeprefix("data:audio/ogg;base64,")) if audio else one.text


async def test_a_note_goes_whole(line: Line):
    assert (isinstance(await line.provider.send(line.channel, MESSAGE), Accepted), sent_over(line)) == (True, OGG)


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
    async with open_line("meta") as line:
        yield line


async def test_where_meta_takes_no_upload_the_words_go(meta: Line):
    meta.stand_in.fail_uploads = True
    await meta.provider.send(meta.channel, MESSAGE)
    assert (sent_over(meta), len(meta.stand_in.sent)) == ("São três e meia.", 1)


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
