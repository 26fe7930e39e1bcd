"""What commands import before they answer: `gendei --help` and those about the store are quick, as they leave out the
agents SDK, the pages, the web server, Google's clients and the voice stack. Seconds stand in docs/performance.md."""

import asyncio
import gc
import json
import re
import sys

import pytest
from tests.cli.conftest import AURORA

from gendei.cli.running import uncollected
from gendei.cli.serving import settle_memory

STACKS = """
    agents openai mcp nicegui fastapi starlette uvicorn grpc google.cloud google.auth numpy soundfile av faster_whisper
    opentelemetry
""".split()
IN_ONE_PROCESS = """
import json, sys
from typer.testing import CliRunner
from gendei.cli import app

stacks, commands = json.load(sys.stdin)
for command in commands:
    result = CliRunner().invoke(app, command)
    print(json.dumps([command, result.exit_code, [name for name in stacks if name in sys.modules]]))
"""
GROUPS = ("clinics", "queue", "templates", "channels", "conversations", "users", "tokens")
AT_AURORA = ["--clinic", "aurora"]


async def imported(*commands: list[str]) -> list[tuple[list[str], int, list[str]]]:
    """Each command, its status and the STACKS that are imported after it, run in turn by one fresh interpreter."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", IN_ONE_PROCESS, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    out, _ = await process.communicate(json.dumps([STACKS, commands]).encode())
    return [(command, status, stacks) for command, status, stacks in map(json.loads, out.decode().splitlines())]


async def test_help_and_commands_about_the_store_import_none_of_the_heavy_stacks():
    commands = [
        ["--help"],
        *([group, "--help"] for group in GROUPS),
        ["keygen"],
        ["check", str(AURORA)],
        ["clinics", "import", str(AURORA)],
        ["clinics", "list"],
        ["queue", "show"],
        ["users", "list"],
        ["appointments", *AT_AURORA],
        ["remind", *AT_AURORA],
        ["audit", *AT_AURORA],
        ["tokens", "list", *AT_AURORA],
        ["templates", "list", *AT_AURORA],
        ["conversations", "waiting", *AT_AURORA],
        ["channels", "list"],
        ["speech", *AT_AURORA],
        ["backup", "copy.db"],
    ]
    assert await imported(*commands) == [(command, 0, []) for command in commands]


async def test_a_command_that_needs_the_agents_sdk_is_seen_to_import_it():
    [(_, status, stacks)] = await imported(["tools"])
    assert (status, {"agents", "openai"} <= set(stacks), "nicegui" in stacks) == (0, True, False)


@pytest.mark.parametrize("group", [[], *([name] for name in GROUPS)])
def test_a_list_of_commands_says_of_each_what_its_own_help_says(gendei, monkeypatch, group):
    monkeypatch.setenv("COLUMNS", "300")
    commands = gendei(*group, "--help").stdout.partition("Commands")[2]
    rows = re.findall(r"^│ (\S+) +(\S.*?) *│$", commands, flags=re.MULTILINE)
    assert len(rows) >= 2
    for name, text in rows:
        shown = gendei(*group, name, "--help").stdout
        assert (name, text in shown) == (name, True)


def test_a_misspelt_command_is_answered_with_the_nearest(gendei):
    told = gendei("users", "disabel")
    assert (told.exit_code, "Did you mean 'disable'" in told.output) == (2, True)


@pytest.mark.parametrize("was_on", [True, False])
def test_the_garbage_collector_rests_only_for_a_while(was_on):
    def imports_something_broken() -> None:
        with uncollected():
            assert not gc.isenabled()
            raise ImportError

    before = gc.isenabled()
    (gc.enable if was_on else gc.disable)()
    try:
        with pytest.raises(ImportError):
            imports_something_broken()
        assert gc.isenabled() is was_on
    finally:
        (gc.enable if before else gc.disable)()


def test_the_garbage_collector_works_while_the_service_runs():
    thresholds = gc.get_threshold()
    try:
        with uncollected():
            settle_memory()
            assert (gc.isenabled(), gc.get_freeze_count() > 0) == (True, True)
    finally:
        gc.unfreeze()
        gc.set_threshold(*thresholds)
