"""What staff have to see to by themselves: tasks that the service begins, gendei_clinics/{clinicId}/tasks/{id}.

Only what happened and with whom is written here; `gendei.staff.tasks.tasks` gives it words. The id follows of what
happened, so that the same thing told again is the same task.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import partial
from hashlib import sha256

from gendei.clinic import ClinicId, Contact
from gendei.conversation.stored.conversation import Conversation
from gendei.documents import Documents, Query, Snapshot, Transaction, Write, document_id, put, transact
from gendei.messages.keys import ConversationKey
from gendei.records import Day, Moment, Record

PENDING, COMPLETED = "pending", "completed"


class Occasion(StrEnum):
    """Why there is a task that nobody wrote: the bot called a person, for an urgency or for something else; nobody came
    for longer than the clinic promises; the bot has the conversation again, and something may still be to be done; the
    patient will be late; nobody answered whether they come; the patient booked and is to hear how to pay the deposit;
    the patient sent a file; a message did not reach the patient; the patient's messages were set aside; the patient
    gave a visit a low score; the date of an answer of the clinic's knowledge is over."""

    TAKE_OVER = "take_over"
    URGENCY = "urgency"
    OVERDUE = "overdue"
    PROMISED = "promised"
    LATE = "late"
    UNCONFIRMED = "unconfirmed"
    UNMARKED = "unmarked"
    DEPOSIT = "deposit"
    FILE = "file"
    FAILED_SEND = "failed_send"
    PARKED = "parked"
    LOW_SCORE = "low_score"
    ENTRY_EXPIRED = "entry_expired"


ANSWERED = frozenset({Occasion.TAKE_OVER, Occasion.OVERDUE})
"""What is done once a person has answered. An urgency is not: that answer may have been about something else."""
SEEN_TO = ANSWERED | {Occasion.URGENCY, Occasion.PROMISED, Occasion.FILE}
"""What is done once a person has done with the conversation."""


@dataclass(frozen=True, slots=True)
class StoredTask:
    """What is stored of a task. title: empty where it follows of the occasion. due_time: "15:00"."""

    created_at: Moment
    updated_at: Moment
    title: str = ""
    description: str = ""
    status: str = PENDING
    occasion: Occasion | None = None
    due_date: Day | None = None
    due_time: str | None = None
    assigned_to: str | None = None
    assigned_name: str | None = None
    contact: Contact | None = None
    patient_id: str | None = None
    appointment_id: str | None = None
    created_by: str | None = None
    completed_at: Moment | None = None
    completed_by: str | None = None


@dataclass(frozen=True, slots=True)
class OccasionTask(StoredTask):
    """A task that the service begins: with the patient's name, which its title tells."""

    patient_name: str | None = None


TASK = Record(StoredTask, "gendei_clinics/{clinicId}/tasks/{id}")
OCCASION_TASK = Record(OccasionTask, "gendei_clinics/{clinicId}/tasks/{id}")


def tasks_of(clinic_id: ClinicId) -> str:
    """The collection of a clinic's tasks."""
    return f"gendei_clinics/{document_id(clinic_id)}/tasks"


def follow_up(
    conversation: Conversation,
    occasion: Occasion,
    now: datetime,
    about: str,
    *,
    description: str = "",
    appointment_id: str | None = None,
) -> Write:
    """The task, as a part of the commit that makes it necessary. `about`: what tells it from others of the same
    occasion in this conversation."""
    task = replace(_task(conversation, occasion, now), description=description, appointment_id=appointment_id)
    return put(_path(conversation, occasion, about), OCCASION_TASK.write(task))


def task_path(clinic_id: ClinicId, task_id: str) -> str:
    return f"{tasks_of(clinic_id)}/{document_id(task_id)}"


def is_pending(found: Snapshot) -> bool:
    """Whether the task of a document is still to be done."""
    return found.data is not None and found.data["status"] == PENDING


async def follow_up_once(
    transaction: Transaction, conversation: Conversation, occasion: Occasion, now: datetime
) -> None:
    """One task for the occasion in this conversation, however often it happens while the task is pending."""
    found = await transaction.get(_path(conversation, occasion, ""))
    standing = found.data if is_pending(found) else None
    transaction.put(found.path, standing or OCCASION_TASK.write(_task(conversation, occasion, now)))


@dataclass(frozen=True, slots=True)
class WaitOver:
    """Nobody waits for a person in the conversation any more, for these occasions. by: the name of who ended it, at:
    when. beside: more writes of the commit that completes a task, made for its id."""

    key: ConversationKey
    occasions: frozenset[Occasion]
    by: str
    at: datetime
    beside: Callable[[str], Sequence[Write]] = lambda _task_id: ()

    async def complete(self, documents: Documents) -> None:
        """The tasks that the service made of it are done, unless they are newer. Each is a commit of its own: where the
        process dies before, the task stays pending until the next such moment, or somebody completes it."""
        mine = Query(
            tasks_of(self.key.clinic_id), where=(("contact", "==", self.key.contact), ("status", "==", PENDING))
        )
        for found in await documents.query(mine):
            if self._ends(OCCASION_TASK.read(found.data)):
                await transact(documents, partial(self._attempt, path=found.path))

    async def _attempt(self, transaction: Transaction, path: str) -> None:
        found = await transaction.get(path)
        task = OCCASION_TASK.found(found)
        if task is None or not self._ends(task):
            return
        done = replace(task, status=COMPLETED, completed_at=self.at, completed_by=self.by, updated_at=self.at)
        transaction.put(path, OCCASION_TASK.write(done))
        for write in self.beside(found.id):
            transaction.create(write.path, write.data or {})

    def _ends(self, task: StoredTask) -> bool:
        return task.status == PENDING and task.occasion in self.occasions and task.created_at <= self.at


def _path(conversation: Conversation, occasion: Occasion, about: str) -> str:
    told = f"{conversation.key.text}\n{occasion}\n{about}"
    return f"{tasks_of(conversation.clinic_id)}/{sha256(told.encode()).hexdigest()[:20]}"


def _task(conversation: Conversation, occasion: Occasion, now: datetime) -> OccasionTask:
    return OccasionTask(
        created_at=now,
        updated_at=now,
        occasion=occasion,
        patient_name=conversation.user_name,
        contact=conversation.contact,
        patient_id=conversation.patient_id,
    )
