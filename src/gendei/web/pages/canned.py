"""The clinic's canned replies as they are being written: on a page of their own, and beside a conversation."""

from collections.abc import Sequence
from functools import partial
from secrets import token_hex

from nicegui import ui

from gendei.messages.limits import MAX_TEXT
from gendei.staff.inbox.canned import MAX_TITLE, MOST, PLACEHOLDERS, Canned
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import button, empty, text

TEXTS = page_texts("replies")


class CannedEditor:
    """Built into the slot it is made in. Nothing is kept before the page saves what is `written`."""

    def __init__(self, kept: Sequence[Canned]) -> None:
        self._rows: list[_Row] = []
        with ui.element("p").classes("g-small"):
            text("span", f"{TEXTS['placeholders']} ")
            text("span", "  ".join(f"{{{name}}}" for name in PLACEHOLDERS), "o-mono")
        self._list = ui.element("div").classes("o-list")
        with ui.element("div") as self._none:
            empty(TEXTS["none"])
        for reply in kept:
            self._show(reply)
        with ui.element("div").classes("o-actions o-actions-start"):
            button(TEXTS["add"], self._add)
        self._none.set_visibility(not kept)

    @property
    def written(self) -> list[Canned]:
        return [Canned(row.id, row.title.value or "", row.text.value or "") for row in self._rows]

    def _show(self, reply: Canned) -> "_Row":
        with self._list:
            row = _Row(reply)
        for icon, key, act in (
            ("arrow_upward", "up", partial(self._move, row, -1)),
            ("arrow_downward", "down", partial(self._move, row, 1)),
            ("delete", "remove", partial(self._drop, row)),
        ):
            with row.actions:
                made = ui.button(icon=icon, on_click=act).props("flat round dense")
            made.props["aria-label"] = f"{TEXTS[key]}: {reply.title}"
        self._rows.append(row)
        return row

    def _move(self, row: "_Row", by: int) -> None:
        at = self._rows.index(row)
        to = min(max(at + by, 0), len(self._rows) - 1)
        self._rows.insert(to, self._rows.pop(at))
        row.place.move(self._list, to)

    def _drop(self, row: "_Row") -> None:
        self._rows.remove(row)
        row.place.delete()
        self._none.set_visibility(not self._rows)

    async def _add(self) -> None:
        if len(self._rows) < MOST:
            self._none.set_visibility(False)
            self._show(Canned(token_hex(4), "", "")).title.run_method("focus")


class _Row:
    """One reply: its fields, and where its buttons stand."""

    def __init__(self, reply: Canned) -> None:
        self.id = reply.id
        with ui.element("div").classes("o-row o-reply").props('role="group"') as self.place:
            self.place.props["aria-label"] = reply.title or TEXTS["new"]
            self.title = ui.input(TEXTS["reply_title"], value=reply.title)
            self.title.props(f"outlined dense maxlength={MAX_TITLE}")
            self.actions = ui.element("div").classes("o-reply-deeds")
            self.text = ui.textarea(TEXTS["reply_text"], value=reply.text)
            self.text.props(f"outlined dense autogrow maxlength={MAX_TEXT}")
