"""What the clinic's knowledge says to a question: one approved answer, a few to choose from, or nothing."""

import logging
from collections.abc import Sequence

from gendei.errors import StoreError
from gendei.knowledge.outcome import SearchOutcome, WhatAnswers
from gendei.messages.replies import Reply
from gendei.receptionist.offers.choices import Action, Kind, choice
from gendei.receptionist.runtime import Context, Runtime, ToolResult
from gendei.receptionist.sources import Source, source_of
from gendei.receptionist.tools.messaging import show_choices

_log = logging.getLogger(__name__)


async def search_knowledge(context: Context, question: str, entry_id: str | None = None) -> ToolResult:
    """Look for the clinic's approved answer to a question. Each entry has its id and version. In strict mode the system
    says the answer, or asks which one is meant.

    Args:
        question: The patient's question, in their words.
        entry_id: The entry that the patient chose of several, or None.
    """
    runtime = context.context
    if runtime.knowledge is None:
        return ToolResult(True, {"outcome": SearchOutcome.UNKNOWN, "entries": []}, found=0)
    known = await runtime.knowledge.of(runtime.clinic)
    found = known.find(question)
    asked = question
    if entry_id is not None:
        chosen, asked = source_of(known, entry_id) is not None, ""
        found = WhatAnswers(SearchOutcome.ANSWERED, (entry_id,)) if chosen else WhatAnswers(SearchOutcome.UNKNOWN)
    sources = [source for id_ in found.ids if (source := source_of(known, id_, asked)) is not None]
    runtime.entries.update((source.entry_id, source.questions[0]) for source in sources)
    if found.outcome is SearchOutcome.ANSWERED:
        runtime.sources.update((source.entry_id, source) for source in sources)
    elif found.outcome is SearchOutcome.UNKNOWN and entry_id is None:
        runtime.unanswered = question
    if runtime.strict is not None and sources:
        _say(runtime, found.outcome, sources)
    rows = [_row(source, found.outcome) for source in sources]
    line = "; ".join(source.line for source in sources)
    return ToolResult(True, {"outcome": found.outcome, "line": line, "entries": rows}, found=len(sources))


def _row(source: Source, outcome: SearchOutcome) -> dict[str, object]:
    """As a model and guided read it: the answer where it is sure, else what the patient can choose."""
    known = {"entry_id": source.entry_id, "version": source.version, "question": source.questions[0]}
    if outcome is SearchOutcome.ANSWERED:
        return known | {"answer": source.answer}
    return known | {"choice": choice(Kind.KNOWLEDGE, source.entry_id)}


def _say(runtime: Runtime, outcome: SearchOutcome, sources: Sequence[Source]) -> None:
    """In strict mode: the approved answer as it stands, or the question which one is meant."""
    if outcome is SearchOutcome.ANSWERED:
        if all(reply.text != sources[0].answer for reply in runtime.rendered):
            runtime.tell_own(Reply(sources[0].answer))
    else:
        ids = [choice(Kind.KNOWLEDGE, source.entry_id) for source in sources]
        person = [choice(Kind.ACTION, Action.PERSON)] if runtime.awaited is None else []
        show_choices(runtime, runtime.say("knowledge_which"), [*ids, *person], runtime.say("list_label_questions"))
    if runtime.strict is not None:
        runtime.strict.answered = True
    runtime.all_said = True


async def keep_unanswered(runtime: Runtime) -> None:
    """Keep a question of this turn that nothing answered, for staff. What the patient reads does not depend on it."""
    if runtime.knowledge is None or not runtime.unanswered:
        return
    try:
        await runtime.knowledge.note(runtime.clinic.id, runtime.unanswered)
    except StoreError as error:
        _log.warning("an unanswered question of clinic %s is not kept: %s", runtime.clinic.id, type(error).__name__)


TOOLS = (search_knowledge,)
