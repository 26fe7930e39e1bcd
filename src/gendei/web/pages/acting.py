"""Deeds: what a page does for whoever looks at it. Who acts is asked anew for each, since an open page outlives
sessions and rights; what is refused is said in the staff's words."""

from collections.abc import Awaitable, Callable
from functools import cache
from pathlib import Path
from typing import Concatenate, ParamSpec

from nicegui import ui

from gendei.booking.refusals import BookingRefused
from gendei.conversation.failure_texts import FailureTexts
from gendei.conversation.upkeep.backlog import NotPossible
from gendei.datafile import data_dir
from gendei.errors import GendeiError, NotFound, StoreError
from gendei.staff.access.accounts import LastGestor, UserExists, WrongCode, WrongPassword
from gendei.staff.access.attempts import TooManyAttempts
from gendei.staff.access.passwords import WeakPassword
from gendei.staff.access.users import BadEmail
from gendei.staff.actors import Actor, Forbidden
from gendei.staff.agenda.texts import AgendaTexts
from gendei.staff.inbox.canned import BadCanned
from gendei.staff.tasks.fields import TaskRefused
from gendei.web.pages.signed_in import SignedOut, leave, present_actor
from gendei.web.pages.site import Site, site_in
from gendei.web.pages.texts import page_texts

P = ParamSpec("P")
REFUSALS: tuple[tuple[type[Exception], str], ...] = (
    (Forbidden, "forbidden"),
    (NotFound, "not_found"),
    (NotPossible, "not_possible"),
    (BadEmail, "bad_email"),
    (UserExists, "user_exists"),
    (WeakPassword, "weak_password"),
    (LastGestor, "last_gestor"),
    (WrongPassword, "wrong_password"),
    (WrongCode, "wrong_code"),
    (BadCanned, "bad_canned"),
    (StoreError, "store_failed"),
    (GendeiError, "failed"),
)
"""The first that fits, and its sentence in texts/acting.yaml."""


def acting(
    deed: Callable[Concatenate[Actor, P], Awaitable[None]], *args: P.args, **kwargs: P.kwargs
) -> Callable[[], Awaitable[None]]:
    """A handler that does `deed` as who is signed in now; a GendeiError of it, or BadCanned, is shown as a
    notice. Whoever is signed out goes to the sign-in."""

    async def act() -> None:
        client = ui.context.client
        try:
            await deed(await present_actor(client), *args, **kwargs)
        except SignedOut:
            leave(client)
        except (GendeiError, BadCanned) as error:
            with client:  # what was pressed may have been drawn anew
                ui.notify(refusal(error), type="negative", multi_line=True)

    return act


def refusal(error: Exception) -> str:
    """Why it was not done, for staff."""
    words = page_texts("acting")
    if isinstance(error, BookingRefused):
        return agenda_texts(site_in(ui.context.client.request.scope)).refusal(error.reason, "")
    if isinstance(error, TaskRefused):
        return error.text
    if isinstance(error, TooManyAttempts):
        return words["too_many"].format(minutes=error.minutes)
    return next(words[key] for kind, key in REFUSALS if isinstance(error, kind))


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
