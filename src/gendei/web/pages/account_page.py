"""/account: one's own password, second factor and open sessions."""

from collections.abc import Sequence

import segno
from nicegui import ui

from gendei.staff.access.sessions import Session
from gendei.staff.access.totp import new_totp_secret, totp_uri
from gendei.staff.access.users import User
from gendei.staff.actors import Actor, Right
from gendei.web.pages.acting import acting, tell, then_reload
from gendei.web.pages.frame import staff_page
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import (
    Subpage,
    button,
    facts,
    moment,
    office,
    panel,
    subpages,
    tag,
    text,
    zone_of,
)
from gendei.web.pages.site import PageContext
from gendei.web.proxies import client_of

TEXTS = page_texts("account")

ACCOUNT_PAGES: tuple[Subpage, ...] = (
    ("own", "/account", None),
    ("team", "/account/team", Right.MANAGE),
    ("tokens", "/account/tokens", Right.READ),
    ("replies", "/account/replies", Right.MANAGE),
    ("audit", "/audit", Right.MANAGE),
)
GROUP = 4
"""Characters of the secret that stand together, for who types it."""
PASSWORD = "outlined dense type=password maxlength=200"  # noqa: S105  # how a field looks


def account_office(context: PageContext, path: str) -> ui.element:
    """The column of one of the account's pages, with the ways to the others; what is built inside stands below."""
    column = office(TEXTS["title"])
    with column:
        subpages(context.actor, path, ACCOUNT_PAGES, TEXTS)
    return column


@staff_page("/account", title="own_account", right=None)
async def account(context: PageContext) -> None:
    staff = context.gendei.staff
    user = await staff.accounts.own(context.actor)
    sessions = await staff.sessions.of_user(context.actor, user.id)
    with account_office(context, "/account"), ui.element("div").classes("o-columns"):
        with ui.element("div").classes("o-stack"):
            _who(context, user)
            _password(context)
        with ui.element("div").classes("o-stack"):
            _second_factor(context, user)
            _sessions(context, sessions)


def _who(context: PageContext, user: User) -> None:
    with panel(TEXTS["you"]):
        clinic = context.clinic.name if context.clinic else TEXTS["no_clinic"]
        facts(
            [
                (TEXTS["name"], user.name),
                (TEXTS["email"], user.address),
                (TEXTS["role"], TEXTS[f"role_{user.role}"]),
                (TEXTS["clinic"], clinic),
            ]
        )


def _password(context: PageContext) -> None:
    accounts = context.gendei.staff.accounts

    async def change(actor: Actor) -> None:
        if new.value != again.value:
            tell(ui.context.client, TEXTS["not_the_same"], good=False)
            return
        await accounts.change_own_password(actor, present.value, new.value, _address())
        await _sign_in_again(context)

    with panel(TEXTS["password"], TEXTS["password_hint"]):
        present = ui.input(TEXTS["present_password"]).props(f"{PASSWORD} autocomplete=current-password")
        new = ui.input(TEXTS["new_password"]).props(f"{PASSWORD} autocomplete=new-password")
        again = ui.input(TEXTS["new_again"]).props(f"{PASSWORD} autocomplete=new-password")
        with ui.element("div").classes("o-actions"):
            button(TEXTS["change_password"], acting(change), kind="unelevated color=primary")


def _second_factor(context: PageContext, user: User) -> None:
    accounts = context.gendei.staff.accounts

    async def remove(actor: Actor) -> None:
        await accounts.remove_own_totp(actor, password.value, _address())
        await _sign_in_again(context)

    async def begin(_: Actor) -> None:
        setting_up.clear()
        with setting_up:
            _set_up(context, user)

    with panel(TEXTS["second_factor"], TEXTS["second_factor_hint"]):
        if user.totp is None:
            setting_up = ui.element("div").classes("o-stack")
            with setting_up, ui.element("div").classes("o-actions o-actions-start"):
                button(TEXTS["set_up"], acting(begin), kind="unelevated color=primary")
        else:
            with ui.element("div").classes("o-head"):
                tag(TEXTS["is_on"], "good")
            password = ui.input(TEXTS["present_password"]).props(f"{PASSWORD} autocomplete=current-password")
            with ui.element("div").classes("o-actions"):
                button(TEXTS["turn_off"], acting(remove), kind="flat color=negative")


def _set_up(context: PageContext, user: User) -> None:
    """The new secret, as what authenticator programs take, and the code that shows that one has it."""
    accounts, secret = context.gendei.staff.accounts, new_totp_secret()

    async def confirm(actor: Actor) -> None:
        await accounts.set_own_totp(actor, password.value, secret, code.value, _address())
        await _sign_in_again(context)

    address = totp_uri(secret, user.address)
    text("p", TEXTS["scan"])
    picture = ui.html(qr_code(address), sanitize=False).classes("o-qr").props("role=img")
    picture.props["aria-label"] = TEXTS["qr_code"]
    text("p", TEXTS["type_in"])
    text("code", grouped(secret), "o-mono o-box")
    ui.link(TEXTS["on_this_phone"], address).classes("o-link")
    code = ui.input(TEXTS["code"]).props(
        "outlined dense maxlength=7 input-style='letter-spacing: .2em' inputmode=numeric autocomplete=one-time-code"
    )
    password = ui.input(TEXTS["present_password"]).props(f"{PASSWORD} autocomplete=current-password")
    with ui.element("div").classes("o-actions"):
        button(TEXTS["turn_on"], acting(confirm), kind="unelevated color=primary")


def _sessions(context: PageContext, sessions: Sequence[Session]) -> None:
    own = context.gendei.staff.sessions

    with panel(TEXTS["sessions"], TEXTS["sessions_hint"]), ui.element("div").classes("o-list"):
        for session in sessions:
            with ui.element("div").classes("o-row"):
                with ui.element("div").classes("o-main o-grow"):
                    text("span", browser_of(session.agent), "o-name")
                    text(
                        "span",
                        TEXTS("seen", at=moment(session.seen_at.astimezone(zone_of(context)))),
                        "g-soft g-small",
                    )
                if session.id == context.session.id:
                    tag(TEXTS["this_one"], "good")
                else:
                    label = TEXTS("end_session_of", browser=browser_of(session.agent))
                    button(
                        TEXTS["end_session"],
                        then_reload(own.revoke, session.id),
                        kind="flat color=negative",
                        label=label,
                    )


async def _sign_in_again(context: PageContext) -> None:
    """What was changed ended every session, and this one is over at once, not within seconds."""
    await context.gendei.staff.sessions.end(context.session)
    ui.navigate.to("/login?next=/account")


def _address() -> str:
    return client_of(ui.context.client.request)


def qr_code(address: str) -> str:
    """`address` as an SVG that holds nothing but shapes: dark on white in any theme, as cameras want it, with the
    margin of four modules that ISO/IEC 18004 asks for."""
    return segno.make(address, error="m", micro=False).svg_inline(border=4, dark="#000", light="#fff", omitsize=True)


def grouped(secret: str) -> str:
    """The secret in groups of GROUP; programs take it with the spaces."""
    return " ".join(secret[start : start + GROUP] for start in range(0, len(secret), GROUP))


BROWSERS = (("Edg/", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"), ("Safari/", "Safari"))
SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS", "macOS"),
    ("Linux", "Linux"),
)
"""The first that is found: most browsers also call themselves by the names that come later."""


def browser_of(agent: str) -> str:
    """From a User-Agent: "Chrome · Windows". What is unknown is said to be."""
    known = [next((name for mark, name in names if mark in agent), "") for names in (BROWSERS, SYSTEMS)]
    return " · ".join(filter(None, known)) or TEXTS["unknown_browser"]
