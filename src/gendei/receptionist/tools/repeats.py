"""What a model calls again and again in one turn: the same call is answered once more with its first result, and then
ends the turn."""

import json
from contextlib import suppress

from agents import AgentsException

from gendei.errors import GendeiError
from gendei.receptionist.runtime import MadeCall, Runtime, ToolResult
from gendei.receptionist.tools import CHANGING

MOST = 2
"""The same call, made once more than this, ends the turn."""


class CalledAgain(GendeiError, AgentsException):
    """The model made the same call a third time, though nothing had changed; guided answers."""


def result_before(runtime: Runtime, tool: str, arguments: str) -> ToolResult | None:
    """What the same call of a model returned in this turn, if nothing changed since. Raises CalledAgain."""
    before = runtime.calls.get(_key(tool, arguments)) if runtime.by_model else None
    if before is None:
        return None
    before.times += 1
    if before.times > MOST:
        raise CalledAgain
    return before.result


def remember(runtime: Runtime, tool: str, arguments: str, result: ToolResult | None) -> None:
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


def handed_off(runtime: Runtime, agent: str) -> None:
    """Count a hand-off of a model, which is a call like others. Raises CalledAgain."""
    if result_before(runtime, agent, "") is None:
        runtime.calls.setdefault(_key(agent, ""), MadeCall())


def told_again(runtime: Runtime, result: ToolResult) -> str:
    """The first result, with a word about it, as the model reads it."""
    return json.dumps({**result.to_dict(brief=True), "notice": runtime.say("same_call")}, ensure_ascii=False)


def _key(tool: str, arguments: str) -> tuple[str, str]:
    with suppress(ValueError, RecursionError):
        arguments = json.dumps(json.loads(arguments or "{}"), sort_keys=True)
    return tool, arguments
