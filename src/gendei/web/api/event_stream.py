"""Server-sent events: what a generator gives, as it comes."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import Any, TypeVar

from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

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
    request: Request,
    source: AsyncGenerator[T, None],
    name: Callable[[T], str],
    shape: Callable[[T], BaseModel],
    while_good: Callable[[], Awaitable[None]] | None = None,
) -> Response:
    """Each thing of `source` as the event `name` with `shape` as JSON. What goes wrong before the first is raised, and
    so is answered by its status; after it, it is told in an event `error`, as the same problem, which is the last.
    while_good: raises once the reader may read no more."""
    try:
        first = await anext(source)
    except StopAsyncIteration:
        await source.aclose()
        return StreamingResponse(iter(()), media_type=MEDIA_TYPE, headers=HEADERS)

    coming: asyncio.Queue[bytes | None] = asyncio.Queue()
    coming.put_nowait(_event(name(first), shape(first)))

    async def pump() -> None:
        """Owns `source`: a generator that runs can be closed by nobody else."""
        try:
            async with aclosing(source):
                async for told in source:
                    coming.put_nowait(_event(name(told), shape(told)))
        except Exception as error:  # noqa: BLE001  # the status is sent already; the page shall know all the same
            coming.put_nowait(await _problem(request, error))
        coming.put_nowait(None)

    async def watch(over: Awaitable[None]) -> None:
        try:
            await over
        except Exception as error:  # noqa: BLE001  # as above
            coming.put_nowait(await _problem(request, error))
        coming.put_nowait(None)

    async def events() -> AsyncGenerator[bytes, None]:
        running = [asyncio.create_task(pump())]
        if while_good is not None:
            running.append(asyncio.create_task(watch(while_good())))
        try:
            while (event := await _next(coming)) is not None:
                yield event
        finally:
            for task in running:
                task.cancel()

    return StreamingResponse(events(), media_type=MEDIA_TYPE, headers=HEADERS)


async def _next(coming: asyncio.Queue[bytes | None]) -> bytes | None:
    """What comes next, or a comment where nothing came for BEAT_SECONDS."""
    try:
        async with asyncio.timeout(BEAT_SECONDS):
            return await coming.get()
    except TimeoutError:
        return b": \n\n"


def _event(name: str, shape: BaseModel) -> bytes:
    return b"event: %b\ndata: %b\n\n" % (name.encode(), shape.model_dump_json(by_alias=True).encode())


async def _problem(request: Request, error: Exception) -> bytes:
    """`error` as it would be answered before the first event."""
    handlers = request.app.exception_handlers
    answer = await next(handlers[kind] for kind in type(error).__mro__ if kind in handlers)(request, error)
    return b"event: error\ndata: %b\n\n" % answer.body
