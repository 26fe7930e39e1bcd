"""GET /inbox/media: the file of a message, for who may read the conversation."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from urllib.parse import quote

from nicegui import app as pages
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse

from gendei.conversation.files.clinic_files import ClinicFile
from gendei.errors import NotFound
from gendei.staff.actors import Actor, Forbidden
from gendei.staff.files import PatientFile
from gendei.web.pages.site import site_in
from gendei.web.sessions import actor_of

PATH = "/inbox/media"
SHOWN = re.compile(r"image/(jpeg|png|webp|gif)|(audio|video)/[a-z0-9.+-]+")
"""What a browser may show in a page of ours. Everything else is downloaded: nobody's document runs here."""
HEADERS = {
    "Cache-Control": "private, max-age=3600",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Accept-Ranges": "bytes",
}
_RANGE = re.compile(r"bytes=([0-9]{1,18})-([0-9]{0,18})")


@pages.get(PATH)
async def patients_file(request: Request, contact: str = "", message: str = "") -> Response:
    """The file of a message. 404 for everything that is not the reader's own clinic's."""
    files = site_in(request.scope).gendei.front_desk.files

    async def find(actor: Actor) -> Opened:
        file = await files.find(actor, contact, message)
        return file, files.reading(file)

    return await file_answer(request, find)


Opened = tuple[PatientFile | ClinicFile, AbstractAsyncContextManager[AsyncIterator[bytes]]]
"""A file, and its bytes still to be read."""


async def file_answer(request: Request, find: Callable[[Actor], Awaitable[Opened]]) -> Response:
    """What `find` gives to who is signed in, or the part of it that was asked for. 404 where it raises NotFound or
    Forbidden."""
    stack = AsyncExitStack()
    try:
        actor = await actor_of(request)
        if actor is None:
            raise NotFound
        file, reading = await find(actor)
        chunks = await stack.enter_async_context(reading)
    except (NotFound, Forbidden):
        return PlainTextResponse("Not Found", status_code=404)
    except OSError:
        return PlainTextResponse("Service Unavailable", status_code=503)
    first, last = _asked(request.headers.get("range", ""), file.size)
    kind = file.mime_type.partition(";")[0].strip().lower()
    shown = SHOWN.fullmatch(kind) is not None
    headers = {
        **HEADERS,
        "Content-Length": str(last - first + 1),
        "Content-Disposition": _disposition(file.file_name, shown),
    }
    partly = last - first + 1 < file.size
    if partly:
        headers["Content-Range"] = f"bytes {first}-{last}/{file.size}"
    return StreamingResponse(
        _part(chunks, first, last, stack),
        status_code=206 if partly else 200,
        media_type=kind if shown else "application/octet-stream",
        headers=headers,
    )


def _asked(header: str, size: int) -> tuple[int, int]:
    """The first and the last byte to send; everything where the range is none that we serve (RFC 9110, 14.2)."""
    named = _RANGE.fullmatch(header)
    first = int(named[1]) if named else 0
    last = min(int(named[2]) if named and named[2] else size - 1, size - 1)
    return (first, last) if first <= last else (0, size - 1)


async def _part(chunks: AsyncIterator[bytes], first: int, last: int, stack: AsyncExitStack) -> AsyncIterator[bytes]:
    """Bytes `first` to `last`; the file is closed after them."""
    async with stack:
        at = 0
        async for chunk in chunks:
            if at + len(chunk) > first:
                yield chunk[max(0, first - at) : last + 1 - at]
            at += len(chunk)
            if at > last:
                return


def _disposition(file_name: str, shown: bool) -> str:
    name = f"; filename*=UTF-8''{quote(file_name, safe='')}" if file_name else ""
    return ("inline" if shown else "attachment") + name
