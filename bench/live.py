"""Speaking live: how long after the synthesizer's first byte the caller hears the first."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

import numpy as np
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from websockets.asyncio.client import connect

from bench.report import Figure, Section
from bench.sizes import Sizes
from bench.town import SERVE, found_town, open_graph, percentile, served
from gendei.clinic import ClinicId
from gendei.conversation.site.visitor_tokens import VisitorTokens, anonymous
from gendei.providers.stand_in.local_server import serve
from gendei.secrets import SecretBox
from gendei.voice.live.activity import RATE, SAMPLE_BYTES
from gendei.voice.live.frames import LARGEST_CHUNK

GOAL_MS = 150.0
PATIENCE = 30
WORDS = "quanto custa a consulta?"
SITE = "https://www.bench.example"
SPEECH_SECONDS, SILENCE_SECONDS = 0.6, 1.0
PIECE_SECONDS, PIECES = 0.1, 20
SOUND = (0.3 * 32767 * np.sin(2 * np.pi * 220 * np.arange(int(SPEECH_SECONDS * RATE)) / RATE)).astype("<i2").tobytes()
SAID = SOUND + bytes(int(SILENCE_SECONDS * RATE) * SAMPLE_BYTES)


@dataclass(slots=True)
class Studio:
    """The audio API's stand-in: it hears WORDS at once, and says everything in pieces that take as long to come as to
    be heard. `began`: when it let go of the first byte of each answer, by perf_counter."""

    began: list[float] = field(default_factory=list)

    @property
    def app(self) -> Starlette:
        heard = Route("/v1/audio/transcriptions", self._hear, methods=["POST"])
        return Starlette(routes=[heard, Route("/v1/audio/speech", self._speak, methods=["POST"])])

    async def _hear(self, _request: Request) -> Response:
        return JSONResponse({"text": WORDS, "segments": [{"start": 0, "end": 1, "avg_logprob": -0.1}]})

    async def _speak(self, request: Request) -> Response:
        await request.body()
        return StreamingResponse(self._pieces(), media_type="audio/pcm")

    async def _pieces(self) -> AsyncIterator[bytes]:
        self.began.append(perf_counter())
        for _ in range(PIECES):
            yield bytes(int(PIECE_SECONDS * RATE) * SAMPLE_BYTES)
            await asyncio.sleep(PIECE_SECONDS)


def measure_live(workdir: Path, sizes: Sizes) -> Section:
    return asyncio.run(_measure(workdir, sizes))


async def _measure(workdir: Path, sizes: Sizes) -> Section:
    town, studio = found_town(workdir, 1, site=SITE), Studio()
    async with open_graph() as (_, graph_url), serve(studio.app) as speech_url:
        settings = town.settings(town.database, graph_url, GENDEI_SPEECH_URL=f"{speech_url}/v1")
        async with served(SERVE, settings, workdir) as (port, _):
            caller = _Caller(port, VisitorTokens(SecretBox(town.key)), ClinicId(town.names[0]))
            await caller.asks()
            studio.began.clear()
            asked = [await caller.asks() for _ in range(sizes.turns)]
    first = [1000 * (heard - began) for (_, heard), began in zip(asked, studio.began, strict=True)]
    whole = [1000 * (heard - said) for said, heard in asked]
    return Section(
        title="Live: a spoken question and its spoken answer",
        figures=(
            Figure("first spoken byte after the synthesizer's, p95", percentile(first, 0.95), "at most", GOAL_MS, "ms"),
        ),
        method=_method(sizes),
        seen=(
            f"the same: median {percentile(first, 0.5):.1f}, worst {max(first):.1f} ms",
            f"after the last sound of the question was sent: median {percentile(whole, 0.5):.0f} ms",
        ),
    )


def _method(sizes: Sizes) -> str:
    return (
        f"One `gendei serve` on a SQLite file, guided, and a stand-in of the audio API that hears the same question at "
        f"once and streams its answers as PCM, {PIECE_SECONDS:g} s at a time. {sizes.turns} visitors, one after the "
        f"other, open a socket, play {SPEECH_SECONDS:g} s of sound and {SILENCE_SECONDS:g} s of silence as fast as it "
        f"goes, and wait for the first sound. The first figure is between the moment at which the stand-in lets go of "
        f"its first byte and the one at which the caller has a first byte, both by the clock of one process."
    )


@dataclass(frozen=True, slots=True)
class _Caller:
    """Visitors of the clinic's web site, each of them new."""

    port: int
    tokens: VisitorTokens
    clinic_id: ClinicId

    async def asks(self) -> tuple[float, float]:
        """When the question was sent and when the first sound of its answer came, by perf_counter."""
        token = self.tokens.issue(anonymous(self.clinic_id)).token
        async with asyncio.timeout(PATIENCE), connect(f"ws://127.0.0.1:{self.port}/live", proxy=None) as socket:
            await socket.send(json.dumps({"type": "start", "token": token}))
            for start in range(0, len(SAID) - LARGEST_CHUNK + 1, LARGEST_CHUNK):
                await socket.send(SAID[start : start + LARGEST_CHUNK])
            said = perf_counter()
            while not isinstance(await socket.recv(), bytes):
                pass
            return said, perf_counter()
