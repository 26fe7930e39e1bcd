"""GET /widget.js: the script with its style and its sentences in it, so that a page loads one thing."""

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from html import escape
from http import HTTPStatus
from pathlib import Path

from fastapi import FastAPI
from pydantic import RootModel
from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from gendei.clinic import Clinic
from gendei.datafile import Text
from gendei.texts import read_texts

ADDRESS = "/widget.js"
MAX_AGE = 300
"""Seconds for which a browser may take the script from its cache without asking."""
_HERE = Path(__file__).parent


class _Texts(RootModel[dict[str, Text]]):
    """Keys in English, sentences in Portuguese."""


@cache
def widget_script() -> bytes:
    """The script. Raises ConfigurationError where its sentences cannot be read."""
    texts = to_json(read_texts(_HERE / "texts.yaml", _Texts).root).decode()
    css = to_json(" ".join((_HERE / "widget.css").read_text(encoding="utf-8").split())).decode()
    code = (_HERE / "widget.js").read_text(encoding="utf-8")
    return f'"use strict";(() => {{\nconst TEXTS = {texts};\nconst CSS = {css};\n{code}}})();\n'.encode()


def add_widget(app: FastAPI) -> None:
    """Serve the script under `app`, for pages of any site: what it may do is asked by the chat itself."""

    async def widget(request: Request) -> Response:
        script = widget_script()
        headers = {
            "ETag": f'"{sha256(script).hexdigest()[:32]}"',
            "Cache-Control": f"public, max-age={MAX_AGE}",
            "Cross-Origin-Resource-Policy": "cross-origin",
        }
        if headers["ETag"] in request.headers.get("if-none-match", ""):
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
        return Response(script, headers=headers, media_type="text/javascript")

    app.router.routes.append(Route(ADDRESS, widget))


def sample_site(clinic: Clinic, site: str, note: str, headers: Mapping[str, str] | None = None) -> Response:
    """A web site of the clinic's with its chat, to try it. `note`: what is said below its name."""
    page = (_HERE / "demo_site.html").read_text(encoding="utf-8")
    values = {"name": clinic.name, "address": clinic.address, "site": site, "note": note}
    return HTMLResponse(page.format(**{name: escape(value) for name, value in values.items()}), headers=headers)
