"""What every dialog of the agenda is made of: who acts, what went wrong, and the sheet that shows it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TypeVar

from nicegui import ui
from nicegui.element import Element

from gendei.booking.appointment import Appointment
from gendei.booking.dates.rendering import describe, which_time
from gendei.booking.slots import Slot
from gendei.clinic import Clinic
from gendei.commands.command import Arguments, Command
from gendei.commands.refusals import nearby
from gendei.errors import NotFound
from gendei.staff.actors import Actor
from gendei.staff.agenda.notices import Notice
from gendei.staff.desks import AgendaDesk
from gendei.staff.patients import PatientRecords
from gendei.web.pages.acting import REFUSED, refusal, run_command
from gendei.web.pages.agenda.geometry import day_name, day_of
from gendei.web.pages.frame import Visit
from gendei.web.pages.signed_in import SignedOut, leave, present_actor
from gendei.web.pages.texts import page_texts

A = TypeVar("A", bound=Arguments)
T = TypeVar("T")
MOST_ALTERNATIVES = 6
ROUND = "flat round dense"
PLAIN, STRONG = "flat no-caps", "unelevated no-caps"
FIELD = "outlined dense"


@dataclass(frozen=True, slots=True)
class Problem:
    """Why nothing was done, in staff's words. `alternatives`: free slots near to what was asked; `standing`:
    appointments in the way of a block; `present`: how an appointment stands that somebody else changed."""

    text: str
    alternatives: tuple[Slot, ...] = ()
    standing: tuple[Appointment, ...] = ()
    present: Appointment | None = None


class Acting:
    """What the page's handlers act through. `layer`: where dialogs live, however often the board is drawn."""

    def __init__(self, visit: Visit, clinic: Clinic, layer: Element, refresh: Callable[[], Awaitable[None]]) -> None:
        self.clinic, self.layer, self.refresh = clinic, layer, refresh
        self.desk: AgendaDesk = visit.site.gendei.agenda_desk
        self._desks = visit.site.gendei.desks
        self.patients: PatientRecords = visit.site.gendei.front_desk.patients
        self.words = page_texts("agenda")
        self._clock = visit.site.gendei.clock
        self._client = ui.context.client

    @property
    def now(self) -> datetime:
        """The clinic's present."""
        return self.clinic.local(self._clock())

    @property
    def origin(self) -> str:
        """The address under which the browser reaches the service."""
        return str(self._client.request.base_url).rstrip("/")

    def spoken(self, moment: datetime) -> str:
        """ "amanhã, terça-feira, 24/11, às 14h30"."""
        return describe(self.clinic.local(moment), self.now)

    def short(self, moment: datetime) -> str:
        """ "ter 24/11 14:30"."""
        local = self.clinic.local(moment)
        return f"{day_name(local.date())} {hour_text(local)}"

    def professional_name(self, professional_id: str) -> str:
        """The name of one of the clinic's; the id of who is there no more."""
        found = self.clinic.professional(professional_id)
        return found.name if found else professional_id

    async def attempt(self, do: Callable[[Actor], Awaitable[T]]) -> T | Problem:
        """What `do` gives for whoever is signed in at this moment; what went wrong as a Problem."""
        try:
            return await do(await present_actor(self._client))
        except SignedOut:
            leave(self._client)
            return Problem(self.words["session_over"])
        except REFUSED as error:
            if isinstance(error, NotFound):
                await self.refresh()
                return Problem(self.words["gone"])
            return Problem(refusal(error), **nearby(error))

    async def do(self, command: Command[A, T], given: A) -> T | Problem:
        """What `command` gives for whoever is signed in at this moment; what went wrong as a Problem."""
        return await self.attempt(lambda actor: run_command(self._desks, actor, command, given))

    def tell(self, text: str, *, good: bool = True) -> None:
        """Say shortly what was done, or was not."""
        with self.layer:
            ui.notify(text, type="positive" if good else "warning", position="bottom", multi_line=True, timeout=6000)

    def tell_change(self, text: str, notice: Notice | None) -> None:
        """Say what was done, and what came of telling the patient, where that was asked."""
        self.tell(f"{text} {notice.text}" if notice else text, good=notice is None or notice.queued)


class Sheet:
    """A dialog with a title, a body, a line for what went wrong, and buttons below. Gone once it is closed."""

    def __init__(self, acting: Acting, title: str) -> None:
        self._acting = acting
        with acting.layer:
            self._dialog = ui.dialog()
        self._dialog.props["aria-label"] = title
        self._dialog.on("hide", self._dialog.delete, args=[])
        with self._dialog, ui.card().classes("a-sheet"):
            with ui.element("header").classes("a-sheet-head"):
                ui.label(title).classes("g-title").props('role="heading" aria-level="2"')
                close = ui.button(icon="close", on_click=self._dialog.close).props(ROUND)
                close.props["aria-label"] = acting.words["close"]
            self.body = ui.element("div").classes("a-sheet-body")
            self._problem = ui.element("div").classes("a-problem").props('role="alert"')
            self.buttons = ui.element("footer").classes("a-sheet-foot")
        self._problem.set_visibility(False)
        self._dialog.open()

    @property
    def is_open(self) -> bool:
        return not self._dialog.is_deleted and bool(self._dialog.value)

    def close(self) -> None:
        self._dialog.close()

    def say(self, problem: Problem, choose: Callable[[Slot], None] | None = None) -> None:
        """Show a problem, with its alternatives to choose from; an empty text hides the line."""
        if not self.is_open:
            self._acting.tell(problem.text, good=False)
            return
        self._problem.clear()
        self._problem.set_visibility(bool(problem.text))
        with self._problem:
            ui.label(problem.text)
            if problem.alternatives and choose:
                ui.label(self._acting.words["try_these"]).classes("g-small")
                with ui.element("div").classes("a-chips"):
                    for slot in problem.alternatives[:MOST_ALTERNATIVES]:
                        name = self._acting.professional_name(slot.professional_id)
                        chip(f"{self._acting.short(slot.start)} · {name}", partial(choose, slot))

    def button(self, text: str, act: Callable[[], Awaitable[None]], *, props: str = STRONG) -> ui.button:
        """A button below, which cannot be pressed again while it works."""

        async def once() -> None:
            button.disable()
            try:
                await act()
            finally:
                if not button.is_deleted:
                    button.enable()

        with self.buttons:
            button = ui.button(text, on_click=once).props(props)
        return button


def hour_text(moment: datetime) -> str:
    """ "14:30"; "01:30 (2ª vez)" where the clock shows that twice."""
    return f"{moment:%H:%M}{which_time(moment)}"


def chip(text: str, act: Callable[[], object]) -> ui.button:
    """A small choice."""
    return ui.button(text, on_click=act).props("outline no-caps dense").classes("a-chip")


def fact(name: str, value: str) -> None:
    """One line of what is known."""
    with ui.element("div").classes("a-fact"):
        ui.label(name).classes("g-soft g-small")
        ui.label(value).props('dir="auto"').classes("a-fact-value")


class MomentFields:
    """A date and a time of the clinic."""

    def __init__(self, clinic: Clinic, words: tuple[str, str], value: datetime, changed: Callable[[], object]) -> None:
        self._clinic, self._given = clinic, value
        self.date = ui.input(words[0], value=f"{value:%Y-%m-%d}", on_change=changed).props(f'{FIELD} type="date"')
        self.time = ui.input(words[1], value=f"{value:%H:%M}", on_change=changed).props(f'{FIELD} type="time"')
        for field in (self.date, self.time):
            field.props("stack-label").classes("a-half")

    def set(self, moment: datetime) -> None:
        self._given = local = self._clinic.local(moment)
        self.date.value, self.time.value = f"{local:%Y-%m-%d}", f"{local:%H:%M}"

    @property
    def moment(self) -> datetime | None:
        """Aware, in the clinic's zone; None for what is no date and time."""
        found = moment_of(self._clinic, self.date.value, self.time.value)
        return self._given if found == self._given else found  # by the wall clock, which may show a time twice


def moment_of(clinic: Clinic, day: object, clock: object) -> datetime | None:
    """Of a date and a time as browsers write them; None for anything else, and on a day that the agenda cannot show."""
    if day_of(day) is None:
        return None
    try:
        return datetime.fromisoformat(f"{day}T{clock}").replace(tzinfo=clinic.timezone)
    except ValueError:
        return None
