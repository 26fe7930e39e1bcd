"""A form made of the fields of the clinic file: a control for each, with its help and what the check says of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from nicegui import ui

from gendei.clinics.field_paths import Path, Tree, dotted, overlaps, parsed, said_at
from gendei.commands.clinic_changes import FieldValue
from gendei.staff.clinic_changes.refusing import ClinicProblem
from gendei.web.pages.clinic_settings.kinds import FieldSpec, Kind, said, typed
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import text

TEXTS = page_texts("settings")
WRITING_PAUSE = 500
"""Milliseconds without a key, after which what is typed is checked."""
_AREAS = frozenset({Kind.LINES, Kind.DAYS, Kind.AWAY})
_LONG = frozenset({"notes", "cancellation_policy", "services.description", "services.preparation"})


@dataclass(frozen=True, slots=True)
class Choices:
    """What selects offer, by the key of the field: names by what the file has."""

    of: Mapping[str, Mapping[str, str]]

    def offered(self, spec: FieldSpec) -> dict[str, str]:
        return dict(self.of.get(spec.key) or {choice: TEXTS[f"choice_{choice}"] for choice in spec.choices})


class Control:
    """One field. `before`: what the file has; it counts as changed once it says something else."""

    def __init__(self, spec: FieldSpec, before: Any, choices: Choices, changed: Callable[[], object]) -> None:
        self.spec, self._shown_before = spec, typed(spec.kind, spec.default if before is None else before)
        self.element = self._made(choices)
        self.element.on_value_change(changed)
        self._help = text("p", help_of(spec), "g-soft g-small o-help")
        self._help.set_visibility(bool(help_of(spec)))
        self._fault = text("p", "", "o-fault g-small").props("role=alert")
        self._fault.set_visibility(False)

    def _made(self, choices: Choices) -> Any:
        label, kind, value = TEXTS[self.spec.key], self.spec.kind, self._shown_before
        if kind is Kind.FLAG:
            return ui.checkbox(label, value=value)
        if kind in {Kind.CHOICE, Kind.CHOICES}:
            offered = choices.offered(self.spec)
            offered |= {
                known: known for known in (value if isinstance(value, list) else [value]) if known not in offered
            }
            several = kind is Kind.CHOICES
            made = ui.select(offered, label=label, value=value, multiple=several)
            return made.props("outlined dense options-dense" + " use-chips" * several)
        area = kind in _AREAS or self.spec.key in _LONG
        field = ui.textarea(label, value=value) if area else ui.input(label, value=value)
        mode = " inputmode=decimal" if kind in {Kind.NUMBER, Kind.MONEY} else " autogrow" * area
        return field.props(f"outlined dense debounce={WRITING_PAUSE}{mode}")

    @property
    def edit(self) -> FieldValue | None:
        """None where it says what it said."""
        if self.element.value == self._shown_before:
            return None
        return FieldValue(field=dotted(self.spec.path), value=said(self.spec.kind, self.element.value))

    def tell(self, problems: Sequence[ClinicProblem]) -> None:
        """Show what is wrong with it; nothing where that is empty."""
        words = " ".join(dict.fromkeys(problem.text for problem in problems))
        self._fault.set_text(f"{words[:1].upper()}{words[1:]}")
        self._fault.set_visibility(bool(words))
        self._help.set_visibility(not words and bool(help_of(self.spec)))


def help_of(spec: FieldSpec) -> str:
    """The field's own help; "" for those of a group that has one together, as the days of a week."""
    return TEXTS.get(f"{spec.key}_help", "")


def label_of(field: str) -> str:
    """A field's name for staff, with the entry that it is of; as the change names it where it has none."""
    path = parsed(field)
    if path[0] not in {"services", "professionals"} or len(path) == 1:
        label = TEXTS.get(".".join(path), field)
        return f"{TEXTS['hours']}: {label}" if path[0] == "hours" else label
    head = f"{TEXTS[path[0]]}: {path[1] or TEXTS['order']}"
    return ", ".join([head, *([TEXTS.get(".".join((path[0], *path[2:])), path[-1])] if len(path) > 2 else [])])


class Controls:
    """The controls of a page, and what of them is changed."""

    def __init__(self, content: Tree, choices: Choices, changed: Callable[[], object]) -> None:
        self._content, self._choices, self._changed = content, choices, changed
        self._all: list[Control] = []
        self.other: dict[str, FieldValue] = {}
        """Changes without a control: entries that come or go."""

    def show(self, specs: Sequence[FieldSpec]) -> None:
        """Into the slot that is open, each group under its heading."""
        for group, members in groupby(specs, lambda spec: spec.key.rpartition(".")[0]):
            if heading := TEXTS.get(f"section_{group}"):
                text("h3", heading, "o-h3")
            if shared := TEXTS.get(f"{group}_help"):
                text("p", shared, "g-soft g-small o-help")
            with ui.element("div").classes("o-fields"):
                for spec in members:
                    with ui.element("div").classes("o-field"):
                        before = said_at(self._content, spec.path)
                        self._all.append(Control(spec, before, self._choices, self._changed))

    def forget(self, path: Path) -> None:
        """Of an entry that is not there any more."""
        self._all = [control for control in self._all if not overlaps(path, control.spec.path)]

    @property
    def edits(self) -> list[FieldValue]:
        """Entries first."""
        return [*self.other.values(), *(edit for control in self._all if (edit := control.edit))]

    def tell(self, problems: Sequence[ClinicProblem]) -> list[ClinicProblem]:
        """Show each problem at its control; those that have none here."""
        left = list(problems)
        for control in self._all:
            own = [problem for problem in problems if problem.field and _is_of(problem, control.spec)]
            control.tell(own)
            left = [problem for problem in left if problem not in own]
        return left


def _is_of(problem: ClinicProblem, spec: FieldSpec) -> bool:
    path = parsed(problem.field)
    return path[: len(spec.path)] == spec.path
