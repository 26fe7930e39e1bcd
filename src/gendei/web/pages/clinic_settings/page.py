"""/settings: the clinic's data by sections, each a form; and the history with undo. For who manages the clinic."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from nicegui import ui

from gendei.clinic import Clinic
from gendei.clinics.field_paths import as_tree, dotted, value_at
from gendei.clinics.file import ClinicYaml
from gendei.commands.clinic_changes import (
    GET_CLINIC_DATA,
    PREVIEW_CLINIC_CHANGE,
    FieldValue,
    PreviewClinicChange,
    WholeClinic,
)
from gendei.health_plan import plan_key
from gendei.staff.actors import Right
from gendei.staff.clinic_changes.changes import ClinicData
from gendei.web.pages.acting import Acting, Problem
from gendei.web.pages.clinic_settings.form import TEXTS, Choices, Controls
from gendei.web.pages.clinic_settings.kinds import entry_model, specs_of
from gendei.web.pages.clinic_settings.past_changes import HistoryList
from gendei.web.pages.clinic_settings.review import Review, problem_lines
from gendei.web.pages.frame import asset, staff_page
from gendei.web.pages.panels import Subpage, button, office, panel, subpages, tag, text
from gendei.web.pages.sheets import Sheet
from gendei.web.pages.site import PageContext

SECTIONS: dict[str, tuple[str, ...]] = {
    "clinic": (
        *("name", "vertical", "timezone", "address", "phone", "location", "notes", "payment_methods"),
        *("cancellation_policy", "personal_data"),
    ),
    "hours": ("hours", "closed"),
    "rules": ("booking", "takeover", "proactive", "media"),
}
"""The fields of the file that a section's form has."""
LISTS = ("services", "professionals")
PAGES: tuple[Subpage, ...] = tuple(
    (name, "/settings" if name == "clinic" else f"/settings/{name}", Right.MANAGE)
    for name in ("clinic", "hours", "services", "professionals", "rules", "history")
)
LONGEST_ID = 40


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
        self._acting, self._data, self._tree = acting, data, as_tree(data.content)
        services = {service.id: service.name for service in clinic.services}
        kinds = acting.gendei.desks.clinic_changes.kinds_of_clinic
        choices = Choices({"vertical": kinds, "professionals.services": services})
        self._controls = Controls(self._tree, choices, self._check)
        if data.kept_in_file:
            with ui.element("p").classes("o-box o-kept").props("role=status"):
                text("span", TEXTS["kept_in_file"])
        with ui.element("fieldset").classes("o-stack o-plain").props("disabled" * data.kept_in_file):
            if section in LISTS:
                self._entries(section)
            else:
                with panel(TEXTS[section]):
                    self._controls.show([spec for name in SECTIONS[section] for spec in specs_of(ClinicYaml, name)])
        with ui.element("div").classes("o-save"):
            self._left = ui.element("div").classes("o-left")
            if not data.kept_in_file:
                button(TEXTS["review"], self._review, kind="unelevated color=primary")

    def _entries(self, section: str) -> None:
        self._list = ui.element("div").classes("o-stack")
        for name in value_at(self._tree, (section,)) or {}:
            self._entry(section, name)
        with ui.element("div").classes("o-actions o-actions-start"):
            button(TEXTS[f"add_{section.removesuffix('s')}"], partial(self._ask_name, section))

    def _entry(self, section: str, name: str) -> None:
        entry = value_at(self._tree, (section, name)) or {}
        with self._list, panel(str(entry.get("name", name))) as card:
            model = entry_model(ClinicYaml, section)
            fields = [field for field in model.model_fields if field != "id"]
            self._controls.show([spec for field in fields for spec in specs_of(model, field, (section, name), section)])
            with ui.element("div").classes("o-actions"):
                button(
                    TEXTS["remove"],
                    partial(self._remove, section, name, card),
                    kind="flat color=negative",
                    label=f"{TEXTS['remove']}: {entry.get('name', name)}",
                )

    async def _remove(self, section: str, name: str, card: ui.element) -> None:
        field = dotted((section, name))
        card.clear()
        self._controls.forget((section, name))
        if self._controls.other.pop(field, None) is not None:
            card.delete()
        else:
            self._controls.other[field] = FieldValue(field=field, value=None)
            with card, ui.element("div").classes("o-head"):
                text("span", str((value_at(self._tree, (section, name)) or {}).get("name", name)), "o-name")
                tag(TEXTS["removed"], "warn")
        await self._check()

    async def _ask_name(self, section: str) -> None:
        sheet = Sheet(TEXTS[f"add_{section.removesuffix('s')}"])
        with sheet.body:
            name = ui.input(TEXTS["name_of_new"]).props("outlined dense autofocus maxlength=80")

        async def add() -> None:
            written = (name.value or "").strip()
            new_id = plan_key(written)[:LONGEST_ID].strip("-")
            if not new_id or value_at(self._tree, (section, new_id)) is not None:
                return
            sheet.close()
            field = dotted((section, new_id))
            self._tree.setdefault(section, {})[new_id] = {"id": new_id, "name": written}
            self._controls.other[field] = FieldValue(field=field, value={"name": written})
            self._entry(section, new_id)
            await self._check()

        sheet.leave_button()
        sheet.button(TEXTS["add"], add)

    def _given(self, *, effects: bool) -> PreviewClinicChange | None:
        edits = self._controls.edits
        return PreviewClinicChange(version=self._data.version, fields=edits, effects=effects) if edits else None

    async def _check(self) -> None:
        """Show what the check says of what is written so far."""
        given = self._given(effects=False)
        if given is None:
            self._tell(self._controls.tell(()))
            return
        seen = await self._acting.do(PREVIEW_CLINIC_CHANGE, given)
        if not isinstance(seen, Problem):
            self._tell(self._controls.tell(seen.problems))

    def _tell(self, left: Sequence[Any]) -> None:
        self._left.clear()
        with self._left:
            problem_lines(left)

    async def _review(self) -> None:
        given = self._given(effects=True)
        if given is None:
            self._acting.tell(TEXTS["nothing"], good=False)
            return
        seen = await self._acting.do(PREVIEW_CLINIC_CHANGE, given)
        if isinstance(seen, Problem):
            self._acting.tell(seen.text, good=False)
            return
        self._tell(self._controls.tell(seen.problems))
        if not seen.problems:
            Review(self._acting, given, seen)
