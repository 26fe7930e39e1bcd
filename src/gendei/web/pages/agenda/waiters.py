"""The waiting list over the agenda: who waits, somebody more, and somebody who waits no more."""

from nicegui import ui

from gendei.booking.dates import describe
from gendei.commands.waiting_list import (
    ADD_TO_WAITING_LIST,
    REMOVE_FROM_WAITING_LIST,
    AddToWaitingList,
    RemoveFromWaitingList,
)
from gendei.waiting.entry import WaitingEntry, WaitingWish
from gendei.web.pages.acting import Problem
from gendei.web.pages.agenda.geometry import day_of
from gendei.web.pages.agenda.sheet import FIELD, AgendaActing, AgendaSheet
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import names
from gendei.web.pages.sheets import PLAIN

TEXTS = page_texts("agenda")
ANYBODY = ""
"""The value of a select that means no matter who."""
PARTS = ("any", "morning", "afternoon", "evening")


class WaitingSheet:
    """`show` fills it."""

    def __init__(self, acting: AgendaActing) -> None:
        self._acting = acting
        self._sheet = AgendaSheet(acting, TEXTS["waiting_title"])
        with self._sheet.body:
            ui.label(TEXTS["waiting_hint"]).classes("g-soft g-small")
            self._list = ui.element("div").classes("a-results")
            with (
                ui.expansion(TEXTS["waiting_add_title"], icon="person_add")
                .props("dense")
                .classes("a-history a-waiting")
            ):
                self._fields()
        self._sheet.leave_button(TEXTS["back"])
        self._sheet.button(TEXTS["waiting_add"], self._add)

    def _fields(self) -> None:
        clinic = self._acting.clinic
        dated = f'{FIELD} stack-label type="date"'
        self._name = ui.input(TEXTS["patient"]).props(f'{FIELD} dir="auto"')
        self._phone = ui.input(TEXTS["phone"]).props(f'{FIELD} type="tel"')
        services = names(clinic.services)
        self._service = ui.select(services, label=TEXTS["service"], value=next(iter(services))).props(FIELD)
        people = {ANYBODY: TEXTS["waiting_anybody"]} | names(clinic.professionals)
        self._who = ui.select(people, label=TEXTS["who"], value=ANYBODY).props(FIELD)
        with ui.element("div").classes("a-row"):
            self._first = ui.input(TEXTS["waiting_first"]).props(dated).classes("a-half")
            self._last = ui.input(TEXTS["waiting_last"]).props(dated).classes("a-half")
        parts = {part: TEXTS[f"waiting_{part}"] for part in PARTS}
        self._part = ui.select(parts, label=TEXTS["waiting_part"], value=PARTS[0]).props(FIELD)

    async def show(self) -> None:
        """Who waits now."""
        found = await self._acting.attempt(self._acting.desk.waiting.list)
        if isinstance(found, Problem):
            self._sheet.tell(found)
            return
        if not self._sheet.is_open:
            return
        self._list.clear()
        with self._list:
            if not found:
                ui.label(TEXTS["waiting_nobody"]).classes("g-soft")
            for entry in found:
                self._row(entry)

    def _row(self, entry: WaitingEntry) -> None:
        service = self._acting.clinic.service(entry.wish.service_id)
        since = f"{self._acting.clinic.local(entry.created_at):%d/%m %H:%M}"
        title = f"{entry.patient_name} · {service.name if service else entry.wish.service_id}"
        with ui.element("div").classes("a-feed"):
            with ui.element("div"):
                ui.label(title).props('dir="auto"')
                ui.label(self._spoken(entry.wish)).classes("g-soft g-small")
                if entry.appointment_id:
                    ui.label(TEXTS["waiting_earlier"]).classes("g-soft g-small")
                if entry.offer is not None and entry.offer.until > self._acting.now:
                    until = f"{self._acting.clinic.local(entry.offer.until):%H:%M}"
                    ui.label(TEXTS("waiting_offered", until=until)).classes("g-small")
                ui.label(TEXTS("waiting_since", at=since, by=entry.contact)).classes("g-soft g-small")
            leave = ui.button(TEXTS["waiting_remove"], on_click=lambda: self._remove(entry))
            leave.props(f"{PLAIN} color=negative")
            leave.props["aria-label"] = f"{TEXTS['waiting_remove']}: {entry.patient_name}"

    def _spoken(self, wish: WaitingWish) -> str:
        """With whom, and until when."""
        who = self._acting.professional_name(wish.professional_id) if wish.professional_id else TEXTS["waiting_anybody"]
        last = describe(wish.last, self._acting.now)
        if wish.first > self._acting.now.date():
            return f"{who} · {describe(wish.first, self._acting.now)} – {last}"
        return TEXTS("waiting_until", professional=who, day=last)

    async def _add(self) -> None:
        needed = (
            ("patient", self._name, bool(str(self._name.value or "").strip())),
            ("phone", self._phone, bool(str(self._phone.value or "").strip())),
        )
        if not self._sheet.has_all(*needed):
            return
        given = AddToWaitingList(
            service_id=str(self._service.value),
            patient_name=str(self._name.value).strip(),
            phone=str(self._phone.value).strip(),
            professional_id=str(self._who.value) or None,
            first_day=day_of(self._first.value),
            last_day=day_of(self._last.value),
            part_of_day=self._part.value or "any",
        )
        done = await self._acting.do(ADD_TO_WAITING_LIST, given)
        if isinstance(done, Problem):
            self._sheet.tell(done)
            return
        self._sheet.say("")
        self._name.value = self._phone.value = ""
        self._acting.tell(TEXTS["waiting_added"])
        await self.show()

    async def _remove(self, entry: WaitingEntry) -> None:
        done = await self._acting.do(REMOVE_FROM_WAITING_LIST, RemoveFromWaitingList(entry_id=entry.id))
        if isinstance(done, Problem):
            self._sheet.tell(done)
        else:
            self._acting.tell(TEXTS["waiting_removed"])
        await self.show()
