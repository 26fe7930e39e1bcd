"""The servers of all clinics: followed as the clinics change, their tools loaded at the start and again and again.

Each has a task, connections and a state of its own: one that is slow, gone or makes no sense costs its own tools alone,
and neither a start nor a turn waits for any.
"""

import asyncio
import random
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from gendei.addresses import Networks
from gendei.attached.exchange import Exchange
from gendei.attached.health import keep_health, read_health, tool_health_path
from gendei.attached.http import CheckedTransport, Resolve, system_resolve
from gendei.attached.schemas import Shape, Unfit, Unusable, shape_of
from gendei.clinic import Clinic, ClinicId
from gendei.clinic_services import McpServer
from gendei.clinics.directory import Directory
from gendei.clinics.servers import server_purpose
from gendei.clock import Clock
from gendei.documents import Documents
from gendei.errors import SecretUnreadable
from gendei.receptionist.team import HANDOFF
from gendei.receptionist.tools.attached import Answer, Arguments, AttachedFailed, AttachedTool, Told
from gendei.receptionist.tools.refusals import Why
from gendei.receptionist.tools.registry import Health
from gendei.secrets import SecretBox

LOAD_SECONDS = 10.0
REFRESH_SECONDS = 300.0
FIRST_RETRY_SECONDS = 5.0
"""After a failure; twice as long after each further one, up to REFRESH_SECONDS."""
READ_RETRIES = 1
META = "gendei/"
"""Before the names of what a call tells in `_meta`."""


class State(StrEnum):
    LOADING = "loading"
    AVAILABLE = "available"
    UNAVAILABLE = "unavailable"


@dataclass(frozen=True, slots=True)
class ServerReport:
    """A server as operators see it. tools: those that agents may call. unusable: the others that the clinic file names,
    with what is wrong with each. loaded_at: when its tools were last read."""

    clinic_id: ClinicId
    server: McpServer
    state: State
    why: Why | None
    loaded_at: datetime | None
    tools: tuple[AttachedTool, ...]
    unusable: Mapping[str, Unfit]


@dataclass(slots=True, eq=False)
class _Attached:
    clinic_id: ClinicId
    server: McpServer
    exchange: Exchange | None
    state: State = State.LOADING
    why: Why | None = None
    loaded_at: datetime | None = None
    tools: tuple[AttachedTool, ...] = ()
    unusable: dict[str, Unfit] = field(default_factory=dict)
    health: dict[str, Health] = field(default_factory=dict)
    loading: asyncio.Lock = field(default_factory=asyncio.Lock)
    keeper: asyncio.Task[None] | None = None

    def report(self) -> ServerReport:
        return ServerReport(
            self.clinic_id, self.server, self.state, self.why, self.loaded_at, self.tools, self.unusable
        )


class AttachedServers:
    """Use it as `async with AttachedServers(...) as servers`. taken: names that no tool of a server's may have.
    private: networks that the operator allows. documents: where the health of tools that rest is kept. Implements
    `receptionist.tools.attached.AttachedTools`."""

    def __init__(
        self,
        directory: Directory,
        secrets: SecretBox,
        clock: Clock,
        taken: Collection[str],
        private: Networks = (),
        resolve: Resolve = system_resolve,
        documents: Documents | None = None,
    ) -> None:
        self._documents = documents
        self._directory, self._secrets, self._clock = directory, secrets, clock
        self._taken, self._private, self._resolve = frozenset(taken), private, resolve
        self._attached: dict[tuple[ClinicId, str], _Attached] = {}
        self._ending: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> "AttachedServers":
        self._directory.on_refresh(self._reconcile)
        self._reconcile()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._directory.forget(self._reconcile)
        for key in list(self._attached):
            self._detach(key)
        await asyncio.gather(*self._ending)

    def of(self, clinic: Clinic, agent: str) -> tuple[AttachedTool, ...]:
        """The tools that this agent may call now, of servers just as this clinic has them."""
        now = self._clock()
        return tuple(tool for tool in self._of(clinic, agent) if not tool.health.is_resting(now))

    def resting(self, clinic: Clinic, agent: str) -> tuple[AttachedTool, ...]:
        """Those of them that rest."""
        now = self._clock()
        return tuple(tool for tool in self._of(clinic, agent) if tool.health.is_resting(now))

    def _of(self, clinic: Clinic, agent: str) -> tuple[AttachedTool, ...]:
        found = (self._attached.get((clinic.id, server.name)) for server in clinic.mcp_servers)
        known = [attached for attached in found if attached is not None and attached.server in clinic.mcp_servers]
        return tuple(
            tool
            for attached in known
            if agent in attached.server.agents and attached.state is State.AVAILABLE
            for tool in attached.tools
        )

    async def refresh(self) -> None:
        """Read all tools anew, each server's within LOAD_SECONDS."""
        await asyncio.gather(*(self._load(attached) for attached in list(self._attached.values())))

    def report(self) -> tuple[ServerReport, ...]:
        """Every server, by clinic and name."""
        return tuple(self._attached[key].report() for key in sorted(self._attached))

    def _reconcile(self) -> None:
        """Begin with servers that are new or changed, and leave those that are gone."""
        wanted = {(clinic.id, server.name): server for clinic in self._directory.all() for server in clinic.mcp_servers}
        for key, attached in list(self._attached.items()):
            if wanted.get(key) != attached.server:
                self._detach(key)
        for key, server in wanted.items():
            if key not in self._attached:
                attached = self._attached[key] = _Attached(key[0], server, self._exchange(key[0], server))
                attached.keeper = asyncio.create_task(self._keep(attached), name=f"attached {key[0]}/{key[1]}")

    def _exchange(self, clinic_id: ClinicId, server: McpServer) -> Exchange | None:
        """None where a header's secret cannot be opened."""
        try:
            headers = {
                name: self._secrets.unseal(sealed, server_purpose(clinic_id, server.name, server.url, name))
                for name, sealed in server.sealed_headers.items()
            }
        except SecretUnreadable:
            return None
        return Exchange(server.url, headers, CheckedTransport(self._private, self._resolve))

    def _detach(self, key: tuple[ClinicId, str]) -> None:
        ending = asyncio.create_task(_end(self._attached.pop(key)))
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)

    async def _keep(self, attached: _Attached) -> None:
        failures = 0
        while True:
            await self._load(attached)
            failures = 0 if attached.state is State.AVAILABLE else failures + 1
            pause = FIRST_RETRY_SECONDS * 2 ** min(failures - 1, 10) if failures else REFRESH_SECONDS
            await asyncio.sleep(min(pause, REFRESH_SECONDS) * random.uniform(0.9, 1.1))

    async def _load(self, attached: _Attached) -> None:
        async with attached.loading:
            if attached.exchange is None:
                attached.state, attached.why = State.UNAVAILABLE, Why.SECRET
                return
            try:
                listed = await attached.exchange.tools(LOAD_SECONDS)
            except AttachedFailed as failed:
                attached.state, attached.why = State.UNAVAILABLE, failed.why
                return
            shapes: dict[str, Shape] = {}
            unusable = dict.fromkeys(attached.server.tools, Unfit.NOT_LISTED)
            for name in set(attached.server.tools) & {tool.name for tool in listed}:
                try:
                    [tool] = (tool for tool in listed if tool.name == name)
                    shapes[name] = self._taken_in(shape_of(tool, attached.server), shapes)
                    del unusable[name]
                except ValueError:
                    unusable[name] = Unfit.TWICE
                except Unusable as reason:
                    unusable[name] = reason.why
            attached.tools = tuple(
                [await self._tool(attached, name, shapes[name]) for name in attached.server.tools if name in shapes]
            )
            attached.unusable, attached.loaded_at = unusable, self._clock()
            attached.state, attached.why = State.AVAILABLE, None

    def _taken_in(self, shape: Shape, others: Mapping[str, Shape]) -> Shape:
        if (
            shape.name in self._taken
            or shape.name.startswith(HANDOFF)
            or shape.name in {other.name for other in others.values()}
        ):
            raise Unusable(Unfit.NAME_TAKEN)
        return shape

    async def _tool(self, attached: _Attached, name: str, shape: Shape) -> AttachedTool:
        """A tool with the health that it had, also in another process."""
        path = tool_health_path(attached.clinic_id, attached.server.name, name)
        if name not in attached.health:
            attached.health[name] = await read_health(self._documents, path)
        health, documents = attached.health[name], self._documents

        async def keep() -> None:
            if documents is not None:
                await keep_health(documents, path, health)

        return replace(_tool(attached, name, shape, health), keep=keep)


def _tool(attached: _Attached, name: str, shape: Shape, health: Health) -> AttachedTool:
    exchange, server = attached.exchange, attached.server

    async def call(arguments: Arguments, told: Told) -> Answer:
        if exchange is None:
            raise AttachedFailed(Why.SECRET)
        meta = {f"{META}{fact}": told[fact] for fact in server.tells if fact in told}
        return shape.reads(await exchange.call(name, arguments, meta))

    return AttachedTool(
        name=shape.name,
        server=server.name,
        description=shape.description,
        parameters=shape.parameters,
        timeout_seconds=server.limits.get(name, server.timeout_seconds),
        retries=READ_RETRIES if shape.read_only else 0,
        fills=server.fills,
        check=shape.accepts,
        call=call,
        health=health,
    )


async def _end(attached: _Attached) -> None:
    if attached.keeper is not None:
        attached.keeper.cancel()
        with suppress(asyncio.CancelledError):
            await attached.keeper
    if attached.exchange is not None:
        await attached.exchange.close()
