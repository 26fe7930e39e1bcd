"""How a tool of ours becomes a tool of the SDK: identity from the Runtime, a ToolResult as JSON, a time limit,
refusals as answers, and a record of each call for staff."""

import functools
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial
from inspect import getdoc
from typing import Any, Concatenate, ParamSpec

from agents import FunctionTool, RunContextWrapper, ToolTimeoutError
from agents.function_schema import FuncSchema, function_schema
from agents.tool_context import ToolContext

from gendei.booking.slots import BookingRefused
from gendei.errors import NotFound, StoreUnavailable
from gendei.messages.turns import ToolStatus
from gendei.observing.tracing import span
from gendei.receptionist.runtime import Context, Declined, Runtime, ToolResult, failed
from gendei.receptionist.tools import (
    CATEGORY_OF,
    appointments,
    information,
    knowing,
    messaging,
    paying,
    scheduling,
    telling,
    waiting,
)
from gendei.receptionist.tools.arguments import given
from gendei.receptionist.tools.calls import begin, end
from gendei.receptionist.tools.descriptions import ToolDescriptions
from gendei.receptionist.tools.offering import refusal_result
from gendei.receptionist.tools.refusals import ToolRefusal
from gendei.receptionist.tools.repeats import BROKEN, Invoke, once
from gendei.receptionist.tools.schemas import plain, told

P = ParamSpec("P")
Tool = Callable[Concatenate[Context, P], Awaitable[ToolResult]]
TOOL_SECONDS = 10.0
"""For one tool call, its repetitions included."""
FAILURES_IN_A_ROW = 3
"""After so many, a tool rests, and again after each further one until it works."""
FIRST_REST, LONGEST_REST = timedelta(minutes=1), timedelta(minutes=30)
"""Each rest is twice as long as the one before."""
RETRIES = {"get_available_slots": 1, "get_patient_appointments": 1}
"""How often a tool is asked again where the store did not answer: only those that change nothing there."""
_log = logging.getLogger(__name__)


class Availability(StrEnum):
    """RESTING: it failed several times in a row, and is left alone for a while."""

    AVAILABLE = "available"
    RESTING = "resting"
    UNAVAILABLE = "unavailable"


@dataclass(slots=True)
class Health:
    """What this process saw of a tool. A refusal ("that time is taken") is a call that worked. rests: in a row, since
    it worked last."""

    calls: int = 0
    failures: int = 0
    failures_in_a_row: int = 0
    worked_at: datetime | None = None
    failed_at: datetime | None = None
    last_error: str | None = None
    rests: int = 0
    rests_until: datetime | None = None

    @property
    def availability(self) -> Availability:
        broken = self.failures_in_a_row >= FAILURES_IN_A_ROW
        return Availability.UNAVAILABLE if broken else Availability.AVAILABLE

    def is_resting(self, now: datetime) -> bool:
        return self.rests_until is not None and now < self.rests_until

    def count(self, at: datetime, error: str | None = None) -> None:
        """One more call; `error` where it broke."""
        self.calls += 1
        if error is None:
            self.worked_at, self.failures_in_a_row, self.rests, self.rests_until = at, 0, 0, None
            return
        self.failed_at, self.last_error = at, error
        self.failures, self.failures_in_a_row = self.failures + 1, self.failures_in_a_row + 1
        if self.failures_in_a_row >= FAILURES_IN_A_ROW and not self.is_resting(at):
            self.rests_until = at + min(FIRST_REST * 2 ** min(self.rests, 10), LONGEST_REST)
            self.rests += 1


@dataclass(frozen=True, slots=True)
class ToolEntry:
    """A tool as operators see it. parameters: its JSON schema, without the texts that models read."""

    name: str
    category: str
    description: str
    parameters: Mapping[str, Any]
    timeout_seconds: float
    retries: int
    health: Health


class Registry:
    """Tools by name, each under a name of `tool_names.CATEGORIES`."""

    def __init__(self) -> None:
        self.tools: dict[str, FunctionTool] = {}
        self.health: dict[str, Health] = {}
        self.summaries: dict[str, str] = {}
        self._invoking: dict[str, Callable[[Mapping[str, Any]], Invoke]] = {}

    def told(self, texts: ToolDescriptions) -> Mapping[str, FunctionTool]:
        """The tools with what models read of them. Raises ConfigurationError for texts that do not fit."""
        made = [told(tool, texts.tools[name]) for name, tool in self.tools.items()]
        return {
            tool.name: replace(tool, on_invoke_tool=self._invoking[tool.name](tool.params_json_schema)) for tool in made
        }

    def add(self, *functions: Tool[...]) -> None:
        """Register coroutines `(context, ...) -> ToolResult`. Their signatures are what models may call them with, the
        texts of `prompts/tools.yaml` what they read. Raises ValueError for one that has no category."""
        for function in functions:
            name = function.__name__
            if name not in CATEGORY_OF:
                raise ValueError(f"the tool {name} has no category in receptionist/tools/__init__.py")
            health = Health()
            schema = function_schema(function, use_docstring_info=False)
            parameters = plain(schema.params_json_schema)
            self.health[name] = health
            self.summaries[name] = (getdoc(function) or "").partition("\n")[0]
            self._invoking[name] = partial(_invoked, function, schema, RETRIES.get(name, 0), health)
            self.tools[name] = FunctionTool(
                name=name,
                description="",
                params_json_schema=parameters,
                on_invoke_tool=self._invoking[name](parameters),
                timeout_seconds=TOOL_SECONDS,
                timeout_error_function=_failure(health),
            )

    def entries(self) -> tuple[ToolEntry, ...]:
        """Every tool, by category and name."""
        return tuple(
            ToolEntry(
                name=name,
                category=CATEGORY_OF[name],
                description=self.summaries[name],
                parameters=tool.params_json_schema,
                timeout_seconds=TOOL_SECONDS,
                retries=RETRIES.get(name, 0),
                health=self.health[name],
            )
            for name, tool in sorted(self.tools.items(), key=lambda item: (CATEGORY_OF[item[0]], item[0]))
        )


@functools.cache
def all_tools() -> Registry:
    """Every tool there is, with its health in this process; prompts name the ones that an agent gets."""
    registry = Registry()
    for module in (information, knowing, scheduling, appointments, paying, waiting, messaging, telling):
        registry.add(*module.TOOLS)
    return registry


def _invoked(
    function: Tool[...], schema: FuncSchema, retries: int, health: Health, described: Mapping[str, Any]
) -> Invoke:
    """What the SDK calls: reads the arguments, and answers with the result, whatever happens, as JSON. described: the
    schema as models read it."""
    failure = _failure(health)

    async def run(context: ToolContext[Any], arguments: str) -> ToolResult:
        positional, named = given(schema, described, arguments, context.context.say)
        for _ in range(retries):
            try:
                return await function(context, *positional, **named)
            except StoreUnavailable:
                begin(context, again=True)
        return await function(context, *positional, **named)

    async def attempt(context: ToolContext[Any], arguments: str) -> ToolResult:
        try:
            return await run(context, arguments)
        except BookingRefused as refused:
            return refusal_result(context.context, refused)
        except Declined as declined:
            return failed(declined.reason, str(declined))
        except NotFound:
            return failed(ToolRefusal.NOT_FOUND, context.context.say("refusal_not_found"))

    async def invoke(context: ToolContext[Any], arguments: str) -> str:
        runtime: Runtime = context.context
        with span("tool", tool=schema.name):
            begin(context)
            try:
                result = await attempt(context, arguments)
            except Exception as error:  # noqa: BLE001  # whatever broke, the model is told and the turn goes on
                return failure(context, error)
        if result.reason is not ToolRefusal.ARGUMENTS:
            health.count(runtime.moment())
        end(context, ToolStatus.COMPLETED if result.error is None else ToolStatus.FAILED, result, result.error)
        return result.to_json(brief=runtime.by_model)

    return once(schema.name, invoke)


def _failure(health: Health) -> Callable[[RunContextWrapper[Any], Exception], str]:
    """A tool that failed for a reason of ours: the model hears that it failed, staff hear with what."""

    def tell(context: RunContextWrapper[Any], error: Exception) -> str:
        name = type(error).__name__
        _log.error("tool %s failed: %s", getattr(context, "tool_name", "?"), name)
        health.count(context.context.moment(), name)
        too_slow = isinstance(error, ToolTimeoutError)
        reason = ToolRefusal.TOO_SLOW if too_slow else ToolRefusal.BROKEN
        end(context, ToolStatus.TIMEOUT if too_slow else ToolStatus.FAILED, None, name, reason)
        context.context.tool_failures.append(name)
        return failed(reason, context.context.say("tool_failed"), {BROKEN: True}).to_json()

    return tell
