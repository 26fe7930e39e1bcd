"""What staff write of a task: a new one, or a change. The date that the due date's words mean is shown before it is
kept."""

from collections.abc import Sequence
from datetime import datetime
from secrets import token_hex

from nicegui import ui

from gendei.booking.dates import describe
from gendei.clinic import Clinic
from gendei.commands.tasks import ADD_TASK, UPDATE_TASK, AddTask, UpdateTask
from gendei.staff.actors import Actor
from gendei.staff.colleagues import Colleague
from gendei.staff.tasks.fields import TaskRefused
from gendei.staff.tasks.stored import Due, Link, Task
from gendei.web.pages.acting import acting, run_command
from gendei.web.pages.frame import Visit
from gendei.web.pages.panels import Handler, button, text
from gendei.web.pages.texts import page_texts

PAUSE_MS = 300
"""Of who types, before the due date is read."""
NOBODY = ""


def due_said(due: Due, now: datetime) -> str:
    """ "amanhã, terça-feira, 24/11, às 15h". `now`: in the clinic's zone."""
    if due.at is None:
        return describe(due.day, now)
    return describe(datetime.combine(due.day, due.at, now.tzinfo), now)


def due_written(due: Due) -> str:
    """In words that mean this and nothing else."""
    return f"{due.day:%d/%m/%Y}" + (f" às {due.at:%H:%M}" if due.at else "")


async def ask_task(visit: Visit, clinic: Clinic, *, link: Link | None = None, task: Task | None = None) -> None:
    """Open the sheet in the present slot: of `task`, or of a new one about `link`."""

    async def show(actor: Actor) -> None:
        with slot:
            TaskSheet(visit, clinic, await visit.site.gendei.front_desk.colleagues.list(actor), link or Link(), task)

    slot = ui.context.slot
    await acting(show)()


class TaskSheet:
    """Open until it is saved or left."""

    def __init__(
        self, visit: Visit, clinic: Clinic, colleagues: Sequence[Colleague], link: Link, task: Task | None
    ) -> None:
        self._gendei, self._clinic, self._link, self._task = visit.site.gendei, clinic, link, task
        self._words, self._key = page_texts("tasks"), token_hex(8)
        self._written = due_written(task.due) if task and task.due else ""
        self._read, self._due = self._written, task.due if task else None
        self._unclear = False
        words = self._words
        with ui.dialog() as self._dialog, ui.card().classes("t-sheet") as card:
            self._dialog.on("hide", self._dialog.delete)
            card.props["aria-label"] = words["edit" if task else "new"]
            text("h2", words["edit" if task else "new"], "t-heading")
            self._title = ui.input(words["task_title"], value=task.title if task else "")
            self._title.props("outlined dense autofocus")
            self._description = ui.textarea(words["description"], value=task.description if task else "")
            self._description.props("outlined dense autogrow")
            self._when = ui.input(words["due"], value=self._written, on_change=acting(self._echo))
            self._when.props(f"outlined dense clearable debounce={PAUSE_MS} maxlength=100")
            self._when.props["placeholder"] = words["due_examples"]
            self._said = ui.element("div").classes("t-said").props("role=status")
            known = {NOBODY: words["nobody"]} | {one.id: one.name for one in colleagues}
            chosen = task.assigned_to if task and task.assigned_to in known else NOBODY
            self._assigned = ui.select(known, label=words["assigned"], value=chosen).props("outlined dense")
            self._problem = text("p", "", "t-problem").props("role=alert")
            with ui.element("div").classes("t-actions"):
                button(words["cancel"], self._leave)
                button(words["save"], acting(self._save), kind="unelevated color=primary")
        self._show_due()
        self._dialog.open()

    async def _leave(self) -> None:
        self._dialog.close()

    async def _echo(self, actor: Actor) -> None:
        """Say which day the words mean, or ask which of two."""
        written = str(self._when.value or "")
        days: tuple[Due, ...] = ()
        try:
            due, problem = await self._gendei.tasks.due(actor, written), ""
        except TaskRefused as refused:
            due, problem, days = None, refused.text, refused.days
        if written == str(self._when.value or ""):
            self._read, self._due, self._unclear = written, due, bool(problem)
            self._show_due(problem, days)

    def _show_due(self, problem: str = "", days: Sequence[Due] = ()) -> None:
        now = self._clinic.local(self._gendei.clock())
        self._problem.text = ""
        self._said.clear()
        with self._said:
            if problem:
                text("p", problem, "t-problem")
            elif self._due:
                text("p", self._words["due_said"].format(due=due_said(self._due, now)), "t-due")
            for day in days:
                button(due_said(day, now), self._choosing(day), kind="outline")

    def _choosing(self, due: Due) -> Handler:
        async def choose() -> None:
            self._when.value = due_written(due)

        return choose

    async def _save(self, actor: Actor) -> None:
        if str(self._when.value or "") != self._read:
            await self._echo(actor)
            self._problem.text = self._words["due_seen_first"]
        elif not self._unclear:
            try:
                await self._keep(actor)
            except TaskRefused as refused:
                self._problem.text = refused.text
            else:
                self._dialog.close()

    async def _keep(self, actor: Actor) -> None:
        title, description = str(self._title.value or ""), str(self._description.value or "")
        due, assigned = due_written(self._due) if self._due else "", str(self._assigned.value or NOBODY)
        desks, task, link = self._gendei.desks, self._task, self._link
        if task is None:
            new = AddTask(
                title=title,
                description=description,
                due=due,
                assigned_to=assigned or None,
                contact=link.contact,
                patient_id=link.patient_id,
                appointment_id=link.appointment_id,
            )
            await run_command(desks, actor, ADD_TASK, new, self._key)
            return
        edit = UpdateTask(
            task=task.id,
            title=title if title != task.title else None,
            description=description if description != task.description else None,
            due=due if due != self._written else None,
            assigned_to=assigned if assigned != (task.assigned_to or NOBODY) else None,
        )
        if edit != UpdateTask(task=task.id):
            await run_command(desks, actor, UPDATE_TASK, edit)
