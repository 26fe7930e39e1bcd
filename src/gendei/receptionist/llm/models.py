"""How the agents reach a model: an OpenAI-compatible API, or `guided`, which needs neither key nor network."""

import logging
from asyncio import CancelledError
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

from agents import (
    AgentOutputSchemaBase,
    Handoff,
    Model,
    ModelProvider,
    ModelResponse,
    ModelRetrySettings,
    ModelSettings,
    ModelTracing,
    OpenAIProvider,
    OpenAIResponsesModel,
    RunConfig,
    Tool,
)
from agents.items import TResponseInputItem, TResponseStreamEvent
from agents.retry import ModelRetryAdvice, ModelRetryAdviceRequest, ModelRetryBackoffSettings
from openai import APIStatusError, AsyncOpenAI
from openai.types.responses import ResponseFunctionToolCall, ResponseReasoningItem

from gendei.clinic import ClinicId
from gendei.costs.model_costs import ModelFigures
from gendei.observing.durations import Durations
from gendei.observing.tracing import span
from gendei.receptionist.llm.api_dialects import Dialect, DialectClient, dialect_of, takes_cache_keys
from gendei.receptionist.llm.api_errors import may_try_again
from gendei.receptionist.llm.breaker import Breaker, ModelResting
from gendei.receptionist.llm.keyed_model import CLINIC, KeyedModel, no_such_tool
from gendei.receptionist.llm.known_models import KnownWays
from gendei.receptionist.llm.model_ways import Request, WaysBook

Protocol = Literal["auto", "responses", "chat"]


RESULTS: dict[type[BaseException], str] = {
    CancelledError: "abandoned",
    TimeoutError: "timed_out",
    ModelResting: "skipped",
}
"""What a call without an answer is counted as: abandoned at the limit of a call or of the turn, or at a stop; skipped
while the breaker is open."""
_log = logging.getLogger(__name__)
MAX_CALLS_AT_ONCE = 8
"""Tools that one answer may call; a model that calls more has lost its way, and the others are as if not called."""


class MeasuredModel(Model):
    """`model`, whose calls are observed in `calls`: each attempt for itself, since the SDK repeats from above. It is
    asked with what it takes by `ways`, and once more without what it turns out to refuse."""

    def __init__(self, model: Model, calls: Durations, breaker: Breaker, ways: WaysBook | None = None) -> None:
        self._model = model
        self._calls = calls
        self._breaker = breaker
        self._ways = ways or WaysBook()
        self._name = str(getattr(model, "model", ""))
        self._responses = isinstance(model, OpenAIResponsesModel)

    async def get_response(
        self,
        system_instructions: str | None,
        input: str | list[TResponseInputItem],  # noqa: A002  # the SDK's name
        model_settings: ModelSettings,
        tools: list[Tool],
        output_schema: AgentOutputSchemaBase | None,
        handoffs: list[Handoff],
        tracing: ModelTracing,
        **more: Any,
    ) -> ModelResponse:
        request, refused = Request(model_settings, tools, handoffs), set[str]()
        while True:
            ways = self._ways.of(self._name)
            asked = request.by(ways, responses=self._responses)
            settings, given, to = asked.settings, list(asked.tools), list(asked.handoffs)
            try:
                with span("model"), self._calls.measured(RESULTS), self._breaker.call():
                    response = await self._model.get_response(
                        system_instructions, input, settings, given, output_schema, to, tracing, **more
                    )
            except APIStatusError as error:
                disliked = self._ways.learn(self._name, ways, error)
                if disliked is None or disliked in refused:
                    raise
                _log.warning("the model %s refuses %s, and is asked without it from now on", self._name, disliked)
                refused.add(disliked)
            else:
                return self._limited(response)

    def _limited(self, response: ModelResponse) -> ModelResponse:
        """Without calls that are too many; what the model turned out to do is noted."""
        if any(isinstance(item, ResponseReasoningItem) for item in response.output):
            self._ways.reasons(self._name)
        calls = [item for item in response.output if isinstance(item, ResponseFunctionToolCall)]
        dropped = {id(call) for call in calls[MAX_CALLS_AT_ONCE:]}
        return replace(response, output=[item for item in response.output if id(item) not in dropped])

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


@dataclass(frozen=True, slots=True)
class ModelLimits:
    """Limits of one API. Times in seconds.

    temperature: of every agent; None for what each prompt says. max_tokens: of one answer. messages: how many earlier
    ones a model reads. call_seconds: one attempt. retries: after the first attempt, from first_pause to longest_pause
    apart. turn_seconds: all that a patient may wait for the API; then guided answers, and the conversation's own limit
    is above it. steps: calls in one run; a hand-off, a search and an offer take three.
    daily_budget_usd: what a clinic may cost in a day of its own zone; None for no limit.
    """

    temperature: float | None = None
    max_tokens: int = 2048
    messages: int = 20
    call_seconds: float = 30.0
    retries: int = 3
    first_pause: float = 1.0
    longest_pause: float = 60.0
    turn_seconds: float = 45.0
    steps: int = 15
    daily_budget_usd: float | None = None


@dataclass(frozen=True)
class ApiModels:
    """The models that the prompts name, or `model` for all agents, from `provider`. `trace`: send the SDK's traces,
    without patients' words. `calls`: how long each call took. `client`: what is closed with it. `stores`: whether the
    API would keep what it is sent unless it is told not to. `cache_keys`: whether it takes the key of a clinic and
    agent."""

    provider: ModelProvider
    model: str | Model | None = None
    trace: bool = False
    calls: Durations = field(default_factory=Durations)
    limits: ModelLimits = field(default_factory=ModelLimits)
    breaker: Breaker = field(default_factory=Breaker)
    figures: ModelFigures = field(default_factory=ModelFigures)
    ways: WaysBook = field(default_factory=WaysBook)
    client: AsyncOpenAI | None = None
    stores: bool = False
    cache_keys: bool = False

    def run_config_of(self, clinic_id: ClinicId) -> RunConfig:
        """That of a clinic's turns. Made once for each: the SDK checks it at length."""
        if clinic_id not in self._of_clinics:
            settings = replace(self.settings, extra_args={CLINIC: str(clinic_id)})
            config = replace(self.run_config, model_settings=settings, tool_error_formatter=no_such_tool)
            self._of_clinics[clinic_id] = config
        return self._of_clinics[clinic_id]

    @cached_property
    def _of_clinics(self) -> dict[ClinicId, RunConfig]:
        return {}

    @cached_property
    def run_config(self) -> RunConfig:
        """Made once: the SDK checks it at length."""
        return RunConfig(
            model=self.measured(self.model) if isinstance(self.model, Model) else self.model,
            model_provider=MeasuredProvider(self.provider, self.measured),
            model_settings=self.settings,
            tracing_disabled=not self.trace,
            trace_include_sensitive_data=False,
            workflow_name="gendei",
            tool_not_found_behavior="return_error_to_model",
            reasoning_item_id_policy="omit" if self.stores else None,
        )

    @cached_property
    def settings(self) -> ModelSettings:
        """What every call gets, over what a prompt says."""
        limits = self.limits
        backoff = ModelRetryBackoffSettings(initial_delay=limits.first_pause, max_delay=limits.longest_pause)
        return ModelSettings(
            temperature=limits.temperature,
            max_tokens=limits.max_tokens,
            timeout=limits.call_seconds,
            retry=ModelRetrySettings(max_retries=limits.retries, backoff=backoff, policy=may_try_again),
            store=False if self.stores else None,
        )

    def measured(self, model: Model) -> Model:
        """`model` behind the breaker, its calls timed."""
        return KeyedModel(MeasuredModel(model, self.calls, self.breaker, self.ways), takes_key=self.cache_keys)

    def named(self, name: str) -> Model:
        """The model that `name` of a prompt stands for, measured."""
        if isinstance(self.model, Model):
            return self.measured(self.model)
        return self.measured(self.provider.get_model(self.model or name))

    def name_of(self, name: str) -> str:
        """What prices call the model that a prompt's `name` stands for."""
        return self.model if isinstance(self.model, str) else name

    async def close(self) -> None:
        """Close its connections."""
        await self.provider.aclose()
        if self.client is not None:
            await self.client.close()


def api_models(  # noqa: PLR0913  # what an API is, given by name
    api_key: str,
    base_url: str | None,
    model: str | None,
    *,
    trace: bool = False,
    limits: ModelLimits | None = None,
    protocol: Protocol = "auto",
    dialect: Dialect | None = None,
    ways: KnownWays | None = None,
) -> ApiModels:
    """Models of OpenAI, or of the compatible API at `base_url`. protocol: "responses" or "chat"; "auto" takes
    responses for OpenAI, and for others chat completions, which all have. dialect: by the address, unless it is given.
    ways: what models are asked with; what is not known of one is learned. Repeating is the SDK's alone: the client that
    is below it repeats nothing by itself."""
    limits = limits or ModelLimits()
    responses = protocol == "responses" or (protocol == "auto" and base_url is None)
    client = AsyncOpenAI(
        api_key=api_key,
        base_url=base_url,
        max_retries=0,
        timeout=limits.call_seconds,
        http_client=DialectClient(dialect or dialect_of(base_url)),
    )
    provider = OpenAIProvider(openai_client=client, use_responses=responses)
    stores = responses or base_url is None
    book, keys = WaysBook(ways) if ways else WaysBook(), takes_cache_keys(base_url)
    return ApiModels(provider, model, trace, limits=limits, ways=book, client=client, stores=stores, cache_keys=keys)
