"""/knowledge."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.requests import Request

from gendei.commands.clinic import Nothing
from gendei.commands.knowledge import (
    ANSWER_KNOWLEDGE_GAP,
    APPROVE_KNOWLEDGE,
    ASK_KNOWLEDGE,
    DISMISS_KNOWLEDGE_GAP,
    LIST_KNOWLEDGE,
    LIST_KNOWLEDGE_GAPS,
    RETIRE_KNOWLEDGE,
    WRITE_KNOWLEDGE,
    AskKnowledge,
    KnowledgeFoundOut,
    KnowledgeGapOut,
    KnowledgeOut,
)
from gendei.commands.knowledge_sources import (
    LONGEST_NAME,
    PROPOSE_STARTER_KNOWLEDGE,
    READ_KNOWLEDGE,
    TRY_KNOWLEDGE,
    UNREADABLE,
    KnowledgeTrialOut,
    ProposedKnowledgeOut,
    ReadKnowledge,
)
from gendei.commands.refusals import CommandRefused
from gendei.conversation.files.clinic_files import FileRefused
from gendei.knowledge.sources.blocks import SourceFault
from gendei.web.api.access import Reader, Service
from gendei.web.api.command_routes import CHANNEL, WritingCall, offer
from gendei.web.api.problems import WRITE, Unfit, errors
from gendei.web.api.shapes import Listed
from gendei.web.uploads import uploaded

_TYPES = ("application/pdf", "text/html", "text/plain", "text/markdown")
_BODY = {"schema": {"type": "string", "format": "binary"}}

router = APIRouter(tags=["knowledge"])


@router.get("/knowledge", responses=errors(404))
async def list_knowledge(actor: Reader, gendei: Service) -> Listed[KnowledgeOut]:
    """All entries, by id: what is written, and what patients are told."""
    call = await gendei.desks.call(actor, CHANNEL)
    return Listed(items=[KnowledgeOut.told_of(entry) for entry in await LIST_KNOWLEDGE.do(call, Nothing())])


@router.get("/knowledge-gaps", responses=errors(404))
async def list_knowledge_gaps(actor: Reader, gendei: Service) -> Listed[KnowledgeGapOut]:
    """Questions that nothing answered, grouped by what they mean, the most asked first."""
    call = await gendei.desks.call(actor, CHANNEL)
    return Listed(items=[KnowledgeGapOut.told_of(gap) for gap in await LIST_KNOWLEDGE_GAPS.do(call, Nothing())])


@router.get("/knowledge-answer", responses=errors(404))
async def ask_knowledge(actor: Reader, gendei: Service, given: Annotated[AskKnowledge, Query()]) -> KnowledgeFoundOut:
    """What a question would be answered by. Nothing is kept of it."""
    call = await gendei.desks.call(actor, CHANNEL)
    return await ASK_KNOWLEDGE.do(call, given)


offer(router, "PUT /knowledge/{entry_id}", WRITE_KNOWLEDGE, KnowledgeOut.told_of, "write_knowledge", "KnowledgeIn")
offer(router, "POST /knowledge/{entry_id}/approve", APPROVE_KNOWLEDGE, KnowledgeOut.told_of, "approve_knowledge")
offer(router, "POST /knowledge/{entry_id}/retire", RETIRE_KNOWLEDGE, KnowledgeOut.told_of, "retire_knowledge")
offer(router, "POST /knowledge-trial", TRY_KNOWLEDGE, KnowledgeTrialOut.told_of, "try_knowledge")
offer(router, "POST /knowledge-starter", PROPOSE_STARTER_KNOWLEDGE, ProposedKnowledgeOut.told_of, "propose_starter")
_GAP = "POST /knowledge-gaps/{gap_id}"
offer(router, f"{_GAP}/answer", ANSWER_KNOWLEDGE_GAP, KnowledgeOut.told_of, "answer_knowledge_gap")
offer(router, f"{_GAP}/dismiss", DISMISS_KNOWLEDGE_GAP, KnowledgeGapOut.told_of, "dismiss_knowledge_gap")


@router.post(
    "/knowledge-sources",
    responses=WRITE,
    openapi_extra={"requestBody": {"required": True, "content": dict.fromkeys(_TYPES, _BODY)}},
    name="read_knowledge",
)
async def read_source(
    request: Request,
    call: WritingCall,
    file_name: Annotated[str, Query(alias="fileName", max_length=LONGEST_NAME, examples=["perguntas.pdf"])] = "",
) -> ProposedKnowledgeOut:
    """Propose entries out of a file: the body is the file itself, a PDF, a web page or a text. Each question, and each
    heading with text below it, becomes a proposed entry, which patients are told once it is approved."""
    try:
        given = ReadKnowledge(file_name=file_name, content=await uploaded(request))
        return ProposedKnowledgeOut.told_of(await READ_KNOWLEDGE.do(call, given))
    except FileRefused:
        raise Unfit("body", UNREADABLE[SourceFault.TOO_LARGE]) from None
    except CommandRefused as refused:
        raise Unfit("body", refused.problem) from None
