"""/tasks: what the clinic's staff have to do, live."""

from nicegui import ui

from gendei.clinic import Clinic
from gendei.staff.tasks.listed import TaskList
from gendei.staff.tasks.stored import Link, Task, TaskStatus
from gendei.web.pages.acting import Acting
from gendei.web.pages.frame import asset, staff_page
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import button, empty, office, text
from gendei.web.pages.site import PageContext
from gendei.web.pages.tasks.followed import FollowedTasks, counted
from gendei.web.pages.tasks.rows import TaskRow, ask_task

TEXTS = page_texts("tasks")

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
        mine = self._whose.value == EVERYBODY or task.assigned_to == self._acting.context.actor.user_id
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
