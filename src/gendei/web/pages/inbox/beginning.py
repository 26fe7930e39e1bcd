"""Where there is no conversation yet: whom to write to, and the first message."""

from collections.abc import Awaitable, Callable
from functools import partial

from nicegui import ui

from gendei.booking.patients import clean_phone
from gendei.commands.conversation_list import BEGIN_CONVERSATION, BeginConversation
from gendei.commands.refusals import MessageDeclined
from gendei.conversation.outbound.proactive import Declined, Prospect
from gendei.messages.limits import MAX_TEXT
from gendei.staff.actors import Actor, Right
from gendei.staff.inbox.known import Known
from gendei.web.pages.acting import Acting, Problem, refusal
from gendei.web.pages.frame import keep_draft
from gendei.web.pages.inbox.conversation_list import day_and_time
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import text
from gendei.web.pages.phones import address_text
from gendei.web.pages.sheets import Sheet

TEXTS = page_texts("inbox")

FOUND = 8
SEARCHED_FROM = 2
"""Letters that a search takes."""
PAUSE_MS = 250
"""Of who types, before it is searched."""
Chosen = Callable[[str], Awaitable[None]]


class WhomSheet:
    """Asks for a patient, or for any phone; `chosen` is given the contact."""

    def __init__(self, acting: Acting, chosen: Chosen) -> None:
        self._acting, self._chosen = acting, chosen
        self._sheet = Sheet(TEXTS["begin"])
        with self._sheet.body:
            self._field = ui.input(TEXTS["begin_whom"], on_change=self._search)
            self._field.props(f'outlined autofocus maxlength="80" autocomplete="off" debounce="{PAUSE_MS}"')
            self._found = ui.element("div").classes("i-found").props('aria-live="polite"')
        self._sheet.leave_button()
        self._sheet.button(TEXTS["begin_phone"], self._choose_phone)

    async def _search(self) -> None:
        words, search = self._words, self._acting.gendei.front_desk.patients.search
        rows = [] if len(words) < SEARCHED_FROM else await self._acting.told(lambda actor: search(actor, words, FOUND))
        if not self._sheet.is_open or words != self._words or isinstance(rows, Problem):
            return
        self._sheet.say("")
        self._found.clear()
        with self._found:
            for row in rows:
                choose = partial(self._choose, row.contact)
                with ui.button(on_click=choose).props("flat no-caps align=left").classes("i-found-row"):
                    ui.label(row.name).props('dir="auto"')
                    ui.label(address_text(row.phone or row.contact)).classes("g-soft g-small")

    @property
    def _words(self) -> str:
        return str(self._field.value or "").strip()

    async def _choose_phone(self) -> None:
        phone = await self._acting.attempt(self._phone)
        if isinstance(phone, Problem):
            self._sheet.say(phone.text)
        else:
            await self._choose(phone)

    async def _phone(self, _actor: Actor) -> str:
        return clean_phone(self._words)

    async def _choose(self, contact: str) -> None:
        self._sheet.close()
        await self._chosen(contact)


class BeginPane:
    """In place of a conversation: says what would go, and sends it. Built into the slot that it is made in. `begun` is
    given the contact, `leave` leads back to the list."""

    def __init__(
        self,
        acting: Acting,
        actor: Actor,
        known: Known,
        prospect: Prospect | Declined,
        begun: Chosen,
        leave: Callable[[], Awaitable[None]],
    ) -> None:
        self._acting, self._known, self._begun = acting, known, begun
        with ui.element("div").classes("i-begin"):
            text("h2", TEXTS("begin_with", name=known.name or known.contact), "i-begin-title").props('dir="auto"')
            if known.name:
                text("p", known.contact, "g-soft")
            text("p", TEXTS["begin_none"])
            if isinstance(prospect, Declined):
                text("p", refusal(MessageDeclined(prospect.reason)), "i-window").props('role="status"')
            elif actor.may(Right.WRITE):
                self._form(prospect)
            with ui.element("div").classes("i-begin-foot"):
                if isinstance(prospect, Prospect) and actor.may(Right.WRITE):
                    ui.button(TEXTS["begin_send"], on_click=self._send).props("unelevated no-caps")
                ui.button(TEXTS["back"], on_click=leave).props("flat no-caps")

    def _form(self, prospect: Prospect) -> None:
        text("p", self._hint(prospect), "i-window" if not prospect.free_text else "g-soft").props('role="status"')
        self._name = None if self._known.name else ui.input(TEXTS["begin_name"]).props('outlined maxlength="80"')
        self._text = ui.textarea(TEXTS["write"]).props(f'outlined autogrow autofocus maxlength="{MAX_TEXT}"')
        keep_draft(self._text, f"begin {self._acting.clinic.id} {self._known.contact}")

    def _hint(self, prospect: Prospect) -> str:
        clinic, now = self._acting.clinic, self._acting.now
        due = clinic.local(prospect.due_at)
        when = TEXTS["template_now"] if due <= now else day_and_time(due, now)
        return TEXTS("begin_free" if prospect.free_text else "begin_template", when=when)

    async def _send(self) -> None:
        words = str(self._text.value or "").strip()
        if not words:
            self._acting.tell(TEXTS["begin_empty"], good=False)
            return
        name = str(self._name.value or "").strip() if self._name else ""
        given = BeginConversation(contact=self._known.contact, text=words, patient_name=name)
        done = await self._acting.do(BEGIN_CONVERSATION, given)
        if isinstance(done, Problem):
            self._acting.tell(done.text, good=False)
            return
        self._text.value = ""
        await self._begun(done.contact)
