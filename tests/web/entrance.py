"""The application with staff who can sign in, routes that say who acts, and browsers at it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated

import httpx
from fastapi import Depends, FastAPI
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send
from tests.staff.door import PASSWORD, RITA, Door

from gendei.staff.actors import Actor, Right
from gendei.web.sessions import actor_of, csrf_token, require_actor, session_of

HTTPS, LOOPBACK = "https://gendei.test", "http://127.0.0.1:8000"
COOKIE = "__Host-gendei"


def add_probes(app: FastAPI) -> None:
    """Two guarded routes, and an application of its own under /probe, as NiceGUI is one."""
    reader, manager = Depends(require_actor(Right.READ)), Depends(require_actor(Right.MANAGE))

    @app.api_route("/api/v1/me", methods=["GET", "POST"])
    async def me(actor: Annotated[Actor, reader]) -> str:
        return f"{actor.user_id} at {actor.clinic_id}"

    @app.get("/api/v1/managed")
    async def managed(actor: Annotated[Actor, manager]) -> str:
        return actor.user_id

    app.mount("/probe", _probe)


async def _probe(scope: Scope, receive: Receive, send: Send) -> None:
    request = Request(scope)
    actor, session = await actor_of(request), await session_of(request)
    answer = {
        "user": actor and actor.user_id,
        "clinic": actor and actor.clinic_id,
        "token": session and csrf_token(request, session),
    }
    await JSONResponse(answer)(scope, receive, send)


class Browser:
    """Keeps cookies, and says where its forms come from."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self.client = client

    @property
    def origin(self) -> str:
        return str(self.client.base_url).rstrip("/")

    async def get(self, path: str) -> httpx.Response:
        return await self.client.get(path)

    async def post(self, path: str, *, origin: str | None = None, **fields: str) -> httpx.Response:
        """A form of this site's, or of another `origin`."""
        return await self.client.post(path, data=fields, headers={"origin": origin or self.origin})

    async def sign_in(self, email: str = RITA, password: str = PASSWORD, **fields: str) -> httpx.Response:
        return await self.post("/session", email=email, password=password, **fields)

    async def probed(self) -> dict[str, str | None]:
        found: dict[str, str | None] = (await self.get("/probe/")).json()
        return found

    async def token(self) -> str:
        """What the forms of its session carry."""
        return (await self.probed())["token"] or ""

    def cookie(self) -> str:
        return self.client.cookies[COOKIE]


@asynccontextmanager
async def browse(app: FastAPI, base: str = HTTPS, address: str = "198.51.100.7") -> AsyncIterator[Browser]:
    transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=(address, 40000))
    async with httpx.AsyncClient(transport=transport, base_url=base) as client:
        yield Browser(client)


async def as_program(app: FastAPI, door: Door, actor: Actor, *scopes: Right) -> httpx.AsyncClient:
    """A client with a token of the actor's clinic."""
    _, text = await door.staff.tokens.add(actor, "program", scopes)
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    return httpx.AsyncClient(transport=transport, base_url=HTTPS, headers={"authorization": f"Bearer {text}"})
