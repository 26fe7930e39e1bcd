"""Calling a tool: who may, with what, once, and what became of it as an MCP result."""

import json
import logging
from collections.abc import Mapping
from datetime import timedelta
from hashlib import sha256
from typing import Any

from mcp.types import CallToolResult, TextContent, ToolAnnotations
from mcp.types import Tool as ToolShown
from pydantic import ValidationError

from gendei.app import Gendei
from gendei.conversation.turn import describe
from gendei.conversation.window import WindowClosed
from gendei.errors import NotFound, StoreUnavailable, TooContended
from gendei.mcp import agenda_tools, people_tools, shown, task_tools
from gendei.mcp.texts import Fault, McpTexts
from gendei.mcp.tool import Asked, Call, Result, Tool, ToolRefused
from gendei.staff.actors import Actor, Forbidden
from gendei.staff.agenda import AgendaRefused, clinic_of
from gendei.staff.conversation_actions import TooMuch
from gendei.staff.once import KEPT_FOR, InProgress, KeyReused, Once
from gendei.staff.tasks_fields import TaskRefused

log = logging.getLogger(__name__)
TOOLS: Mapping[str, Tool[Any]] = {
    one.name: one for one in (*agenda_tools.TOOLS, *people_tools.TOOLS, *task_tools.TOOLS)
}
SAME_AGAIN = timedelta(minutes=2)
"""Within it the same call of a tool that `repeats`, without a key, is a client's second attempt."""
_FAULTS: Mapping[type[Exception], Fault] = {
    Forbidden: Fault.FORBIDDEN,
    NotFound: Fault.NOT_FOUND,
    WindowClosed: Fault.WINDOW_CLOSED,
    TooMuch: Fault.TOO_LONG,
    KeyReused: Fault.KEY_REUSED,
    InProgress: Fault.IN_PROGRESS,
    StoreUnavailable: Fault.UNAVAILABLE,
    TooContended: Fault.UNAVAILABLE,
}


async def call_of(gendei: Gendei, actor: Actor) -> Call:
    """What a call of `actor`'s works with. Raises NotFound where the clinic is gone."""
    clinic = await clinic_of(gendei.directory, actor)
    return Call(gendei, actor, clinic, clinic.local(gendei.clock()))


class Calls:
    """Never raises: what went wrong is told in the result, with what to do."""

    def __init__(self, gendei: Gendei, texts: McpTexts) -> None:
        self._gendei, self._texts = gendei, texts
        self._once = Once(gendei.documents, gendei.clock)

    def shown_to(self, actor: Actor) -> list[ToolShown]:
        """The tools that `actor` may call."""
        return [self._shown(one) for one in TOOLS.values() if all(actor.may(right) for right in one.rights)]

    async def call(self, actor: Actor, tool: Tool[Any], arguments: Mapping[str, Any]) -> CallToolResult:
        try:
            asked = tool.asked.model_validate(dict(arguments))
            for right in sorted(tool.rights):
                actor.require(right)
            answer = await self._run(await call_of(self._gendei, actor), tool, asked)
        except Exception as error:  # noqa: BLE001 - whatever it is, the assistant is told what to do
            return self._failed(error, actor, tool)
        return CallToolResult(content=[_text(answer)], structured_content=answer)

    def refused(self, fault: Fault) -> CallToolResult:
        """A call that was not begun."""
        return _error(str(fault), self._texts.fault(fault), {})

    async def _run(self, call: Call, tool: Tool[Any], asked: Asked) -> Result:
        key = getattr(asked, "idempotency_key", None)
        if key is None and not tool.repeats:
            return await tool.run(call, asked)
        content = f"{tool.name}\n{asked.model_dump_json(exclude={'idempotency_key'})}".encode()
        whole = f"mcp key {key}" if key else f"mcp same {sha256(content).hexdigest()}"

        async def act() -> Result:
            return await tool.run(call, asked)

        done = await self._once.do(call.actor, whole, content, act, kept_for=KEPT_FOR if key else SAME_AGAIN)
        return (done.answer or {}) | ({"repeated": True} if done.again else {})

    def _failed(self, error: Exception, actor: Actor, tool: Tool[Any]) -> CallToolResult:
        match error:
            case ValidationError():
                wrong = [
                    f"{'.'.join(map(str, one['loc'])) or 'arguments'}: {one['msg']}"
                    for one in error.errors(include_input=False, include_url=False, include_context=False)
                ]
                return _error(str(Fault.INVALID), self._texts.fault(Fault.INVALID, words="; ".join(wrong)), {})
            case ToolRefused():
                return _error(str(error.fault), self._texts.fault(error.fault, **error.values), error.more)
            case AgendaRefused():
                free = {"alternatives": [shown.slot(one) for one in error.alternatives]} if error.alternatives else {}
                return _error(error.reason, error.text, free)
            case TaskRefused():
                near = [{"id": one.id, "title": one.title} for one in error.candidates]
                return _error(str(error.fault), error.text, {"candidates": near} if near else {})
        fault = next((one for kind, one in _FAULTS.items() if isinstance(error, kind)), Fault.FAILED)
        if fault is Fault.FAILED:
            log.error("tool %s failed for clinic %s: %s", tool.name, actor.clinic_id, describe(error))
        return self.refused(fault)

    def _shown(self, tool: Tool[Any]) -> ToolShown:
        title = self._texts.tools[tool.name]
        hints = ToolAnnotations(
            title=title,
            read_only_hint=not tool.writes,
            destructive_hint=tool.destructive,
            idempotent_hint=not tool.repeats,
            open_world_hint=tool.outside,
        )
        return ToolShown(
            name=tool.name, title=title, description=tool.description, input_schema=tool.schema, annotations=hints
        )


def _error(reason: str, text: str, more: Mapping[str, Any]) -> CallToolResult:
    told = {"error": reason, "message": text, **more}
    return CallToolResult(content=[_text(told)], structured_content=told, is_error=True)


def _text(answer: Mapping[str, Any]) -> TextContent:
    return TextContent(text=json.dumps(answer, ensure_ascii=False, separators=(",", ":")))
