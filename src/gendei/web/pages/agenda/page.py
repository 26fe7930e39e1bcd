"""/agenda: day by professional, and week of one of them; every change goes through the same desk as the bot's."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from datetime import date, datetime, timedelta
from urllib.parse import urlencode

from nicegui import background_tasks, ui

from gendei.booking.appointment import Appointment
from gendei.booking.dates.rendering import WEEKDAY_NAMES
from gendei.clinic import Clinic
from gendei.clock import instant
from gendei.errors import NotFound, StoreError
from gendei.staff.actors import Right
from gendei.web.pages.acting import Problem
from gendei.web.pages.agenda.appointment import ask_move, show_appointment
from gendei.web.pages.agenda.blocking import BlockSheet, show_block
from gendei.web.pages.agenda.board import AgendaBoard, BoardActs, Look, Place
from gendei.web.pages.agenda.booking import BookingSheet
from gendei.web.pages.agenda.calendars import CalendarSheet
from gendei.web.pages.agenda.geometry import USUAL_DAY, clock_text, nearest_day
from gendei.web.pages.agenda.sheet import FIELD, AgendaActing, moment_of
from gendei.web.pages.agenda.slot_search import SlotSearch
from gendei.web.pages.frame import asset, staff_page
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import names
from gendei.web.pages.signed_in import SignedOut, turn_out
from gendei.web.pages.site import PageContext

TEXTS = page_texts("agenda")

WEEK, DAY = "week", "day"
TICK_SECONDS = 30.0
ROUND_MINUTES = 30


@staff_page("/agenda", title="agenda")
async def agenda(
    context: PageContext,
    day: str = "",
    view: str = DAY,
    professional: str = "",
    appointment: str = "",
    contact: str = "",
) -> None:
    """`day`: an ISO date, or the nearest that there is; `view`: "day" or "week"; what is wrong falls back to today, by
    day, of the first.
    `appointment`: the id of one to open. `contact`: for whom to book."""
    ui.add_head_html(f'<link rel="stylesheet" href="{asset("agenda.css")}">')
    ui.add_head_html(f'<script defer src="{asset("agenda.js")}"></script>')
    if context.clinic is None:
        ui.label(TEXTS["no_clinic"]).classes("g-empty")
        return
    page = AgendaPage(context, context.clinic, _date(day), week=view == WEEK, professional_id=professional)
    await page.begin()
    await page.open(appointment)
    await page.book_for(contact)


class AgendaPage:
    """One open page: what it shows, and how it is led elsewhere."""

    def __init__(
        self, context: PageContext, clinic: Clinic, day: date | None, *, week: bool, professional_id: str
    ) -> None:
        self._context, self._clinic = context, clinic
        self._client = ui.context.client
        self._drawing = asyncio.Lock()
        self._following: asyncio.Task[None] | None = None
        self._week, self._cancelled = week, False
        people = names(clinic.professionals)
        self._who = professional_id if professional_id in people else next(iter(people), "")
        with ui.element("div").classes("a-page"):
            layer = ui.element("div").classes("a-layer")
            self._acting = AgendaActing(context, clinic, layer, self.refresh)
            self._day = day or self._acting.now.date()
            self._bar = ui.element("div").classes("a-bar")
            self._offline = ui.label(TEXTS["not_live"]).classes("a-offline").props('role="status"')
            self._offline.set_visibility(False)
            with ui.element("div").classes("a-scroll"):
                acts = BoardActs(self._open, lambda block: show_block(self._acting, block), self._create, self._move)
                self._board = AgendaBoard(acts, self._acting.desk.agenda)
        with self._bar:
            self._navigation()
            self._tools(people)

    async def begin(self) -> None:
        """Show the days asked for, and whatever changes in them from now on."""
        self._name_days()
        await self.refresh()
        self._follow_anew()
        self._client.on_delete(self._unfollow)
        ui.timer(TICK_SECONDS, lambda: self._board.tick(self._acting.now))

    async def open(self, appointment_id: str) -> None:
        """Show one appointment; nothing where the clinic has none of this id."""
        if appointment_id and "/" not in appointment_id:
            with suppress(NotFound, StoreError), self._acting.layer:
                show_appointment(
                    self._acting, await self._acting.desk.agenda.appointment(self._context.actor, appointment_id)
                )

    async def book_for(self, contact: str) -> None:
        """Ask for a booking of who writes as `contact`; nothing where nobody who wrote or is a patient does."""
        start, actor = _start(self._clinic, self._beginning()), self._context.actor
        if not contact or start is None:
            return
        with suppress(NotFound, StoreError), self._acting.layer:
            found = await self._acting.patients.of_contact(actor, contact)
            if found:
                name, phone, writes_as = found[0].name, found[0].phone, found[0].contact
            else:
                row = (await self._context.gendei.front_desk.views.view(actor, contact, limit=1)).row
                name, phone, writes_as = row.name or "", row.phone, row.contact
            BookingSheet(self._acting, start, self._who).choose_patient(name, phone, writes_as)

    async def refresh(self) -> None:
        """Read the days again, and draw what is another now; where the store does not answer, say so."""
        try:
            await self._read()
        except StoreError:
            self._show_offline()
        except SignedOut:
            turn_out(self._client)

    async def _read(self) -> None:
        """Raises StoreError and SignedOut."""
        async with self._drawing:
            whose = self._who if self._week else None
            first, days = self._days()
            actor = await self._acting.actor()
            view = await self._acting.desk.agenda.view(actor, first, days, professional_id=whose)
            if not self._client.is_deleted:
                self._offline.set_visibility(False)
                with self._acting.layer:
                    self._board.show(view, Look(self._week, self._who, self._cancelled))

    def _follow_anew(self) -> None:
        self._unfollow()
        following = self._acting.follow(
            lambda actor: self._acting.desk.live.follow(actor, *self._days()), self._changed, self._show_offline
        )
        self._following = background_tasks.create(following, name="agenda page")

    async def _changed(self, _change: object) -> None:
        await self._read()

    def _show_offline(self) -> None:
        self._offline.set_visibility(True)

    def _unfollow(self) -> None:
        if self._following:
            self._following.cancel()

    def _days(self) -> tuple[date, int]:
        if self._week:
            return self._day - timedelta(days=self._day.weekday()), 7
        return self._day, 1

    def _navigation(self) -> None:
        with ui.element("div").classes("a-navigation"):
            self._back = ui.button(icon="chevron_left", on_click=lambda: self._go(-1)).props("flat round dense")
            self._forward = ui.button(icon="chevron_right", on_click=lambda: self._go(1)).props("flat round dense")
            ui.button(TEXTS["today"], on_click=self._go_today).props("outline dense no-caps").classes("a-today-button")
            with ui.button(icon="event").props(f'flat round dense aria-label="{TEXTS["date"]}"'), ui.menu() as menu:
                self._date = ui.date(self._day.isoformat(), on_change=self._go_date).props("minimal")
            self._date.on_value_change(menu.close)
            self._title = ui.label().classes("a-title").props('role="heading" aria-level="1"')

    def _tools(self, people: dict[str, str]) -> None:
        acting = self._acting
        toggle = ui.toggle({DAY: TEXTS["day"], WEEK: TEXTS["week"]}, value=WEEK if self._week else DAY)
        toggle.props("no-caps unelevated dense").classes("a-toggle").on_value_change(
            lambda event: self._set_week(is_week=event.value == WEEK)
        )
        self._people = ui.select(people, value=self._who or None, on_change=lambda event: self._set_who(event.value))
        self._people.props(f'{FIELD} options-dense aria-label="{TEXTS["who"]}"')
        with ui.element("div").classes("a-tools"):
            self._tool("find", "search", lambda: SlotSearch(acting, self._day))
            self._tool("block", "block", lambda: BlockSheet(acting, self._beginning()))
            if self._context.actor.may(Right.MANAGE):
                self._tool("calendars", "event_repeat", self._calendars)
            self._eye = ui.button(icon="visibility_off", on_click=self._toggle_cancelled).props("flat round dense")
            self._name_eye()
        new = ui.button(TEXTS["new"], icon="add", on_click=self._new).props("unelevated no-caps dense")
        new.classes("a-new")

    def _tool(self, key: str, icon: str, act: Callable[[], object]) -> None:
        """Named also where there is room for the icon alone."""
        tool = ui.button(TEXTS[key], icon=icon, on_click=act)
        tool.props(f'flat dense no-caps aria-label="{TEXTS[key]}"')

    def _name_days(self) -> None:
        """Bring the bar up to date with what is shown, and the address with both."""
        first, days = self._days()
        last = first + timedelta(days=days - 1)
        self._title.text = f"{first:%d/%m} – {last:%d/%m}" if self._week else day_title(self._day)
        self._date.value = self._day.isoformat()
        self._people.classes(**{"remove" if self._week else "add": "a-only-narrow"})
        self._back.props["aria-label"] = TEXTS["previous_week" if self._week else "previous_day"]
        self._forward.props["aria-label"] = TEXTS["next_week" if self._week else "next_day"]

    def _name_eye(self) -> None:
        text = TEXTS["hide_cancelled" if self._cancelled else "show_cancelled"]
        self._eye.props["aria-label"] = text
        self._eye.props["title"] = text
        self._eye.props["icon"] = "visibility" if self._cancelled else "visibility_off"

    async def _shown_elsewhere(self) -> None:
        self._name_days()
        asked = {"day": self._day.isoformat(), "view": WEEK if self._week else DAY, "professional": self._who}
        ui.navigate.history.replace(f"/agenda?{urlencode(asked)}")
        await self.refresh()
        self._follow_anew()

    async def _go(self, steps: int) -> None:
        self._day = nearest_day(self._day + timedelta(days=steps * self._days()[1]))
        await self._shown_elsewhere()

    async def _go_today(self) -> None:
        self._day = self._acting.now.date()
        await self._shown_elsewhere()

    async def _go_date(self) -> None:
        chosen = _date(str(self._date.value or ""))
        if chosen and chosen != self._day:
            self._day = chosen
            await self._shown_elsewhere()

    async def _set_week(self, *, is_week: bool) -> None:
        self._week = is_week
        await self._shown_elsewhere()

    async def _set_who(self, professional_id: str) -> None:
        self._who = professional_id
        await self._shown_elsewhere()

    async def _toggle_cancelled(self) -> None:
        self._cancelled = not self._cancelled
        self._name_eye()
        await self.refresh()

    def _beginning(self) -> Place:
        """Return the start for a dialog that was not opened on the board: soon, or the usual begin of the day."""
        now = self._acting.now
        minute = USUAL_DAY[0]
        if self._day == now.date():
            minute = min(-(-(now.hour * 60 + now.minute) // ROUND_MINUTES) * ROUND_MINUTES, 23 * 60)
        return Place(self._who, self._day, minute)

    async def _new(self) -> None:
        await self._create(self._beginning())

    async def _create(self, place: Place) -> None:
        start = _start(self._clinic, place)
        if start:
            BookingSheet(self._acting, start, place.professional_id)

    async def _open(self, appointment: Appointment) -> None:
        show_appointment(self._acting, appointment)

    async def _calendars(self) -> None:
        await CalendarSheet(self._acting).show()

    async def _move(self, appointment_id: str, version: str, place: Place) -> None:
        start = _start(self._clinic, place)
        found = await self._acting.attempt(lambda actor: self._acting.desk.agenda.appointment(actor, appointment_id))
        if isinstance(found, Problem):
            self._acting.tell(found.text, good=False)
        elif start and (instant(found.start), found.professional_id) != (instant(start), place.professional_id):
            ask_move(self._acting, found, start, place.professional_id, seen=version)


def day_title(day: date) -> str:
    """ "segunda-feira, 23/11"."""
    return f"{WEEKDAY_NAMES[day.weekday()]}, {day:%d/%m}"


def _start(clinic: Clinic, place: Place) -> datetime | None:
    return moment_of(clinic, place.day.isoformat(), clock_text(place.minute))


def _date(text: str) -> date | None:
    """The day of an ISO date, or the nearest that can be shown; None for what is no date."""
    try:
        return nearest_day(date.fromisoformat(text))
    except ValueError:
        return None
