"""The sign-in page: plain HTML without a script, so that it shows where nothing else does."""

from functools import cache
from html import escape
from typing import Annotated

from starlette.responses import Response

from gendei.datafile import Text
from gendei.texts import Catalogue, Holds, fill
from gendei.web.plain_html import HERE, plain_page


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
