"""Who acts from an open page. It is asked anew for each deed: the page outlives sessions and rights, and the session
may have been given another clinic than the one that the page shows."""

from urllib.parse import quote
from weakref import WeakKeyDictionary

from nicegui import Client, ui
from starlette.requests import Request

from gendei.clinic import ClinicId
from gendei.errors import GendeiError
from gendei.staff.actors import Actor
from gendei.web.sessions import session_of

_shown: WeakKeyDictionary[Client, ClinicId] = WeakKeyDictionary()


class SignedOut(GendeiError):
    """The session of this page has ended, or acts for another clinic by now. Open the page again."""


def shows(client: Client, clinic_id: ClinicId) -> None:
    """The page of `client` is that clinic's."""
    _shown[client] = clinic_id


async def present_actor(client: Client, *, is_use: bool = True) -> Actor:
    """Who acts from the page of `client` at this moment, for the clinic that it shows. `is_use`: a person did it,
    which keeps the session alive. Raises SignedOut, or StoreUnavailable."""
    session = await session_of(client.request, is_use=is_use)
    if session is None or session.actor.clinic_id != _shown.get(client, session.actor.clinic_id):
        raise SignedOut
    return session.actor


def leave(client: Client) -> None:
    """Open the page anew, as who is signed in now; it sends to the sign-in where that is nobody."""
    with client:
        ui.navigate.to(_address(client.request))


def sign_in_address(request: Request) -> str:
    """The sign-in, which leads back to this page."""
    return f"/login?next={quote(_address(request), safe='')}"


def _address(request: Request) -> str:
    return request.url.path + (f"?{request.url.query}" if request.url.query else "")
