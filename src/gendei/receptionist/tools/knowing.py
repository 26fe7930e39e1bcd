"""What the clinic's knowledge says to a question: one approved answer, a few to choose from, or nothing."""

import logging

from gendei.errors import StoreError
from gendei.knowledge.finding import SearchOutcome, WhatAnswers
from gendei.receptionist.runtime import Context, Runtime, ToolResult

_log = logging.getLogger(__name__)


async def search_knowledge(context: Context, question: str, entry_id: str | None = None) -> ToolResult:
    """Look for the clinic's approved answer to a question. Each entry has its id and version.

    Args:
        question: The patient's question, in their words.
        entry_id: The entry that the patient chose of several, or None.
    """
    runtime = context.context
    if runtime.knowledge is None:
        return ToolResult(True, {"outcome": SearchOutcome.UNKNOWN, "entries": []}, found=0)
    known = await runtime.knowledge.of(runtime.clinic)
    found = known.find(question)
    if entry_id is not None:
        said = {entry.id for entry in known.index.entries}
        chosen = entry_id in said
        found = WhatAnswers(SearchOutcome.ANSWERED, (entry_id,)) if chosen else WhatAnswers(SearchOutcome.UNKNOWN)
    entries = [(entry, entry.live) for id_ in found.ids if (entry := known.entries.get(id_)) is not None]
    told = [
        {"entry_id": entry.id, "version": live.version, "question": live.questions[0]}
        | ({"answer": live.answer} if found.outcome is SearchOutcome.ANSWERED else {})
        for entry, live in entries
        if live is not None
    ]
    runtime.entries.update((str(row["entry_id"]), str(row["question"])) for row in told)
    if found.outcome is SearchOutcome.UNKNOWN and entry_id is None:
        runtime.unanswered = question
    line = "; ".join(f"{row['entry_id']} (v{row['version']})" for row in told)
    return ToolResult(True, {"outcome": found.outcome, "line": line, "entries": told}, found=len(told))


async def keep_unanswered(runtime: Runtime) -> None:
    """Keep a question of this turn that nothing answered, for staff. What the patient reads does not depend on it."""
    if runtime.knowledge is None or not runtime.unanswered:
        return
    try:
        await runtime.knowledge.note(runtime.clinic.id, runtime.unanswered)
    except StoreError as error:
        _log.warning("an unanswered question of clinic %s is not kept: %s", runtime.clinic.id, type(error).__name__)


TOOLS = (search_knowledge,)
