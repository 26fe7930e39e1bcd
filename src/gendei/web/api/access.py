"""Who asks, and of which service."""

from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection, Request

from gendei.app import Gendei
from gendei.staff.actors import Actor, Right
from gendei.web.sessions import require_actor, staff_of

Reader = Annotated[Actor, Depends(require_actor(Right.READ))]


async def _writing(actor: Annotated[Actor, Depends(require_actor(Right.WRITE))]) -> Actor:
    """Who may write, and read: the answers show what was written to."""
    actor.require(Right.READ)
    return actor


Writer = Annotated[Actor, Depends(_writing)]


def _gendei(request: HTTPConnection) -> Gendei:
    gendei = request.app.state.gendei
    if not isinstance(gendei, Gendei):
        raise TypeError(gendei)
    return gendei


Service = Annotated[Gendei, Depends(_gendei)]


async def token_actor(request: Request) -> Actor | None:
    """The actor of the bearer token; None where there is none."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return await staff_of(request).tokens.actor_of(token.strip()) if scheme.lower() == "bearer" else None
