"""The real service with its MCP server on 127.0.0.1, and who connects an assistant to it."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult
from tests.journeys.town import AURORA, BROMELIA, clinics, settings_for, unused_tls
from tests.mcp.machine import Machine, open_machine
from tests.web.api.conftest import NOBODY_SENDS, Api, bearer, gestor

from gendei.app import Gendei, open_gendei
from gendei.cli.serving import mcp_beside
from gendei.clinic import ClinicId
from gendei.providers.stand_in.local_server import serve
from gendei.staff.actors import Right
from gendei.web.app import app_for

BOTH = (Right.READ, Right.WRITE)


@dataclass(frozen=True)
class Assistant:
    """An assistant with one token."""

    url: str
    token: str

    @asynccontextmanager
    async def connected(self, mode: str = "auto") -> AsyncIterator[Client]:
        """mode: whether its client shakes hands ("legacy") or asks first what the server knows ("auto")."""
        async with AsyncExitStack() as stack:
            http = await stack.enter_async_context(httpx2.AsyncClient(headers=self.headers, verify=unused_tls()))
            transport = streamable_http_client(f"{self.url}/mcp", http_client=http)
            yield await stack.enter_async_context(Client(transport, mode=mode))

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    async def call(self, tool: str, **arguments: Any) -> CallToolResult:
        async with self.connected() as client:
            return await client.call_tool(tool, arguments)

    async def did(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """What a call answered that has to work."""
        result = await self.call(tool, **arguments)
        assert not result.is_error, result.structured_content
        return result.structured_content

    async def refused(self, tool: str, **arguments: Any) -> str:
        """The reason why a call did nothing."""
        result = await self.call(tool, **arguments)
        assert result.is_error, result.structured_content
        return result.structured_content["error"]


@dataclass(frozen=True)
class Office:
    """`bia` reads and writes at Aurora, `panel` only reads there, `olga` is of Bromélia."""

    gendei: Gendei
    url: str
    bia: Assistant
    panel: Assistant
    olga: Assistant

    async def converse(self, contact: str) -> None:
        await Api(self.gendei, None, {}, {}).converse(contact)  # type: ignore[arg-type]

    async def assistant(self, *rights: Right, clinic_id: ClinicId = AURORA) -> Assistant:
        headers = await bearer(self.gendei, clinic_id, *rights)
        return Assistant(self.url, headers["Authorization"].removeprefix("Bearer "))

    async def audited(self) -> list[tuple[str, str]]:
        """(who, what), the newest first."""
        found = await self.gendei.staff.audit.search(gestor())
        return [(entry.name, entry.action) for entry in found if not entry.action.startswith("token.")]


@asynccontextmanager
async def open_office(folder: Path, database: str = "sqlite:///:memory:") -> AsyncIterator[Office]:
    settings = settings_for(folder, NOBODY_SENDS).model_copy(update={"database": database})
    async with open_gendei(settings) as gendei:
        for clinic in clinics():
            await gendei.directory.import_clinic(clinic)
        app = app_for(gendei)
        async with mcp_beside(app, gendei), serve(app) as url:
            nobody = Assistant(url, "")
            empty = Office(gendei, url, nobody, nobody, nobody)
            yield Office(
                gendei,
                url,
                await empty.assistant(*BOTH),
                await empty.assistant(Right.READ),
                await empty.assistant(*BOTH, clinic_id=BROMELIA),
            )


@pytest.fixture
async def office(tmp_path: Path) -> AsyncIterator[Office]:
    async with open_office(tmp_path) as opened:
        yield opened


@pytest.fixture
async def machine(tmp_path: Path) -> AsyncIterator[Machine]:
    async with open_machine(tmp_path) as opened:
        yield opened
