"""Errors as answers: problem+json (RFC 9457) under /api; elsewhere a page for who sits at a browser, and plain text for
programs. Never an exception's message."""

from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from html import escape
from http import HTTPStatus

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from pydantic import RootModel
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from gendei.datafile import StrictModel, Text
from gendei.errors import NotFound, StoreUnavailable, TooContended
from gendei.staff.actors import Forbidden
from gendei.texts import read_texts
from gendei.web.plain_html import HERE, plain_page


class _Said(StrictModel):
    title: Text
    hint: Text


class _Texts(RootModel[dict[str, _Said]]):
    """error.yaml."""


@cache
def _texts() -> dict[str, _Said]:
    return read_texts(HERE / "error.yaml", _Texts).root


def error_page(request: Request, status: int, headers: Mapping[str, str] | None) -> Response | None:
    """None for a program, which asks for no HTML, and for an error that has no page."""
    if request.method != "GET" or "text/html" not in request.headers.get("accept", ""):
        return None
    said = _texts().get(str(min(status, HTTPStatus.INTERNAL_SERVER_ERROR)))
    if said is None:
        return None
    return plain_page("error.html", status, {"title": escape(said.title), "hint": escape(said.hint)}, headers)


API = "/api/"


def install_problems(app: FastAPI) -> None:
    """Answer HTTP errors, invalid requests, the domain's own errors and everything unforeseen."""
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(NotFound, _status(HTTPStatus.NOT_FOUND))
    app.add_exception_handler(Forbidden, _status(HTTPStatus.FORBIDDEN))
    app.add_exception_handler(StoreUnavailable, _status(HTTPStatus.SERVICE_UNAVAILABLE))
    app.add_exception_handler(TooContended, _status(HTTPStatus.SERVICE_UNAVAILABLE))
    app.add_exception_handler(Exception, _status(HTTPStatus.INTERNAL_SERVER_ERROR))


def problem(
    request: Request,
    status: int,
    detail: str = "",
    *,
    headers: Mapping[str, str] | None = None,
    errors: list[dict[str, object]] | None = None,
    reason: str | None = None,
) -> Response:
    """One error. `errors`: what is wrong where, for an invalid request, and its `reason`; given under /api only."""
    title = HTTPStatus(status).phrase
    if not request.url.path.startswith(API):
        plain = PlainTextResponse(detail or title, status_code=status, headers=headers)
        return error_page(request, status, headers) or plain
    body: dict[str, object] = {"type": "about:blank", "title": title, "status": status}
    if detail and detail != title:
        body["detail"] = detail
    if errors:
        body["errors"] = errors
    if reason:
        body["reason"] = reason
    return JSONResponse(body, status_code=status, headers=headers, media_type="application/problem+json")


async def _http(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    return problem(request, error.status_code, str(error.detail), headers=error.headers)


async def _invalid(request: Request, error: Exception) -> Response:
    """Names the fields and what is wrong with them, without the values."""
    if not isinstance(error, RequestValidationError):
        raise error
    wrong: list[dict[str, object]] = [
        {"where": ".".join(str(step) for step in wrong_part["loc"]), "problem": wrong_part["msg"]}
        for wrong_part in error.errors()
    ]
    return problem(request, HTTPStatus.UNPROCESSABLE_ENTITY, errors=wrong)


def _status(status: HTTPStatus) -> Callable[[Request, Exception], Awaitable[Response]]:
    async def answer(request: Request, _error: Exception) -> Response:
        return problem(request, status)

    return answer
