"""Voice notes: what is ours between the end of a note's download and its turn, and what 50 at once do to webhooks."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from time import perf_counter

import numpy as np
import soundfile
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from bench.arrivals import Arrival, deliver
from bench.children import ChildFailed, processor_seconds
from bench.report import Figure, Section
from bench.sizes import Sizes
from bench.town import SERVE, TimedGraph, Town, found_town, http_request, percentile, served
from gendei.providers.stand_in.graph import new_message_id
from gendei.providers.stand_in.local_server import serve
from gendei.providers.stand_in.phone import SignedBody

GOAL_SHARE = 100.0
GOAL_P99 = 100.0
NOTE_SECONDS, RATE, LOUDNESS = 30, 16_000, 0.1
AT_ONCE = 50
STATUSES_PER_SECOND = 100
CONNECTIONS = 64
PATIENCE_SECONDS = 120
WORDS = "Oi, queria marcar uma consulta, tem vaga?"
ANSWER = "Claro! Que dia fica melhor para você?"


def _note() -> bytes:
    """Noise, which is the hardest to pack and unpack."""
    samples = LOUDNESS * np.random.default_rng(1).standard_normal(NOTE_SECONDS * RATE)
    written = BytesIO()
    soundfile.write(written, samples.astype(np.float32), RATE, format="OGG", subtype="OPUS")
    return written.getvalue()


@dataclass
class _Services:
    """Stand-ins of Meta's files beside `graph`, and of the APIs that hear and answer, which all answer at once. The
    moments at which each was done with, or asked for, something, by perf_counter."""

    graph: TimedGraph
    note: bytes = field(default_factory=_note)
    url: str = ""
    fetched: list[float] = field(default_factory=list)
    asked_to_hear: list[float] = field(default_factory=list)
    heard: list[float] = field(default_factory=list)
    asked_to_answer: list[float] = field(default_factory=list)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET":
            await self.graph.app(scope, receive, send)
        elif scope["path"].startswith("/files/"):
            await Response(self.note)(scope, receive, send)
            self.fetched.append(perf_counter())
        else:
            await JSONResponse({"url": f"{self.url}/files/1"})(scope, receive, send)

    @property
    def models(self) -> Starlette:
        paths = {"/v1/audio/transcriptions": self._hear, "/v1/chat/completions": self._answer}
        return Starlette(routes=[Route(path, do, methods=["POST"]) for path, do in paths.items()])

    @property
    def shares(self) -> list[tuple[float, float]]:
        """Of each note that came by itself: milliseconds from its file to being heard, and from its words to the
        model. Texts came before, and asked the model alone."""
        texts = len(self.asked_to_answer) - len(self.fetched)
        moments = zip(self.fetched, self.asked_to_hear, self.heard, self.asked_to_answer[texts:], strict=True)
        return [(1000 * (hear - fetched), 1000 * (answer - heard)) for fetched, hear, heard, answer in moments]

    async def _hear(self, request: Request) -> Response:
        await request.body()
        self.asked_to_hear.append(perf_counter())
        answer = JSONResponse({"text": WORDS, "segments": [{"start": 0, "end": 1, "avg_logprob": -0.1}]})
        self.heard.append(perf_counter())
        return answer

    async def _answer(self, request: Request) -> Response:
        self.asked_to_answer.append(perf_counter())
        await request.body()
        message = {"role": "assistant", "content": ANSWER}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        made = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}
        return JSONResponse(made)


def measure_voice(workdir: Path, sizes: Sizes) -> Section:
    """Raises ChildFailed where a note has no answer."""
    return asyncio.run(_measure(workdir, sizes))


async def _measure(workdir: Path, sizes: Sizes) -> Section:
    count = min(AT_ONCE, sizes.waiting)
    async with _booth(workdir, sizes) as booth:
        text_costs = await booth.one_by_one(booth.texts(sizes.turns + 1))
        note_costs = await booth.one_by_one(booth.notes(sizes.turns + 1))
        parts = booth.services.shares[1:]
        alone = await booth.statuses_beside([], sizes.step_seconds)
        texts = await booth.statuses_beside(booth.texts(count), sizes.step_seconds)
        notes = await booth.statuses_beside(booth.notes(count), sizes.step_seconds)
    shares = [before + after for before, after in parts]
    before, after = (percentile([part[place] for part in parts], 0.5) for place in (0, 1))
    return Section(
        title=f"Voice notes of {NOTE_SECONDS} s",
        figures=(
            Figure(
                "own share from a note's download to its turn", percentile(shares, 0.5), "at most", GOAL_SHARE, "ms"
            ),
            Figure(f"a webhook's p99 beside {count} notes at once", percentile(notes, 0.99), "at most", GOAL_P99, "ms"),
        ),
        method=_method(count, sizes),
        seen=(
            f"own share: p95 {percentile(shares, 0.95):.0f} ms, worst {max(shares):.0f} ms; the median's "
            f"parts: checked and sent to be heard {before:.0f} ms, from its words to the model {after:.0f} ms",
            f"processor time of a note {note_costs:.0f} ms, of a text {text_costs:.0f} ms, with its turn and answer",
            f"a webhook's p99 alone {percentile(alone, 0.99):.0f} ms, beside {count} texts at once "
            f"{percentile(texts, 0.99):.0f} ms, beside {count} notes {percentile(notes, 0.99):.0f} ms",
        ),
    )


def _method(count: int, sizes: Sizes) -> str:
    return (
        f"One `gendei serve` on a SQLite file with GENDEI_MODEL=api; the Graph API with its files, the audio API and "
        f"the model are stand-ins in the bench's process, which answer at once. {sizes.turns} notes of new patients, "
        f"one after the other: the share is from the end of the file's answer to the request to hear it, and from the "
        f"answer to that to the model's first request, so upload and the first steps of the turn are in it. Then "
        f"{STATUSES_PER_SECOND} statuses a second for {sizes.step_seconds:g} s, each at its moment: alone, beside "
        f"{count} texts that come at once, and beside as many notes; every text and note is answered."
    )


@dataclass
class _Booth:
    """A served town whose patients send notes."""

    town: Town
    services: _Services
    port: int
    pid: int
    _patients: int = 0

    def notes(self, count: int) -> list[tuple[str, SignedBody]]:
        content = {"type": "audio", "audio": {"id": "1", "mime_type": "audio/ogg; codecs=opus", "voice": True}}
        return [(who, self.town.maker(clinic).message(who, content)) for who, clinic in self._new(count)]

    def texts(self, count: int) -> list[tuple[str, SignedBody]]:
        return [(who, self.town.maker(clinic).text(who, WORDS)) for who, clinic in self._new(count)]

    def _new(self, count: int) -> list[tuple[str, int]]:
        """Patients who never wrote, of one clinic after the other: each has a limit of its own."""
        first, self._patients = self._patients, self._patients + count
        return [(f"+55119{number:08d}", number % len(self.town.names)) for number in range(first, self._patients)]

    async def one_by_one(self, messages: Sequence[tuple[str, SignedBody]]) -> float:
        """Milliseconds of processor time that the service spends on each but the first."""
        before = 0.0
        for place, (who, body) in enumerate(messages):
            if place == 1:
                before = processor_seconds(self.pid)
            await deliver(self.port, [Arrival(0, http_request(self.port, body))], 1)
            await self._answered([who])
        return 1000 * (processor_seconds(self.pid) - before) / (len(messages) - 1)

    async def statuses_beside(self, others: Sequence[tuple[str, SignedBody]], seconds: float) -> list[float]:
        """The latency of each status, in milliseconds."""
        statuses = [
            Arrival(place / STATUSES_PER_SECOND, http_request(self.port, self._status(place)))
            for place in range(max(1, int(seconds * STATUSES_PER_SECOND)))
        ]
        at_once = [Arrival(0, http_request(self.port, body)) for _, body in others]
        (_, answers), _ = await asyncio.gather(
            deliver(self.port, statuses, CONNECTIONS), deliver(self.port, at_once, CONNECTIONS) if at_once else _none()
        )
        if any(answer.status != 200 for answer in answers):
            raise ChildFailed("a status was refused")
        await self._answered([who for who, _ in others])
        return [1000 * answer.latency for answer in answers]

    def _status(self, place: int) -> SignedBody:
        return self.town.maker(place % len(self.town.names)).status(new_message_id(), "delivered")

    async def _answered(self, patients: Sequence[str]) -> None:
        graph = self.services.graph
        wanted = set(patients)
        try:
            await graph.wait_until(lambda: wanted <= graph.answered.keys(), patience_seconds=PATIENCE_SECONDS)
        except TimeoutError:
            raise ChildFailed("a note has no answer") from None


async def _none() -> None:
    """Nothing comes beside."""


@asynccontextmanager
async def _booth(workdir: Path, sizes: Sizes) -> AsyncIterator[_Booth]:
    town, services = found_town(workdir, sizes.clinics), _Services(TimedGraph())
    async with serve(services) as services.url, serve(services.models) as models_url:
        settings = town.settings(
            town.database,
            services.url,
            GENDEI_MODEL="api",
            GENDEI_API_MODEL="m",
            GENDEI_QUIET_SECONDS="0",
            OPENAI_API_KEY="bench",
            OPENAI_BASE_URL=f"{models_url}/v1",
            GENDEI_SPEECH_URL=f"{models_url}/v1",
        )
        async with served(SERVE, settings, workdir) as (port, pid):
            yield _Booth(town, services, port, pid)
