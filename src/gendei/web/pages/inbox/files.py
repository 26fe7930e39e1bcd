"""Files of messages (/inbox/media), and what staff attach (/inbox/files): uploaded when chosen, sent by its id."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Annotated
from urllib.parse import quote

from fastapi import Depends
from nicegui import app as pages
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse

from gendei.commands.conversations import ADD_FILE, AddFile
from gendei.conversation.files.clinic_files import ClinicFile, FileRefused
from gendei.errors import NotFound, StoreError
from gendei.staff.actors import Actor, Forbidden, Right
from gendei.staff.files import PatientFile
from gendei.web.pages.acting import run_command
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.site import site_in
from gendei.web.sessions import actor_of, require_actor
from gendei.web.uploads import uploaded

TEXTS = page_texts("inbox")

MEDIA_PATH, OWN_FILES_PATH = "/inbox/media", "/inbox/files"
SHOWN = re.compile(r"image/(jpeg|png|webp|gif)|(audio|video)/[a-z0-9.+-]+")
"""Types that a browser may show in a page of ours. Everything else is downloaded: nobody's document runs here."""
HEADERS = {
    "Cache-Control": "private, max-age=3600",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Accept-Ranges": "bytes",
}
_RANGE = re.compile(r"bytes=([0-9]{1,18})-([0-9]{0,18})")


@pages.get(MEDIA_PATH)
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
    """Answer with the file that `find` gives to who is signed in, or the part of it that was asked for. 404 where it
    raises NotFound or Forbidden."""
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


@pages.post(OWN_FILES_PATH)
async def take_file(
    request: Request, actor: Annotated[Actor, Depends(require_actor(Right.WRITE))], name: str = ""
) -> Response:
    """The body is the file; {"id", "kind", "name"} of what was taken, or {"detail"}: why it was not, for staff."""
    try:
        label = request.headers.get("content-type", "")
        given = AddFile(file_name=name[:200], label=label[:200], content=await uploaded(request))
        file = await run_command(site_in(request.scope).gendei.desks, actor, ADD_FILE, given)
    except FileRefused as refused:
        return JSONResponse({"detail": TEXTS[f"file_{refused.fault}"]}, status_code=422)
    except (OSError, StoreError):
        return JSONResponse({"detail": TEXTS["store_down"]}, status_code=503)
    return JSONResponse({"id": file.id, "kind": str(file.kind), "name": file.file_name}, status_code=201)


@pages.get(OWN_FILES_PATH)
async def own_file(request: Request, file: str = "") -> Response:
    """A file that was taken, to be seen before it is sent. 404 for another clinic's."""
    files = site_in(request.scope).gendei.front_desk.own_files

    async def find(actor: Actor) -> Opened:
        found = await files.find(actor, file)
        return found, files.reading(found)

    return await file_answer(request, find)
