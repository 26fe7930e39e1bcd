"""What programs, assistants and scripts rely on still stands: the JSON API, the tools of MCP and the commands are held
to what they were when the files beside this one were written. They are written anew, after an addition, by
`pytest tests/golden --renew-snapshots`."""

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from tests.golden.contained import broken, less
from tests.journeys.town import settings_for
from tests.web.api.conftest import NOBODY_SENDS, gestor

from gendei.app import open_gendei
from gendei.booking.slots import Refusal
from gendei.booking.time_blocks import BlockRefusal
from gendei.cli.main import app
from gendei.commands.refusals import Reason
from gendei.conversation.outbound.proactive import Decline
from gendei.datafile import data_dir
from gendei.mcp.server import tools_of
from gendei.mcp.texts import McpTexts
from gendei.staff.agenda.agenda import CHANGED
from gendei.staff.tasks.texts import TaskFault
from gendei.web.api.mount import api_of

FOLDER = Path(__file__).parent


def golden(name: str, now: Any, pytestconfig: pytest.Config) -> Any:
    """The file as it stands; with --renew-snapshots, `now`, which is kept there."""
    path = FOLDER / f"{name}.json"
    if pytestconfig.getoption("--renew-snapshots"):
        path.write_text(json.dumps(now, ensure_ascii=False, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return json.loads(path.read_text(encoding="utf-8"))


async def described(folder: Path) -> tuple[Any, Any]:
    """The OpenAPI document, and the tools of MCP by name."""
    settings = settings_for(folder, NOBODY_SENDS).model_copy(update={"database": "sqlite:///:memory:"})
    async with open_gendei(settings) as gendei:
        shown = tools_of(gestor(), McpTexts.load(data_dir("prompts")).of_tools)
        tools = [item.model_dump(mode="json") for item in shown]
        return json.loads(json.dumps(api_of(gendei).openapi())), {tool["name"]: tool for tool in tools}


def commands_of(group: Any, *names: str) -> dict[str, Any]:
    """Every command of the line by its words, each with its options and arguments."""
    if not hasattr(group, "list_commands"):
        command = group.make_context(names[-1], [], resilient_parsing=True).command  # it is loaded by now
        return {
            " ".join(names): {param.name: {"opts": param.opts, "required": param.required} for param in command.params}
        }
    with typer.Context(group) as context:
        found = {name: group.get_command(context, name) for name in group.list_commands(context)}
    return {path: item for name, command in found.items() for path, item in commands_of(command, *names, name).items()}


async def test_no_program_of_the_api_has_to_change(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    now, _ = await described(tmp_path)
    assert broken(golden("openapi", now, pytestconfig), now) == []


async def test_no_assistant_has_to_change(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    _, now = await described(tmp_path)
    before = golden("tools", now, pytestconfig)
    assert before.keys() - now.keys() == set()
    for name, tool in before.items():
        assert list(less(tool["input_schema"], now[name]["input_schema"], "given", name)) == []
        hints, hinted = tool["annotations"], now[name]["annotations"]
        assert (name, hints | {"open_world_hint": True}) == (name, hinted | {"open_world_hint": True})
        assert hinted["open_world_hint"] >= hints["open_world_hint"]


def test_no_reason_has_another_name(pytestconfig: pytest.Config) -> None:
    kinds = (Reason, Refusal, BlockRefusal, TaskFault, Decline)
    now = sorted({str(reason) for kind in kinds for reason in kind} | {CHANGED})
    assert set(golden("reasons", now, pytestconfig)) - set(now) == set()


def test_no_script_has_to_change(pytestconfig: pytest.Config) -> None:
    now = commands_of(typer.main.get_command(app))
    before = golden("commands", now, pytestconfig)
    assert before.keys() - now.keys() == set()
    for name, parameters in before.items():
        for option, item in parameters.items():
            assert (name, option, set(item["opts"]) - set(now[name][option]["opts"])) == (name, option, set())
        needed = {option for option, item in now[name].items() if item["required"]}
        assert (name, needed - {option for option, item in parameters.items() if item["required"]}) == (name, set())


GIVEN = {"type": "object", "properties": {"a": {"type": "string", "maxLength": 5}}, "required": ["a"]}


@pytest.mark.parametrize(
    ("direction", "after"),
    [
        ("given", {"type": "object", "properties": {}}),
        ("given", {**GIVEN, "properties": {"a": {"type": "integer"}}}),
        ("given", {**GIVEN, "properties": {"a": {"type": "string", "maxLength": 4}}}),
        ("given", {**GIVEN, "properties": {"a": {"type": "string", "pattern": "x"}}}),
        ("given", {**GIVEN, "required": ["a", "b"]}),
        ("answered", {**GIVEN, "required": []}),
        ("answered", {**GIVEN, "properties": {"a": {"type": "string"}}}),
    ],
)
def test_a_break_is_seen(direction: Any, after: dict[str, Any]) -> None:
    assert list(less(GIVEN, after, direction, "it")) != []


def test_an_addition_is_none() -> None:
    more = {**GIVEN, "properties": {**GIVEN["properties"], "b": {"type": "string"}}}
    assert list(less(GIVEN, more, "given", "it")) == []
    assert list(less(GIVEN, {**more, "required": ["a", "b"]}, "answered", "it")) == []
