"""Tasks, as programs read them; see `shapes`."""

from datetime import date, time
from typing import Annotated

from pydantic import AwareDatetime, Field

from gendei.commands.shapes import Shape
from gendei.conversation.stored.follow_ups import Occasion
from gendei.staff.tasks.listed import TaskList
from gendei.staff.tasks.stored import Task, TaskStatus


class TaskOut(Shape):
    """`occasion`: why the service made it by itself; null: `createdBy` wrote it. `dueDate`, `dueTime`: in the clinic's
    zone. `personal`: nobody but who wrote it sees it."""

    id: Annotated[str, Field(examples=["1f0c5b9f21d08e6a7c44"])]
    title: str
    description: str
    status: TaskStatus
    due_date: date | None
    due_time: time | None
    overdue: bool
    assigned_to: str | None
    assigned_name: str | None
    contact: str | None
    patient_id: str | None
    appointment_id: str | None
    occasion: Occasion | None
    created_at: AwareDatetime
    created_by: str | None
    updated_at: AwareDatetime
    completed_at: AwareDatetime | None
    completed_by: str | None
    personal: bool

    @classmethod
    def at(cls, task: Task) -> "TaskOut":
        due, link = task.due, task.link
        links = {"contact": link.contact, "patient_id": link.patient_id, "appointment_id": link.appointment_id}
        return cls.of(task, due_date=due.day if due else None, due_time=due.at if due else None, **links)


class TaskListOut(Shape):
    """Pending ones by due date, then the completed ones that were done last. The counts are of all that there are
    for who asks."""

    items: list[TaskOut]
    pending: int
    overdue: int
    completed: int

    @classmethod
    def found(cls, found: TaskList) -> "TaskListOut":
        return cls.of(found, items=[TaskOut.at(task) for task in found.tasks])
