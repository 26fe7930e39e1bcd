"""An answer of the clinic's knowledge whose date is over is said no more: who sees to it gets a task, once for each
version, however many processes look. The task is done once another version is said, or the entry is retired."""

import logging
from dataclasses import replace
from datetime import date, datetime
from functools import partial
from hashlib import sha256
from types import TracebackType
from typing import Self

from gendei.clinic import Clinic, ClinicId
from gendei.clock import Clock
from gendei.conversation.stored.follow_ups import (
    COMPLETED,
    OCCASION_TASK,
    Occasion,
    OccasionTask,
    is_pending,
    task_path,
)
from gendei.conversation.work.lanes import Sweeping
from gendei.documents import Documents, Query, Transaction, document_id, transact
from gendei.knowledge.entry import ENTRY, REVISION, KnowledgeEntry, entries_path, revision_path
from gendei.messages.channels import Clinics
from gendei.staff.access.users import USER, USERS, User

log = logging.getLogger(__name__)
SWEEP_SECONDS = 900.0


class ExpiredEntries:
    """Use it as a context manager. A clinic's entries are read once a day, and again when one has changed."""

    def __init__(
        self, documents: Documents, clinics: Clinics, clock: Clock, *, sweep_seconds: float = SWEEP_SECONDS
    ) -> None:
        self._documents, self._clinics, self._clock = documents, clinics, clock
        self._seen: dict[ClinicId, tuple[date, int]] = {}
        self._sweeping = Sweeping(self.sweep, sweep_seconds, log, "answers past their date could not be looked for: %s")

    async def __aenter__(self) -> Self:
        self._sweeping.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._sweeping.stop()

    async def sweep(self) -> int:
        """Look once, at every clinic; how many tasks were made. Raises StoreError."""
        return sum([await self._of_clinic(clinic) for clinic in self._clinics.all()])

    async def _of_clinic(self, clinic: Clinic) -> int:
        today = clinic.local(self._clock()).date()
        head = REVISION.found(await self._documents.get(revision_path(clinic.id)))
        if head is None or self._seen.get(clinic.id) == (today, head.revision):
            return 0
        made = 0
        for found in await self._documents.query(Query(entries_path(clinic.id))):
            entry = ENTRY.read(found.data, id=found.id)
            if _version_past(entry, today) != entry.past_told:
                made += await self._tell(clinic.id, found.id, today)
        self._seen[clinic.id] = today, head.revision
        return made

    async def _tell(self, clinic_id: ClinicId, entry_id: str, today: date) -> bool:
        users = await self._documents.query(Query(USERS, where=(("clinicId", "==", clinic_id),)))
        colleagues = [user for each in users if (user := USER.found(each)) and not user.disabled]
        attempt = partial(self._attempt, clinic_id=clinic_id, entry_id=entry_id, today=today, colleagues=colleagues)
        return await transact(self._documents, attempt)

    async def _attempt(
        self, transaction: Transaction, *, clinic_id: ClinicId, entry_id: str, today: date, colleagues: list[User]
    ) -> bool:
        """A task for the version that is past now; the one for a version that is not said any more is done."""
        found = await transaction.get(f"{entries_path(clinic_id)}/{document_id(entry_id)}")
        entry, now = ENTRY.found(found, id=entry_id), self._clock()
        if entry is None or (past := _version_past(entry, today)) == entry.past_told:
            return False
        if entry.past_told is not None:
            await _complete(transaction, _task_path(clinic_id, entry_id, entry.past_told), entry.by, now)
        if past is not None and entry.live is not None:
            owner = next((user for user in colleagues if _owns(user, entry.owner)), None)
            task = OccasionTask(
                created_at=now,
                updated_at=now,
                description=entry.live.questions[0],
                occasion=Occasion.ENTRY_EXPIRED,
                assigned_to=owner.id if owner else None,
                assigned_name=owner.name if owner else None,
            )
            transaction.put(_task_path(clinic_id, entry_id, past), OCCASION_TASK.write(task))
        transaction.put(found.path, ENTRY.write(replace(entry, past_told=past)))
        return past is not None


async def _complete(transaction: Transaction, path: str, by: str, now: datetime) -> None:
    """The task, where it is pending; else what stands is written as it is, since the decision depends on it."""
    found = await transaction.get(path)
    if is_pending(found):
        task = replace(
            OCCASION_TASK.read(found.data), status=COMPLETED, completed_at=now, completed_by=by, updated_at=now
        )
        transaction.put(path, OCCASION_TASK.write(task))
    elif found.data is not None:
        transaction.put(path, found.data)
    else:
        transaction.delete(path)


def _version_past(entry: KnowledgeEntry, today: date) -> int | None:
    """The version of what patients were told whose date is over; None where it is said, or was retired."""
    live = entry.live
    return live.version if live is not None and not entry.retired and not live.is_valid(today) else None


def _task_path(clinic_id: ClinicId, entry_id: str, version: int) -> str:
    told = f"{clinic_id}\n{Occasion.ENTRY_EXPIRED}\n{entry_id}\n{version}"
    return task_path(clinic_id, sha256(told.encode()).hexdigest()[:20])


def _owns(user: User, owner: str) -> bool:
    return owner.strip().casefold() in {user.name.casefold(), user.address.casefold()}
