"""The staff's assistant beside every page: what was said, and the two buttons under what waits for a yes."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from gendei.assistant.assistant import Answer, Assistant, choices_of
from gendei.assistant.requests import MAX_MESSAGE, RequestRefused, Said
from gendei.assistant.talks import Pending
from gendei.errors import GendeiError
from gendei.staff.actors import Actor
from gendei.web.pages.acting import acting, refusal
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.signed_in import SignedOut

TEXTS = page_texts("assistant")

SUGGESTIONS = ("suggestion_1", "suggestion_2", "suggestion_3")
PAGES = (
    ("agenda", "/agenda"),
    ("inbox", "/inbox"),
    ("patients", "/patients"),
    ("tasks", "/tasks"),
    ("numbers", "/numbers"),
    ("account", "/account"),
    ("team", "/account/team"),
    ("replies", "/account/replies"),
)
"""Key of its name in texts/assistant.yaml, and address, of the pages that answers lead to."""
ROUND = "flat round"
FIELD = "outlined dense autogrow rows=1"
CHIP = "outline rounded no-caps dense padding='2px 12px'"


class AssistantPanel:
    """Makes its button where it is made itself, and the panel over the page, which is filled when it is opened."""

    def __init__(self, assistant: Assistant) -> None:
        self._assistant = assistant
        self._client = ui.context.client
        self._talk_id: str | None = None
        self._decide: ui.element | None = None
        self._filled = self._busy = False
        button = ui.button(icon="auto_awesome", on_click=acting(self._toggle)).classes("g-assistant")
        button.props(f'{ROUND} aria-label="{TEXTS["open"]}"')
        with self._client.content:
            self._panel = ui.element("aside").classes("s-panel").props(f'aria-label="{TEXTS["title"]}"')
        self._panel.on("keydown.escape", self._close)

    async def _toggle(self, actor: Actor) -> None:
        self._panel.classes(toggle="s-open")
        if not self._filled:
            self._filled = True
            self._fill()
            await self._recall(actor)
        self._field.run_method("focus")

    def _close(self) -> None:
        self._panel.classes(remove="s-open")

    def _fill(self) -> None:
        with self._panel:
            with ui.element("header").classes("s-head"):
                TextElement(tag="h2", text=TEXTS["title"])
                ui.button(icon="close", on_click=self._close).props(f'{ROUND} dense aria-label="{TEXTS["close"]}"')
            self._log = ui.element("div").classes("s-log")
            self._log.props(f'role="log" aria-live="polite" aria-label="{TEXTS["log"]}"')
            with ui.element("div").classes("s-form"):
                self._field = ui.textarea(placeholder=TEXTS["placeholder"])
                self._field.props(f'{FIELD} maxlength={MAX_MESSAGE} aria-label="{TEXTS["field"]}"')
                self._field.on("keydown.enter.exact.prevent", acting(self._send))
                send = ui.button(icon="send", on_click=acting(self._send))
                send.props(f'{ROUND} aria-label="{TEXTS["send"]}"')

    async def _recall(self, actor: Actor) -> None:
        """Show the talk that still goes on, on whatever page it began."""
        talk = await self._assistant.talks.open(actor)
        self._talk_id = talk.id if talk.count else None
        with self._log:
            if not talk.recent:
                TextElement(tag="p", text=TEXTS["hint"]).classes("s-hint")
                with ui.element("div").classes("s-chips"):
                    for key in SUGGESTIONS:
                        ask = acting(partial(self._ask, text=TEXTS[key]))
                        ui.button(TEXTS[key], on_click=ask).props(CHIP)
        for said in talk.recent:
            self._show(said)
        waits = talk.pending is not None and talk.pending.decided is None
        self._offer(talk.pending if waits else None, choices_of(talk.question))

    async def _send(self, actor: Actor) -> None:
        text = str(self._field.value or "").strip()
        if text and not self._busy:
            self._field.value = ""
            await self._ask(actor, text)

    async def _ask(self, actor: Actor, text: str) -> None:
        self._show(Said("user", text))
        await self._tell(lambda: self._assistant.say(actor, text, self._talk_id))

    async def _answer(self, actor: Actor, pending: Pending, *, yes: bool) -> None:
        self._show(Said("user", self._assistant.texts.button(yes=yes)))
        talk_id = self._talk_id or ""
        await self._tell(lambda: self._assistant.decide(actor, talk_id, pending.id, yes=yes))

    async def _tell(self, ask: Callable[[], Awaitable[Answer]]) -> None:
        """Show what `ask` answers, or why it did not."""
        if self._busy:
            return
        self._busy = True
        self._withdraw()
        with self._log:
            thinking = TextElement(tag="div", text=TEXTS["thinking"]).classes("s-soft")
        try:
            answer = await ask()
        except SignedOut:
            raise
        except GendeiError as error:
            with self._log:
                why = self._why(error)
            self._show(Said("assistant", why))
        else:
            self._talk_id = answer.talk_id
            self._show(Said("assistant", answer.message))
            self._offer(answer.pending, answer.choices)
        finally:
            thinking.delete()
            self._busy = False

    def _why(self, error: GendeiError) -> str:
        return self._assistant.texts.request(error.fault) if isinstance(error, RequestRefused) else refusal(error)

    def _show(self, said: Said) -> None:
        mine = said.role == "user"
        with self._log:
            bubble = TextElement(tag="div", text=said.content).classes("s-said " + ("s-you" if mine else "s-it"))
            bubble.props["aria-label"] = f"{TEXTS['you' if mine else 'it']}: {said.content}"
            bubble.props["role"] = "article"
            if not mine:
                self._link(said.content)
        self._scroll()

    def _link(self, text: str) -> None:
        """Lead to the pages that an answer names."""
        named = [page for page in PAGES if f"({page[1]})" in text]
        if named:
            with ui.element("div").classes("s-chips"):
                for key, path in named:
                    ui.link(TEXTS("open_page", page=TEXTS[key]), path).classes("g-link")

    def _offer(self, pending: Pending | None, choices: Sequence[str]) -> None:
        """What can be tapped to answer: the yes and the no to what waits, and the choices."""
        if pending is None and not choices:
            return
        with self._log, ui.element("div") as self._decide:
            if pending is not None:
                self._ask_for_yes(pending)
            if choices:
                with ui.element("div").classes("s-chips").props(f'role="group" aria-label="{TEXTS["choosing"]}"'):
                    for choice in choices:
                        ui.button(choice, on_click=acting(partial(self._ask, text=choice))).props(CHIP)
        self._scroll()

    def _ask_for_yes(self, pending: Pending) -> None:
        button = self._assistant.texts.button
        with ui.element("div").classes("s-decide").props(f'role="group" aria-label="{TEXTS["deciding"]}"'):
            yes = ui.button(button(yes=True), on_click=acting(partial(self._answer, pending=pending, yes=True)))
            yes.props("unelevated no-caps")
            no = ui.button(button(yes=False), on_click=acting(partial(self._answer, pending=pending, yes=False)))
            no.props("flat no-caps")

    def _withdraw(self) -> None:
        """Remove the buttons of a request that waits: something else was said."""
        if self._decide is not None:
            self._decide.delete()
            self._decide = None

    def _scroll(self) -> None:
        self._client.run_javascript(
            f"const log = getHtmlElement({self._log.id}); if (log) log.scrollTop = log.scrollHeight;"
        )
