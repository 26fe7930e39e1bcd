"""The forms of the steps: the settings' own controls, on a draft. What is typed is stored as it is typed."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from nicegui import ui

from gendei.clinics.field_paths import Path, dotted, parsed, said_at, value_at
from gendei.clinics.file import ClinicYaml
from gendei.commands.new_clinics import FILL_IN_DRAFT, FillInDraft
from gendei.health_plan import plan_key
from gendei.staff.clinic_changes.editing import Edit
from gendei.staff.clinic_changes.refusing import ClinicProblem
from gendei.staff.clinic_drafts.drafts import LONGEST_ID, ClinicDraft, ClinicDrafts
from gendei.web.pages.acting import Acting, Problem, operate
from gendei.web.pages.clinic_settings.described import Spec, entry_model, spec_of
from gendei.web.pages.clinic_settings.form import Editor, Fault, FormContext, editor_of
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import button, panel, text
from gendei.web.pages.sheets import Sheet

TEXTS = page_texts("new_clinic")
FIELDS = {"clinic": ("name", "vertical", "address", "phone", "notes"), "hours": ("hours", "closed")}
"""The fields of the file that a step has; those of lists have their entries."""
ENTRIES = {
    "services": ("name", "duration_minutes", "price_cents"),
    "professionals": ("name", "council", "specialty", "services"),
}
STEPS = (*FIELDS, *ENTRIES, "finish")


class StepForm:
    """One step of a draft. `kinds`: the verticals by their names."""

    def __init__(
        self, acting: Acting, drafts: ClinicDrafts, draft: ClinicDraft, step: str, again: Callable[[], Awaitable[None]]
    ) -> None:
        self._acting, self._drafts, self._id, self._step, self._again = acting, drafts, draft.id, step, again
        self._tree = draft.tree
        self._editors: dict[Path, Editor] = {}
        services = {name: each.get("name", name) for name, each in (self._tree.get("services") or {}).items()}
        offered = {"vertical": acting.gendei.desks.clinic_changes.kinds_of_clinic, "professionals.services": services}
        self._form = FormContext(offered=offered, inherited={}, begun={}, changed=self._keep)
        if step in ENTRIES:
            self._entries()
        else:
            with panel(TEXTS[f"step_{step}"]), ui.element("div").classes("o-fields" if step != "hours" else "o-stack"):
                for name in FIELDS[step]:
                    self._edit((name,), spec_of(ClinicYaml, name))
        self._tell(drafts.problems(draft))

    def _entries(self) -> None:
        text("p", TEXTS[f"{self._step}_hint"], "g-soft")
        model = entry_model(ClinicYaml, self._step)
        for name, entry in (value_at(self._tree, (self._step,)) or {}).items():
            shown = str(entry.get("name", name))
            with panel(shown):
                path = (self._step, name)
                with ui.element("div").classes("o-fields"):
                    for field in ENTRIES[self._step]:
                        self._edit((*path, field), spec_of(model, field, self._step))
                with ui.element("div").classes("o-actions"):
                    act = partial(self._change, [Edit(dotted(path), None), *self._without(name)])
                    button(TEXTS["remove"], act, kind="flat color=negative", label=f"{TEXTS['remove']}: {shown}")
        with ui.element("div").classes("o-actions o-actions-start"):
            button(TEXTS[f"add_{self._step.removesuffix('s')}"], self._ask_name, kind="outline color=primary")

    def _without(self, service: str) -> list[Edit]:
        """What follows for who does a service that is taken out."""
        if self._step != "services":
            return []
        doing = {name: each.get("services", []) for name, each in (self._tree.get("professionals") or {}).items()}
        return [
            Edit(dotted(("professionals", name, "services")), [each for each in services if each != service])
            for name, services in doing.items()
            if service in services
        ]

    async def _ask_name(self) -> None:
        sheet = Sheet(TEXTS[f"add_{self._step.removesuffix('s')}"])
        with sheet.body:
            name = ui.input(TEXTS["add_name"]).props("outlined dense autofocus maxlength=80")

        async def add() -> None:
            written = (name.value or "").strip()
            new_id = plan_key(written)[:LONGEST_ID].strip("-")
            if not new_id or value_at(self._tree, (self._step, new_id)) is not None:
                return
            entry = {"id": new_id, "name": written}
            usual = {"duration_minutes": 30} if self._step == "services" else {"services": list(self._tree["services"])}
            sheet.close()
            await self._change([Edit(dotted((self._step, new_id)), entry | usual)])

        sheet.leave_button()
        sheet.button(TEXTS["add"], add)

    def _edit(self, path: Path, spec: Spec) -> None:
        self._editors[path] = editor_of(spec, said_at(self._tree, path), self._form)

    async def _keep(self) -> None:
        """Store what is typed, and tell what is wrong with this step's part of it."""
        told = {path: editor.value for path, editor in self._editors.items()}
        edits = [Edit(dotted(path), value) for path, value in told.items() if value != said_at(self._tree, path)]
        draft = await self._filled(edits)
        if draft is not None:
            self._tell(self._drafts.problems(draft))

    async def _change(self, edits: Sequence[Edit]) -> None:
        if await self._filled(edits) is not None:
            await self._again()

    async def _filled(self, edits: Sequence[Edit]) -> ClinicDraft | None:
        given = FillInDraft(draft_id=self._id, edits=tuple(edits))
        done = await self._acting.told(lambda actor: operate(actor, self._acting.gendei, FILL_IN_DRAFT, given))
        return None if isinstance(done, Problem) else done

    def _tell(self, problems: Sequence[ClinicProblem]) -> None:
        """What of it has no control on this step is told by another, or by the last."""
        left = [Fault((*parsed(each.field), *each.within), each.text) for each in problems if each.field]
        for path, editor in self._editors.items():
            left = editor.tell(path, left)
