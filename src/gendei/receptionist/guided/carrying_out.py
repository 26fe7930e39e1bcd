"""Carries out what a guided dialogue does next, on an agent of the SDK: its tools with their time limits, its
hand-offs, and its rule for when all is said. No model is asked, so the SDK's own loop is not needed: it took a third of
a guided turn."""

import asyncio
import json
from collections.abc import Mapping
from contextlib import closing
from typing import Any, TypeVar

from agents import Agent, FunctionTool, FunctionToolResult, Handoff, RunContextWrapper, ToolTimeoutError
from agents.tool_context import ToolContext

from gendei.errors import GendeiError
from gendei.off_loop import off_loop
from gendei.receptionist.guided.guided_turn import Action, Call, Dialogue, HandOff, Result, Say

T = TypeVar("T")


class GuidedLost(GendeiError):
    """The guided receptionist asked for a tool or hand-off that its present agent does not have, or came to no end.
    Give it to that agent in prompts/, or correct the dialogue."""


async def carry_out(
    dialogue: Dialogue, agent: Agent[T], context: T, *, characters: int, most: int
) -> tuple[Agent[T], str]:
    """The agent that has the conversation at the end, and its last words. characters: how much text it is about. most:
    actions of one turn. Raises GuidedLost, and what a hand-off or a tool without a failure of its own raises."""
    result: Result | None = None
    with closing(dialogue):
        for number in range(most):
            action = await off_loop(characters, lambda: _next(dialogue, result))  # noqa: B023  # awaited at once
            match action:
                case Say(text):
                    return agent, text
                case HandOff(name):
                    agent, result = await _handed_off(agent, name, context), {}
                case Call(name, arguments):
                    tool, told = await _called(agent, name, arguments, context, f"guided-{number}")
                    if await _ends(agent, tool, told, context):
                        return agent, ""
                    result = _parsed(told)
    raise GuidedLost(f"no end after {most} actions")


def _next(dialogue: Dialogue, result: Result | None) -> Action:
    try:
        return next(dialogue) if result is None else dialogue.send(result)
    except StopIteration:
        return Say()


async def _handed_off(agent: Agent[T], name: str, context: T) -> Agent[T]:
    for offered in agent.handoffs:
        if isinstance(offered, Handoff) and offered.agent_name == name:
            taken: Agent[T] = await offered.on_invoke_handoff(RunContextWrapper(context), "")
            return taken
    raise GuidedLost(f"{agent.name} does not hand off to {name}")


async def _called(
    agent: Agent[T], name: str, arguments: Mapping[str, Any], context: T, call_id: str
) -> tuple[FunctionTool, object]:
    """The tool and what it told, within its time."""
    tool = next((tool for tool in agent.tools if isinstance(tool, FunctionTool) and tool.name == name), None)
    if tool is None:
        raise GuidedLost(f"{agent.name} does not have {name}")
    given = json.dumps(arguments, ensure_ascii=False)
    called = ToolContext(context, tool_name=name, tool_call_id=call_id, tool_arguments=given, agent=agent)
    try:
        async with asyncio.timeout(tool.timeout_seconds):
            return tool, await tool.on_invoke_tool(called, given)
    except TimeoutError as late:
        too_slow = ToolTimeoutError(name, tool.timeout_seconds or 0)
        if tool.timeout_error_function is None:
            raise too_slow from late
        told = tool.timeout_error_function(called, too_slow)
        return tool, told if isinstance(told, str) else await told


async def _ends(agent: Agent[T], tool: FunctionTool, told: object, context: T) -> bool:
    """Whether, by the agent's own rule, nothing is left to say."""
    rule = agent.tool_use_behavior
    if not callable(rule):
        return False
    end = rule(RunContextWrapper(context), [FunctionToolResult(tool, told, run_item=None)])
    return (end if not asyncio.iscoroutine(end) else await end).is_final_output  # type: ignore[union-attr]


def _parsed(told: object) -> Result:
    try:
        parsed = json.loads(told) if isinstance(told, str) else told
    except ValueError:
        parsed = None
    return parsed if isinstance(parsed, dict) else {"success": False, "error": "unreadable result"}
