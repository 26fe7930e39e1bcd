"""Blocking time, and giving it back."""

from datetime import time, timedelta

from nicegui import ui

from gendei.booking.agenda import day_interval
from gendei.booking.time_blocks import MAX_REASON, TimeBlock
from gendei.booking.wallclock import at_minute
from gendei.commands.blocks import BLOCK_TIME, FREE_TIME, BlockTime, FreeTime
from gendei.web.pages.agenda.appointment import show_appointment
from gendei.web.pages.agenda.board import Place
from gendei.web.pages.agenda.geometry import clock_text, day_of
from gendei.web.pages.agenda.sheet import FIELD, PLAIN, Acting, Problem, Sheet, fact, moment_of

LENGTH, LAST_MINUTE = 60, 23 * 60 + 59
"""Minutes that a block takes unless somebody says otherwise, and the last of a day."""
EVERYBODY = ""
"""What stands for the whole clinic among the professionals."""


class BlockSheet:
    """Asks for what to block; `place`: where it shall begin."""

    def __init__(self, acting: Acting, place: Place) -> None:
        self._acting, self._words = acting, acting.words
        self._sheet = Sheet(acting, self._words["block_title"])
        with self._sheet.body:
            self._fields(place)
            self._standing = ui.element("div").classes("a-standing")
        with self._sheet.buttons:
            ui.button(self._words["back"], on_click=self._sheet.close).props(PLAIN)
        self._anyway = self._sheet.button(self._words["block_anyway"], lambda: self._save(despite=True), props=PLAIN)
        self._anyway.props("color=negative").set_visibility(False)
        self._sheet.button(self._words["block_save"], self._save)

    def _fields(self, place: Place) -> None:
        words = self._words
        people = {EVERYBODY: words["whole_clinic"]} | {one.id: one.name for one in self._acting.clinic.professionals}
        self._who = ui.select(people, label=words["who"], value=place.professional_id).props(FIELD)
        self._whole = ui.checkbox(words["block_whole_days"], on_change=self._show_times)
        day, dated = place.day.isoformat(), f'{FIELD} stack-label type="date"'
        with ui.element("div").classes("a-row"):
            self._first = ui.input(words["block_first"], value=day, on_change=self._follow_first).props(dated)
            self._last = ui.input(words["block_last"], value=day).props(dated)
        with ui.element("div").classes("a-row") as self._times:
            timed = f'{FIELD} stack-label type="time"'
            start, end = clock_text(place.minute), clock_text(min(place.minute + LENGTH, LAST_MINUTE))
            self._from = ui.input(words["block_from"], value=start, on_change=self._follow_from).props(timed)
            self._to = ui.input(words["block_to"], value=end).props(timed)
        for field in (self._first, self._last, self._from, self._to):
            field.classes("a-half")
        self._reason = ui.input(words["block_reason"]).props(f'{FIELD} maxlength="{MAX_REASON}" dir="auto"')

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
            self._sheet.say(Problem(self._words["bad_date"]))
            return
        done = await self._acting.do(BLOCK_TIME, given)
        if isinstance(done, TimeBlock):
            self._sheet.close()
            self._acting.tell(self._words["block_done"])
            await self._acting.refresh()
            return
        self._sheet.say(done)
        self._show_standing(done)

    def _show_standing(self, problem: Problem) -> None:
        """The appointments in the way, each to be opened; and the way to leave them standing."""
        if not self._sheet.is_open:
            return
        self._anyway.set_visibility(bool(problem.standing))
        self._standing.clear()
        with self._standing:
            if problem.standing:
                ui.label(self._words["block_standing"]).classes("g-soft g-small")
            for one in problem.standing:
                row = ui.button(on_click=lambda one=one: show_appointment(self._acting, one))
                with row.props("flat no-caps align=left").classes("a-found-row"):
                    ui.label(one.patient_name).props('dir="auto"').classes("a-strong")
                    ui.label(f"{self._acting.short(one.start)} · {one.professional_name}").classes("g-soft g-small")


def show_block(acting: Acting, block: TimeBlock) -> None:
    """What is blocked, why and by whom; and how to give it back."""
    words = acting.words
    sheet = Sheet(acting, words["block_shown_title"])
    whose = acting.professional_name(block.professional_id) if block.professional_id else words["whole_clinic"]
    with sheet.body:
        fact(words["reason"], block.reason or words["blocked"])
        fact(words["who"], whose)
        fact(words["when"], _stretch(block))
        ui.label(words["block_by"].format(by=block.by)).classes("g-soft g-small")

    async def free() -> None:
        done = await acting.do(FREE_TIME, FreeTime(block_id=block.id))
        sheet.close()
        if isinstance(done, Problem):
            acting.tell(done.text, good=False)
        else:
            acting.tell(words["block_freed"])
        await acting.refresh()

    with sheet.buttons:
        ui.button(words["back"], on_click=sheet.close).props(PLAIN)
    sheet.button(words["block_free"], free)


def _stretch(block: TimeBlock) -> str:
    """ "23/11 14:00 – 15:00", "24/12 – 26/12"."""
    last = block.end - timedelta(minutes=1)
    if block.days:
        return f"{block.start:%d/%m} – {last:%d/%m}" if len(block.days) > 1 else f"{block.start:%d/%m}"
    end = f"{block.end:%H:%M}" if block.start.date() == block.end.date() else f"{block.end:%d/%m %H:%M}"
    return f"{block.start:%d/%m %H:%M} – {end}"
