"""Blocking time, and giving it back."""

from datetime import time, timedelta
from functools import partial

from nicegui import ui

from gendei.booking.agenda import day_interval
from gendei.booking.time_blocks import MAX_REASON, TimeBlock
from gendei.booking.wallclock import at_minute
from gendei.commands.blocks import BLOCK_TIME, FREE_TIME, BlockTime, FreeTime
from gendei.web.pages.acting import Problem
from gendei.web.pages.agenda.appointment import show_appointment
from gendei.web.pages.agenda.geometry import clock_text, day_of
from gendei.web.pages.agenda.gestures import Place
from gendei.web.pages.agenda.sheet import FIELD, AgendaActing, AgendaSheet, fact, found_row, moment_of
from gendei.web.pages.agenda.undo import undo_block, undo_freeing
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import names
from gendei.web.pages.sheets import PLAIN

TEXTS = page_texts("agenda")

LENGTH, LAST_MINUTE = 60, 23 * 60 + 59
"""Minutes that a block takes unless somebody says otherwise, and the last of a day."""
EVERYBODY = ""
"""The value of a select that means the whole clinic."""


class BlockSheet:
    """Asks for what to block; `place`: where it shall begin."""

    def __init__(self, acting: AgendaActing, place: Place) -> None:
        self._acting = acting
        self._sheet = AgendaSheet(acting, TEXTS["block_title"])
        with self._sheet.body:
            self._fields(place)
            self._standing = ui.element("div").classes("a-standing")
        self._sheet.ask_before_closing(self._reason)
        self._sheet.leave_button(TEXTS["back"])
        self._anyway = self._sheet.button(TEXTS["block_anyway"], lambda: self._save(despite=True), props=PLAIN)
        self._anyway.props("color=negative").set_visibility(False)
        self._sheet.button(TEXTS["block_save"], self._save)

    def _fields(self, place: Place) -> None:
        people = {EVERYBODY: TEXTS["whole_clinic"]} | names(self._acting.clinic.professionals)
        self._who = ui.select(people, label=TEXTS["who"], value=place.professional_id).props(FIELD)
        self._whole = ui.checkbox(TEXTS["block_whole_days"], on_change=self._show_times)
        day, dated = place.day.isoformat(), f'{FIELD} stack-label type="date"'
        with ui.element("div").classes("a-row"):
            self._first = ui.input(TEXTS["block_first"], value=day, on_change=self._follow_first).props(dated)
            self._last = ui.input(TEXTS["block_last"], value=day).props(dated)
        with ui.element("div").classes("a-row") as self._times:
            timed = f'{FIELD} stack-label type="time"'
            start, end = clock_text(place.minute), clock_text(min(place.minute + LENGTH, LAST_MINUTE))
            self._from = ui.input(TEXTS["block_from"], value=start, on_change=self._follow_from).props(timed)
            self._to = ui.input(TEXTS["block_to"], value=end).props(timed)
        for field in (self._first, self._last, self._from, self._to):
            field.classes("a-half")
        self._reason = ui.input(TEXTS["block_reason"]).props(f'{FIELD} maxlength="{MAX_REASON}" dir="auto"')

    def _show_times(self) -> None:
        self._times.set_visibility(not self._whole.value)

    def _follow_first(self) -> None:
        if str(self._last.value) < str(self._first.value):
            self._last.value = self._first.value

    def _follow_from(self) -> None:
        """An end that would come before the beginning comes an hour after it."""
        try:
            begin = time.fromisoformat(str(self._from.value))
        except ValueError:
            return
        if str(self._to.value) <= str(self._from.value) and self._last.value == self._first.value:
            self._to.value = clock_text(min(begin.hour * 60 + begin.minute + LENGTH, LAST_MINUTE))

    def _given(self, *, despite: bool) -> BlockTime | None:
        clinic, who, reason = self._acting.clinic, str(self._who.value) or None, str(self._reason.value or "")
        if self._whole.value:
            first, last = day_of(self._first.value), day_of(self._last.value)
            if first is None or last is None:
                return None
            start, end = (at_minute(minute, clinic.timezone) for minute in day_interval(clinic, first, last))
        else:
            begin = moment_of(clinic, self._first.value, self._from.value)
            finish = moment_of(clinic, self._last.value, self._to.value)
            if begin is None or finish is None:
                return None
            start, end = begin, finish
        return BlockTime(professional_id=who, start=start, end=end, reason=reason, despite_appointments=despite)

    async def _save(self, *, despite: bool = False) -> None:
        given = self._given(despite=despite)
        if given is None:
            self._sheet.say(TEXTS["bad_date"])
            return
        done = await self._acting.do(BLOCK_TIME, given)
        if isinstance(done, TimeBlock):
            await self._sheet.done(TEXTS["block_done"], undo=undo_block(done))
            return
        self._sheet.tell(done)
        self._show_standing(done)

    def _show_standing(self, problem: Problem) -> None:
        """The appointments in the way, each to be opened; and the way to leave them standing."""
        if not self._sheet.is_open:
            return
        self._anyway.set_visibility(bool(problem.standing))
        self._standing.clear()
        with self._standing:
            if problem.standing:
                ui.label(TEXTS["block_standing"]).classes("g-soft g-small")
            for appointment in problem.standing:
                more = f"{self._acting.short(appointment.start)} · {appointment.professional_name}"
                found_row(appointment.patient_name, more, partial(show_appointment, self._acting, appointment))


def show_block(acting: AgendaActing, block: TimeBlock) -> None:
    """Show a block: when, why and by whom; with a button that gives the time back."""
    sheet = AgendaSheet(acting, TEXTS["block_shown_title"])
    whose = acting.professional_name(block.professional_id) if block.professional_id else TEXTS["whole_clinic"]
    with sheet.body:
        fact(TEXTS["reason"], block.reason or TEXTS["blocked"])
        fact(TEXTS["who"], whose)
        fact(TEXTS["when"], _stretch(block))
        ui.label(TEXTS("block_by", by=block.by)).classes("g-soft g-small")

    async def free() -> None:
        done = await acting.do(FREE_TIME, FreeTime(block_id=block.id))
        if isinstance(done, Problem):
            sheet.close()
            acting.tell(done.text, good=False)
            await acting.refresh()
        else:
            await sheet.done(TEXTS["block_freed"], undo=undo_freeing(block))

    sheet.leave_button(TEXTS["back"])
    sheet.button(TEXTS["block_free"], free)


def _stretch(block: TimeBlock) -> str:
    """ "23/11 14:00 – 15:00", "24/12 – 26/12"."""
    last = block.end - timedelta(minutes=1)
    if block.days:
        return f"{block.start:%d/%m} – {last:%d/%m}" if len(block.days) > 1 else f"{block.start:%d/%m}"
    end = f"{block.end:%H:%M}" if block.start.date() == block.end.date() else f"{block.end:%d/%m %H:%M}"
    return f"{block.start:%d/%m %H:%M} – {end}"
