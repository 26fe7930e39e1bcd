"""The actor of an open page. It is read anew for each event that comes from the browser, for each action and each
time that the page reads by itself: the page outlives sessions and rights, and the session may have been given another
clinic than the one that the page shows."""

import logging
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from urllib.parse import quote
from weakref import WeakKeyDictionary

from nicegui import Client, background_tasks, ui
from starlette.requests import Request

from gendei.clinic import ClinicId
from gendei.errors import GendeiError, StoreError
from gendei.staff.actors import Actor
from gendei.web.sessions import session_of

log = logging.getLogger(__name__)
Event = dict[Any, Any]
"""As NiceGUI's script in the browser tells it."""
_shown: WeakKeyDictionary[Client, ClinicId] = WeakKeyDictionary()


class SignedOut(GendeiError):
    """The session of this page has ended, or acts for another clinic by now. Open the page again."""


def shows(client: Client, clinic_id: ClinicId) -> None:
    """The page of `client` is that clinic's."""
    _shown[client] = clinic_id


async def present_actor(client: Client, *, is_use: bool = True) -> Actor:
    """Return who acts from the page of `client` at this moment, for the clinic that it shows. `is_use`: a person did
    it, which keeps the session alive. Raises SignedOut, or StoreUnavailable."""
    session = await session_of(client.request, is_use=is_use)
    if session is None or session.actor.clinic_id != _shown.get(client, session.actor.clinic_id):
        raise SignedOut
    return session.actor


def begin_asking(client: Client) -> None:
    """Pass no event of this page's browser to any handler, from now on, unless somebody is signed in for what it shows.
    Everything that a person does on a page comes this one way, so that no handler needs to ask before it reads."""
    client.handle_event = _AskedFirst(client, client.handle_event)  # type: ignore[method-assign]  # there is no hook


class _AskedFirst:
    """Hands events on one after the other, each once the session was found to be good. Where the store does not answer,
    nobody was signed out: the event goes on to its handler, which reads nothing either, so that what is being typed is
    not lost."""

    def __init__(self, client: Client, handle: Callable[[Event], None]) -> None:
        self._client, self._handle = client, handle
        self._waiting = deque[Event]()

    def __call__(self, msg: Event) -> None:
        self._waiting.append(msg)
        if len(self._waiting) == 1:
            background_tasks.create(self._hand_on(), name="events of a page")

    async def _hand_on(self) -> None:
        while self._waiting and not self._client.is_deleted:
            try:
                with suppress(StoreError):
                    await present_actor(self._client)
                self._handle(self._waiting[0])
            except SignedOut:
                turn_out(self._client)
            except Exception as error:  # noqa: BLE001  # whatever it is: the next event is handed on all the same
                log.warning("an event of a page was not handled: %s", type(error).__name__)
            finally:
                self._waiting.popleft()


def turn_out(client: Client) -> None:
    """Open the page anew for who is signed in now, and take everything off it: whoever's browser does not go finds
    nothing that still answers."""
    leave(client)
    client.remove_all_elements()


def leave(client: Client) -> None:
    """Open the page anew, as who is signed in now; it sends to the sign-in where that is nobody."""
    with client:
        ui.navigate.to(_address(client.request))


def sign_in_address(request: Request) -> str:
    """The sign-in, which leads back to this page."""
    return f"/login?next={quote(_address(request), safe='')}"


def _address(request: Request) -> str:
    return request.url.path + (f"?{request.url.query}" if request.url.query else "")
