"""What a change would do, before it is saved: the differences, what they mean, and what somebody else changed."""

from collections.abc import Iterable, Sequence
from typing import Any

from nicegui import ui

from gendei.clinic import money
from gendei.clinics.field_paths import FieldChange, overlaps, parsed
from gendei.commands.clinic_changes import CHANGE_CLINIC, ChangeClinic, FieldValue, PreviewClinicChange
from gendei.staff.clinic_changes.changes import ClinicPreview
from gendei.staff.clinic_changes.refusing import ClinicProblem, FieldConflict
from gendei.web.pages.acting import Acting, Problem
from gendei.web.pages.clinic_settings.form import TEXTS, label_of
from gendei.web.pages.panels import moment, text
from gendei.web.pages.sheets import Sheet


class Review:
    """A sheet over the form."""

    def __init__(self, acting: Acting, given: PreviewClinicChange, seen: ClinicPreview) -> None:
        self._acting, self._given, self._seen = acting, given, seen
        self._sheet = Sheet(TEXTS["conflicts" if seen.conflicts else "changes"])
        with self._sheet.body, ui.element("div").classes("o-stack"):
            for conflict in seen.conflicts:
                text("p", self._conflict_line(conflict), "o-wrap")
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
        if seen.conflicts:
            self._sheet.button(TEXTS["take_now"], self._take_now, props="flat no-caps")
            self._sheet.button(TEXTS["save_mine"], self._save)
        else:
            self._sheet.leave_button()
            self._sheet.button(TEXTS["save"], self._save)

    def _conflict_line(self, conflict: FieldConflict) -> str:
        who = TEXTS["somebody"]
        if conflict.at is not None:
            who = f"{conflict.name}, {moment(self._acting.clinic.local(conflict.at))}"
        name, values = parsed(conflict.field)[-1], (conflict.now, conflict.mine)
        now, mine = (TEXTS["secret"] if conflict.secret else shown(value, name) for value in values)
        return TEXTS("conflict", field=label_of(conflict.field), now=now, mine=mine, who=who)

    async def _take_now(self) -> None:
        """Save what nobody else changed, if there is anything."""
        theirs = [parsed(conflict.field) for conflict in self._seen.conflicts]
        left = [each for each in self._given.fields if not any(overlaps(parsed(each.field), path) for path in theirs)]
        if left:
            await self._store(self._given.version, left)
        else:
            ui.navigate.reload()

    async def _save(self) -> None:
        """On the version that was looked at: whoever was told of a conflict says that their word counts."""
        version = self._seen.version if self._seen.conflicts else self._given.version
        await self._store(version, self._given.fields)

    async def _store(self, version: int, fields: list[FieldValue]) -> None:
        whole = ChangeClinic(version=version, fields=fields, reason=self._reason.value or "")
        done = await self._acting.do(CHANGE_CLINIC, whole)
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
                name = field.path[-1]
                words = TEXTS("was_now", old=shown(field.old, name), new=shown(field.new, name))
                text("dt", label_of(field.field))
                text("dd", TEXTS["secret"] if field.secret else words, "o-wrap")


def problem_lines(problems: Sequence[ClinicProblem]) -> None:
    """What stands at no control."""
    for problem in problems:
        label = f"{label_of(problem.field)}: " if problem.field else ""
        text("p", f"{label}{problem.text}", "o-fault g-small o-wrap")


def shown(value: Any, name: str = "") -> str:
    """A value of the file for staff. `name`: of its field, which tells what is money."""
    match value:
        case None | "" | []:
            return TEXTS["empty_value"]
        case bool():
            return TEXTS["yes" if value else "no"]
        case int() if name.endswith("_cents"):
            return money(value)
        case list():
            return ", ".join(map(shown, value))
        case dict():
            return ", ".join(shown(part, field) for field, part in value.items() if field != "id")
        case _:
            return str(value)
