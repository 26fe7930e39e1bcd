"""The users of a clinic, or of all for who operates: listed, added, changed, kept out, let in again."""

from secrets import choice

from nicegui import ui

from gendei.commands import access
from gendei.staff.access.users import User
from gendei.staff.actors import NO_CLINIC, Actor, Right, Role
from gendei.staff.inbox.rows import fold
from gendei.web.pages.account_page import account_office
from gendei.web.pages.acting import acting, operate, operating
from gendei.web.pages.frame import staff_page
from gendei.web.pages.operator_page import operator_office
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import button, empty, entry, facts, panel, tag, text
from gendei.web.pages.sheets import Handler, Sheet, ask_first
from gendei.web.pages.site import PageContext

TEXTS = page_texts("people")

READABLE = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without what looks alike."""


async def show_people(context: PageContext) -> None:
    """Raises Forbidden for who may not see them."""
    listed = await context.gendei.staff.accounts.list(context.actor)
    users = sorted(listed, key=lambda user: (fold(user.name), user.id))
    with panel(TEXTS["users"], TEXTS["users_hint"]), ui.element("div").classes("o-list"):
        for user in users:
            _row(context, user)
        if not users:
            empty(TEXTS["nobody"])
    _add(context)


def first_password() -> str:
    """One that can be read out: 60 random bits, in groups."""
    return "-".join("".join(choice(READABLE) for _ in range(4)) for _ in range(3))


def _row(context: PageContext, user: User) -> None:
    where = "" if user.clinic_id in {NO_CLINIC, context.actor.clinic_id} else f" · {user.clinic_id}"
    with entry(user.name, f"{user.address}{where}") as place:
        place.props["role"], place.props["aria-label"] = "group", user.name
        tag(TEXTS[f"role_{user.role}"])
        if user.totp is not None:
            tag(TEXTS["with_code"], "good")
        if user.disabled:
            tag(TEXTS["disabled"], "bad")
        if user.id == context.actor.user_id:
            tag(TEXTS["you"], "good")
        else:
            _actions(context, user)


def _actions(context: PageContext, user: User) -> None:
    of_user = access.OfUser(email=user.id)
    other = Role.ATENDENTE if user.role is Role.GESTOR else Role.GESTOR

    async def reset(actor: Actor) -> None:
        password = first_password()
        given = access.SetPassword(email=user.id, password=password)
        await operate(actor, context.gendei, access.SET_PASSWORD, given)
        _tell(TEXTS["new_password"], user, password)

    def asked(key: str, act: Handler) -> None:
        question = TEXTS(f"{key}_question", name=user.name)
        button(TEXTS[key], ask_first(question, TEXTS[key], act), label=f"{TEXTS[key]}: {user.name}")

    with ui.element("div").classes("o-actions"):
        if user.role is not Role.OPERADOR:
            given = access.SetRole(email=user.id, role=other)
            asked(f"make_{other}", operating(context, access.SET_ROLE, given))
        asked("reset", acting(reset))
        if user.totp is not None:
            asked("code_off", operating(context, access.REMOVE_TOTP, of_user))
        if user.disabled:
            label = f"{TEXTS['enable']}: {user.name}"
            button(TEXTS["enable"], operating(context, access.ENABLE_USER, of_user), label=label)
        else:
            asked("disable", operating(context, access.DISABLE_USER, of_user))


def _add(context: PageContext) -> None:
    roles = [Role.OPERADOR] if context.actor.clinic_id == NO_CLINIC else [Role.ATENDENTE, Role.GESTOR]

    async def add(actor: Actor) -> None:
        password = first_password()
        given = access.AddUser(email=email.value or "", name=name.value or "", role=Role(role.value), password=password)
        user = await operate(actor, context.gendei, access.ADD_USER, given)
        _tell(TEXTS["added"], user, password)

    with panel(TEXTS["add_user"], TEXTS["add_hint"] if len(roles) > 1 else TEXTS["add_operator_hint"]):
        with ui.element("div").classes("o-fields"):
            name = ui.input(TEXTS["name"]).props("outlined dense maxlength=80")
            email = ui.input(TEXTS["email"]).props("outlined dense type=email maxlength=254")
            role = ui.select(
                {str(role): TEXTS[f"role_{role}"] for role in roles}, label=TEXTS["role"], value=str(roles[0])
            )
            role.props("outlined dense options-dense")
        with ui.element("div").classes("o-actions"):
            button(TEXTS["add"], acting(add), kind="unelevated color=primary")


def _tell(title: str, user: User, password: str) -> None:
    """Show the password that is to be handed to the user, this once."""
    sheet = Sheet(title, ui.navigate.reload)
    with sheet.body:
        facts([(TEXTS["email"], user.address)])
        text("code", password, "o-mono o-box")
        text("p", TEXTS["hand_over"], "g-soft g-small")
    sheet.leave_button(TEXTS["done"])


@staff_page("/account/team", title="own_account", right=Right.MANAGE)
async def team(context: PageContext) -> None:
    with account_office(context, "/account/team"):
        await show_people(context)


@staff_page("/operator/users", title="operator", right=Right.OPERATE)
async def users(context: PageContext) -> None:
    with operator_office(context, "/operator/users"):
        await show_people(context)
