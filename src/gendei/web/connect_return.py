"""GET /connect/meta: the way back from Meta's sign-in, with a code that is good for seconds."""

from http import HTTPStatus

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from gendei.staff.connecting.connections import BACK, ConnectingRefused, Connections
from gendei.web.sessions import session_of

PAGE, STALE = "/connect", "/connect?stale=1"
LOGIN = "/login?next=%2Fconnect"


def add_connect_return(app: FastAPI, connections: Connections) -> None:
    """Take in who comes back to `app` from Meta."""

    async def back(request: Request) -> Response:
        session = await session_of(request)
        if session is None:
            return _see(LOGIN)
        asked = request.query_params
        try:
            await connections.returned(session.actor, session.id, asked.get("state", ""), asked.get("code", ""))
        except ConnectingRefused:
            return _see(STALE)
        return _see(PAGE)

    app.router.routes.append(Route(BACK, back, methods=["GET"]))


def _see(path: str) -> Response:
    return RedirectResponse(path, HTTPStatus.SEE_OTHER, {"Cache-Control": "no-store"})
