"""Booking on a sheet: service, professional, time, and who comes."""

from datetime import datetime
from functools import partial

from nicegui import ui

from gendei.booking.slots import Slot
from gendei.clinic import Contact
from gendei.commands.appointments import BOOK_APPOINTMENT, MAX_NOTE, BookAppointment
from gendei.staff.agenda.agenda import Change
from gendei.staff.patient_rows import PatientRow
from gendei.web.pages.acting import Problem
from gendei.web.pages.agenda.geometry import day_of
from gendei.web.pages.agenda.personal_fields import PersonalFields
from gendei.web.pages.agenda.plan_field import PlanField
from gendei.web.pages.agenda.sheet import (
    FIELD,
    AgendaActing,
    AgendaSheet,
    Chips,
    MinutesField,
    MomentFields,
    found_row,
    hour_text,
)
from gendei.web.pages.agenda.undo import undo_booking
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.phones import address_text

TEXTS = page_texts("agenda")

FOUND = 6
SEARCHED_FROM = 2
"""Letters that a search takes."""
TYPING_SECONDS = 0.25


class BookingSheet:
    """Asks for service, professional, time and patient; fills in what is known. minutes: how long it shall take, where
    that is not the service's duration."""

    def __init__(
        self,
        acting: AgendaActing,
        start: datetime,
        professional_id: str | None = None,
        service_id: str | None = None,
        minutes: int | None = None,
    ) -> None:
        self._acting = acting
        self._contact: Contact | None = None
        self._chosen: tuple[str, str] | None = None
        self._sheet = AgendaSheet(acting, TEXTS["new_title"])
        with self._sheet.body:
            self._what(start, professional_id, service_id, minutes)
            self._whom()
        self._ask_before_closing()
        self._sheet.leave_button(TEXTS["back"])
        self._sheet.button(TEXTS["book"], self._book)

    def _what(self, start: datetime, professional_id: str | None, service_id: str | None, minutes: int | None) -> None:
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
            self._minutes = MinutesField(clinic, service_id, minutes)
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
        self._plan = PlanField(self._acting.clinic)
        self._plan.follow(str(self._service.value), str(self._who.value))
        self._personal = PersonalFields(self._acting.kept, self._acting.now.date())
        self._note = ui.textarea(TEXTS["note"]).props(f'{FIELD} autogrow rows="1" maxlength="{MAX_NOTE}" dir="auto"')
        self._notify = ui.checkbox(TEXTS["notify"])

    def _ask_before_closing(self) -> None:
        self._sheet.ask_before_closing(self._name, self._phone, self._note, *self._personal.all)

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
        self._minutes.follow(str(self._service.value))
        self._offer(before)
        if self._who.value == before:
            await self._show_free()

    async def _show_free(self) -> None:
        """The free slots of the day, as the bot has them, and the plans that are taken."""
        self._plan.follow(str(self._service.value), str(self._who.value))
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
            with Chips(TEXTS["free_that_day"]) as row:
                for slot in slots:
                    row.chip(hour_text(slot.start), partial(self._choose_slot, slot))

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
                found_row(row.name, address_text(row.phone or row.contact), partial(self._choose_patient, row))

    async def _choose_patient(self, row: PatientRow) -> None:
        """Somebody known already, with what the clinic keeps of them."""
        self._fill_in(row.name, row.phone, row.contact)
        self._plan.choose(row.plan)
        if self._personal.all:
            known = await self._acting.attempt(lambda actor: self._acting.patients.personal_data(actor, row.id))
            if not isinstance(known, Problem) and self._sheet.is_open:
                self._personal.show(known)

    def choose_patient(self, name: str, phone: str | None, contact: Contact, plan: str = "") -> None:
        """Fill in who comes, before anybody writes: nothing is lost yet by closing."""
        self._fill_in(name, phone, contact)
        self._plan.choose(plan)
        self._ask_before_closing()

    def _fill_in(self, name: str, phone: str | None, contact: Contact) -> None:
        self._chosen = name, address_text(phone) if phone else ""
        self._name.value, self._phone.value = self._chosen
        self._contact = contact
        self._found.clear()

    def _phone_changed(self) -> None:
        if self._chosen is None or self._phone.value != self._chosen[1]:
            self._contact = None

    def _given(self, start: datetime, *, override: bool) -> BookAppointment:
        known = self._personal.within()
        return BookAppointment(
            service_id=str(self._service.value),
            professional_id=str(self._who.value),
            start=start,
            patient_name=str(self._name.value or ""),
            phone=str(self._phone.value or "") or None,
            contact=self._contact,
            notify=bool(self._notify.value),
            note=str(self._note.value or ""),
            minutes=self._minutes.own,
            override=override,
            birth_date=known.birth_date,
            cpf=known.cpf,
            plan=self._plan.plan,
            plan_card=known.plan_card,
        )

    async def _book(self, *, override: bool = False) -> None:
        start = self._start.moment
        there = self._sheet.has_all(
            ("service", self._service, bool(self._service.value)),
            ("who", self._who, bool(self._who.value)),
            ("date", self._start.date, bool(self._start.date.value)),
            ("start_time", self._start.time, bool(self._start.time.value)),
            ("minutes", self._minutes.field, self._minutes.is_right),
            ("patient_name", self._name, bool(str(self._name.value or "").strip())),
            ("phone", self._phone, bool(self._phone.value or self._contact)),
        )
        if not there:
            return
        if start is None:
            self._sheet.say(TEXTS["bad_date"])
            return
        begun = self._acting.now
        done = await self._acting.do(BOOK_APPOINTMENT, self._given(start, override=override))
        if isinstance(done, Change):
            patient, when = done.appointment.patient_name, self._acting.spoken(done.appointment.start)
            is_new = done.appointment.created_at >= begun
            undo = undo_booking(done) if is_new else None
            await self._sheet.done(TEXTS("booked", patient=patient, when=when), done.notice, undo)
        else:
            self._sheet.tell(done, self._choose_slot, partial(self._book, override=True))
