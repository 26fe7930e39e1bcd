"""Removes what has served its time (Firestore also does it by a TTL policy on `expireAt`)."""

from datetime import datetime

from gendei.conversation.keys import INBOX, OUTBOX
from gendei.documents import Documents, Query, delete

PAGE = 200


async def purge_expired(documents: Documents, now: datetime) -> int:
    """Delete inbox and outbox entries whose `expireAt` has passed; how many there were."""
    removed = 0
    for collection in (INBOX, OUTBOX):
        expired = Query(collection, where=(("expireAt", "<", now),), order_by=(("expireAt", False),), limit=PAGE)
        while found := await documents.query(expired):
            await documents.commit([delete(snapshot.path) for snapshot in found])
            removed += len(found)
    return removed
