"""Server-sent events: what a generator gives, as it comes."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from http import HTTPStatus
from typing import Any, TypeVar

from pydantic import BaseModel
from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from gendei.errors import StoreUnavailable, TooContended

MEDIA_TYPE = "text/event-stream"
BEAT_SECONDS = 15.0
"""Silence after which a comment is sent, so that no proxy takes the connection for dead."""
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
DESCRIBED: dict[int | str, dict[str, Any]] = {200: {"content": {MEDIA_TYPE: {"schema": {"type": "string"}}}}}
"""For the description of a route that also streams."""
T = TypeVar("T")


def wants_events(request: Request) -> bool:
    return MEDIA_TYPE in request.headers.get("accept", "")


async def stream(
    source: AsyncGenerator[T, None], name: Callable[[T], str], shape: Callable[[T], BaseModel]
) -> Response:
    """Each thing of `source` as the event `name` with `shape` as JSON. What goes wrong before the first is raised, and
    so is answered by its status; after it, it is told in an event `error`, as a problem."""
    try:
        first = await anext(source)
    except StopAsyncIteration:
        await source.aclose()
        return StreamingResponse(iter(()), media_type=MEDIA_TYPE, headers=HEADERS)

    async def events() -> AsyncGenerator[bytes, None]:
        async with aclosing(source):
            yield _event(name(first), shape(first))
            try:
                async for one in _with_beats(source):
                    yield b": \n\n" if one is None else _event(name(one), shape(one))
            except Exception as error:  # noqa: BLE001  # the status is sent already; the page shall know all the same
                yield _problem(error)

    return StreamingResponse(events(), media_type=MEDIA_TYPE, headers=HEADERS)


async def _with_beats(source: AsyncGenerator[T, None]) -> AsyncGenerator[T | None, None]:
    """None after each BEAT_SECONDS in which nothing came."""
    while True:
        coming = asyncio.ensure_future(_next(source))
        try:
            while not (await asyncio.wait({coming}, timeout=BEAT_SECONDS))[0]:
                yield None
            yield coming.result()
        except StopAsyncIteration:
            return
        finally:
            coming.cancel()


def _next(source: AsyncGenerator[T, None]) -> Awaitable[T]:
    return anext(source)


def _event(name: str, shape: BaseModel) -> bytes:
    return b"event: %b\ndata: %b\n\n" % (name.encode(), shape.model_dump_json(by_alias=True).encode())


def _problem(error: Exception) -> bytes:
    away = isinstance(error, StoreUnavailable | TooContended)
    status = HTTPStatus.SERVICE_UNAVAILABLE if away else HTTPStatus.INTERNAL_SERVER_ERROR
    body = {"type": "about:blank", "title": status.phrase, "status": int(status)}
    return b"event: error\ndata: %b\n\n" % to_json(body)
