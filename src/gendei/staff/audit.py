"""Who saw, wrote, took over, moved or cancelled what, and when: gendei_clinics/{clinicId}/audit/{id}, written once.

What an operador does for no clinic stands in gendei_operation/all/audit. Nothing changes or removes an entry."""

from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta, tzinfo
from enum import StrEnum
from secrets import token_hex
from typing import Annotated, Any

from gendei.clinic import ClinicId
from gendei.clock import Clock
from gendei.documents import Data, Documents, Operator, Query, Snapshot, Write, create, document_id
from gendei.records import NOT_STORED, Moment, Record
from gendei.staff.actors import NO_CLINIC, Actor

PAGE = 50
Within = tuple[datetime | None, datetime | None]
"""From a moment on, and before another; None: without end."""
EVER: Within = (None, None)
_FROM_TO: tuple[Operator, Operator] = (">=", "<")


def days_within(first: date | None, last: date | None, zone: tzinfo) -> Within:
    """The local days from the first to the last, both included."""
    since = datetime.combine(first, time.min, zone) if first else None
    return since, datetime.combine(last + timedelta(days=1), time.min, zone) if last else None


class Action(StrEnum):
    """What was done. The subject's kind is the part before the dot."""

    SIGNED_IN = "session.signed_in"
    SIGNED_OUT = "session.signed_out"
    SIGN_IN_REFUSED = "session.refused"
    CLINIC_CHOSEN = "session.clinic_chosen"
    SESSION_REVOKED = "session.revoked"
    USER_ADDED = "user.added"
    USER_CHANGED = "user.changed"
    TOKEN_CREATED = "token.created"  # noqa: S105  # the name of an action
    TOKEN_REVOKED = "token.revoked"  # noqa: S105  # the name of an action
    CONVERSATION_READ = "conversation.read"
    TAKEN_OVER = "conversation.taken_over"
    HANDED_BACK = "conversation.handed_back"
    ASSIGNED = "conversation.assigned"
    MESSAGE_SENT = "conversation.message_sent"
    MESSAGE_QUEUED = "conversation.message_queued"
    MESSAGE_UNQUEUED = "conversation.message_unqueued"
    NOTE_ADDED = "conversation.note_added"
    LABELLED = "conversation.labelled"
    CLOSED = "conversation.closed"
    REOPENED = "conversation.reopened"
    SNOOZED = "conversation.snoozed"
    DANGER_SEEN = "conversation.danger_seen"
    BOOKED = "appointment.booked"
    MOVED = "appointment.moved"
    CANCELLED = "appointment.cancelled"
    STATUS_SET = "appointment.status_set"
    OVERRIDDEN = "appointment.overridden"
    ATTENDANCE_SET = "appointment.attendance_set"
    NOTED = "appointment.noted"
    PLAN_SET = "appointment.plan_set"
    TIME_BLOCKED = "agenda.blocked"
    TIME_FREED = "agenda.freed"
    WAIT_ADDED = "agenda.wait_added"
    WAIT_REMOVED = "agenda.wait_removed"
    FEED_CHANGED = "agenda.feed_changed"
    PATIENT_READ = "patient.read"
    PATIENT_CHANGED = "patient.changed"
    PATIENT_MERGED = "patient.merged"
    PATIENT_EXPORTED = "patient.exported"
    PATIENT_ERASED = "patient.erased"
    TASK_ADDED = "task.added"
    TASK_CHANGED = "task.changed"
    TASK_COMPLETED = "task.completed"
    TASK_REOPENED = "task.reopened"
    TASK_DELETED = "task.deleted"
    CASE_ADDED = "case.added"
    CASE_REMOVED = "case.removed"
    SETTING_CHANGED = "clinic.setting_changed"
    CLINIC_CHANGED = "clinic.changed"
    CAMPAIGN_STARTED = "campaign.started"
    CAMPAIGN_CHANGED = "campaign.changed"
    CAMPAIGN_EXPORTED = "campaign.exported"
    PAYMENT_WAIVED = "payment.waived"
    PAYMENT_REFUNDED = "payment.refunded"
    PAYMENT_RECEIVED = "payment.received"
    QUEUE_REPLAYED = "queue.replayed"
    QUEUE_DROPPED = "queue.dropped"
    CHANNEL_RESUMED = "channel.resumed"
    CONNECTION_BEGUN = "connection.begun"
    CONNECTION_ANSWERED = "connection.answered"
    CONNECTION_ENDED = "connection.ended"


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """`subject` is the id of what was touched; `detail` holds ids, states and times, never a patient's words."""

    id: Annotated[str, NOT_STORED]
    at: Moment
    user_id: str
    name: str
    action: str
    subject: str
    detail: Data = field(default_factory=dict)


_ENTRIES = Record(AuditEntry, "gendei_clinics/{clinicId}/audit/{id}", "gendei_operation/all/audit/{id}")


def audit_write(actor: Actor, action: Action, subject: str, at: datetime, **detail: Any) -> Write:
    """The entry as a part of the commit that does the thing, so that neither is without the other."""
    entry = AuditEntry(token_hex(10), at, actor.user_id, actor.name, action, subject, detail)
    return create(f"{_collection(actor.clinic_id)}/{entry.id}", _ENTRIES.write(entry))


class Audit:
    """For what has no commit of its own, and for searching."""

    def __init__(self, documents: Documents, clock: Clock) -> None:
        self._documents, self._clock = documents, clock

    async def record(self, actor: Actor, action: Action, subject: str, **detail: Any) -> None:
        await self._documents.commit([audit_write(actor, action, subject, self._clock(), **detail)])

    async def search(
        self,
        actor: Actor,
        *,
        user_id: str | None = None,
        action: Action | None = None,
        subject: str | None = None,
        within: Within = EVER,
        before: AuditEntry | None = None,
        limit: int = PAGE,
    ) -> list[AuditEntry]:
        """The clinic's entries, newest first, from behind `before`; those of operation for who operates and is at no
        clinic. Raises Forbidden without the right to manage."""
        actor.require(actor.managing)
        asked = (("userId", user_id), ("action", action and str(action)), ("subject", subject))
        query = Query(
            _collection(actor.clinic_id),
            where=(
                *((name, "==", value) for name, value in asked if value is not None),
                *(("at", operator, at) for operator, at in zip(_FROM_TO, within, strict=True) if at is not None),
            ),
            order_by=(("at", True),),
            limit=limit,
        )
        if before is not None:
            query = query.after(Snapshot(f"{query.collection}/{before.id}", {"at": before.at}))
        return [_ENTRIES.read(found.data, id=found.id) for found in await self._documents.query(query)]


def _collection(clinic_id: ClinicId) -> str:
    if clinic_id == NO_CLINIC:
        return "gendei_operation/all/audit"
    return f"gendei_clinics/{document_id(clinic_id)}/audit"
