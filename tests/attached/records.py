"""A clinic's records system as an MCP server on 127.0.0.1, by the official SDK, and what can be wrong with one."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from mcp.server.lowlevel import Server
from mcp.types import CallToolResult, ListToolsResult, TextContent, Tool, ToolAnnotations
from starlette.applications import Starlette
from starlette.responses import RedirectResponse
from starlette.routing import Mount, Route
from starlette.types import Receive, Scope, Send

from gendei.providers.stand_in.local_server import serve

TOKEN = "segredo-do-prontuario"
READS = ToolAnnotations(read_only_hint=True)


def schema(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def exams(description: str = "Diz se um exame ficou pronto.", **changes: Any) -> Tool:
    given = {"input_schema": schema(exame={"type": "string"}), "annotations": READS, **changes}
    return Tool(name="ver_exame", description=description, **given)


def said(text: str, **more: Any) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=text)], **more)


@dataclass
class Records:
    """`tools`: what it lists. `answers`: what its calls get, the last one again and again. `calls`: (tool, arguments,
    what `_meta` told beside what the protocol tells). While `open` is cleared, nothing is answered; `listing` is set by
    who asks for the list, of which `more` says that there are more pages."""

    tools: list[Tool] = field(default_factory=lambda: [exams()])
    answers: list[CallToolResult] = field(default_factory=lambda: [said("O hemograma ficou pronto.")])
    calls: list[tuple[str, dict[str, Any], dict[str, Any]]] = field(default_factory=list)
    authorizations: set[str] = field(default_factory=set)
    hosts: set[str] = field(default_factory=set)
    listings: int = 0
    listing: asyncio.Event = field(default_factory=asyncio.Event)
    open: asyncio.Event = field(default_factory=asyncio.Event)
    more: str | None = None
    url: str = ""

    def __post_init__(self) -> None:
        self.open.set()

    async def lists(self, *_: Any) -> ListToolsResult:
        self.listings += 1
        self.listing.set()
        await self.open.wait()
        return ListToolsResult(tools=self.tools, next_cursor=self.more)

    async def called(self, context: Any, params: Any) -> CallToolResult:
        meta = {name: item for name, item in dict(params.meta or {}).items() if str(name).startswith("gendei/")}
        self.calls.append((params.name, params.arguments, meta))
        await self.open.wait()
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


@asynccontextmanager
async def records_server(*, stateless: bool = True) -> AsyncIterator[Records]:
    """Running; `url` is what a clinic file names. Under /elsewhere it sends its callers to the same server."""
    records = Records()
    server: Server[Any] = Server("prontuario", on_list_tools=records.lists, on_call_tool=records.called)
    inner = server.streamable_http_app(stateless_http=stateless, host="0.0.0.0")  # noqa: S104  takes any Host header

    async def noted(scope: Scope, receive: Receive, send: Send) -> None:
        headers = dict(scope["headers"])
        records.authorizations.add(headers.get(b"authorization", b"").decode())
        records.hosts.add(headers.get(b"host", b"").decode())
        await inner(scope, receive, send)

    routes = [
        Route("/elsewhere", lambda _: RedirectResponse(f"{records.url}", 307), methods=["POST", "GET"]),
        Mount("/", noted),
    ]
    app = Starlette(routes=routes, lifespan=lambda _: inner.router.lifespan_context(inner))
    async with serve(app) as url:
        records.url = f"{url}/mcp"
        yield records
