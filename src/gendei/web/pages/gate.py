"""Between the server and NiceGUI: which requests are its, and what browsers may do with its pages."""

from secrets import token_urlsafe

from nicegui import app as pages
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import BaseRoute, Match, Mount
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gendei.web.pages import page_sockets
from gendei.web.pages.demo import DEMO, PHONE
from gendei.web.pages.site import SCOPE_KEY, Site

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
        self._sockets = page_sockets.PageSockets(site, pages)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_socket = scope["type"] == "websocket" or scope["path"].startswith(page_sockets.PATH)
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
