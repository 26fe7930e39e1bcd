"""Read tools of the MCP server with 20 calls at the same moment, against the SDK alone."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from shutil import copy
from statistics import median
from typing import Any
from urllib.request import Request, urlopen

from bench.arrivals import Arrival, deliver
from bench.children import GENDEI, PYTHON, ChildFailed, output_of, processor_seconds
from bench.loop import run
from bench.report import Figure, Section
from bench.sizes import Sizes
from bench.town import SERVE, Town, found_town, percentile, served

GOAL_MS = 20.0
AT_ONCE = 20
TASKS = 20
WARM_BURSTS = 3
PROTOCOL = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": PROTOCOL,
    "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
READS: Mapping[str, Mapping[str, Any]] = {
    "list_services": {},
    "find_free_slots": {"service_id": "consulta", "days": "segunda-feira"},
    "list_tasks": {"status": "pending"},
}
BARE = (*PYTHON, "bench.bare_mcp")
SAYS_OK = "the SDK alone"
COMMAND_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Bursts:
    """p95: milliseconds of an answer; processor: milliseconds that the server spent on a call."""

    p95: float
    processor: float


def measure_mcp(workdir: Path, sizes: Sizes) -> Section:
    """Raises ChildFailed, also where a tool answers with an error."""
    town = found_town(workdir, 1)
    settings = town.settings(town.database, "http://127.0.0.1:9")
    make = (
        *GENDEI,
        "tokens",
        "add",
        "--clinic",
        town.names[0],
        "--name",
        "bench",
        "--scope",
        "read",
        "--scope",
        "write",
    )
    token = output_of(make, workdir, settings, COMMAND_SECONDS).strip()
    legs: dict[str, list[Bursts]] = {name: [] for name in (*READS, SAYS_OK)}
    for number in range(sizes.rounds):
        for name, leg in run(
            _round(town, Path(copy(town.database, workdir / f"mcp-{number}.db")), token, sizes)
        ).items():
            legs[name].append(leg)
    found = {
        name: Bursts(median(x.p95 for x in some), median(x.processor for x in some)) for name, some in legs.items()
    }
    floor = found[SAYS_OK]
    return Section(
        title="MCP: read tools, 20 calls at the same moment",
        figures=tuple(
            Figure(f"{name}, p95 of {AT_ONCE} at once", found[name].p95, "at most", GOAL_MS, "ms") for name in found
        ),
        method=_method(sizes),
        seen=(
            f"processor time of a call: {', '.join(f'{name} {item.processor:.2f} ms' for name, item in found.items())}",
            f"list_services / {SAYS_OK}: {found['list_services'].processor / floor.processor:.2f} of its processor "
            f"time, {found['list_services'].p95 / floor.p95:.2f} of its p95",
        ),
    )


def _method(sizes: Sizes) -> str:
    return (
        f"`gendei serve` with a clinic and {TASKS} pending tasks on a SQLite file, and the official SDK's server with "
        f"one tool that says ok (`bench/bare_mcp.py`), by turns in fresh processes, {sizes.rounds} times. Every "
        f"{1000 * sizes.burst_seconds:g} ms {AT_ONCE} calls come due at the same moment over {AT_ONCE} connections "
        f"that stand, by protocol {PROTOCOL}, which has no sessions; {sizes.bursts + WARM_BURSTS} such bursts a tool, "
        f"of which the first {WARM_BURSTS} are not measured. Latency runs from the moment to the whole answer. Medians "
        f"of the legs."
    )


async def _round(town: Town, database: Path, token: str, sizes: Sizes) -> dict[str, Bursts]:
    """One leg of each tool, and of the SDK alone."""
    settings = town.settings(database, "http://127.0.0.1:9")
    async with served(SERVE, settings, database.parent) as (port, pid):
        for number in range(TASKS):
            task = {"title": f"Ligar para o paciente {number}", "due": "sexta"}
            await asyncio.to_thread(_answered, port, token, "add_task", task)
        legs = {name: await _bursts(port, pid, token, (name, asked), sizes) for name, asked in READS.items()}
    async with served(BARE, {}, database.parent) as (port, pid):
        return legs | {SAYS_OK: await _bursts(port, pid, token, ("ok", {}), sizes)}


async def _bursts(port: int, pid: int, token: str, call: tuple[str, Mapping[str, Any]], sizes: Sizes) -> Bursts:
    await asyncio.to_thread(_answered, port, token, *call)
    headers, body = _post(token, *call)
    lines = ["POST /mcp HTTP/1.1", f"Host: 127.0.0.1:{port}", f"Content-Length: {len(body)}"]
    request = "\r\n".join([*lines, *(f"{name}: {value}" for name, value in headers.items()), "", ""]).encode() + body
    before = processor_seconds(pid)
    count = sizes.bursts + WARM_BURSTS
    due = [Arrival(place * sizes.burst_seconds, request) for place in range(count) for _ in range(AT_ONCE)]
    _, answers = await deliver(port, due, AT_ONCE)
    used = processor_seconds(pid) - before
    if any(answer.status != 200 for answer in answers):
        raise ChildFailed(f"a call of {call[0]} had no good answer")
    measured = [answer.latency for answer in answers if answer.at >= WARM_BURSTS * sizes.burst_seconds]
    return Bursts(1000 * percentile(measured, 0.95), 1000 * used / len(due))


def _post(token: str, tool: str, asked: Mapping[str, Any]) -> tuple[dict[str, str], bytes]:
    params = {"name": tool, "arguments": asked, "_meta": META}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()
    headers = {
        "Authorization": f"Bearer {token}",
        "Accept": "application/json, text/event-stream",
        "Content-Type": "application/json",
        "MCP-Protocol-Version": PROTOCOL,
        "Mcp-Method": "tools/call",
        "Mcp-Name": tool,
    }
    return headers, body


def _answered(port: int, token: str, tool: str, asked: Mapping[str, Any]) -> None:
    """One call that has to work."""
    headers, body = _post(token, tool, asked)
    with urlopen(Request(f"http://127.0.0.1:{port}/mcp", body, headers), timeout=COMMAND_SECONDS) as answer:
        told = json.load(answer)
    if told.get("result", {}).get("isError", "error" in told):
        raise ChildFailed(f"{tool}: {told}")
