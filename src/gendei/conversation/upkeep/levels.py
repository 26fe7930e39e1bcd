"""How full inbox and outbox are, in a few reads: for whoever watches the service."""

from dataclasses import dataclass
from datetime import datetime

from gendei.conversation.inbound.inbox import EntryStatus
from gendei.documents import Documents, Operator, Query, Snapshot
from gendei.messages.keys import INBOX, OUTBOX

MOST_COUNTED = 100
"""Firestore bills every entry that is read: more than these are not counted."""


@dataclass(frozen=True, slots=True)
class Levels:
    """Of the whole store, whichever process looks. waiting, parked: messages in the inbox, MOST_COUNTED where there
    are more. waiting_seconds: since the oldest of those that wait came. outbox_seconds: since the oldest entry that is
    to be sent was due. 0 where there is none."""

    waiting: int
    waiting_seconds: float
    outbox_seconds: float
    parked: int


async def read_levels(documents: Documents, now: datetime) -> Levels:
    """Raises StoreError."""
    waiting = await documents.query(_oldest(INBOX, ("status", "==", str(EntryStatus.WAITING)), "receivedAt"))
    parked = await documents.query(_oldest(INBOX, ("status", "==", str(EntryStatus.PARKED)), "receivedAt"))
    due = await documents.query(_oldest(OUTBOX, ("open", "==", True), "dueAt", limit=1))
    return Levels(
        waiting=len(waiting),
        waiting_seconds=_age(waiting, "receivedAt", now),
        outbox_seconds=_age(due, "dueAt", now),
        parked=len(parked),
    )


def _oldest(
    collection: str, condition: tuple[str, Operator, str | bool], moment: str, limit: int = MOST_COUNTED
) -> Query:
    return Query(collection, where=(condition,), order_by=((moment, False),), limit=limit)


def _age(found: list[Snapshot], moment: str, now: datetime) -> float:
    return max(0.0, (now - (found[0].data or {})[moment]).total_seconds()) if found else 0.0
