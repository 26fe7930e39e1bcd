"""A stand-in of an OpenAI-compatible API on 127.0.0.1: chat completions and responses, whole or streamed.

It answers with the steps that a test gives it, one a request, and keeps what it was asked.
"""

import json
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from gendei.providers.stand_in.local_server import serve

Body = Mapping[str, Any]


@dataclass(frozen=True)
class Say:
    """An answer in words; "" is an answer with nothing. cut: at the most tokens that it may have."""

    text: str
    cut: bool = False


@dataclass(frozen=True)
class Call:
    """Calls of tools, each with its arguments, or with text that is no JSON."""

    calls: tuple[tuple[str, Mapping[str, Any] | str], ...]


@dataclass(frozen=True)
class Fail:
    """An error of the API. `retry_after` becomes the header."""

    status: int
    code: str = "error"
    retry_after: str | None = None


@dataclass(frozen=True)
class Garbage:
    """200, and a body that is none of the API's."""

    body: str = "<html>upstream error</html>"


@dataclass(frozen=True)
class Never:
    """No answer, until the client goes away."""


@dataclass(frozen=True)
class Raw:
    """An answer as it stands, of an API that is compatible but for its ways: text is a body that is streamed."""

    body: Any
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


Step = Say | Call | Fail | Garbage | Never | Raw
Asked = Callable[[Body], Step]


def call(tool: str, **arguments: Any) -> Call:
    return Call(((tool, arguments),))


def hand_off(agent: str) -> Call:
    return call(f"transfer_to_{agent}")


@dataclass
class OpenAiServer:
    """`steps`: what to answer, or how to make it of the request; without one left, 500. `requests`: the bodies so far,
    and `answers`: what each was answered. usage: (input, output) tokens that each answer is said to have cost. gate:
    what is refused before any step."""

    steps: deque[Step | Asked] = field(default_factory=deque)
    requests: list[dict[str, Any]] = field(default_factory=list)
    answers: list[Step] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    usage: tuple[int, int] = (100, 10)
    url: str = ""
    gate: Callable[[Body], Step | None] = lambda _body: None
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def will(self, *steps: Step | Asked) -> None:
        self.steps.extend(steps)

    async def answer(self, request: Request) -> Response:
        body = await request.json()
        self.requests.append(body)
        self.keys.append(request.headers.get("authorization", ""))
        step = self.gate(body) or (self.steps.popleft() if self.steps else Fail(500, "script_is_over"))
        self.answers.append(step if isinstance(step, Step) else step(body))
        match self.answers[-1]:
            case Raw(str() as text):
                return PlainTextResponse(text, media_type=EVENTS)
            case Raw(made, status, headers):
                return JSONResponse(made, status, dict(headers))
            case Fail(status, code, retry_after):
                headers = {"retry-after": retry_after} if retry_after is not None else {}
                return JSONResponse({"error": {"message": "no", "type": code, "code": code}}, status, headers)
            case Garbage(text):
                return PlainTextResponse(text, media_type="text/html")
            case Never():
                while (await request.receive())["type"] != "http.disconnect":
                    pass
                return PlainTextResponse("nobody is there any more")
            case Say() | Call() as said:
                chat = request.url.path.endswith("/chat/completions")
                made = self._completion(said) if chat else self._response(said)
                if not body.get("stream"):
                    return JSONResponse(made)
                return StreamingResponse(_chat_events(made) if chat else _response_events(made), media_type=EVENTS)

    def _completion(self, said: Say | Call) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": None}
        if isinstance(said, Say):
            message["content"] = said.text
        else:
            message["tool_calls"] = [
                {
                    "id": f"call-{next(self._numbers)}",
                    "type": "function",
                    "function": {"name": name, "arguments": given},
                }
                for name, given in _calls(said)
            ]
        read, written = self.usage
        why = "tool_calls" if isinstance(said, Call) else "length" if said.cut else "stop"
        return {
            "id": f"chatcmpl-{next(self._numbers)}",
            "object": "chat.completion",
            "created": 1,
            "model": "stand-in",
            "choices": [{"index": 0, "message": message, "finish_reason": why}],
            "usage": {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written},
        }

    def _response(self, said: Say | Call) -> dict[str, Any]:
        output: list[dict[str, Any]] = []
        cut = isinstance(said, Say) and said.cut
        if isinstance(said, Say):
            content = [{"type": "output_text", "text": said.text, "annotations": []}]
            status = "incomplete" if cut else "completed"
            output = [{"type": "message", "id": "msg", "role": "assistant", "status": status, "content": content}]
        else:
            for name, given in _calls(said):
                id_ = f"call-{next(self._numbers)}"
                output.append(
                    {"type": "function_call", "id": f"fc-{id_}", "call_id": id_, "name": name, "arguments": given}
                )
        read, written = self.usage
        return {
            "id": f"resp-{next(self._numbers)}",
            "object": "response",
            "created_at": 1,
            "model": "stand-in",
            "status": "incomplete" if cut else "completed",
            "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
            "output": output,
            "parallel_tool_calls": False,
            "tool_choice": "auto",
            "tools": [],
            "usage": {
                "input_tokens": read,
                "input_tokens_details": {"cached_tokens": 0},
                "output_tokens": written,
                "output_tokens_details": {"reasoning_tokens": 0},
                "total_tokens": read + written,
            },
        }


EVENTS = "text/event-stream"


@asynccontextmanager
async def openai_server() -> AsyncIterator[OpenAiServer]:
    """Running; `url` is what OPENAI_BASE_URL takes."""
    server = OpenAiServer()
    paths = ("/v1/chat/completions", "/v1/responses")
    app = Starlette(routes=[Route(path, server.answer, methods=["POST"]) for path in paths])
    async with serve(app) as url:
        server.url = f"{url}/v1"
        yield server


def last_output(body: Body) -> dict[str, Any]:
    """What the last tool returned, of a request of either protocol."""
    items = body.get("messages") or body["input"]
    texts = [item["content"] for item in items if item.get("role") == "tool"]
    texts += [item["output"] for item in items if item.get("type") == "function_call_output"]
    return dict(json.loads(texts[-1]))


def _calls(said: Call) -> list[tuple[str, str]]:
    return [(name, given if isinstance(given, str) else json.dumps(given)) for name, given in said.calls]


async def _chat_events(made: Mapping[str, Any]) -> AsyncIterator[str]:
    [choice] = made["choices"]
    delta = dict(choice["message"])
    for number, item in enumerate(delta.get("tool_calls", ())):
        item["index"] = number
    chunk = {**made, "object": "chat.completion.chunk", "usage": None}
    for choices, usage in (
        ([{"index": 0, "delta": delta, "finish_reason": None}], None),
        ([{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}], None),
        ([], made["usage"]),
    ):
        yield f"data: {json.dumps({**chunk, 'choices': choices, 'usage': usage})}\n\n"
    yield "data: [DONE]\n\n"


async def _response_events(made: Mapping[str, Any]) -> AsyncIterator[str]:
    begun = {**made, "status": "in_progress", "output": [], "usage": None}
    events: list[dict[str, Any]] = [{"type": "response.created", "response": begun}]
    for place, item in enumerate(made["output"]):
        events.append({"type": "response.output_item.added", "output_index": place, "item": item})
        events.append({"type": "response.output_item.done", "output_index": place, "item": item})
    events.append({"type": "response.completed", "response": made})
    for number, event in enumerate(events):
        yield f"event: {event['type']}\ndata: {json.dumps({**event, 'sequence_number': number})}\n\n"
