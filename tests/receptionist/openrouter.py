"""OpenRouter's API as far as it has ways of its own, all of them documented (openrouter.ai/docs: errors-and-debugging,
streaming, reasoning-tokens, provider-selection)."""

import json
from collections.abc import Mapping
from typing import Any

from tests.receptionist.openai_server import Asked, Body, Call, Raw, Say, Step

THOUGHT = [{"type": "reasoning.encrypted", "data": "b3BhcXVl", "format": "google-gemini-v1", "index": 0}]


def openrouter(*steps: Step) -> tuple[Step | Asked, ...]:
    """Steps as OpenRouter would answer them of a model that reasons, each after a look at what it was asked."""
    return tuple(_of(step) for step in steps)


def _of(step: Step) -> Step | Asked:
    def answer(body: Body) -> Step:
        return _refused(body) or (_completion(step) if isinstance(step, Say | Call) else step)

    return answer


def error(code: int, message: str = "no", **metadata: Any) -> dict[str, Any]:
    return {"error": {"code": code, "message": message, **({"metadata": metadata} if metadata else {})}}


def failed(code: int, headers: Mapping[str, str] | None = None, **metadata: Any) -> Raw:
    return Raw(error(code, **metadata), code, headers or {})


FLAGGED = failed(403, reasons=["violence"], flagged_input="...", provider_name="OpenAI", model_slug="openai/gpt-4o")
NO_CREDITS = failed(402, limit_source="openrouter_credits")
TOO_MUCH_AT_ONCE = failed(402, {"Retry-After": "0"}, limit_source="openrouter_in_flight_budget")
MODEL_DOWN = Raw(error(502, "Provider returned error", provider_name="Together"))
"""200, since the answer had been begun."""
BROKE_OFF = Raw(
    {
        "id": "gen-1",
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": "Olá, "}, "finish_reason": "error", **error(502)}
        ],
    }
)
BROKE_OFF_STREAMED = Raw(
    ": OPENROUTER PROCESSING\n\n"
    'data: {"id":"gen-1","object":"chat.completion.chunk","created":1,"model":"m","provider":"Together","choices":'
    '[{"index":0,"delta":{"role":"assistant","content":"Olá, "},"finish_reason":null,"native_finish_reason":null}]}\n\n'
    'data: {"id":"gen-1","object":"chat.completion.chunk","created":1,"model":"m","provider":"Together","error":'
    '{"code":502,"message":"Provider disconnected"},"choices":[{"index":0,"delta":{"content":""},'
    '"finish_reason":"error"}]}\n\n'
)
STREAMED = Raw(
    ": OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n"
    'data: {"id":"gen-1","object":"chat.completion.chunk","created":1,"model":"m","provider":"Together","choices":'
    '[{"index":0,"delta":{"role":"assistant","content":"Bom dia!"},"finish_reason":null}]}\n\n'
    'data: {"id":"gen-1","object":"chat.completion.chunk","created":1,"model":"m","provider":"Together","choices":'
    '[{"index":0,"delta":{"content":""},"finish_reason":"stop","native_finish_reason":"STOP"}]}\n\n'
    "data: [DONE]\n\n"
)


def _refused(body: Body) -> Raw | None:
    if body.get("provider") != {"data_collection": "deny"}:
        return failed(404, reason="the account's own data policy")
    asked = [message for message in body["messages"] if message.get("tool_calls")]
    if any(message.get("reasoning_details") != THOUGHT for message in asked):
        return failed(400, provider_name="Google")
    return None


def _completion(said: Say | Call) -> Raw:
    message: dict[str, Any] = {"role": "assistant", "content": said.text if isinstance(said, Say) else None}
    message |= {"refusal": None, "reasoning": "The patient wants an appointment.", "reasoning_details": THOUGHT}
    if isinstance(said, Call):
        message["tool_calls"] = [
            {
                "index": number,
                "id": f"tool_{number}_{name}",
                "type": "function",
                "function": {"name": name, "arguments": given if isinstance(given, str) else json.dumps(given)},
            }
            for number, (name, given) in enumerate(said.calls)
        ]
    reason = "stop" if isinstance(said, Say) else "tool_calls"
    choice = {"index": 0, "message": message, "finish_reason": reason, "native_finish_reason": "STOP", "logprobs": None}
    usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110, "cost": 0.0001}
    head = {"id": "gen-1", "provider": "Google", "object": "chat.completion", "created": 1, "model": "google/gemini"}
    return Raw({**head, "choices": [choice], "usage": usage})
