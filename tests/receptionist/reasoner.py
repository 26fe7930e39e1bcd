"""OpenAI's models that reason, over both protocols, as far as they refuse what others take.

Documented (developers.openai.com: reasoning, migrate-to-responses): max_completion_tokens in place of max_tokens, no
temperature beside reasoning, and with `store: false` the reasoning as encrypted_content, asked for by `include`, which
has to stand before the call that it led to. Reported by users, with these bodies: "Unsupported value: 'temperature'
..." (langgenius/dify#24307, gabrii/Cursor-Azure-GPT-5#33), "Unsupported parameter: 'max_tokens' ...", and "Function
tools with reasoning_effort are not supported ..." of chat completions (openai/openai-openapi#541,
BerriAI/litellm#34569). `strict`, `parallel_tool_calls` and an effort that a model does not have are refused in the same
form.
"""

import json
from collections.abc import Callable, Sequence
from typing import Any

from tests.receptionist.openai_server import Asked, Body, Call, Raw, Say, Step

THOUGHT = "gAAAAABencrypted"


def unsupported(parameter: str, message: str, code: str | None = "unsupported_parameter") -> Raw:
    """400, as OpenAI refuses a parameter."""
    return Raw({"error": {"message": message, "type": "invalid_request_error", "param": parameter, "code": code}}, 400)


NO_TEMPERATURE = unsupported(
    "temperature",
    "Unsupported value: 'temperature' does not support 0.7 with this model. Only the default (1) value is supported.",
    "unsupported_value",
)
NO_MAX_TOKENS = unsupported(
    "max_tokens",
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
)
NO_PARALLEL = unsupported(
    "parallel_tool_calls", "Unsupported parameter: 'parallel_tool_calls' is not supported with this model."
)
NO_EFFORT = unsupported(
    "reasoning.effort",
    "Unsupported value: 'none' is not supported with this model. Supported values are: 'low', 'medium', and 'high'.",
    "unsupported_value",
)
NO_TOOLS_WHILE_IT_REASONS = unsupported(
    "reasoning_effort",
    "Function tools with reasoning_effort are not supported for this model in /v1/chat/completions. To use function "
    "tools, use /v1/responses or set reasoning_effort to 'none'.",
    None,
)
NO_STRICT = unsupported(
    "tools[0].function.strict", "Unknown parameter: 'tools[0].function.strict'.", "unknown_parameter"
)
NO_REASONING_BEFORE_IT = unsupported(
    "input", "Item of type 'function_call' was provided without its required 'reasoning' item.", None
)


def reasoner(*steps: Step, refuses: Sequence[str] = ()) -> tuple[Step | Asked, ...]:
    """Steps as such a model would answer them, where it takes what it is asked with. refuses: parameters beside those
    that they all refuse."""

    def answer_of(step: Step) -> Asked:
        return lambda body: _refused(body, refuses) or _reasoned(step, body)

    return tuple(answer_of(step) for step in steps)


def refusing(*refuses: str) -> Callable[[Body], Raw | None]:
    """What such a model does not take, before any step."""
    return lambda body: _refused(body, refuses)


def _refused(body: Body, refuses: Sequence[str]) -> Raw | None:
    effort = body.get("reasoning_effort") or (body.get("reasoning") or {}).get("effort")
    if "temperature" in body:
        return NO_TEMPERATURE
    if "max_tokens" in body:
        return NO_MAX_TOKENS
    if "parallel_tool_calls" in refuses and "parallel_tool_calls" in body:
        return NO_PARALLEL
    if "none" in refuses and effort == "none":
        return NO_EFFORT
    if "strict" in refuses and '"strict": true' in json.dumps(body.get("tools", [])):
        return NO_STRICT
    if "messages" in body and body.get("tools") and effort != "none" and "tools" in refuses:
        return NO_TOOLS_WHILE_IT_REASONS
    return None if "messages" in body or effort == "none" else _without_reasoning(body["input"])


def _without_reasoning(items: Any) -> Raw | None:
    before: dict[str, Any] = {}
    for item in items if isinstance(items, list) else ():
        if item.get("type") == "function_call" and before.get("encrypted_content") != THOUGHT:
            return NO_REASONING_BEFORE_IT
        before = item
    return None


def _reasoned(step: Step, body: Body) -> Step:
    """With its reasoning before the call, where it was asked for."""
    if "messages" in body or not isinstance(step, Call) or (body.get("reasoning") or {}).get("effort") == "none":
        return step
    thought = {"type": "reasoning", "id": "rs_1", "summary": []}
    if "reasoning.encrypted_content" in (body.get("include") or ()):
        thought["encrypted_content"] = THOUGHT
    calls = [
        {"type": "function_call", "id": f"fc_{number}", "call_id": f"call_{name}_{len(body['input'])}_{number}"}
        | {"name": name, "arguments": given if isinstance(given, str) else json.dumps(given), "status": "completed"}
        for number, (name, given) in enumerate(step.calls)
    ]
    usage = {"input_tokens": 100, "output_tokens": 200, "total_tokens": 300}
    details = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 128}}
    return Raw(
        {"id": "resp_1", "object": "response", "created_at": 1, "model": "reasoner", "status": "completed"}
        | {"output": [thought, *calls], "parallel_tool_calls": False, "tool_choice": "auto", "tools": []}
        | {"usage": {**usage, **details}}
    )


def refusal(text: str) -> Asked:
    """A refusal in the field that either protocol has for it (documented: structured-outputs, "Refusals")."""

    def answer(body: Body) -> Say | Raw:
        if "messages" not in body:
            content = [{"type": "refusal", "refusal": text}]
            message = {"type": "message", "id": "msg", "role": "assistant", "status": "completed", "content": content}
            head = {"id": "resp_1", "object": "response", "created_at": 1, "model": "m", "status": "completed"}
            rest = {"output": [message], "parallel_tool_calls": False, "tool_choice": "auto", "tools": []}
            return Raw({**head, **rest})
        message = {"role": "assistant", "content": None, "refusal": text}
        choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
        return Raw({"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": choices})

    return answer
