"""`python -m bench.mcp`: a read tool of the MCP server, at 20 at once, over sockets.

The service runs in a process of its own, as in production; 20 clients call `list_tasks` and `find_free_slots` as
fast as they are answered. What is measured is the whole round trip as a client sees it.
"""

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
from tests.journeys.town import AURORA, clinics, settings_for

from gendei.app import open_gendei
from gendei.cli.running import run
from gendei.cli.serving import mcp_beside, settle_memory
from gendei.providers.local_server import serve
from gendei.staff.actors import Right, terminal
from gendei.staff.tasks_fields import NewTask
from gendei.web.app import app_for

AT_ONCE, CALLS, WARM_UP = 20, 40, 5
TASKS = 50
TARGET_MS = 20
CPU = "cpu"
PROTOCOL = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": PROTOCOL,
    "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
READS: dict[str, dict[str, Any]] = {
    "list_tasks": {"status": "pending"},
    "list_services": {},
    "find_free_slots": {"service_id": "limpeza", "days": "amanhã"},
}


def _service(folder: str, told: Connection) -> None:
    run(_serve(Path(folder), told))


async def _serve(folder: Path, told: Connection) -> None:
    async with open_gendei(settings_for(folder, "http://127.0.0.1:9")) as gendei:
        for clinic in clinics():
            await gendei.directory.import_clinic(clinic)
        owner = terminal(AURORA)
        for number in range(TASKS):
            await gendei.tasks.add(owner, NewTask(f"Ligar para o paciente {number}", due="sexta"))
        _, token = await gendei.staff.tokens.add(owner, "bench", {Right.READ, Right.WRITE})
        app = app_for(gendei)
        async with mcp_beside(app, gendei), serve(app) as url:
            settle_memory()
            told.send((url, token))
            while await asyncio.to_thread(told.recv) == CPU:
                told.send(time.process_time())


@contextmanager
def _running() -> Iterator[tuple[str, str, Connection]]:
    """The service's address, a token for it, and whom to ask for the processor time that it has used."""
    ours, theirs = get_context("spawn").Pipe()
    with TemporaryDirectory() as folder:
        process = get_context("spawn").Process(target=_service, args=(folder, theirs))
        process.start()
        try:
            yield (*ours.recv(), ours)
        finally:
            ours.send("over")
            process.join()


@asynccontextmanager
async def _client(url: str, token: str) -> AsyncIterator[httpx.AsyncClient]:
    headers = {
        "Authorization": f"Bearer {token}",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": PROTOCOL,
        "Mcp-Method": "tools/call",
    }
    async with httpx.AsyncClient(base_url=url, headers=headers) as client:
        yield client


async def _calls(url: str, token: str, tool: str, count: int) -> list[float]:
    params = {"name": tool, "arguments": READS[tool], "_meta": META}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    taken = []
    async with _client(url, token) as client:
        for number in range(WARM_UP + count):
            begun = time.perf_counter()
            answer = await client.post("/mcp", json=body, headers={"Mcp-Name": tool})
            if number >= WARM_UP:
                taken.append((time.perf_counter() - begun) * 1000)
            if answer.json()["result"].get("isError"):
                raise RuntimeError(answer.text)
    return taken


def _spread(taken: list[float]) -> dict[str, float]:
    ordered = sorted(taken)
    return {f"p{share}_ms": round(ordered[int(len(ordered) * share / 100)], 1) for share in (50, 95, 99)}


async def _measure(url: str, token: str, cpu: Callable[[], float]) -> dict[str, dict[str, float]]:
    found = {}
    for tool in READS:
        found[f"{tool}, one at a time"] = _spread(await _calls(url, token, tool, CALLS))
        begun, used = time.perf_counter(), cpu()
        taken = await asyncio.gather(*(_calls(url, token, tool, CALLS) for _ in range(AT_ONCE)))
        done = AT_ONCE * (CALLS + WARM_UP)
        rate, cost = done / (time.perf_counter() - begun), (cpu() - used) / done * 1000
        every = [one for calls in taken for one in calls]
        found[f"{tool}, {AT_ONCE} at once"] = {**_spread(every), "per_second": round(rate), "cpu_ms": round(cost, 2)}
    return found


def main() -> None:
    with _running() as (url, token, service):

        def cpu() -> float:
            service.send(CPU)
            used: float = service.recv()
            return used

        found = asyncio.run(_measure(url, token, cpu))
    json.dump({"target_p95_ms": TARGET_MS, **found}, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
