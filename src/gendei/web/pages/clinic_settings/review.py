"""What a change would do, before it is saved: the differences, and what they mean."""

from collections.abc import Iterable, Sequence

from nicegui import ui

from gendei.clinics.field_paths import FieldChange
from gendei.commands.clinic_changes import CHANGE_CLINIC, ChangeClinic, PreviewClinicChange
from gendei.staff.clinic_changes.changes import ClinicPreview
from gendei.staff.clinic_changes.refusing import ClinicProblem
from gendei.web.pages.acting import Acting, Problem
from gendei.web.pages.clinic_settings.proving import proven
from gendei.web.pages.clinic_settings.words import TEXTS, key_of, label_of, shown
from gendei.web.pages.panels import text
from gendei.web.pages.sheets import Sheet


class Review:
    """A sheet over the form."""

    def __init__(self, acting: Acting, given: PreviewClinicChange, seen: ClinicPreview) -> None:
        self._acting, self._given = acting, given
        self._sheet = Sheet(TEXTS["changes"])
        with self._sheet.body, ui.element("div").classes("o-stack"):
            difference_lines(seen.fields)
            if seen.effects:
                with ui.element("section").classes("o-box o-meanings"):
                    text("h3", TEXTS["meanings"], "o-h3")
                    for effect in seen.effects:
                        text("p", f"{effect.text}.", "o-name")
                        for example in effect.examples:
                            text("p", example, "g-soft g-small")
            if seen.warnings:
                text("h3", TEXTS["warnings"], "o-h3")
                problem_lines(seen.warnings)
            self._reason = ui.input(TEXTS["reason"]).props("outlined dense maxlength=500")
        self._sheet.leave_button()
        self._sheet.button(TEXTS["save"], self._save)

    async def _save(self) -> None:
        reason = self._reason.value or ""
        whole = ChangeClinic(version=self._given.version, fields=self._given.fields, reason=reason)
        done = await proven(self._acting, lambda: self._acting.do(CHANGE_CLINIC, whole))
        if isinstance(done, Problem):
            self._sheet.say(done.text)
            return
        self._sheet.close()
        self._acting.tell(TEXTS["saved"])
        ui.navigate.reload()


def difference_lines(fields: Iterable[FieldChange]) -> None:
    """A line for each field: what it was and is. An order is told where it is all that changed."""
    with ui.element("dl").classes("o-differences"):
        for field in fields:
            if not field.is_order or field.reorders:
                key = key_of(field.path)
                words = TEXTS("was_now", old=shown(field.old, key), new=shown(field.new, key))
                text("dt", label_of(field.field))
                text("dd", TEXTS["secret"] if field.secret else words, "o-wrap")


def problem_lines(problems: Sequence[ClinicProblem]) -> None:
    """What stands at no control."""
    for problem in problems:
        label = f"{label_of(problem.field)}: " if problem.field else ""
        text("p", f"{label}{problem.text}", "o-fault g-small o-wrap")
