"""Tasks as the API gives and takes them."""

from datetime import date, time
from typing import Annotated

from pydantic import AwareDatetime, Field

from gendei.conversation.follow_ups import Occasion
from gendei.staff.tasks.listed import TaskList
from gendei.staff.tasks.stored import Task, TaskStatus
from gendei.web.api.shapes import Shape


class TaskOut(Shape):
    """`occasion`: why the service made it by itself; null: `createdBy` wrote it. `dueDate`, `dueTime`: in the clinic's
    zone."""

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

    @classmethod
    def of(cls, task: Task) -> "TaskOut":
        return cls(
            id=task.id,
            title=task.title,
            description=task.description,
            status=task.status,
            due_date=task.due.day if task.due else None,
            due_time=task.due.at if task.due else None,
            overdue=task.overdue,
            assigned_to=task.assigned_to,
            assigned_name=task.assigned_name,
            contact=task.link.contact,
            patient_id=task.link.patient_id,
            appointment_id=task.link.appointment_id,
            occasion=task.occasion,
            created_at=task.created_at,
            created_by=task.created_by,
            updated_at=task.updated_at,
            completed_at=task.completed_at,
            completed_by=task.completed_by,
        )


class TaskListOut(Shape):
    """Pending ones by due date, then the completed ones that were done last. The counts are of all."""

    items: list[TaskOut]
    pending: int
    overdue: int
    completed: int

    @classmethod
    def of(cls, found: TaskList) -> "TaskListOut":
        items = [TaskOut.of(one) for one in found.tasks]
        return cls(items=items, pending=found.pending, overdue=found.overdue, completed=found.completed)
