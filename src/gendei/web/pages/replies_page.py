"""/account/replies: the clinic's canned replies, for who manages it."""

from collections.abc import Callable
from secrets import token_hex

from nicegui import ui

from gendei.receptionist.limits import MAX_TEXT
from gendei.staff.actors import Actor, Right
from gendei.staff.inbox.canned import MAX_TITLE, MOST, PLACEHOLDERS, Canned
from gendei.web.pages.account_page import SUBPAGES
from gendei.web.pages.acting import acting
from gendei.web.pages.frame import Visit, staff_page
from gendei.web.pages.panels import button, empty, office, panel, subpages, text
from gendei.web.pages.texts import page_texts


@staff_page("/account/replies", title="own_account", right=Right.MANAGE)
async def replies(visit: Visit) -> None:
    kept = await visit.site.gendei.front_desk.canned.list(visit.actor)
    with office(page_texts("account")["title"]):
        subpages(visit.actor, "/account/replies", SUBPAGES, "account")
        Editor(visit, kept)


class Editor:
    """The replies as they are being written; nothing is kept before it is saved."""

    def __init__(self, visit: Visit, kept: tuple[Canned, ...]) -> None:
        self._canned, self._words = visit.site.gendei.front_desk.canned, page_texts("replies")
        self._rows: list[Row] = []
        words = self._words
        with panel(words["title"], words["hint"]):
            with ui.element("p").classes("g-small"):
                text("span", f"{words['placeholders']} ")
                text("span", "  ".join(f"{{{name}}}" for name in PLACEHOLDERS), "o-mono")
            self._list = ui.element("div").classes("o-list")
            with ui.element("div") as self._none:
                empty(words["none"])
            for one in kept:
                self._show(one)
            with ui.element("div").classes("o-actions"):
                button(words["add"], self._add)
                button(words["save"], acting(self._save), kind="unelevated color=primary")
        self._none.set_visibility(not kept)

    def _show(self, one: Canned) -> "Row":
        with self._list:
            row = Row(one, self._move, self._drop)
        self._rows.append(row)
        return row

    def _move(self, row: "Row", by: int) -> None:
        at = self._rows.index(row)
        to = min(max(at + by, 0), len(self._rows) - 1)
        self._rows.insert(to, self._rows.pop(at))
        row.place.move(self._list, to)

    def _drop(self, row: "Row") -> None:
        self._rows.remove(row)
        row.place.delete()
        self._none.set_visibility(not self._rows)

    async def _add(self) -> None:
        if len(self._rows) < MOST:
            self._none.set_visibility(False)
            self._show(Canned(token_hex(4), "", "")).title.run_method("focus")

    async def _save(self, actor: Actor) -> None:
        await self._canned.save(actor, [row.written for row in self._rows])
        ui.notify(self._words["saved"], type="positive")


class Row:
    """One reply: its fields, its place among the others, and the way out."""

    def __init__(self, one: Canned, move: Callable[["Row", int], None], drop: Callable[["Row"], None]) -> None:
        self._id, words = one.id, page_texts("replies")
        with ui.element("div").classes("o-row o-reply").props('role="group"') as self.place:
            self.place.props["aria-label"] = one.title or words["new"]
            self.title = ui.input(words["reply_title"], value=one.title).props(f"outlined dense maxlength={MAX_TITLE}")
            with ui.element("div").classes("o-reply-deeds"):
                for icon, key, deed in (
                    ("arrow_upward", "up", lambda: move(self, -1)),
                    ("arrow_downward", "down", lambda: move(self, 1)),
                    ("delete", "remove", lambda: drop(self)),
                ):
                    made = ui.button(icon=icon, on_click=deed).props("flat round dense")
                    made.props["aria-label"] = f"{words[key]}: {one.title}"
            self._text = ui.textarea(words["reply_text"], value=one.text)
            self._text.props(f"outlined dense autogrow maxlength={MAX_TEXT}")

    @property
    def written(self) -> Canned:
        return Canned(self._id, self.title.value or "", self._text.value or "")
