"""A command as a person is asked about it: every word that a model gave is resolved into ids, moments and versions
first, and it is these that are shown, kept, and done after a yes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gendei.assistant.texts import AssistantTexts
from gendei.commands.command import Call
from gendei.commands.running import COMMANDS, KEY


@dataclass(frozen=True, slots=True)
class PlannedCommand:
    """A command by its name, with settled arguments. `plan`: how it is shown, behind "vou"; `done`: how it is told."""

    tool: str
    arguments: Mapping[str, Any]
    plan: str
    done: str


async def plan_command(call: Call, name: str, given: Mapping[str, Any], texts: AssistantTexts) -> PlannedCommand:
    """What the command would do with what is `given`. Nothing is changed. Raises Forbidden, pydantic's ValidationError,
    and what the command itself raises for arguments that name nothing."""
    command = COMMANDS[name]
    if command.preview is None:
        raise ValueError(f"{name} changes nothing")
    asked = command.read(call, {argument: value for argument, value in given.items() if argument != KEY})
    settled, values = await command.preview(call, await command.settled(call, asked), texts.say)
    kept = settled.model_dump(mode="json", exclude_none=True, exclude=set(command.hidden))
    return PlannedCommand(name, kept, texts.plan(name, **values), texts.done(name, **values))
