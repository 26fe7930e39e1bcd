"""/inbox/files: what staff attach to a message. It is uploaded as soon as it is chosen, and sent by its id."""

from typing import Annotated

from fastapi import Depends
from nicegui import app as pages
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from gendei.commands.conversations import ADD_FILE, AddFile
from gendei.conversation.files.clinic_files import FileRefused
from gendei.errors import StoreError
from gendei.staff.actors import Actor, Right
from gendei.web.pages.acting import run_command
from gendei.web.pages.inbox.media import Opened, file_answer
from gendei.web.pages.site import site_in
from gendei.web.pages.texts import page_texts
from gendei.web.sessions import require_actor
from gendei.web.uploads import uploaded

PATH = "/inbox/files"


@pages.post(PATH)
async def take_file(
    request: Request, actor: Annotated[Actor, Depends(require_actor(Right.WRITE))], name: str = ""
) -> Response:
    """The body is the file; {"id", "kind", "name"} of what was taken, or {"detail"}: why it was not, for staff."""
    words = page_texts("inbox")
    try:
        label = request.headers.get("content-type", "")
        given = AddFile(file_name=name[:200], label=label[:200], content=await uploaded(request))
        file = await run_command(site_in(request.scope).gendei.desks, actor, ADD_FILE, given)
    except FileRefused as refused:
        return JSONResponse({"detail": words[f"file_{refused.fault}"]}, status_code=422)
    except StoreError:
        return JSONResponse({"detail": words["store_down"]}, status_code=503)
    return JSONResponse({"id": file.id, "kind": str(file.kind), "name": file.file_name}, status_code=201)


@pages.get(PATH)
async def own_file(request: Request, file: str = "") -> Response:
    """A file that was taken, to be seen before it is sent. 404 for another clinic's."""
    files = site_in(request.scope).gendei.front_desk.own_files

    async def find(actor: Actor) -> Opened:
        found = await files.find(actor, file)
        return found, files.reading(found)

    return await file_answer(request, find)
