"""`guided` behind the SDK's Model interface: one instance a turn, because the interface sees no Runtime."""

import json
from collections.abc import AsyncIterator, Iterable
from typing import Any

from agents import Model, ModelResponse, ModelSettings, ModelTracing, Tool, Usage
from agents.agent_output import AgentOutputSchemaBase
from agents.handoffs import Handoff
from agents.items import TResponseInputItem, TResponseStreamEvent
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText
from openai.types.responses.response_prompt_param import ResponsePromptParam

from gendei.errors import GendeiError
from gendei.off_loop import off_loop
from gendei.receptionist.guided.guided_turn import Action, Call, Dialogue, HandOff, Result, Say


class GuidedLost(GendeiError):
    """The guided receptionist asked for a tool or hand-off that its present agent does not have.
    Give it to that agent in prompts/, or correct the dialogue."""


class GuidedModel(Model):
    """Drives a dialogue one action a call. Only this turn's run may use it. `characters`: how much text it is about."""

    def __init__(self, dialogue: Dialogue, characters: int) -> None:
        self._dialogue = dialogue
        self._characters = characters
        self._calls = 0

    async def get_response(  # noqa: PLR0913  # the SDK's interface
        self,
        system_instructions: str | None,
        input: str | list[TResponseInputItem],  # noqa: A002  # the SDK's parameter name
        model_settings: ModelSettings,
        tools: list[Tool],
        output_schema: AgentOutputSchemaBase | None,
        handoffs: list[Handoff],
        tracing: ModelTracing,
        *,
        previous_response_id: str | None,
        conversation_id: str | None,
        prompt: ResponsePromptParam | None,
    ) -> ModelResponse:
        action = await off_loop(self._characters, lambda: self._next(input))
        self._calls += 1
        item: ResponseFunctionToolCall | ResponseOutputMessage
        match action:
            case Say(text):
                item = _message(text)
            case Call(tool, arguments):
                item = self._call(tool, dict(arguments), (tool.name for tool in tools))
            case HandOff(agent):
                item = self._call(f"transfer_to_{agent}", {}, (handoff.tool_name for handoff in handoffs))
        return ModelResponse(output=[item], usage=Usage(requests=1), response_id=None)

    def stream_response(self, *args: Any, **kwargs: Any) -> AsyncIterator[TResponseStreamEvent]:
        raise GuidedLost("the guided receptionist answers whole messages; run it without streaming")

    def _next(self, items: str | list[TResponseInputItem]) -> Action:
        try:
            return next(self._dialogue) if self._calls == 0 else self._dialogue.send(self._result(items))
        except StopIteration:
            return Say()

    def _result(self, items: str | list[TResponseInputItem]) -> Result:
        """What came of the last call: a tool's JSON, or nothing of interest after a hand-off."""
        call_id = self._call_id(self._calls - 1)
        for item in reversed(items if isinstance(items, list) else []):
            if item.get("type") == "function_call_output" and item.get("call_id") == call_id:
                return _parsed(item.get("output"))
        return {"success": False, "error": "no result"}

    def _call(self, name: str, arguments: dict[str, Any], available: Iterable[str]) -> ResponseFunctionToolCall:
        if name not in set(available):
            raise GuidedLost(f"{name} is not available to the present agent")
        call_id = self._call_id(self._calls - 1)
        return ResponseFunctionToolCall(
            id=call_id,
            call_id=call_id,
            type="function_call",
            name=name,
            arguments=json.dumps(arguments, ensure_ascii=False),
        )

    @staticmethod
    def _call_id(number: int) -> str:
        return f"guided-{number}"


def _parsed(output: object) -> Result:
    try:
        parsed = json.loads(output) if isinstance(output, str) else output
    except ValueError:
        parsed = None
    return parsed if isinstance(parsed, dict) else {"success": False, "error": "unreadable result"}


def _message(text: str) -> ResponseOutputMessage:
    content = ResponseOutputText(text=text, type="output_text", annotations=[], logprobs=[])
    return ResponseOutputMessage(id="guided", type="message", role="assistant", status="completed", content=[content])
