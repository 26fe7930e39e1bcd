"""WebSockets that hold little of what was sent, and less before the application trusts who sends."""

from collections.abc import Callable, Mapping
from typing import Any, cast

from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

LARGEST_MESSAGE = 256 * 1024
LARGEST_OF_STRANGERS = 64 * 1024
"""Bytes of one message, in however many frames, and of one from somebody who is not trusted yet."""
MOST_FRAMES = 256
"""Of one message. Empty ones have no size that could be counted."""
AT_ONCE = 4096
"""Bytes that are turned into messages before the application has taken those that there are."""
MOST_UNTAKEN = 256 * 1024
"""Bytes for a client that takes nothing and goes on asking for pongs."""
CLOSE_SECONDS = 3.0
"""For a client to answer that a socket is closed."""
TRUST = "gendei.trust"
"""Extension of the ASGI scope: a function without arguments."""
_POLICY_VIOLATION = 1008
_BAD_REQUEST = b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


def trust(scope: Mapping[str, Any]) -> None:
    """Let who sends on this socket send messages of LARGEST_MESSAGE from now on."""
    grant: Callable[[], None] | None = scope.get("extensions", {}).get(TRUST)
    if grant is not None:
        grant()


class BoundedSocket(WebSocketsSansIOProtocol):
    """uvicorn's protocol, with limits. A message is put together by the `websockets` library, which counts its frames
    together; what comes after it stays bytes until the application has taken it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.close_timeout = CLOSE_SECONDS
        self.conn.max_message_size = LARGEST_OF_STRANGERS
        self._unread = bytearray()

    def data_received(self, data: bytes) -> None:
        self._unread += data
        self._read_on()
        if not self.handshake_initiated and not self.transport.is_closing():  # the library could not read the request
            self.transport.write(_BAD_REQUEST)
            self.transport.close()

    async def receive(self) -> ASGIReceiveEvent:
        message = await super().receive()
        self._read_on()
        return message

    async def send(self, message: ASGISendEvent) -> None:
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True  # uvicorn would log an error about the refusal

    def _read_on(self) -> None:
        while self._unread and not self.read_paused:
            if self.conn.parser_exc is not None:
                self._unread.clear()
                return
            piece = bytes(self._unread[:AT_ONCE])
            del self._unread[:AT_ONCE]
            super().data_received(piece)

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if not self.handshake_complete:  # else it was refused
            extensions = cast("dict[str, Any]", self.scope["extensions"])
            extensions[TRUST] = self._trust

    def _trust(self) -> None:
        self.conn.max_message_size = LARGEST_MESSAGE

    def handle_cont(self, event: Any) -> None:
        if len(self.frames) < MOST_FRAMES:
            super().handle_cont(event)
        elif self.conn.parser_exc is None:
            self.conn.fail(_POLICY_VIOLATION, "too many frames")
            self.conn.parser_exc = ValueError("too many frames")
            self.handle_parser_exception()

    def handle_ping(self) -> None:
        super().handle_ping()
        if self.transport.get_write_buffer_size() > MOST_UNTAKEN:
            self.transport.abort()

    def handle_parser_exception(self) -> None:
        self.frames = []
        if self.conn.close_sent is None:  # it was no frame, before there was a socket
            self.transport.abort()
        else:
            super().handle_parser_exception()
