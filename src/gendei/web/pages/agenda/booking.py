"""Booking on a sheet: service, professional, time, and who comes."""

from collections.abc import Iterable
from datetime import date, datetime
from functools import partial

from nicegui import ui

from gendei.booking.slots import DaySearch, Slot
from gendei.clinic import Contact
from gendei.commands.appointments import BOOK_APPOINTMENT, BookAppointment
from gendei.staff.agenda.agenda import Change
from gendei.web.pages.acting import Problem
from gendei.web.pages.agenda.geometry import day_name, day_of
from gendei.web.pages.agenda.sheet import FIELD, AgendaActing, AgendaSheet, MomentFields, chip, found_row, hour_text
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import names

TEXTS = page_texts("agenda")

FOUND = 6
SEARCHED_FROM = 2
"""Letters that a search takes."""
TYPING_SECONDS = 0.25


class BookingSheet:
    """Asks for service, professional, time and patient; fills in what is known."""

    def __init__(
        self, acting: AgendaActing, start: datetime, professional_id: str | None = None, service_id: str | None = None
    ) -> None:
        self._acting = acting
        self._contact: Contact | None = None
        self._chosen: tuple[str, str] | None = None
        self._sheet = AgendaSheet(acting, TEXTS["new_title"])
        with self._sheet.body:
            self._what(start, professional_id, service_id)
            self._whom()
        self._sheet.leave_button(TEXTS["back"])
        self._sheet.button(TEXTS["book"], self._book)

    def _what(self, start: datetime, professional_id: str | None, service_id: str | None) -> None:
        clinic = self._acting.clinic
        whose = clinic.professional(professional_id or "")
        services = {
            service.id: service.name for service in clinic.services if whose is None or service.id in whose.service_ids
        }
        if service_id is None and services:
            service_id = next(iter(services))
        self._service = ui.select(services, label=TEXTS["service"], value=service_id, on_change=self._service_changed)
        self._service.props(FIELD)
        self._who = ui.select({}, label=TEXTS["who"], on_change=self._show_free).props(FIELD)
        self._offer(professional_id)
        with ui.element("div").classes("a-row"):
            self._start = MomentFields(clinic, start, lambda: None)
        self._start.date.on_value_change(self._show_free)
        self._free = ui.element("div").classes("a-free-slots")
        ui.timer(0, self._show_free, once=True)

    def _whom(self) -> None:
        self._name = ui.input(TEXTS["patient_name"], on_change=self._typed)
        self._name.props(
            f'{FIELD} maxlength="80" autocomplete="off" dir="auto" debounce="{int(TYPING_SECONDS * 1000)}"'
        )
        self._name.props["hint"] = TEXTS["patient_hint"]
        self._found = ui.element("div").classes("a-found")
        self._phone = ui.input(TEXTS["phone"], on_change=self._phone_changed)
        self._phone.props(f'{FIELD} type="tel" maxlength="40" autocomplete="off"')
        self._notify = ui.checkbox(TEXTS["notify"])

    def _offer(self, professional_id: str | None) -> None:
        """Those who do the service; `professional_id` chosen where they do."""
        offered = {
            professional.id: professional.name
            for professional in self._acting.clinic.professionals_for(str(self._service.value))
        }
        kept = professional_id if professional_id in offered else next(iter(offered), None)
        self._who.set_options(offered, value=kept)

    async def _service_changed(self) -> None:
        before = self._who.value
        self._offer(before)
        if self._who.value == before:
            await self._show_free()

    async def _show_free(self) -> None:
        """The free slots of the day, as the bot has them."""
        day = day_of(self._start.date.value)
        if day is None:
            return
        service, who = str(self._service.value), str(self._who.value)
        agenda = self._acting.desk.agenda
        found = await self._acting.attempt(lambda actor: agenda.slots(actor, service, day, professional_id=who))
        if not self._sheet.is_open or (service, who) != (self._service.value, self._who.value):
            return
        self._free.clear()
        slots = () if isinstance(found, Problem) else found[0].slots
        with self._free:
            ui.label(TEXTS["free_that_day" if slots else "none_that_day"]).classes("g-soft g-small")
            with ui.element("div").classes("a-chips"):
                for slot in slots:
                    chip(hour_text(slot.start), partial(self._choose_slot, slot))

    def _choose_slot(self, slot: Slot) -> None:
        self._start.set(slot.start)
        self._who.value = slot.professional_id
        self._sheet.say("")

    async def _typed(self) -> None:
        text = str(self._name.value or "").strip()
        if self._chosen and text == self._chosen[0].strip():
            return
        self._chosen = None
        search = self._acting.patients.search
        rows = [] if len(text) < SEARCHED_FROM else await self._acting.attempt(lambda actor: search(actor, text, FOUND))
        if not self._sheet.is_open or text != str(self._name.value or "").strip():
            return
        self._found.clear()
        if isinstance(rows, Problem) or not rows:
            return
        with self._found:
            ui.label(TEXTS["found"]).classes("g-soft g-small")
            for row in rows:
                choose = partial(self.choose_patient, row.name, row.phone, row.contact)
                found_row(row.name, row.phone or row.contact, choose)

    def choose_patient(self, name: str, phone: str | None, contact: Contact) -> None:
        """Fill in who comes: somebody known already."""
        self._chosen = name, phone or ""
        self._name.value, self._phone.value = self._chosen
        self._contact = contact
        self._found.clear()

    def _phone_changed(self) -> None:
        if self._chosen is None or self._phone.value != self._chosen[1]:
            self._contact = None

    async def _book(self) -> None:
        start = self._start.moment
        missing = {
            "choose_service": not self._service.value,
            "choose_professional": not self._who.value,
            "bad_date": start is None,
        }
        problem = next((key for key, holds in missing.items() if holds), None)
        if problem or start is None:
            self._sheet.say(TEXTS[problem or "bad_date"])
            return
        done = await self._acting.do(
            BOOK_APPOINTMENT,
            BookAppointment(
                service_id=str(self._service.value),
                professional_id=str(self._who.value),
                start=start,
                patient_name=str(self._name.value or ""),
                phone=str(self._phone.value or "") or None,
                contact=self._contact,
                notify=bool(self._notify.value),
            ),
        )
        if isinstance(done, Change):
            patient, when = done.appointment.patient_name, self._acting.spoken(done.appointment.start)
            await self._sheet.done(TEXTS("booked", patient=patient, when=when), done.notice)
        else:
            self._sheet.tell(done, self._choose_slot)


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
        with ui.element("div").classes("a-chips"):
            for slot in slots:
                found = chip(hour_text(slot.start), partial(book, slot))
                label = TEXTS("slot_label", time=hour_text(slot.start), professional=name)
                found.props["aria-label"] = label


def _by_professional(slots: Iterable[Slot]) -> list[tuple[str, list[Slot]]]:
    """The slots of each professional, in order of who is free first."""
    found: dict[str, list[Slot]] = {}
    for slot in slots:
        found.setdefault(slot.professional_id, []).append(slot)
    return list(found.items())
