"""The national holidays of the coming year, each taken over into the closed days by one tap."""

from datetime import date
from functools import partial

from nicegui import ui

from gendei.booking.dates.calendar import OPTIONAL_HOLIDAYS, coming_holidays
from gendei.web.pages.clinic_settings.form import LeafEditor
from gendei.web.pages.clinic_settings.kinds import Kind, said, typed
from gendei.web.pages.clinic_settings.words import TEXTS
from gendei.web.pages.panels import button, entry, panel, tag

WEEKDAYS = ("seg", "ter", "qua", "qui", "sex", "sáb", "dom")


class Holidays:
    """Stands below the form, and writes into its field of closed days."""

    def __init__(self, closed: LeafEditor, today: date, *, may_change: bool) -> None:
        self._closed, self._today, self._may_change = closed, today, may_change
        with panel(TEXTS["holidays"], TEXTS["holidays_hint"]):
            self._list = ui.element("div").classes("o-list")
        closed.element.on_value_change(self._show)
        self._show()

    def _show(self) -> None:
        taken = set(said(Kind.DAYS, self._closed.element.value) or ())
        self._list.clear()
        with self._list:
            for name, day in coming_holidays(self._today):
                title = TEXTS[f"feast_{name.replace(' ', '_')}"]
                soft = TEXTS["optional_holiday"] if name in OPTIONAL_HOLIDAYS else ""
                with entry(title, f"{WEEKDAYS[day.weekday()]}, {day:%d/%m/%Y}", soft):
                    if day.isoformat() in taken:
                        tag(TEXTS["is_closed"], "good")
                    elif self._may_change:
                        button(
                            TEXTS["close_that_day"],
                            partial(self._take, day),
                            label=f"{TEXTS['close_that_day']}: {title}",
                        )

    async def _take(self, day: date) -> None:
        taken = {*(said(Kind.DAYS, self._closed.element.value) or ()), day.isoformat()}
        self._closed.element.set_value(typed(Kind.DAYS, sorted(taken)))
