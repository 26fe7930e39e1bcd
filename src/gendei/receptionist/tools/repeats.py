"""What a model calls again and again in one turn: the same call is answered once more with its first result, and then
ends the turn."""

import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from agents import AgentsException
from agents.tool_context import ToolContext

from gendei.errors import GendeiError
from gendei.messages.turns import ToolStatus
from gendei.receptionist.runtime import MadeCall, Runtime, ToolResult
from gendei.receptionist.tools import CHANGING
from gendei.receptionist.tools.calls import begin, end

Invoke = Callable[[ToolContext[Any], str], Awaitable[str]]
"""How the SDK calls a tool: its arguments are JSON, and so is what it answers."""
BROKEN = "broken"
"""Marks the result of a tool that failed for a reason of ours, unlike one that refused."""
MOST = 2
"""The same call, made once more than this, ends the turn."""


class CalledAgain(GendeiError, AgentsException):
    """The model made the same call a third time, though nothing had changed; guided answers."""


def once(tool: str, invoke: Invoke) -> Invoke:
    """`invoke`, which a model's same call reaches once while nothing changes. Its third raises CalledAgain."""

    async def called(context: ToolContext[Any], arguments: str) -> str:
        runtime: Runtime = context.context
        if not runtime.by_model:
            return await invoke(context, arguments)
        before = _result_before(runtime, tool, arguments)
        if before is not None:
            begin(context)
            end(context, ToolStatus.COMPLETED if before.success else ToolStatus.FAILED, before, before.error)
            return json.dumps({**before.to_dict(), "notice": runtime.say("same_call")}, ensure_ascii=False)
        result: ToolResult | None = None
        try:
            told = await invoke(context, arguments)
            result = _result_of(told)
        finally:
            _remember(runtime, tool, arguments, result)
        return told

    return called


def handed_off(runtime: Runtime, agent: str) -> None:
    """Count a hand-off of a model, which is a call like others. Raises CalledAgain."""
    if _result_before(runtime, agent, "") is None:
        runtime.calls.setdefault(_key(agent, ""), MadeCall())


def _result_before(runtime: Runtime, tool: str, arguments: str) -> ToolResult | None:
    """What the same call of a model returned in this turn, if nothing changed since."""
    before = runtime.calls.get(_key(tool, arguments)) if runtime.by_model else None
    if before is None:
        return None
    before.times += 1
    if before.times > MOST:
        raise CalledAgain
    return before.result


def _remember(runtime: Runtime, tool: str, arguments: str, result: ToolResult | None) -> None:
    """Keep what a call returned; None where it failed for a reason of ours and may be tried again. What changed
    something makes every other call a new one, and what found something those that were refused."""
    key, worked = _key(tool, arguments), result is not None and result.success
    kept = {
        made: call
        for made, call in runtime.calls.items()
        if not worked or (tool not in CHANGING and call.result is not None and call.result.success)
    }
    before = runtime.calls.get(key, MadeCall())
    runtime.calls = {**kept, key: MadeCall(result, before.times)}


def _result_of(told: str) -> ToolResult | None:
    answer = json.loads(told)
    if answer.get("data") == {BROKEN: True}:
        return None
    return ToolResult(answer["success"], answer.get("data"), answer.get("error"))


def _key(tool: str, arguments: str) -> tuple[str, str]:
    with suppress(ValueError, RecursionError):
        arguments = json.dumps(json.loads(arguments or "{}"), sort_keys=True)
    return tool, arguments
