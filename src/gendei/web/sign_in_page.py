"""The sign-in page: plain HTML without a script, so that it shows where nothing else does."""

import base64
import re
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path
from string import Template

from starlette.responses import HTMLResponse, Response

from gendei.datafile import StrictModel, Text, read_yaml

_HERE = Path(__file__).parent


class SignInTexts(StrictModel):
    """sign_in.yaml."""

    refused: Text
    paused_one: Text
    paused: Text
    incomplete: Text
    stale: Text
    ended: Text

    def wait(self, minutes: int) -> str:
        return self.paused_one if minutes == 1 else self.paused.format(minutes=minutes)


@cache
def sign_in_texts() -> SignInTexts:
    return read_yaml(_HERE / "sign_in.yaml").into(SignInTexts)


@cache
def _template() -> tuple[Template, str]:
    """The page, and the policy that lets its own style through and nothing else."""
    page = (_HERE / "sign_in.html").read_text(encoding="utf-8")
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)
    digest = base64.b64encode(sha256(style[1].encode() if style else b"").digest()).decode()
    policy = (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src 'self'; "
        "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    )
    return Template(page), policy


def sign_in_page(
    *, problem: str = "", notice: str = "", email: str = "", next_path: str = "", status: int = 200
) -> Response:
    """`problem`: what went wrong, in Portuguese, read aloud at once; `notice`: what is to be known. `email`: what was
    typed. `next_path`: where to go then."""
    page, policy = _template()
    said = ""
    if problem:
        said = f'<p class="said alarm" role="alert">{escape(problem)}</p>'
    elif notice:
        said = f'<p class="said" role="status">{escape(notice)}</p>'
    html = page.substitute(
        said=said,
        email=escape(email, quote=True),
        next=escape(next_path, quote=True),
        email_focus="" if email else "autofocus",
        password_focus="autofocus" if email else "",
    )
    return HTMLResponse(html, status, {"Content-Security-Policy": policy, "Cache-Control": "no-store"})
