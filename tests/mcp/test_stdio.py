"""`gendei mcp`: an assistant on the same machine, over standard input and output."""

import asyncio
import json
import sys

import pytest
from agents.mcp import MCPServerStdio
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from tests.journeys.forked import start_gendei
from tests.journeys.processes import reading
from tests.journeys.town import AURORA
from tests.mcp.machine import Machine
from tests.web.api.conftest import gestor


@pytest.mark.slow
async def test_the_official_client_works_and_hears_of_a_revoked_token(machine: Machine) -> None:
    program = StdioServerParameters(command=sys.executable, args=machine.command, env=machine.environment)
    async with Client(program) as client:
        added = await client.call_tool("add_task", {"title": "Ligar para Maria"})
        listed = await client.call_tool("list_tasks", {})
        await machine.tokens.revoke(gestor(AURORA), machine.token_id)
        while not (after := await client.call_tool("list_tasks", {})).is_error:
            pass  # the process believes in a token for three seconds at most
    assert [task["title"] for task in listed.structured_content["tasks"]] == [added.structured_content["title"]]
    assert after.structured_content["error"] == "no_token"


async def test_openai_agents_client_works(machine: Machine) -> None:
    params = {"command": sys.executable, "args": machine.command, "env": machine.environment}
    async with MCPServerStdio(params=params, client_session_timeout_seconds=60) as server:
        answer = await server.call_tool("get_clinic", {})
    assert json.loads(answer.content[0].text)["name"] == "Clínica Aurora"


async def ended(machine: Machine, *arguments: str, stream: int = 2) -> tuple[int, str]:
    """The status of a program that ends by itself, and what it wrote."""
    process = await asyncio.to_thread(
        start_gendei, machine.folder, machine.environment, "mcp", *arguments, stream=stream
    )
    async with reading(process.output) as written:
        said = (await written.read()).decode()
    return await process.wait(), said


async def test_a_token_that_is_not_good_ends_the_program_with_what_to_do(machine: Machine) -> None:
    assert await ended(machine, "--token", "gdt_no", stream=1) == (1, "")
    status, errors = await ended(machine, "--token", "gdt_no")
    assert (status, "gendei tokens add" in errors) == (1, True)


async def test_a_token_file_that_others_may_read_is_warned_of(machine: Machine) -> None:
    file = machine.folder / "token"
    file.write_text("gdt_no", encoding="utf-8")
    said = []
    for mode in (0o644, 0o600):
        file.chmod(mode)
        _, errors = await ended(machine, "--token-file", str(file))
        said.append(f"chmod 600 {file}" in errors)
    assert said == [True, False]
