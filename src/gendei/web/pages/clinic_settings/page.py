"""/settings: the clinic's data by sections, each a form; and the history with undo. For who manages the clinic."""

from collections.abc import Mapping, Sequence
from functools import partial

from nicegui import ui

from gendei.clinic import Clinic
from gendei.clinics.field_paths import as_tree, differences, parsed
from gendei.clinics.file import ClinicYaml
from gendei.clinics.own_words import shipped
from gendei.commands.clinic_changes import (
    GET_CLINIC_DATA,
    PREVIEW_CLINIC_CHANGE,
    FieldValue,
    PreviewClinicChange,
    WholeClinic,
)
from gendei.staff.actors import Right
from gendei.staff.clinic_changes.changes import ClinicData, is_guarded
from gendei.staff.clinic_changes.editing import Edit
from gendei.staff.clinic_changes.refusing import ClinicProblem
from gendei.verticals import Vertical
from gendei.web.pages.acting import Acting, Problem
from gendei.web.pages.clinic_settings.conversation import TrialConversation
from gendei.web.pages.clinic_settings.described import PHRASES, Group, Several, spec_of
from gendei.web.pages.clinic_settings.entries import EntriesEditor
from gendei.web.pages.clinic_settings.form import Editor, Fault, FormContext, GroupEditor, LeafEditor
from gendei.web.pages.clinic_settings.holidays import Holidays
from gendei.web.pages.clinic_settings.merging import Merge
from gendei.web.pages.clinic_settings.past_changes import HistoryList
from gendei.web.pages.clinic_settings.review import Review, problem_lines
from gendei.web.pages.clinic_settings.site_chat import show_site_chat
from gendei.web.pages.clinic_settings.words import TEXTS, shown, text_of
from gendei.web.pages.frame import asset, page_foot, staff_page
from gendei.web.pages.panels import Subpage, button, facts, names, office, panel, subpages, text
from gendei.web.pages.site import PageContext

SECTIONS: dict[str, tuple[str, ...]] = {
    "clinic": (
        *("name", "vertical", "timezone", "address", "phone", "location", "notes", "payment_methods"),
        *("cancellation_policy", "personal_data"),
    ),
    "hours": ("hours", "closed"),
    "services": ("services",),
    "professionals": ("professionals",),
    "insurance": ("insurance",),
    "rules": ("booking", "takeover", "proactive", "media"),
    "payments": ("deposits",),
    "messages": ("reminders", "waiting_list", "no_shows", "survey", "templates"),
    "channels": ("channels",),
    "assistant": ("model_style", "language_model", "voice", "mcp_servers"),
    "words": ("words", "overrides"),
}
"""The fields of the file that a section's form has."""
OF_THE_FILE = ("id", "kept_in_file")
"""Fields that a page shows, and that the file alone changes."""
LONGEST_TITLE = 70
PAGES: tuple[Subpage, ...] = tuple(
    (name, "/settings" if name == "clinic" else f"/settings/{name}", Right.MANAGE) for name in (*SECTIONS, "history")
)


@staff_page("/settings", title="settings", right=Right.MANAGE)
async def settings(context: PageContext) -> None:
    await _show(context, "clinic")


@staff_page("/settings/{section}", title="settings", right=Right.MANAGE)
async def settings_section(context: PageContext, section: str) -> None:
    await _show(context, section if section in {name for name, _, _ in PAGES} else "clinic")


async def _show(context: PageContext, section: str) -> None:
    if context.clinic is None:
        return
    ui.add_head_html(f'<link rel="stylesheet" href="{asset("settings.css")}">')
    ui.add_head_html(f'<script defer src="{asset("settings_week.js")}"></script>')
    acting = Acting(context, context.clinic)
    column = office(TEXTS["title"], TEXTS["hint"])
    with column:
        subpages(context.actor, next(path for name, path, _ in PAGES if name == section), PAGES, TEXTS)
    if section == "history":
        with column:
            await HistoryList(acting).begin()
        return
    data = await acting.do(GET_CLINIC_DATA, WholeClinic())
    with column:
        if isinstance(data, Problem):
            text("p", data.text, "g-empty")
        else:
            SettingsForm(acting, context.clinic, data, section)


class SettingsForm:
    """One section as it is written; nothing is kept before it is reviewed and saved."""

    def __init__(self, acting: Acting, clinic: Clinic, data: ClinicData, section: str) -> None:
        self._acting, self._data = acting, data
        self._editors: dict[str, Editor] = {}
        changes = acting.gendei.desks.clinic_changes
        services, people = names(clinic.services), names(clinic.professionals)
        self._form = FormContext(
            offered={
                "vertical": changes.kinds_of_clinic,
                "insurance.services": services,
                PHRASES: _phrases(),
                **dict.fromkeys(("professionals.services", "reminders.at.services"), services),
                **dict.fromkeys(("insurance.professionals", "insurance.services.professionals"), people),
            },
            inherited=_inherited(changes.verticals[clinic.vertical]) if section == "words" else {},
            begun={PHRASES: {key: texts[0].strip() for key, texts in shipped().texts.items()}},
            changed=self._check,
        )
        self._form_place = ui.element("div").classes("o-stack")
        self._merge_place = ui.element("div").classes("o-stack")
        with self._form_place:
            self._build(section)

    def _build(self, section: str) -> None:
        data = self._data
        if data.kept_in_file:
            with ui.element("p").classes("o-box o-kept").props("role=status"):
                text("span", TEXTS["kept_in_file_note"])
        with ui.element("fieldset").classes("o-stack o-plain").props("disabled" * data.kept_in_file):
            self._show(section)
        with page_foot(), ui.element("div").classes("o-save") as self._save_bar:
            self._left = ui.element("div").classes("o-left")
            if not data.kept_in_file:
                button(TEXTS["review"], self._review, kind="unelevated color=primary")

    def _show(self, section: str) -> None:
        """Lists stand by themselves, everything else in a panel."""
        self._tell_of_factor(section)
        specs = [spec_of(ClinicYaml, name) for name in SECTIONS[section]]
        plain = [spec for spec in specs if not isinstance(spec, Several)]
        if plain:
            with panel(TEXTS[section]):
                if section == "clinic":
                    facts([(TEXTS[name], shown(self._data.content.get(name, False))) for name in OF_THE_FILE])
                self._edit(Group("", "", tuple(plain)))
        for spec in specs:
            if isinstance(spec, Several):
                with panel(text_of(spec.key)) if plain else ui.element("div").classes("o-stack"):
                    below = partial(show_site_chat, self._acting) if spec.name == "channels" else _nothing
                    content = self._data.content.get(spec.name)
                    self._editors[spec.name] = EntriesEditor(spec, content, self._form, below, inner=bool(plain))

        if section == "words":
            TrialConversation(self._acting, self._draft)
        if isinstance(closed := self._editors.get("closed"), LeafEditor):
            Holidays(closed, self._acting.now.date(), may_change=not self._data.kept_in_file)

    def _tell_of_factor(self, section: str) -> None:
        """Where the section has what asks for the second factor."""
        factor = self._acting.context.actor.factor
        if factor is None or not any(is_guarded((name,)) for name in SECTIONS[section]):
            return
        with ui.element("p").classes("o-box o-kept").props("role=note"):
            text("span", TEXTS["factor_asked" if factor.is_set else "factor_missing"])
            if not factor.is_set:
                ui.link(TEXTS["set_factor_up"], "/account").classes("o-link")

    def _edit(self, group: Group) -> None:
        """Single fields beside each other, as in any group."""
        content = {spec.name: self._data.content.get(spec.name) for spec in group.fields}
        editor = GroupEditor(group, {name: value for name, value in content.items() if value is not None}, self._form)
        self._editors |= editor.editors

    @property
    def _edits(self) -> list[FieldValue]:
        """Field by field, so that what others changed beside it stays."""
        before = self._data.content
        after = {name: value for name, value in before.items() if name not in self._editors}
        said = {name: editor.value for name, editor in self._editors.items()}
        after |= {name: value for name, value in said.items() if value is not None}
        changes = differences(as_tree(before), as_tree(after))
        return [FieldValue(field=change.field, value=change.new) for change in changes]

    def _given(self, *, effects: bool) -> PreviewClinicChange | None:
        edits = self._edits
        return PreviewClinicChange(version=self._data.version, fields=edits, effects=effects) if edits else None

    async def _draft(self) -> Clinic | Problem:
        """The clinic as it is written so far."""
        changes, edits = (
            self._acting.gendei.desks.clinic_changes,
            [Edit(each.field, each.value) for each in self._edits],
        )
        return await self._acting.attempt(lambda actor: changes.drafted(actor, self._data.version, edits))

    async def _check(self) -> None:
        """Show what the check says of what is written so far."""
        given = self._given(effects=False)
        if given is None:
            self._tell(())
            return
        seen = await self._acting.do(PREVIEW_CLINIC_CHANGE, given)
        if not isinstance(seen, Problem):
            self._tell(seen.problems)

    def _tell(self, problems: Sequence[ClinicProblem]) -> None:
        """Each at its field; below the form those that stand elsewhere."""
        faults = {
            Fault((*parsed(problem.field), *problem.within), problem.text): problem
            for problem in problems
            if problem.field
        }
        left = list(faults)
        for name, editor in self._editors.items():
            left = editor.tell((name,), left)
        self._left.clear()
        with self._left:
            problem_lines([problem for problem in problems if not problem.field] + [faults[fault] for fault in left])

    async def _review(self) -> None:
        given = self._given(effects=True)
        if given is None:
            self._acting.tell(TEXTS["nothing"], good=False)
        else:
            await self._look(given)

    async def _look(self, given: PreviewClinicChange) -> None:
        seen = await self._acting.do(PREVIEW_CLINIC_CHANGE, given)
        if isinstance(seen, Problem):
            self._acting.tell(seen.text, good=False)
            return
        self._tell(seen.problems)
        if seen.problems:
            await self._back()
        elif seen.conflicts:
            self._merge_place.clear()
            self._show_form(False)
            with self._merge_place:
                Merge(self._acting, given.fields, seen, self._merged, self._back)
        else:
            with self._form_place:  # what was pressed may be gone
                Review(self._acting, given, seen)

    async def _merged(self, version: int, fields: list[FieldValue]) -> None:
        """Look once more at what is left to change, on what somebody else made of it."""
        if fields:
            await self._look(PreviewClinicChange(version=version, fields=fields, effects=True))
        else:
            ui.navigate.reload()

    async def _back(self) -> None:
        self._merge_place.clear()
        self._show_form(True)

    def _show_form(self, shown: bool) -> None:
        self._form_place.set_visibility(shown)
        self._save_bar.set_visibility(shown)


def _phrases() -> dict[str, str]:
    """The phrases that a clinic may say otherwise, by their beginnings as they are shipped."""
    shown_so = {key: " ".join(shipped().texts[key][0].split()) for key in sorted(shipped().own)}
    return {key: said if len(said) <= LONGEST_TITLE else f"{said[:LONGEST_TITLE]}…" for key, said in shown_so.items()}


def _nothing(_entry: object) -> None:
    """Below most entries nothing else is told."""


def _inherited(vertical: Vertical) -> Mapping[str, str]:
    """What the vertical says where the clinic says nothing."""
    found = vertical.model_dump(mode="json")
    return {
        f"overrides.{name}": shown(value, f"overrides.{name}")
        for name, value in found.items()
        if not isinstance(value, dict)
        and all(isinstance(part, str) for part in (value if isinstance(value, list) else ()))
    }
