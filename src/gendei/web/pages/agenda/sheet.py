"""The parts of the agenda's dialogs: acting, the sheet, and its fields."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from nicegui import ui
from nicegui.element import Element
from nicegui.elements.mixins.value_element import ValueElement

from gendei.booking.appointment import Appointment
from gendei.booking.dates.rendering import describe, which_time
from gendei.booking.slots import Slot
from gendei.clinic import Clinic, PersonalDatum
from gendei.errors import NotFound
from gendei.staff.actors import Actor, Right
from gendei.staff.agenda.agenda import may_override
from gendei.staff.agenda.notices import Notice
from gendei.web.pages.acting import Acting, Problem
from gendei.web.pages.agenda.geometry import day_name, day_of
from gendei.web.pages.agenda.undo import Undo
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.sheets import PLAIN, Handler, Sheet
from gendei.web.pages.site import PageContext

TEXTS = page_texts("agenda")

T = TypeVar("T")
MOST_ALTERNATIVES = 6
FIELD = "outlined dense"


class AgendaActing(Acting):
    """Acting on the agenda. `layer`: where dialogs stand, however often the board is drawn; `refresh` draws it. `last`:
    takes back the last change of this page."""

    def __init__(
        self, context: PageContext, clinic: Clinic, layer: Element, refresh: Callable[[], Awaitable[None]]
    ) -> None:
        super().__init__(context, clinic, {NotFound: TEXTS["gone"]})
        self.layer, self.refresh = layer, refresh
        self.last: Undo | None = None
        self.desk, self.patients = self.gendei.agenda_desk, self.gendei.front_desk.patients

    async def attempt(self, action: Callable[[Actor], Awaitable[T]]) -> T | Problem:
        done = await super().attempt(action)
        if isinstance(done, Problem) and done.gone:
            await self.refresh()
        return done

    @property
    def may_override(self) -> bool:
        """Whether who opened the page may put an appointment where there is no room; each attempt asks anew."""
        return may_override(self.context.actor, self.clinic)

    @property
    def kept(self) -> tuple[PersonalDatum, ...]:
        """The personal data that the clinic keeps, for who may see it."""
        return self.clinic.kept_data if self.context.actor.may(Right.PERSONAL_DATA) else ()

    @property
    def origin(self) -> str:
        """The address under which the browser reaches the service."""
        return str(self.client.request.base_url).rstrip("/")

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


class AgendaSheet(Sheet):
    """A sheet over the agenda, which stays while the board is drawn anew. `about`: the appointment, as it was shown."""

    def __init__(self, acting: AgendaActing, title: str, about: Appointment | None = None) -> None:
        self._acting, self.about = acting, about
        self._overriding: ui.button | None = None
        with acting.layer:
            super().__init__(title)

    def tell(
        self, problem: Problem, choose: Callable[[Slot], None] | None = None, override: Handler | None = None
    ) -> None:
        """Show a problem, with its alternatives to choose from, and what overrides it for who may; as a notice where
        the sheet is closed."""
        if not self.is_open:
            self._acting.tell(problem.text, good=False)
            return
        self.say(problem.text)
        if problem.alternatives and choose:
            with self.problem:
                ui.label(TEXTS["try_these"]).classes("g-small")
                with Chips(TEXTS["try_these"]) as row:
                    for slot in problem.alternatives[:MOST_ALTERNATIVES]:
                        name = self._acting.professional_name(slot.professional_id)
                        row.chip(f"{self._acting.short(slot.start)} · {name}", partial(choose, slot))
        if problem.overridable and override and self._acting.may_override:
            self._overriding = self.button(TEXTS["override"], override, props=f"{PLAIN} color=negative")
            self._overriding.move(target_index=0)
            self._overriding.props["title"] = TEXTS["override_hint"]

    def say(self, problem: str) -> None:
        super().say(problem)
        if self._overriding is not None:
            self._overriding.delete()
            self._overriding = None

    def has_all(self, *needed: tuple[str, ValueElement[Any], bool]) -> bool:
        """Whether nothing is missing. needed: in the form's order, the key of what it is called, its field, and whether
        it is there. Else say all that is missing at once, mark it, and lead to the first."""
        missing = [(key, field) for key, field, there in needed if not there]
        for _, field, there in needed:
            field.props(remove="error") if there else field.props("error hide-bottom-space")
        self.say(TEXTS("missing", names=", ".join(TEXTS[key] for key, _ in missing)) if missing else "")
        for _, field in missing[:1]:
            field.run_method("focus")
        return not missing

    async def done(self, text: str, notice: Notice | None = None, undo: Undo | None = None) -> None:
        """Close, and say what was done, and what came of telling the patient, where that was asked. undo: takes it
        back."""
        self.close()
        self._acting.last = undo
        self._acting.tell(f"{text} {notice.text}" if notice else text, good=notice is None or notice.queued)
        await self._acting.refresh()


def hour_text(moment: datetime) -> str:
    """ "14:30"; "01:30 (2ª vez)" where the clock shows that twice."""
    return f"{moment:%H:%M}{which_time(moment)}"


class Chips(Element):
    """Small choices, which are one stop of the Tab key: arrows lead from one to the next (agenda.js)."""

    def __init__(self, label: str) -> None:
        super().__init__("div")
        self.classes("a-chips").props["role"] = "toolbar"
        self.props["aria-label"] = label
        self._count = 0

    def chip(self, text: str, act: Callable[[], object]) -> ui.button:
        with self:
            found = ui.button(text, on_click=act).props("outline no-caps dense").classes("a-chip")
        found.props["tabindex"] = "-1" if self._count else "0"
        self._count += 1
        return found


def found_row(name: str, more: str, act: Callable[[], object]) -> None:
    """Somebody who was found, to be chosen."""
    with ui.button(on_click=act).props("flat no-caps align=left").classes("a-found-row"):
        ui.label(name).props('dir="auto"').classes("a-strong")
        ui.label(more).classes("g-soft g-small")


def fact(name: str, value: str) -> None:
    """One line of what is known."""
    with ui.element("div").classes("a-fact"):
        ui.label(name).classes("g-soft g-small")
        ui.label(value).props('dir="auto"').classes("a-fact-value")


class MomentFields:
    """A date and a time of the clinic."""

    def __init__(self, clinic: Clinic, value: datetime, changed: Callable[[], object]) -> None:
        self._clinic, self._given = clinic, value
        self.date, self.time = (
            ui.input(label, value=text, on_change=changed).props(f'{FIELD} stack-label type="{kind}"').classes("a-half")
            for label, text, kind in (
                (TEXTS["date"], f"{value:%Y-%m-%d}", "date"),
                (TEXTS["start_time"], f"{value:%H:%M}", "time"),
            )
        )

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


SHORTEST, LONGEST = 5, 720


class MinutesField:
    """How long an appointment takes; the service's duration until somebody writes another. given: another one."""

    def __init__(
        self,
        clinic: Clinic,
        service_id: str | None,
        given: int | None = None,
        changed: Callable[[], object] = lambda: None,
    ) -> None:
        self._clinic, self._usual = clinic, 0
        self.field = ui.number(TEXTS["minutes"], min=SHORTEST, max=LONGEST, step=5, precision=0)
        self.field.props(f"{FIELD} stack-label").classes("a-minutes")
        self.follow(service_id or "")
        if given is not None:
            self.field.value = given
        self.field.on_value_change(changed)

    def follow(self, service_id: str) -> None:
        """Another service: its duration, unless another one was written."""
        service = self._clinic.service(service_id)
        before, self._usual = self._usual, service.duration_minutes if service else 0
        if service and self.field.value in {None, before}:
            self.field.value = self._usual

    @property
    def is_right(self) -> bool:
        return SHORTEST <= self.minutes <= LONGEST

    @property
    def minutes(self) -> int:
        return int(self.field.value or 0)

    @property
    def own(self) -> int | None:
        """None where it takes what the service takes."""
        return None if self.minutes == self._usual else self.minutes
