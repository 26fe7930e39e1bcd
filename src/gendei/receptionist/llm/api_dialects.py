"""What compatible APIs make of OpenAI's chat completions, and how that becomes what OpenAI makes of them.

From Google's and OpenRouter's pages (2026) where it says "documented", else from reports of their users; docs/models.md
tells which is which. Nothing here keeps anything: each request and each answer stands for itself.
"""

import json
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import httpx2
from openai import DefaultAsyncHttpxClient

from gendei.receptionist.llm.unusable import tell_if_cut

Json = dict[str, Any]
_HOSTS = {"generativelanguage.googleapis.com": "gemini", "openrouter.ai": "openrouter"}
_KEYWORDS_OF_GEMINI = frozenset(
    "type format title description nullable enum default example pattern anyOf items minItems maxItems properties "
    "required propertyOrdering minProperties maxProperties minLength maxLength minimum maximum".split()
)
"""Documented (Schema of the Gemini API). Any other, such as additionalProperties or $ref, is answered with 400."""
_UNTOLD = 502
"""The status of an error that has none of its own: what is behind the API failed."""


class Dialect(StrEnum):
    """Whose chat completions they are."""

    OPENAI = "openai"
    GEMINI = "gemini"
    OPENROUTER = "openrouter"


def dialect_of(base_url: str | None) -> Dialect:
    """Of the API at an address; OpenAI's where nothing else is known of it."""
    host = urlsplit(base_url or "").hostname or ""
    return Dialect(_HOSTS.get(host, Dialect.OPENAI))


def takes_cache_keys(base_url: str | None) -> bool:
    """Whether the API at an address takes `prompt_cache_key`, by which requests that begin alike are kept together:
    documented of OpenAI, and others refuse what they do not know."""
    return base_url is None or urlsplit(base_url).hostname == "api.openai.com"


class DialectClient(DefaultAsyncHttpxClient):
    """The OpenAI client's own HTTP client, between it and an API of another dialect. Streams pass as they are."""

    def __init__(self, dialect: Dialect, **options: Any) -> None:
        super().__init__(**options)
        self._dialect = dialect

    async def send(self, request: httpx2.Request, *, stream: bool = False, **options: Any) -> httpx2.Response:
        response = await super().send(_asked(request, self._dialect), stream=stream, **options)
        return response if stream and response.is_success else await _answered(response)


async def _answered(response: httpx2.Response) -> httpx2.Response:
    body = _json(await response.aread())
    status, told = as_openai_answers(response.status_code, body)
    if told is body and status == response.status_code:
        return response
    headers = [(name, value) for name, value in response.headers.multi_items() if name not in _OF_THE_BODY]
    return httpx2.Response(status, headers=headers, content=json.dumps(told).encode(), request=response.request)


_OF_THE_BODY = frozenset({"content-length", "content-encoding", "transfer-encoding"})


def _asked(request: httpx2.Request, dialect: Dialect) -> httpx2.Request:
    body = _json(request.content)
    if dialect is Dialect.OPENAI or not isinstance(body, dict):
        return request
    headers = [(name, value) for name, value in request.headers.multi_items() if name not in _OF_THE_BODY]
    content = json.dumps(as_asked_of(dialect, body)).encode()
    return httpx2.Request(request.method, request.url, headers=headers, content=content, extensions=request.extensions)


def as_asked_of(dialect: Dialect, body: Json) -> Json:
    """A request of OpenAI's as `dialect` takes it."""
    if dialect is Dialect.GEMINI:
        tools = {"tools": [_tool_of_gemini(tool) for tool in body["tools"]]} if body.get("tools") else {}
        return {**body, **tools, "messages": _results_named(body.get("messages", []))}
    if dialect is Dialect.OPENROUTER:  # documented: only makers that collect nothing of what they are sent
        messages = [_with_reasoning(message) for message in body.get("messages", [])]
        return {**body, "messages": messages, "provider": {"data_collection": "deny"}}
    return body


def as_openai_answers(status: int, body: Any) -> tuple[int, Any]:
    """Status and body of an answer as OpenAI gives them: an error is an object under "error" and has its own status,
    and each call of a tool an id of its own."""
    if isinstance(body, list) and len(body) == 1 and isinstance(body[0], dict):
        body = body[0]  # Gemini's errors
    if not isinstance(body, dict):
        return status, body
    if tell_if_cut(body) and body.get("status") == "incomplete":
        body = {
            **body,
            "status": "completed",
            "incomplete_details": None,
        }  # the SDK would give it up; it is asked again
    error = body.get("error") or next((choice["error"] for choice in _choices(body) if choice.get("error")), None)
    if error and status < 400:  # documented of OpenRouter: an error that comes after the answer was begun
        code = error.get("code") if isinstance(error, Mapping) else None
        return (code if isinstance(code, int) and 400 <= code < 600 else _UNTOLD), {"error": error}
    if any(_needs_change(message) for message in _messages(body)):
        choices = [{**choice, "message": _message(choice["message"])} for choice in _choices(body)]
        return status, {**body, "choices": choices}
    return status, body


def _choices(body: Mapping[str, Any]) -> list[Json]:
    choices = body.get("choices")
    return [choice for choice in choices if isinstance(choice, dict)] if isinstance(choices, list) else []


def _messages(body: Mapping[str, Any]) -> Iterator[Json]:
    return (choice["message"] for choice in _choices(body) if isinstance(choice.get("message"), dict))


def _needs_change(message: Json) -> bool:
    calls = message.get("tool_calls") or []
    return any(not call.get("id") for call in calls) or bool(calls and message.get("reasoning_details"))


def _message(message: Json) -> Json:
    """Calls without an id get one: results find their calls by it. OpenRouter's reasoning_details, which have to come
    back with the calls (documented), go where the SDK keeps what Google wants back."""
    calls = [{**call, "id": call.get("id") or f"call-{uuid4().hex}"} for call in message.get("tool_calls") or []]
    if calls and (details := message.get("reasoning_details")):
        calls[0] = {**calls[0], "extra_content": {"google": {"thought_signature": details}}}
    return {**message, "tool_calls": calls or None}


def _with_reasoning(message: Json) -> Json:
    """The message with its reasoning where `_message` had it from."""
    calls = message.get("tool_calls") or []
    details = [call["extra_content"]["google"]["thought_signature"] for call in calls if "extra_content" in call]
    if not details:
        return message
    return {**message, "tool_calls": [_but(call, "extra_content") for call in calls], "reasoning_details": details[0]}


def _results_named(messages: list[Json]) -> list[Json]:
    """Results of tools with the name of the tool, without which Gemini refuses some of them."""
    names = {call["id"]: call["function"]["name"] for message in messages for call in message.get("tool_calls") or []}
    return [
        {**message, "name": names[message["tool_call_id"]]} if message.get("tool_call_id") in names else message
        for message in messages
    ]


def _tool_of_gemini(tool: Json) -> Json:
    function = _but(tool["function"], "strict")
    schema = function.get("parameters") or {}
    return {**tool, "function": {**function, "parameters": _schema(schema, schema.get("$defs", {}))}}


def _schema(schema: Json, definitions: Json, inside: frozenset[str] = frozenset()) -> Json:
    """`schema` in Gemini's keywords, with what it refers to in the place of the reference; what refers to itself is any
    object there."""
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        if name in inside or name not in definitions:
            return {"type": "object"}
        return _schema({**definitions[name], **_but(schema, "$ref")}, definitions, inside | {name})
    plain = {name: value for name, value in schema.items() if name in _KEYWORDS_OF_GEMINI}
    if "properties" in plain:
        plain["properties"] = {name: _schema(part, definitions, inside) for name, part in plain["properties"].items()}
    if isinstance(plain.get("items"), dict):
        plain["items"] = _schema(plain["items"], definitions, inside)
    if "anyOf" in plain:
        plain["anyOf"] = [_schema(part, definitions, inside) for part in plain["anyOf"]]
    return plain


def _but(values: Json, name: str) -> Json:
    return {key: value for key, value in values.items() if key != name}


def _json(content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        return None
