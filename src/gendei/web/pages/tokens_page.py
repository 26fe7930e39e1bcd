"""/account/tokens: how programs get in. Who manages makes the clinic's tokens, everybody else their own."""

from datetime import timedelta

from nicegui import ui

from gendei.staff.access.tokens import Token
from gendei.staff.actors import Actor, Right
from gendei.web.pages.account_page import ACCOUNT_PAGES
from gendei.web.pages.acting import acting
from gendei.web.pages.frame import PageContext, staff_page
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import ask_first, button, empty, moment, office, panel, subpages, tag, text, zone_of

LIVES = (30, 90, 365, 0)
"""Days; 0 for without end."""
GIVEN = (Right.READ, Right.WRITE, Right.MANAGE)


@staff_page("/account/tokens", title="own_account")
async def tokens(context: PageContext) -> None:
    words = page_texts("tokens")
    found = await context.site.gendei.staff.tokens.list(context.actor)
    with office(page_texts("account")["title"]):
        subpages(context.actor, "/account/tokens", ACCOUNT_PAGES, "account")
        with panel(words["tokens"], words["tokens_hint"]), ui.element("div").classes("o-list"):
            for one in found:
                _row(context, one)
            if not found:
                empty(words["none"])
        _add(context)


def _row(context: PageContext, token: Token) -> None:
    words, zone = page_texts("tokens"), zone_of(context)

    async def revoke(actor: Actor) -> None:
        await context.site.gendei.staff.tokens.revoke(actor, token.id)
        ui.navigate.reload()

    made = words["made"].format(by=token.created_by, at=moment(token.created_at.astimezone(zone)))
    until = moment(token.expires_at.astimezone(zone)) if token.expires_at else words["no_end"]
    with ui.element("div").classes("o-row"):
        with ui.element("div").classes("o-main o-grow"):
            text("span", token.name, "o-name")
            text("span", f"{made} · {words['until'].format(until=until)}", "g-soft g-small")
        for right in sorted(token.rights):
            tag(words[f"right_{right}"])
        if token.user_id:
            tag(words["of_user"].format(user=token.user_id), "warn")
        question = words["revoke_question"].format(name=token.name)
        label = f"{words['revoke']}: {token.name}"
        button(words["revoke"], ask_first(question, words["revoke"], acting(revoke)), label=label)


def _add(context: PageContext) -> None:
    words, all_tokens = page_texts("tokens"), context.site.gendei.staff.tokens
    may_give = [right for right in GIVEN if context.actor.may(right)]

    async def add(actor: Actor) -> None:
        rights = [right for right, box in boxes.items() if box.value]
        if not rights or not (name.value or "").strip():
            ui.notify(words["incomplete"], type="negative")
            return
        expires_at = all_tokens.now() + timedelta(days=lives.value) if lives.value else None
        own = not actor.may(Right.MANAGE)
        _, secret = await all_tokens.add(actor, name.value, rights, expires_at=expires_at, user=actor if own else None)
        _tell(secret)

    with panel(words["add_token"], words["add_hint"]):
        with ui.element("div").classes("o-fields"):
            name = ui.input(words["name"]).props("outlined dense maxlength=80")
            lives = ui.select({days: words[f"days_{days}"] for days in LIVES}, label=words["lives"], value=LIVES[1])
            lives.props("outlined dense options-dense")
        with ui.element("div").classes("o-head"):
            boxes = {right: ui.checkbox(words[f"right_{right}"], value=right is Right.READ) for right in may_give}
        with ui.element("div").classes("o-actions"):
            button(words["add"], acting(add), kind="unelevated color=primary")


def _tell(secret: str) -> None:
    """The token, this once."""
    words = page_texts("tokens")

    async def done() -> None:
        dialog.close()

    with ui.dialog() as dialog, ui.card().classes("o-dialog"):
        text("h2", words["made_now"], "o-h2")
        text("code", secret, "o-mono o-box")
        text("p", words["once"], "g-soft g-small")
        with ui.element("div").classes("o-actions"):
            button(words["done"], done, kind="unelevated color=primary")
    dialog.on("hide", ui.navigate.reload, args=[])
    dialog.open()
