"""Room for others: what staff and the health check wait for while thousands of patients wait for their turns."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from time import perf_counter

import httpx

from bench.arrivals import Arrival, deliver
from bench.children import ChildFailed
from bench.front_desk import sign_in
from bench.loop import run
from bench.report import Figure, Section
from bench.sizes import Sizes
from bench.town import SERVE, TimedGraph, found_town, http_request, open_graph, percentile, served
from gendei.clinic import ClinicId

GOAL_PAGE_SECONDS = 2.0
GOAL_HEALTH_SECONDS = 0.5
ARRIVE_SECONDS = 4.0
QUIET_SECONDS = 5.0
CONNECTIONS = 64
PAGE = "/inbox"
APART = {PAGE: 1.0, "/healthz": 0.2}
"""Seconds between two requests."""
LIMIT_SECONDS = 240
WORDS = "Oi, queria marcar uma consulta amanhã de tarde, tem vaga?"


def measure_room(workdir: Path, sizes: Sizes) -> Section:
    return run(_measure(workdir, sizes))


async def _measure(workdir: Path, sizes: Sizes) -> Section:
    folder = workdir / "room"
    folder.mkdir()
    town = found_town(folder, sizes.clinics)
    cookie = await sign_in(town, f"sqlite:///{town.database}", ClinicId(town.names[0]))
    come = [(f"+55119{number:08d}", number % sizes.clinics) for number in range(sizes.backlog)]
    async with open_graph() as (graph, graph_url):
        settings = town.settings(town.database, graph_url, GENDEI_QUIET_SECONDS=str(QUIET_SECONDS))
        async with served(SERVE, settings, folder) as (port, _):
            url = f"http://127.0.0.1:{port}"
            alone = await _asked(url, cookie, asyncio.create_task(asyncio.sleep(2 * APART[PAGE])))
            arrivals = [
                Arrival(ARRIVE_SECONDS * place / len(come), http_request(port, town.maker(clinic).text(who, WORDS)))
                for place, (who, clinic) in enumerate(come)
            ]
            await deliver(port, arrivals, CONNECTIONS)
            await asyncio.sleep(QUIET_SECONDS - ARRIVE_SECONDS)
            began, before = perf_counter(), len(graph.answered)
            waited = await _asked(url, cookie, asyncio.create_task(_all_answered(graph, {who for who, _ in come})))
            took = perf_counter() - began
    if len(graph.answered) < len(come):
        raise ChildFailed(f"of {len(come)} patients {len(graph.answered)} were answered")
    return Section(
        title=f"Room for others: {sizes.backlog} conversations wait for their turns",
        figures=(
            Figure("a staff page opens, worst", max(waited[PAGE]), "at most", GOAL_PAGE_SECONDS, "s"),
            Figure("/healthz answers, worst", max(waited["/healthz"]), "at most", GOAL_HEALTH_SECONDS, "s"),
        ),
        method=(
            f"One `gendei serve` on a SQLite file with {sizes.clinics} clinics and the guided model. "
            f"{sizes.backlog} patients write within {ARRIVE_SECONDS:g} s, and the quiet window of "
            f"{QUIET_SECONDS:g} s makes all due within as much; from then until the last is answered the inbox is "
            f"asked for every {APART[PAGE]:g} s, to its last byte, and /healthz every {APART['/healthz']:g} s, one "
            f"request at a time, on connections that stand."
        ),
        seen=(
            f"the page: {_told(waited[PAGE])}; with nobody waiting {_told(alone[PAGE])}",
            f"/healthz: {_told(waited['/healthz'])}; with nobody waiting {_told(alone['/healthz'])}",
            f"{len(come) - before} turns in {took:.1f} s: {(len(come) - before) / took:.0f} a second",
        ),
    )


async def _asked(url: str, cookie: str, until: "asyncio.Task[None]") -> dict[str, list[float]]:
    """Seconds that each request took, by path, while `until` runs."""
    took: dict[str, list[float]] = {path: [] for path in APART}

    async def ask(path: str) -> None:
        async with httpx.AsyncClient(base_url=url, headers={"Cookie": cookie}, timeout=LIMIT_SECONDS) as client:
            while not until.done():
                began = perf_counter()
                answer = await client.get(path)
                took[path].append(perf_counter() - began)
                if answer.status_code != httpx.codes.OK:
                    raise ChildFailed(f"{path} was answered {answer.status_code}")
                await asyncio.sleep(APART[path])

    await asyncio.gather(until, *(ask(path) for path in APART))
    return took


async def _all_answered(graph: TimedGraph, who: set[str]) -> None:
    with suppress(TimeoutError):  # how many were is looked at afterwards
        await graph.wait_until(lambda: len(graph.answered) >= len(who), patience_seconds=LIMIT_SECONDS)


def _told(seconds: Sequence[float]) -> str:
    return f"median {percentile(seconds, 0.5):.3f}, p95 {percentile(seconds, 0.95):.3f}, worst {max(seconds):.3f} s"
