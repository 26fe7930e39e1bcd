"""How a tool of ours becomes a tool of the SDK: identity from the Runtime, a ToolResult as JSON, a time limit,
refusals as answers, and a record of each call for staff."""

import functools
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Concatenate, ParamSpec

from agents import FunctionTool, RunContextWrapper, function_tool
from agents.tool_context import ToolContext

from gendei.booking.refusals import BookingRefused
from gendei.errors import NotFound
from gendei.observing.tracing import span
from gendei.receptionist.contract import ToolStep
from gendei.receptionist.refusals import refusal_result
from gendei.receptionist.runtime import Runtime, ToolResult, failed

P = ParamSpec("P")
Tool = Callable[Concatenate[RunContextWrapper[Runtime], P], Awaitable[ToolResult]]
TOOL_SECONDS = 10.0
"""Seed 2's limit for one tool call."""
BROKEN = "broken"
"""Marks the result of a tool that failed for a reason of ours, unlike one that refused."""
_log = logging.getLogger(__name__)


class Registry:
    """Tools by name. `categories`: category to the names of its tools; a prompt may list a category instead."""

    def __init__(self) -> None:
        self.tools: dict[str, FunctionTool] = {}
        self.categories: dict[str, list[str]] = {}

    def tool(self, category: str) -> Callable[[Tool[P]], Tool[P]]:
        """Register a coroutine `(context, ...) -> ToolResult`. Its signature and docstring are what models see."""

        def register(function: Tool[P]) -> Tool[P]:
            made = function_tool(
                _wrapped(function),
                timeout=TOOL_SECONDS,
                timeout_error_function=_failure,
                failure_error_function=_failure,
            )
            self.tools[made.name] = made
            self.categories.setdefault(category, []).append(made.name)
            return function

        return register


def _wrapped(function: Tool[P]) -> Callable[Concatenate[RunContextWrapper[Runtime], P], Coroutine[Any, Any, str]]:
    async def run(context: RunContextWrapper[Runtime], /, *args: P.args, **kwargs: P.kwargs) -> str:
        with span("tool", tool=function.__name__):
            try:
                result = await function(context, *args, **kwargs)
            except BookingRefused as refused:
                result = refusal_result(context.context, refused)
            except NotFound:
                result = failed(context.context.say("refusal_not_found"))
        _record(context, result.error)
        return result.to_json()

    functools.update_wrapper(run, function)  # the SDK reads name, docstring and signature
    return run


def _record(context: RunContextWrapper[Any], error: str | None) -> None:
    """Keep the call for staff who ask why."""
    if isinstance(context, ToolContext):
        context.context.steps.append(ToolStep(context.tool_name, context.tool_arguments, error))


def _failure(context: RunContextWrapper[Any], error: Exception) -> str:
    """A tool that failed for a reason of ours: the model hears that it failed, staff hear with what."""
    name = type(error).__name__
    _log.error("tool %s failed: %s", getattr(context, "tool_name", "?"), name)
    _record(context, name)
    context.context.tool_failures.append(name)
    return failed(context.context.say("tool_failed"), {BROKEN: True}).to_json()
