"""Any model behind the SDK's interface: behind the breaker, and with the time that each of its calls takes."""

from asyncio import CancelledError
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any

from agents import Model, ModelProvider, ModelResponse
from agents.items import TResponseStreamEvent
from agents.retry import ModelRetryAdvice, ModelRetryAdviceRequest
from openai.types.responses import ResponseFunctionToolCall

from gendei.observing.durations import Durations
from gendei.observing.tracing import span
from gendei.receptionist.llm.breaker import Breaker, ModelResting

RESULTS: dict[type[BaseException], str] = {
    CancelledError: "abandoned",
    TimeoutError: "timed_out",
    ModelResting: "skipped",
}
"""What a call without an answer is counted as: abandoned at the limit of a call or of the turn, or at a stop; skipped
while the breaker is open."""
MAX_CALLS_AT_ONCE = 8
"""Tools that one answer may call; a model that calls more has lost its way, and the others are as if not called."""


class MeasuredModel(Model):
    """`model`, whose calls are observed in `calls`: each attempt for itself, since the SDK repeats from above."""

    def __init__(self, model: Model, calls: Durations, breaker: Breaker) -> None:
        self._model = model
        self._calls = calls
        self._breaker = breaker

    async def get_response(self, *args: Any, **kwargs: Any) -> ModelResponse:
        with span("model"), self._calls.measured(RESULTS), self._breaker.call():
            response = await self._model.get_response(*args, **kwargs)
        calls = [one for one in response.output if isinstance(one, ResponseFunctionToolCall)]
        dropped = {id(one) for one in calls[MAX_CALLS_AT_ONCE:]}
        return replace(response, output=[one for one in response.output if id(one) not in dropped])

    def stream_response(self, *args: Any, **kwargs: Any) -> AsyncIterator[TResponseStreamEvent]:
        return self._model.stream_response(*args, **kwargs)

    def get_retry_advice(self, request: ModelRetryAdviceRequest) -> ModelRetryAdvice | None:
        return self._model.get_retry_advice(request)

    async def close(self) -> None:
        await self._model.close()


class MeasuredProvider(ModelProvider):
    """`provider`, whose models are measured."""

    def __init__(self, provider: ModelProvider, measured: Callable[[Model], Model]) -> None:
        self._provider = provider
        self._measured = measured

    def get_model(self, model_name: str | None) -> Model:
        return self._measured(self._provider.get_model(model_name))

    async def aclose(self) -> None:
        await self._provider.aclose()
