"""What staff do from an open page: by the session as it is now, and with a kind word where it cannot be done."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from nicegui import ui

from gendei.clinic import Clinic
from gendei.conversation.window import WindowClosed
from gendei.errors import GendeiError, NotFound, StoreError
from gendei.staff.actors import Actor, Forbidden
from gendei.staff.inbox.canned import BadCanned
from gendei.web.pages.frame import Visit
from gendei.web.pages.signed_in import SignedOut, leave, present_actor
from gendei.web.pages.texts import page_texts
from gendei.web.sessions import csrf_token

_WORDS: tuple[tuple[type[Exception], str], ...] = (
    (NotFound, "changed"),
    (WindowClosed, "closed_meanwhile"),
    (Forbidden, "forbidden"),
    (StoreError, "store_down"),
    (BadCanned, "canned_bad"),
    (ValueError, "too_much"),
)
"""The sentence for what an action may raise; TooMuch is a ValueError."""


class Refused(GendeiError):
    """What was asked for was not done. The message is the key of its sentence in texts/inbox.yaml."""


class Acting:
    """Asks for the session anew each time: a page that stands open outlives no revocation."""

    def __init__(self, visit: Visit, clinic: Clinic) -> None:
        self.front_desk, self.clinic, self.clock = visit.site.gendei.front_desk, clinic, visit.site.gendei.clock
        self._client = ui.context.client
        self.form_token = csrf_token(self._client.request, visit.session)

    async def actor(self, *, is_use: bool = False) -> Actor:
        """Who is signed in. `is_use`: a person did something. Raises SignedOut."""
        return await present_actor(self._client, is_use=is_use)

    @asynccontextmanager
    async def doing(self) -> AsyncIterator[Actor]:
        """For one action: what it raises of what may happen ends it with a sentence on the page."""
        try:
            yield await self.actor(is_use=True)
        except SignedOut:
            self.leave()
        except Refused as error:
            self.tell(page_texts("inbox")[str(error)], warns=True)
        except tuple(kind for kind, _ in _WORDS) as error:
            key = next(key for kind, key in _WORDS if isinstance(error, kind))
            self.tell(page_texts("inbox")[key], warns=True)

    def leave(self) -> None:
        """To the sign-in, or to the page as it is now."""
        leave(self._client)

    def tell(self, sentence: str, *, warns: bool = False) -> None:
        """Say something on the page."""
        with self._client:
            ui.notify(sentence, type="warning" if warns else None, position="top", multi_line=True)
