"""Limits on the requests and sockets that one client's address has open at once."""

from http import HTTPStatus

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from gendei.staff.access.attempts import network_of
from gendei.web.api.throttle import Places
from gendei.web.security import WEBHOOKS

MOST_REQUESTS = 500
"""Requests of one address that are being answered. Most take milliseconds; those that stream an answer stay."""
MOST_SOCKETS = 200
"""Sockets of one address, where nobody sets GENDEI_SOCKETS_PER_ADDRESS."""
UNLIMITED = (WEBHOOKS, "/healthz", "/readyz")
"""Providers post from few addresses, and a service that does not say that it is alive is restarted."""


def client_network(scope: Scope) -> str:
    """The network of one customer that a request or socket comes from; "" where the server does not say."""
    return network_of(scope["client"][0]) if scope.get("client") else ""


class ClientLimits:
    """Passes on what is within the limits; answers 429 to a request, and refuses a socket, beyond them."""

    def __init__(self, app: ASGIApp, sockets: int = MOST_SOCKETS, requests: int = MOST_REQUESTS) -> None:
        self._app = app
        self._places = {"http": Places(requests), "websocket": Places(sockets)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        places = self._places.get(scope["type"])
        if places is None or scope["path"].startswith(UNLIMITED):
            await self._app(scope, receive, send)
            return
        with places.taken(client_network(scope)) as has_place:
            if has_place:
                await self._app(scope, receive, send)
            elif scope["type"] == "websocket":
                await send({"type": "websocket.close"})
            else:
                await PlainTextResponse("Too Many Requests", HTTPStatus.TOO_MANY_REQUESTS)(scope, receive, send)
