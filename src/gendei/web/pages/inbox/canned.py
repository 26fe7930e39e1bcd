"""Changing the clinic's canned replies."""

from collections.abc import Awaitable, Callable, Sequence
from secrets import token_hex

from nicegui import ui

from gendei.receptionist.limits import MAX_TEXT
from gendei.staff.inbox.canned import MAX_TITLE, PLACEHOLDERS, Canned
from gendei.web.pages.texts import page_texts


def edit_canned(replies: Sequence[Canned], saved: Callable[[list[Canned]], Awaitable[bool]]) -> None:
    """A dialog with all of them. `saved` is asked to keep what they became; while it says no, the dialog stays."""
    words = page_texts("inbox")
    fields: dict[str, tuple[ui.input, ui.textarea]] = {}
    dialog = ui.dialog()
    dialog.on("hide", dialog.delete)

    def add(one: Canned) -> None:
        with rows, ui.element("div").classes("i-canned-edit") as block:
            title = ui.input(words["canned_title"], value=one.title).props(f'dense outlined maxlength="{MAX_TITLE}"')
            remove = ui.button(icon="delete", on_click=lambda: drop(one.id, block)).props("flat round dense")
            remove.props["aria-label"] = words["canned_remove"]
            text = ui.textarea(words["canned_text"], value=one.text)
            text.props(f'dense outlined autogrow maxlength="{MAX_TEXT}"')
        fields[one.id] = title, text

    def drop(reply_id: str, block: ui.element) -> None:
        del fields[reply_id]
        block.delete()

    async def save() -> None:
        kept = [Canned(one, str(title.value), str(text.value)) for one, (title, text) in fields.items()]
        if await saved(kept):
            dialog.close()

    with dialog, ui.card().classes("i-dialog i-dialog-wide"):
        ui.label(words["canned"]).classes("g-title")
        known = ", ".join(f"{{{name}}}" for name in PLACEHOLDERS)
        ui.label(words["canned_hint"].format(placeholders=known)).classes("g-soft g-small")
        rows = ui.element("div").classes("i-canned-rows")
        for one in replies:
            add(one)
        ui.button(words["canned_add"], icon="add", on_click=lambda: add(Canned(token_hex(6), "", ""))).props(
            "flat no-caps"
        )
        with ui.row().classes("i-dialog-buttons"):
            ui.button(words["cancel"], on_click=dialog.close).props("flat no-caps")
            ui.button(words["save"], on_click=save).props("unelevated no-caps")
    dialog.open()
