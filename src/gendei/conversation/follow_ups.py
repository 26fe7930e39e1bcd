"""What staff have to see to by themselves: tasks that the service begins, gendei_clinics/{clinicId}/tasks/{id}.

Only what happened and with whom is written here; `gendei.staff.tasks.tasks` gives it words. The id follows of what
happened, so that the same thing told again is the same task.
"""

from datetime import datetime
from enum import StrEnum
from hashlib import sha256

from gendei.clinic import ClinicId
from gendei.conversation.conversations import Conversation
from gendei.documents import Data, Transaction, Write, document_id, put

PENDING = "pending"


class Occasion(StrEnum):
    """Why there is a task that nobody wrote: the bot called a person, for an urgency or for something else; a message
    did not reach the patient; the patient's messages were set aside."""

    TAKE_OVER = "take_over"
    URGENCY = "urgency"
    FAILED_SEND = "failed_send"
    PARKED = "parked"


def tasks_of(clinic_id: ClinicId) -> str:
    """The collection of a clinic's tasks."""
    return f"gendei_clinics/{document_id(clinic_id)}/tasks"


def follow_up(conversation: Conversation, occasion: Occasion, now: datetime, about: str) -> Write:
    """The task, as a part of the commit that makes it necessary. `about`: what tells it from others of the same
    occasion in this conversation."""
    return put(_path(conversation, occasion, about), _task(conversation, occasion, now))


async def follow_up_once(
    transaction: Transaction, conversation: Conversation, occasion: Occasion, now: datetime
) -> None:
    """One task for the occasion in this conversation, however often it happens while the task is pending."""
    found = await transaction.get(_path(conversation, occasion, ""))
    standing = found.data if found.data is not None and found.data["status"] == PENDING else None
    transaction.put(found.path, standing or _task(conversation, occasion, now))


def _path(conversation: Conversation, occasion: Occasion, about: str) -> str:
    told = f"{conversation.key.text}\n{occasion}\n{about}"
    return f"{tasks_of(conversation.clinic_id)}/{sha256(told.encode()).hexdigest()[:20]}"


def _task(conversation: Conversation, occasion: Occasion, now: datetime) -> Data:
    return {
        "title": "",
        "description": "",
        "status": PENDING,
        "occasion": str(occasion),
        "patientName": conversation.user_name,
        "dueDate": None,
        "dueTime": None,
        "assignedTo": None,
        "assignedName": None,
        "contact": conversation.contact,
        "patientId": conversation.patient_id,
        "appointmentId": None,
        "createdAt": now,
        "createdBy": None,
        "updatedAt": now,
        "completedAt": None,
        "completedBy": None,
    }
