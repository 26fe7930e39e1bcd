"""Pages of plain HTML without a script, which show where nothing else does."""

import base64
import re
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from string import Template

from starlette.responses import HTMLResponse, Response

HERE = Path(__file__).parent


@cache
def _template(name: str) -> tuple[Template, str]:
    """The page, and the policy that lets its own style through and nothing else."""
    page = (HERE / name).read_text(encoding="utf-8")
    for place, shared in (("$page_head", "page_head.html"), ("$form_style", "form.css")):
        page = page.replace(place, (HERE / shared).read_text(encoding="utf-8"))
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)
    digest = base64.b64encode(sha256(style[1].encode() if style else b"").digest()).decode()
    policy = (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src 'self'; "
        "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    )
    return Template(page), policy


def plain_page(name: str, status: int, values: Mapping[str, str], headers: Mapping[str, str] | None = None) -> Response:
    """The file `name` with `values`, which are HTML, in their places."""
    page, policy = _template(name)
    told = {"Content-Security-Policy": policy, "Cache-Control": "no-store"}
    return HTMLResponse(page.substitute(values), status, told | dict(headers or {}))
