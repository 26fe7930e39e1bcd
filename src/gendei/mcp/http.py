"""MCP over streamable HTTP, without sessions: each request carries the token, and any process can answer it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from gendei.app import Gendei
from gendei.datafile import data_dir
from gendei.errors import StoreUnavailable
from gendei.mcp.server import Context, build_server
from gendei.mcp.texts import McpTexts
from gendei.staff.actors import Actor

PATH = "/mcp"
MAX_BODY = 64 * 1024
_ACTOR = "gendei.mcp.actor"


class McpEndpoint:
    """An ASGI application for PATH, while `running`. It answers 401 without a token that is good now, and takes
    nothing but POST: there is no session to listen to or to end."""

    def __init__(self, gendei: Gendei) -> None:
        self._tokens = gendei.staff.tokens
        texts = McpTexts.load(data_dir("prompts", gendei.settings.prompts_dir))
        self._manager = StreamableHTTPSessionManager(
            build_server(gendei, texts, _actor_of), json_response=True, stateless=True, max_request_body_size=MAX_BODY
        )

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Once. In a task of its own, since the SDK has to be left where it was entered."""
        begun, over = asyncio.Event(), asyncio.Event()

        async def serve() -> None:
            async with self._manager.run():
                begun.set()
                await over.wait()

        serving = asyncio.create_task(serve())
        try:
            await begun.wait()
            yield
        finally:
            over.set()
            await serving

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        if request.method != "POST":
            answer = Response(status_code=HTTPStatus.METHOD_NOT_ALLOWED, headers={"Allow": "POST"})
            await answer(scope, receive, send)
            return
        try:
            actor = await self._bearer(request)
        except StoreUnavailable:
            await Response(status_code=HTTPStatus.SERVICE_UNAVAILABLE)(scope, receive, send)
            return
        if actor is None:
            denied = Response(status_code=HTTPStatus.UNAUTHORIZED, headers={"WWW-Authenticate": "Bearer"})
            await denied(scope, receive, send)
            return
        await self._manager.handle_request({**scope, _ACTOR: actor}, receive, send)

    async def _bearer(self, request: Request) -> Actor | None:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        return await self._tokens.actor_of(token.strip()) if scheme.lower() == "bearer" else None


async def _actor_of(context: Context) -> Actor | None:
    """Whom the endpoint found behind the request's token."""
    actor = context.request.scope.get(_ACTOR) if isinstance(context.request, Request) else None
    return actor if isinstance(actor, Actor) else None
