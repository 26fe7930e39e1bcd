"""What staff are asked before something is done."""

from collections.abc import Awaitable, Callable, Iterable, Sequence

from nicegui import ui

from gendei.staff.colleagues import Colleague
from gendei.staff.inbox.actions import MAX_LABELS, MAX_NOTE
from gendei.web.pages.page_texts import page_texts


def ask_note(answered: Callable[[str], Awaitable[None]]) -> None:
    """With which words the assistant gets the conversation back."""
    words = page_texts("inbox")
    dialog = _dialog()
    with dialog, ui.card().classes("i-dialog"):
        ui.label(words["hand_back_title"]).classes("g-title")
        ui.label(words["hand_back_hint"]).classes("g-soft")
        note = ui.textarea(words["hand_back_note"]).props(f'outlined autogrow autofocus maxlength="{MAX_NOTE}"')
        _buttons(dialog, words["hand_back"], lambda: answered(str(note.value or "")))
    dialog.open()


def ask_colleague(
    colleagues: Sequence[Colleague], current: str | None, answered: Callable[[str | None], Awaitable[None]]
) -> None:
    """Who shall look after the conversation."""
    words = page_texts("inbox")
    dialog = _dialog()
    known = {"": words["nobody"], **{one.id: one.name for one in colleagues}}
    with dialog, ui.card().classes("i-dialog"):
        ui.label(words["assign_title"]).classes("g-title")
        chosen = ui.radio(known, value=current if current in known else "")
        _buttons(dialog, words["save"], lambda: answered(chosen.value or None))
    dialog.open()


def ask_labels(current: Iterable[str], used: Iterable[str], answered: Callable[[list[str]], Awaitable[None]]) -> None:
    """Which labels the conversation has. `used`: those that others have."""
    words = page_texts("inbox")
    dialog, now = _dialog(), list(current)
    with dialog, ui.card().classes("i-dialog"):
        ui.label(words["labels_title"]).classes("g-title")
        options = sorted({*now, *used}, key=str.casefold)
        field = ui.select(options, value=now, multiple=True, new_value_mode="add-unique", with_input=True)
        field.props(f'outlined autofocus use-chips max-values="{MAX_LABELS}" hide-dropdown-icon').classes("i-labels")
        field.props["aria-label"] = words["labels_title"]
        ui.label(words["labels_hint"]).classes("g-soft g-small")
        _buttons(dialog, words["save"], lambda: answered([str(one) for one in field.value]))
    dialog.open()


def _dialog() -> ui.dialog:
    dialog = ui.dialog()
    return dialog.on("hide", dialog.delete)


def _buttons(dialog: ui.dialog, done: str, answered: Callable[[], Awaitable[None]]) -> None:
    async def close() -> None:
        dialog.close()
        await answered()

    with ui.row().classes("i-dialog-buttons"):
        ui.button(page_texts("inbox")["cancel"], on_click=dialog.close).props("flat no-caps")
        ui.button(done, on_click=close).props("unelevated no-caps")
