"""/tasks: what the clinic's staff have to do, live."""

from collections.abc import Collection, Sequence
from datetime import datetime
from secrets import token_hex
from typing import TypeVar
from urllib.parse import quote

from nicegui import ui

from gendei.booking.dates import describe
from gendei.clinic import Clinic
from gendei.commands.command import Arguments, Command
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
from gendei.web.pages.acting import Acting, Problem, acting, run_command
from gendei.web.pages.frame import asset, staff_page
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import button, empty, moment, names, office, tag, text
from gendei.web.pages.sheets import TEXTS as OFFICE
from gendei.web.pages.sheets import Handler, Sheet, ask_first
from gendei.web.pages.site import PageContext
from gendei.web.pages.tasks.followed import FollowedTasks, counted

A = TypeVar("A", bound=Arguments)
TEXTS = page_texts("tasks")

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


async def ask_task(acting: Acting, *, link: Link | None = None, task: Task | None = None) -> None:
    """Open the sheet in the present slot: of `task`, or of a new one about `link`."""
    slot = ui.context.slot
    colleagues = await acting.told(acting.gendei.front_desk.colleagues.list)
    if not isinstance(colleagues, Problem):
        with slot:
            TaskSheet(acting, colleagues, link or Link(), task)


class TaskSheet(Sheet):
    """Open until it is saved or left."""

    def __init__(self, acting: Acting, colleagues: Sequence[Colleague], link: Link, task: Task | None) -> None:
        super().__init__(TEXTS["edit" if task else "new"])
        self._acting, self._link, self._task, self._key = acting, link, task, token_hex(8)
        self._written = due_written(task.due) if task and task.due else ""
        self._read, self._due = self._written, task.due if task else None
        self._unclear = False
        with self.body:
            self._title = ui.input(TEXTS["task_title"], value=task.title if task else "")
            self._title.props("outlined dense autofocus")
            self._description = ui.textarea(TEXTS["description"], value=task.description if task else "")
            self._description.props("outlined dense autogrow")
            self._when = ui.input(TEXTS["due"], value=self._written, on_change=self._echo)
            self._when.props(f"outlined dense clearable debounce={PAUSE_MS} maxlength=100")
            self._when.props["placeholder"] = TEXTS["due_examples"]
            self._said = ui.element("div").classes("t-said").props("role=status")
            known = {NOBODY: TEXTS["nobody"]} | names(colleagues)
            chosen = task.assigned_to if task and task.assigned_to in known else NOBODY
            self._assigned = ui.select(known, label=TEXTS["assigned"], value=chosen).props("outlined dense")
            self._personal = ui.checkbox(TEXTS["only_me"], value=bool(task and task.personal))
            self._personal.set_visibility(task is None)
            self._assigned.bind_visibility_from(self._personal, "value", backward=lambda personal: not personal)
        self.leave_button()
        self.button(OFFICE["save"], self._save)
        self._show_due()

    async def _echo(self) -> None:
        """Say which day the words mean, or ask which of two."""
        written = str(self._when.value or "")

        async def read(actor: Actor) -> tuple[Due | None, str, Sequence[Due]]:
            try:
                return await self._acting.gendei.tasks.due(actor, written), "", ()
            except TaskRefused as refused:
                return None, refused.text, refused.days

        found = await self._acting.told(read)
        if not isinstance(found, Problem) and written == str(self._when.value or ""):
            self._read, (self._due, problem, days) = written, found
            self._unclear = bool(problem)
            self._show_due(problem, days)

    def _show_due(self, problem: str = "", days: Sequence[Due] = ()) -> None:
        now = self._acting.now
        self.say("")
        self._said.clear()
        with self._said:
            if problem:
                text("p", problem, "t-problem")
            elif self._due:
                text("p", TEXTS("due_said", due=due_said(self._due, now)), "t-due")
            for day in days:
                button(due_said(day, now), self._choosing(day), kind="outline")

    def _choosing(self, due: Due) -> Handler:
        async def choose() -> None:
            self._when.value = due_written(due)

        return choose

    async def _save(self) -> None:
        if str(self._when.value or "") != self._read:
            await self._echo()
            self.say(TEXTS["due_seen_first"])
        elif not self._unclear:
            done = await self._keep()
            if isinstance(done, Problem):
                self.say(done.text)
            else:
                self.close()

    async def _keep(self) -> Task | Problem | None:
        title, description = str(self._title.value or ""), str(self._description.value or "")
        due = due_written(self._due) if self._due else ""
        personal = bool(self._personal.value)
        assigned = NOBODY if personal else str(self._assigned.value or NOBODY)
        task, link = self._task, self._link
        if task is None:
            new = AddTask(
                title=title,
                description=description,
                due=due,
                assigned_to=assigned or None,
                contact=link.contact,
                patient_id=link.patient_id,
                appointment_id=link.appointment_id,
                personal=personal,
            )
            return await self._acting.do(ADD_TASK, new, self._key)
        edit = UpdateTask(
            task=task.id,
            title=title if title != task.title else None,
            description=description if description != task.description else None,
            due=due if due != self._written else None,
            assigned_to=assigned if assigned != (task.assigned_to or NOBODY) else None,
        )
        if edit == UpdateTask(task=task.id):
            return None
        return await self._acting.do(UPDATE_TASK, edit)


class TaskRow:
    """Built into the slot it is made in. `layer`: where its dialogs stand, which the next drawing does not clear.
    `about`: what the page shows already, so that it needs no link."""

    def __init__(self, acting: Acting, layer: ui.element, task: Task, about: Link) -> None:
        self._acting, self._layer, self._task, self._about = acting, layer, task, about
        done = task.status is TaskStatus.COMPLETED
        with ui.element("div").classes("t-row" + " t-done" * done).props("role=group") as row:
            row.props["aria-label"] = task.title
            box = ui.checkbox(value=done, on_change=self._complete)
            box.props["aria-label"] = TEXTS("reopen" if done else "complete", title=task.title)
            with ui.element("div").classes("t-main"):
                text("span", task.title, "t-title").props("dir=auto")
                if task.description:
                    text("span", task.description, "g-soft g-small t-description").props("dir=auto")
                self._facts()
            with ui.element("div").classes("t-deeds"):
                self._icon("edit", "edit_one", self._edit)
                self._icon("delete", "delete_one", self._delete)

    def _facts(self) -> None:
        task = self._task
        with ui.element("div").classes("t-facts g-small"):
            if task.completed_at and task.completed_by:
                at = moment(self._acting.clinic.local(task.completed_at))
                text("span", TEXTS("completed_by", name=task.completed_by, at=at), "g-soft")
            elif task.due:
                _due_tag(task.due, self._acting.now, overdue=task.overdue)
            if task.assigned_name:
                text("span", TEXTS("for_whom", name=task.assigned_name))
            if task.personal:
                tag(TEXTS["only_you"])
            else:
                origin = TEXTS("created_by", name=task.created_by) if task.created_by else TEXTS["by_service"]
                text("span", origin, "g-soft")
            self._links(task.link)

    def _links(self, link: Link) -> None:
        if link.contact and link.contact != self._about.contact:
            ui.link(TEXTS["to_conversation"], f"/inbox?contact={quote(link.contact, safe='')}").classes("t-link")
        if link.patient_id and link.patient_id != self._about.patient_id:
            ui.link(TEXTS["to_patient"], f"/patients/{quote(link.patient_id, safe='')}").classes("t-link")
        if link.appointment_id:
            show = acting(self._show_appointment, link.appointment_id)
            text("button", TEXTS["to_appointment"], "t-link").on("click", show).props("type=button")

    def _icon(self, icon: str, name: str, act: Handler) -> None:
        button = ui.button(icon=icon, on_click=act).props("flat round dense size=sm").classes("t-icon")
        button.props["aria-label"] = TEXTS(name, title=self._task.title)

    async def _complete(self) -> None:
        done = self._task.status is not TaskStatus.COMPLETED
        await self._run(COMPLETE_TASK, CompleteTask(task=self._task.id, done=done))

    async def _edit(self) -> None:
        with self._layer:
            await ask_task(self._acting, task=self._task)

    async def _delete(self) -> None:
        asked = "delete_personal_question" if self._task.personal else "delete_question"
        question, given = TEXTS(asked, title=self._task.title), DeleteTask(task=self._task.id)
        with self._layer:
            await ask_first(question, TEXTS["delete"], lambda: self._run(DELETE_TASK, given))()

    async def _run(self, command: Command[A, Task], given: A) -> None:
        await self._acting.told(lambda actor: run_command(self._acting.gendei.desks, actor, command, given))

    async def _show_appointment(self, actor: Actor, appointment_id: str) -> None:
        """Its day in the agenda."""
        found = await self._acting.gendei.agenda_desk.agenda.appointment(actor, appointment_id)
        day, who = f"{self._acting.clinic.local(found.start):%Y-%m-%d}", quote(found.professional_id, safe="")
        ui.navigate.to(f"/agenda?day={day}&professional={who}")


def _due_tag(due: Due, now: datetime, *, overdue: bool) -> None:
    said = due_said(due, now)
    if overdue:
        tag(TEXTS("overdue", due=said), "bad")
    else:
        tag(said, "warn" if due.day == now.date() else "")


class TasksBeside:
    """Built into the slot it is made in: the tasks about the contact or the patient of `about`, live. ids: every id of
    that patient."""

    def __init__(self, context: PageContext, clinic: Clinic, about: Link, ids: Collection[str] = ()) -> None:
        self._acting, self._about = Acting(context, clinic), about
        self._ids = {*ids, about.patient_id} - {None}
        self._drawn: tuple[Task, ...] | None = None
        self._layer = ui.element("div")
        self._list = ui.element("div").classes("t-list t-beside")
        with ui.element("div").classes("t-actions t-actions-start"):
            button(TEXTS["new"], self._add, kind="outline")
        FollowedTasks(self._acting, self._show)

    def _show(self, found: TaskList) -> None:
        shown = tuple(task for task in found.tasks if task.status is TaskStatus.PENDING and self._is_about(task.link))
        if shown == self._drawn:
            return
        self._drawn = shown
        self._list.clear()
        with self._list:
            for task in shown:
                TaskRow(self._acting, self._layer, task, self._about)
            if not shown:
                text("p", TEXTS["none_here"], "g-soft t-none")

    def _is_about(self, link: Link) -> bool:
        contact = self._about.contact
        return (contact is not None and link.contact == contact) or link.patient_id in self._ids

    async def _add(self) -> None:
        with self._layer:
            await ask_task(self._acting, link=self._about)


STEP = 50
"""Tasks that are shown at first, and with each "more"."""
ALL, PENDING, COMPLETED = "all", "pending", "completed"
EVERYBODY, MINE = "everybody", "mine"


@staff_page("/tasks", title="tasks")
async def tasks(context: PageContext) -> None:
    ui.add_head_html(f'<link rel="stylesheet" href="{asset("tasks.css")}">')
    if context.clinic is None:
        with office(TEXTS["title"]):
            empty(TEXTS["no_clinic"])
        return
    board = TaskBoard(context, context.clinic)
    board.show(await context.gendei.tasks.list(context.actor))


class TaskBoard:
    """The list, as its filters have it."""

    def __init__(self, context: PageContext, clinic: Clinic) -> None:
        self._acting = Acting(context, clinic)
        self._found, self._most = TaskList((), 0, 0, 0), STEP
        self._drawn: tuple[tuple[Task, ...], int] | None = None
        self._layer = ui.element("div")
        with office(narrow=True):
            with ui.element("div").classes("o-head"):
                text("h1", TEXTS["title"], "g-title o-h1 o-grow")
                button(TEXTS["new"], self._add, kind="unelevated color=primary")
            text("p", TEXTS["hint"], "g-soft o-hint")
            with ui.element("div").classes("o-head"):
                self._which = self._filter(
                    "which", {PENDING: "show_pending", COMPLETED: "show_completed", ALL: "show_all"}
                )
                self._whose = self._filter("whose", {EVERYBODY: "everybody", MINE: "mine"})
                self._counts = text("p", "", "g-soft g-small").props("role=status")
            self._list = ui.element("section").classes("g-card t-list")
            self._list.props["aria-label"] = TEXTS["list"]
        FollowedTasks(self._acting, self.show)

    def show(self, found: TaskList) -> None:
        """These are the tasks now."""
        self._found = found
        self._counts.text = counted(found)
        shown = [task for task in found.tasks if self._fits(task)]
        drawn = (tuple(shown[: self._most]), len(shown))
        if drawn != self._drawn:
            self._drawn = drawn
            self._draw(shown)

    def _fits(self, task: Task) -> bool:
        assigned = task.assigned_to == self._acting.context.actor.user_id
        mine = self._whose.value == EVERYBODY or task.personal or assigned
        return mine and (self._which.value == ALL or task.status is TaskStatus(str(self._which.value)))

    def _draw(self, shown: list[Task]) -> None:
        self._list.clear()
        with self._list:
            for task in shown[: self._most]:
                TaskRow(self._acting, self._layer, task, Link())
            if not shown:
                empty(TEXTS["none_mine" if self._whose.value == MINE else f"none_{self._which.value}"])
            if len(shown) > self._most:
                button(TEXTS["more"], self._more)

    def _filter(self, name: str, options: dict[str, str]) -> ui.toggle:
        known = {key: TEXTS[text_key] for key, text_key in options.items()}
        toggle = ui.toggle(known, value=next(iter(known)), on_change=self._narrow)
        toggle.props("no-caps unelevated dense padding='4px 12px'").classes("t-toggle")
        toggle.props["aria-label"] = TEXTS[name]
        return toggle

    def _narrow(self) -> None:
        self._most = STEP
        self.show(self._found)

    async def _more(self) -> None:
        self._most += STEP
        self.show(self._found)

    async def _add(self) -> None:
        with self._layer:
            await ask_task(self._acting)
