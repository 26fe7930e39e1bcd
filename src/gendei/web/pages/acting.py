"""Actions of a page. Who acts is asked anew for each, since an open page outlives sessions and rights; a refusal is
shown in the staff's words."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar

from nicegui import Client, ui
from pydantic import ValidationError

from gendei.booking.appointment import Appointment
from gendei.booking.slots import BookingRefused, Slot
from gendei.clinic import Clinic
from gendei.commands.command import Arguments, Command, Desks
from gendei.commands.definition import G
from gendei.commands.operation import OperatorCall, OperatorCommand, OperatorServices
from gendei.commands.refusals import CommandRefused, MessageDeclined, Reason, explained
from gendei.conversation.outbound.failures import FailureTexts
from gendei.datafile import data_dir
from gendei.errors import GendeiError, NotFound, StoreError
from gendei.staff.access.attempts import TooManyAttempts
from gendei.staff.actors import Actor, Forbidden
from gendei.staff.agenda.texts import AgendaTexts
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.signed_in import SignedOut, leave, present_actor, turn_out
from gendei.web.pages.site import PageContext, Site, site_in

TEXTS = page_texts("acting")

P = ParamSpec("P")
A = TypeVar("A", bound=Arguments)
T = TypeVar("T")
CHANNEL = "staff"
RETRY_SECONDS = 3.0
Position = Literal["top", "bottom"]
NOTHING: Mapping[type[Exception], str] = {}
REFUSED = (GendeiError, CommandRefused, MessageDeclined, ValueError)
"""Errors that are told to staff; a ValueError means that something written cannot be kept."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A refusal. `text`: in staff's words; "" for who is led to the sign-in. `alternatives`: free slots near to what
    was asked; `standing`: appointments in the way of a block; `present`: how an appointment stands that somebody else
    changed; `gone`: what it was about is not there; `overridable`: an override would do it.
    `reason`: the refusal's name, "" where it has none; `cause`: more exact than that, "" where there is none."""

    text: str
    alternatives: tuple[Slot, ...] = ()
    standing: tuple[Appointment, ...] = ()
    present: Appointment | None = None
    gone: bool = False
    overridable: bool = False
    reason: str = ""
    cause: str = ""


class Acting:
    """Runs the actions of an open page. `own`: what the page says of some kinds of error in place of what
    every page says; `position`: where its notices are in the way of nothing."""

    def __init__(
        self,
        context: PageContext,
        clinic: Clinic,
        own: Mapping[type[Exception], str] = NOTHING,
        position: Position = "bottom",
    ) -> None:
        self.context, self.clinic, self.gendei = context, clinic, context.gendei
        self.client = ui.context.client
        self._own, self._position = own, position

    @property
    def now(self) -> datetime:
        """The clinic's present, in its zone."""
        return self.clinic.local(self.gendei.clock())

    async def actor(self) -> Actor:
        """Return who is signed in, for what the page does by itself. Raises SignedOut and StoreError."""
        return await present_actor(self.client, is_use=False)

    async def attempt(self, action: Callable[[Actor], Awaitable[T]]) -> T | Problem:
        """Run `action` as who is signed in now; a refusal is returned as a Problem."""
        return await attempt(self.client, action, self._own)

    async def do(self, command: Command[A, T], given: A, key: str | None = None) -> T | Problem:
        """Run `command`, as `attempt` does. key: as in Call."""
        return await self.attempt(lambda actor: run_command(self.gendei.desks, actor, command, given, key))

    async def told(self, action: Callable[[Actor], Awaitable[T]]) -> T | Problem:
        """As `attempt`, and a Problem is told on the page."""
        done = await self.attempt(action)
        if isinstance(done, Problem):
            self.tell(done.text, good=False)
        return done

    def tell(self, text: str, *, good: bool = True) -> None:
        """Say shortly what was done, or was not."""
        tell(self.client, text, good=good, position=self._position)

    async def follow(
        self,
        states: Callable[[Actor], AbstractAsyncContextManager[AsyncIterator[T]]],
        show: Callable[[T], Awaitable[None]],
        lost: Callable[[], object] = lambda: None,
    ) -> None:
        """Call `show` with each state, until nobody is signed in on this page. `lost` is called when the store does not
        answer; it is asked again."""
        while True:
            try:
                async with states(await self.actor()) as found:
                    async for state in found:
                        await show(state)
            except SignedOut:
                turn_out(self.client)
                return
            except Forbidden:
                return
            except StoreError:
                lost()
                await asyncio.sleep(RETRY_SECONDS)


def acting(
    action: Callable[Concatenate[Actor, P], Awaitable[None]], *args: P.args, **kwargs: P.kwargs
) -> Callable[[], Awaitable[None]]:
    """A handler that runs `action` as who is signed in then, and tells what it refuses."""

    async def act() -> None:
        client = ui.context.client
        done = await attempt(client, lambda actor: action(actor, *args, **kwargs))
        if isinstance(done, Problem):
            tell(client, done.text, good=False)

    return act


def then_reload(
    action: Callable[Concatenate[Actor, P], Awaitable[object]], *args: P.args, **kwargs: P.kwargs
) -> Callable[[], Awaitable[None]]:
    """As `acting`, and the page is opened anew after it."""

    async def act(actor: Actor) -> None:
        await action(actor, *args, **kwargs)
        ui.navigate.reload()

    return acting(act)


async def attempt(
    client: Client, action: Callable[[Actor], Awaitable[T]], own: Mapping[type[Exception], str] = NOTHING
) -> T | Problem:
    """Run `action` as who is signed in now on the page of `client`. A refusal is returned as a Problem, in the words
    of `own` where they have it. Who is signed out goes to the sign-in."""
    try:
        return await action(await present_actor(client))
    except SignedOut:
        leave(client)
        return Problem("")
    except REFUSED as error:
        with client:
            text = next((text for kind, text in own.items() if isinstance(error, kind)), None) or refusal(error)
        return Problem(
            text,
            tuple(getattr(error, "alternatives", ())),
            tuple(getattr(error, "standing", ())),
            getattr(error, "present", None),
            gone=isinstance(error, NotFound),
            overridable=getattr(error, "overridable", False),
            reason=str(getattr(error, "reason", "")),
            cause=str(getattr(error, "cause", "") or ""),
        )


def tell(client: Client, text: str, *, good: bool = True, position: Position = "bottom") -> None:
    """A notice on the page; none for ""."""
    if text:
        with client:  # what was pressed may have been drawn anew
            ui.notify(text, type="positive" if good else "negative", position=position, multi_line=True)


async def operate(actor: Actor, services: OperatorServices, command: OperatorCommand[G, T], given: G) -> T:
    """Run an operators' command for `actor` on a page. Raises what it refuses with."""
    return await command.do(OperatorCall(services, actor), given)


def operating(context: PageContext, command: OperatorCommand[G, Any], given: G) -> Callable[[], Awaitable[None]]:
    """A handler that runs an operators' command, after which the page is opened anew."""
    return then_reload(operate, context.gendei, command, given)


async def run_command(desks: Desks, actor: Actor, command: Command[A, T], given: A, key: str | None = None) -> T:
    """Run `command` for `actor` on a page. key: as in Call. Raises what it refuses with."""
    return await command.do(await desks.call(actor, CHANNEL, key), given)


def refusal(error: Exception) -> str:
    """Say why it was not done, for staff."""
    if isinstance(error, BookingRefused):
        return agenda_texts(site_in(ui.context.client.request.scope)).refusal(error.reason, "")
    if isinstance(error, TooManyAttempts):
        return TEXTS("too_many", minutes=error.minutes)
    why = explained(error)
    if why.reason == Reason.FAILED and isinstance(error, ValueError):
        wrong = error.errors() if isinstance(error, ValidationError) else []
        return TEXTS[Reason.TOO_LONG if any(fault["type"] == "string_too_long" for fault in wrong) else Reason.INVALID]
    return why.text or TEXTS.get(why.cause or why.reason) or TEXTS[Reason.FAILED]


def agenda_texts(site: Site) -> AgendaTexts:
    """Return the texts about appointments."""
    return _agenda_texts(data_dir("prompts", site.gendei.settings.prompts_dir))


def failure_texts(site: Site) -> FailureTexts:
    """Return the texts that say why a message did not reach the patient."""
    return _failure_texts(data_dir("prompts", site.gendei.settings.prompts_dir))


@cache
def _failure_texts(folder: Path) -> FailureTexts:
    return FailureTexts.load(folder)


@cache
def _agenda_texts(folder: Path) -> AgendaTexts:
    return AgendaTexts.load(folder)
