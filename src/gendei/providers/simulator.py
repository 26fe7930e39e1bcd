"""A local stand-in of Meta's Graph API.

The demo, `gendei chat` and the journeys run on it. It takes what Meta takes, refuses what Meta refuses, and
remembers everything in order. Served by `local_server.serve`; its webhooks come from `webhook_maker.WebhookMaker`.
"""

import asyncio
import json
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from secrets import token_bytes
from typing import Literal

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gendei.providers.simulator_rules import Json, Refused, check_request
from gendei.providers.webhook_maker import new_message_id


@dataclass(frozen=True, slots=True)
class Sent:
    """A message that the stand-in took. `to` is the phone or user id; `id` is what it answered with."""

    id: str
    phone_number_id: str
    to: str
    payload: Json
    token: str

    @property
    def text(self) -> str:
        """What the patient reads above any options."""
        if self.payload["type"] == "text":
            return str(self.payload["text"]["body"])
        return str(self.payload["interactive"]["body"]["text"])

    @property
    def options(self) -> list[tuple[str, str]]:
        """(id, title) of everything the patient can tap, in order."""
        action = self.payload.get("interactive", {}).get("action", {})
        replies = [button["reply"] for button in action.get("buttons", [])]
        rows = [row for section in action.get("sections", []) for row in section["rows"]]
        return [(option["id"], option["title"]) for option in replies + rows]

    @property
    def reference(self) -> str | None:
        return self.payload.get("biz_opaque_callback_data")


@dataclass(frozen=True, slots=True)
class Read:
    """A message that was marked as read, perhaps with the typing indicator."""

    phone_number_id: str
    message_id: str
    typing: bool


@dataclass(frozen=True, slots=True)
class Failure:
    """How one request fails. "error": Meta's error object; "garbage": 200 without JSON; "hang": no answer until the
    caller gives up; "drop": the connection breaks inside the answer. `accepted`: the message goes out all the same."""

    kind: Literal["error", "garbage", "hang", "drop"] = "error"
    status: int = 400
    code: int = 131000
    retry_after: int | None = None
    accepted: bool = False


class GraphSimulator:
    """POST /{version}/{phone_number_id}/messages, as an ASGI application (`app`) with a memory."""

    def __init__(self) -> None:
        self.sent: list[Sent] = []
        self.reads: list[Read] = []
        self.refused: list[Refused] = []
        self._failures: deque[Failure] = deque()
        self._changed = asyncio.Condition()
        self.app: ASGIApp = Starlette(
            routes=[Route("/{version}/{phone_number_id}/messages", self._messages, methods=["POST"])]
        )

    def fail_next(self, failure: Failure | None = None, *, times: int = 1) -> None:
        """Let the next messages (not the read receipts) fail, after those already told to."""
        self._failures.extend([failure or Failure()] * times)

    @property
    def failures_left(self) -> int:
        return len(self._failures)

    def sent_to(self, contact: str) -> list[Sent]:
        return [sent for sent in self.sent if sent.to == contact]

    async def wait_until(self, predicate: Callable[[], bool], *, patience_seconds: float = 10) -> None:
        """Return once `predicate` holds; it is asked again after every request. Raises TimeoutError."""
        async with asyncio.timeout(patience_seconds), self._changed:
            await self._changed.wait_for(predicate)

    async def wait_sent(self, count: int, *, to: str | None = None, patience_seconds: float = 10) -> list[Sent]:
        """The messages (to one contact, if given) once there are at least `count`. Raises TimeoutError."""

        def found() -> list[Sent]:
            return self.sent if to is None else self.sent_to(to)

        await self.wait_until(lambda: len(found()) >= count, patience_seconds=patience_seconds)
        return list(found())

    async def _messages(self, request: Request) -> Response:
        version = request.path_params["version"]
        try:
            response = await self._answer(request)
        except Refused as refused:
            self.refused.append(refused)
            response = _error(401 if refused.code == 190 else 400, refused.code, refused.details)
        response.headers["facebook-api-version"] = version
        async with self._changed:
            self._changed.notify_all()
        return response

    async def _answer(self, request: Request) -> Response:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme != "Bearer" or not token:
            raise Refused(190, "Invalid OAuth access token")
        try:
            payload = check_request(json.loads(await request.body()))
        except ValueError:
            raise Refused(100, "The body is not JSON") from None
        number = request.path_params["phone_number_id"]
        if "status" in payload:
            self.reads.append(Read(number, payload["message_id"], "typing_indicator" in payload))
            return JSONResponse({"success": True})
        failure = self._failures.popleft() if self._failures else None
        if failure and not failure.accepted:
            return _failed(failure)
        sent = Sent(new_message_id(), number, payload.get("to") or payload["recipient"], payload, token)
        self.sent.append(sent)
        return _failed(failure) if failure else _accepted(sent)


def _accepted(sent: Sent) -> Response:
    known_as = {"wa_id": sent.to.removeprefix("+")} if "to" in sent.payload else {"user_id": sent.to}
    return JSONResponse(
        {
            "messaging_product": "whatsapp",
            "contacts": [{"input": sent.to, **known_as}],
            "messages": [{"id": sent.id}],
        }
    )


def _failed(failure: Failure) -> Response:
    if failure.kind == "error":
        return _error(failure.status, failure.code, "as told by fail_next", failure.retry_after)
    return Response(b"<html>") if failure.kind == "garbage" else _NoAnswer(hang=failure.kind == "hang")


def _error(status: int, code: int, details: str, retry_after: int | None = None) -> Response:
    """Meta's error object."""
    error = {
        "message": f"(#{code}) {details}",
        "type": "OAuthException",
        "code": code,
        "error_data": {"messaging_product": "whatsapp", "details": details},
        "fbtrace_id": "A" + token_bytes(8).hex(),
    }
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    return JSONResponse({"error": error}, status_code=status, headers=headers)


class _NoAnswer(Response):
    """Hangs until the caller leaves, or announces more bytes than it sends, so that the server cuts the line."""

    def __init__(self, *, hang: bool) -> None:
        super().__init__()
        self._hang = hang

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        if self._hang:
            while (await receive())["type"] != "http.disconnect":
                continue
        start: Message = {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"99")]}
        await send(start)
        await send({"type": "http.response.body", "body": b"{", "more_body": True})
