"""HTTP connections that are not waited for without end, and take no more than a request needs."""

from asyncio import TimerHandle, Transport
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

RESERVE = 64
"""Connections above the limit, which find only whether the service is alive."""


@dataclass(slots=True)
class Crowd:
    """`most`: connections at once. Those that wait for a request, idle or half-sent, make room for new ones, the oldest
    first: a client sends its request right after it connects, and so is served however many others say nothing."""

    most: int
    _waiting: dict[Transport, None] = field(default_factory=dict)

    def waits(self, transport: Transport) -> None:
        """No request of this connection is whole."""
        self._waiting[transport] = None

    def left(self, transport: Transport) -> None:
        """It sent a request, became a socket, or is gone."""
        self._waiting.pop(transport, None)

    def admit(self, connections: int) -> bool:
        """Tell whether one more connection may stay, of `connections` with it; makes room where it can."""
        if connections <= self.most:
            return True
        if not self._waiting:
            return connections <= self.most + RESERVE
        oldest = next(iter(self._waiting))
        self.left(oldest)
        oldest.abort()
        return True

    def is_full(self, connections: int) -> bool:
        """Tell whether so many of `connections` are at work that a new request has to be refused."""
        return connections - len(self._waiting) > self.most


MOST_HEAD_BYTES, MOST_HEADERS = 32 * 1024, 100
"""Of a request's line and headers. nginx and Apache are as strict by default."""
HEAD_SECONDS = 10.0
"""From the connection's beginning, or from a later request's first byte, to the end of its head."""
BODY_SECONDS, BODY_BYTES = 15.0, 8 * 1024
"""So much of a body has to come in so long, where it is not over before."""
STALLED_SECONDS = 30.0
"""Longest time in which a client may take nothing of its answer."""
HEALTH = frozenset({b"/healthz", b"/readyz"})
"""Paths that are answered also when there are too many connections, or a busy service would be restarted."""


class _HeadTooLarge(Exception):
    """The head has more bytes or headers than are read."""


class BoundedRequests(HttpToolsProtocol):
    """uvicorn's protocol, with limits. It looks at a connection when data comes, so that an ordinary request, which
    comes whole, starts no timer."""

    def __init__(self, *args: Any, crowd: Crowd, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._crowd = crowd
        self._in_head, self._in_body, self._is_socket = True, False, False
        self._came = self._head_bytes = self._other_bytes = self._body_bytes = self._requests = 0
        self._limit: TimerHandle | None = None
        self._stalled: TimerHandle | None = None
        self._refusal = HTTPStatus.BAD_REQUEST

    # The connection

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        if self._crowd.admit(len(self.connections)):
            self._crowd.waits(transport)
            self._limit = self.loop.call_later(HEAD_SECONDS, self._head_is_late)
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        self._forget()
        if self._crowd.is_full(len(self.connections)):
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE)
        else:
            self._is_socket = True
            super().handle_websocket_upgrade()

    def _forget(self) -> None:
        self._crowd.left(self.transport)
        self._stop_waiting()
        self.resume_writing()

    # What comes

    def data_received(self, data: bytes) -> None:
        was_in_head, requests, body_bytes = self._in_head, self._requests, self._body_bytes
        self._came = self._head_bytes + len(data)
        super().data_received(data)
        if self._is_socket or self.transport.is_closing():
            return
        if self._in_body:
            self._other_bytes = self._other_bytes + len(data) if body_bytes == self._body_bytes else 0
            if self._other_bytes > MOST_HEAD_BYTES:  # endless extensions of chunks, or trailers
                self._refuse(HTTPStatus.BAD_REQUEST)
            elif self._limit is None:
                self._wait_for_body()
        elif self._in_head or (self.timeout_keep_alive_task is None and self._is_idle):
            self._head_bytes += len(data) if was_in_head and requests == self._requests else 0
            if self._head_bytes > MOST_HEAD_BYTES:
                self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
            elif self._limit is None:
                self._limit = self.loop.call_later(HEAD_SECONDS, self._head_is_late)

    def on_message_begin(self) -> None:
        self._in_head, self._head_bytes = True, 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        if len(self.headers) > MOST_HEADERS or (self._came > MOST_HEAD_BYTES and self._size() > MOST_HEAD_BYTES):
            self._refusal = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
            raise _HeadTooLarge
        self._in_head, self._in_body, self._head_bytes, self._other_bytes = False, True, 0, 0
        self._stop_waiting()
        self._crowd.left(self.transport)
        is_refused = self._crowd.is_full(len(self.connections)) and self.url.partition(b"?")[0] not in HEALTH
        self.limit_concurrency = 0 if is_refused else None
        super().on_headers_complete()

    def _size(self) -> int:
        """Bytes of the head."""
        return len(self.url) + sum(len(name) + len(value) for name, value in self.headers)

    def on_body(self, body: bytes) -> None:
        self._body_bytes += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._in_body, self._requests = False, self._requests + 1
        self._stop_waiting()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._is_idle and not self._in_body and not self.transport.is_closing():
            self._crowd.waits(self.transport)

    @property
    def _is_idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    # What does not come

    def _stop_waiting(self) -> None:
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None

    def _head_is_late(self) -> None:
        self._limit = None
        self._refuse(HTTPStatus.REQUEST_TIMEOUT)

    def _wait_for_body(self) -> None:
        self._limit = self.loop.call_later(BODY_SECONDS, self._look_at_body, self._body_bytes)

    def _look_at_body(self, bytes_before: int) -> None:
        """Refuse a body that comes too slowly. Where we read nothing ourselves, the client is not late. What was
        answered is not read on for long."""
        waits_for_us = self.flow.read_paused or self.cycle.waiting_for_100_continue
        if not self._is_idle and (waits_for_us or self._body_bytes - bytes_before >= BODY_BYTES):
            self._wait_for_body()
        else:
            self._limit = None
            self._refuse(HTTPStatus.REQUEST_TIMEOUT)

    # What is not taken

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._stalled is None:
            self._stalled = self.loop.call_later(STALLED_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self._leave_behind()

    def _leave_behind(self) -> None:
        """The transport is closed once everything is sent; but not whenever the client likes to take it."""
        if self.transport.get_write_buffer_size():
            self.loop.call_later(STALLED_SECONDS, self.transport.abort)

    # Refusals

    def send_400_response(self, msg: str) -> None:
        """Refuse a request: uvicorn calls this where it cannot read one, or one is refused while it is read."""
        self._refuse(self._refusal)

    def _refuse(self, status: HTTPStatus) -> None:
        """Answer where no answer has begun and something was asked, and close."""
        is_asked = self._in_body or self._head_bytes or status is not HTTPStatus.REQUEST_TIMEOUT
        if is_asked and (not self.cycle.response_started if self._in_body and self.cycle else self._is_idle):
            text = status.phrase.encode()
            head = b"content-type: text/plain; charset=utf-8\r\nconnection: close\r\ncontent-length: %d\r\n\r\n" % len(
                text
            )
            self.transport.write(STATUS_LINE[status] + head + text)
        self.transport.close()
        self._leave_behind()
