"""How the agents reach a model: an OpenAI-compatible API, or `guided`, which needs neither key nor network."""

from dataclasses import dataclass, field
from functools import cached_property

from agents import Model, ModelProvider, ModelRetrySettings, ModelSettings, OpenAIProvider, RunConfig
from agents.retry import ModelRetryBackoffSettings, retry_policies

from gendei.observing.durations import Durations
from gendei.receptionist.measured_models import MeasuredModel, MeasuredProvider

MODEL_SECONDS = 30.0
"""Seed 2's limits for one model call: 30 s, up to 3 retries, from 1 s to 60 s apart."""
_RETRY = ModelRetrySettings(
    max_retries=3,
    backoff=ModelRetryBackoffSettings(initial_delay=1.0, max_delay=60.0),
    policy=retry_policies.any(
        retry_policies.provider_suggested(),
        retry_policies.network_error(),
        retry_policies.http_status([408, 409, 429, 500, 502, 503, 504]),
    ),
)


@dataclass(frozen=True)
class ApiModels:
    """The models that the prompts name, or `model` for all agents, from `provider`. `trace`: send the SDK's traces,
    without patients' words. `calls`: how long each call took."""

    provider: ModelProvider
    model: str | Model | None = None
    trace: bool = False
    calls: Durations = field(default_factory=Durations)

    @cached_property
    def run_config(self) -> RunConfig:
        """Made once: the SDK checks it at length."""
        return RunConfig(
            model=MeasuredModel(self.model, self.calls) if isinstance(self.model, Model) else self.model,
            model_provider=MeasuredProvider(self.provider, self.calls),
            model_settings=ModelSettings(timeout=MODEL_SECONDS, retry=_RETRY),
            tracing_disabled=not self.trace,
            trace_include_sensitive_data=False,
            workflow_name="gendei",
            tool_not_found_behavior="return_error_to_model",
        )


def api_models(api_key: str, base_url: str | None, model: str | None, *, trace: bool = False) -> ApiModels:
    """Models of OpenAI, or of the compatible API at `base_url` (spoken to by chat completions, which all have)."""
    provider = OpenAIProvider(api_key=api_key, base_url=base_url, use_responses=base_url is None)
    return ApiModels(provider, model, trace)


def guided_run_config(model: Model) -> RunConfig:
    return RunConfig(model=model, tracing_disabled=True, trace_include_sensitive_data=False)
