"""The second factor, asked for again where a change needs it."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from nicegui import ui

from gendei.staff.actors import Actor
from gendei.staff.clinic_changes.texts import ChangeFault
from gendei.web.pages.acting import Acting, Problem
from gendei.web.pages.clinic_settings.words import TEXTS
from gendei.web.pages.panels import text
from gendei.web.pages.sheets import Sheet
from gendei.web.proxies import client_of

T = TypeVar("T")
CODE = (
    "outlined dense autofocus maxlength=7 input-style='letter-spacing: .2em' inputmode=numeric "
    "autocomplete=one-time-code"
)


async def proven(acting: Acting, act: Callable[[], Awaitable[T | Problem]]) -> T | Problem:
    """What `act` gives; where it wants the second factor, the code is asked for, and it is done once more."""
    done = await act()
    if isinstance(done, Problem) and done.reason == ChangeFault.FACTOR_NEEDED and await _asked(acting):
        return await act()
    return done


async def _asked(acting: Acting) -> bool:
    """Whether a right code was given."""
    sheet = Sheet(TEXTS["factor"])
    with sheet.body:
        text("p", TEXTS["factor_hint"])
        code = ui.input(TEXTS["factor_code"]).props(CODE)

    async def prove(_: Actor) -> bool:
        address = client_of(ui.context.client.request)
        await acting.gendei.staff.sign_in.prove(acting.context.session, code.value or "", address)
        return True

    async def take() -> None:
        done = await acting.attempt(prove)
        if isinstance(done, Problem):
            sheet.say(done.text)
        else:
            sheet.dialog.submit(True)

    sheet.leave_button()
    sheet.button(TEXTS["go_on_with_code"], take)
    return bool(await sheet.dialog)
