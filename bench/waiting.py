"""A crowd that waits at once on a slow model: what our queueing adds, what it costs in memory, and who has to wait."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from math import nan
from pathlib import Path
from time import time

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bench.arrivals import Arrival, deliver
from bench.report import Figure, Section
from bench.sizes import Sizes
from bench.town import SERVE, TimedGraph, Town, found_town, http_request, open_graph, percentile, served
from gendei.providers.stand_in.local_server import serve
from gendei.settings import Settings

GOAL_SLOWDOWN = 2.0
GOAL_KILOBYTES = 150.0
QUIET_SECONDS = 2.0
CROWD_ARRIVES_SECONDS = 2.0
QUIET_CLINICS = 10
"""Where nobody of the crowd writes, but newcomers do."""
APART_SECONDS = 0.25
"""Between two newcomers."""
LIMIT_SECONDS = 120
LOOK_SECONDS = 0.2
CONNECTIONS = 64
ANSWER = "Claro! Que dia fica melhor para você?"
WORDS = "Oi, queria marcar uma consulta, tem vaga?"


@dataclass(frozen=True, slots=True)
class Waits:
    """Seconds that each answer took beyond the quiet window and the model; None for who got none."""

    of: Sequence[float | None]

    @property
    def answered(self) -> list[float]:
        return [seconds for seconds in self.of if seconds is not None]

    def __str__(self) -> str:
        some = self.answered
        middle, most, worst = percentile(some, 0.5), percentile(some, 0.95), max(some, default=nan)
        return f"median {middle:.1f}, p95 {most:.1f}, worst {worst:.1f} s ({len(some)} of {len(self.of)} answered)"


def measure_waiting(workdir: Path, sizes: Sizes) -> Section:
    return asyncio.run(_measure(workdir, sizes))


async def _measure(workdir: Path, sizes: Sizes) -> Section:
    town = found_town(workdir, 1 + sizes.clinics + QUIET_CLINICS)
    async with open_graph() as (graph, graph_url), _slow_model(sizes.model_seconds) as model_url:
        settings = town.settings(
            town.database,
            graph_url,
            GENDEI_MODEL="api",
            GENDEI_API_MODEL="slow",
            OPENAI_API_KEY="bench",
            OPENAI_BASE_URL=f"{model_url}/v1",
        )
        async with served(SERVE, settings, workdir) as (port, pid):
            visit = _Visit(town, graph, port, sizes)
            alone = await visit.newcomers(range(sizes.newcomers))
            resident = _kilobytes(pid, "VmRSS")
            crowd = asyncio.create_task(visit.crowd())
            await asyncio.sleep(CROWD_ARRIVES_SECONDS + QUIET_SECONDS)
            within = await visit.newcomers(range(sizes.newcomers, 2 * sizes.newcomers))
            flood, others = await crowd
            peak = _kilobytes(pid, "VmHWM")
    everybody = [*flood.of, *others.of, *alone.of, *within.of]
    slowdown = _whole(within, sizes) / _whole(alone, sizes)
    each = (peak - resident) / sizes.waiting
    return Section(
        title=f"Waiting: {sizes.waiting} conversations at once on a model that takes {sizes.model_seconds:g} s",
        figures=(
            Figure(
                "of a crowd on a slow model, answered",
                len([*filter(_known, everybody)]) / len(everybody),
                "at least",
                1,
            ),
            Figure("a quiet clinic's p95 answer, in a flood / alone", slowdown, "at most", GOAL_SLOWDOWN),
            Figure("memory of a waiting conversation", each, "at most", GOAL_KILOBYTES, "kB"),
        ),
        method=_method(sizes),
        seen=(
            f"beyond quiet window and model: the flooding clinic's {len(flood.of)}: {flood}",
            f"the {len(others.of)} of the crowd at the {sizes.clinics} other clinics: {others}",
            f"newcomers at {QUIET_CLINICS} further clinics, before: {alone}; in the midst of it: {within}",
            f"the ideal, if turns took no processor time: the last of the flood {_ideal(len(flood.of), sizes):.0f} s",
            f"resident: {resident / 1024:.0f} MB before, {peak / 1024:.0f} MB at most",
        ),
    )


def _method(sizes: Sizes) -> str:
    return (
        f"One `gendei serve` on a SQLite file with GENDEI_MODEL=api against a stand-in of the API that answers each "
        f"call after {sizes.model_seconds:g} s; quiet window {QUIET_SECONDS:g} s, {_at_once()} turns at once and "
        f"{_at_once() // 4} of a clinic. Within {CROWD_ARRIVES_SECONDS:g} s as many patients write, half of them to "
        f"one clinic, the others to {sizes.clinics}. {sizes.newcomers} newcomers write to {QUIET_CLINICS} further "
        f"clinics, {APART_SECONDS:g} s apart, once before the crowd and once when its first turns begin. Each wait is "
        f"from the moment of writing to the answer at the Graph API's stand-in; memory is the process's peak less what "
        f"it held before, by the crowd."
    )


def _at_once() -> int:
    return int(Settings.model_fields["turns_at_once"].default)


def _ideal(patients: int, sizes: Sizes) -> float:
    """Seconds that the last of a clinic's patients waits for a place, when turns last as long as the model."""
    return (max(0, patients - 1) // (_at_once() // 4)) * sizes.model_seconds


def _known(wait: float | None) -> bool:
    return wait is not None


def _whole(waits: Waits, sizes: Sizes) -> float:
    """The 95th percentile from writing to the answer."""
    return percentile(waits.answered, 0.95) + QUIET_SECONDS + sizes.model_seconds


@dataclass(frozen=True, slots=True)
class _Visit:
    """Who writes to a served town."""

    town: Town
    graph: TimedGraph
    port: int
    sizes: Sizes

    async def newcomers(self, numbers: Iterable[int]) -> Waits:
        """Patients of the quiet clinics, one after the other."""
        first = 1 + self.sizes.clinics
        come = [
            (f"+55419{number:08d}", first + number % QUIET_CLINICS, place * APART_SECONDS)
            for place, number in enumerate(numbers)
        ]
        return await self._waits(come)

    async def crowd(self) -> tuple[Waits, Waits]:
        """The flooding clinic's half, and the others'."""
        others, pause = self.sizes.clinics, CROWD_ARRIVES_SECONDS / self.sizes.waiting
        come = [
            (f"+55119{number:08d}", 1 + number // 2 % others if number % 2 else 0, number * pause)
            for number in range(self.sizes.waiting)
        ]
        waits = (await self._waits(come)).of
        return Waits(waits[::2]), Waits(waits[1::2])

    async def _waits(self, come: Sequence[tuple[str, int, float]]) -> Waits:
        """`come`: phone, clinic, and when."""
        arrivals = [
            Arrival(at, http_request(self.port, self.town.maker(clinic).text(who, WORDS))) for who, clinic, at in come
        ]
        began, _ = await deliver(self.port, arrivals, CONNECTIONS)
        who = {phone for phone, _, _ in come}
        with suppress(TimeoutError):  # who got no answer is told in the report
            await self.graph.wait_until(lambda: who <= self.graph.answered.keys(), patience_seconds=LIMIT_SECONDS)
        expected = QUIET_SECONDS + self.sizes.model_seconds
        answered = self.graph.answered
        return Waits([answered[who] - began - at - expected if who in answered else None for who, _, at in come])


@asynccontextmanager
async def _slow_model(seconds: float) -> AsyncIterator[str]:
    """A stand-in of an OpenAI-compatible API: every call is answered with the same text, after `seconds`."""

    async def complete(_request: Request) -> Response:
        await asyncio.sleep(seconds)
        message = {"role": "assistant", "content": ANSWER}
        return JSONResponse(
            {
                "id": "chatcmpl-bench",
                "object": "chat.completion",
                "created": int(time()),
                "model": "slow",
                "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
            }
        )

    async with serve(Starlette(routes=[Route("/v1/chat/completions", complete, methods=["POST"])])) as url:
        yield url


def _kilobytes(pid: int, name: str) -> float:
    """A line of /proc/PID/status (see proc(5)); nan where there is none."""
    status = Path(f"/proc/{pid}/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return next((float(line.split()[1]) for line in lines if line.startswith(f"{name}:")), nan)
