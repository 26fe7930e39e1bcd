"""The commands as MCP shows them, and what became of a call as an MCP result."""

from collections.abc import Mapping
from typing import Any

from mcp.types import CallToolResult, TextContent, ToolAnnotations
from mcp.types import Tool as ToolShown
from pydantic_core import to_json

from gendei.commands.command import Command, Desks
from gendei.commands.refusals import Reason
from gendei.commands.running import COMMANDS, CommandRunner, Told, tool_schema
from gendei.commands.texts import ToolTexts
from gendei.staff.actors import Actor

CHANNEL = "mcp"


class ToolCalls:
    """Never raises: what went wrong is told in the result, with what to do."""

    def __init__(self, desks: Desks, texts: ToolTexts) -> None:
        self._texts, self._runner = texts, CommandRunner(desks, texts, CHANNEL)

    def shown_to(self, actor: Actor) -> list[ToolShown]:
        """The tools that `actor` may call."""
        return [
            self._shown(command) for command in COMMANDS.values() if all(actor.may(right) for right in command.rights)
        ]

    async def told(self, actor: Actor, tool: Command[Any, Any], arguments: Mapping[str, Any]) -> Told:
        return await self._runner.call(actor, tool, arguments)

    async def call(self, actor: Actor, tool: Command[Any, Any], arguments: Mapping[str, Any]) -> CallToolResult:
        return _result(await self.told(actor, tool, arguments))

    def refused(self, reason: Reason) -> CallToolResult:
        """A call that was not begun."""
        return _result(self._runner.refused(reason))

    def _shown(self, tool: Command[Any, Any]) -> ToolShown:
        title = self._texts.tools[tool.name]
        hints = ToolAnnotations(
            title=title,
            read_only_hint=not tool.writes,
            destructive_hint=tool.destructive,
            idempotent_hint=not tool.repeats,
            open_world_hint=tool.outside,
        )
        schema = tool_schema(tool.name)
        return ToolShown(
            name=tool.name, title=title, description=tool.description, input_schema=schema, annotations=hints
        )


def _result(told: Told) -> CallToolResult:
    text = to_json(told.answer).decode()
    return CallToolResult(content=[TextContent(text=text)], structured_content=told.answer, is_error=told.refused)
