"""A month as a sheet of six weeks: how full each day is, of everybody or of a professional."""

from collections.abc import Sequence
from datetime import date

from nicegui import ui

from gendei.booking.appointment import Appointment, AppointmentStatus
from gendei.booking.dates.rendering import WEEKDAY_NAMES
from gendei.staff.agenda.agenda import Agenda
from gendei.staff.agenda.view import AgendaView, ColumnDay
from gendei.web.pages.agenda.geometry import day_name, occupancy
from gendei.web.pages.agenda.gestures import BoardActs
from gendei.web.pages.agenda.minis import Minis
from gendei.web.pages.agenda.showing import Showing
from gendei.web.pages.page_texts import page_texts

TEXTS = page_texts("agenda")

MOST = 3
"""Appointments of a day; the day has all."""


class MonthSheet:
    """Draws months; only days that changed are drawn again."""

    def __init__(self, acts: BoardActs, agenda: Agenda) -> None:
        self._acts, self._minis = acts, Minis(acts, agenda)
        self._frame: object = None
        self._cells: list[ui.element] = []
        self._drawn: list[tuple[ColumnDay, ...]] = []
        self.root = ui.element("section").classes("a-month").props(f'aria-label="{TEXTS["month_board"]}"')

    def show(self, view: AgendaView, look: Showing) -> None:
        """Bring the sheet to `view`."""
        days = list(zip(*(column.days for column in view.columns), strict=True))
        frame = (look, view.first, len(days), view.closed, view.now.date())
        if frame != self._frame:
            self._frame = frame
            self._draw(view, look, days)
        for place, (cell, those) in enumerate(zip(self._cells, days, strict=True)):
            if those != self._drawn[place]:
                self._drawn[place] = those
                self._fill(cell, those, view, look)

    def _draw(self, view: AgendaView, look: Showing, days: Sequence[tuple[ColumnDay, ...]]) -> None:
        self.root.clear()
        self._cells, self._drawn = [], [() for _ in days]
        with self.root:
            for name in WEEKDAY_NAMES:
                ui.label(name[:3]).classes("a-month-weekday")
            for those in days:
                day = those[0].day
                other = " a-other-month" if day.month != look.day.month else ""
                today = " a-today" if day == view.now.date() else ""
                self._cells.append(ui.element("div").classes(f"a-month-day{other}{today}"))

    def _fill(self, cell: ui.element, those: Sequence[ColumnDay], view: AgendaView, look: Showing) -> None:
        cell.clear()
        day = those[0].day
        shown = self._minis.shown((found for part in those for found in part.appointments), look)
        taken, closed = sum(appointment.status.takes_time for appointment in shown), view.closed.get(day)
        percent = occupancy(those)
        with cell:
            self._head(day, taken, percent, closed)
            if closed:
                ui.label(closed).classes("a-head-note").props('dir="auto"')
            if percent is not None:
                with ui.element("div").classes("a-occupancy").props('aria-hidden="true"'):
                    ui.element("span").style(f"width: {percent}%")
            if look.everybody:
                _counts(shown, percent)
                return
            with ui.element("div").classes("a-month-minis"):
                for appointment in shown[:MOST]:
                    self._minis.draw(appointment, view, look)
            if len(shown) > MOST:
                ui.label(TEXTS("team_more", count=len(shown) - MOST)).classes("g-soft g-small a-month-more")

    def _head(self, day: date, taken: int, percent: int | None, closed: str | None) -> None:
        """The day's number and its count, which lead to the day."""
        counted = TEXTS["month_count_one"] if taken == 1 else TEXTS("month_count", count=taken)
        occupied = "" if percent is None else TEXTS("occupied", percent=percent)
        told = [day_name(day), *filter(None, [closed or "", counted if taken else TEXTS["month_none"], occupied])]
        button = ui.element("button").classes("a-month-head")
        button.props.update({"type": "button", "aria-label": ", ".join(told), "title": ", ".join(told[1:])})
        button.on("click", lambda: self._acts.open_day(day, ""), args=[])
        with button:
            ui.label(str(day.day)).classes("a-month-number")
            if taken:
                ui.label(str(taken)).classes("a-month-count")


def _counts(shown: Sequence[Appointment], percent: int | None) -> None:
    """Of everybody's day, where names would say nothing: how full it is, and who has not confirmed."""
    if percent is not None and shown:
        ui.label(TEXTS("occupied", percent=percent)).classes("g-small a-month-told")
    unsure = sum(appointment.status is AppointmentStatus.CONFIRMED for appointment in shown)
    if unsure:
        ui.label(TEXTS("month_unsure", count=unsure)).classes("g-soft g-small a-month-told")
