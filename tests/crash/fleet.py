"""Processes of `gendei serve` on one store, with a follower of the rig's: posted to as Meta posts, killed, paused and
started again."""

import asyncio
import os
import random
import re
import signal
import sys
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from tests.crash.engines import RIG_TOKEN, Engine
from tests.crash.line import Line
from tests.emulator import GIVEN
from tests.journeys.processes import environment

from gendei.providers.stand_in.phone import SignedBody

_RUNNING_ON = re.compile(rb"running on (http://127\.0\.0\.1:\d+)")
ROOT = Path(__file__).parents[2]
POST_SECONDS = 10
RETRY_SECONDS = 0.2


class NotStarted(Exception):
    """A process ended before it listened; the message is what it said."""


@dataclass
class Server:
    """One running `gendei serve`. `log` is its standard error so far."""

    slot: int
    process: asyncio.subprocess.Process
    url: str
    log: list[str] = field(default_factory=list)
    grew: asyncio.Event = field(default_factory=asyncio.Event)
    draining: asyncio.Task[None] | None = None
    killed: bool = False

    @property
    def runs(self) -> bool:
        return not self.killed and self.process.returncode is None

    async def kill(self) -> None:
        """kill -9: nothing of the process gets a chance to say goodbye."""
        self.killed = True
        with suppress(ProcessLookupError):
            self.process.kill()
        await self._gone()

    async def stop(self) -> int:
        """SIGTERM; the exit status."""
        with suppress(ProcessLookupError):
            self.process.terminate()
        return await self._gone()

    def pause(self) -> None:
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        self._signal(signal.SIGCONT)

    async def logged(self, words: str, *, patience_seconds: float = 30) -> str:
        """The first line of the log with `words`, once there is one. Raises TimeoutError."""
        async with asyncio.timeout(patience_seconds):
            while not (found := [line for line in self.log if words in line]):
                self.grew.clear()
                await self.grew.wait()
        return found[0]

    async def drain(self) -> None:
        assert self.process.stderr is not None
        async for line in self.process.stderr:
            self.log.append(line.decode(errors="replace").rstrip())
            self.grew.set()

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            self.process.send_signal(number)

    async def _gone(self) -> int:
        status = await self.process.wait()
        if self.draining is not None:
            await self.draining
        return status


class Fleet:
    """The servers, by slot. `graph_url` is StandIn's address."""

    def __init__(self, engine: Engine, folder: Path, graph_url: str, seed: int, *, quiet: float = 0) -> None:
        self.servers: dict[int, Server] = {}
        self.started: list[Server] = []
        self._engine, self._folder, self._graph_url, self._quiet = engine, folder, graph_url, quiet
        self.lines: dict[int, Line] = {}
        self._running = AsyncExitStack()
        self._dice = random.Random(f"fleet {seed}")
        self._client = httpx.AsyncClient(timeout=POST_SECONDS, limits=httpx.Limits(max_keepalive_connections=0))

    async def start(self, slot: int, **variables: str) -> Server:
        """Start a process in `slot`; returns once it listens. It goes by the machine's clock, and reaches a store that
        is a server over a line of its own."""
        if self._engine.server is not None and slot not in self.lines:
            self.lines[slot] = await self._running.enter_async_context(Line.to(self._engine.server))
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "tests.crash.serving", "--port", "0"),
            cwd=self._folder,
            env=self._environment(slot, variables),
            stderr=asyncio.subprocess.PIPE,
        )
        server = Server(slot, process, await _listening(process))
        server.draining = asyncio.create_task(server.drain())
        self.servers[slot] = server
        self.started.append(server)
        return server

    async def close(self) -> None:
        for server in self.servers.values():
            await server.kill()
        await self._running.aclose()
        await self._client.aclose()

    async def post(self, signed: SignedBody) -> Server:
        """Deliver a webhook as Meta does: the same body again, to whichever process is there, until one says 200."""
        while True:
            if running := [server for server in self.servers.values() if server.runs]:
                server = self._dice.choice(running)
                if await self.post_to(server, signed) == 200:
                    return server
            await asyncio.sleep(RETRY_SECONDS)

    async def post_to(self, server: Server, signed: SignedBody) -> int:
        """The HTTP status, 0 where the line broke."""
        body, headers = signed
        try:
            answer = await self._client.post(f"{server.url}/webhooks/meta", content=body, headers=headers)
        except httpx.TransportError:
            return 0
        return answer.status_code

    def _environment(self, slot: int, variables: dict[str, str]) -> dict[str, str]:
        given = {
            "RIG_TOKEN": RIG_TOKEN,
            "GENDEI_GRAPH_URL": f"{self._graph_url}/{slot}",
            "GENDEI_QUIET_SECONDS": str(self._quiet),
            **self._engine.variables,
            **({GIVEN: self.lines[slot].address} if slot in self.lines else {}),
            **variables,
        }
        whole = environment(self._folder, **given)
        whole["PYTHONPATH"] = os.pathsep.join(filter(None, (str(ROOT), whole.get("PYTHONPATH"))))
        del whole["GENDEI_NOW"]
        return whole


async def _listening(process: asyncio.subprocess.Process) -> str:
    """The address that the process says it listens on."""
    said = b""
    assert process.stderr is not None
    async for line in process.stderr:
        said += line
        if found := _RUNNING_ON.search(line):
            return found[1].decode()
    raise NotStarted(said.decode())
