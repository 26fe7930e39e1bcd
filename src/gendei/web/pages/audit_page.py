"""/audit: who did what, and when; page by page, the newest first. For who manages a clinic, and who operates."""

from contextlib import suppress
from datetime import date, datetime
from typing import Any
from urllib.parse import quote, urlencode
from zoneinfo import ZoneInfo

from nicegui import ui

from gendei.documents import Data
from gendei.staff.actors import Actor
from gendei.staff.audit import PAGE, Action, AuditEntry
from gendei.staff.audit_view import OF_OTHERS, AuditView, AuditWish, Named
from gendei.web.pages.account_page import ACCOUNT_PAGES
from gendei.web.pages.account_page import TEXTS as ACCOUNT_TEXTS
from gendei.web.pages.acting import acting, agenda_texts
from gendei.web.pages.frame import staff_page
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import button, empty, moment, office, panel, subpages, text, zone_of
from gendei.web.pages.phones import address_text
from gendei.web.pages.site import PageContext

TEXTS = page_texts("audit")

ANY = ""
LONGEST, LONGEST_ID = 40, 12
"""Of what is shown of a subject, and of what is left of a longer one, as `gendei tokens list` shows it."""


@staff_page("/audit", title="audit", right=None)
async def audit(context: PageContext, subject: str = "") -> None:
    with office(TEXTS["title"], TEXTS["hint"] if context.clinic else TEXTS["operation_hint"]):
        if not context.actor.may(context.actor.managing):
            empty(page_texts("frame")["no_access"])
            return
        if context.clinic:
            subpages(context.actor, "/audit", ACCOUNT_PAGES, ACCOUNT_TEXTS)
        await Search(context, subject).begin()


def shown(subject: str) -> str:
    """An id as far as people compare it."""
    return subject if len(subject) <= LONGEST else f"{subject[:LONGEST_ID]}…"


def address_of(entry: AuditEntry, zone: ZoneInfo) -> str:
    """Return the address of the page that shows the entry's subject; "" where no page does. `zone`: the clinic's."""
    match entry.action.partition(".")[0]:
        case "conversation":
            return f"/inbox?{urlencode({'contact': entry.subject})}"
        case "patient":
            return f"/patients/{quote(entry.subject, safe='')}"
        case "appointment" if "start" in entry.detail:
            day, who = entry.detail["start"].astimezone(zone), entry.detail["professionalId"]
            return f"/agenda?{urlencode({'day': f'{day:%Y-%m-%d}', 'professional': who})}"
        case "task":
            return "/tasks"
        case _:
            return ""


def _day_of(text: str | None) -> date | None:
    """What a field of days holds; None for anything else."""
    with suppress(ValueError):
        return date.fromisoformat(text or "")
    return None


class Search:
    """The fields, and what was found so far."""

    def __init__(self, context: PageContext, subject: str) -> None:
        gendei = context.gendei
        self._context, self._names = context, dict[Named, str]()
        self._audit = AuditView(gendei.documents, gendei.staff.audit, gendei.staff.accounts, gendei.front_desk.patients)
        self._last: AuditEntry | None = None
        actions = {ANY: TEXTS["any"]} | {str(action): TEXTS.get(action, action) for action in Action}
        with panel(TEXTS["search"]):
            with ui.element("div").classes("o-fields"):
                self._user = ui.input(TEXTS["user"]).props("outlined dense clearable maxlength=254")
                self._action = ui.select(actions, label=TEXTS["deed"], value=ANY).props("outlined dense options-dense")
                self._subject = ui.input(TEXTS["subject_of"], value=subject).props(
                    "outlined dense clearable maxlength=200"
                )
                with ui.element("div").classes("o-two"):
                    self._first, self._last_day = (
                        ui.input(TEXTS[name]).props("outlined dense stack-label type=date")
                        for name in ("first", "last")
                    )
            with ui.element("div").classes("o-actions"):
                button(TEXTS["find"], acting(self._find), kind="unelevated color=primary")
        with panel(TEXTS["found"]), ui.element("div").classes("o-scroll").props("tabindex=0"):
            with ui.element("table").classes("o-table o-table-left"):
                with ui.element("thead"), ui.element("tr"):
                    for key in ("at", "who", "deed", "subject", "detail"):
                        text("th", TEXTS[key]).props("scope=col")
                self._rows = ui.element("tbody")
            self._below = ui.element("div")

    async def begin(self) -> None:
        await self._more(self._context.actor)

    async def _find(self, actor: Actor) -> None:
        self._last = None
        self._rows.clear()
        await self._more(actor)

    async def _more(self, actor: Actor) -> None:
        chosen = self._action.value
        wish = AuditWish(
            user=self._user.value or "",
            action=Action(chosen) if chosen else None,
            subject=self._subject.value or "",
            first=_day_of(self._first.value),
            last=_day_of(self._last_day.value),
        )
        found = await self._audit.search(actor, wish, zone_of(self._context), before=self._last)
        self._names |= await self._audit.names(actor, found)
        with self._rows:
            for entry in found:
                self._row(entry)
        self._below.clear()
        with self._below:
            if len(found) == PAGE:
                button(TEXTS["more"], acting(self._more))
            elif not found:
                empty(TEXTS["no_more"] if self._last else TEXTS["nothing"])
        self._last = found[-1] if found else self._last

    def _row(self, entry: AuditEntry) -> None:
        with ui.element("tr"):
            text("td", moment(entry.at.astimezone(zone_of(self._context))))
            with ui.element("td"):
                text("div", entry.name)
                if entry.user_id != entry.name:
                    text("div", entry.user_id, "g-soft g-small")
            text("td", TEXTS.get(entry.action, entry.action))
            with ui.element("td").classes("o-wrap"):
                name = self._names.get((entry.action.partition(".")[0], entry.subject))
                told = name or address_text(shown(entry.subject))
                if address := address_of(entry, zone_of(self._context)):
                    ui.link(told, address).classes("o-link")
                else:
                    text("span", told)
                if name:
                    text("div", address_text(shown(entry.subject)), "g-soft g-small")
            text("td", self._told(entry.detail), "g-soft g-small o-wrap")

    def _told(self, detail: Data) -> str:
        """Ids, states and times, by name."""
        told = ((name, self._value(name, value)) for name, value in detail.items())
        return " · ".join(f"{TEXTS.get(f'detail_{name}', name)}: {value}" for name, value in told if value)

    def _value(self, name: str, value: Any) -> str:
        if (
            name == "professionalId"
            and self._context.clinic
            and (known := self._context.clinic.professional(value or ""))
        ):
            return known.name
        if named := self._names.get((OF_OTHERS.get(name, ""), str(value))):
            return named
        if isinstance(value, datetime):
            return moment(value.astimezone(zone_of(self._context)))
        if isinstance(value, dict):
            return f"({self._told(value)})"
        if isinstance(value, list):
            return ", ".join(self._value(name, part) for part in value)
        state = agenda_texts(self._context.site).statuses.get(str(value))
        return "" if value is None else state or TEXTS.get(f"value_{value}", str(value))
