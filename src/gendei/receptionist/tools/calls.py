"""The record of each tool call of a turn, kept for staff who ask why. Secrets never enter it."""

import json
import re
from dataclasses import replace
from typing import Any

from agents import RunContextWrapper
from agents.tool_context import ToolContext

from gendei.messages.turns import ToolStatus, ToolStep
from gendei.receptionist.runtime import Runtime, ToolResult
from gendei.receptionist.tools.refusals import Reason

MAX_RECORDED = 2000
"""Characters of a call's arguments or result."""
HIDDEN = "…"
_SECRET_NAMES = (
    "token", "secret", "password", "senha", "apikey", "api_key", "authorization", "credential", "card_number"
)  # fmt: skip
_SECRET_NAME = re.compile("|".join(_SECRET_NAMES), re.IGNORECASE)
_SECRET_VALUE = re.compile(r"(?:Bearer\s+[^\s\"]+|\bsk-[\w-]{8,}|\bEAA\w{8,})")


def begin(context: RunContextWrapper[Any], *, again: bool = False) -> None:
    """A call is under way or, `again`, about to be repeated."""
    if not isinstance(context, ToolContext):
        return
    runtime: Runtime = context.context
    status = ToolStatus.PENDING if again else ToolStatus.EXECUTING
    found = _place(runtime, context.tool_call_id)
    if found is None:
        arguments = without_secrets(context.tool_arguments)
        step = ToolStep(context.tool_name, arguments, id=context.tool_call_id, status=status)
        runtime.steps.append(replace(step, started_at=runtime.moment()))
    else:
        runtime.steps[found] = replace(runtime.steps[found], status=status)


def end(
    context: RunContextWrapper[Any],
    status: ToolStatus,
    result: ToolResult | None,
    error: str | None,
    reason: Reason | None = None,
) -> None:
    """What became of it. `error` says why, wherever it is not COMPLETED; `reason` where there is no result."""
    if not isinstance(context, ToolContext):
        return
    runtime: Runtime = context.context
    begin(context)
    found = _place(runtime, context.tool_call_id)
    if found is not None:
        told = result or ToolResult(False, reason=reason)
        runtime.steps[found] = replace(
            runtime.steps[found],
            status=status,
            result=None if result is None else without_secrets(result.to_json()),
            error=error,
            reason=str(told.reason) if told.reason else None,
            found=told.found,
            completed_at=runtime.moment(),
        )


def _place(runtime: Runtime, call_id: str) -> int | None:
    """Ids are unique within one run, and a turn may have two: the last of an id is meant, unless it is over."""
    for place in range(len(runtime.steps) - 1, -1, -1):
        step = runtime.steps[place]
        if step.id == call_id and step.status in {ToolStatus.PENDING, ToolStatus.EXECUTING}:
            return place
    return None


def without_secrets(text: str) -> str:
    """JSON (or what a model took for it) with every secret's value hidden, cut to MAX_RECORDED characters."""
    try:
        text = json.dumps(_hidden(json.loads(text)), ensure_ascii=False) if _may_name_secret(text) else text
    except (ValueError, RecursionError):
        text = HIDDEN
    text = _SECRET_VALUE.sub(HIDDEN, text)
    return text if len(text) <= MAX_RECORDED else text[: MAX_RECORDED - 1] + HIDDEN


def _may_name_secret(text: str) -> bool:
    """As _SECRET_NAME, which takes a while on the long answers of tools."""
    said = text.casefold()
    return any(name in said for name in _SECRET_NAMES)


def _hidden(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: HIDDEN if _SECRET_NAME.search(name) else _hidden(inner) for name, inner in value.items()}
    return [_hidden(inner) for inner in value] if isinstance(value, list) else value
