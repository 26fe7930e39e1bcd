"""/knowledge."""

from typing import Annotated

from fastapi import APIRouter, Query

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
from gendei.web.api.access import Reader, Service
from gendei.web.api.command_routes import CHANNEL, offer
from gendei.web.api.problems import errors
from gendei.web.api.shapes import Listed

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
_GAP = "POST /knowledge-gaps/{gap_id}"
offer(router, f"{_GAP}/answer", ANSWER_KNOWLEDGE_GAP, KnowledgeOut.told_of, "answer_knowledge_gap")
offer(router, f"{_GAP}/dismiss", DISMISS_KNOWLEDGE_GAP, KnowledgeGapOut.told_of, "dismiss_knowledge_gap")
