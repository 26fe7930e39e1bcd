"""Removes what has served its time. Firestore also does it by itself, by a time-to-live policy on `expireAt`, which is
only on what is over: what waits or is parked has none. The queries are by fields that are indexed for other reasons."""

from contextlib import suppress
from datetime import datetime

from gendei.conversation.inbound import inbox
from gendei.conversation.inbound.inbox import EntryStatus
from gendei.conversation.outbound import outbox_entry
from gendei.documents import Data, Documents, Query, delete
from gendei.errors import Conflict
from gendei.messages.keys import INBOX, LEASES, OUTBOX

PAGE = 200


async def purge_expired(documents: Documents, now: datetime) -> int:
    """Delete inbox entries, outbox entries and left leases whose `expireAt` has passed; how many there were. What
    somebody changes meanwhile is left for the next time."""
    answered = Query(
        INBOX,
        where=(("status", "==", str(EntryStatus.DONE)), ("receivedAt", "<", now - inbox.KEPT_FOR)),
        order_by=(("receivedAt", False),),
        limit=PAGE,
    )
    settled = Query(
        OUTBOX,
        where=(("open", "==", False), ("dueAt", "<", now - outbox_entry.KEPT_FOR)),
        order_by=(("dueAt", False),),
        limit=PAGE,
    )
    return sum([await _purge(documents, query, now) for query in (answered, settled, Query(LEASES, limit=PAGE))])


async def _purge(documents: Documents, query: Query, now: datetime) -> int:
    removed = 0
    while found := await documents.query(query):
        over = [delete(one.path, unchanged_since=one) for one in found if one.data and _is_over(one.data, now)]
        with suppress(Conflict):
            await documents.commit(over)
            removed += len(over)
        if len(found) < PAGE:
            break
        query = query.after(found[-1])
    return removed


def _is_over(data: Data, now: datetime) -> bool:
    expires: datetime | None = data.get("expireAt")
    return expires is not None and expires < now
