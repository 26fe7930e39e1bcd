"""The parts of a live call by themselves: what is held, what is heard, how much may come, and who takes nothing."""

import asyncio
from io import BytesIO

import numpy as np
import pytest
import soundfile
from starlette.websockets import WebSocket, WebSocketState
from tests.voice.live_client import SILENCE, SPEECH
from tests.voice.studio import RATE, tone, wav

from gendei.conversation.speech.voice_notes import SpeechFailed, Transcript
from gendei.messages.turns import Hearing
from gendei.voice.live.desk import Allowance
from gendei.voice.live.ear import MOST_HELD, Ear
from gendei.voice.live.frames import CallOver, Close
from gendei.voice.live.playback import Playback
from gendei.voice.speech_stream import pcm_of
from gendei.web.live_calls import SocketClient


async def nothing(*_: object) -> None:
    """Nobody is told."""


def ear(understand) -> Ear:
    return Ear(understand, began=nothing, fell_silent=nothing, misheard=nothing, is_heard=lambda: False)


async def test_no_more_than_a_megabyte_is_held_until_it_was_understood():
    understood = asyncio.Event()

    async def understand(_audio) -> Transcript:
        await understood.wait()
        return Transcript(Hearing.SURE, "oi")

    one, sound = ear(understand), (SPEECH + SILENCE) * 20
    took = words = 0

    async def speak() -> None:
        nonlocal took
        for start in range(0, len(sound), 4096):
            await one.hear(sound[start : start + 4096])
            took += 4096

    async def read() -> None:
        nonlocal words
        async for _ in one.transcribe_turns():
            words += 1

    others = [asyncio.create_task(one.listen()), asyncio.create_task(read())]
    speaking = asyncio.create_task(speak())
    for _ in range(5000):
        await asyncio.sleep(0)
    assert (took < len(sound), MOST_HELD - 8192 < one.held <= MOST_HELD, words) == (True, True, 0)
    understood.set()
    await speaking
    assert words > 0
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)


def test_a_cut_silences_everything_that_was_asked_for_and_nothing_after_it():
    now = 0.0
    heard = Playback(lambda: now)
    first, second = heard.ask("um"), heard.ask("dois")
    heard.sent(1.0)
    assert (heard.is_heard, heard.cut(), heard.is_heard) == (True, True, False)
    third = heard.ask("três")
    assert [heard.is_cut(item.number) for item in (first, second, third)] == [True, True, False]
    assert (heard.is_current_cut, heard.cut()) == (True, True)


def test_speech_is_heard_for_as_long_as_it_lasts():
    now = 0.0
    heard = Playback(lambda: now)
    heard.ask("um")
    heard.sent(2.0)
    heard.end()
    assert heard.is_heard
    now = 2.0
    assert (heard.is_heard, heard.cut()) == (False, False)


async def test_a_cut_wakes_whoever_waits_for_room():
    heard = Playback(asyncio.get_running_loop().time)
    heard.ask("um")
    heard.sent(1000.0)
    waiting = asyncio.create_task(heard.room())
    await asyncio.sleep(0)
    heard.cut()
    await waiting


def test_what_comes_faster_than_allowed_is_a_flood():
    allowance = Allowance(10, 20)
    allowance.spend(20, 0)
    allowance.spend(10, 1)
    with pytest.raises(CallOver) as over:
        allowance.spend(10, 1.5)
    assert over.value.code is Close.FLOOD


async def test_a_client_that_takes_nothing_is_not_waited_for():
    async def never(_message: object) -> None:
        await asyncio.Event().wait()

    socket = WebSocket({"type": "websocket"}, receive=nothing, send=never)
    socket.client_state = socket.application_state = WebSocketState.CONNECTED
    with pytest.raises(CallOver) as over:
        await SocketClient(socket, 0.01).play(b"\0\0")
    assert over.value.code is Close.STALLED


async def told(body: bytes, piece: int, content_type: str = "audio/wav") -> bytes:
    async def pieces():
        for start in range(0, len(body), piece):
            yield body[start : start + piece]

    return b"".join([value async for value in pcm_of(pieces(), content_type)])


SAID = (tone(0.2) * 32767).astype("<i2").tobytes()


@pytest.mark.parametrize("piece", [1, 7, 43, 1024, 100_000])
async def test_bare_samples_and_a_wav_file_are_the_same_sound(piece: int):
    assert await told(SAID, piece, "audio/pcm") == SAID
    assert np.abs(np.frombuffer(await told(wav(tone(0.2)), piece), "<i2") - np.frombuffer(SAID, "<i2")).max() <= 2


async def test_another_rate_and_two_channels_become_ours():
    written = BytesIO()
    soundfile.write(written, np.stack([tone(0.2)[::2]] * 2, axis=1), RATE // 2, format="WAV", subtype="PCM_16")
    sound = np.frombuffer(await told(written.getvalue(), 100_000), "<i2")
    assert (len(sound), np.abs(sound[:-1] - np.frombuffer(SAID, "<i2")[:-1]).max() < 600) == (len(SAID) // 2, True)


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b'{"error": "down"}', "application/json"),
        (b"<html></html>", "text/html"),
        (b"", "audio/pcm"),
        (b"OggS" + bytes(100), "audio/wav"),
        (b"RIFF" + bytes(5000), "audio/wav"),
        (wav(tone(0.1))[:30], "audio/wav"),
    ],
)
async def test_what_is_no_sound_is_not_spoken(body: bytes, content_type: str):
    with pytest.raises(SpeechFailed):
        await told(body, 50, content_type)
