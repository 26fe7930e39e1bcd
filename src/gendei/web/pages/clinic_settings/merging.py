"""Two editors of one clinic: what somebody else changed meanwhile beside what is to stand, field by field."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from nicegui import ui

from gendei.clinics.field_paths import overlaps, parsed
from gendei.commands.clinic_changes import FieldValue
from gendei.staff.clinic_changes.changes import ClinicPreview
from gendei.staff.clinic_changes.refusing import FieldConflict
from gendei.web.pages.acting import Acting
from gendei.web.pages.clinic_settings.words import TEXTS, key_of, label_of, shown
from gendei.web.pages.panels import button, moment, panel, text

NOW, MINE = "now", "mine"
GoOn = Callable[[int, list[FieldValue]], Awaitable[None]]
"""Goes on with the version that was looked at, and what of the own changes is to stand."""


class Merge:
    """Stands in place of the form, in the slot that is open. `back`: shows the form again."""

    def __init__(
        self,
        acting: Acting,
        fields: Sequence[FieldValue],
        seen: ClinicPreview,
        go_on: GoOn,
        back: Callable[[], Awaitable[None]],
    ) -> None:
        self._acting, self._fields, self._seen, self._go_on = acting, fields, seen, go_on
        self._chosen: list[tuple[FieldConflict, ui.radio]] = []
        with panel(TEXTS["conflicts"], TEXTS["conflicts_hint"]):
            for conflict in seen.conflicts:
                self._show(conflict)
        others = [field for field in fields if not self._conflicts_of(field)]
        if others:
            with panel(TEXTS["yours_alone"]), ui.element("dl").classes("o-differences"):
                for field in others:
                    text("dt", label_of(field.field))
                    text("dd", shown(field.value, key_of(parsed(field.field))), "o-wrap")
        with ui.element("div").classes("o-save"):
            button(TEXTS["back"], back)
            button(TEXTS["go_on"], self._take, kind="unelevated color=primary")

    def _show(self, conflict: FieldConflict) -> None:
        label = label_of(conflict.field)
        who = TEXTS["somebody"]
        if conflict.at is not None:
            who = f"{conflict.name}, {moment(self._acting.clinic.local(conflict.at))}"
        with ui.element("section").classes("o-entry").props('role="radiogroup"') as place:
            place.props["aria-label"] = label
            text("h3", label, "o-h3")
            choice = ui.radio(
                {
                    NOW: TEXTS("stands_now", value=self._said(conflict, conflict.now), who=who),
                    MINE: TEXTS("yours", value=self._said(conflict, conflict.mine)),
                }
            )
        self._chosen.append((conflict, choice))

    def _said(self, conflict: FieldConflict, value: Any) -> str:
        return TEXTS["secret"] if conflict.secret else shown(value, key_of(parsed(conflict.field)))

    def _conflicts_of(self, field: FieldValue) -> list[FieldConflict]:
        path = parsed(field.field)
        return [each for each in self._seen.conflicts if overlaps(parsed(each.field), path)]

    async def _take(self) -> None:
        if any(choice.value is None for _, choice in self._chosen):
            self._acting.tell(TEXTS["choose_each"], good=False)
            return
        left = {conflict.field for conflict, choice in self._chosen if choice.value == NOW}
        fields = [field for field in self._fields if not left & {each.field for each in self._conflicts_of(field)}]
        await self._go_on(self._seen.version, fields)
