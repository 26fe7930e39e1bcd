"""The pending tasks of a conversation or a patient, beside it, and the way to add one."""

from nicegui import ui

from gendei.clinic import Clinic
from gendei.staff.tasks.listed import TaskList
from gendei.staff.tasks.stored import Link, Task, TaskStatus
from gendei.web.pages.frame import Visit
from gendei.web.pages.panels import button, text
from gendei.web.pages.tasks.followed import FollowedTasks
from gendei.web.pages.tasks.sheet import ask_task
from gendei.web.pages.tasks.shown import TaskRow
from gendei.web.pages.texts import page_texts


class TasksBeside:
    """Built into the slot it is made in: the tasks about the contact or the patient of `about`, live."""

    def __init__(self, visit: Visit, clinic: Clinic, about: Link) -> None:
        self._visit, self._clinic, self._about = visit, clinic, about
        self._drawn: tuple[Task, ...] | None = None
        self._layer = ui.element("div")
        self._list = ui.element("div").classes("t-list t-beside")
        with ui.element("div").classes("t-actions t-actions-start"):
            button(page_texts("tasks")["new"], self._add, kind="outline")
        FollowedTasks(visit.site.gendei, clinic, self._show)

    def _show(self, found: TaskList) -> None:
        shown = tuple(one for one in found.tasks if one.status is TaskStatus.PENDING and self._is_about(one.link))
        if shown == self._drawn:
            return
        self._drawn = shown
        self._list.clear()
        with self._list:
            for task in shown:
                TaskRow(self._visit, self._clinic, self._layer, task, self._about)
            if not shown:
                text("p", page_texts("tasks")["none_here"], "g-soft t-none")

    def _is_about(self, link: Link) -> bool:
        contact, patient = self._about.contact, self._about.patient_id
        return (contact is not None and link.contact == contact) or (patient is not None and link.patient_id == patient)

    async def _add(self) -> None:
        with self._layer:
            await ask_task(self._visit, self._clinic, link=self._about)
