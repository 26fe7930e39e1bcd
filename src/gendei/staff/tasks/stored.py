"""A task of the clinic's staff, and its document gendei_clinics/{clinicId}/tasks/{id}."""

from dataclasses import dataclass, replace
from datetime import date, datetime, time
from enum import StrEnum

from gendei.clinic import Contact
from gendei.conversation.stored.follow_ups import COMPLETED, OCCASION_TASK, PENDING, Occasion, StoredTask
from gendei.documents import Snapshot
from gendei.staff.tasks.texts import TaskTexts


class TaskStatus(StrEnum):
    PENDING = PENDING
    COMPLETED = COMPLETED


@dataclass(frozen=True, slots=True)
class Due:
    """A day of the clinic's calendar, and a local time where one was said."""

    day: date
    at: time | None = None

    def over(self, now: datetime) -> bool:
        """Whether it lies before `now`, which is local. A day without a time lasts until midnight."""
        if self.at is None:
            return self.day < now.date()
        return (self.day, self.at) < (now.date(), now.time())


@dataclass(frozen=True, slots=True)
class Link:
    """What a task is about."""

    contact: Contact | None = None
    patient_id: str | None = None
    appointment_id: str | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """`occasion`: why the service made it; None: `created_by` wrote it. `overdue`: pending, and its time is over.
    Moments are aware, in UTC."""

    id: str
    title: str
    description: str
    status: TaskStatus
    due: Due | None
    overdue: bool
    assigned_to: str | None
    assigned_name: str | None
    link: Link
    occasion: Occasion | None
    created_at: datetime
    created_by: str | None
    updated_at: datetime
    completed_at: datetime | None
    completed_by: str | None


def task_of(found: Snapshot, texts: TaskTexts, now: datetime) -> Task:
    """The task of a document that exists. `now`: in the clinic's zone."""
    stored = OCCASION_TASK.read(found.data)
    occasion, status, due = stored.occasion, TaskStatus(stored.status), _due(stored)
    return Task(
        id=found.id,
        title=stored.title or (texts.title(occasion, stored.patient_name) if occasion else ""),
        description=stored.description,
        status=status,
        due=due,
        overdue=status is TaskStatus.PENDING and due is not None and due.over(now),
        assigned_to=stored.assigned_to,
        assigned_name=stored.assigned_name,
        link=Link(stored.contact, stored.patient_id, stored.appointment_id),
        occasion=occasion,
        created_at=stored.created_at,
        created_by=stored.created_by,
        updated_at=stored.updated_at,
        completed_at=stored.completed_at,
        completed_by=stored.completed_by,
    )


def with_due(task: StoredTask, due: Due | None) -> StoredTask:
    """The task with this due date; None for none."""
    if due is None:
        return replace(task, due_date=None, due_time=None)
    return replace(task, due_date=due.day, due_time=due.at.isoformat("minutes") if due.at else None)


def _due(stored: StoredTask) -> Due | None:
    if stored.due_date is None:
        return None
    return Due(stored.due_date, time.fromisoformat(stored.due_time) if stored.due_time else None)
