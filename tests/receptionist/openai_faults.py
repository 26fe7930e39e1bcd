"""OpenAI's own faults, over both protocols: status, headers and body.

Documented (developers.openai.com: error-codes, rate-limits; the API reference's objects `error`, `response` and
`chat.completion`): the statuses and codes, `x-ratelimit-*`, and what an answer is that was cut, filtered or failed.
Reported by users: the messages' words and `retry-after-ms`. Keys and organisations are left out.
"""

from collections.abc import Mapping
from typing import Any

from tests.receptionist.openai_server import Asked, Body, Raw


def fault(
    status: int, message: str, kind: str, code: str | None, headers: Mapping[str, str] | None = None, **more: Any
) -> Raw:
    return Raw(
        {"error": {"message": message, "type": kind, "param": None, "code": code, **more}}, status, headers or {}
    )


BAD_KEY = fault(
    401,
    "Incorrect API key provided: sk-****. You can find your API key at https://platform.openai.com/account/api-keys.",
    "invalid_request_error",
    "invalid_api_key",
)
WRONG_COUNTRY = fault(
    403,
    "Country, region, or territory not supported",
    "request_forbidden",
    "unsupported_country_region_territory",
)
NO_MODEL = fault(
    404,
    "The model `gpt-9` does not exist or you do not have access to it.",
    "invalid_request_error",
    "model_not_found",
)
NO_CREDIT = fault(
    429,
    "You exceeded your current quota, please check your plan and billing details. For more information on this error, "
    "read the docs: https://platform.openai.com/docs/guides/error-codes/api-errors.",
    "insufficient_quota",
    "insufficient_quota",
)
TOO_FAST = fault(
    429,
    "Rate limit reached for gpt-6-luna in organization org-*** on tokens per min (TPM): Limit 200000, Used 199500, "
    "Requested 7300. Please try again in 2.04s.",
    "tokens",
    "rate_limit_exceeded",
    {"retry-after": "0", "retry-after-ms": "4", "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "4ms"},
)
FOR_THE_DAY = fault(
    429,
    "Rate limit reached for gpt-6-luna in organization org-*** on requests per day (RPD): Limit 10000, Used 10000, "
    "Requested 1. Please try again in 8m38.4s.",
    "requests",
    "rate_limit_exceeded",
    {"retry-after": "519", "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "8m38.4s"},
)
SERVER_ERROR = fault(
    500,
    "The server had an error while processing your request. Sorry about that!",
    "server_error",
    None,
)
OVERLOADED = fault(
    503, "The engine is currently overloaded, please try again later", "service_unavailable_error", "overloaded"
)
BAD_GATEWAY = Raw({"unexpected": "<html><head><title>502 Bad Gateway</title></head></html>"}, 502)
TOO_LONG = fault(
    400,
    "Your input exceeds the context window of this model. Please adjust your input and try again.",
    "invalid_request_error",
    "context_length_exceeded",
)
AGAINST_POLICY = fault(
    400,
    "Invalid prompt: your prompt was flagged as potentially violating our usage policy.",
    "invalid_request_error",
    "invalid_prompt",
)


def filtered(body: Body) -> Raw:
    """An answer that the content filter took away."""
    if "messages" in body:
        choices = [{"index": 0, "message": {"role": "assistant", "content": ""}, "finish_reason": "content_filter"}]
        return Raw({"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": choices})
    head = {"id": "resp_1", "object": "response", "created_at": 1, "model": "m", "status": "incomplete"}
    rest = {"output": [], "parallel_tool_calls": False, "tool_choice": "auto", "tools": [], "error": None}
    return Raw({**head, **rest, "incomplete_details": {"reason": "content_filter"}})


FILTERED: Asked = filtered
