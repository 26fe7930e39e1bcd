"""What staff owe for an appointment is owed no more once it is cancelled."""

from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial

from gendei.booking.events import AgendaEvent, EventKind
from gendei.clock import Clock
from gendei.conversation.stored.follow_ups import COMPLETED, OCCASION_TASK, PENDING, Occasion, tasks_of
from gendei.documents import Documents, Query, Transaction, transact

OF_APPOINTMENTS = frozenset({Occasion.DEPOSIT, Occasion.LATE})
"""Tasks that the service begins for an appointment that is to come."""


@dataclass(frozen=True, slots=True)
class CancelledTasks:
    """Follows cancellations: the tasks of OF_APPOINTMENTS are completed, by nobody."""

    documents: Documents
    clock: Clock
    name = "cancelled_tasks"
    delay = timedelta(0)

    def wants(self, event: AgendaEvent) -> bool:
        return event.kind is EventKind.CANCELLED

    async def follow(self, event: AgendaEvent) -> None:
        """Complete what is pending. Raises StoreError."""
        pending = Query(
            tasks_of(event.clinic_id),
            where=(("appointmentId", "==", event.appointment_id), ("status", "==", PENDING)),
        )
        for found in await self.documents.query(pending):
            await transact(self.documents, partial(self._complete, path=found.path))

    async def _complete(self, transaction: Transaction, path: str) -> None:
        task = OCCASION_TASK.found(await transaction.get(path))
        if task is not None and task.status == PENDING and task.occasion in OF_APPOINTMENTS:
            now = self.clock()
            done = replace(task, status=COMPLETED, completed_at=now, updated_at=now)
            transaction.put(path, OCCASION_TASK.write(done))
