"""A task of the clinic's staff, and its document: gendei_clinics/{clinicId}/tasks/{id}; of a personal task
gendei_clinics/{clinicId}/staff/{userId}/personal_tasks/{id}, where nothing that looks for the clinic's finds it."""

from dataclasses import dataclass, replace
from datetime import date, datetime, time
from enum import StrEnum

from gendei.clinic import Contact
from gendei.conversation.stored.follow_ups import COMPLETED, OCCASION_TASK, PENDING, Occasion, StoredTask, tasks_of
from gendei.documents import Snapshot, document_id
from gendei.errors import NotFound
from gendei.records import Record
from gendei.staff.actors import Actor
from gendei.staff.tasks.texts import TaskTexts

PERSONAL = "personal_tasks"
PERSONAL_TASK = Record(StoredTask, "gendei_clinics/{clinicId}/staff/{userId}/personal_tasks/{id}")


def personal_tasks_of(actor: Actor) -> str:
    """The collection of the tasks that only this person sees. Raises NotFound for who is none."""
    if actor.person is None:
        raise NotFound
    return f"gendei_clinics/{document_id(actor.clinic_id)}/staff/{document_id(actor.person)}/{PERSONAL}"


def seen_by(actor: Actor) -> list[str]:
    """The collections of tasks that the actor sees: the clinic's, and a person's own."""
    return [tasks_of(actor.clinic_id), *([personal_tasks_of(actor)] if actor.person else [])]


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
    `personal`: only who wrote it sees it. Moments are aware, in UTC."""

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
    personal: bool = False


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
        personal=is_personal(found.path),
    )


def is_personal(path: str) -> bool:
    """Whether a personal task stands at `path`."""
    return path.split("/")[-2] == PERSONAL


def with_due(task: StoredTask, due: Due | None) -> StoredTask:
    """The task with this due date; None for none."""
    if due is None:
        return replace(task, due_date=None, due_time=None)
    return replace(task, due_date=due.day, due_time=due.at.isoformat("minutes") if due.at else None)


def _due(stored: StoredTask) -> Due | None:
    if stored.due_date is None:
        return None
    return Due(stored.due_date, time.fromisoformat(stored.due_time) if stored.due_time else None)
