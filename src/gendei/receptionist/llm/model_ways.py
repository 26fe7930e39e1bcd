"""What models are asked with. Some refuse a temperature, some reason, some know no parallel calls or strict schemas:
each is known by its name, whoever's API it is reached by, and what one refuses is learned from its answer."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from agents import FunctionTool, Handoff, ModelSettings, Tool
from openai import APIStatusError
from openai.types.shared import Reasoning

from gendei.receptionist.llm.known_models import KnownWays, Ways

ENCRYPTED = "reasoning.encrypted_content"
"""What an API that keeps nothing gives of a model's reasoning, to be given back with the calls."""
DISLIKES = frozenset({400, 422})
_CALLED = {
    "temperature": ("temperature",),
    "effort": ("reasoning_effort", "reasoning.effort", "reasoning.summary", "thinking"),
    "encrypted": ("include", ENCRYPTED, "encrypted content"),
    "parallel_calls": ("parallel_tool_calls",),
    "completion_tokens": ("max_tokens", "max_completion_tokens"),
    "strict": ("strict",),
}
"""By the field of Ways: what APIs call it when they refuse it, in the order in which it is looked for."""
_REFUSES = re.compile(
    r"support|invalid|unknown|unrecogni|unexpected|not (?:allowed|permitted)|extra inputs", re.IGNORECASE
)
"""What a message says that names a parameter because the model does not take it."""


@dataclass
class WaysBook:
    """What is known of models, and what this process learned. `known`: by data."""

    known: KnownWays = field(default_factory=lambda: KnownWays(models={}))
    learned: dict[str, Ways] = field(default_factory=dict)

    def of(self, model: str) -> Ways:
        return self.learned.get(model) or self.known.of(model)

    def learn(self, model: str, asked: Ways, error: APIStatusError) -> str | None:
        """Note what `model` refuses, which was asked by `asked`, whatever others learned meanwhile; the field of Ways,
        or None where the error is about none."""
        refused = refused_by(error)
        changed = _without(asked, refused, str(error.message)) if refused else None
        if refused is None or changed is None:
            return None
        self.learned[model] = self.of(model).model_copy(update={refused: getattr(changed, refused)})
        return refused

    def reasons(self, model: str) -> None:
        """An answer of the model's came with reasoning, which has to come back with its calls."""
        ways = self.of(model)
        if not ways.encrypted:
            self.learned[model] = ways.model_copy(update={"encrypted": True})


def refused_by(error: APIStatusError) -> str | None:
    """The field of Ways that an API dislikes: as the parameter that it names, else as its message does."""
    if error.status_code not in DISLIKES:
        return None
    message = str(error.message)
    for told in (str(getattr(error, "param", None) or ""), message if _REFUSES.search(message) else ""):
        for name, words in _CALLED.items():
            if any(re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", told, re.IGNORECASE) for word in words):
                return name
    return None


def _without(ways: Ways, refused: str, message: str) -> Ways | None:
    """`ways` without what was refused; None where it was not asked for. A model that does not call tools while it
    reasons says so, and is asked not to reason."""
    if refused == "effort":
        asks_for_none = re.search(r"\bnone\b", message) is not None and "supported values" not in message.casefold()
        effort = "none" if ways.effort != "none" and (asks_for_none or ways.effort is None) else None
        return ways.model_copy(update={"effort": effort})
    if refused == "completion_tokens":
        return ways.model_copy(update={"completion_tokens": not ways.completion_tokens})
    return ways.model_copy(update={refused: False}) if getattr(ways, refused) else None


@dataclass(frozen=True, slots=True)
class Request:
    """The parts of a call that depend on the model."""

    settings: ModelSettings
    tools: Sequence[Tool]
    handoffs: Sequence[Handoff]

    def by(self, ways: Ways, *, responses: bool) -> "Request":
        """As the model takes it. responses: over the protocol of that name, else over chat completions."""
        settings = self.settings
        if not ways.temperature:
            settings = replace(settings, temperature=None)
        if ways.effort is not None and settings.reasoning is None:
            settings = replace(settings, reasoning=Reasoning(effort=ways.effort))
        if not ways.parallel_calls:
            settings = replace(settings, parallel_tool_calls=None)
        if ways.encrypted and responses and settings.store is False:
            settings = replace(settings, response_include=[*(settings.response_include or ()), ENCRYPTED])
        if ways.completion_tokens and not responses and settings.max_tokens is not None:
            limit = {"max_completion_tokens": settings.max_tokens}
            settings = replace(settings, max_tokens=None, extra_args={**(settings.extra_args or {}), **limit})
        if ways.strict:
            return replace(self, settings=settings)
        tools = [
            replace(tool, strict_json_schema=False) if isinstance(tool, FunctionTool) else tool for tool in self.tools
        ]
        handoffs = [replace(handoff, strict_json_schema=False) for handoff in self.handoffs]
        return Request(settings, tools, handoffs)
