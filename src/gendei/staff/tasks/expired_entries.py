"""An answer of the clinic's knowledge whose date is over is said no more: who sees to it gets a task, once for each
version, however many processes look."""

import logging
from dataclasses import replace
from datetime import date
from functools import partial
from hashlib import sha256
from types import TracebackType
from typing import Self

from gendei.clinic import Clinic, ClinicId
from gendei.clock import Clock
from gendei.conversation.stored.follow_ups import OCCASION_TASK, Occasion, OccasionTask, task_path
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
            if _is_past(ENTRY.read(found.data, id=found.id), today):
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
        found = await transaction.get(f"{entries_path(clinic_id)}/{document_id(entry_id)}")
        entry, now = ENTRY.found(found, id=entry_id), self._clock()
        if entry is None or entry.live is None or not _is_past(entry, today):
            return False
        told = f"{clinic_id}\n{Occasion.ENTRY_EXPIRED}\n{entry_id}\n{entry.live.version}"
        owner = next((user for user in colleagues if _owns(user, entry.owner)), None)
        task = OccasionTask(
            created_at=now,
            updated_at=now,
            description=entry.live.questions[0],
            occasion=Occasion.ENTRY_EXPIRED,
            assigned_to=owner.id if owner else None,
            assigned_name=owner.name if owner else None,
        )
        transaction.put(task_path(clinic_id, sha256(told.encode()).hexdigest()[:20]), OCCASION_TASK.write(task))
        transaction.put(found.path, ENTRY.write(replace(entry, past_told=entry.live.version)))
        return True


def _is_past(entry: KnowledgeEntry, today: date) -> bool:
    """Whether the date of what patients were told is over, and nobody was told yet."""
    live = entry.live
    return live is not None and not entry.retired and not live.is_valid(today) and entry.past_told != live.version


def _owns(user: User, owner: str) -> bool:
    return owner.strip().casefold() in {user.name.casefold(), user.address.casefold()}
