"""Run an action of an open conversation with the session as it is now, and show a refusal as a notice."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeVar

from nicegui import ui

from gendei.clinic import Clinic
from gendei.commands.command import Arguments, Command
from gendei.errors import NotFound, StoreError
from gendei.staff.actors import Actor
from gendei.web.pages.acting import REFUSED, refusal, run_command
from gendei.web.pages.frame import PageContext
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.signed_in import SignedOut, leave, present_actor
from gendei.web.sessions import csrf_token

A = TypeVar("A", bound=Arguments)
R = TypeVar("R")
_OWN: tuple[tuple[type[Exception], str], ...] = ((NotFound, "changed"), (StoreError, "store_down"))
"""What this page says otherwise than the others: the conversation is drawn anew, and what was written stays."""


class Acting:
    """Asks for the session anew each time: a page that stands open outlives no revocation."""

    def __init__(self, context: PageContext, clinic: Clinic) -> None:
        self.front_desk, self.clinic, self.clock = context.site.gendei.front_desk, clinic, context.site.gendei.clock
        self._desks, self._client = context.site.gendei.desks, ui.context.client
        self.form_token = csrf_token(self._client.request, context.session)

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
        except (*REFUSED, ValueError) as error:  # nothing was written
            own = next((key for kind, key in _OWN if isinstance(error, kind)), None)
            with self._client:
                sentence = page_texts("inbox")[own] if own else refusal(error)
            self.tell(sentence, warns=True)

    async def do(self, actor: Actor, command: Command[A, R], given: A) -> R:
        """What `command` gives. Raises what it refuses with."""
        return await run_command(self._desks, actor, command, given)

    def leave(self) -> None:
        """To the sign-in, or to the page as it is now."""
        leave(self._client)

    def tell(self, sentence: str, *, warns: bool = False) -> None:
        """Say something on the page."""
        with self._client:
            ui.notify(sentence, type="warning" if warns else None, position="top", multi_line=True)
