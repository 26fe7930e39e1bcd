"""The dialogs of the pages, and the small panels that buttons open."""

from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import ui
from nicegui.elements.mixins.value_element import ValueElement

from gendei.web.pages.page_texts import page_texts

TEXTS = page_texts("office")
PLAIN, STRONG, DANGER = "flat no-caps", "unelevated no-caps", "unelevated no-caps color=negative"
Handler = Callable[[], Awaitable[None]]


class Sheet:
    """A dialog with a title, a body, a line for what went wrong, and buttons below: open from the beginning, and
    removed once it is closed. It stands in the slot that it is made in. `closed` is called after it."""

    def __init__(self, title: str, closed: Callable[[], object] | None = None) -> None:
        self.dialog = ui.dialog()
        self.dialog.props["aria-label"] = title
        self.dialog.on("hide", closed or self.dialog.delete, args=[])
        with self.dialog, ui.card().classes("g-sheet"):
            with ui.element("div").classes("g-sheet-head"):
                ui.label(title).classes("g-title").props('role="heading" aria-level="2" dir="auto"')
                cross = ui.button(icon="close", on_click=self._leave).props("flat round dense")
                cross.props["aria-label"] = TEXTS["close"]
            self.body = ui.element("div").classes("g-sheet-body")
            self.problem = ui.element("div").classes("g-problem").props('role="alert"')
            self.buttons = ui.element("div").classes("g-sheet-foot")
        self.problem.set_visibility(False)
        self._asked_for: list[tuple[ValueElement[Any], object]] = []
        self.dialog.open()

    @property
    def is_open(self) -> bool:
        return not self.dialog.is_deleted and bool(self.dialog.value)

    def close(self) -> None:
        self.dialog.close()

    def ask_before_closing(self, *fields: ValueElement[Any]) -> None:
        """Ask, from now on, before the sheet is left while any of these holds something else than it does now."""
        self._asked_for = [(field, field.value) for field in fields]
        if "persistent" not in self.dialog.props:
            self.dialog.props("persistent").classes("g-asks")
            self.dialog.on("shake", self._leave, args=[])

    def _leave(self) -> None:
        """What Escape, the cross, a tap beside the sheet and the leave button do."""
        if any((field.value or "") != (before or "") for field, before in self._asked_for):
            with self.dialog:
                sheet = Sheet(TEXTS["discard_question"])
            sheet.leave_button(TEXTS["keep_writing"])
            with sheet.buttons:
                ui.button(TEXTS["discard"], on_click=self.close).props(DANGER)
        else:
            self.close()

    def say(self, problem: str) -> None:
        """Show why nothing was done; "" hides the line."""
        self.problem.clear()
        self.problem.set_visibility(bool(problem))
        with self.problem:
            ui.label(problem)

    def button(self, text: str, act: Handler, *, props: str = STRONG) -> ui.button:
        """A button below, which cannot be pressed again while it works."""

        async def press() -> None:
            button.disable()
            try:
                await act()
            finally:
                if not button.is_deleted:
                    button.enable()

        with self.buttons:
            button = ui.button(text, on_click=press).props(props)
        return button

    def leave_button(self, text: str = "") -> None:
        """A button that closes the sheet and does nothing."""
        with self.buttons:
            ui.button(text or TEXTS["cancel"], on_click=self._leave).props(PLAIN)


def popup(name: str) -> ui.menu:
    """A panel at the button that it is made in, with controls of any kind: what holds commands alone is `ui.menu`."""
    panel = ui.menu()
    panel.props.update({"role": "group", "aria-label": name})
    return panel


def ask_first(question: str, yes: str, act: Handler) -> Handler:
    """A handler that asks `question` before it does `act`; `yes`: the button that does it."""

    async def ask() -> None:
        sheet = Sheet(question)
        sheet.leave_button()
        with sheet.buttons:
            ui.button(yes, on_click=lambda: sheet.dialog.submit(True)).props(DANGER)
        if await sheet.dialog:
            await act()

    return ask
