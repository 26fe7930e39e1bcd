"""The yardstick of the MCP server: the SDK alone, with one tool that says ok.

`python -m bench.bare_mcp PORT`, served exactly as `gendei serve` serves.
"""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from mcp.server import Server, ServerRequestContext
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from mcp.types import CallToolRequestParams, CallToolResult, TextContent
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from bench.loop import run
from gendei.cli.serving import settle_memory


async def _says_ok(_context: ServerRequestContext[Any, Any], _params: CallToolRequestParams) -> CallToolResult:
    return CallToolResult(content=[TextContent(text='{"ok":true}')], structured_content={"ok": True})


def bare_mcp() -> Starlette:
    server: Server[Any] = Server("bare", version="1", on_call_tool=_says_ok, get_tool_input_schema=lambda _tool: None)
    manager = StreamableHTTPSessionManager(server, json_response=True, stateless=True)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        async with manager.run():
            settle_memory()
            yield

    async def alive(_request: object) -> PlainTextResponse:
        return PlainTextResponse("ok")

    return Starlette(
        routes=[Route("/mcp", StreamableHTTPASGIApp(manager)), Route("/healthz", alive)], lifespan=lifespan
    )


def main() -> None:
    config = uvicorn.Config(bare_mcp(), host="127.0.0.1", port=int(sys.argv[1]), log_config=None, access_log=False)
    run(uvicorn.Server(config).serve())


if __name__ == "__main__":
    main()
