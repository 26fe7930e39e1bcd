"""An error as a page, for a person at a browser."""

from collections.abc import Mapping
from functools import cache
from html import escape
from http import HTTPStatus

from pydantic import RootModel
from starlette.requests import Request
from starlette.responses import Response

from gendei.datafile import StrictModel, Text
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
