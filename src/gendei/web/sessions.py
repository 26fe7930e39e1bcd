"""From a request to who acts: by the session cookie of a browser, or by the token of a program.

Works on any request or socket that came through the application, also inside what is mounted on it.
"""

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from urllib.parse import urlsplit

from fastapi import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from gendei.staff.access.sessions import LONGEST, Session
from gendei.staff.access.sign_in import KNOWN_FOR
from gendei.staff.actors import Actor, Right
from gendei.staff.staff import Staff

COOKIE, LOOPBACK_COOKIE = "__Host-gendei", "gendei"
"""The first is taken by browsers with Secure, for this host alone (RFC 6265bis, 4.1.3.2); the second is for plain http
on the machine itself."""

DEVICE_COOKIE, LOOPBACK_DEVICE_COOKIE = "__Secure-gendei-device-", "gendei-device-"
"""The beginning of the names of cookies by which a browser is known to its users at the sign-in, and nowhere else."""

SIGN_IN = "/session"
"""The address of the sign-in's form: the only path to which the cookies of known devices are sent."""

FORM_FIELD, FORM_HEADER = "csrf_token", "X-CSRF-Token"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
NO_TOKEN = "no token, or one that is unknown, expired or revoked"  # noqa: S105  # what is told, not one
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_SCOPE_KEY = "gendei.staff"


class StaffScope:
    """Lets every request below know the staff of its service."""

    def __init__(self, app: ASGIApp, staff: Staff) -> None:
        self._app, self._staff = app, staff

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope[_SCOPE_KEY] = self._staff
        await self._app(scope, receive, send)


def staff_of(request: HTTPConnection) -> Staff:
    """The staff of the service that the request came to."""
    staff = request.scope[_SCOPE_KEY]
    if not isinstance(staff, Staff):
        raise TypeError(staff)
    return staff


async def session_of(request: HTTPConnection, *, is_use: bool = True) -> Session | None:
    """The live session of the request's cookie. Asked again on an open page, it tells within seconds that the session
    was ended; `is_use` False then keeps the page from living on its own questions. Raises StoreUnavailable."""
    cookies = request.cookies
    value = cookies.get(COOKIE) or (None if _is_secure(request) else cookies.get(LOOPBACK_COOKIE))
    return await staff_of(request).sessions.find(value, is_use=is_use)


async def actor_of(request: HTTPConnection) -> Actor | None:
    """Return the actor of the request's session; None for nobody."""
    session = await session_of(request)
    return session.actor if session else None


def unauthorized(detail: str = NO_TOKEN) -> HTTPException:
    """Make the answer to a token that is missing, unknown or expired."""
    return HTTPException(HTTPStatus.UNAUTHORIZED, detail, headers={"WWW-Authenticate": "Bearer"})


def require_actor(right: Right) -> Callable[[Request], Awaitable[Actor]]:
    """A dependency for FastAPI: the actor of the bearer token or, in a browser, of the session, who has `right`.

    Answers 401 where there is none, and 403 (by Forbidden) without the right. A browser's write must be a form of
    ours: of the same origin, with the session's token in X-CSRF-Token.
    """

    async def acting(request: Request) -> Actor:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme:
            actor = await staff_of(request).tokens.actor_of(token.strip()) if scheme.lower() == "bearer" else None
        else:
            actor = await _browsing(request)
        if actor is None:
            raise unauthorized()
        actor.require(right)
        return actor

    return acting


async def _browsing(request: Request) -> Actor | None:
    session = await session_of(request)
    if session and request.method not in SAFE_METHODS and not is_own_form(request, session):
        raise HTTPException(HTTPStatus.FORBIDDEN)
    return session.actor if session else None


def csrf_token(request: HTTPConnection, session: Session) -> str:
    """Make the value of FORM_FIELD for a form of this session."""
    return staff_of(request).sessions.form_token(session)


def is_own_form(request: Request, session: Session, token: str | None = None) -> bool:
    """Tell whether a page of ours posts this in this session. `token`: of the form's field; else of the header."""
    given = request.headers.get(FORM_HEADER, "") if token is None else token
    return is_same_origin(request) and staff_of(request).sessions.is_form_token(session, given)


def is_same_origin(request: HTTPConnection) -> bool:
    """Tell whether the browser says that a page of this very site posts. Every browser of the last years sends Origin
    with a post, and Sec-Fetch-Site over https; what says neither is refused."""
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    origin = request.headers.get("origin")
    return origin is not None and urlsplit(origin).netloc == request.headers.get("host")


def set_session_cookie(request: Request, response: Response, value: str) -> None:
    """Give the browser its session: unreadable for scripts, and not sent with what other sites make it post."""
    secure = _is_secure(request)
    response.set_cookie(
        COOKIE if secure else LOOPBACK_COOKIE,
        value,
        max_age=int(LONGEST.total_seconds()),
        path="/",
        secure=secure,
        httponly=True,
        samesite="lax",
    )


def device_cookie(request: Request, name: str) -> str:
    """The value of the browser's cookie of a known device for the user whom `name` stands for; "" for none."""
    prefix = DEVICE_COOKIE if _is_secure(request) else LOOPBACK_DEVICE_COOKIE
    return request.cookies.get(f"{prefix}{name}", "")


def set_device_cookie(request: Request, response: Response, name: str, value: str) -> None:
    """Let the browser be known to a user from now on. Signing out leaves it so."""
    secure = _is_secure(request)
    response.set_cookie(
        f"{DEVICE_COOKIE if secure else LOOPBACK_DEVICE_COOKIE}{name}",
        value,
        max_age=int(KNOWN_FOR.total_seconds()),
        path=SIGN_IN,
        secure=secure,
        httponly=True,
        samesite="strict",
    )


def drop_session_cookie(request: Request, response: Response) -> None:
    secure = _is_secure(request)
    response.delete_cookie(
        COOKIE if secure else LOOPBACK_COOKIE, path="/", secure=secure, httponly=True, samesite="lax"
    )


def _is_secure(request: HTTPConnection) -> bool:
    """Everything but plain http to the machine itself; an https page behind a proxy that hides it says so in Origin."""
    if request.url.scheme in {"https", "wss"} or request.headers.get("origin", "").startswith("https:"):
        return True
    return request.url.hostname not in _LOOPBACK
