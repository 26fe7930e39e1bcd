"""/inbox: the conversations of a clinic, live, and one of them open."""

import asyncio
from contextlib import suppress
from dataclasses import replace
from urllib.parse import urlencode

from nicegui import background_tasks, ui
from nicegui.events import GenericEventArguments

from gendei.clinic import Clinic
from gendei.commands.conversation_list import (
    ASSIGN_CONVERSATIONS,
    CLOSE_CONVERSATIONS,
    MOST_AT_ONCE,
    AssignConversations,
    Handled,
    OfConversations,
)
from gendei.errors import NotFound, StoreError
from gendei.staff.actors import Actor, Right
from gendei.staff.inbox.inbox import LIVE_CONVERSATIONS
from gendei.staff.inbox.live import LiveInbox
from gendei.staff.inbox.presence import Present
from gendei.staff.inbox.rows import InboxFilter, Row
from gendei.web.pages.acting import Acting, Problem
from gendei.web.pages.frame import asset, staff_page
from gendei.web.pages.inbox.beginning import BeginPane, WhomSheet
from gendei.web.pages.inbox.card import show_card
from gendei.web.pages.inbox.conversation import OpenConversation
from gendei.web.pages.inbox.conversation_list import (
    ConversationList,
    Drawn,
    WaitingAlert,
    asked_filter,
    calls_for,
    drawn,
    row_drawn,
)
from gendei.web.pages.inbox.dialogs import ask_colleague
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import text
from gendei.web.pages.sheets import ask_first
from gendei.web.pages.signed_in import SignedOut
from gendei.web.pages.site import PageContext

TEXTS = page_texts("inbox")

PATH = "/inbox"
REDRAW_SECONDS = 30.0
"""Interval at which times in minutes are brought up to date."""
REST_SECONDS = 0.25
"""Between two drawings of what keeps changing."""
FIRST_SECONDS = 1.0
"""Longest wait for the list, so that it comes with the page; a slow store's list comes after it."""


@staff_page(PATH, title="inbox")
async def inbox(context: PageContext, contact: str = "", begin: bool = False) -> None:
    """`contact`: the conversation to open, by any address of the patient; `begin`: or to begin."""
    if context.clinic is None:
        ui.label(page_texts("frame")["no_access"]).classes("g-empty")
        return
    for style in ("office.css", "inbox.css", "tasks.css", "knowledge.css"):
        ui.add_head_html(f'<link rel="stylesheet" href="{asset(style)}">')
    await InboxPage(context, context.clinic).start(contact, begin=begin)


class InboxPage:
    """The list on the left, a conversation in the middle, its patient on the right."""

    def __init__(self, context: PageContext, clinic: Clinic) -> None:
        own: dict[type[Exception], str] = {NotFound: TEXTS["changed"], StoreError: TEXTS["store_down"]}
        self._context, self._acting, self._actor = context, Acting(context, clinic, own, "top"), context.actor
        self._front, self._clinic, self._clock = context.gendei.front_desk, clinic, context.gendei.clock
        self._filter = InboxFilter()
        self._inbox = LiveInbox((), ())
        self._older: list[Row] = []
        self._cursor: str | None = None
        self._all_found = False
        self._current = ""
        self._held = ""
        self._open: OpenConversation | None = None
        self._following: asyncio.Task[None] | None = None
        self._opening, self._came = asyncio.Lock(), asyncio.Event()
        frame = page_texts("frame")
        text("h1", frame["inbox"], "g-unseen")
        with ui.element("div").classes("i-desk") as self._desk:
            side = ui.element("section").classes("i-side").props(f'aria-label="{TEXTS["list"]}"')
            with side, ConversationList(writes=self._actor.may(Right.WRITE)) as self._list:
                self._alert = WaitingAlert(f"{frame['inbox']} · {frame['product']}")
            self._talk = ui.element("section").classes("i-talk").props(f'aria-label="{TEXTS["log"]}"')
            self._card = ui.element("aside").classes("i-card").props(f'aria-label="{TEXTS["card"]}"')
        self._list.on("open", self._choose).on("filter", self._narrow).on("more", self._find_older)
        self._list.on("begin", self._ask_whom).on("several", self._do_several)
        self._alert.on("open", self._answer_call)

    async def start(self, contact: str, *, begin: bool) -> None:
        """Follow the clinic's conversations until the page is gone, and open one."""
        client = ui.context.client
        client.on_connect(self._wake)
        client.on_disconnect(lambda: None if client.has_socket_connection else self._rest())
        client.on_delete(self._rest)
        self._wake()
        ui.timer(REDRAW_SECONDS, self._tick)
        with suppress(TimeoutError):
            async with asyncio.timeout(FIRST_SECONDS):
                await self._came.wait()
        await self.open(contact, begin=begin)

    async def open(self, contact: str, *, begin: bool = False) -> None:
        """Show the conversation with `contact`; none for "". `begin`: offer to begin it where there is none, also with
        somebody whom the clinic does not know."""
        async with self._opening:
            self._close()
            self._current = contact
            row = self._inbox.row(contact)
            self._held = contact if row and row.unread else ""
            self._desk.classes(add="i-open" if contact else "", remove="i-show-card" + ("" if contact else " i-open"))
            self._talk.clear()
            self._card.clear()
            if contact:
                await self._acting.told(lambda actor: self._show_conversation(actor, contact, begin=begin))
            else:
                self._say_instead("forum", TEXTS["choose"])
            self._draw()

    async def _show_conversation(self, actor: Actor, contact: str, *, begin: bool) -> None:
        try:
            view, replies = await asyncio.gather(self._front.views.view(actor, contact), self._front.canned.list(actor))
        except NotFound:
            await self._offer_beginning(actor, contact, begin=begin)
            return
        self._current = view.row.contact
        with self._talk:
            self._open = OpenConversation(self._acting, actor, view, replies, self._leave, self._toggle_card)
        self._open.tell(self._inbox)
        background_tasks.create(self._show_card(view.row), name="patient's card")

    async def _offer_beginning(self, actor: Actor, contact: str, *, begin: bool) -> None:
        """There is no conversation: with a patient, or with whom one shall be, it can be begun."""
        with suppress(NotFound):
            known = await self._front.known.known(actor, contact)
            if begin or known.patients:
                prospect = await self._front.conversations.prospect(actor, known.contact)
                with self._talk:
                    BeginPane(self._acting, actor, known, prospect, self._begun, self._leave)
                return
        self._say_instead("search_off", TEXTS["not_found"], TEXTS["not_found_hint"])

    async def _begun(self, contact: str) -> None:
        ui.navigate.history.replace(f"{PATH}?{urlencode({'contact': contact})}")
        await self.open(contact)

    async def _ask_whom(self) -> None:
        async def chosen(contact: str) -> None:
            ui.navigate.history.push(f"{PATH}?{urlencode({'contact': contact, 'begin': 'true'})}")
            await self.open(contact, begin=True)

        with self._desk:
            WhomSheet(self._acting, chosen)

    async def _do_several(self, event: GenericEventArguments) -> None:
        contacts = tuple(str(contact) for contact in event.args["contacts"])[:MOST_AT_ONCE]
        if not contacts:
            return
        with self._desk:
            if event.args["what"] == "close":
                await ask_first(
                    TEXTS("several_close", count=len(contacts)), TEXTS["close"], lambda: self._close_several(contacts)
                )()
                return
            colleagues = await self._acting.told(self._front.colleagues.list)
            if not isinstance(colleagues, Problem):
                ask_colleague(colleagues, None, lambda user_id: self._assign_several(contacts, user_id))

    async def _close_several(self, contacts: tuple[str, ...]) -> None:
        done = await self._acting.do(CLOSE_CONVERSATIONS, OfConversations(contacts=contacts))
        self._tell_several(done, "several_closed")

    async def _assign_several(self, contacts: tuple[str, ...], user_id: str | None) -> None:
        given = AssignConversations(contacts=contacts, assigned_to=user_id)
        done = await self._acting.do(ASSIGN_CONVERSATIONS, given)
        self._tell_several(done, "several_assigned")

    def _tell_several(self, handled: Handled | Problem, key: str) -> None:
        if isinstance(handled, Problem):
            self._acting.tell(handled.text, good=False)
            return
        self._list.end_choosing()
        in_danger = sum(left.reason == "danger" for left in handled.left)
        more = TEXTS("several_danger", count=in_danger) if in_danger else ""
        self._acting.tell(" ".join(filter(None, (TEXTS(key, count=len(handled.done)), more))), good=not in_danger)

    async def _show_card(self, row: Row) -> None:
        with suppress(NotFound, StoreError, SignedOut):
            actor = await self._acting.actor()
            await show_card(self._card, self._context, actor, self._clinic, row)

    def _say_instead(self, icon: str, sentence: str, more: str = "") -> None:
        with self._talk, ui.element("div").classes("i-instead"):
            ui.icon(icon)
            ui.label(sentence)
            if more:
                ui.label(more).classes("g-soft")
                ui.button(TEXTS["back"], on_click=self._leave).props("flat no-caps")

    async def _show_inbox(self, state: LiveInbox) -> None:
        async with self._context.site.drawing:
            self._actor = await self._acting.actor()
            self._inbox = state
            self._came.set()
            self._draw()
            if self._open:
                self._open.tell(state)
        await asyncio.sleep(REST_SECONDS)

    def _wake(self) -> None:
        if self._following is None or self._following.done():
            following = self._acting.follow(
                self._front.live.inbox,
                self._show_inbox,
                lambda: self._acting.tell(TEXTS["list_stopped"], good=False),
            )
            self._following = background_tasks.create(following, name="inbox page")
        if self._open:
            self._open.wake()

    def _rest(self) -> None:
        """A browser that lost its connection is told nothing until it is back."""
        if self._following:
            self._following.cancel()
            self._following = None
        if self._open:
            self._open.rest()

    def _tick(self) -> None:
        self._draw()
        if self._open:
            self._open.tick()

    def _draw(self) -> None:
        now = self._clock()
        live = drawn(self._inbox, self._clinic, now)
        rows = self._chosen(live)
        rows |= {row.contact: row_drawn(row, self._clinic, now) for row in self._older if row.contact not in live.rows}
        rows |= {
            contact: live.visited(rows[contact], here) for contact, here in self._others().items() if contact in rows
        }
        self._list.show(
            rows,
            counts=dict(live.counts),
            labels=list(live.labels),
            current=self._current,
            more=not self._all_found and len(live.rows) >= LIVE_CONVERSATIONS,
        )
        self._alert.show(calls_for(self._inbox, self._actor, now))

    def _chosen(self, live: Drawn) -> dict[str, str]:
        """The rows that the filter shows. The one that was opened to be read stays, also where only what is unread is
        asked for: nothing shall move away under the pointer."""
        shown = live.shown(self._filter)
        if not self._held or self._held in shown:
            return dict(shown)
        with_read = live.shown(replace(self._filter, unread_only=False))
        return {contact: row for contact, row in with_read.items() if contact in shown or contact == self._held}

    def _others(self) -> dict[str, list[Present]]:
        """Group the other people by the conversation that they have open."""
        others: dict[str, list[Present]] = {}
        for person in self._inbox.present:
            if person.user_id != self._actor.user_id:
                others.setdefault(person.contact, []).append(person)
        return others

    async def _choose(self, event: GenericEventArguments) -> None:
        await self.open(str(event.args or ""))

    async def _answer_call(self, event: GenericEventArguments) -> None:
        contact = str(event.args)
        ui.navigate.history.push(f"{PATH}?{urlencode({'contact': contact})}")
        await self.open(contact)

    async def _leave(self) -> None:
        ui.navigate.history.replace(PATH)
        await self.open("")

    async def _toggle_card(self) -> None:
        self._desk.classes(toggle="i-show-card")
        if self._open:
            await self._show_card(self._open.row)

    async def _narrow(self, event: GenericEventArguments) -> None:
        self._filter = asked_filter(event.args, self._actor)
        self._older, self._cursor, self._all_found = [], None, False
        self._draw()

    async def _find_older(self) -> None:
        """Add what fits the filter from beyond the newest, which are there already."""
        known = {row.contact for row in (*self._inbox.rows, *self._older)}

        async def find(actor: Actor) -> None:
            found: list[Row] = []
            while not found and not self._all_found:
                page = await self._front.inbox.list(actor, self._filter, cursor=self._cursor)
                found = [row for row in page.rows if row.contact not in known]
                self._cursor, self._all_found = page.cursor, page.cursor is None
            self._older += found
            self._draw()

        await self._acting.told(find)

    def _close(self) -> None:
        if self._open:
            self._open.rest()
            self._open = None
