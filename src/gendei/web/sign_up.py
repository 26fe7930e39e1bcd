"""The way in for a clinic that was invited, where the deployment allows it:

GET /signup    invitation                                           the form
POST /signup   invitation, clinic, vertical, name, email, password  303 to the sign-in, and from there to /new-clinic
"""

from collections.abc import Mapping
from html import escape
from http import HTTPStatus
from urllib.parse import urlencode

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from gendei.app import Gendei
from gendei.commands.definition import Given
from gendei.commands.new_clinics import INVITE_CLINIC
from gendei.commands.operation import OperatorCall
from gendei.datafile import Text
from gendei.staff.access.passwords import WeakPassword
from gendei.staff.access.users import BadEmail
from gendei.staff.actors import terminal
from gendei.staff.clinic_drafts.drafts import DraftRefused
from gendei.staff.clinic_drafts.invitations import InvitationOver, Newcomer
from gendei.texts import Catalogue
from gendei.web.plain_html import HERE, plain_page
from gendei.web.sessions import is_same_origin
from gendei.web.sign_in import form_of

SIGN_UP = "/signup"
SIGN_IN = "/login?next=%2Fnew-clinic"
_SHOWN = ("clinic", "name", "email")


class SignUpTexts(Catalogue):
    file_name = "sign_up.yaml"

    over: Text
    weak: Text
    email: Text
    taken: Text
    stale: Text


def add_sign_up(app: FastAPI, gendei: Gendei) -> None:
    """Let clinics with an invitation in, where the settings allow it; else there are no such addresses."""
    if gendei.settings.sign_up_by_invitation:
        form = SignUp(gendei)
        app.router.routes += [
            Route(SIGN_UP, form.show, methods=["GET"]),
            Route(SIGN_UP, form.accept, methods=["POST"]),
        ]


def invitation_link(base: str, token: str) -> str:
    """What whoever is invited opens. base: the service's address."""
    return f"{base.rstrip('/')}{SIGN_UP}?{urlencode({'invitation': token})}"


async def first_invitation(gendei: Gendei) -> str | None:
    """The token of an invitation, for who starts a service whose store is empty, so that nobody else is needed; None
    where there is a clinic or a user, or the settings allow no sign-up."""
    by = terminal()
    if not gendei.settings.sign_up_by_invitation or gendei.directory.all() or await gendei.drafts.all(by):
        return None
    if await gendei.staff.accounts.list(by):
        return None
    return await INVITE_CLINIC.do(OperatorCall(gendei, by), Given())


class SignUp:
    def __init__(self, gendei: Gendei) -> None:
        self._invitations = gendei.invitations
        self._kinds = gendei.desks.clinic_changes.kinds_of_clinic
        self._texts = SignUpTexts.load(HERE)

    async def show(self, request: Request) -> Response:
        token = request.query_params.get("invitation", "")
        try:
            await self._invitations.require(token)
        except InvitationOver:
            return self._page({}, self._texts.over, HTTPStatus.GONE)
        return self._page({"invitation": token})

    async def accept(self, request: Request) -> Response:
        given = await form_of(request)
        if not is_same_origin(request):
            return self._page(given, self._texts.stale, HTTPStatus.FORBIDDEN)
        told = [given.get(name, "") for name in ("clinic", "vertical", "name", "email", "password")]
        try:
            await self._invitations.accept(given.get("invitation", ""), Newcomer(*told))
        except InvitationOver:
            return self._page({}, self._texts.over, HTTPStatus.GONE)
        except BadEmail:
            return self._page(given, self._texts.email, HTTPStatus.BAD_REQUEST)
        except WeakPassword:
            return self._page(given, self._texts.weak, HTTPStatus.BAD_REQUEST)
        except DraftRefused:
            return self._page(given, self._texts.taken, HTTPStatus.BAD_REQUEST)
        return RedirectResponse(SIGN_IN, HTTPStatus.SEE_OTHER, {"Cache-Control": "no-store"})

    def _page(self, given: Mapping[str, str], problem: str = "", status: int = HTTPStatus.OK) -> Response:
        said = f'<p class="said alarm" role="alert">{escape(problem)}</p>' if problem else ""
        kinds = "".join(
            f'<option value="{escape(kind, quote=True)}"{" selected" * (given.get("vertical") == kind)}>'
            f"{escape(name)}</option>"
            for kind, name in self._kinds.items()
        )
        values = {name: escape(given.get(name, ""), quote=True) for name in ("invitation", *_SHOWN)}
        return plain_page("sign_up.html", status, {**values, "said": said, "kinds": kinds})
