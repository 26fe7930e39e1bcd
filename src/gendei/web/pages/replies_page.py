"""/account/replies: the clinic's canned replies, for who manages it."""

from secrets import token_hex

from nicegui import ui

from gendei.staff.actors import Actor, Right
from gendei.staff.inbox.canned import MAX_TITLE, MOST
from gendei.staff.inbox.canned_text import PLACEHOLDERS, Canned
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
        self._fields: dict[str, tuple[ui.input, ui.textarea]] = {}
        words = self._words
        with panel(words["title"], words["hint"]):
            with ui.element("p").classes("g-small"):
                text("span", f"{words['placeholders']} ")
                text("span", "  ".join(f"{{{name}}}" for name in PLACEHOLDERS), "o-mono")
            self._list = ui.element("div").classes("o-list")
            for one in kept:
                self._show(one)
            if not kept:
                empty(words["none"])
            with ui.element("div").classes("o-actions"):
                button(words["add"], self._add)
                button(words["save"], acting(self._save), kind="unelevated color=primary")

    def _show(self, one: Canned) -> None:
        words = self._words

        async def remove() -> None:
            del self._fields[one.id]
            row.delete()

        with self._list, ui.element("div").classes("o-row o-reply").props('role="group"') as row:
            row.props["aria-label"] = one.title or words["new"]
            with ui.element("div").classes("o-main o-grow"):
                title = ui.input(words["reply_title"], value=one.title).props(f"outlined dense maxlength={MAX_TITLE}")
                body = ui.textarea(words["reply_text"], value=one.text).props("outlined dense autogrow")
            button(words["remove"], remove, kind="flat color=negative", label=f"{words['remove']}: {one.title}")
        self._fields[one.id] = (title, body)

    async def _add(self) -> None:
        if len(self._fields) < MOST:
            self._show(Canned(token_hex(4), "", ""))

    async def _save(self, actor: Actor) -> None:
        written = [Canned(key, title.value or "", body.value or "") for key, (title, body) in self._fields.items()]
        await self._canned.save(actor, written)
        ui.notify(self._words["saved"], type="positive")
