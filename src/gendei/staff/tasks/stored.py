"""A task of the clinic's staff, and its document gendei_clinics/{clinicId}/tasks/{id}."""

from dataclasses import dataclass
from datetime import date, datetime, time
from enum import StrEnum

from gendei.clinic import Contact
from gendei.conversation.follow_ups import COMPLETED, PENDING, Occasion
from gendei.documents import Data, Snapshot
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
    data = found.data or {}
    occasion = Occasion(data["occasion"]) if data["occasion"] else None
    status, due = TaskStatus(data["status"]), due_from(data)
    return Task(
        id=found.id,
        title=data["title"] or (texts.title(occasion, data.get("patientName")) if occasion else ""),
        description=data["description"],
        status=status,
        due=due,
        overdue=status is TaskStatus.PENDING and due is not None and due.over(now),
        assigned_to=data["assignedTo"],
        assigned_name=data["assignedName"],
        link=Link(
            Contact(data["contact"]) if data["contact"] else None,
            data["patientId"],
            data["appointmentId"],
        ),
        occasion=occasion,
        created_at=data["createdAt"],
        created_by=data["createdBy"],
        updated_at=data["updatedAt"],
        completed_at=data["completedAt"],
        completed_by=data["completedBy"],
    )


def due_fields(due: Due | None) -> Data:
    return {
        "dueDate": due.day.isoformat() if due else None,
        "dueTime": due.at.isoformat("minutes") if due and due.at else None,
    }


def link_fields(link: Link) -> Data:
    return {"contact": link.contact, "patientId": link.patient_id, "appointmentId": link.appointment_id}


def due_from(data: Data) -> Due | None:
    """The due date of these fields, None for none."""
    if data["dueDate"] is None:
        return None
    at = data["dueTime"]
    return Due(date.fromisoformat(data["dueDate"]), time.fromisoformat(at) if at else None)
