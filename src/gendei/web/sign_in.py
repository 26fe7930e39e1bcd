"""Signing in and out: GET /login, and what its form and the pages post.

POST /session           email, password, code, next   303 to `next` or the home of the user, with the cookie
POST /session/end       csrf_token                    303 to /login
POST /session/clinic    csrf_token, clinic, next      303; an operador chooses a clinic ("" for none)
"""

import re
from functools import cache
from html import escape
from http import HTTPStatus
from typing import Annotated
from urllib.parse import parse_qs

from fastapi import FastAPI, HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from gendei.clinic import ClinicId
from gendei.clinics.directory import Directory
from gendei.datafile import Text
from gendei.errors import NotFound
from gendei.staff.access.attempts import TooManyAttempts
from gendei.staff.access.sessions import Session
from gendei.staff.access.sign_in import Credentials, SignInRefused
from gendei.staff.access.users import BadEmail, user_id
from gendei.staff.actors import NO_CLINIC, Actor, Right
from gendei.staff.staff import Staff
from gendei.texts import Catalogue, Holds, fill
from gendei.web.plain_html import HERE, plain_page
from gendei.web.proxies import client_of
from gendei.web.sessions import (
    FORM_FIELD,
    StaffScope,
    device_cookie,
    drop_session_cookie,
    is_own_form,
    is_same_origin,
    session_of,
    set_device_cookie,
    set_session_cookie,
    staff_of,
)

LOGIN = "/login"
MAX_FORM_BYTES = 8 * 1024
_OWN_PATH = re.compile(r"/(?!/)[\w/.~%-]*(\?[\w=&.~%+-]*)?", re.ASCII)


def add_sign_in(app: FastAPI, staff: Staff, directory: Directory) -> None:
    """Let people sign in to `app`; every request below it knows `staff`."""

    async def choose(request: Request) -> Response:
        return await _choose_clinic(request, directory)

    app.router.routes += [
        Route(LOGIN, _login),
        Route("/session", _enter, methods=["POST"]),
        Route("/session/end", _leave, methods=["POST"]),
        Route("/session/clinic", choose, methods=["POST"]),
    ]
    app.add_middleware(StaffScope, staff=staff)


def home_of(actor: Actor) -> str:
    """Return the address where a user begins: who is at no clinic has nothing but the operator's pages."""
    return "/operator" if actor.clinic_id == NO_CLINIC else "/inbox"


async def _login(request: Request) -> Response:
    next_path = _own_path(request.query_params.get("next", ""))
    session = await session_of(request)
    if session:
        return _see(next_path or home_of(session.actor))
    notice = sign_in_texts().ended if "ended" in request.query_params else ""
    return sign_in_page(notice=notice, next_path=next_path)


async def _enter(request: Request) -> Response:
    texts, form = sign_in_texts(), await form_of(request)
    email, password, next_path = form.get("email", ""), form.get("password", ""), _own_path(form.get("next", ""))
    if not is_same_origin(request):
        return sign_in_page(problem=texts.stale, next_path=next_path, status=HTTPStatus.FORBIDDEN)
    if not (email.strip() and password):
        return sign_in_page(problem=texts.incomplete, email=email, next_path=next_path, status=HTTPStatus.BAD_REQUEST)
    devices, agent = staff_of(request).sign_in.devices, request.headers.get("user-agent", "")
    known = device_cookie(request, devices.name(_normal(email)))
    given = Credentials(email, password, form.get("code", ""), client_of(request), agent, known)
    try:
        session, cookie = await staff_of(request).sign_in.enter(given)
    except SignInRefused:
        return sign_in_page(problem=texts.refused, email=email, next_path=next_path, status=HTTPStatus.FORBIDDEN)
    except TooManyAttempts as pause:
        said = texts.wait(pause.minutes)
        page = sign_in_page(problem=said, email=email, next_path=next_path, status=HTTPStatus.TOO_MANY_REQUESTS)
        page.headers["Retry-After"] = str(pause.minutes * 60)
        return page
    before = await session_of(request)
    if before:
        await staff_of(request).sessions.end(before)
    response = _see(next_path or home_of(session.actor))
    set_session_cookie(request, response, cookie)
    user = session.user.address
    set_device_cookie(request, response, devices.name(user), devices.value(user))
    return response


async def _leave(request: Request) -> Response:
    form, session = await form_of(request), await session_of(request)
    if session:
        _require_own_form(request, session, form)
        await staff_of(request).sessions.end(session)
    response = _see(f"{LOGIN}?ended")
    drop_session_cookie(request, response)
    return response


async def _choose_clinic(request: Request, directory: Directory) -> Response:
    form, session = await form_of(request), await session_of(request)
    if session is None:
        return _see(LOGIN)
    _require_own_form(request, session, form)
    session.actor.require(Right.OPERATE)
    clinic_id = ClinicId(form.get("clinic", ""))
    if clinic_id != NO_CLINIC and await directory.get(clinic_id) is None:
        raise NotFound
    await staff_of(request).sessions.act_for(session, clinic_id)
    return _see(_own_path(form.get("next", "")) or home_of(session.user.actor(clinic_id)))


def _require_own_form(request: Request, session: Session, form: dict[str, str]) -> None:
    if not is_own_form(request, session, form.get(FORM_FIELD, "")):
        raise HTTPException(HTTPStatus.FORBIDDEN, sign_in_texts().stale)


async def form_of(request: Request) -> dict[str, str]:
    """The fields of an urlencoded form; of a name that comes twice, the first."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/x-www-form-urlencoded":
        raise HTTPException(HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_FORM_BYTES:
            raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    fields = parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True)
    return {name: values[0] for name, values in fields.items()}


def _normal(email: str) -> str:
    """The address as users are known by it; "" for what is none."""
    try:
        return user_id(email)
    except BadEmail:
        return ""


def _own_path(path: str) -> str:
    """`path` where it is one of this site; "" for what would lead elsewhere."""
    return path if _OWN_PATH.fullmatch(path) else ""


def _see(path: str) -> Response:
    return RedirectResponse(path, HTTPStatus.SEE_OTHER, {"Cache-Control": "no-store"})


class SignInTexts(Catalogue):
    file_name = "sign_in.yaml"

    refused: Text
    paused_one: Text
    paused: Annotated[Text, Holds(("minutes",))]
    incomplete: Text
    stale: Text
    ended: Text

    def wait(self, minutes: int) -> str:
        return self.paused_one if minutes == 1 else fill(self.paused, {"minutes": str(minutes)})


@cache
def sign_in_texts() -> SignInTexts:
    return SignInTexts.load(HERE)


def sign_in_page(
    *, problem: str = "", notice: str = "", email: str = "", next_path: str = "", status: int = 200
) -> Response:
    """`problem`: what went wrong, in Portuguese, read aloud at once; `notice`: what is to be known. `email`: what was
    typed. `next_path`: where to go then."""
    said = ""
    if problem:
        said = f'<p class="said alarm" role="alert">{escape(problem)}</p>'
    elif notice:
        said = f'<p class="said" role="status">{escape(notice)}</p>'
    values = {
        "said": said,
        "email": escape(email, quote=True),
        "next": escape(next_path, quote=True),
        "email_focus": "" if email else "autofocus",
        "password_focus": "autofocus" if email else "",
    }
    return plain_page("sign_in.html", status, values)
