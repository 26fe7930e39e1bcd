"""One turn of the assistant: what its tools gather. A tool that reads runs; one that changes something only puts down
what it would do."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agents import FunctionTool, FunctionToolResult, RunContextWrapper, ToolsToFinalOutputResult
from agents.tool_context import ToolContext

from gendei.assistant.phrases import Phrase
from gendei.assistant.texts import AssistantTexts
from gendei.commands.command import Call, Command, Result
from gendei.commands.running import COMMANDS, KEY, CommandRunner, Told, tool_schema
from gendei.messages.turns import ToolStatus
from gendei.receptionist.llm.models import MAX_CALLS_AT_ONCE
from gendei.staff.actors import Actor


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


MOST_PLANNED = 10
"""That one yes may stand for."""
MOST_RESULT = 12_000
"""Characters of one tool's result that a model reads."""
_PREVIEW = 160


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A tool that was called. status: PENDING while it waits for a yes, then COMPLETED or FAILED. `preview`: in
    Portuguese, what came of it. `result`: of a completed call; `error`: why one failed, by its reason."""

    tool: str
    status: ToolStatus
    preview: str
    arguments: Mapping[str, Any]
    result: Result | None = None
    error: str | None = None

    @property
    def success(self) -> bool:
        return self.status is not ToolStatus.FAILED

    @classmethod
    def waiting(cls, planned: PlannedCommand) -> "ToolUse":
        return cls(planned.tool, ToolStatus.PENDING, planned.plan[:_PREVIEW], planned.arguments)


@dataclass(slots=True)
class AssistantTurn:
    """`planned`: what shall be shown for a yes. `remarks`: what is said before them. `question`: how guided goes on
    with the answer to what it asks, or to what is shown.
    `one_look`: whether the run ends with what was put down, as a model's words on it would be thrown away. `full`: more
    was to be put down than one yes may stand for. `missed`: messages in a row that guided did not understand.
    `subject`: the messages of one subject that guided answered, where what is said next may ask the same of another day
    or person."""

    actor: Actor
    call: Call
    runner: CommandRunner
    texts: AssistantTexts
    one_look: bool = True
    full: bool = False
    planned: list[PlannedCommand] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    used: list[ToolUse] = field(default_factory=list)
    question: Mapping[str, Any] | None = None
    missed: int = 0
    subject: Sequence[str] = ()

    async def use(self, tool: Command[Any, Any], arguments: Mapping[str, Any]) -> Told:
        """Read, or put down what would be changed."""
        if tool.writes:
            told, use = await self._put_down(tool, arguments)
        else:
            told = await self.runner.call(self.actor, tool, arguments)
            use = None if told.refused else self._read(tool, arguments, told)
        self.used.append(use or _refused(tool, arguments, told))
        return told

    async def _put_down(self, tool: Command[Any, Any], arguments: Mapping[str, Any]) -> tuple[Told, ToolUse | None]:
        try:
            planned = await plan_command(self.call, tool.name, arguments, self.texts)
        except Exception as error:  # noqa: BLE001 - whatever it is, the caller is told what to do
            return self.runner.told(error, self.actor, tool), None
        if planned not in self.planned and len(self.planned) >= MOST_PLANNED:
            self.full = True
            text = self.texts.say(Phrase.TOO_MANY, most=str(MOST_PLANNED))
            return Told({"error": "too_many", "message": text}, refused=True), None
        if planned not in self.planned:
            self.planned.append(planned)
        return Told({"waits_for_yes": planned.plan}), ToolUse.waiting(planned)

    def _read(self, tool: Command[Any, Any], arguments: Mapping[str, Any], told: Told) -> ToolUse:
        title = self.texts.of_tools.tools[tool.name]
        counted = next((len(value) for value in told.answer.values() if isinstance(value, list)), None)
        preview = title if counted is None else f"{title}: {counted}"
        return ToolUse(tool.name, ToolStatus.COMPLETED, preview, arguments, _within(told.answer))


def _refused(tool: Command[Any, Any], arguments: Mapping[str, Any], told: Told) -> ToolUse:
    preview = str(told.answer["message"])[:_PREVIEW]
    return ToolUse(tool.name, ToolStatus.FAILED, preview, arguments, error=str(told.answer["error"]))


def sdk_tool(tool: Command[Any, Any], seconds: float) -> FunctionTool:
    """`tool` as the SDK calls it, with a AssistantTurn as its context; `seconds`: how long it may take."""
    schema = json.loads(json.dumps(tool_schema(tool.name)))
    schema["properties"].pop(KEY, None)

    async def invoke(context: ToolContext[Any], arguments: str) -> str:
        turn: AssistantTurn = context.context
        try:
            given = json.loads(arguments or "{}")
        except ValueError:
            given = {"arguments": "no JSON"}
        told = await turn.use(tool, given if isinstance(given, dict) else {"arguments": "no object"})
        return json.dumps(_within(told.answer), ensure_ascii=False, separators=(",", ":"))

    return FunctionTool(
        name=tool.name,
        description=tool.description,
        params_json_schema=schema,
        on_invoke_tool=invoke,
        strict_json_schema=False,
        timeout_seconds=seconds,
    )


def ends_when_put_down(
    context: RunContextWrapper[AssistantTurn], results: list[FunctionToolResult]
) -> ToolsToFinalOutputResult:
    """Nothing is left to say once all that was called waits for a yes; where an answer was full of calls, there may be
    more to come."""
    turn = context.context
    last = turn.used[-len(results) :]
    whole = all(use.success and COMMANDS[use.tool].writes for use in last) and len(results) < MAX_CALLS_AT_ONCE
    over = turn.one_look and bool(turn.planned) and whole
    return ToolsToFinalOutputResult(is_final_output=over, final_output="")


def _within(answer: Result) -> Result:
    """`answer`, its longest list cut where a model would have to read too much."""
    while len(json.dumps(answer, ensure_ascii=False)) > MOST_RESULT:
        lists = {name: value for name, value in answer.items() if isinstance(value, list) and len(value) > 1}
        if not lists:
            return answer
        longest = max(lists, key=lambda name: len(lists[name]))
        answer = {**answer, longest: lists[longest][: len(lists[longest]) // 2], "cut": True}
    return answer
