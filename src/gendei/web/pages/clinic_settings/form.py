"""A form made of the fields of the clinic file: a control for each, with its help and what the check says of it."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple, Protocol

from nicegui import ui

from gendei.clinics.field_paths import Path
from gendei.web.pages.clinic_settings.described import Group, Leaf, Several, Spec
from gendei.web.pages.clinic_settings.kinds import NO, YES, Kind, said, typed
from gendei.web.pages.clinic_settings.words import TEXTS, choice_of, text_of
from gendei.web.pages.panels import button, tag, text

WRITING_PAUSE = 500
"""Milliseconds without a key, after which what is typed is checked."""
_AREAS = frozenset({Kind.LONG, Kind.LINES, Kind.PAIRS, Kind.WORD_LISTS, Kind.DAYS, Kind.AWAY})


class Fault(NamedTuple):
    """What is wrong with the field at `path`."""

    path: Path
    text: str


@dataclass(frozen=True, slots=True)
class FormContext:
    """What the editors of a form share. `offered`: what selects offer, by the key of the field: names by what the file
    has. `inherited`: what holds where nothing is said, by the key. `begun`: with what a new entry begins, by the key of
    its list and its name. `changed`: is called after each change."""

    offered: Mapping[str, Mapping[str, str]]
    inherited: Mapping[str, str]
    begun: Mapping[str, Mapping[str, str]]
    changed: Callable[[], Awaitable[None]]


class Editor(Protocol):
    """What edits a part of the file."""

    @property
    def value(self) -> Any:
        """As the file has it; None where nothing is said."""

    def tell(self, path: Path, faults: Sequence[Fault]) -> list[Fault]:
        """Show the faults of what stands at `path`, and take away those of before. Return the other ones."""


def editor_of(spec: Spec, before: Any, form: FormContext) -> Editor:
    """An editor in the slot that is open. `before`: what the file has."""
    match spec:
        case Leaf(kind=Kind.SECRET):
            return SecretEditor(spec, before, form)
        case Leaf():
            return LeafEditor(spec, before, form)
        case Group():
            return GroupEditor(spec, before, form)
        case Several():
            from gendei.web.pages.clinic_settings.entries import EntriesEditor  # noqa: PLC0415  # each is made of both

            return EntriesEditor(spec, before, form)


class FaultLine:
    """Where a fault is told, in place of the help."""

    def __init__(self, help_text: str = "") -> None:
        self._help_text = help_text
        self._help = text("p", help_text, "g-soft g-small o-help")
        self._fault = text("p", "", "o-fault g-small").props("role=alert")
        self.show(())

    def show(self, faults: Sequence[Fault]) -> None:
        words = " ".join(dict.fromkeys(fault.text for fault in faults))
        self._fault.set_text(f"{words[:1].upper()}{words[1:]}")
        self._fault.set_visibility(bool(words))
        self._help.set_visibility(not words and bool(self._help_text))


def of_path(path: Path, faults: Sequence[Fault]) -> list[Fault]:
    return [fault for fault in faults if fault.path[: len(path)] == path]


class LeafEditor:
    """One control. Untouched, it gives back what the file had."""

    def __init__(self, spec: Leaf, before: Any, form: FormContext) -> None:
        self.spec, self._before, self._form = spec, before, form
        self._shown_before = typed(spec.kind, spec.default if before is None else before)
        with ui.element("div").classes("o-field" + " o-field-wide" * (spec.kind in _AREAS)):
            self.element = self._made()
            self.element.on_value_change(form.changed)
            self._line = FaultLine(self._help())

    def _help(self) -> str:
        inherited = self._form.inherited.get(self.spec.key)
        return " ".join(
            filter(None, (text_of(self.spec.key, "_help"), inherited and TEXTS("inherited", now=inherited)))
        )

    def _made(self) -> Any:
        label, kind, value = text_of(self.spec.key), self.spec.kind, self._shown_before
        if kind is Kind.FLAG:
            return ui.checkbox(label, value=value)
        if kind in {Kind.CHOICE, Kind.CHOICES, Kind.MAYBE}:
            several = kind is Kind.CHOICES
            made = ui.select(self._offered(value), label=label, value=value, multiple=several)
            return made.props("outlined dense options-dense" + " use-chips" * several)
        area = kind in _AREAS
        field = ui.textarea(label, value=value) if area else ui.input(label, value=value)
        mode = " inputmode=decimal" if kind in {Kind.NUMBER, Kind.MONEY} else " autogrow" * area
        field.props(f"outlined dense debounce={WRITING_PAUSE}{mode}")
        if kind is Kind.HOURS:
            field.props["data-hours"] = self.spec.name
        return field

    def _offered(self, value: Any) -> dict[str, str]:
        if self.spec.kind is Kind.MAYBE:
            return {"": TEXTS["unset"], YES: TEXTS["yes"], NO: TEXTS["no"]}
        own = self._form.offered.get(self.spec.key)
        offered = dict(own) if own is not None else {str(name): choice_of(name) for name in self.spec.choices}
        if (self.spec.optional and self.spec.kind is Kind.CHOICE) or value == "":
            offered = {"": TEXTS["unset"], **offered}
        return offered | {name: name for name in (value if isinstance(value, list) else [value]) if name not in offered}

    @property
    def value(self) -> Any:
        return self._before if self.element.value == self._shown_before else said(self.spec.kind, self.element.value)

    def tell(self, path: Path, faults: Sequence[Fault]) -> list[Fault]:
        own = of_path(path, faults)
        self._line.show(own)
        return [fault for fault in faults if fault not in own]


class SecretEditor:
    """A secret: whether there is one is shown, and a new one is written over it; what it is never comes back."""

    def __init__(self, spec: Leaf, before: Any, form: FormContext) -> None:
        self._before, self._taken_out, self._form = before, False, form
        self._label = text_of(spec.key)
        with ui.element("div").classes("o-field"):
            self.element = ui.input(self._label)
            self.element.props(f"outlined dense type=password autocomplete=new-password debounce={WRITING_PAUSE}")
            self.element.on_value_change(form.changed)
            with ui.element("div").classes("o-head"):
                self._state = ui.element("span")
                self._toggle = button(TEXTS["take_secret_out"], self._take_out)
            self._line = FaultLine(text_of(spec.key, "_help"))
        self._show()

    def _show(self) -> None:
        self._state.clear()
        with self._state:
            kept = self._before and not self._taken_out
            tag(TEXTS["secret_set" if kept else "secret_unset"], "good" if kept else "")
        self._toggle.set_visibility(bool(self._before))
        words = TEXTS["keep_secret" if self._taken_out else "take_secret_out"]
        self._toggle.set_text(words)
        self._toggle.props["aria-label"] = f"{words}: {self._label}"

    async def _take_out(self) -> None:
        self._taken_out = not self._taken_out
        self._show()
        await self._form.changed()

    @property
    def value(self) -> Any:
        return (self.element.value or "").strip() or (None if self._taken_out else self._before)

    def tell(self, path: Path, faults: Sequence[Fault]) -> list[Fault]:
        own = of_path(path, faults)
        self._line.show(own)
        return [fault for fault in faults if fault not in own]


class GroupEditor:
    """Fields under a name. What the file has beside them stays."""

    def __init__(self, spec: Group, before: Any, form: FormContext) -> None:
        self._spec, self._before, self._form = spec, before, form
        known = before if isinstance(before, Mapping) else {}
        self._rest = {name: value for name, value in known.items() if name not in {field.name for field in spec.fields}}
        self.editors: dict[str, Editor] = {}
        self._switch = None
        if spec.name and (heading := TEXTS.get(f"section_{spec.key}")):
            text("h3", heading, "o-h3")
        if spec.switched:
            self._switch = ui.checkbox(text_of(spec.key), value=before is not None)
            self._switch.on_value_change(form.changed)
        self._line = FaultLine(text_of(spec.key, "_help") if spec.name else "")
        with ui.element("div").classes("o-stack o-tight") as body:
            if any(isinstance(field, Leaf) and field.kind is Kind.HOURS for field in spec.fields):
                _week(spec)
            for are_leaves, members in groupby(spec.fields, lambda field: isinstance(field, Leaf)):
                with ui.element("div").classes("o-fields" if are_leaves else "o-stack o-tight"):
                    for field in members:
                        self.editors[field.name] = editor_of(field, known.get(field.name), form)
        if self._switch:
            body.bind_visibility_from(self._switch, "value")

    @property
    def value(self) -> Any:
        if self._switch and not self._switch.value:
            return None
        told = {name: editor.value for name, editor in self.editors.items()}
        found = {**self._rest, **{name: value for name, value in told.items() if value is not None}}
        if found or self._switch:
            return found
        return self._before if self._before == {} else None

    def tell(self, path: Path, faults: Sequence[Fault]) -> list[Fault]:
        left = list(faults)
        for name, editor in self.editors.items():
            left = editor.tell((*path, name), left)
        own = of_path(path, left)
        self._line.show(own)
        return [fault for fault in left if fault not in own]


def _week(spec: Group) -> None:
    """The hours as a week that is painted; it writes into the fields below it (settings_week.js)."""
    text("p", TEXTS["week_hint"], "g-soft g-small o-help")
    week = ui.element("gendei-week")
    week.props["data-days"] = ",".join(text_of(field.key) for field in spec.fields)
    week.props["data-label"] = TEXTS["week"]
