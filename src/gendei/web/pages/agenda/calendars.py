"""The calendar feeds of professionals, for who manages the clinic: made, copied once, and revoked."""

from nicegui import ui

from gendei.staff.agenda.feeds import CalendarFeed, Shows
from gendei.web.pages.acting import Problem
from gendei.web.pages.agenda.sheet import FIELD, AgendaActing, AgendaSheet
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import names
from gendei.web.pages.sheets import PLAIN

TEXTS = page_texts("agenda")


class CalendarSheet:
    """`show` fills it; the address of a new feed is seen this once."""

    def __init__(self, acting: AgendaActing) -> None:
        self._acting = acting
        self._shows = {Shows.INITIALS: TEXTS["shows_initials"], Shows.FIRST_NAME: TEXTS["shows_first_name"]}
        self._sheet = AgendaSheet(acting, TEXTS["feeds_title"])
        people = names(acting.clinic.professionals)
        with self._sheet.body:
            ui.label(TEXTS["feeds_hint"]).classes("g-soft g-small")
            self._who = ui.select(people, label=TEXTS["who"], value=next(iter(people), None)).props(FIELD)
            self._what = ui.select(self._shows, label=TEXTS["feed_shows"], value=Shows.INITIALS).props(FIELD)
            self._address = ui.element("div").classes("a-address")
            self._list = ui.element("div").classes("a-results")
        self._sheet.button(TEXTS["feed_add"], self._add)

    async def show(self) -> None:
        """The clinic's feeds as they are now."""
        feeds = await self._acting.attempt(self._acting.desk.feeds.list)
        if isinstance(feeds, Problem):
            self._sheet.tell(feeds)
            return
        if not self._sheet.is_open:
            return
        self._list.clear()
        with self._list:
            if not feeds:
                ui.label(TEXTS["feed_none"]).classes("g-soft")
            for feed in feeds:
                self._row(feed)

    def _row(self, feed: CalendarFeed) -> None:
        name = self._acting.professional_name(feed.professional_id)
        made = f"{self._acting.clinic.local(feed.created_at):%d/%m/%Y %H:%M}"
        with ui.element("div").classes("a-feed"):
            with ui.element("div"):
                ui.label(TEXTS("feed_line", professional=name, shows=self._shows[feed.shows]))
                ui.label(TEXTS("feed_made", by=feed.created_by, at=made)).classes("g-soft g-small")
            ui.button(TEXTS["feed_revoke"], on_click=lambda: self._revoke(feed.id)).props(f"{PLAIN} color=negative")

    async def _add(self) -> None:
        who, shows = str(self._who.value), Shows(str(self._what.value))
        made = await self._acting.attempt(lambda actor: self._acting.desk.feeds.add(actor, who, shows))
        if isinstance(made, Problem):
            self._sheet.tell(made)
            return
        if self._sheet.is_open:
            self._show_address(f"{self._acting.origin}/feeds/{made[1]}.ics")
        await self.show()

    def _show_address(self, address: str) -> None:

        def copy() -> None:
            ui.clipboard.write(address)
            self._acting.tell(TEXTS["feed_copied"])

        self._address.clear()
        with self._address:
            field = ui.input(TEXTS["feed_address"], value=address).props(f"{FIELD} readonly")
            field.props["hint"] = TEXTS["feed_once"]
            ui.button(TEXTS["feed_copy"], icon="content_copy", on_click=copy).props(PLAIN)

    async def _revoke(self, feed_id: str) -> None:
        gone = await self._acting.attempt(lambda actor: self._acting.desk.feeds.revoke(actor, feed_id))
        if isinstance(gone, Problem):
            self._sheet.tell(gone)
        else:
            self._acting.tell(TEXTS["feed_revoked"])
        await self.show()
