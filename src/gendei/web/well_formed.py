"""Requests whose Host or Origin is none are answered 400 before anything reads them, sockets too: no code below needs
to expect that an address cannot be taken apart."""

import re
from functools import lru_cache
from http import HTTPStatus
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Receive, Scope, Send

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[\w.~-]+)(:[0-9]{1,5})?", re.ASCII)
_POLICY_VIOLATION = 1008


def is_well_formed(scope: Scope) -> bool:
    """Tell whether the request names at most one host, by a name or an address with a port or none, and no origin that
    is none. A server answers 400 to anything else (RFC 9112, 3.2)."""
    hosts = 0
    for name, value in scope["headers"]:
        if name == b"host":
            hosts += 1
            if hosts > 1 or not _is_host(value):
                return False
        elif name == b"origin" and not _parses(value.decode("latin-1")):
            return False
    return True


async def refuse(scope: Scope, receive: Receive, send: Send, status: HTTPStatus = HTTPStatus.BAD_REQUEST) -> None:
    """Answer a request, or a socket that asks to be opened, with nothing but `status`."""
    if scope["type"] == "websocket":
        if "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
            return
        await receive()
    prefix, body = "websocket.http" if scope["type"] == "websocket" else "http", status.phrase.encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    await send({"type": f"{prefix}.response.start", "status": int(status), "headers": headers})
    await send({"type": f"{prefix}.response.body", "body": body})


class OwnHostOnly:
    """Answers only who names the machine itself and the port that it came to, and 421 to everybody else: a page of
    another site whose name was bound anew to 127.0.0.1 reads and does nothing here."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or _names_itself(scope):
            await self._app(scope, receive, send)
        else:
            await refuse(scope, receive, send, HTTPStatus.MISDIRECTED_REQUEST)


def _names_itself(scope: Scope) -> bool:
    server = scope.get("server") or ("", None)
    own = {f"{name}:{server[1]}" for name in LOOPBACK_NAMES} | (set(LOOPBACK_NAMES) if server[1] == 80 else set())
    hosts = _values(scope, b"host")
    return len(hosts) == 1 and hosts[0].lower() in own


def _values(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for header, value in scope["headers"] if header == name]


@lru_cache(256)
def _is_host(value: bytes) -> bool:
    host = value.decode("latin-1")
    return _HOST.fullmatch(host) is not None and _parses(f"//{host}")


def _parses(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.port is None or parts.port >= 0  # read, because that is what raises
    except ValueError:
        return False
