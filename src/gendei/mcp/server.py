"""The MCP server of a running Gendei: tools, the agenda as resources, and errands as prompts.

It knows no transport: `who` tells who asks, with every request anew, so that a revoked token ends at once.
"""

import importlib.metadata
import json
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import unquote

from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    CallToolRequestParams,
    CallToolResult,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    Prompt,
    PromptArgument,
    PromptMessage,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextContent,
    TextResourceContents,
    ToolAnnotations,
)
from mcp.types import Tool as ToolShown
from pydantic_core import to_json

from gendei.app import Gendei
from gendei.commands.command import Command
from gendei.commands.refusals import Reason
from gendei.commands.running import COMMANDS, CommandRunner, Told, ToolTexts, tool_schema
from gendei.datafile import data_dir
from gendei.mcp.texts import Errand, McpTexts
from gendei.staff.actors import Actor

CHANNEL = "mcp"


def tools_of(actor: Actor, texts: ToolTexts) -> list[ToolShown]:
    """The tools that `actor` may call."""
    may = (command for command in COMMANDS.values() if all(actor.may(right) for right in command.rights))
    return [_shown(command, texts.tools[command.name]) for command in may]


def _shown(tool: Command[Any, Any], title: str) -> ToolShown:
    hints = ToolAnnotations(
        title=title,
        read_only_hint=not tool.writes,
        destructive_hint=tool.destructive,
        idempotent_hint=not tool.repeats,
        open_world_hint=tool.outside,
    )
    schema = tool_schema(tool.name)
    return ToolShown(name=tool.name, title=title, description=tool.description, input_schema=schema, annotations=hints)


def _result(told: Told) -> CallToolResult:
    text = to_json(told.answer).decode()
    return CallToolResult(content=[TextContent(text=text)], structured_content=told.answer, is_error=told.refused)


AGENDA = "gendei://agenda/"
JSON = "application/json"
MOST_ARGUMENT = 200
Context = ServerRequestContext[Any, Any]
Who = Callable[[Context], Awaitable[Actor | None]]


def build_server(gendei: Gendei, texts: McpTexts, who: Who) -> Server[Any]:
    """`who`: the actor of a request's token; None where it is not, or no longer, good."""
    answers = _Answers(gendei, texts, who)
    server = Server[Any](
        "gendei",
        version=importlib.metadata.version("gendei"),
        title="Gendei",
        instructions=texts.instructions,
        get_tool_input_schema=_no_headers,
        on_list_tools=answers.list_tools,
        on_call_tool=answers.call_tool,
        on_list_resources=answers.list_resources,
        on_list_resource_templates=answers.list_templates,
        on_read_resource=answers.read_resource,
        on_list_prompts=answers.list_prompts,
        on_get_prompt=answers.get_prompt,
    )
    server.middleware.clear()  # the SDK's own tracing: nothing exports it here, and it takes a fifth of a short call
    return server


def _no_headers(_tool: str) -> None:
    """None of our arguments is also a header; without this the SDK would list all tools to find that out, each time."""


class _Answers:
    """What the server answers, for the actor of each request."""

    def __init__(self, gendei: Gendei, texts: McpTexts, who: Who) -> None:
        self._texts, self._who = texts, who
        self._runner = CommandRunner(gendei.desks, texts.of_tools, CHANNEL)

    async def list_tools(self, context: Context, _params: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=tools_of(await self._actor(context), self._texts.of_tools))

    async def call_tool(self, context: Context, params: CallToolRequestParams) -> CallToolResult:
        actor = await self._who(context)
        if actor is None:
            return _result(self._runner.refused(Reason.NO_TOKEN))
        tool = COMMANDS.get(params.name)
        if tool is None:
            raise MCPError(INVALID_PARAMS, "there is no such tool; tools/list names those there are")
        return _result(await self._runner.call(actor, tool, params.arguments or {}))

    async def list_resources(self, _context: Context, _params: PaginatedRequestParams | None) -> ListResourcesResult:
        shown = self._texts.resources
        return ListResourcesResult(
            resources=[
                Resource(
                    uri=f"{AGENDA}{day}",
                    name=f"agenda_{day}",
                    title=f"{shown.agenda_title}: {day}",
                    description=shown.agenda_description,
                    mime_type=JSON,
                )
                for day in ("hoje", "amanha")
            ]
        )

    async def list_templates(
        self, _context: Context, _params: PaginatedRequestParams | None
    ) -> ListResourceTemplatesResult:
        shown = self._texts.resources
        template = ResourceTemplate(
            uri_template=f"{AGENDA}{{dia}}",
            name="agenda",
            title=shown.agenda_title,
            description=shown.agenda_description,
            mime_type=JSON,
        )
        return ListResourceTemplatesResult(resource_templates=[template])

    async def read_resource(self, context: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        actor, uri = await self._actor(context), str(params.uri)
        day = unquote(uri.removeprefix(AGENDA))
        if not uri.startswith(AGENDA) or not 0 < len(day) <= MOST_ARGUMENT:
            raise MCPError(INVALID_PARAMS, self._texts.of_tools.why(Reason.NOT_FOUND))
        told = await self._runner.call(actor, COMMANDS["list_appointments"], {"days": day})
        if told.refused:
            raise MCPError(INVALID_PARAMS, told.answer["message"])
        text = json.dumps(told.answer, ensure_ascii=False)
        return ReadResourceResult(contents=[TextResourceContents(uri=params.uri, mime_type=JSON, text=text)])

    async def list_prompts(self, _context: Context, _params: PaginatedRequestParams | None) -> ListPromptsResult:
        return ListPromptsResult(prompts=[_prompt(known) for known in self._texts.errands])

    async def get_prompt(self, _context: Context, params: GetPromptRequestParams) -> GetPromptResult:
        errand = next((errand for errand in self._texts.errands if errand.name == params.name), None)
        given = params.arguments or {}
        if errand is None:
            raise MCPError(INVALID_PARAMS, "there is no such prompt; prompts/list names those there are")
        missing = [
            argument.name
            for argument in errand.arguments
            if argument.required and not given.get(argument.name, "").strip()
        ]
        wrong = missing or [name for name, value in given.items() if len(value) > MOST_ARGUMENT]
        if wrong:
            raise MCPError(INVALID_PARAMS, self._texts.of_tools.why(Reason.INVALID, words=", ".join(wrong)))
        message = PromptMessage(role="user", content=TextContent(text=errand.filled(given)))
        return GetPromptResult(description=errand.description, messages=[message])

    async def _actor(self, context: Context) -> Actor:
        actor = await self._who(context)
        if actor is None:
            raise MCPError(INVALID_REQUEST, self._texts.of_tools.why(Reason.NO_TOKEN))
        return actor


def _prompt(errand: Errand) -> Prompt:
    arguments = [
        PromptArgument(name=argument.name, description=argument.description, required=argument.required)
        for argument in errand.arguments
    ]
    return Prompt(name=errand.name, title=errand.title, description=errand.description, arguments=arguments)


async def serve_stdio(gendei: Gendei, token: str) -> None:
    """Answer until the input ends. The token is looked at with each request."""
    texts = McpTexts.load(data_dir("prompts", gendei.settings.prompts_dir))

    async def who(_context: Context) -> Actor | None:
        return await gendei.staff.tokens.actor_of(token)

    server = build_server(gendei, texts, who)
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())
