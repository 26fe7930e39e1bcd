"""/account: one's own password, second factor and sessions; tokens of programs; canned replies."""

from collections.abc import Sequence

import segno
from nicegui import ui

from gendei.commands import access
from gendei.commands.access import Scope
from gendei.staff.access.sessions import Session
from gendei.staff.access.tokens import Token
from gendei.staff.access.totp import new_totp_secret, totp_uri
from gendei.staff.access.users import User
from gendei.staff.actors import Actor, Right
from gendei.web.pages.acting import acting, operate, operating, tell, then_reload
from gendei.web.pages.canned import TEXTS as REPLIES
from gendei.web.pages.canned import CannedEditor
from gendei.web.pages.frame import staff_page
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import (
    Subpage,
    button,
    empty,
    entry,
    facts,
    moment,
    office,
    panel,
    subpages,
    tag,
    text,
    zone_of,
)
from gendei.web.pages.sheets import Sheet, ask_first
from gendei.web.pages.site import PageContext
from gendei.web.proxies import client_of

TEXTS, TOKENS = page_texts("account"), page_texts("tokens")

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
            browser, seen = browser_of(session.agent), moment(session.seen_at.astimezone(zone_of(context)))
            with entry(browser, TEXTS("seen", at=seen)):
                if session.id == context.session.id:
                    tag(TEXTS["this_one"], "good")
                else:
                    end, label = then_reload(own.revoke, session.id), TEXTS("end_session_of", browser=browser)
                    button(TEXTS["end_session"], end, kind="flat color=negative", label=label)


async def _sign_in_again(context: PageContext) -> None:
    """End this session at once: the change has ended all others, which takes seconds."""
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


LIVES = (30, 90, 365, 0)
"""Days; 0 for without end."""


@staff_page("/account/tokens", title="own_account")
async def tokens(context: PageContext) -> None:
    found = await context.gendei.staff.tokens.list(context.actor)
    with account_office(context, "/account/tokens"):
        with panel(TOKENS["tokens"], TOKENS["tokens_hint"]), ui.element("div").classes("o-list"):
            for token in found:
                _row(context, token)
            if not found:
                empty(TOKENS["none"])
        _add(context)


def _row(context: PageContext, token: Token) -> None:
    zone = zone_of(context)
    made = TOKENS("made", by=token.created_by, at=moment(token.created_at.astimezone(zone)))
    until = moment(token.expires_at.astimezone(zone)) if token.expires_at else TOKENS["no_end"]
    revoke = operating(context, access.REVOKE_TOKEN, access.RevokeToken(token=token.id))
    with entry(token.name, f"{made} · {TOKENS('until', until=until)}"):
        for right in sorted(token.rights):
            tag(TOKENS[f"right_{right}"])
        if token.user_id:
            tag(TOKENS("of_user", user=token.user_id), "warn")
        question = TOKENS("revoke_question", name=token.name)
        label = f"{TOKENS['revoke']}: {token.name}"
        button(TOKENS["revoke"], ask_first(question, TOKENS["revoke"], revoke), label=label)


def _add(context: PageContext) -> None:
    may_give = [scope for scope in Scope if context.actor.may(Right(scope))]

    async def add(actor: Actor) -> None:
        scopes = [scope for scope, box in boxes.items() if box.value]
        if not scopes or not (name.value or "").strip():
            tell(ui.context.client, TOKENS["incomplete"], good=False)
            return
        whose = "" if actor.may(Right.MANAGE) else actor.user_id
        given = access.AddToken(name=name.value, scope=scopes, days=lives.value, user=whose)
        _tell((await operate(actor, context.gendei, access.ADD_TOKEN, given))[1])

    with panel(TOKENS["add_token"], TOKENS["add_hint"]):
        with ui.element("div").classes("o-fields"):
            name = ui.input(TOKENS["name"]).props("outlined dense maxlength=80")
            lives = ui.select({days: TOKENS[f"days_{days}"] for days in LIVES}, label=TOKENS["lives"], value=LIVES[1])
            lives.props("outlined dense options-dense")
        with ui.element("div").classes("o-head"):
            boxes = {scope: ui.checkbox(TOKENS[f"right_{scope}"], value=scope is Scope.READ) for scope in may_give}
        with ui.element("div").classes("o-actions"):
            button(TOKENS["add"], acting(add), kind="unelevated color=primary")


def _tell(secret: str) -> None:
    """The token, this once."""
    sheet = Sheet(TOKENS["made_now"], ui.navigate.reload)
    with sheet.body:
        text("code", secret, "o-mono o-box")
        text("p", TOKENS["once"], "g-soft g-small")
    sheet.leave_button(TOKENS["done"])


@staff_page("/account/replies", title="own_account", right=Right.MANAGE)
async def replies(context: PageContext) -> None:
    canned = context.gendei.front_desk.canned
    kept = await canned.list(context.actor)

    async def save(actor: Actor) -> None:
        await canned.save(actor, editor.written)
        tell(ui.context.client, REPLIES["saved"])

    with account_office(context, "/account/replies"), panel(REPLIES["title"], REPLIES["hint"]):
        editor = CannedEditor(kept)
        with ui.element("div").classes("o-actions"):
            button(REPLIES["save"], acting(save), kind="unelevated color=primary")
