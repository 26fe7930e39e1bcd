"""The conversation's parts, wired to each other; the composition root gives what is outside of them."""

from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from gendei.conversation.handover import Handover
from gendei.conversation.inbox import Inbox
from gendei.conversation.lease import Leases
from gendei.conversation.outbox import Outbox, Pace
from gendei.conversation.statuses import Statuses
from gendei.conversation.turn import TurnParts, TurnRunner
from gendei.conversation.worker import Worker, WorkerPace


@dataclass(frozen=True, slots=True)
class Messaging:
    """Use it as a context manager: inside, what arrives is answered. `inbox` accepts before and after it too; that
    then waits for the next start."""

    inbox: Inbox
    worker: Worker
    outbox: Outbox
    handover: Handover
    _running: AsyncExitStack = field(default_factory=AsyncExitStack)

    async def __aenter__(self) -> Self:
        await self._running.enter_async_context(self.outbox)
        await self._running.enter_async_context(self.worker)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Turns finish first, then what they put into the outbox is sent."""
        await self._running.aclose()

    async def idle(self) -> None:
        """Return once every message that is due has been answered and sent, or waits for a later moment."""
        while not (await self.worker.idle() and await self.outbox.idle()):
            pass


def wire(parts: TurnParts, *, worker_pace: WorkerPace | None = None, outbox_pace: Pace | None = None) -> Messaging:
    documents, clock = parts.documents, parts.clock
    outbox = Outbox(documents, parts.clinics, parts.providers, clock, pace=outbox_pace)
    turns = TurnRunner(parts, on_committed=outbox.notify)
    worker = Worker(documents, turns, Leases(documents, clock), clock, worker_pace)
    statuses = Statuses(documents, clock, on_settled=outbox.notify)
    inbox = Inbox(documents, parts.clinics, statuses, clock, on_waiting=worker.notify)
    return Messaging(inbox, worker, outbox, Handover(documents, clock, on_sending=outbox.notify))
