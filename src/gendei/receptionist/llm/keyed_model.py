"""A model as patients' turns ask it: by clinic and agent, and each call of an answer once."""

from collections.abc import AsyncIterator
from dataclasses import replace
from hashlib import sha256
from typing import Any

from agents import Model, ModelResponse, ModelSettings, ToolErrorFormatterArgs
from agents.items import TResponseStreamEvent
from agents.retry import ModelRetryAdvice, ModelRetryAdviceRequest
from openai.types.responses import ResponseFunctionToolCall

from gendei.receptionist.runtime import Runtime

AGENT, CLINIC = "gendei_agent", "gendei_clinic"
"""What a call's settings say beside what the API takes: whose instructions they are."""


class KeyedModel(Model):
    """`model`, told whose requests begin alike. takes_key: whether its API keeps together what is of one key."""

    def __init__(self, model: Model, *, takes_key: bool) -> None:
        self._model = model
        self._takes_key = takes_key

    async def get_response(self, *args: Any, **kwargs: Any) -> ModelResponse:
        settings = self._keyed(kwargs["model_settings"])
        response = await self._model.get_response(*args, **{**kwargs, "model_settings": settings})
        seen: set[tuple[str, str]] = set()
        return replace(response, output=[item for item in response.output if _is_new(item, seen)])

    def stream_response(self, *args: Any, **kwargs: Any) -> AsyncIterator[TResponseStreamEvent]:
        return self._model.stream_response(*args, **kwargs)

    def get_retry_advice(self, request: ModelRetryAdviceRequest) -> ModelRetryAdvice | None:
        return self._model.get_retry_advice(request)

    async def close(self) -> None:
        await self._model.close()

    def _keyed(self, settings: ModelSettings) -> ModelSettings:
        extra = dict(settings.extra_args or {})
        clinic, agent = extra.pop(CLINIC, None), extra.pop(AGENT, None)
        if self._takes_key and clinic is not None and agent is not None:
            extra["prompt_cache_key"] = sha256(f"{clinic} {agent}".encode()).hexdigest()[:32]
        return replace(settings, extra_args=extra or None)


def no_such_tool(told: ToolErrorFormatterArgs[Any]) -> str | None:
    """What a patient's model is told that called a tool which it does not have."""
    runtime: Runtime = told.run_context.context
    return runtime.say("no_such_tool") if told.kind == "tool_not_found" else None


def _is_new(item: Any, seen: set[tuple[str, str]]) -> bool:
    """Whether it is no call that this answer makes already."""
    if not isinstance(item, ResponseFunctionToolCall):
        return True
    call = (item.name, item.arguments)
    new = call not in seen
    seen.add(call)
    return new
