"""Sound made here, and a stand-in of an OpenAI-compatible audio API that really reads and makes sound."""

import asyncio
import json
import re
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from io import BytesIO
from threading import Thread
from typing import Any

import numpy as np
import soundfile
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from gendei.providers.stand_in.local_server import serve

RATE = 24_000
CLEAR, MUMBLED, NOISY = -0.2, -0.8, -2.0
"""avg_logprob: confidence 0.82, 0.45 and 0.14."""


def tone(seconds: float, loudness: float = 0.3) -> np.ndarray:
    """Something to hear."""
    moments = np.arange(int(seconds * RATE)) / RATE
    return (loudness * np.sin(2 * np.pi * 220 * moments)).astype(np.float32)


def ogg(samples: np.ndarray) -> bytes:
    """A voice note as WhatsApp records it."""
    return sound(samples, format="OGG", subtype="OPUS")


@cache
def too_long() -> bytes:
    """A voice note of 301 seconds. It is silent, which is encoded three times as fast as a tone."""
    return ogg(tone(301, loudness=0.0))


def wav(samples: np.ndarray) -> bytes:
    return sound(samples, format="WAV", subtype="PCM_16")


def sound(samples: np.ndarray, **kind: str) -> bytes:
    written = BytesIO()
    soundfile.write(written, samples, RATE, **kind)
    return written.getvalue()


def read(note: bytes) -> tuple[str, str, int, float]:
    """(container, codec, channels, seconds) of a file, decoded."""
    with soundfile.SoundFile(BytesIO(note)) as file:
        samples = file.read()
        return file.format, file.subtype, file.channels, round(len(samples) / file.samplerate, 1)


def transcript(
    words: str, logprob: float = CLEAR, no_speech: float = 0.01, repetition: float = 1.2, seconds: float = 2.0
) -> JSONResponse:
    """As Whisper's verbose_json has it (OpenAI's API reference, 2026)."""
    segment = {"start": 0.0, "end": seconds, "avg_logprob": logprob, "no_speech_prob": no_speech}
    segments = [{**segment, "compression_ratio": repetition}]
    return JSONResponse({"text": words, "duration": seconds, "segments": segments})


OUT_OF_QUOTA = JSONResponse({"error": {"code": "insufficient_quota"}}, status_code=429)


@dataclass
class Studio:
    """`says`: what the next notes are heard as, or another answer in their place. `speaks`: answers in place of sound.
    `heard`, `names`, `hints`: the notes that came, what their files are called, and who and what may be named in them.
    `spoken`: what was to be said. While `open` is cleared, nothing is transcribed; while `speaks_now` is, nothing is
    said."""

    says: deque[str | Response] = field(default_factory=deque)
    speaks: deque[Response] = field(default_factory=deque)
    heard: list[bytes] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    hints: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    spoken: list[dict[str, Any]] = field(default_factory=list)
    open: asyncio.Event = field(default_factory=asyncio.Event)
    speaks_now: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.open.set()
        self.speaks_now.set()
        self.app = Starlette(
            routes=[
                Route("/v1/audio/transcriptions", self._transcribe, methods=["POST"]),
                Route("/v1/audio/speech", self._speak, methods=["POST"]),
            ]
        )

    async def _transcribe(self, request: Request) -> Response:
        body = await request.body()
        boundary = request.headers["content-type"].partition("boundary=")[2].encode()
        fields: dict[str, bytes] = {}
        for part in body.split(b"--" + boundary)[1:-1]:
            head, _, content = part.strip(b"\r\n").partition(b"\r\n\r\n")
            fields[re.search(rb' name="([^"]+)"', head)[1].decode()] = content
            if named := re.search(rb'filename="([^"]+)"', head):
                self.names.append(named[1].decode())
        self.keys.append(request.headers.get("authorization", ""))
        self.heard.append(fields["file"])
        self.hints.append(f"{fields['language'].decode()}: {fields['prompt'].decode()}")
        await self.open.wait()
        answer = self.says.popleft() if self.says else transcript("")
        return transcript(answer) if isinstance(answer, str) else answer

    async def _speak(self, request: Request) -> Response:
        asked = json.loads(await request.body())
        self.spoken.append(asked)
        await self.speaks_now.wait()
        if self.speaks:
            return self.speaks.popleft()
        return Response(wav(tone(len(asked["input"]) / 50 / asked["speed"])), media_type="audio/wav")


@contextmanager
def in_a_thread(studio: Studio) -> Iterator[str]:
    """The address of a studio that answers beside a command of the terminal."""
    loop, ended = asyncio.new_event_loop(), asyncio.Event()
    address: Future[str] = Future()

    async def run() -> None:
        async with serve(studio.app) as url:
            address.set_result(url)
            await ended.wait()

    thread = Thread(target=lambda: loop.run_until_complete(run()))
    thread.start()
    try:
        yield address.result(10)
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join()
        loop.close()
