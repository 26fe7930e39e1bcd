"""Google's OpenAI-compatible endpoint as far as it has ways of its own.

Documented (ai.google.dev: openai, thought-signatures, rate-limits, troubleshooting): the statuses, and the signature in
`extra_content` of a call, which has to come back with it. Reported by its users: errors inside of an array, calls
without an id, "stop" as the reason of calls, the keywords of schemas that it refuses, results that need the name of the
tool.
"""

import json
from collections.abc import Mapping
from typing import Any

from tests.receptionist.openai_server import Asked, Body, Call, Raw, Say, Step

SIGNED = "c2lnbmVk"
UNKNOWN = ("additionalProperties", "$schema", "$ref", "strict")


def gemini(*steps: Step) -> tuple[Step | Asked, ...]:
    """Steps as Google's endpoint would answer them, each after a look at what it was asked."""
    return tuple(_of(step) for step in steps)


def _of(step: Step) -> Step | Asked:
    def answer(body: Body) -> Step:
        return _refused(body) or (_completion(step) if isinstance(step, Say | Call) else step)

    return answer


def failed(code: int, status: str, message: str = "no", *details: Mapping[str, Any]) -> Raw:
    error = {"code": code, "message": message, "status": status}
    return Raw([{"error": {**error, "details": list(details)} if details else error}], code)


def exhausted(quota: str, delay: str) -> Raw:
    """429: a quota such as GenerateRequestsPerDayPerProjectPerModel-FreeTier is used up, until `delay` ("26s")."""
    return failed(
        429,
        "RESOURCE_EXHAUSTED",
        "You exceeded your current quota",
        {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"quotaId": quota}]},
        {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay},
    )


BAD_KEY = failed(
    400,
    "INVALID_ARGUMENT",
    "API key not valid. Please pass a valid API key.",
    {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID", "domain": "googleapis.com"},
)
NO_BILLING = failed(400, "FAILED_PRECONDITION", "User location is not supported for the API use.")
OVERLOADED = failed(503, "UNAVAILABLE", "The model is overloaded. Please try again later.")
BLOCKED = Raw(
    {"object": "chat.completion", "choices": [{"index": 0, "message": {}, "finish_reason": "content_filter"}]}
)


def _refused(body: Body) -> Raw | None:
    tools = json.dumps(body.get("tools", []))
    unknown = [word for word in UNKNOWN if f'"{word}":' in tools] + [word for word in ("store",) if word in body]
    if unknown:
        return failed(400, "INVALID_ARGUMENT", f'Invalid JSON payload received. Unknown name "{unknown[0]}"')
    for message in body["messages"]:
        if message["role"] == "tool" and not message.get("name"):
            return failed(400, "INVALID_ARGUMENT", "Request contains an invalid argument.")
        for call in message.get("tool_calls") or []:
            if call.get("extra_content") != {"google": {"thought_signature": SIGNED}}:
                return failed(400, "INVALID_ARGUMENT", "Function call is missing a thought_signature")
    return None


def _completion(said: Say | Call) -> Raw:
    message: dict[str, Any] = {"role": "assistant"}
    if isinstance(said, Say):
        message["content"] = said.text
    else:
        message["tool_calls"] = [
            {
                "id": "",
                "type": "function",
                "extra_content": {"google": {"thought_signature": SIGNED}},
                "function": {"name": name, "arguments": given if isinstance(given, str) else json.dumps(given)},
            }
            for name, given in said.calls
        ]
    usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
    choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
    return Raw({"object": "chat.completion", "created": 1, "model": "gemini", "choices": choices, "usage": usage})
