"""Lets pages of the clinics' web sites use the chat, and nothing else of the API (CORS, as the Fetch standard has it).

Which origin may use which clinic's chat is asked again with every request (chat_access.may_show); this lets a browser
of an allowed origin read the answer, also where it is a refusal. Any page may read that it gets no visit, so that its
maker can be told why the chat does not open.
"""

from collections.abc import Callable, Collection
from http import HTTPStatus

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, POST",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, Idempotency-Key",
    "Access-Control-Max-Age": "600",
}
EXPOSED = "Retry-After"
VISITS = "/visits"


class ChatCors:
    """Wraps the API. `path`: where its chat begins. origins: those of any clinic, as they stand now."""

    def __init__(self, app: ASGIApp, path: str, origins: Callable[[], Collection[str]]) -> None:
        self._app, self._path, self._origins = app, path, origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        origin = Headers(scope=scope).get("origin") if scope["type"] == "http" else None
        if origin is None or not f"{scope['path']}/".startswith(f"{self._path}/"):
            await self._app(scope, receive, send)
            return
        known = origin in self._origins()
        asks_visit = scope["path"] == f"{self._path}{VISITS}"
        allowed = known or (asks_visit and scope["method"] == "OPTIONS")

        async def send_for(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.add_vary_header("Origin")
                if allowed or (asks_visit and message["status"] >= HTTPStatus.BAD_REQUEST):
                    headers["Access-Control-Allow-Origin"] = origin
                    headers["Access-Control-Expose-Headers"] = EXPOSED
            await send(message)

        if scope["method"] == "OPTIONS":
            status = HTTPStatus.NO_CONTENT if allowed else HTTPStatus.FORBIDDEN
            await Response(status_code=status, headers=PREFLIGHT if allowed else None)(scope, receive, send_for)
        else:
            await self._app(scope, receive, send_for)
