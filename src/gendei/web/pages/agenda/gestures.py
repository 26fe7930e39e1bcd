"""What a hand does on the agenda, as the browser tells it (agenda.js)."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import date
from math import isfinite

from nicegui import ui
from nicegui.events import GenericEventArguments

from gendei.booking.appointment import Appointment
from gendei.booking.time_blocks import TimeBlock
from gendei.clinic import DAY_MINUTES
from gendei.web.pages.agenda.geometry import day_of
from gendei.web.pages.agenda.sheet import LONGEST, SHORTEST


@dataclass(frozen=True, slots=True)
class Place:
    """A start on the board: a professional, a local day and a minute of it; and how long, where that was drawn."""

    professional_id: str
    day: date
    minute: int
    minutes: int | None = None


@dataclass(frozen=True, slots=True)
class BoardActs:
    """Handlers of the boards. `move`: drop the appointment of an id, shown in a version, on a place. `resize`: let it
    take so many minutes. `open_day`: show a day, of one professional or of everybody."""

    open: Callable[[Appointment], Awaitable[None]]
    show_block: Callable[[TimeBlock], None]
    create: Callable[[Place], Awaitable[None]]
    move: Callable[[str, str, Place], Awaitable[None]]
    resize: Callable[[str, str, int], Awaitable[None]]
    open_day: Callable[[date, str], Awaitable[None]]
    undo: Callable[[], Awaitable[None]]


def follow_gestures(root: ui.element, acts: BoardActs) -> None:
    """Let what is dragged on `root` be done."""

    async def dropped(event: GenericEventArguments) -> None:
        named, place = _named(event.args), _place(event.args)
        if named and place:
            await acts.move(*named, place)

    async def resized(event: GenericEventArguments) -> None:
        named, minutes = _named(event.args), _minutes(event.args)
        if named and minutes:
            await acts.resize(*named, minutes)

    async def drawn(event: GenericEventArguments) -> None:
        place, minutes = _place(event.args), _minutes(event.args)
        if place and minutes:
            await acts.create(replace(place, minutes=minutes))

    for name, act in (("agendamove", dropped), ("agendaresize", resized), ("agendacreate", drawn)):
        root.on(name, act, js_handler="(event) => emit(event.detail)")
    root.on("agendaundo", acts.undo, args=[])


def _named(detail: object) -> tuple[str, str] | None:
    """The id and the version that a card had."""
    if not isinstance(detail, dict) or not {"id", "version"} <= detail.keys():
        return None
    return str(detail["id"]), str(detail["version"])


def _place(detail: object) -> Place | None:
    minute = _whole(detail, "minute")
    if not isinstance(detail, dict) or minute is None or not 0 <= minute < DAY_MINUTES:
        return None
    day = day_of(detail.get("day"))
    return Place(str(detail.get("professional")), day, minute) if day else None


def _minutes(detail: object) -> int | None:
    minutes = _whole(detail, "minutes")
    return minutes if minutes is not None and SHORTEST <= minutes <= LONGEST else None


def _whole(detail: object, name: str) -> int | None:
    value = detail.get(name) if isinstance(detail, dict) else None
    return round(value) if isinstance(value, int | float) and isfinite(value) else None
