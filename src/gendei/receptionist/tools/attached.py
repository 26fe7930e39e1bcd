"""Tools of the clinics' own servers, as agents may call them: what a server says is data, its failures cost its own
tools alone, and who the patient is comes from the Runtime."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from agents import FunctionTool
from agents.tool_context import ToolContext

from gendei.clinic import Clinic
from gendei.clinic_services import ToldFact
from gendei.errors import GendeiError
from gendei.messages.turns import ToolStatus
from gendei.observing.tracing import span
from gendei.prompts import Phrases
from gendei.receptionist.runtime import Runtime, ToolResult, failed
from gendei.receptionist.tools.calls import begin, end
from gendei.receptionist.tools.refusals import Why
from gendei.receptionist.tools.registry import Health
from gendei.receptionist.tools.repeats import once

_log = logging.getLogger(__name__)
Arguments = Mapping[str, Any]
Told = Mapping[ToldFact, str]
"""What a call may tell the server of the turn, as far as it is known."""


class AttachedFailed(GendeiError):
    """A server of a clinic's own did not answer as it should; `why` says how. Look at it, or take it out of the clinic
    file."""

    def __init__(self, why: Why) -> None:
        self.why = why
        super().__init__(f"a clinic's server: {why}")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool answered, as JSON values within bounds. `refused`: the tool says itself that it failed."""

    content: Any
    refused: bool = False


@dataclass(frozen=True, slots=True)
class AttachedTool:
    """A tool of a clinic's server. name: as models see it. description: the server's words, cleaned and bounded.
    parameters: a JSON schema without what `fills` names. check: what is wrong with a model's arguments, or None. call:
    raises AttachedFailed. retries: of what reads only. keep: called when it begins to rest, or works again; it never
    raises."""

    name: str
    server: str
    description: str
    parameters: Mapping[str, Any]
    timeout_seconds: float
    retries: int
    fills: Mapping[str, ToldFact]
    check: Callable[[Arguments], str | None]
    call: Callable[[Arguments, Told], Awaitable[Answer]]
    health: Health = field(default_factory=Health)
    keep: Callable[[], Awaitable[None]] | None = None

    def limit(self, seconds: float) -> float:
        """Seconds that one call may take where the deployment gives `seconds`."""
        return min(seconds, self.timeout_seconds)


class AttachedTools(Protocol):
    def of(self, clinic: Clinic, agent: str) -> Sequence[AttachedTool]:
        """The tools that this agent may call for this clinic now; from memory."""
        ...

    def resting(self, clinic: Clinic, agent: str) -> Sequence[AttachedTool]:
        """Those that it may not call for a while, since they failed."""
        ...


def attached_tools(
    attached: AttachedTools, clinic: Clinic, agents: Sequence[str], phrases: Phrases, seconds: float
) -> dict[str, tuple[FunctionTool, ...]]:
    """By agent, for one turn: what it may call, and what rests, which says so. seconds: the most that any call may
    take."""
    found = {
        agent: (
            *(_function_tool(tool, phrases, tool.limit(seconds)) for tool in attached.of(clinic, agent)),
            *(_resting_tool(tool, phrases) for tool in attached.resting(clinic, agent)),
        )
        for agent in agents
    }
    return {agent: tools for agent, tools in found.items() if tools}


def _function_tool(tool: AttachedTool, phrases: Phrases, seconds: float) -> FunctionTool:
    async def invoke(context: ToolContext[Any], arguments: str) -> str:
        return await _invoke(tool, context, arguments, seconds)

    return FunctionTool(
        name=tool.name,
        description=phrases.say("attached_tool", 0, name=tool.server, value=tool.description),
        params_json_schema=dict(tool.parameters),
        on_invoke_tool=once(tool.name, invoke),
        strict_json_schema=False,
    )


def _resting_tool(tool: AttachedTool, phrases: Phrases) -> FunctionTool:
    """In the place of a tool that rests: its server is not asked."""

    async def invoke(context: ToolContext[Any], _arguments: str) -> str:
        runtime: Runtime = context.context
        begin(context)
        result = failed(Why.RESTING, runtime.say("attached_resting", name=tool.server))
        end(context, ToolStatus.FAILED, result, Why.RESTING)
        return result.to_json()

    return FunctionTool(
        name=tool.name,
        description=phrases.say("attached_resting", 0, name=tool.server),
        params_json_schema=dict(tool.parameters),
        on_invoke_tool=invoke,
        strict_json_schema=False,
    )


async def _count(tool: AttachedTool, runtime: Runtime, error: str | None = None) -> None:
    """Take one more call into the tool's health; what has to outlast the process is kept."""
    rests = tool.health.rests
    tool.health.count(runtime.moment(), error)
    if tool.health.rests > rests:
        _log.error("the tool %s of clinic %s fails (%s) and rests", tool.name, runtime.clinic.id, error)
    if tool.health.rests != rests and tool.keep is not None:
        await tool.keep()


async def _invoke(tool: AttachedTool, context: ToolContext[Any], arguments: str, seconds: float) -> str:
    """One call, with its record; an error never leaves."""
    runtime: Runtime = context.context
    with span("tool", tool=tool.name):
        begin(context)
        try:
            given = _given(tool, runtime, arguments)
            async with asyncio.timeout(seconds):
                answer = await _answered(tool, context, given, _told(runtime))
        except _Misfit as misfit:
            result = failed(Why.ARGUMENTS, runtime.say("attached_arguments", value=misfit.what))
            end(context, ToolStatus.FAILED, result, Why.ARGUMENTS)
            return result.to_json()
        except (AttachedFailed, TimeoutError) as error:
            why = error.why if isinstance(error, AttachedFailed) else Why.TIMED_OUT
            await _count(tool, runtime, why)
            status = ToolStatus.TIMEOUT if why is Why.TIMED_OUT else ToolStatus.FAILED
            result = failed(why, runtime.say("attached_failed", name=tool.server))
            end(context, status, result, why)
            return result.to_json()
    await _count(tool, runtime)
    return _ended(tool, context, answer)


def _ended(tool: AttachedTool, context: ToolContext[Any], answer: Answer) -> str:
    """What the model reads of an answer: the server's words, marked as such."""
    runtime: Runtime = context.context
    data = {"server": tool.server, "notice": runtime.say("attached_notice"), "content": answer.content}
    if answer.refused:
        result = failed(Why.REFUSED, runtime.say("attached_refused", name=tool.server), data)
        end(context, ToolStatus.FAILED, result, Why.REFUSED)
    else:
        result = ToolResult(True, data)
        runtime.attached_answers.append(answer.content)
        end(context, ToolStatus.COMPLETED, result, None)
    return result.to_json()


async def _answered(tool: AttachedTool, context: ToolContext[Any], given: Arguments, told: Told) -> Answer:
    for _ in range(tool.retries):
        try:
            return await tool.call(given, told)
        except AttachedFailed as error:
            if error.why is not Why.UNREACHABLE:
                raise
            begin(context, again=True)
    return await tool.call(given, told)


class _Misfit(Exception):
    def __init__(self, what: str) -> None:
        self.what = what
        super().__init__(Why.ARGUMENTS)


def _given(tool: AttachedTool, runtime: Runtime, arguments: str) -> Arguments:
    """A model's arguments, checked, with those that are not its own to give. Raises _Misfit, and AttachedFailed where
    one of these is not known."""
    try:
        given = json.loads(arguments or "{}")
    except (ValueError, RecursionError):
        raise _Misfit("JSON") from None
    if not isinstance(given, dict):
        raise _Misfit("JSON")
    if (wrong := tool.check(given)) is not None:
        raise _Misfit(wrong)
    told = _told(runtime)
    if not set(tool.fills.values()) <= told.keys():
        raise AttachedFailed(Why.NOBODY)
    return {**given, **{name: told[fact] for name, fact in tool.fills.items()}}


def _told(runtime: Runtime) -> dict[ToldFact, str]:
    phone = {ToldFact.PATIENT_PHONE: runtime.phone} if runtime.phone else {}
    return {ToldFact.CLINIC_ID: runtime.clinic.id, **phone}
