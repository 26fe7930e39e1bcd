"""Documents whose next step is due at a moment: one query finds them, and putting the moment off claims one.

Whoever finds a claim that ended does the same step again, so that it does not matter where a process dies.
"""

import logging
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from gendei.clinic import ClinicId
from gendei.clock import Clock
from gendei.conversation.work.backoff import Backoff
from gendei.conversation.work.lanes import Lanes
from gendei.documents import Documents, Query, put
from gendei.errors import Conflict, UnreadableDocument
from gendei.records import Record

PAGE = 200
AFTER_ANOTHER = 1.0
"""Seconds until a document that another process was first to change is looked at again."""


class DueDocument(Protocol):
    """due_at: when any process may do the next step; None: nothing is to be done. attempts: how often a process began
    it and did not end."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def id(self) -> str: ...

    @property
    def clinic_id(self) -> ClinicId: ...

    @property
    def path(self) -> str: ...

    @property
    def due_at(self) -> datetime | None: ...

    @property
    def attempts(self) -> int: ...


D = TypeVar("D", bound=DueDocument)


@dataclass(frozen=True, slots=True)
class DueId:
    """Of one document of a collection."""

    clinic_id: ClinicId
    id: str

    @property
    def text(self) -> str:
        return f"{self.clinic_id}/{self.id}"


@dataclass(frozen=True)
class DueDocuments(Generic[D]):
    """A collection of them, over all clinics. `log`, `unread`: where it is said of a document that cannot be read, and
    what follows."""

    documents: Documents
    clock: Clock
    collection: str
    record: Record[D]
    log: logging.Logger
    unread: str

    async def plan(self, lanes: Lanes[DueId], ahead: timedelta) -> None:
        """Begin in time with all that is due within `ahead`: one query, however many clinics there are. Raises
        StoreError."""
        now = self.clock()
        due = Query(self.collection, (("dueAt", "<=", now + ahead),), (("dueAt", False),), limit=PAGE)
        while found := await self.documents.query(due):
            for snapshot in found:
                try:
                    document = self.record.read(snapshot.data, id=snapshot.id)
                except UnreadableDocument:
                    self.log.error("%s cannot be read, and %s", snapshot.path, self.unread)
                    continue
                key, wait = DueId(document.clinic_id, document.id), seconds_until(document.due_at, now)
                if not wait or not lanes.knows(key):
                    lanes.plan(key, wait)
            if len(found) < PAGE:
                return
            due = due.after(found[-1])

    async def claim(self, key: DueId, backoff: Backoff) -> D | float | None:
        """Take a document whose step is due: as it stands now, put off for as long as the pause of its next attempt.
        Otherwise the seconds until it is worth another look; None where nothing is to be done."""
        snapshot, now = await self.documents.get(f"{self.collection}/{key.id}"), self.clock()
        document = self.record.found(snapshot, id=key.id)
        if document is None or document.due_at is None:
            return None
        if document.due_at > now:
            return seconds_until(document.due_at, now)
        attempts = document.attempts + 1
        claimed = replace(document, due_at=now + timedelta(seconds=backoff.pause(attempts, 0)), attempts=attempts)
        try:
            await self.documents.commit([put(claimed.path, self.record.write(claimed), unchanged_since=snapshot)])
        except Conflict:
            return AFTER_ANOTHER
        return claimed

    async def drop(self, claimed: D) -> None:
        """Do nothing about it any more."""
        await self.documents.commit([put(claimed.path, self.record.write(replace(claimed, due_at=None)))])


def seconds_until(moment: datetime | None, now: datetime) -> float:
    """0 for what is past, or at no moment."""
    return max(0.0, (moment - now).total_seconds()) if moment is not None else 0.0
