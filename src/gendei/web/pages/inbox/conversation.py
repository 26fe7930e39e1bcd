"""One open conversation: what it shows, kept up to date, and what is done in it."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, TypeVar

from nicegui import background_tasks, ui
from nicegui.events import GenericEventArguments

from gendei.commands.command import Arguments, Command
from gendei.commands.conversation_list import SEE_TO_DANGER, SNOOZE_CONVERSATION, SnoozeConversation
from gendei.commands.conversations import (
    ADD_NOTE,
    ASSIGN_CONVERSATION,
    CLOSE_CONVERSATION,
    HAND_BACK_CONVERSATION,
    LABEL_CONVERSATION,
    QUEUE_MESSAGE,
    REOPEN_CONVERSATION,
    REPLY_TO_CONVERSATION,
    TAKE_OVER_CONVERSATION,
    UNQUEUE_MESSAGE,
    AddNote,
    AssignConversation,
    HandBackConversation,
    LabelConversation,
    OfConversation,
    QueueMessage,
    ReplyToConversation,
    TakeOverConversation,
    UnqueueMessage,
)
from gendei.errors import GendeiError, NotFound, StoreError
from gendei.staff.actors import Actor, Right
from gendei.staff.inbox.canned import Canned
from gendei.staff.inbox.conversation import View
from gendei.staff.inbox.live import LiveInbox
from gendei.staff.inbox.messages_shown import Item
from gendei.staff.inbox.presence import BEAT_SECONDS, Present
from gendei.staff.inbox.rows import Row, State
from gendei.web.pages.acting import RETRY_SECONDS, Acting, Problem, run_command
from gendei.web.pages.canned import CannedEditor
from gendei.web.pages.inbox.composer import Composer, Written
from gendei.web.pages.inbox.conversation_list import day_and_time, labels_of
from gendei.web.pages.inbox.dialogs import ask_colleague, ask_labels, ask_note, ask_snooze
from gendei.web.pages.inbox.head import Commands, DangerBar, Head
from gendei.web.pages.inbox.log import ConversationLog, Shapes
from gendei.web.pages.inbox.mending import mend_answer
from gendei.web.pages.inbox.wrong_answer import ask_what_was_right
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.sheets import TEXTS as OFFICE
from gendei.web.pages.sheets import Sheet
from gendei.web.pages.signed_in import SignedOut
from gendei.web.sessions import csrf_token

TEXTS = page_texts("inbox")

A = TypeVar("A", bound=Arguments)
R = TypeVar("R")


class OpenConversation:
    """Built into the slot that it is made in, from `view`. `leave`, `show_card`: what the page does for its head."""

    def __init__(
        self,
        acting: Acting,
        actor: Actor,
        view: View,
        replies: tuple[Canned, ...],
        leave: Callable[[], Awaitable[None]],
        show_card: Callable[[], Awaitable[None]],
    ) -> None:
        self.contact = view.row.contact
        self._acting, self._desk, self._actor = acting, acting.gendei.front_desk, actor
        self._clinic, self._clock = acting.clinic, acting.gendei.clock
        self._view, self._items, self._older = view, view.items, view.older
        self._inbox: LiveInbox | None = None
        self._here: Sequence[Present] = ()
        self._typing, self._looking = False, True
        self._stale, self._reading = asyncio.Event(), asyncio.Lock()
        self._head = Head(
            Commands(
                back=leave,
                card=show_card,
                take_over=self._take_over,
                hand_back=self._ask_hand_back,
                assign=self._ask_assign,
                label=self._ask_labels,
                close=lambda: self._do(CLOSE_CONVERSATION, OfConversation(contact=self.contact)),
                reopen=lambda: self._do(REOPEN_CONVERSATION, OfConversation(contact=self.contact)),
                snooze=self._ask_snooze,
                wake=lambda: self._do(SNOOZE_CONVERSATION, SnoozeConversation(contact=self.contact)),
            ),
            self._clinic,
        )
        self._danger = DangerBar(lambda: self._do(SEE_TO_DANGER, OfConversation(contact=self.contact)))
        self._log = ConversationLog()
        self._log.props["judges"] = actor.may(Right.WRITE)
        self._log.on("older", self._show_older).on("unqueue", self._unqueue).on("looking", self._look)
        self._log.on("technical", self._tell_technical).on("wrong", self._judge).on("mend", self._mend)
        draft = f"{actor.clinic_id}:{actor.user_id}:{self.contact}"
        self._composer: Composer | None = None
        if actor.may(Right.WRITE):
            self._composer = Composer(
                draft,
                replies,
                csrf_token(acting.client.request, acting.context.session),
                manages=actor.may(Right.MANAGE),
            )
            self._composer.on("act", self._act).on("typing", self._type)
            self._composer.on("canned", self._insert).on("manage", self._edit_canned)
        self._place = ui.context.slot
        self._draw()
        self._tasks: list[asyncio.Task[None]] = []
        background_tasks.create(self._opened())
        self.wake()

    @property
    def row(self) -> Row:
        return self._view.row

    def tell(self, inbox: LiveInbox) -> None:
        """The inbox as it is now: who is here, and whether this conversation has changed."""
        before, self._inbox = self._inbox, inbox
        self._here = [
            person
            for person in inbox.present
            if person.contact == self.contact and person.user_id != self._actor.user_id
        ]
        if before is None or before.row(self.contact) != inbox.row(self.contact):
            self._stale.set()
        self._draw_head()

    def tick(self) -> None:
        """Time has passed."""
        if self._view.row.window_is_open(self._clock()) != self._view.free_text:
            self._stale.set()
        self._draw_head()

    def wake(self) -> None:
        """The browser is there, perhaps again."""
        if not self._tasks:
            self._stale.set()
            following = self._acting.follow(
                lambda actor: self._desk.live.conversation(actor, self.contact), self._changed
            )
            running = following, self._refresh_always(), self._beat()
            self._tasks = [background_tasks.create(work) for work in running]

    def rest(self) -> None:
        """The person looks elsewhere, or the connection is lost: nothing is followed until `wake`."""
        for task in self._tasks:
            task.cancel()
        self._tasks = []
        background_tasks.create(self._gone())

    async def refresh(self) -> None:
        """Read and draw it anew. Raises NotFound, StoreError and SignedOut."""
        async with self._reading:
            self._actor = await self._acting.actor()
            view = await self._desk.views.view(self._actor, self.contact)
            fresh = {item.id for item in view.items}
            since = view.items[0].at if view.items else None
            kept = [item for item in self._items if item.id not in fresh and since is not None and _stays(item, since)]
            if not kept:
                self._older = view.older
            self._view, self._items = view, (*kept, *view.items)
            self._draw()

    def _draw(self) -> None:
        now = self._clock()
        shapes = Shapes(self._clinic, self.contact, now, self._desk.views)
        self._log.show(shapes.of(self._items), older=self._older is not None)
        if self._composer:
            self._composer.show(self._view, self._clinic, self._actor, now)
        self._draw_head()

    def _draw_head(self) -> None:
        now = self._clock()
        self._head.show(self._view.row, self._actor, self._here, now)
        self._danger.show(self._view.row, self._actor, now)

    async def _changed(self, _change: object) -> None:
        self._stale.set()

    async def _refresh_always(self) -> None:
        """Bring the page up to date with each change; what came while it is looked at has been read."""
        while True:
            await self._stale.wait()
            self._stale.clear()
            try:
                await self.refresh()
                await self._see()
            except SignedOut:
                return
            except (StoreError, NotFound):
                await asyncio.sleep(RETRY_SECONDS)
                self._stale.set()

    async def _opened(self) -> None:
        with suppress(NotFound, StoreError):  # its first message may still wait for its turn
            await self._desk.conversations.open(self._actor, self.contact)

    async def _see(self) -> None:
        if self._looking and self._view.row.unread:
            with suppress(NotFound):  # its first message still waits for its turn
                await self._desk.conversations.see(self._actor, self.contact)

    async def _beat(self) -> None:
        """Say that the person is here, as long as the browser is."""
        while True:
            await self._here_now()
            await asyncio.sleep(BEAT_SECONDS)

    async def _here_now(self) -> None:
        with suppress(StoreError, SignedOut):
            await self._desk.presence.here(await self._acting.actor(), self.contact, typing=self._typing)

    async def _gone(self) -> None:
        with suppress(GendeiError):
            await self._desk.presence.gone(self._actor, self.contact)

    async def _type(self, event: GenericEventArguments) -> None:
        self._typing = event.args is True
        await self._here_now()

    async def _look(self, event: GenericEventArguments) -> None:
        self._looking = event.args is True
        self._stale.set()

    async def _change(self, action: Callable[[Actor], Awaitable[Any]]) -> bool:
        """Do `action`, then show what became of it; whether it was done."""
        done = await self._acting.told(action)
        await self._acting.told(lambda _actor: self.refresh())
        return not isinstance(done, Problem)

    async def _do(self, command: Command[A, Any], given: A) -> None:
        await self._change(lambda actor: self._run(actor, command, given))

    async def _run(self, actor: Actor, command: Command[A, R], given: A) -> R:
        return await run_command(self._acting.gendei.desks, actor, command, given)

    async def _take_over(self) -> None:
        """Unless somebody else did a moment ago, which this page had not shown yet."""
        seen = self._view.row.taken_over_by
        if isinstance(await self._acting.told(lambda _actor: self.refresh()), Problem):
            return
        row = self._view.row
        if row.state is State.PERSON and row.taken_over_by not in (seen, self._actor.name):
            self._acting.tell(TEXTS("just_taken", name=row.taken_over_by), good=False)
            return
        await self._do(TAKE_OVER_CONVERSATION, TakeOverConversation(contact=self.contact))
        if self._composer:
            self._composer.invite()

    async def _ask_hand_back(self) -> None:
        async def hand_back(note: str, to_do: str) -> None:
            given = HandBackConversation(contact=self.contact, note=note, to_do=to_do)
            await self._do(HAND_BACK_CONVERSATION, given)

        with self._place:
            ask_note(hand_back)

    async def _ask_assign(self) -> None:
        async def assign(user_id: str | None) -> None:
            await self._do(ASSIGN_CONVERSATION, AssignConversation(contact=self.contact, user_id=user_id))

        colleagues = await self._acting.told(self._desk.colleagues.list)
        if not isinstance(colleagues, Problem):
            with self._place:
                ask_colleague(colleagues, self.row.assigned_to, assign)

    async def _ask_labels(self) -> None:
        async def label(labels: list[str]) -> None:
            await self._do(LABEL_CONVERSATION, LabelConversation(contact=self.contact, labels=tuple(labels)))

        with self._place:
            ask_labels(self.row.labels, labels_of(self._inbox) if self._inbox else (), label)

    async def _ask_snooze(self) -> None:
        async def snooze(until: datetime) -> None:
            await self._do(SNOOZE_CONVERSATION, SnoozeConversation(contact=self.contact, until=until))

        with self._place:
            ask_snooze(self._clinic, self._acting.now, snooze)

    async def _show_older(self) -> None:
        async def read(actor: Actor) -> None:
            if self._older is not None:
                page = await self._desk.views.view(actor, self.contact, before=self._older)
                self._items, self._older = (*page.items, *self._items), page.older
                self._draw()

        async with self._reading:
            await self._acting.told(read)

    def _tell_technical(self, event: GenericEventArguments) -> None:
        for item in self._items:
            if item.id == event.args:
                self._log.show_technical(item)

    async def _judge(self, event: GenericEventArguments) -> None:
        with self._place:
            await ask_what_was_right(self._acting, self.contact, str(event.args), self.refresh)

    async def _mend(self, event: GenericEventArguments) -> None:
        """Change the entry that said it, with the patient's question at hand."""
        item = next((item for item in self._items if item.id == event.args), None)
        if item is not None:
            with self._place:
                await mend_answer(self._acting, item, self.refresh)

    async def _unqueue(self, event: GenericEventArguments) -> None:
        await self._do(UNQUEUE_MESSAGE, UnqueueMessage(contact=self.contact, message_id=str(event.args)))

    async def _insert(self, event: GenericEventArguments) -> None:
        filled = await self._acting.told(lambda actor: self._desk.canned.filled(actor, self.contact, str(event.args)))
        if isinstance(filled, Problem):
            return
        if self._composer:
            self._composer.insert(filled.text)
        if filled.missing:
            self._acting.tell(TEXTS["canned_missing"], good=False)

    async def _edit_canned(self) -> None:
        async def save() -> None:
            written = editor.written
            if isinstance(await self._acting.told(lambda actor: self._desk.canned.save(actor, written)), Problem):
                return
            sheet.close()
            if self._composer:
                self._composer.offer(written)

        replies = await self._acting.told(self._desk.canned.list)
        if isinstance(replies, Problem):
            return
        with self._place:
            sheet = Sheet(TEXTS["canned"])
        with sheet.body:
            editor = CannedEditor(replies)
        sheet.leave_button()
        sheet.button(OFFICE["save"], save)

    async def _act(self, event: GenericEventArguments) -> None:
        written = Written.of(event.args)
        acts: dict[str, Callable[[Actor], Awaitable[Any]]] = {
            "send": lambda actor: self._send(actor, written.reply_to(self.contact)),
            "queue": lambda actor: self._run(
                actor, QUEUE_MESSAGE, QueueMessage(contact=self.contact, text=written.text)
            ),
            "note": lambda actor: self._run(actor, ADD_NOTE, AddNote(contact=self.contact, text=written.text)),
            "template": lambda actor: self._send(actor, written.reply_to(self.contact)),
        }
        done = await self._change(acts[written.what])
        if self._composer:
            self._composer.settle(written, done=done)

    async def _send(self, actor: Actor, given: ReplyToConversation) -> None:
        sent = await self._run(actor, REPLY_TO_CONVERSATION, given)
        if sent.due_at is not None:
            now, due = self._clinic.local(self._clock()), self._clinic.local(sent.due_at)
            when = TEXTS["template_now"] if due <= now else day_and_time(due, now)
            self._acting.tell(TEXTS("template_sent", when=when))


def _stays(item: Item, since: datetime) -> bool:
    """Whether it stands before a page that begins `since`. What waited for the patient is only on the last page."""
    return item.at < since and (item.delivery is None or item.delivery.state != "queued")
