"""What staff owe for an appointment is owed no more once it is cancelled, or what it was about is settled."""

from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial

from gendei.booking.events import AgendaEvent, EventKind
from gendei.clock import Clock
from gendei.conversation.stored.follow_ups import COMPLETED, OCCASION_TASK, PENDING, Occasion, tasks_of
from gendei.documents import Documents, Query, Transaction, transact

ENDED_BY = {
    EventKind.CANCELLED: frozenset({Occasion.DEPOSIT, Occasion.LATE, Occasion.UNCONFIRMED, Occasion.UNMARKED}),
    EventKind.MOVED: frozenset({Occasion.UNCONFIRMED, Occasion.UNMARKED}),
    EventKind.PRESENCE_CONFIRMED: frozenset({Occasion.UNCONFIRMED}),
    EventKind.COMPLETED: frozenset({Occasion.UNCONFIRMED, Occasion.UNMARKED}),
    EventKind.MISSED: frozenset({Occasion.UNCONFIRMED, Occasion.UNMARKED}),
}
"""Tasks that the service begins for an appointment, by what ends them."""


@dataclass(frozen=True, slots=True)
class CancelledTasks:
    """Follows appointments: the tasks of ENDED_BY are completed, by nobody."""

    documents: Documents
    clock: Clock
    name = "cancelled_tasks"
    delay = timedelta(0)

    def wants(self, event: AgendaEvent) -> bool:
        return event.kind in ENDED_BY

    async def follow(self, event: AgendaEvent) -> None:
        """Complete what is pending. Raises StoreError."""
        pending = Query(
            tasks_of(event.clinic_id),
            where=(("appointmentId", "==", event.appointment_id), ("status", "==", PENDING)),
        )
        for found in await self.documents.query(pending):
            await transact(self.documents, partial(self._complete, path=found.path, ended=ENDED_BY[event.kind]))

    async def _complete(self, transaction: Transaction, path: str, ended: frozenset[Occasion]) -> None:
        task = OCCASION_TASK.found(await transaction.get(path))
        if task is not None and task.status == PENDING and task.occasion in ended:
            now = self.clock()
            done = replace(task, status=COMPLETED, completed_at=now, updated_at=now)
            transaction.put(path, OCCASION_TASK.write(done))
