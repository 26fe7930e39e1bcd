"""The configurations of docs/mcp.md work as they stand, but for the addresses and secrets in them."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from tests.mcp.conftest import Office
from tests.mcp.machine import Machine

from gendei.commands.running import COMMANDS
from gendei.staff.actors import Right

GUIDE = (Path(__file__).parents[2] / "docs" / "mcp.md").read_text(encoding="utf-8")
HTTP, STDIO = (
    json.loads(value)["mcpServers"]["clinica"] for value in re.findall(r"```json\n(.*?)```", GUIDE, re.DOTALL)
)


async def names(client: Client) -> set[str]:
    return {tool.name for tool in (await client.list_tools()).tools}


MAY = {name for name, tool in COMMANDS.items() if Right.MANAGE not in tool.rights}
"""The tools of who reads and writes."""


async def test_the_configuration_for_http_connects(office: Office) -> None:
    url = HTTP["url"].replace("https://gendei.example.com", office.url)
    headers = {name: value.replace("gdt_...", office.bia.token) for name, value in HTTP["headers"].items()}
    async with (
        httpx2.AsyncClient(headers=headers) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        assert (HTTP["type"], await names(client)) == ("http", MAY)


@pytest.mark.slow
async def test_the_configuration_for_stdio_connects(machine: Machine) -> None:
    arguments = [arg.replace("/home/bia/gendei-token", str(machine.folder / "token")) for arg in STDIO["args"]]
    environment: dict[str, Any] = {name: machine.environment[name] for name in STDIO["env"]}
    program = StdioServerParameters(
        command=str(Path(sys.executable).with_name(STDIO["command"])),
        args=arguments,
        env={**machine.environment, **environment},
    )
    async with Client(program) as client:
        assert await names(client) == MAY


def test_every_tool_is_in_the_guide_and_no_other() -> None:
    table = GUIDE.split("| tools |")[1].split("\n\n")[0]
    assert set(re.findall(r"`(\w+)`", table)) == set(COMMANDS)
