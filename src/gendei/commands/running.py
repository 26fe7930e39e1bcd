"""Commands as tools of assistants: which there are, with what they are called, once, and what a caller is told, from
`prompts/staff_tools.yaml`."""

import json
import logging
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import timedelta
from difflib import get_close_matches
from enum import StrEnum
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BaseModel, Field, PrivateAttr, ValidationError
from pydantic_core import ErrorDetails

from gendei.commands import (
    appointments,
    blocks,
    clinic,
    conversation_list,
    conversations,
    knowledge_tools,
    patients,
    shown,
    tasks,
    waiting_list,
)
from gendei.commands.command import Call, Command, Desks, Result
from gendei.commands.refusals import Explanation, Reason, explained, nearby
from gendei.conversation.turns.turn import describe
from gendei.datafile import Text
from gendei.staff.actors import Actor
from gendei.staff.once import KEPT_FOR, Once
from gendei.texts import Catalogue, Each, Holds, fill

log = logging.getLogger(__name__)
COMMANDS: Mapping[str, Command[Any, Any]] = {
    command.name: command
    for module in (
        clinic,
        appointments,
        blocks,
        waiting_list,
        patients,
        conversations,
        conversation_list,
        tasks,
        knowledge_tools,
    )
    for command in module.COMMANDS
    if command.shown is not None
}
"""What assistants can call."""
KEY = "idempotency_key"
SAME_AGAIN = timedelta(minutes=2)
"""Within it the same call of a command that `repeats`, without a key, is a client's second attempt."""


class _Repeated(BaseModel):
    """What each tool that writes takes beside the command's arguments."""

    idempotency_key: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=255,
            description="Any text of your own; the same call again with it is not done twice (24 hours).",
        ),
    ] = None


@cache
def tool_schema(name: str) -> Result:
    """The arguments of a command as a tool, as JSON Schema."""
    command = COMMANDS[name]
    if not command.writes:
        return command.schema
    properties = command.schema["properties"] | _Repeated.model_json_schema()["properties"]
    return command.schema | {"properties": properties}


Wrong = StrEnum(
    "Wrong",
    "MISSING UNKNOWN MISNAMED NO_TEXT NOT_TEXT TOO_SHORT TOO_LONG NOT_WHOLE TOO_SMALL TOO_LARGE NOT_BOOL NOT_ONE_OF"
    " UNFIT",
)
"""What is the matter with an argument."""
ABOUT_ARGUMENTS = ("near", "min_length", "max_length", "ge", "le", "expected")
ABOUT_REFUSALS = ("words", "most", "patient", "status", "wanted", "names")
Sentences = Annotated[dict[str, Text], Each(Reason), Holds(ABOUT_REFUSALS)]
"""Why a command did nothing, and what to do, by Reason."""


class ToolTexts(Catalogue):
    """`tools`: each command's title for people; `faults`: what a model reads of a refusal; `arguments`: what it reads
    of one argument, after its name, by Wrong."""

    file_name = "staff_tools.yaml"
    tools: Annotated[dict[str, Text], Each(COMMANDS)]
    arguments: Annotated[dict[str, Text], Each(Wrong), Holds(ABOUT_ARGUMENTS)]
    faults: Sentences

    def why(self, reason: Reason, **values: str) -> str:
        return fill(self.faults[reason], dict.fromkeys(ABOUT_REFUSALS, "") | values)

    def argument(self, wrong: Wrong, values: Mapping[str, str]) -> str:
        return fill(self.arguments[wrong], dict.fromkeys(ABOUT_ARGUMENTS, "") | dict(values))

    def sentence(self, explanation: Explanation) -> str:
        """Why nothing was done, and what to do."""
        return explanation.text or self.why(Reason(explanation.reason), **explanation.values)


class WithToolTexts(Catalogue):
    """Texts with those of the tools beside them: `of_tools`, which a model reads."""

    _of_tools: ToolTexts = PrivateAttr()

    @classmethod
    def load(cls, folder: Path) -> Self:
        texts = super().load(folder)
        texts._of_tools = ToolTexts.load(folder)
        return texts

    @property
    def of_tools(self) -> ToolTexts:
        return self._of_tools


@dataclass(frozen=True, slots=True)
class Told:
    """What a call told its caller. A refusal holds `error` (the reason) and `message` (what to do)."""

    answer: Result
    refused: bool = False


class CommandRunner:
    """Runs commands on `desks`; `channel` as in Call. `call` never raises: what went wrong is told, with what to do."""

    def __init__(self, desks: Desks, texts: ToolTexts, channel: str) -> None:
        self._desks, self._texts, self._channel = desks, texts, channel
        self._once = Once(desks.documents, desks.clock)

    async def begin(self, actor: Actor) -> Call:
        """What a call of `actor`'s works with. Raises NotFound where the clinic is gone."""
        return await self._desks.call(actor, self._channel)

    async def call(self, actor: Actor, command: Command[Any, Any], given: Mapping[str, Any]) -> Told:
        try:
            call = await self.begin(actor)
            if not command.writes:
                return Told(command.told(call, await command.do(call, command.read(call, given))))
            key = _Repeated.model_validate(given).idempotency_key
            return Told(await self._write(call, command, {name: given[name] for name in given if name != KEY}, key))
        except Exception as error:  # noqa: BLE001 - whatever it is, the caller is told what to do
            return self.told(error, actor, command)

    def refused(self, reason: Reason) -> Told:
        """What a call is told that was not begun."""
        return Told({"error": str(reason), "message": self._texts.why(reason)}, refused=True)

    def told(self, error: Exception, actor: Actor, command: Command[Any, Any]) -> Told:
        """What the caller of `command` is told of `error`, which is logged where it is ours."""
        if isinstance(error, ValidationError):
            wrong = what_is_wrong(error, tool_schema(command.name)["properties"], self._texts)
            why = Explanation(Reason.INVALID, values={"words": wrong})
        else:
            why = explained(error)
        if why.reason == Reason.FAILED:
            log.error("command %s failed for clinic %s: %s", command.name, actor.clinic_id, describe(error))
        message = self._texts.sentence(why)
        return Told({"error": str(why.reason), "message": message, **shown.nearby(nearby(error))}, refused=True)

    async def _write(self, call: Call, command: Command[Any, Any], given: Result, key: str | None) -> Result:
        asked = command.read(call, given)

        async def act() -> Result:
            return command.told(call, await command.do(call, await command.settled(call, asked)))

        if key is None and not command.repeats:
            return await act()
        content = f"{command.name}\n{json.dumps(given, sort_keys=True)}".encode()
        name = f"{self._channel} key {key}" if key else f"{self._channel} same {sha256(content).hexdigest()}"
        done = await self._once.do(call.actor, name, content, act, kept_for=KEPT_FOR if key else SAME_AGAIN)
        return (done.answer or {}) | ({"repeated": True} if done.again else {})


NEAR = 0.6
"""How alike two names are, from 0 to 1, of which one is taken for the other's slip: service and service_id are."""
MOST_SHOWN = 60
"""Characters of a name that a model made up."""
_KINDS: Mapping[str, Wrong] = {
    "missing": Wrong.MISSING,
    "extra_forbidden": Wrong.UNKNOWN,
    "no_text": Wrong.NO_TEXT,
    "string_type": Wrong.NOT_TEXT,
    "string_too_short": Wrong.TOO_SHORT,
    "string_too_long": Wrong.TOO_LONG,
    "int_type": Wrong.NOT_WHOLE,
    "int_parsing": Wrong.NOT_WHOLE,
    "int_from_float": Wrong.NOT_WHOLE,
    "greater_than_equal": Wrong.TOO_SMALL,
    "less_than_equal": Wrong.TOO_LARGE,
    "bool_type": Wrong.NOT_BOOL,
    "bool_parsing": Wrong.NOT_BOOL,
    "enum": Wrong.NOT_ONE_OF,
    "literal_error": Wrong.NOT_ONE_OF,
}
"""By pydantic's type of error."""


def what_is_wrong(error: ValidationError, names: Collection[str], texts: ToolTexts) -> str:
    """Each argument that was refused, with what to mend; never a value. `names`: of those there are."""
    return "; ".join(
        f"{'.'.join(map(str, wrong['loc']))[:MOST_SHOWN]}: {_one_fault(wrong, names, texts)}"
        for wrong in error.errors(include_input=False, include_url=False)
    )


def _one_fault(error: ErrorDetails, names: Collection[str], texts: ToolTexts) -> str:
    kind = _KINDS.get(error["type"], Wrong.UNFIT)
    values = {name: str(value) for name, value in error.get("ctx", {}).items()}
    if "expected" in values:
        values["expected"] = ", ".join(re.findall(r"'([^']+)'", values["expected"]))
    if kind is Wrong.UNKNOWN:
        near = get_close_matches(str(error["loc"][-1])[:MOST_SHOWN], names, 1, NEAR)
        if near:
            return texts.argument(Wrong.MISNAMED, {"near": near[0]})
    return texts.argument(kind, values)
