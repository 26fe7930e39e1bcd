"""The clinic's knowledge as tools of assistants: what they read of it, and what is shown before a yes."""

from collections.abc import Sequence
from dataclasses import replace

from gendei.booking.dates import describe
from gendei.commands.command import Call, Detail, Result, Say, Values
from gendei.commands.knowledge import (
    ANSWER_KNOWLEDGE_GAP,
    APPROVE_KNOWLEDGE,
    ASK_KNOWLEDGE,
    DISMISS_KNOWLEDGE_GAP,
    LIST_KNOWLEDGE,
    LIST_KNOWLEDGE_GAPS,
    RETIRE_KNOWLEDGE,
    WRITE_KNOWLEDGE,
    AnswerGap,
    ApproveKnowledge,
    KnowledgeFoundOut,
    KnowledgeGapOut,
    KnowledgeOut,
    OfGap,
    RetireKnowledge,
    WriteKnowledge,
    base_of,
    gap_of,
    refusal_of,
)
from gendei.commands.shown import in_line, shortened
from gendei.errors import NotFound
from gendei.knowledge.checks import EntryFault, fault_of
from gendei.knowledge.entry import KnowledgeEntry, KnowledgeGap
from gendei.knowledge.knowledge_base import KnowledgeRefused

MOST_SHOWN = 200
"""Entries, or gaps, that one answer holds."""


def _entry(_call: Call, entry: KnowledgeEntry) -> Result:
    return KnowledgeOut.told_of(entry).told("cases")


def _entries(call: Call, entries: Sequence[KnowledgeEntry]) -> Result:
    return {"entries": [_entry(call, entry) for entry in entries[:MOST_SHOWN]], "count": len(entries)}


def _found(_call: Call, found: KnowledgeFoundOut) -> Result:
    return {"outcome": str(found.outcome), "entries": [entry.told("cases") for entry in found.entries]}


def _gap(_call: Call, gap: KnowledgeGap) -> Result:
    return KnowledgeGapOut.told_of(gap).told()


def _gaps(call: Call, gaps: Sequence[KnowledgeGap]) -> Result:
    return {"gaps": [_gap(call, gap) for gap in gaps[:MOST_SHOWN]], "count": len(gaps)}


async def _preview_writing(call: Call, given: WriteKnowledge, say: Say) -> tuple[WriteKnowledge, Values]:
    try:
        stood = (await base_of(call).get(call.clinic.id, given.entry_id)).version
    except NotFound:
        stood = 0
    if stood != given.version:
        raise refusal_of(KnowledgeRefused(EntryFault.CHANGED, [given.entry_id]))
    _require_fit(call, given.entry_id, given.questions, given.answer)
    told = say(Detail.ENTRY, name=in_line(given.entry_id))
    told += say(Detail.OWNER, name=in_line(given.owner)) if given.owner else ""
    told += say(Detail.SOURCE, name=in_line(given.source)) if given.source else ""
    told += say(Detail.UNTIL, when=describe(given.valid_until, call.now)) if given.valid_until else ""
    return given, {"title": _joined(given.questions), "text": in_line(given.answer), "details": told}


async def _preview_approving(call: Call, given: ApproveKnowledge, say: Say) -> tuple[ApproveKnowledge, Values]:
    entry = await _as_read(call, given)
    _require_fit(call, entry.id, entry.questions, entry.answer)
    if against := set(await base_of(call).contradicting(call.clinic, entry)) - set(given.despite):
        raise refusal_of(KnowledgeRefused(EntryFault.CONTRADICTS, sorted(against)))
    told = say(Detail.ENTRY, name=in_line(entry.id))
    told += say(Detail.DESPITE, names=", ".join(map(in_line, given.despite))) if given.despite else ""
    return given, {"title": _joined(entry.questions), "text": in_line(entry.answer), "details": told}


async def _preview_retiring(call: Call, given: RetireKnowledge, say: Say) -> tuple[RetireKnowledge, Values]:
    entry = await _as_read(call, given)
    said = entry.live.answer if entry.live else entry.answer
    told = say(Detail.ENTRY, name=in_line(entry.id))
    return given, {"title": _joined(entry.questions), "text": in_line(said), "details": told}


async def _preview_answering(call: Call, given: AnswerGap, say: Say) -> tuple[AnswerGap, Values]:
    gap = await gap_of(call, given.gap_id)
    _require_fit(call, gap.id, given.questions or gap.questions, given.answer)
    told = say(Detail.ASKED, count=str(gap.count))
    told += say(Detail.QUESTIONS, names=_joined(given.questions)) if given.questions else ""
    return given, {"title": shortened(gap.questions[0]), "text": in_line(given.answer), "details": told}


async def _preview_dismissing(call: Call, given: OfGap, say: Say) -> tuple[OfGap, Values]:
    gap = await gap_of(call, given.gap_id)
    return given, {"title": shortened(gap.questions[0]), "details": say(Detail.ASKED, count=str(gap.count))}


async def _as_read(call: Call, given: ApproveKnowledge | RetireKnowledge) -> KnowledgeEntry:
    """The entry, in the version that was read."""
    entry = await base_of(call).get(call.clinic.id, given.entry_id)
    if entry.version != given.version:
        raise refusal_of(KnowledgeRefused(EntryFault.CHANGED, [entry.id]))
    return entry


def _require_fit(call: Call, name: str, questions: Sequence[str], answer: str) -> None:
    if (fault := fault_of(questions, answer, call.clinic)) is not None:
        raise refusal_of(KnowledgeRefused(fault, [name]))


def _joined(questions: Sequence[str]) -> str:
    return "; ".join(map(in_line, questions))


COMMANDS = (
    replace(LIST_KNOWLEDGE, shown=_entries),
    replace(ASK_KNOWLEDGE, shown=_found),
    replace(WRITE_KNOWLEDGE, shown=_entry, preview=_preview_writing),
    replace(APPROVE_KNOWLEDGE, shown=_entry, preview=_preview_approving, repeats=True),
    replace(RETIRE_KNOWLEDGE, shown=_entry, preview=_preview_retiring, repeats=True, destructive=True),
    replace(LIST_KNOWLEDGE_GAPS, shown=_gaps),
    replace(ANSWER_KNOWLEDGE_GAP, shown=_entry, preview=_preview_answering),
    replace(DISMISS_KNOWLEDGE_GAP, shown=_gap, preview=_preview_dismissing, destructive=True),
)
