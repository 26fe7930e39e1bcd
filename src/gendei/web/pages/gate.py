"""Between the server and NiceGUI: which requests are its, and what browsers may do with its pages."""

import json
from collections.abc import Callable
from functools import wraps
from secrets import token_urlsafe
from typing import Any, Final, Literal
from urllib.parse import parse_qs

from nicegui import Client, core
from nicegui import app as pages
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.routing import BaseRoute, Match, Mount
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gendei.errors import StoreError
from gendei.http_server.sockets import LARGEST_MESSAGE, trust
from gendei.web.pages.demo import DEMO, PHONE
from gendei.web.pages.site import SCOPE_KEY, Site
from gendei.web.sessions import session_of

PAGE_HEADER = "x-nicegui-content"
"""NiceGUI's mark on the documents that it makes."""
POLICY = (
    "default-src 'self'; script-src 'self' 'nonce-{nonce}' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; media-src 'self' blob:; frame-ancestors 'self'; "
    "base-uri 'none'; form-action 'self'; object-src 'none'"
)
"""Only scripts of our own and those that this answer names: none that came in with anybody's words. Vue compiles
templates in the browser, which takes 'unsafe-eval'. A page of ours may frame another: the demo does."""
SPEAKS = "camera=(), geolocation=(), microphone=(self), payment=(), usb=()"
"""On the phones alone a page may ask for the microphone."""


class PagesMount(Mount):
    """Everything that NiceGUI has a route for, and nothing else: what is unknown stays the application's own 404. So do
    the demo's pages where there is no demo."""

    def __init__(self, site: Site) -> None:
        super().__init__("", app=PagesGate(site))
        self._hidden = () if site.demo else (PHONE, DEMO)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        hidden = scope["path"].startswith(self._hidden)
        known = not hidden and any(_matches(route, scope) for route in pages.routes)
        return super().matches(scope) if known else (Match.NONE, {})


def _matches(route: BaseRoute, scope: Scope) -> bool:
    return route.matches(scope)[0] is not Match.NONE


class PagesGate:
    """NiceGUI for one site."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._app: ASGIApp = GZipMiddleware(NoncedScripts(pages))
        self._sockets = PageSockets(site, pages)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_socket = scope["type"] == "websocket" or scope["path"].startswith(PATH)
        await (self._sockets if is_socket else self._app)({**scope, SCOPE_KEY: self._site}, receive, send)


class NoncedScripts:
    """Marks the scripts of NiceGUI's documents with a nonce, and lets no others run. NiceGUI escapes "<" in everything
    that a page shows, so only its own template and what we add to the head begins with "<script"."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started: list[Message] = []
        document = bytearray()

        async def send_marked(message: Message) -> None:
            if message["type"] == "http.response.start" and PAGE_HEADER in Headers(scope=message):
                started.append(message)
            elif not started:
                await send(message)
            else:
                document.extend(message.get("body", b""))
                if not message.get("more_body", False):
                    if scope["path"].startswith((PHONE, DEMO)):
                        MutableHeaders(scope=started[0])["permissions-policy"] = SPEAKS
                    await _send_document(started[0], bytes(document), send)

        await self._app(scope, receive, send_marked)


async def _send_document(start: Message, document: bytes, send: Send) -> None:
    nonce = token_urlsafe(16)
    body = document.replace(b"<script", f'<script nonce="{nonce}"'.encode())
    headers = MutableHeaders(scope=start)
    headers["content-length"] = str(len(body))
    headers["content-security-policy"] = POLICY.format(nonce=nonce)
    headers["x-frame-options"] = "SAMEORIGIN"
    await send(start)
    await send({"type": "http.response.body", "body": body})


PATH = "/_nicegui_ws/"
TRANSPORTS: Final[list[Literal["websocket", "polling"]]] = ["websocket"]
"""Long polling is one request after the other, each without what a socket was checked for."""
EVENTS = ("event", "javascript_response", "ack", "log")
"""Events that a page sends with the id of a client, which NiceGUI believes."""
POLICY_VIOLATION = 1008
_RELOAD = (
    "0" + json.dumps({"sid": "", "upgrades": [], "pingInterval": 25_000, "pingTimeout": 20_000, "maxPayload": 1}),
    "44" + json.dumps({"message": "Implicit handshake failed"}),
)
"""Engine.IO's first packet, and Socket.IO's refusal as NiceGUI words it: its script then loads the page anew, which
leads whoever is not signed in to the sign-in."""


def configure_sockets() -> None:
    """Let NiceGUI's server and its pages speak over WebSockets only, and a socket act for its own page only."""
    engine = core.sio.eio
    engine.transports, engine.allow_upgrades, engine.max_http_buffer_size = TRANSPORTS, False, LARGEST_MESSAGE
    pages.config.socket_io_js_transports = TRANSPORTS
    for event in EVENTS:
        core.sio.on(event, _of_own_page(core.sio.handlers["/"][event]))


def _of_own_page(handle: Callable[[str, dict[str, Any]], None]) -> Callable[[str, dict[str, Any]], None]:
    @wraps(handle)
    def handle_own(sid: str, message: dict[str, Any]) -> None:
        if message["client_id"] in core.sio.rooms(sid):  # into which the handshake put it
            handle(sid, message)

    return handle_own


class PageSockets:
    """Guards NiceGUI's sockets, which `app` answers."""

    def __init__(self, site: Site, app: ASGIApp) -> None:
        self._site, self._app = site, app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """`scope` has the site in it."""
        if scope["type"] != "websocket":
            await PlainTextResponse("WebSocket only", 400)(scope, receive, send)
            return
        origin = Headers(scope=scope).get("origin")
        try:
            may_open = _is_own(origin, scope) and await self._may_open(scope)
        except StoreError:  # the page tries again by itself
            origin, may_open = None, False
        if may_open:
            trust(scope)
            await self._app(scope, receive, send)
        elif origin is not None and _is_own(origin, scope):
            await _reload(receive, send)
        else:
            await send({"type": "websocket.close", "code": POLICY_VIOLATION})

    async def _may_open(self, scope: Scope) -> bool:
        """Tell whether the socket's session is live and the one that the page was opened in. The demo's own pages need
        none. Looking after an open page is no use of its session. Raises StoreError."""
        query = parse_qs(scope["query_string"].decode("latin-1"))
        ids = query.get("client_id", [])
        client = Client.instances.get(ids[0]) if len(ids) == 1 else None
        if client is None or "sid" in query or client.request.scope.get(SCOPE_KEY) is not self._site:
            return False
        if self._site.demo and client.page.path.startswith((PHONE, DEMO)):
            return True
        socket, page = HTTPConnection(scope), client.request
        own = await session_of(socket, is_use=False)
        of_page = await session_of(page, is_use=False) if own else None
        return own is not None and of_page is not None and own.id == of_page.id


def _is_own(origin: str | None, scope: Scope) -> bool:
    """Tell whether the origin is this host. Browsers always send an origin with a socket; what sends none is no
    browser, and carries nobody's cookie."""
    host = Headers(scope=scope).get("host")
    return origin is None or origin in {f"http://{host}", f"https://{host}"}


async def _reload(receive: Receive, send: Send) -> None:
    """Have the page loaded anew: its session has ended, or this process does not know it (any more)."""
    await receive()
    await send({"type": "websocket.accept"})
    for packet in _RELOAD:
        await send({"type": "websocket.send", "text": packet})
    await send({"type": "websocket.close", "code": POLICY_VIOLATION})
