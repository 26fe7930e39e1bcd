"""A request with an Idempotency-Key that is sent twice is done once; see `gendei.staff.once`.

Answers may hold secrets, as a visitor's token, so the store has every kept body sealed for its actor and key.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from types import MappingProxyType

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gendei.clock import Clock
from gendei.documents import Data, Documents
from gendei.errors import SecretUnreadable
from gendei.secrets import SecretBox
from gendei.staff.actors import Actor
from gendei.staff.once import ANSWERS, InProgress, KeyReused, Once
from gendei.web.api.problems import refusal
from gendei.web.problems import problem

HEADER = "Idempotency-Key"
REPLAYED = "Idempotent-Replayed"
MAX_BODY = 64 * 1024
_NOT_KEPT = frozenset({"content-length", "content-type"})
"""Headers of an answer that its replay gets otherwise."""

ActorOf = Callable[[Request], Awaitable[Actor | None]]


class IdempotentWrites:
    """Wraps the API. `actor_of`: whose key it is; what nobody signs is passed on, to be refused. Also holds every body
    to MAX_BODY; `uploads`: the ends of paths where who is known may send more, and how many bytes."""

    def __init__(
        self,
        app: ASGIApp,
        documents: Documents,
        clock: Clock,
        actor_of: ActorOf,
        secrets: SecretBox,
        uploads: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        self._app, self._writes, self._actor_of = app, Once(documents, clock), actor_of
        self._secrets, self._uploads = secrets, uploads

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] in {"GET", "HEAD", "OPTIONS"}:
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive)
        body = await _body(request, await self._largest(request))
        if body is None:
            await problem(request, HTTPStatus.REQUEST_ENTITY_TOO_LARGE)(scope, receive, send)
            return
        key = request.headers.get(HEADER)
        actor = await self._actor_of(request) if key is not None else None
        if key is None or actor is None:
            await self._app(scope, _replay(body, receive), send)
        elif not 1 <= len(key) <= 255 or not (key.isascii() and key.isprintable()):
            answer = problem(request, HTTPStatus.BAD_REQUEST, f"{HEADER} is 1 to 255 printable ASCII characters")
            await answer(scope, receive, send)
        else:
            await (await self._once(request, body, actor, key))(scope, receive, send)

    async def _largest(self, request: Request) -> int:
        """The most bytes of this request's body."""
        named = next((most for end, most in self._uploads.items() if request.url.path.endswith(end)), MAX_BODY)
        return named if named > MAX_BODY and await self._actor_of(request) else MAX_BODY

    async def _once(self, request: Request, body: bytes, actor: Actor, key: str) -> Response:
        """The app's answer, kept unless it is a failure of ours (5xx)."""
        fresh: list[Response] = []
        purpose = f"{ANSWERS}/{actor.clinic_id}/{actor.user_id}/{key}"

        async def act() -> Data | None:
            answer = await _run(self._app, request, body)
            fresh.append(answer)
            if answer.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
                return None
            return {
                "status": answer.status_code,
                "type": answer.headers.get("content-type", ""),
                "headers": {name: value for name, value in answer.headers.items() if name not in _NOT_KEPT},
                "sealed": self._secrets.seal(bytes(answer.body).decode(), purpose),
            }

        asked = f"{request.method} {request.url.path}?{request.url.query}\n".encode() + body
        try:
            done = await self._writes.do(actor, key, asked, act)
        except InProgress:
            return refusal("in_progress", "A mesma requisição ainda está em andamento. Tente de novo em instantes.")
        except KeyReused:
            detail = f"this {HEADER} was used for another request"
            wrong: list[dict[str, object]] = [{"where": f"header.{HEADER}", "problem": detail}]
            return problem(request, HTTPStatus.UNPROCESSABLE_ENTITY, detail, errors=wrong)
        if not (done.again and done.answer):
            return fresh[0]
        try:
            return self._replay_of(done.answer, purpose)
        except SecretUnreadable:
            detail = "this was done before, but GENDEI_SECRET_KEY has changed since, so its answer cannot be read"
            return problem(request, HTTPStatus.CONFLICT, detail)

    def _replay_of(self, kept: Data, purpose: str) -> Response:
        """The answer again. One that was kept before answers were sealed has its body in the clear, and no headers."""
        body = kept["body"] if "body" in kept else self._secrets.unseal(kept["sealed"], purpose)
        headers = {**kept.get("headers", {}), REPLAYED: "true"} | (
            {"content-type": kept["type"]} if kept["type"] else {}
        )
        return Response(body.encode(), status_code=kept["status"], headers=headers)


async def _body(request: Request, largest: int) -> bytes | None:
    """The request's body; None where it is too large."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > largest:
            return None
    return bytes(body)


def _replay(body: bytes, then: Receive) -> Receive:
    """The body, which was read already, then what `then` gives: an answer that streams watches for who hangs up."""
    parts: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        return parts.pop() if parts else await then()

    return receive


async def _nothing_more() -> Message:
    """A write goes on to its end, whoever hangs up."""
    return await asyncio.Future[Message]()


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

    await app(request.scope, _replay(body, _nothing_more), send)
    answer = Response(b"".join(chunks), status_code=int(start["status"]))
    answer.raw_headers[:] = list(start["headers"])
    return answer
