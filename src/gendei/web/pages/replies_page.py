"""/account/replies: the clinic's canned replies, for who manages it."""

from nicegui import ui

from gendei.staff.actors import Actor, Right
from gendei.web.pages.account_page import account_office
from gendei.web.pages.acting import acting, tell
from gendei.web.pages.canned import TEXTS, CannedEditor
from gendei.web.pages.frame import staff_page
from gendei.web.pages.panels import button, panel
from gendei.web.pages.site import PageContext


@staff_page("/account/replies", title="own_account", right=Right.MANAGE)
async def replies(context: PageContext) -> None:
    canned = context.gendei.front_desk.canned
    kept = await canned.list(context.actor)

    async def save(actor: Actor) -> None:
        await canned.save(actor, editor.written)
        tell(ui.context.client, TEXTS["saved"])

    with account_office(context, "/account/replies"), panel(TEXTS["title"], TEXTS["hint"]):
        editor = CannedEditor(kept)
        with ui.element("div").classes("o-actions"):
            button(TEXTS["save"], acting(save), kind="unelevated color=primary")
