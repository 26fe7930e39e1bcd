"""The users of a clinic, or of all for who operates: listed, added, changed, kept out, let in again."""

from secrets import choice

from nicegui import ui

from gendei.staff.access.users import User
from gendei.staff.actors import NO_CLINIC, Actor, Right, Role
from gendei.web.pages.account_page import ACCOUNT_PAGES
from gendei.web.pages.acting import acting
from gendei.web.pages.frame import PageContext, staff_page
from gendei.web.pages.operators.page import OPERATOR_PAGES
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import Handler, ask_first, button, empty, facts, office, panel, subpages, tag, text

READABLE = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without what looks alike."""


async def show_people(context: PageContext) -> None:
    """Raises Forbidden for who may not see them."""
    words = page_texts("people")
    users = await context.site.gendei.staff.accounts.list(context.actor)
    with panel(words["users"], words["users_hint"]), ui.element("div").classes("o-list"):
        for user in users:
            _row(context, user)
        if not users:
            empty(words["nobody"])
    _add(context)


def first_password() -> str:
    """One that can be read out: 60 random bits, in groups."""
    return "-".join("".join(choice(READABLE) for _ in range(4)) for _ in range(3))


def _row(context: PageContext, user: User) -> None:
    words = page_texts("people")
    with ui.element("div").classes("o-row").props('role="group"') as row:
        row.props["aria-label"] = user.name
        with ui.element("div").classes("o-main o-grow"):
            text("span", user.name, "o-name")
            where = "" if user.clinic_id in {NO_CLINIC, context.actor.clinic_id} else f" · {user.clinic_id}"
            text("span", f"{user.address}{where}", "g-soft g-small")
        tag(words[f"role_{user.role}"])
        if user.totp is not None:
            tag(words["with_code"], "good")
        if user.disabled:
            tag(words["disabled"], "bad")
        if user.id == context.actor.user_id:
            tag(words["you"], "good")
        else:
            _deeds(context, user)


def _deeds(context: PageContext, user: User) -> None:
    words, accounts = page_texts("people"), context.site.gendei.staff.accounts

    other = Role.ATENDENTE if user.role is Role.GESTOR else Role.GESTOR

    async def set_role(actor: Actor) -> None:
        await accounts.set_role(actor, user.id, other)
        ui.navigate.reload()

    async def disable(actor: Actor) -> None:
        await accounts.disable(actor, user.id)
        ui.navigate.reload()

    async def enable(actor: Actor) -> None:
        await accounts.enable(actor, user.id)
        ui.navigate.reload()

    async def reset(actor: Actor) -> None:
        password = first_password()
        await accounts.set_password(actor, user.id, password)
        _tell(words["new_password"], user, password)

    async def without_code(actor: Actor) -> None:
        await accounts.remove_totp(actor, user.id)
        ui.navigate.reload()

    def asked(key: str, deed: Handler) -> None:
        question = words[f"{key}_question"].format(name=user.name)
        button(words[key], ask_first(question, words[key], deed), label=f"{words[key]}: {user.name}")

    with ui.element("div").classes("o-actions"):
        if user.role is not Role.OPERADOR:
            asked(f"make_{other}", acting(set_role))
        asked("reset", acting(reset))
        if user.totp is not None:
            asked("code_off", acting(without_code))
        if user.disabled:
            button(words["enable"], acting(enable), label=f"{words['enable']}: {user.name}")
        else:
            asked("disable", acting(disable))


def _add(context: PageContext) -> None:
    words, accounts = page_texts("people"), context.site.gendei.staff.accounts
    roles = [Role.OPERADOR] if context.actor.clinic_id == NO_CLINIC else [Role.ATENDENTE, Role.GESTOR]

    async def add(actor: Actor) -> None:
        password = first_password()
        user = await accounts.add(actor, email.value or "", name.value or "", Role(role.value), password)
        _tell(words["added"], user, password)

    with panel(words["add_user"], words["add_hint"] if len(roles) > 1 else words["add_operator_hint"]):
        with ui.element("div").classes("o-fields"):
            name = ui.input(words["name"]).props("outlined dense maxlength=80")
            email = ui.input(words["email"]).props("outlined dense type=email maxlength=254")
            role = ui.select(
                {str(one): words[f"role_{one}"] for one in roles}, label=words["role"], value=str(roles[0])
            )
            role.props("outlined dense options-dense")
        with ui.element("div").classes("o-actions"):
            button(words["add"], acting(add), kind="unelevated color=primary")


def _tell(title: str, user: User, password: str) -> None:
    """What is to be handed to the user, this once."""
    words = page_texts("people")

    async def done() -> None:
        dialog.close()

    with ui.dialog() as dialog, ui.card().classes("o-dialog"):
        text("h2", title, "o-h2")
        facts([(words["email"], user.address)])
        text("code", password, "o-mono o-box")
        text("p", words["hand_over"], "g-soft g-small")
        with ui.element("div").classes("o-actions"):
            button(words["done"], done, kind="unelevated color=primary")
    dialog.on("hide", ui.navigate.reload, args=[])
    dialog.open()


@staff_page("/account/team", title="own_account", right=Right.MANAGE)
async def team(context: PageContext) -> None:
    with office(page_texts("account")["title"]):
        subpages(context.actor, "/account/team", ACCOUNT_PAGES, "account")
        await show_people(context)


@staff_page("/operator/users", title="operator", right=Right.OPERATE)
async def users(context: PageContext) -> None:
    with office(page_texts("operator")["title"]):
        subpages(context.actor, "/operator/users", OPERATOR_PAGES, "operator")
        await show_people(context)
