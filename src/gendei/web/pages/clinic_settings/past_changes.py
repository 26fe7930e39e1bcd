"""The history of the clinic's data: who changed what, the newest first, each with its undo."""

from functools import partial

from nicegui import ui

from gendei.commands.clinic_changes import LIST_CLINIC_CHANGES, UNDO_CLINIC_CHANGE, ClinicHistory, UndoClinicChange
from gendei.staff.actors import Actor
from gendei.staff.clinic_changes.changes import PAGE, ClinicChanged
from gendei.staff.clinic_changes.history import ClinicChange
from gendei.staff.clinic_changes.refusing import ChangeRefused
from gendei.staff.clinic_changes.texts import ChangeFault
from gendei.web.pages.acting import Acting, Problem, run_command
from gendei.web.pages.clinic_settings.proving import proven
from gendei.web.pages.clinic_settings.review import difference_lines
from gendei.web.pages.clinic_settings.words import TEXTS
from gendei.web.pages.panels import button, empty, moment, panel, text
from gendei.web.pages.sheets import ask_first


class HistoryList:
    """Page by page."""

    def __init__(self, acting: Acting) -> None:
        self._acting = acting
        with panel(TEXTS["history"]):
            self._rows = ui.element("div").classes("o-list")
            self._below = ui.element("div").classes("o-actions o-actions-start")

    async def begin(self) -> None:
        await self._more(None)

    async def _more(self, before: int | None) -> None:
        given = ClinicHistory(before=before)
        desks = self._acting.gendei.desks
        found = await self._acting.told(lambda actor: run_command(desks, actor, LIST_CLINIC_CHANGES, given))
        if isinstance(found, Problem):
            return
        with self._rows:
            for change in found:
                self._row(change)
            if not found and before is None:
                empty(TEXTS["no_changes"])
        self._below.clear()
        if len(found) == PAGE:
            with self._below:
                button(TEXTS["more"], partial(self._more, found[-1].revision))

    def _row(self, change: ClinicChange) -> None:
        at = moment(self._acting.clinic.local(change.at))
        source = TEXTS.get(f"source_{change.source}", change.source)
        with ui.element("article").classes("o-row o-change").props(f'aria-label="{change.revision}"'):
            with ui.element("div").classes("o-main o-grow"):
                text("span", TEXTS("by", who=change.name, at=at, source=source), "g-soft g-small")
                if change.undoes is not None:
                    text("span", TEXTS("undoes", revision=change.undoes), "g-soft g-small")
                if change.reason:
                    text("span", change.reason, "o-name")
                difference_lines(change.fields)
                if not change.fields:
                    text("span", TEXTS["first" if change.first else "same"])
            if change.fields:
                label = f"{TEXTS['undo']}: {change.revision}"
                button(TEXTS["undo"], partial(self._undo, change.revision), label=label)

    async def _undo(self, revision: int, *, anyway: bool = False) -> None:
        async def act(actor: Actor) -> ClinicChanged | None:
            given = UndoClinicChange(revision=revision, anyway=anyway)
            try:
                return await run_command(self._acting.gendei.desks, actor, UNDO_CLINIC_CHANGE, given)
            except ChangeRefused as refused:
                if refused.reason is not ChangeFault.CHANGED_SINCE:
                    raise
                return None

        done = await proven(self._acting, lambda: self._acting.attempt(act))
        if done is None:
            again = partial(self._undo, revision, anyway=True)
            await ask_first(TEXTS["undo_question"], TEXTS["undo_anyway"], again)()
        elif isinstance(done, Problem):
            self._acting.tell(done.text, good=False)
        else:
            self._acting.tell(TEXTS["undone"])
            ui.navigate.reload()
