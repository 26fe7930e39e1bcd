"""A write that is sent twice is done once: gendei_answers/{sha256 of clinic, who and key} keeps its answer for a day.

The first request with an Idempotency-Key creates the document, which is the claim, and writes its answer there; the
same request again gets that answer. After a failure of ours (5xx) the claim is given up, so that it can be tried again.
"""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gendei.clock import Clock
from gendei.documents import Data, Documents, Query, Snapshot, delete, put
from gendei.errors import Conflict
from gendei.staff.actors import Actor
from gendei.web.api.problems import refusal
from gendei.web.problems import problem

HEADER = "Idempotency-Key"
REPLAYED = "Idempotent-Replayed"
ANSWERS = "gendei_answers"
KEPT_FOR = timedelta(hours=24)
GIVEN_UP_AFTER = timedelta(seconds=60)
"""How long a request may run before another one with its key counts it as dead."""
MAX_BODY = 64 * 1024
_PURGED_AT_ONCE = 20

ActorOf = Callable[[Request], Awaitable[Actor | None]]


@dataclass(frozen=True, slots=True)
class _Claim:
    path: str
    fingerprint: str


class IdempotentWrites:
    """Wraps the API. `actor_of`: whose key it is; what nobody signs is passed on, to be refused. Also holds every body
    to MAX_BODY."""

    def __init__(self, app: ASGIApp, documents: Documents, clock: Clock, actor_of: ActorOf) -> None:
        self._app, self._documents, self._clock, self._actor_of = app, documents, clock, actor_of

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] in {"GET", "HEAD", "OPTIONS"}:
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive)
        body = await _body(request)
        if body is None:
            await problem(request, HTTPStatus.REQUEST_ENTITY_TOO_LARGE)(scope, receive, send)
            return
        key = request.headers.get(HEADER)
        actor = await self._actor_of(request) if key is not None else None
        if key is None or actor is None:
            await self._app(scope, _replay(body), send)
        elif not 1 <= len(key) <= 255 or not (key.isascii() and key.isprintable()):
            answer = problem(request, HTTPStatus.BAD_REQUEST, f"{HEADER} is 1 to 255 printable ASCII characters")
            await answer(scope, receive, send)
        else:
            await (await self._once(request, body, _claim(request, body, actor, key)))(scope, receive, send)

    async def _once(self, request: Request, body: bytes, claim: _Claim) -> Response:
        before = await self._documents.get(claim.path)
        if (known := self._known(request, before, claim)) is not None:
            return known
        now = self._clock()
        running = {"fingerprint": claim.fingerprint, "startedAt": now, "expireAt": now + KEPT_FOR, "answer": None}
        try:
            await self._documents.commit([put(claim.path, running, unchanged_since=before)])
        except Conflict:
            return _running()
        try:
            answer = await _run(self._app, request, body)
        except Exception:
            await self._documents.commit([delete(claim.path)])
            raise
        if answer.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
            await self._documents.commit([delete(claim.path)])
            return answer
        kept = {
            "status": answer.status_code,
            "type": answer.headers.get("content-type", ""),
            "body": bytes(answer.body).decode(),
        }
        await self._documents.commit([put(claim.path, {**running, "answer": kept})])
        await self._purge()
        return answer

    def _known(self, request: Request, before: Snapshot, claim: _Claim) -> Response | None:
        """The answer where the key is known; None where this request is to be done."""
        data, now = before.data, self._clock()
        if data is None or data["expireAt"] <= now:
            return None
        if data["fingerprint"] != claim.fingerprint:
            detail = f"this {HEADER} was used for another request"
            wrong: list[dict[str, object]] = [{"where": f"header.{HEADER}", "problem": detail}]
            return problem(request, HTTPStatus.UNPROCESSABLE_ENTITY, detail, errors=wrong)
        if data["answer"] is None:
            return _running() if data["startedAt"] + GIVEN_UP_AFTER > now else None
        return _answer_of(data["answer"])

    async def _purge(self) -> None:
        """Remove what has expired, a few at a time (Firestore also does it by a TTL policy on `expireAt`)."""
        query = Query(ANSWERS, (("expireAt", "<", self._clock()),), (("expireAt", False),), limit=_PURGED_AT_ONCE)
        if expired := await self._documents.query(query):
            await self._documents.commit([delete(one.path) for one in expired])


def _claim(request: Request, body: bytes, actor: Actor, key: str) -> _Claim:
    whose = json.dumps([actor.clinic_id, actor.user_id, key])
    what = f"{request.method} {request.url.path}?{request.url.query}\n".encode() + body
    return _Claim(f"{ANSWERS}/{sha256(whose.encode()).hexdigest()}", sha256(what).hexdigest())


def _running() -> Response:
    return refusal("in_progress", "A mesma requisição ainda está em andamento. Tente de novo em instantes.")


def _answer_of(kept: Data) -> Response:
    headers = {REPLAYED: "true"} | ({"content-type": kept["type"]} if kept["type"] else {})
    return Response(kept["body"].encode(), status_code=kept["status"], headers=headers)


async def _body(request: Request) -> bytes | None:
    """The request's body; None where it is too large."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY:
            return None
    return body


def _replay(body: bytes) -> Receive:
    parts: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        return parts.pop() if parts else {"type": "http.disconnect"}

    return receive


async def _run(app: ASGIApp, request: Request, body: bytes) -> Response:
    """What `app` answers, whole."""
    start: Message = {"status": HTTPStatus.INTERNAL_SERVER_ERROR, "headers": []}
    chunks: list[bytes] = []

    async def send(message: Message) -> None:
        nonlocal start
        if message["type"] == "http.response.start":
            start = message
        else:
            chunks.append(message.get("body", b""))

    await app(request.scope, _replay(body), send)
    answer = Response(b"".join(chunks), status_code=int(start["status"]))
    answer.raw_headers[:] = list(start["headers"])
    return answer
