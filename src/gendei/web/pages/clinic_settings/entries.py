"""Lists of the clinic file on a page: entries are added, taken out, and put in another order."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from nicegui import ui

from gendei.channel_kinds import CHANNEL_KINDS
from gendei.clinics.field_paths import Path, name_of
from gendei.health_plan import plan_key
from gendei.web.pages.clinic_settings.described import CHANNELS, Leaf, Several
from gendei.web.pages.clinic_settings.form import Editor, Fault, FaultLine, FormContext, editor_of, of_path
from gendei.web.pages.clinic_settings.words import TEXTS, choice_of, entry_name, text_of
from gendei.web.pages.page_texts import channel_name
from gendei.web.pages.panels import button, tag, text
from gendei.web.pages.sheets import Sheet

MOST_OPEN = 6
"""Entries that are shown open; of a longer list each is opened by itself."""
LONGEST_ID = 40
Below = Callable[[Any], None]
"""Shows what else is told of an entry, of its value."""


class Entry:
    """One entry, as a card. Its editor is made when it is first opened."""

    def __init__(
        self, entries: "EntriesEditor", name: str, before: Any, *, is_open: bool, is_new: bool = False
    ) -> None:
        self.name, self._before, self._entries, self.is_new = name, before, entries, is_new
        self.removed = False
        self._editor: Editor | None = None
        self._title = title = entries.title_of(name, before)
        self.card = ui.element("section").classes("o-entry" if entries.is_inner else "g-card o-panel")
        self.card.props["aria-label"] = title
        with self.card:
            with ui.element("div").classes("o-head"):
                text("h3" if entries.is_inner else "h2", title, "o-h3 o-grow" if entries.is_inner else "o-h2 o-grow")
                self._gone = ui.element("span")
                self._buttons(title)
            self._line = FaultLine()
            self._body = ui.element("div").classes("o-stack o-tight")
        if is_open:
            self.open()
        else:
            self._unfold(is_open=False)

    def _buttons(self, title: str) -> None:
        entries = self._entries
        if not self._entries.spec.keyed:
            for icon, words, step in (("arrow_upward", "up", -1), ("arrow_downward", "down", 1)):
                made = ui.button(icon=icon, on_click=partial(entries.move, self, step)).props(
                    "flat round dense size=sm"
                )
                made.props["aria-label"] = f"{TEXTS[words]}: {title}"
        self._opener = button("", self.toggle)
        label = f"{TEXTS['remove']}: {title}"
        self._remover = button(TEXTS["remove"], partial(entries.remove, self), kind="flat color=negative", label=label)

    async def toggle(self) -> None:
        if self._body.visible:
            self._unfold(is_open=False)
        else:
            self.open()

    def _unfold(self, *, is_open: bool) -> None:
        words = TEXTS["close" if is_open else "open"]
        self._body.set_visibility(is_open)
        self._opener.set_text(words)
        self._opener.props["aria-label"] = f"{words}: {self._title}"

    def open(self) -> None:
        if self._editor is None:
            with self._body:
                self._editor = editor_of(self._entries.spec.entry(self._before), self._before, self._entries.form)
                self._entries.below(self._before)
        self._unfold(is_open=True)

    def mark(self, *, removed: bool) -> None:
        """Show whether it goes when the form is saved."""
        self.removed = removed
        self._body.set_visibility(not removed and self._editor is not None)
        self._opener.set_visibility(not removed)
        self._remover.set_text(TEXTS["put_back" if removed else "remove"])
        self._gone.clear()
        if removed:
            with self._gone:
                tag(TEXTS["removed"], "warn")

    @property
    def value(self) -> Any:
        if self._editor is None:
            return self._before
        value = self._editor.value
        return {} if value is None and not self._entries.spec.keyed else value

    def tell(self, path: Path, faults: Sequence[Fault]) -> list[Fault]:
        own = of_path(path, faults)
        left = self._editor.tell(path, own) if self._editor else own
        if self._editor and not self._body.visible:
            left = own
        self._line.show(left)
        return [fault for fault in faults if fault not in own]


class EntriesEditor:
    """The list of `spec`. `below`: what else is shown of an entry."""

    def __init__(
        self, spec: Several, before: Any, form: FormContext, below: Below = lambda _: None, *, inner: bool = True
    ) -> None:
        self.spec, self.form, self.below, self.is_inner = spec, form, below, inner
        self._before = before
        if inner and "." in spec.key:
            text("h3", text_of(spec.key), "o-h3")
        self._line = FaultLine(text_of(spec.key, "_help"))
        self._list = ui.element("div").classes("o-stack" + " o-tight" * inner)
        known = self._entries_of(before)
        self._entries: list[Entry] = []
        for name, entry in known:
            self._add(name, entry, is_open=len(known) <= MOST_OPEN)
        with ui.element("div").classes("o-actions o-actions-start"):
            button(TEXTS[f"add_{spec.key}"], self._ask)

    def _entries_of(self, before: Any) -> list[tuple[str, Any]]:
        if isinstance(before, Mapping):
            return list(before.items())
        whole = [{self.spec.named: entry} if isinstance(entry, str) else entry for entry in before or ()]
        return [(self._name_of(entry), entry) for entry in whole]

    def _name_of(self, entry: Any) -> str:
        if self.spec.key == CHANNELS:
            return name_of((CHANNELS,), entry) or ""
        return str(entry.get(self.spec.named, "")) if isinstance(entry, Mapping) else ""

    def title_of(self, name: str, entry: Any) -> str:
        if not self.spec.named and not self.spec.keyed and self.spec.key != CHANNELS:
            hours = entry.get("hours_before") if isinstance(entry, Mapping) else None
            return TEXTS("reminder_at", hours=hours) if hours else TEXTS["new_reminder"]
        offered = self.form.offered.get(self.spec.key) or {}
        return offered.get(name) or entry_name(self.spec.key, name, entry)

    def _add(self, name: str, entry: Any, *, is_open: bool = True, is_new: bool = False) -> None:
        with self._list:
            self._entries.append(Entry(self, name, entry, is_open=is_open, is_new=is_new))

    async def move(self, entry: Entry, step: int) -> None:
        at = self._entries.index(entry)
        to = at + step
        if 0 <= to < len(self._entries):
            self._entries.insert(to, self._entries.pop(at))
            entry.card.move(self._list, to)
            await self.form.changed()

    async def remove(self, entry: Entry) -> None:
        """Take it out, or back in; what was never saved goes at once."""
        if entry.is_new:
            self._entries.remove(entry)
            entry.card.delete()
        else:
            entry.mark(removed=not entry.removed)
        await self.form.changed()

    async def _ask(self) -> None:
        """What an entry is begun with."""
        if not (self.spec.named or self.spec.keyed or self.spec.key == CHANNELS):
            await self._begin("", {})
            return
        sheet = Sheet(TEXTS[f"add_{self.spec.key}"])
        left = self._left()
        with sheet.body:
            choice = None
            if left is not None:
                choice = ui.select(left, label=text_of(self.spec.key), value=next(iter(left), None))
                choice.props("outlined dense options-dense")
            if left is None or self.spec.key == CHANNELS:
                label = TEXTS["number_of_new" if choice else "name_of_new"]
                name = ui.input(label).props("outlined dense autofocus maxlength=100")

        async def add() -> None:
            written = (name.value or "").strip() if choice is None or self.spec.key == CHANNELS else ""
            found = self._new(choice.value if choice else None, written)
            if found is None:
                return
            if any(entry.name == found[0] for entry in self._entries):
                sheet.say(TEXTS["is_there"])
                return
            sheet.close()
            await self._begin(*found)

        sheet.leave_button()
        sheet.button(TEXTS["add"], add)

    def _left(self) -> dict[str, str] | None:
        """What can still be chosen; None where a name is written."""
        if self.spec.key == CHANNELS:
            return {provider: channel_name(provider) for provider in CHANNEL_KINDS}
        offered = self.form.offered.get(self.spec.key) or {name: choice_of(name) for name in self.spec.names}
        there = {entry.name for entry in self._entries}
        return {name: words for name, words in offered.items() if name not in there} if offered else None

    def _new(self, chosen: str | None, written: str) -> tuple[str, Any] | None:
        """The name and the value of a new entry; None where something is missing."""
        if self.spec.key == CHANNELS:
            if not chosen or not written:
                return None
            return f"{chosen}:{written}", {"provider": chosen, CHANNEL_KINDS[chosen].external_id[0]: written}
        if chosen is None and not written:
            return None
        if self.spec.keyed:
            name = chosen or written
            return name, self.form.begun.get(self.spec.key, {}).get(name, self._nothing)
        if chosen:
            return chosen, {self.spec.named: chosen}
        slug = plan_key(written)[:LONGEST_ID].strip("-")
        if self.spec.key == "mcp_servers":
            return (slug, {"name": slug}) if slug else None
        if self.spec.named == "name":
            return written, {"name": written}
        return (slug, {"id": slug, "name": written}) if slug else None

    async def _begin(self, name: str, value: Any) -> None:
        self._add(name, value, is_new=True)
        await self.form.changed()

    @property
    def value(self) -> Any:
        there = [entry for entry in self._entries if not entry.removed]
        if not there:
            return self._before if not self._before else None
        if self.spec.keyed:
            return {entry.name: self._nothing if (value := entry.value) is None else value for entry in there}
        return [entry.value for entry in there]

    @property
    def _nothing(self) -> Any:
        """The value of an entry under a name, of which nothing is said yet."""
        return "" if isinstance(self.spec.entry(None), Leaf) else {}

    def tell(self, path: Path, faults: Sequence[Fault]) -> list[Fault]:
        left = list(faults)
        there = [entry for entry in self._entries if not entry.removed]
        for index, entry in enumerate(there):
            name = entry.name if self.spec.keyed else name_of(path, entry.value)
            left = entry.tell((*path, name or str(index)), left)
        own = of_path(path, left)
        self._line.show(own)
        return [fault for fault in left if fault not in own]
