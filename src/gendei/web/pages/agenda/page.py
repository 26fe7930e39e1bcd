"""/agenda: days, weeks and months, of a professional or of everybody; every change goes through the bot's desk."""

import asyncio
import json
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime
from urllib.parse import urlencode

from nicegui import background_tasks, ui

from gendei.booking.appointment import Appointment
from gendei.clinic import Clinic
from gendei.clock import instant
from gendei.errors import NotFound, StoreError
from gendei.staff.actors import Right
from gendei.web.pages.acting import Problem
from gendei.web.pages.agenda.appointment import ask_move, show_appointment
from gendei.web.pages.agenda.bar import AgendaBar, BarActs
from gendei.web.pages.agenda.blocking import BlockSheet, show_block
from gendei.web.pages.agenda.board import AgendaBoard
from gendei.web.pages.agenda.booking import BookingSheet
from gendei.web.pages.agenda.calendars import CalendarSheet
from gendei.web.pages.agenda.geometry import USUAL_DAY, clock_text, nearest_day
from gendei.web.pages.agenda.gestures import BoardActs, Place
from gendei.web.pages.agenda.month_sheet import MonthSheet
from gendei.web.pages.agenda.sheet import AgendaActing, moment_of
from gendei.web.pages.agenda.showing import EVERYBODY, Period, Showing
from gendei.web.pages.agenda.slot_search import SlotSearch
from gendei.web.pages.agenda.team_week import TeamWeek
from gendei.web.pages.agenda.waiters import WaitingSheet
from gendei.web.pages.frame import asset, staff_page
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import names
from gendei.web.pages.signed_in import SignedOut, turn_out
from gendei.web.pages.site import PageContext

TEXTS = page_texts("agenda")

TICK_SECONDS = 30.0
ROUND_MINUTES = 30
MONTH_PAUSE = 2.0
"""Seconds in which the changes of a month are gathered, before its six weeks are read again."""


@staff_page("/agenda", title="agenda")
async def agenda(
    context: PageContext,
    day: str = "",
    view: str = Period.DAY,
    professional: str = "",
    appointment: str = "",
    contact: str = "",
) -> None:
    """`day`: an ISO date, or the nearest that there is; `view`: "day", "week" or "month"; `professional`: an id, or "*"
    for everybody; what is wrong falls back to today, by day, of the first.
    `appointment`: the id of one to open. `contact`: for whom to book."""
    ui.add_head_html(f'<link rel="stylesheet" href="{asset("agenda.css")}">')
    ui.add_head_html(f'<script defer src="{asset("agenda.js")}"></script>')
    if context.clinic is None:
        ui.label(TEXTS["no_clinic"]).classes("g-empty")
        return
    page = AgendaPage(context, context.clinic, _date(day), view, professional)
    await page.begin()
    await page.open(appointment)
    await page.book_for(contact)


class AgendaPage:
    """One open page: what it shows, and how it is led elsewhere."""

    def __init__(self, context: PageContext, clinic: Clinic, day: date | None, view: str, who: str) -> None:
        self._context, self._clinic = context, clinic
        self._client = ui.context.client
        self._drawing = asyncio.Lock()
        self._following: asyncio.Task[None] | None = None
        people = {EVERYBODY: ""} | names(clinic.professionals)
        first = next((professional.id for professional in clinic.professionals), "")
        with ui.element("div").classes("a-page"):
            layer = ui.element("div").classes("a-layer")
            self._acting = AgendaActing(context, clinic, layer, self.refresh)
            self._showing = Showing(
                Period(view) if view in set(Period) else Period.DAY,
                day or self._acting.now.date(),
                who if who in people else first,
            )
            self._bar = AgendaBar(clinic, self._bar_acts(), self._showing)
            self._offline = ui.label(TEXTS["not_live"]).classes("a-offline").props('role="status"')
            self._offline.set_visibility(False)
            with ui.element("div").classes("a-scroll"):
                self._draw_boards()

    def _bar_acts(self) -> BarActs:
        acting = self._acting
        tools = [
            ("find", "search", lambda: SlotSearch(acting, self._showing.day)),
            ("block", "block", lambda: BlockSheet(acting, self._beginning())),
        ]
        if self._clinic.waiting_list is not None:
            tools.append(("waiting", "hourglass_empty", self._waiting))
        if self._context.actor.may(Right.MANAGE):
            tools.append(("calendars", "event_repeat", self._calendars))
        return BarActs(self._show, self._step, self._go_today, self._go_to, self._new, self._undo, tuple(tools))

    def _draw_boards(self) -> None:
        agenda = self._acting.desk.agenda
        acts = BoardActs(
            open=self._open,
            show_block=lambda block: show_block(self._acting, block),
            create=self._create,
            move=self._move,
            resize=self._resize,
            open_day=self._open_day,
            undo=self._undo,
        )
        self._board, self._team = AgendaBoard(acts, agenda), TeamWeek(acts, agenda)
        self._month = MonthSheet(acts, agenda)

    @property
    def _shown_board(self) -> AgendaBoard | TeamWeek | MonthSheet:
        if self._showing.period is Period.MONTH:
            return self._month
        is_team = self._showing.period is Period.WEEK and self._showing.everybody
        return self._team if is_team else self._board

    async def begin(self) -> None:
        """Show the days asked for, and whatever changes in them from now on."""
        self._bar.show(self._showing)
        await self.refresh()
        self._follow_anew()
        self._client.on_delete(self._unfollow)
        ui.timer(TICK_SECONDS, lambda: self._board.tick(self._acting.now))
        ui.timer(0, self._remember, once=True)

    async def _remember(self) -> None:
        """Show it as this browser was told to the last time."""
        with suppress(TimeoutError):
            kept = await ui.run_javascript(f"gendeiAgenda.kept({self._clinic.id!r})")
            showing = self._showing.remembering(kept, self._clinic)
            if showing != self._showing:
                await self._show(showing)

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
            BookingSheet(self._acting, start, self._one).choose_patient(name, phone, writes_as)

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
            showing = self._showing
            whose = None if showing.everybody else showing.who
            actor = await self._acting.actor()
            view = await self._acting.desk.agenda.view(actor, *showing.days, professional_id=whose)
            shown = tuple(column for column in view.columns if showing.shows(column.professional_id))
            if showing.everybody and shown:
                view = replace(view, columns=shown)
            if not self._client.is_deleted:
                self._offline.set_visibility(False)
                with self._acting.layer:
                    for board in (self._board, self._team, self._month):
                        board.root.set_visibility(board is self._shown_board)
                    self._shown_board.show(view, showing)
                    self._bar.show_undo(self._acting.last.what if self._acting.last else "")

    def _follow_anew(self) -> None:
        self._unfollow()
        following = self._acting.follow(
            lambda actor: self._acting.desk.live.follow(actor, *self._showing.days), self._changed, self._show_offline
        )
        self._following = background_tasks.create(following, name="agenda page")

    async def _changed(self, _change: object) -> None:
        if self._showing.period is Period.MONTH:
            await asyncio.sleep(MONTH_PAUSE)
        await self._read()

    def _show_offline(self) -> None:
        self._offline.set_visibility(True)

    def _unfollow(self) -> None:
        if self._following:
            self._following.cancel()

    async def _show(self, showing: Showing) -> None:
        """Show something else, say so in the address, and let the browser remember how."""
        before, self._showing = self._showing, showing
        self._bar.show(showing)
        ui.navigate.history.replace(f"/agenda?{urlencode(showing.address)}")
        if showing.kept() != before.kept():
            ui.run_javascript(f"gendeiAgenda.keep({self._clinic.id!r}, {json.dumps(showing.kept())})")
        await self.refresh()
        if showing.days != before.days:
            self._follow_anew()

    async def _step(self, steps: int) -> None:
        await self._show(self._showing.stepped(steps))

    async def _go_today(self) -> None:
        await self._show(replace(self._showing, day=self._acting.now.date()))

    async def _go_to(self, text: str) -> None:
        chosen = _date(text)
        if chosen and chosen != self._showing.day:
            await self._show(replace(self._showing, day=chosen))

    async def _open_day(self, day: date, who: str) -> None:
        await self._show(replace(self._showing, period=Period.DAY, day=day, who=who or self._showing.who))

    @property
    def _one(self) -> str:
        """The professional whom a dialog begins with."""
        shown = [who.id for who in self._clinic.professionals if self._showing.shows(who.id)]
        return self._showing.who if self._showing.who != EVERYBODY else next(iter(shown), "")

    def _beginning(self) -> Place:
        """Return the start for a dialog that was not opened on the board: soon, or the usual begin of the day."""
        now = self._acting.now
        minute = USUAL_DAY[0]
        if self._showing.day == now.date():
            minute = min(-(-(now.hour * 60 + now.minute) // ROUND_MINUTES) * ROUND_MINUTES, 23 * 60)
        return Place(self._one, self._showing.day, minute)

    async def _new(self) -> None:
        await self._create(self._beginning())

    async def _create(self, place: Place) -> None:
        start = _start(self._clinic, place)
        if start:
            with self._acting.layer:
                BookingSheet(self._acting, start, place.professional_id, minutes=place.minutes)

    async def _open(self, appointment: Appointment) -> None:
        show_appointment(self._acting, appointment)

    async def _waiting(self) -> None:
        await WaitingSheet(self._acting).show()

    async def _calendars(self) -> None:
        await CalendarSheet(self._acting).show()

    async def _move(self, appointment_id: str, version: str, place: Place) -> None:
        start, found = _start(self._clinic, place), await self._found(appointment_id)
        if found and start and (instant(found.start), found.professional_id) != (instant(start), place.professional_id):
            ask_move(self._acting, found, start, place.professional_id, seen=version)

    async def _resize(self, appointment_id: str, version: str, minutes: int) -> None:
        found = await self._found(appointment_id)
        if found and found.minutes != minutes:
            ask_move(self._acting, found, minutes=minutes, seen=version)

    async def _found(self, appointment_id: str) -> Appointment | None:
        """None where it is there no more, which is said."""
        found = await self._acting.attempt(lambda actor: self._acting.desk.agenda.appointment(actor, appointment_id))
        if isinstance(found, Problem):
            self._acting.tell(found.text, good=False)
            return None
        return found

    async def _undo(self) -> None:
        """Take back the last change that was made on this page, once."""
        last, self._acting.last = self._acting.last, None
        if last is None:
            return
        done = await last.run(self._acting)
        if isinstance(done, Problem):
            self._acting.tell(done.text, good=False)
        else:
            self._acting.tell(TEXTS["undone"])
        await self.refresh()


def _start(clinic: Clinic, place: Place) -> datetime | None:
    return moment_of(clinic, place.day.isoformat(), clock_text(place.minute))


def _date(text: str) -> date | None:
    """The day of an ISO date, or the nearest that can be shown; None for what is no date."""
    try:
        return nearest_day(date.fromisoformat(text))
    except ValueError:
        return None
