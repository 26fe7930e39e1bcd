"""The bar above the agenda: where one goes, of whom and how the agenda is shown, and what can be begun."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from nicegui import ui

from gendei.clinic import Clinic
from gendei.web.pages.agenda.sheet import FIELD
from gendei.web.pages.agenda.showing import EVERYBODY, Colours, Period, Showing, Zoom
from gendei.web.pages.agenda.tints import show_legend
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import names
from gendei.web.pages.sheets import popup

TEXTS = page_texts("agenda")

FEW = 3
"""So many professionals need no filter."""


@dataclass(frozen=True, slots=True)
class BarActs:
    """Handlers of the bar. `show`: change what is shown; `undo`: take back the last change; `new`: book. `tools`: the
    key of each one's name, its icon and what it does."""

    show: Callable[[Showing], Awaitable[None]]
    step: Callable[[int], Awaitable[None]]
    go_today: Callable[[], Awaitable[None]]
    go_to: Callable[[str], Awaitable[None]]
    new: Callable[[], Awaitable[None]]
    undo: Callable[[], Awaitable[None]]
    tools: tuple[tuple[str, str, Callable[[], object]], ...]


class AgendaBar:
    """Stands in the slot that it is made in."""

    def __init__(self, clinic: Clinic, acts: BarActs, showing: Showing) -> None:
        self._clinic, self._acts, self._showing = clinic, acts, showing
        self._people = names(clinic.professionals)
        with ui.element("div").classes("a-bar"):
            self._navigation()
            self._whose()
            with ui.element("div").classes("a-tools"):
                self._tools()
            new = ui.button(TEXTS["new"], icon="add", on_click=acts.new).props("unelevated no-caps dense")
            new.classes("a-new")
        self._legend = ui.element("ul").classes("a-legend").props(f'aria-label="{TEXTS["legend"]}"')

    def show(self, showing: Showing) -> None:
        """Bring the bar up to date with what is shown."""
        self._showing = showing
        self._title.text = showing.title
        self._date.value = showing.day.isoformat()
        self._view.value = str(showing.period)
        self._who.value = showing.who
        self._colours.value, self._zoom.value = str(showing.colours), str(showing.zoom)
        for button, step in ((self._back, "previous"), (self._forward, "next")):
            button.props["aria-label"] = TEXTS[f"{step}_{showing.period}"]
        self._who.classes(**{"remove" if showing.period is not Period.DAY else "add": "a-only-narrow"})
        self._name_filter()
        self._name_eye()
        self._legend.clear()
        has_cards = showing.period is not Period.MONTH or not showing.everybody
        needed = showing.colours is Colours.SERVICE and has_cards
        self._legend.set_visibility(needed)
        if needed:
            with self._legend:
                show_legend(self._clinic)

    def show_undo(self, what: str) -> None:
        """Offer to take back `what`; "" for nothing."""
        text = TEXTS("undo", what=what)
        self._undo.set_visibility(bool(what))
        self._undo.props["aria-label"] = self._undo.props["title"] = text
        self._undo.update()

    def _navigation(self) -> None:
        with ui.element("div").classes("a-navigation"):
            self._back = ui.button(icon="chevron_left", on_click=lambda: self._acts.step(-1)).props("flat round dense")
            self._forward = ui.button(icon="chevron_right", on_click=lambda: self._acts.step(1))
            self._forward.props("flat round dense")
            today = ui.button(TEXTS["today"], on_click=self._acts.go_today).props("outline dense no-caps")
            today.classes("a-today-button")
            with (
                ui.button(icon="event").props(f'flat round dense aria-label="{TEXTS["date"]}"'),
                popup(TEXTS["date"]) as menu,
            ):
                self._date = ui.date(self._showing.day.isoformat()).props("minimal")
            self._date.on_value_change(lambda event: self._acts.go_to(str(event.value or "")))
            self._date.on_value_change(menu.close)
            self._title = ui.label().classes("a-title").props('role="heading" aria-level="1"')

    def _whose(self) -> None:
        self._view = ui.toggle({str(view): TEXTS[str(view)] for view in Period}, value=str(self._showing.period))
        self._view.props("no-caps unelevated dense").classes("a-toggle")
        self._view.on_value_change(lambda event: self._change(period=Period(event.value)))
        everybody = {EVERYBODY: TEXTS["everybody"]} if len(self._people) > 1 else {}
        self._who = ui.select(everybody | self._people, value=self._showing.who or None)
        self._who.on_value_change(lambda event: self._change(who=str(event.value)))
        self._who.props(f'{FIELD} options-dense aria-label="{TEXTS["who"]}"')

    def _tools(self) -> None:
        self._undo = ui.button(icon="undo", on_click=self._acts.undo).props("flat round dense")
        self.show_undo("")
        self._filter_menu()
        for key, icon, act in self._acts.tools:
            tool = ui.button(TEXTS[key], icon=icon, on_click=act)
            tool.props(f'flat dense no-caps aria-label="{TEXTS[key]}"')  # named also where there is room for the icon
        self._eye = ui.button(icon="visibility_off", on_click=self._toggle_cancelled).props("flat round dense")
        look = ui.button(icon="tune").props(f'flat round dense aria-label="{TEXTS["look"]}" title="{TEXTS["look"]}"')
        with look, popup(TEXTS["look"]).classes("a-look"):
            self._colours = self._choice("colours", Colours, self._showing.colours)
            self._zoom = self._choice("zoom", Zoom, self._showing.zoom)

    def _choice(self, key: str, kind: type[Colours] | type[Zoom], value: Colours | Zoom) -> ui.radio:
        ui.label(TEXTS[key]).classes("g-soft g-small")
        chosen = ui.radio({str(member): TEXTS[f"{key}_{member}"] for member in kind}, value=str(value)).props("dense")
        chosen.props["aria-label"] = TEXTS[key]
        chosen.on_value_change(lambda event: self._change(**{key: kind(event.value)}))
        return chosen

    def _filter_menu(self) -> None:
        self._filter = ui.button(icon="filter_list").props("flat round dense").classes("a-filter")
        self._filter.set_visibility(len(self._people) > FEW)
        self._boxes: dict[str, ui.checkbox] = {}
        self._ticking = False
        with self._filter:
            self._badge = ui.badge("").props("floating").classes("a-badge")
            with popup(TEXTS["filter"]), ui.element("div").classes("a-filter-list"):
                ui.button(TEXTS["filter_all"], on_click=lambda: self._change(only=frozenset())).props("flat no-caps")
                for who, name in self._people.items():
                    self._boxes[who] = ui.checkbox(name, value=True).props("dense")
                    self._boxes[who].on_value_change(self._filtered)

    async def _filtered(self) -> None:
        """Those that are ticked; all, where that is none or all of them."""
        if self._ticking:
            return
        ticked = frozenset(who for who, box in self._boxes.items() if box.value)
        await self._change(only=frozenset() if len(ticked) == len(self._boxes) else ticked)

    def _name_filter(self) -> None:
        shown = sum(self._showing.shows(who) for who in self._people)
        text = TEXTS("filter_count", shown=shown, all=len(self._people)) if self._showing.only else TEXTS["filter"]
        self._filter.props["aria-label"] = self._filter.props["title"] = text
        self._filter.set_visibility(len(self._people) > FEW and self._showing.everybody)
        self._badge.text = str(shown)
        self._badge.set_visibility(bool(self._showing.only))
        self._ticking = True
        for who, box in self._boxes.items():
            box.value = self._showing.shows(who)
        self._ticking = False

    def _name_eye(self) -> None:
        text = TEXTS["hide_cancelled" if self._showing.cancelled else "show_cancelled"]
        self._eye.props["aria-label"] = self._eye.props["title"] = text
        self._eye.props["icon"] = "visibility" if self._showing.cancelled else "visibility_off"
        self._eye.update()

    async def _toggle_cancelled(self) -> None:
        await self._change(cancelled=not self._showing.cancelled)

    async def _change(self, **changes: object) -> None:
        showing = replace(self._showing, **changes)  # type: ignore[arg-type]  # names and kinds are those above
        if showing != self._showing:
            await self._acts.show(showing)
