"""The `gendei` command as processes of their own, which can be killed."""

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import httpx
from tests.journeys.forked import Forked, start_gendei
from tests.journeys.town import APP_SECRET, NOW, SECRET_KEY, TOKENS, VERIFY_TOKEN, database_of

from gendei.providers.stand_in.phone import SignedBody

GENDEI = Path(sys.executable).with_name("gendei")
_RUNNING_ON = re.compile(r"running on (http://127\.0\.0\.1:\d+)")


def environment(folder: Path, **variables: str) -> dict[str, str]:
    """What a process of the town's operator has in its environment, and nothing of whoever runs the tests."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("GENDEI_", "OPENAI_"))}
    return {
        **inherited,
        **TOKENS,
        "GENDEI_DATABASE": database_of(folder),
        "GENDEI_SECRET_KEY": SECRET_KEY,
        "GENDEI_META_APP_SECRET": APP_SECRET,
        "GENDEI_META_VERIFY_TOKEN": VERIFY_TOKEN,
        "GENDEI_QUIET_SECONDS": "0",
        "GENDEI_NOW": NOW.isoformat(),
        **variables,
    }


@dataclass(frozen=True)
class Ended:
    status: int
    out: str
    err: str


async def run_gendei(folder: Path, *arguments: str, **variables: str) -> Ended:
    """One command, to its end."""
    process = await asyncio.create_subprocess_exec(
        GENDEI,
        *arguments,
        cwd=folder,
        env=environment(folder, **variables),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate()
    assert process.returncode is not None
    return Ended(process.returncode, out.decode(), err.decode())


@dataclass(frozen=True)
class Server:
    """A running `gendei serve`. `log`: the lines of its standard error so far."""

    process: Forked
    client: httpx.AsyncClient
    log: list[str]

    async def post(self, signed: SignedBody) -> int:
        body, headers = signed
        return (await self.client.post("/webhooks/meta", content=body, headers=headers)).status_code

    async def kill(self) -> None:
        """kill -9: nothing of the process gets a chance to say goodbye."""
        self.process.kill()
        await self.process.wait()


@asynccontextmanager
async def gendei_serve(
    folder: Path,
    graph_url: str,
    *,
    now: datetime = NOW,
    quiet: float = 0,
    role: str = "all",
    cheap: bool = False,
    workers: int = 1,
    **variables: str,
) -> AsyncIterator[Server]:
    """`gendei serve` on a free port, once it listens; killed on leaving where it still runs. `cheap`: passwords cost
    no time."""
    settings = {"GENDEI_GRAPH_URL": graph_url, "GENDEI_NOW": now.isoformat(), "GENDEI_QUIET_SECONDS": str(quiet)}
    variables = environment(folder, **settings, **variables)
    command = ("serve", "--port", "0", *(("--workers", str(workers)) if workers > 1 else ("--role", role)))
    process = await asyncio.to_thread(start_gendei, folder, variables, *command, cheap=cheap)
    log: list[str] = []
    drained: asyncio.Task[None] | None = None
    async with reading(process.output) as errors:
        try:
            url = await _listening(errors, log)
            drained = asyncio.create_task(_drain(errors, log))
            async with httpx.AsyncClient(base_url=url) as client:
                yield Server(process, client, log)
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()
            if drained is not None:
                await drained


@asynccontextmanager
async def reading(descriptor: int) -> AsyncIterator[asyncio.StreamReader]:
    """What a process writes; the descriptor is closed on leaving."""
    stream = asyncio.StreamReader()
    with os.fdopen(descriptor, "rb") as pipe:
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(stream), pipe
        )
        try:
            yield stream
        finally:
            transport.close()


async def _listening(errors: asyncio.StreamReader, log: list[str]) -> str:
    """The address that the process says it listens on."""
    async for line in errors:
        log.append(line.decode())
        if found := _RUNNING_ON.search(log[-1]):
            return found[1]
    raise AssertionError(f"gendei serve did not start: {''.join(log)}")


async def _drain(errors: asyncio.StreamReader, log: list[str]) -> None:
    async for line in errors:
        log.append(line.decode())  # noqa: PERF401  # it is read while it grows
