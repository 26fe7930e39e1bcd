"""Free slots over several days, on a sheet."""

from collections.abc import Iterable
from datetime import date
from functools import partial

from nicegui import ui

from gendei.booking.slots import DaySearch, Slot
from gendei.web.pages.acting import Problem
from gendei.web.pages.agenda.booking import BookingSheet
from gendei.web.pages.agenda.geometry import day_name, day_of
from gendei.web.pages.agenda.sheet import FIELD, AgendaActing, AgendaSheet, Chips, hour_text
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import names

TEXTS = page_texts("agenda")

SPANS = (7, 14, 30)
ANYONE = ""


class SlotSearch:
    """A sheet that finds free slots from a day on; one that is chosen is booked on the next sheet."""

    def __init__(self, acting: AgendaActing, first: date) -> None:
        self._acting = acting
        clinic = acting.clinic
        self._sheet = AgendaSheet(acting, TEXTS["find_title"])
        services = names(clinic.services)
        people = {ANYONE: TEXTS["anyone"]} | names(clinic.professionals)
        spans = {days: TEXTS("find_days_count", days=days) for days in SPANS}
        with self._sheet.body:
            self._service = ui.select(services, label=TEXTS["service"], value=next(iter(services), None)).props(FIELD)
            self._who = ui.select(people, label=TEXTS["who"], value=ANYONE).props(FIELD)
            with ui.element("div").classes("a-row"):
                self._first = ui.input(TEXTS["find_first"], value=first.isoformat())
                self._first.props(f'{FIELD} stack-label type="date"').classes("a-half")
                self._days = ui.select(spans, label=TEXTS["find_days"], value=SPANS[0]).props(FIELD).classes("a-half")
            self._results = ui.element("div").classes("a-results").props('aria-live="polite"')
        self._sheet.button(TEXTS["find_search"], self._search)

    async def _search(self) -> None:
        first = day_of(self._first.value)
        if first is None:
            self._sheet.say(TEXTS["bad_date"])
            return
        service, who, days = str(self._service.value), str(self._who.value) or None, int(self._days.value or SPANS[0])
        agenda = self._acting.desk.agenda
        found = await self._acting.attempt(lambda actor: agenda.slots(actor, service, first, days, professional_id=who))
        if isinstance(found, Problem):
            self._sheet.tell(found)
        elif self._sheet.is_open:
            self._sheet.say("")
            self._show(found, service)

    def _show(self, found: list[DaySearch], service_id: str) -> None:
        self._results.clear()
        with self._results:
            if not any(day.slots for day in found):
                ui.label(TEXTS["find_none"])
            for day in found:
                with ui.element("div").classes("a-result"):
                    ui.label(day_name(day.day)).classes("a-result-day")
                    with ui.element("div"):
                        if not day.slots:
                            ui.label(TEXTS.get(f"no_{day.reason}", "")).classes("g-soft g-small")
                        for professional_id, slots in _by_professional(day.slots):
                            self._chips(professional_id, slots, service_id)

    def _chips(self, professional_id: str, slots: list[Slot], service_id: str) -> None:
        def book(slot: Slot) -> None:
            self._sheet.close()
            BookingSheet(self._acting, slot.start, professional_id, service_id)

        name = self._acting.professional_name(professional_id)
        ui.label(name).classes("g-soft g-small")
        with Chips(name) as row:
            for slot in slots:
                found = row.chip(hour_text(slot.start), partial(book, slot))
                label = TEXTS("slot_label", time=hour_text(slot.start), professional=name)
                found.props["aria-label"] = label


def _by_professional(slots: Iterable[Slot]) -> list[tuple[str, list[Slot]]]:
    """The slots of each professional, in order of who is free first."""
    found: dict[str, list[Slot]] = {}
    for slot in slots:
        found.setdefault(slot.professional_id, []).append(slot)
    return list(found.items())
