"""What staff write of a task: a new one, or a change. The date that the due date's words mean is shown before it is
kept."""

from collections.abc import Sequence
from datetime import datetime
from secrets import token_hex
from urllib.parse import quote

from nicegui import ui

from gendei.booking.dates import describe
from gendei.clinic import Clinic
from gendei.commands.tasks import (
    ADD_TASK,
    COMPLETE_TASK,
    DELETE_TASK,
    UPDATE_TASK,
    AddTask,
    CompleteTask,
    DeleteTask,
    UpdateTask,
)
from gendei.staff.actors import Actor
from gendei.staff.colleagues import Colleague
from gendei.staff.tasks.fields import TaskRefused
from gendei.staff.tasks.listed import TaskList
from gendei.staff.tasks.stored import Due, Link, Task, TaskStatus
from gendei.web.pages.acting import acting, run_command
from gendei.web.pages.frame import PageContext
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import Handler, ask_first, button, moment, tag, text
from gendei.web.pages.tasks.followed import FollowedTasks

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


async def ask_task(context: PageContext, clinic: Clinic, *, link: Link | None = None, task: Task | None = None) -> None:
    """Open the sheet in the present slot: of `task`, or of a new one about `link`."""

    async def show(actor: Actor) -> None:
        with slot:
            TaskSheet(
                context, clinic, await context.site.gendei.front_desk.colleagues.list(actor), link or Link(), task
            )

    slot = ui.context.slot
    await acting(show)()


class TaskSheet:
    """Open until it is saved or left."""

    def __init__(
        self, context: PageContext, clinic: Clinic, colleagues: Sequence[Colleague], link: Link, task: Task | None
    ) -> None:
        self._gendei, self._clinic, self._link, self._task = context.site.gendei, clinic, link, task
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


class TaskRow:
    """Built into the slot it is made in. `layer`: where its dialogs stand, which the next drawing does not clear.
    `about`: what the page shows already, so that it needs no link."""

    def __init__(self, context: PageContext, clinic: Clinic, layer: ui.element, task: Task, about: Link) -> None:
        self._context, self._clinic, self._layer, self._task, self._about = context, clinic, layer, task, about
        self._desks, self._words = context.site.gendei.desks, page_texts("tasks")
        self._now = clinic.local(context.site.gendei.clock())
        done = task.status is TaskStatus.COMPLETED
        with ui.element("div").classes("t-row" + " t-done" * done).props("role=group") as row:
            row.props["aria-label"] = task.title
            box = ui.checkbox(value=done, on_change=acting(self._complete, not done))
            box.props["aria-label"] = self._words["reopen" if done else "complete"].format(title=task.title)
            with ui.element("div").classes("t-main"):
                text("span", task.title, "t-title").props("dir=auto")
                if task.description:
                    text("span", task.description, "g-soft g-small t-description").props("dir=auto")
                self._facts()
            with ui.element("div").classes("t-deeds"):
                self._icon("edit", "edit_one", self._edit)
                self._icon("delete", "delete_one", self._delete)

    def _facts(self) -> None:
        task, words = self._task, self._words
        with ui.element("div").classes("t-facts g-small"):
            if task.completed_at and task.completed_by:
                at = moment(self._clinic.local(task.completed_at))
                text("span", words["completed_by"].format(name=task.completed_by, at=at), "g-soft")
            elif task.due:
                _due_tag(task.due, self._now, overdue=task.overdue)
            if task.assigned_name:
                text("span", words["for_whom"].format(name=task.assigned_name))
            origin = words["created_by"].format(name=task.created_by) if task.created_by else words["by_service"]
            text("span", origin, "g-soft")
            self._links(task.link)

    def _links(self, link: Link) -> None:
        words = self._words
        if link.contact and link.contact != self._about.contact:
            ui.link(words["to_conversation"], f"/inbox?contact={quote(link.contact, safe='')}").classes("t-link")
        if link.patient_id and link.patient_id != self._about.patient_id:
            ui.link(words["to_patient"], f"/patients/{quote(link.patient_id, safe='')}").classes("t-link")
        if link.appointment_id:
            show = acting(self._show_appointment, link.appointment_id)
            text("button", words["to_appointment"], "t-link").on("click", show).props("type=button")

    def _icon(self, icon: str, name: str, deed: Handler) -> None:
        button = ui.button(icon=icon, on_click=deed).props("flat round dense size=sm").classes("t-icon")
        button.props["aria-label"] = self._words[name].format(title=self._task.title)

    async def _complete(self, actor: Actor, done: bool) -> None:
        await run_command(self._desks, actor, COMPLETE_TASK, CompleteTask(task=self._task.id, done=done))

    async def _edit(self) -> None:
        with self._layer:
            await ask_task(self._context, self._clinic, task=self._task)

    async def _delete(self) -> None:
        async def delete(actor: Actor) -> None:
            await run_command(self._desks, actor, DELETE_TASK, DeleteTask(task=self._task.id))

        question = self._words["delete_question"].format(title=self._task.title)
        with self._layer:
            await ask_first(question, self._words["delete"], acting(delete))()

    async def _show_appointment(self, actor: Actor, appointment_id: str) -> None:
        """Its day in the agenda."""
        found = await self._context.site.gendei.agenda_desk.agenda.appointment(actor, appointment_id)
        day, who = f"{self._clinic.local(found.start):%Y-%m-%d}", quote(found.professional_id, safe="")
        ui.navigate.to(f"/agenda?day={day}&professional={who}")


def _due_tag(due: Due, now: datetime, *, overdue: bool) -> None:
    said = due_said(due, now)
    if overdue:
        tag(page_texts("tasks")["overdue"].format(due=said), "bad")
    else:
        tag(said, "warn" if due.day == now.date() else "")


class TasksBeside:
    """Built into the slot it is made in: the tasks about the contact or the patient of `about`, live."""

    def __init__(self, context: PageContext, clinic: Clinic, about: Link) -> None:
        self._context, self._clinic, self._about = context, clinic, about
        self._drawn: tuple[Task, ...] | None = None
        self._layer = ui.element("div")
        self._list = ui.element("div").classes("t-list t-beside")
        with ui.element("div").classes("t-actions t-actions-start"):
            button(page_texts("tasks")["new"], self._add, kind="outline")
        FollowedTasks(context.site.gendei, clinic, self._show)

    def _show(self, found: TaskList) -> None:
        shown = tuple(one for one in found.tasks if one.status is TaskStatus.PENDING and self._is_about(one.link))
        if shown == self._drawn:
            return
        self._drawn = shown
        self._list.clear()
        with self._list:
            for task in shown:
                TaskRow(self._context, self._clinic, self._layer, task, self._about)
            if not shown:
                text("p", page_texts("tasks")["none_here"], "g-soft t-none")

    def _is_about(self, link: Link) -> bool:
        contact, patient = self._about.contact, self._about.patient_id
        return (contact is not None and link.contact == contact) or (patient is not None and link.patient_id == patient)

    async def _add(self) -> None:
        with self._layer:
            await ask_task(self._context, self._clinic, link=self._about)
