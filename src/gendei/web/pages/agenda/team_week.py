"""A week of everybody: a row for each professional, a cell for each day."""

from nicegui import ui

from gendei.staff.agenda.agenda import Agenda
from gendei.staff.agenda.view import AgendaView, Column, ColumnDay
from gendei.web.pages.agenda.geometry import (
    Stretch,
    day_name,
    free_stretches,
    lasting,
    length_text,
    shown_stretch,
)
from gendei.web.pages.agenda.gestures import BoardActs, Place
from gendei.web.pages.agenda.minis import Minis
from gendei.web.pages.agenda.showing import Showing
from gendei.web.pages.page_texts import page_texts

TEXTS = page_texts("agenda")

MOST = 6
"""Appointments of a cell; the day has all."""


class TeamWeek:
    """Draws weeks of several professionals; only cells that changed are drawn again."""

    def __init__(self, acts: BoardActs, agenda: Agenda) -> None:
        self._acts, self._minis = acts, Minis(acts, agenda)
        self._frame: object = None
        self._cells: list[tuple[ui.element, ColumnDay, list[Stretch]]] = []
        self.root = ui.element("section").classes("a-team").props(f'aria-label="{TEXTS["team_week"]}"')
        self.root.props["role"] = "table"

    def show(self, view: AgendaView, look: Showing) -> None:
        """Bring the board to `view`."""
        drawn = [(column, day) for column in view.columns for day in column.days]
        stretch = shown_stretch(view)
        frame = (look, stretch, [(column.professional_id, column.name) for column in view.columns], view.closed)
        if frame != self._frame:
            self._frame = frame
            self._draw(view)
        for place, ((column, day), (cell, before, free_before)) in enumerate(zip(drawn, self._cells, strict=True)):
            free = free_stretches(day, view.now)
            if (day, free) != (before, free_before) or not cell.default_slot.children:
                self._cells[place] = cell, day, free
                self._fill(cell, column, day, free, view, look)

    def _draw(self, view: AgendaView) -> None:
        self.root.clear()
        self._cells = []
        with self.root:
            with ui.element("div").classes("a-team-row a-team-heads").props('role="row"'):
                ui.element("div").classes("a-team-name").props('role="columnheader"')
                for day in view.columns[0].days if view.columns else ():
                    self._head(view, day)
            for column in view.columns:
                with ui.element("div").classes("a-team-row").props('role="row"'):
                    with ui.element("div").classes("a-team-name").props('role="rowheader" dir="auto"'):
                        ui.label(column.name)
                    for day in column.days:
                        cell = ui.element("div").classes("a-team-cell").props('role="cell"')
                        self._cells.append((cell, day, []))

    def _head(self, view: AgendaView, day: ColumnDay) -> None:
        today = " a-today" if day.day == view.now.date() else ""
        with ui.element("div").classes(f"a-team-head{today}").props('role="columnheader"'):
            button = ui.element("button").classes("a-team-day").props('type="button"')
            button.on("click", lambda: self._acts.open_day(day.day, ""), args=[])
            with button:
                ui.label(day_name(day.day)).classes("a-head-name")
            if day.day in view.closed:
                ui.label(view.closed[day.day]).classes("a-head-note").props('dir="auto"')

    def _fill(
        self,
        cell: ui.element,
        column: Column,
        day: ColumnDay,
        free: list[Stretch],
        view: AgendaView,
        look: Showing,
    ) -> None:
        cell.clear()
        shown = self._minis.shown(day.appointments, look)
        with cell:
            if not day.hours and not shown:
                ui.label(TEXTS["off_day"]).classes("a-head-note")
                return
            _bar(day, shown_stretch(view))
            for appointment in shown[:MOST]:
                self._minis.draw(appointment, view, look)
            with ui.element("div").classes("a-team-foot"):
                if len(shown) > MOST:
                    more = ui.button(TEXTS("team_more", count=len(shown) - MOST)).props("flat dense no-caps")
                    more.on("click", lambda: self._acts.open_day(day.day, column.professional_id), args=[])
                if free:
                    self._free(column, day, free)

    def _free(self, column: Column, day: ColumnDay, free: list[Stretch]) -> None:
        """The time that is free still; a tap books the first of it."""
        place = Place(column.professional_id, day.day, free[0][0])
        text = TEXTS("team_free", time=length_text(sum(end - start for start, end in free)))
        button = ui.button(text, icon="add").props("flat dense no-caps").classes("a-team-free")
        button.props["aria-label"] = f"{text}, {day_name(day.day)}, {column.name}"
        button.on("click", lambda: self._acts.create(place), args=[])


def _bar(day: ColumnDay, stretch: Stretch) -> None:
    """The day at a glance: what of it is taken, to scale."""
    start, whole = stretch[0], stretch[1] - stretch[0]
    with ui.element("div").classes("a-bar-of-day").props('aria-hidden="true"'):
        for appointment in day.appointments:
            if appointment.status.takes_time:
                begin, end = lasting(appointment.start, appointment.end, day.day)
                part = ui.element("span")
                part.style(f"left: {100 * (begin - start) / whole:.2f}%; width: {100 * (end - begin) / whole:.2f}%")
