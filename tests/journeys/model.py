"""Models that say what a journey scripts."""

from collections.abc import Callable, Mapping
from itertools import count
from typing import Any

from agents import OpenAIProvider
from agents.items import TResponseOutputItem
from agents.testing import ScriptedModel, function_call
from agents.testing.model import ModelStep

from gendei.receptionist.llm.models import ApiModels

_numbers = count(1)
Call = list[TResponseOutputItem]


def models_of(model: ScriptedModel) -> ApiModels:
    """`model` for all agents; the provider beside it is never asked."""
    return ApiModels(provider=OpenAIProvider(api_key="unused"), model=model)


def call(tool: str, **arguments: Any) -> Call:
    """A step that calls one tool."""
    return [function_call(tool, arguments, call_id=f"call-{next(_numbers)}")]


def hand_off(agent: str) -> Call:
    return call(f"transfer_to_{agent}")


def then(step: Callable[[str], Call]) -> ModelStep:
    """A step made of the last tool's output, as JSON text."""
    return ModelStep.respond(lambda made: step(_last_output(made.input)))


def _last_output(items: list[Mapping[str, Any]]) -> str:
    return str(next(item["output"] for item in reversed(items) if item.get("type") == "function_call_output"))
