"""The agenda drawn to scale: a lane for each professional, or for each day of one."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from nicegui import ui
from nicegui.events import GenericEventArguments

from gendei.booking.appointment import Appointment
from gendei.booking.dates.rendering import which_time
from gendei.booking.time_blocks import TimeBlock
from gendei.staff.agenda.agenda import Agenda
from gendei.staff.agenda.view import AgendaView, Column, ColumnDay
from gendei.web.pages.agenda.geometry import (
    LEAST_DRAWN,
    Stretch,
    clock_text,
    day_name,
    free_stretches,
    lasting,
    least_bookable,
    least_drawn,
    minute_of,
    shown_stretch,
    side_by_side,
    stretch_of,
)
from gendei.web.pages.agenda.gestures import BoardActs, Place, follow_gestures
from gendei.web.pages.agenda.plan_field import plan_title
from gendei.web.pages.agenda.showing import EVERYBODY, Period, Showing
from gendei.web.pages.agenda.states import state_class, state_icon, state_text
from gendei.web.pages.agenda.tints import hue_of, tint
from gendei.web.pages.page_texts import page_texts

TEXTS = page_texts("agenda")

STEP_MINUTES = 10
"""The step that taps and drops snap to, where the clinic has none."""
SIZES = {"a-medium": 35, "a-short": 25, "a-tiny": 20}
"""Classes of cards below so many minutes: with less and less room, down to one line."""


@dataclass(slots=True)
class _Lane:
    element: ui.element
    column: Column
    day: ColumnDay
    now: ui.element | None = field(default=None)


class AgendaBoard:
    """Draws views; only lanes that changed are drawn again. `agenda`: gives the states their names."""

    def __init__(self, acts: BoardActs, agenda: Agenda) -> None:
        self._acts, self._agenda = acts, agenda
        self._frame: object = None
        self._lanes: list[_Lane] = []
        self._view: AgendaView | None = None
        self._look: Showing | None = None
        self._stretch: Stretch = (0, 0)
        self.root = ui.element("section").classes("a-board").props(f'aria-label="{TEXTS["board"]}"')
        follow_gestures(self.root, acts)

    def show(self, view: AgendaView, look: Showing) -> None:
        """Bring the board to `view`."""
        lanes = [(column, day) for column in view.columns for day in column.days]
        stretch = shown_stretch(view)
        heads = [(column.professional_id, column.name, column.active, day.day) for column, day in lanes]
        frame = (look, stretch, heads, view.closed, view.now.date(), least_drawn(view))
        self._view, self._look, self._stretch = view, look, stretch
        if frame != self._frame:
            self._frame = frame
            self._draw(lanes)
            return
        for lane, (column, day) in zip(self._lanes, lanes, strict=True):
            if lane.day != day:
                lane.column, lane.day = column, day
                self._fill(lane)

    def tick(self, now: datetime) -> None:
        """Put the line of the present where it belongs."""
        for lane in self._lanes:
            if lane.now is not None:
                lane.now.style(f"--at: {minute_of(now, lane.day.day)}")

    def _draw(self, lanes: list[tuple[Column, ColumnDay]]) -> None:
        self.root.clear()
        self._lanes = []
        start, end = self._stretch
        least = least_drawn(self._view) if self._view else LEAST_DRAWN
        self.root.style(f"--from: {start}; --minutes: {end - start}; --lanes: {len(lanes)}; --least: {least}")
        self.root.props["data-step"] = str(self._step())
        if self._look is not None:
            self.root.classes(remove="a-week a-day a-compact a-normal a-large a-everybody")
            self.root.classes(f"a-{self._look.period} a-{self._look.zoom}" + ("" if self._current else " a-everybody"))
        with self.root:
            self._gutter()
            for column, day in lanes:
                self._lanes.append(self._lane(column, day))
                self._fill(self._lanes[-1])

    @property
    def _week(self) -> bool:
        return self._look is not None and self._look.period is Period.WEEK

    @property
    def _current(self) -> str:
        """The professional whose lane stays where there is room for one; "" where all stay."""
        shown = [column.professional_id for column in self._view.columns] if self._view else []
        who = self._look.who if self._look else ""
        return "" if who == EVERYBODY else who if who in shown else next(iter(shown), "")

    def _step(self) -> int:
        return (self._view.clinic.booking.step_minutes if self._view else None) or STEP_MINUTES

    def _gutter(self) -> None:
        with ui.element("div").classes("a-gutter").props('aria-hidden="true"'):
            ui.element("div").classes("a-head")
            with ui.element("div").classes("a-hours"):
                for minute in range(self._stretch[0], self._stretch[1], 60):
                    ui.label(clock_text(minute)).classes("a-hour").style(f"--at: {minute}")

    def _lane(self, column: Column, day: ColumnDay) -> _Lane:
        current = self._week or self._current in {"", column.professional_id}
        with ui.element("section").classes("a-column" + (" a-current" if current else "")) as section:
            section.props["aria-label"] = f"{column.name}, {day_name(day.day)}"
            self._head(column, day)
            element = ui.element("div").classes("a-lane")
        element.props.update({"data-professional": column.professional_id, "data-day": day.day.isoformat()})
        return _Lane(element, column, day)

    def _head(self, column: Column, day: ColumnDay) -> None:
        view = self._view
        today = view is not None and day.day == view.now.date()
        with ui.element("header").classes("a-head" + (" a-today" if today and self._week else "")):
            ui.label(day_name(day.day) if self._week else column.name).classes("a-head-name").props('dir="auto"')
            if not column.active:
                ui.label(TEXTS["former"]).classes("a-head-note")
            elif view and day.day in view.closed:
                ui.label(view.closed[day.day]).classes("a-head-note").props('dir="auto"')
            elif not day.hours:
                ui.label(TEXTS["off_day"]).classes("a-head-note")

    def _fill(self, lane: _Lane) -> None:
        lane.element.clear()
        lane.now = None
        view, day = self._view, lane.day
        if view is None or self._look is None:
            return
        cancelled = self._look.cancelled
        shown = [appointment for appointment in day.appointments if cancelled or appointment.status.takes_time]
        shown.sort(
            key=lambda appointment: (
                minute_of(appointment.start, day.day),
                appointment.start.fold,
                not appointment.status.takes_time,
            )
        )
        places = side_by_side([lasting(appointment.start, appointment.end, day.day) for appointment in shown])
        drawn: list[tuple[int, Callable[[], None]]] = [
            *(
                (stretch[0], lambda stretch=stretch: self._free(lane, stretch))
                for stretch in free_stretches(day, view.now, least_bookable(view, lane.column.professional_id))
            ),
            *((minute_of(block.start, day.day), lambda block=block: self._block(day, block)) for block in day.blocks),
            *(
                (
                    minute_of(appointment.start, day.day),
                    lambda appointment=appointment, place=place: self._card(day, appointment, place),
                )
                for appointment, place in zip(shown, places, strict=True)
            ),
        ]
        with lane.element:
            for hours in day.hours:
                _at(ui.element("div").classes("a-open"), stretch_of(*hours, day.day))
            for away in day.time_off:
                self._shade(day, (away.start, away.end), away.reason or TEXTS["away"])
            for _, draw in sorted(drawn, key=lambda entry: entry[0]):
                draw()
            if not drawn:
                ui.label(TEXTS["nothing"]).classes("a-nothing")
            if day.day == view.now.date():
                lane.now = ui.element("div").classes("a-now").props('aria-hidden="true"')
                lane.now.style(f"--at: {minute_of(view.now, day.day)}")

    def _free(self, lane: _Lane, stretch: Stretch) -> None:
        start, end = map(clock_text, stretch)
        day, professional_id = lane.day.day, lane.column.professional_id
        button = _at(ui.element("button").classes("a-free"), stretch)
        label = TEXTS("free_of", start=start, end=end, day=day_name(day), professional=lane.column.name)
        button.props.update({"type": "button", "aria-label": label})

        async def create(event: GenericEventArguments) -> None:
            minute = event.args if isinstance(event.args, int) else stretch[0]
            await self._acts.create(Place(professional_id, day, min(max(minute, stretch[0]), stretch[1])))

        button.on("click", create, js_handler="(event) => emit(gendeiAgenda.minuteOf(event))")
        with button:
            ui.label(TEXTS("free", start=start, end=end)).classes("a-free-text")

    def _block(self, day: ColumnDay, block: TimeBlock) -> None:
        stretch = self._cut(stretch_of(block.start, block.end, day.day))
        start, end = map(clock_text, stretch)
        reason = block.reason or TEXTS["blocked"]
        button = _at(ui.element("button").classes("a-block"), stretch)
        label = TEXTS("block_label", start=start, end=end, reason=reason)
        button.props.update({"type": "button", "aria-label": label})
        button.on("click", lambda: self._acts.show_block(block), args=[])
        with button:
            ui.icon("block")
            ui.label(reason).props('dir="auto"').classes("a-line")

    def _shade(self, day: ColumnDay, times: tuple[datetime, datetime], text: str) -> None:
        with _at(ui.element("div").classes("a-block a-away"), self._cut(stretch_of(*times, day.day))):
            ui.icon("beach_access")
            ui.label(text).props('dir="auto"').classes("a-line")

    def _cut(self, stretch: Stretch) -> Stretch:
        """Cut a stretch to the board, so that its words are seen."""
        start, end = self._stretch
        return min(max(stretch[0], start), end), min(max(stretch[1], start), end)

    def _card(self, day: ColumnDay, appointment: Appointment, place: tuple[int, int]) -> None:
        stretch = lasting(appointment.start, appointment.end, day.day)
        start = clock_text(stretch[0]) + which_time(appointment.start)
        end = clock_text(minute_of(appointment.end, day.day)) + which_time(appointment.end)
        status = state_text(self._agenda, appointment)
        minutes = stretch[1] - stretch[0]
        sizes = " ".join(size for size, below in SIZES.items() if minutes < below)
        card = _at(ui.element("button").classes(f"a-card {state_class(appointment)} {sizes}"), stretch)
        if place[1] > 1:
            card.classes("a-beside")
        if self._view and self._look:
            tint(card, hue_of(self._view.clinic, self._look.colours, appointment))
        card.style.update({"--place": str(place[0]), "--places": str(place[1])})
        label = TEXTS(
            "appointment_label",
            start=start,
            end=end,
            patient=appointment.patient_name,
            service=appointment.service_name,
            status=", ".join(part for part in (plan_title(appointment.plan), status) if part),
        )
        card.props.update(
            {"type": "button", "aria-label": label, "data-id": appointment.id, "data-version": appointment.version}
        )
        card.props.update({"title": label, "data-icon": state_icon(appointment)})
        if appointment.status.live:
            card.props["data-moves"] = str(minutes)
        card.on("click", lambda: self._acts.open(appointment), args=[])
        with card:
            ui.label(start).classes("a-card-time")
            ui.label(appointment.patient_name).classes("a-card-name").props["dir"] = "auto"
            more = (appointment.service_name, plan_title(appointment.plan), status)
            ui.label(" · ".join(part for part in more if part)).classes("a-card-more")
            if appointment.note:
                ui.label(appointment.note).classes("a-card-more a-card-note").props["dir"] = "auto"


def _at(element: ui.element, stretch: Stretch) -> ui.element:
    element.style.update({"--at": str(stretch[0]), "--for": str(stretch[1] - stretch[0])})
    return element
