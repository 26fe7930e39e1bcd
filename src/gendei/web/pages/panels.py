"""The parts that the office's pages are made of: patients, numbers, operation, accounts, audit."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Protocol
from zoneinfo import ZoneInfo

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from gendei.staff.actors import Actor, Right
from gendei.web.pages.frame import asset
from gendei.web.pages.page_texts import PageTexts
from gendei.web.pages.sheets import Handler
from gendei.web.pages.site import PageContext

BRASILIA = ZoneInfo("America/Sao_Paulo")
"""For who is at no clinic."""

Subpage = tuple[str, str, Right | None]
"""Key of its name, address, and the right that it takes, None for none."""


def office(title: str = "", hint: str = "", *, narrow: bool = False) -> ui.element:
    """The page's column, with its heading where it has no other; what is built inside of it stands below."""
    ui.add_head_html(f'<link rel="stylesheet" href="{asset("office.css")}">')
    column = ui.element("div").classes("g-page" + (" o-narrow" if narrow else ""))
    with column:
        if title:
            text("h1", title, "g-title o-h1")
        if hint:
            text("p", hint, "g-soft o-hint")
    return column


def text(tag: str, words: str, classes: str = "") -> TextElement:
    """An HTML element with `words` in it, as they are: nothing in them is markup."""
    return TextElement(tag=tag, text=words).classes(classes)


def panel(title: str, hint: str = "") -> ui.element:
    """A card with a heading; what is built inside of it stands below."""
    card = ui.element("section").classes("g-card o-panel")
    card.props["aria-label"] = title
    with card:
        text("h2", title, "o-h2")
        if hint:
            text("p", hint, "g-soft g-small o-hint")
    return card


@contextmanager
def entry(name: str, *soft: str, plain: Sequence[str] = (), link: str = "") -> Iterator[ui.element]:
    """One entry of a list: its name, soft lines below it, then `plain` ones; what is built inside stands behind.
    Empty lines are left out. `link`: where the whole entry leads."""
    with (ui.link(target=link) if link else ui.element("div")).classes("o-row") as place:
        with ui.element("div").classes("o-main o-grow"):
            text("span", name, "o-name")
            for line in filter(None, soft):
                text("span", line, "g-soft g-small")
            for line in filter(None, plain):
                text("span", line, "g-small")
        yield place


def facts(pairs: Iterable[tuple[str, str]]) -> None:
    """Names and values."""
    with ui.element("dl").classes("o-facts"):
        for name, value in pairs:
            text("dt", name)
            text("dd", value)


def tag(words: str, kind: str = "") -> None:
    """A short word in colour; `kind`: "good", "warn", "bad" or "" for the house's."""
    text("span", words, f"g-tag g-tag-{kind}" if kind else "g-tag")


def empty(words: str, link: tuple[str, str] | None = None) -> None:
    """Say that there is nothing, and what to do next; `link`: its name and address."""
    with ui.element("div").classes("o-empty"):
        text("p", words)
        if link:
            ui.link(*link).classes("o-link")


def subpages(actor: Actor, current: str, pages: Sequence[Subpage], texts: PageTexts) -> None:
    """The pages of one errand, beside each other; `texts`: of their names."""
    with ui.element("nav").classes("o-tabs").props(f'aria-label="{texts["subpages"]}"'):
        for key, path, right in pages:
            if right is None or actor.may(right):
                here = path == current
                ui.link(texts[key], path).classes("g-here" if here else "").props('aria-current="page"' * here)


def button(words: str, on_click: Handler, *, kind: str = "flat", label: str = "") -> ui.button:
    """A button; `kind` in Quasar's words; `label`: what it is called where `words` alone do not tell."""
    made = ui.button(words, on_click=on_click).props(f"{kind} no-caps dense padding='4px 12px'").classes("o-button")
    if label:
        made.props["aria-label"] = label
    return made


class Named(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...


def names(things: Iterable[Named]) -> dict[str, str]:
    """Names by their ids, as a select offers them."""
    return {thing.id: thing.name for thing in things}


def zone_of(context: PageContext) -> ZoneInfo:
    """In which zone moments are shown."""
    return context.clinic.timezone if context.clinic else BRASILIA


def moment(at: datetime) -> str:
    """A moment of the zone that it is in, as "23/11/2026 09:00"."""
    return f"{at:%d/%m/%Y %H:%M}"
