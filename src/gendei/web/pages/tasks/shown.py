"""One task as staff see it, with what is done to it: on its own page, beside a conversation, on a patient's card."""

from datetime import datetime
from urllib.parse import quote

from nicegui import ui

from gendei.clinic import Clinic
from gendei.commands.tasks import COMPLETE_TASK, DELETE_TASK, CompleteTask, DeleteTask
from gendei.staff.actors import Actor
from gendei.staff.tasks.stored import Due, Link, Task, TaskStatus
from gendei.web.pages.acting import acting, run_command
from gendei.web.pages.frame import Visit
from gendei.web.pages.panels import Handler, ask_first, moment, tag, text
from gendei.web.pages.tasks.sheet import ask_task, due_said
from gendei.web.pages.texts import page_texts


class TaskRow:
    """Built into the slot it is made in. `layer`: where its dialogs stand, which the next drawing does not clear.
    `about`: what the page shows already, so that it needs no link."""

    def __init__(self, visit: Visit, clinic: Clinic, layer: ui.element, task: Task, about: Link) -> None:
        self._visit, self._clinic, self._layer, self._task, self._about = visit, clinic, layer, task, about
        self._desks, self._words = visit.site.gendei.desks, page_texts("tasks")
        self._now = clinic.local(visit.site.gendei.clock())
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
            await ask_task(self._visit, self._clinic, task=self._task)

    async def _delete(self) -> None:
        async def delete(actor: Actor) -> None:
            await run_command(self._desks, actor, DELETE_TASK, DeleteTask(task=self._task.id))

        question = self._words["delete_question"].format(title=self._task.title)
        with self._layer:
            await ask_first(question, self._words["delete"], acting(delete))()

    async def _show_appointment(self, actor: Actor, appointment_id: str) -> None:
        """Its day in the agenda."""
        found = await self._visit.site.gendei.agenda_desk.agenda.appointment(actor, appointment_id)
        day, who = f"{self._clinic.local(found.start):%Y-%m-%d}", quote(found.professional_id, safe="")
        ui.navigate.to(f"/agenda?day={day}&professional={who}")


def _due_tag(due: Due, now: datetime, *, overdue: bool) -> None:
    said = due_said(due, now)
    if overdue:
        tag(page_texts("tasks")["overdue"].format(due=said), "bad")
    else:
        tag(said, "warn" if due.day == now.date() else "")
