"""/account/tokens: how programs get in. Who manages makes the clinic's tokens, everybody else their own."""

from datetime import timedelta

from nicegui import ui

from gendei.staff.access.tokens import Token
from gendei.staff.actors import Actor, Right
from gendei.web.pages.account_page import account_office
from gendei.web.pages.acting import acting, tell, then_reload
from gendei.web.pages.frame import staff_page
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import button, empty, moment, panel, tag, text, zone_of
from gendei.web.pages.sheets import Sheet, ask_first
from gendei.web.pages.site import PageContext

TEXTS = page_texts("tokens")

LIVES = (30, 90, 365, 0)
"""Days; 0 for without end."""
GIVEN = (Right.READ, Right.WRITE, Right.MANAGE)


@staff_page("/account/tokens", title="own_account")
async def tokens(context: PageContext) -> None:
    found = await context.gendei.staff.tokens.list(context.actor)
    with account_office(context, "/account/tokens"):
        with panel(TEXTS["tokens"], TEXTS["tokens_hint"]), ui.element("div").classes("o-list"):
            for token in found:
                _row(context, token)
            if not found:
                empty(TEXTS["none"])
        _add(context)


def _row(context: PageContext, token: Token) -> None:
    zone = zone_of(context)

    made = TEXTS("made", by=token.created_by, at=moment(token.created_at.astimezone(zone)))
    until = moment(token.expires_at.astimezone(zone)) if token.expires_at else TEXTS["no_end"]
    with ui.element("div").classes("o-row"):
        with ui.element("div").classes("o-main o-grow"):
            text("span", token.name, "o-name")
            text("span", f"{made} · {TEXTS('until', until=until)}", "g-soft g-small")
        for right in sorted(token.rights):
            tag(TEXTS[f"right_{right}"])
        if token.user_id:
            tag(TEXTS("of_user", user=token.user_id), "warn")
        question = TEXTS("revoke_question", name=token.name)
        label = f"{TEXTS['revoke']}: {token.name}"
        button(
            TEXTS["revoke"],
            ask_first(question, TEXTS["revoke"], then_reload(context.gendei.staff.tokens.revoke, token.id)),
            label=label,
        )


def _add(context: PageContext) -> None:
    all_tokens = context.gendei.staff.tokens
    may_give = [right for right in GIVEN if context.actor.may(right)]

    async def add(actor: Actor) -> None:
        rights = [right for right, box in boxes.items() if box.value]
        if not rights or not (name.value or "").strip():
            tell(ui.context.client, TEXTS["incomplete"], good=False)
            return
        expires_at = all_tokens.now() + timedelta(days=lives.value) if lives.value else None
        own = not actor.may(Right.MANAGE)
        _, secret = await all_tokens.add(actor, name.value, rights, expires_at=expires_at, user=actor if own else None)
        _tell(secret)

    with panel(TEXTS["add_token"], TEXTS["add_hint"]):
        with ui.element("div").classes("o-fields"):
            name = ui.input(TEXTS["name"]).props("outlined dense maxlength=80")
            lives = ui.select({days: TEXTS[f"days_{days}"] for days in LIVES}, label=TEXTS["lives"], value=LIVES[1])
            lives.props("outlined dense options-dense")
        with ui.element("div").classes("o-head"):
            boxes = {right: ui.checkbox(TEXTS[f"right_{right}"], value=right is Right.READ) for right in may_give}
        with ui.element("div").classes("o-actions"):
            button(TEXTS["add"], acting(add), kind="unelevated color=primary")


def _tell(secret: str) -> None:
    """The token, this once."""
    sheet = Sheet(TEXTS["made_now"], ui.navigate.reload)
    with sheet.body:
        text("code", secret, "o-mono o-box")
        text("p", TEXTS["once"], "g-soft g-small")
    sheet.leave_button(TEXTS["done"])
