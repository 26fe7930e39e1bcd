"""The approved answers that a language model says it used: taken out of its text, looked at as they stand when the
answer is checked, and noted for staff."""

import json
from dataclasses import replace

from gendei.errors import StoreError
from gendei.messages.turns import ToolStatus, ToolStep
from gendei.receptionist.llm.claims import named_in
from gendei.receptionist.runtime import Runtime
from gendei.receptionist.sources import Source, source_of
from gendei.receptionist.understanding.patient_message import typed_in

MOST_NAMED = 8
"""Entries that one answer may name."""
SEARCH = "search_knowledge"


def take_names(runtime: Runtime, text: str) -> str:
    """The text without the names of entries, which are kept, as are those in what else the model would send."""
    text, names = named_in(text)
    own = {id(reply) for reply in runtime.unrendered}
    for place, reply in enumerate(runtime.replies):
        if id(reply) in own:
            said, more = named_in(reply.text)
            runtime.replies[place], names = replace(reply, text=said), (*names, *more)
    runtime.named = list(dict.fromkeys((*runtime.named, *names)))[:MOST_NAMED]
    return text


async def look_again(runtime: Runtime) -> None:
    """Read the entries that were named or found as they stand now: what was retired or changed since carries nothing
    any more."""
    wanted = dict.fromkeys((*runtime.named, *runtime.sources))
    if runtime.knowledge is None or not wanted:
        runtime.sources = {}
        return
    try:
        known = await runtime.knowledge.of(runtime.clinic)
    except StoreError:
        runtime.sources = {}
        return
    asked = {id_: source.asked for id_, source in runtime.sources.items()}
    found = known.find(typed).ids if (typed := typed_in(runtime.inputs)) else ()
    asked |= dict.fromkeys(found[:1], typed)
    now = (source_of(known, id_, asked.get(id_, "")) for id_ in wanted)
    runtime.sources = {source.entry_id: source for source in now if source is not None}


async def approved_near(runtime: Runtime) -> str:
    """The approved answers that may be meant, by what the patient wrote, for a model that said something else."""
    sources = {source.entry_id: source for source in runtime.sources.values()}
    typed = typed_in(runtime.inputs)
    if runtime.knowledge is not None and typed:
        try:
            known = await runtime.knowledge.of(runtime.clinic)
        except StoreError:
            return ""
        found = (source_of(known, id_, typed) for id_ in known.find(typed).ids)
        sources |= {source.entry_id: source for source in found if source is not None}
    return " ".join(f"[fonte: {source.entry_id}] {source.answer}" for source in sources.values())


def note_sources(runtime: Runtime) -> None:
    """Keep with the answer which entries in which version said it, where no search of this turn tells so by itself."""
    said = "\n".join(reply.text for reply in runtime.replies)
    named = [source for id_ in runtime.named if (source := runtime.sources.get(id_)) is not None]
    used = [*named, *(source for source in runtime.sources.values() if source.answer in said and source not in named)]
    if used and {_line(used)} != {_told(step) for step in runtime.steps if step.tool == SEARCH}:
        result = {"success": True, "data": {"line": _line(used)}}
        arguments = json.dumps({"named": [source.entry_id for source in used]})
        runtime.steps.append(
            ToolStep(
                *(SEARCH, arguments),
                result=json.dumps(result),
                id=f"named-{len(runtime.steps)}",
                status=ToolStatus.COMPLETED,
                found=len(used),
                completed_at=runtime.moment(),
            )
        )


def _line(sources: list[Source]) -> str:
    return "; ".join(source.line for source in sources)


def _told(step: ToolStep) -> str:
    try:
        return str(json.loads(step.result or "{}").get("data", {}).get("line", ""))
    except (ValueError, AttributeError):
        return ""
