"""MCP over standard input and output, for one assistant on the same machine."""

from mcp.server.stdio import stdio_server

from gendei.app import Gendei
from gendei.datafile import data_dir
from gendei.mcp.server import Context, build_server
from gendei.mcp.texts import load_mcp_texts
from gendei.staff.actors import Actor


async def serve_stdio(gendei: Gendei, token: str) -> None:
    """Answer until the input ends. The token is looked at with each request."""
    texts = load_mcp_texts(data_dir("prompts", gendei.settings.prompts_dir))

    async def who(_context: Context) -> Actor | None:
        return await gendei.staff.tokens.actor_of(token)

    server = build_server(gendei, texts, who)
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())
