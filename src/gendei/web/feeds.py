"""Calendars that subscribe to a professional's agenda: GET /feeds/{token}.ics. The token is all they have."""

from hashlib import sha256
from http import HTTPStatus

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gendei.staff.agenda.feeds import CalendarFeeds

MAX_AGE = 300
"""Seconds for which a calendar may show what it has without asking again."""


def add_feeds(app: FastAPI, feeds: CalendarFeeds) -> None:
    """Serve `feeds` under `app`; what is unknown or revoked is 404."""

    async def feed(request: Request) -> Response:
        body = await feeds.read(request.path_params["token"])
        headers = {
            "ETag": f'"{sha256(body).hexdigest()[:32]}"',
            "Cache-Control": f"private, max-age={MAX_AGE}",
            "X-Robots-Tag": "noindex",
        }
        if headers["ETag"] in request.headers.get("if-none-match", ""):
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
        return Response(body, headers=headers, media_type="text/calendar")

    app.router.routes.append(Route("/feeds/{token}.ics", feed))
