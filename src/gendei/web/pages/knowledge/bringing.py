"""Entries brought from a file that staff choose, or from what the clinic's vertical begins with: proposed, and what was
not kept told with its reason."""

from typing import Annotated

from fastapi import Depends
from nicegui import app as pages
from nicegui import ui
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from gendei.commands.clinic import Nothing
from gendei.commands.knowledge_sources import (
    LONGEST_NAME,
    PROPOSE_STARTER_KNOWLEDGE,
    READ_KNOWLEDGE,
    ReadKnowledge,
)
from gendei.commands.refusals import CommandRefused
from gendei.conversation.files.clinic_files import FileRefused
from gendei.errors import StoreError
from gendei.knowledge.proposing import Proposed
from gendei.staff.actors import Actor, Right
from gendei.web.pages.acting import TEXTS as REFUSALS
from gendei.web.pages.acting import Acting, Problem, run_command
from gendei.web.pages.knowledge.trying import TEXTS
from gendei.web.pages.panels import text
from gendei.web.pages.sheets import Sheet
from gendei.web.pages.site import site_in
from gendei.web.sessions import csrf_token, require_actor
from gendei.web.uploads import uploaded

FILES = "/knowledge/files"
TOO_LARGE = "source_too_large"
MOST_TOLD = 20


class SourceUpload(ui.element, component="../static/knowledge_file.js"):
    """A file is chosen and sent; what became of it stands below."""

    def __init__(self, token: str) -> None:
        super().__init__()
        self.props.update(words=dict(TEXTS), token=token, address=FILES)


async def ask_file(acting: Acting) -> None:
    """Open the sheet in the present slot."""
    with acting.client.content:
        sheet = Sheet(TEXTS["read_file"])
        with sheet.body:
            text("p", TEXTS["read_hint"], "g-soft g-small")
            SourceUpload(csrf_token(acting.client.request, acting.context.session))
        sheet.leave_button(TEXTS["close"])


async def propose_starter(acting: Acting) -> None:
    """Propose what the vertical begins with, and tell how much was new."""
    made = await acting.do(PROPOSE_STARTER_KNOWLEDGE, Nothing())
    if isinstance(made, Problem):
        acting.tell(made.text, good=False)
        return
    with acting.client.content:
        sheet = Sheet(TEXTS["starter"])
        with sheet.body:
            for line in told(made):
                text("p", line, "o-wrap")
        sheet.leave_button(TEXTS["close"])


def told(proposed: Proposed) -> list[str]:
    """What became of it, a line each."""
    lines = [TEXTS("brought", count=len(proposed.made)) if proposed.made else TEXTS["brought_none"]]
    lines += [TEXTS("brought_same", count=len(proposed.same))] if proposed.same else []
    standing = [TEXTS("brought_standing", question=entry.questions[0]) for entry in proposed.standing]
    refused = [
        TEXTS("brought_refused", question=each.proposal.questions[0][:80], why=REFUSALS[f"knowledge_{each.fault}"])
        for each in proposed.refused
    ]
    lines += [*standing, *refused][:MOST_TOLD]
    left = len(standing) + len(refused) - MOST_TOLD
    return lines + ([TEXTS("brought_more", count=left)] if left > 0 else [])


@pages.post(FILES)
async def take_source(
    request: Request, actor: Annotated[Actor, Depends(require_actor(Right.WRITE))], name: str = ""
) -> Response:
    """The body is the file; {"lines"} of what became of it, or {"detail"}: why nothing did, for staff."""
    try:
        given = ReadKnowledge(file_name=name[:LONGEST_NAME], content=await uploaded(request))
        made = await run_command(site_in(request.scope).gendei.desks, actor, READ_KNOWLEDGE, given)
    except FileRefused:
        return JSONResponse({"detail": REFUSALS[TOO_LARGE]}, status_code=422)
    except CommandRefused as refused:
        return JSONResponse({"detail": REFUSALS[refused.cause or "failed"]}, status_code=422)
    except (OSError, StoreError):
        return JSONResponse({"detail": REFUSALS["unavailable"]}, status_code=503)
    return JSONResponse({"lines": told(made)}, status_code=201)
