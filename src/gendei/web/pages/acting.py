"""Actions of a page. Who acts is asked anew for each, since an open page outlives sessions and rights; a refusal is
shown in the staff's words."""

from collections.abc import Awaitable, Callable
from functools import cache
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from nicegui import ui
from pydantic import ValidationError

from gendei.booking.refusals import BookingRefused
from gendei.commands.command import Arguments, Command, Desks
from gendei.commands.refusals import CommandRefused, MessageDeclined, Reason, explained
from gendei.conversation.backlog import NotPossible
from gendei.conversation.outbound.failures import FailureTexts
from gendei.datafile import data_dir
from gendei.errors import GendeiError, StoreError
from gendei.staff.access.accounts import LastGestor, UserExists, WrongCode, WrongPassword
from gendei.staff.access.attempts import TooManyAttempts
from gendei.staff.access.passwords import WeakPassword
from gendei.staff.access.users import BadEmail
from gendei.staff.actors import Actor
from gendei.staff.agenda.texts import AgendaTexts
from gendei.staff.inbox.actions import TooMuch
from gendei.staff.inbox.canned import BadCanned
from gendei.web.pages.signed_in import SignedOut, leave, present_actor
from gendei.web.pages.site import Site, site_in
from gendei.web.pages.texts import page_texts

P = ParamSpec("P")
A = TypeVar("A", bound=Arguments)
R = TypeVar("R")
CHANNEL = "staff"
REFUSALS: tuple[tuple[type[Exception], str], ...] = (
    (NotPossible, "not_possible"),
    (BadEmail, "bad_email"),
    (UserExists, "user_exists"),
    (WeakPassword, "weak_password"),
    (LastGestor, "last_gestor"),
    (WrongPassword, "wrong_password"),
    (WrongCode, "wrong_code"),
    (BadCanned, "bad_canned"),
    (StoreError, Reason.UNAVAILABLE),
)
"""What no command refuses, and its sentence in texts/acting.yaml."""
REFUSED = (GendeiError, CommandRefused, MessageDeclined, BadCanned, TooMuch, ValidationError)
"""What is told to staff; anything else is a mistake of ours."""


def acting(
    action: Callable[Concatenate[Actor, P], Awaitable[None]], *args: P.args, **kwargs: P.kwargs
) -> Callable[[], Awaitable[None]]:
    """A handler that runs `action` as who is signed in now; what it refuses is shown as a notice. Whoever is signed out
    goes to the sign-in."""

    async def act() -> None:
        client = ui.context.client
        try:
            await action(await present_actor(client), *args, **kwargs)
        except SignedOut:
            leave(client)
        except REFUSED as error:
            with client:  # what was pressed may have been drawn anew
                ui.notify(refusal(error), type="negative", multi_line=True)

    return act


async def run_command(desks: Desks, actor: Actor, command: Command[A, R], given: A, key: str | None = None) -> R:
    """What `command` gives, done for `actor` on a page. key: as in Call. Raises what it refuses with."""
    return await command.do(await desks.call(actor, CHANNEL, key), given)


def refusal(error: Exception) -> str:
    """Why it was not done, for staff."""
    words = page_texts("acting")
    if isinstance(error, BookingRefused):
        return agenda_texts(site_in(ui.context.client.request.scope)).refusal(error.reason, "")
    if isinstance(error, TooManyAttempts):
        return words["too_many"].format(minutes=error.minutes)
    if own := next((key for kind, key in REFUSALS if isinstance(error, kind)), None):
        return words[own]
    why = explained(error)
    if why.reason == Reason.FAILED and isinstance(error, ValueError):
        wrong = error.errors() if isinstance(error, ValidationError) else []
        return words[Reason.TOO_LONG if any(each["type"] == "string_too_long" for each in wrong) else Reason.INVALID]
    return why.text or words.get(why.cause or why.reason) or words[Reason.FAILED]


def agenda_texts(site: Site) -> AgendaTexts:
    """What staff read of appointments."""
    return _agenda_texts(data_dir("prompts", site.gendei.settings.prompts_dir))


def failure_texts(site: Site) -> FailureTexts:
    """Why a message did not reach the patient."""
    return _failure_texts(data_dir("prompts", site.gendei.settings.prompts_dir))


@cache
def _failure_texts(folder: Path) -> FailureTexts:
    return FailureTexts.load(folder)


@cache
def _agenda_texts(folder: Path) -> AgendaTexts:
    return AgendaTexts.load(folder)
