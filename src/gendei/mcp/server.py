"""The MCP server of a running Gendei: tools, the agenda as resources, and errands as prompts.

It knows no transport: `who` tells who asks, with every request anew, so that a revoked token ends at once.
"""

import importlib.metadata
import json
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import unquote

from mcp.server import Server, ServerRequestContext
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
)

from gendei.app import Gendei
from gendei.commands.refusals import Reason
from gendei.commands.running import COMMANDS
from gendei.mcp.calls import ToolCalls
from gendei.mcp.texts import Errand, McpTexts
from gendei.staff.actors import Actor

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
        self._calls = ToolCalls(gendei.desks, texts.of_tools)

    async def list_tools(self, context: Context, _params: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=self._calls.shown_to(await self._actor(context)))

    async def call_tool(self, context: Context, params: CallToolRequestParams) -> CallToolResult:
        actor = await self._who(context)
        if actor is None:
            return self._calls.refused(Reason.NO_TOKEN)
        tool = COMMANDS.get(params.name)
        if tool is None:
            raise MCPError(INVALID_PARAMS, "there is no such tool; tools/list names those there are")
        return await self._calls.call(actor, tool, params.arguments or {})

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
        told = await self._calls.told(actor, COMMANDS["list_appointments"], {"days": day})
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
