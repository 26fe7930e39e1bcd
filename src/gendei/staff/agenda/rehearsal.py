"""Changes of the agenda that are checked as the desk checks them, and not made."""

from collections.abc import Awaitable
from dataclasses import replace
from typing import Any, NoReturn

from gendei.booking.appointment import Appointment
from gendei.booking.desk import StaffAct
from gendei.staff.agenda.agenda import Agenda


class Rehearsed(Exception):
    """The desk would make the change. Raised in its transaction, of which nothing is kept then."""


class Rehearsal(Agenda):
    """The same agenda for one question: would the desk refuse this change? Every change raises Rehearsed instead of
    being made, or what the change itself would raise."""

    def __init__(self, agenda: Agenda) -> None:
        super().__init__(agenda._parts)

    def _act(self, *given: Any, **detail: Any) -> StaffAct:
        return replace(super()._act(*given, **detail), beside=_stop)


def _stop(_appointment: Appointment) -> NoReturn:
    raise Rehearsed


async def rehearsed(change: Awaitable[object]) -> None:
    """Run a change on a Rehearsal. Raises what the change would."""
    try:
        await change
    except Rehearsed:
        return
