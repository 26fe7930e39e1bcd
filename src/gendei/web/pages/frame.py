"""The frame of every staff page: who is signed in, the header with the menu, and the theme.

    @staff_page("/inbox", title="inbox")
    async def inbox(context: PageContext, contact: str = "") -> None:
        ui.label(...)

Whoever is not signed in goes to /login and comes back; whoever lacks the right reads that. The function builds what
stands in the page's middle, and gets path and query parameters like any NiceGUI page.
"""

import inspect
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import cache, wraps
from hashlib import sha256
from pathlib import Path
from typing import Any

from nicegui import ElementFilter, ui
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from gendei.errors import StoreError
from gendei.staff.actors import Actor, Right
from gendei.web.pages.acting import Acting
from gendei.web.pages.assistant_panel import AssistantPanel
from gendei.web.pages.inbox.danger_alert import INBOX, DangerAlert
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.sheets import popup
from gendei.web.pages.signed_in import (
    SignedOut,
    begin_asking,
    present_actor,
    shows,
    sign_in_address,
    turn_out,
)
from gendei.web.pages.site import PageContext, site_in
from gendei.web.pages.tasks.followed import TasksBadge
from gendei.web.sessions import FORM_FIELD, csrf_token, session_of

TEXTS = page_texts("frame")

STATIC = Path(__file__).parent / "static"
MIDDLE = "content"
"""Where the skip link of a page leads."""
FOOT = "foot"
NEW_CLINIC = "/new-clinic"
KEPT_SECONDS = 300.0
"""Longest wait of a page for a browser that lost its connection; then it is built anew, and only drafts come back."""
SESSION_CHECK_SECONDS = 30.0
"""Interval at which an open page looks whether its session has ended."""
MENU: tuple[tuple[str, str, str, Right], ...] = (
    ("inbox", "/inbox", "chat", Right.READ),
    ("agenda", "/agenda", "calendar_month", Right.READ),
    ("patients", "/patients", "group", Right.READ),
    ("tasks", "/tasks", "task_alt", Right.READ),
    ("numbers", "/numbers", "bar_chart", Right.MANAGE),
    ("settings_short", "/settings", "tune", Right.MANAGE),
    ("operator", "/operator", "build", Right.OPERATE),
)
"""Key of its name in texts/frame.yaml, address, icon, and the right that it takes."""

Build = Callable[..., Awaitable[None]]
Page = Callable[..., Awaitable[Response | None]]


def staff_page(path: str, *, title: str, right: Right | None = Right.READ) -> Callable[[Build], Page]:
    """Make a coroutine function of (PageContext, path and query parameters) the page at `path`. `title` is a key of
    texts/frame.yaml; `right` None: for everybody who is signed in."""

    def register(build: Build) -> Page:
        @wraps(build)
        async def guarded(request: Request, **parameters: Any) -> Response | None:
            context = await page_context(request)
            if context is None:
                return RedirectResponse(sign_in_address(request), status_code=303)
            if right is not None and _prepares_clinic(context):
                return RedirectResponse(NEW_CLINIC, status_code=303)
            with page_frame(context, current=path, title=title):
                if right is None or context.actor.may(right):
                    await build(context, **parameters)
                else:
                    ui.label(TEXTS[_why_closed(context)]).classes("g-empty").props('role="heading" aria-level="1"')
            return None

        own = list(inspect.signature(build).parameters.values())[1:]
        asked = inspect.Parameter("request", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Request)
        guarded.__signature__ = inspect.Signature([asked, *own])  # type: ignore[attr-defined]  # what NiceGUI looks at
        guarded.__annotations__ = {parameter.name: parameter.annotation for parameter in (asked, *own)}
        page: Page = ui.page(path, reconnect_timeout=KEPT_SECONDS)(guarded)
        return page

    return register


def _prepares_clinic(context: PageContext) -> bool:
    """Whether it is the manager of a clinic that is a draft yet."""
    return context.clinic is None and context.actor.may(Right.MANAGE)


def _why_closed(context: PageContext) -> str:
    """Key of what is said instead of a page: an operator may open a clinic's once it is chosen."""
    return "choose_clinic" if context.actor.may(Right.OPERATE) and context.clinic is None else "no_access"


def say_page_failed() -> None:
    """Stand in for a page that could not be built; what went wrong is in the log, and no browser's business."""
    begin_page(TEXTS["product"])
    with ui.element("main"), ui.element("div").classes("g-empty").props("role=alert"):
        ui.label(TEXTS["failed"])
        ui.link(TEXTS["try_again"], "").classes("g-link")


async def page_context(request: Request) -> PageContext | None:
    """Return the context of the page that `request` opened; None for who is not signed in."""
    session = await session_of(request)
    if session is None:
        return None
    site, actor = site_in(request.scope), session.actor
    return PageContext(site, session, actor, await site.gendei.directory.get(actor.clinic_id))


def page_frame(context: PageContext, *, current: str, title: str) -> ui.element:
    """Header, menu and theme; what is built inside of it (`with`) stands in the middle."""
    begin_page(TEXTS[title])
    shows(ui.context.client, context.actor.clinic_id)
    begin_asking(ui.context.client)
    ui.timer(SESSION_CHECK_SECONDS, _leave_when_signed_out)
    with ui.element("div").classes("g-shell"):
        ui.link(TEXTS["skip"], f"#{MIDDLE}").classes("g-skip")
        waiting = TasksBadge(Acting(context, context.clinic)) if context.clinic else None
        with ui.element("header").classes("g-header"):
            ui.html(house_icon(), sanitize=False).classes("g-logo")
            ui.label(context.clinic.name if context.clinic else TEXTS["product"]).classes("g-clinic")
            _menu(context.actor, current, "g-menu", waiting)
            if context.clinic and context.actor.may(Right.READ):
                if current != INBOX:
                    DangerAlert(Acting(context, context.clinic), _full_title(TEXTS[title]))
                ui.add_head_html(f'<link rel="stylesheet" href="{asset("assistant.css")}">')
                AssistantPanel(context.gendei.assistant)
            _account(context)
        main = ui.element("main").classes("g-main").props(f"id={MIDDLE} tabindex=-1")
        ui.element("section").classes("g-foot").mark(FOOT).props(f'aria-label="{TEXTS["foot"]}"')
        _menu(context.actor, current, "g-menu g-menu-below", waiting)
    return main


def page_foot() -> ui.element:
    """The bar below the page's middle, empty and unseen at first. It covers nothing of what is scrolled above it."""
    return next(iter(ElementFilter(marker=FOOT)))


def _full_title(title: str) -> str:
    return f"{title} · {TEXTS['product']}"


def begin_page(title: str) -> None:
    """The theme and the title, for a page without the frame."""
    ui.page_title(_full_title(title))
    ui.colors(primary="#0b7a6b", secondary="#3f6f68", accent="#c2621c", positive="#1f8a4c", negative="#c4352b")
    ui.add_head_html(f'<link rel="stylesheet" href="{asset("theme.css")}">')
    ui.add_head_html(f'<script defer src="{asset("frame.js")}" data-loading="{TEXTS["loading"]}"></script>')
    client = ui.context.client
    client.content.classes("g-content")
    if (around := client.content.parent_slot) is not None:
        around.parent.tag = "div"  # NiceGUI's q-page is another <main>


def keep_draft(field: ui.input | ui.textarea, key: str) -> None:
    """Let what is typed into `field` survive that the page is built anew, in this tab. `key` names what it is for:
    the same text must not come up under another patient."""
    field.props["data-draft"] = key


@cache
def asset(name: str) -> str:
    """The address of a file in static/, another one whenever the file changes."""
    return f"/static/{name}?v={sha256((STATIC / name).read_bytes()).hexdigest()[:12]}"


@cache
def house_icon() -> str:
    return (STATIC / "icon.svg").read_text(encoding="utf-8")


def _menu(actor: Actor, current: str, classes: str, waiting: TasksBadge | None) -> None:
    with ui.element("nav").classes(classes).props(f'aria-label="{TEXTS["menu"]}"'):
        for key, path, icon, right in MENU:
            if right in actor.rights:
                here = current == path or current.startswith(f"{path}/")
                with (
                    ui.link(target=path).classes("g-here" if here else "").props('aria-current="page"' if here else "")
                ):
                    ui.icon(icon)
                    ui.label(TEXTS[key])
                    if key == "tasks" and waiting:
                        waiting.place()


def _account(context: PageContext) -> None:
    button = ui.button(icon="account_circle").props(f'flat round aria-label="{TEXTS["account"]}"').classes("g-account")
    with button, popup(TEXTS["account"]):
        ui.label(context.actor.name).classes("g-account-name")
        ui.link(TEXTS["own_account"], "/account").classes("g-account-leave")
        if context.actor.may(Right.READ) and context.clinic:
            ui.link(TEXTS["knowledge"], "/knowledge").classes("g-account-leave")
            ui.link(TEXTS["cases"], "/cases").classes("g-account-leave")
        if context.actor.may(Right.MANAGE) and context.clinic:
            ui.link(TEXTS["settings"], "/settings").classes("g-account-leave")
            ui.link(TEXTS["connect"], "/connect").classes("g-account-leave")
            ui.link(TEXTS["templates"], "/templates").classes("g-account-leave")
            ui.link(TEXTS["campaigns"], "/campaigns").classes("g-account-leave")
            ui.link(TEXTS["payments"], "/payments").classes("g-account-leave")
        if context.actor.may(Right.MANAGE) or context.actor.may(Right.OPERATE):
            ui.link(TEXTS["audit"], "/audit").classes("g-account-leave")
        with ui.element("form").props('method="post" action="/session/end"'):
            token = csrf_token(ui.context.client.request, context.session)
            ui.element("input").props(f'type="hidden" name="{FORM_FIELD}" value="{token}"')
            with ui.element("button").props('type="submit"').classes("g-account-leave"):
                ui.label(TEXTS["sign_out"])


async def _leave_when_signed_out() -> None:
    """Turn out a page whose session has ended; without an answer of the store, the next look decides."""
    client = ui.context.client
    try:
        with suppress(StoreError):
            await present_actor(client, is_use=False)
    except SignedOut:
        turn_out(client)
