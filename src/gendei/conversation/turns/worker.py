"""Brings what waits in the inbox to its turn: quiet window, lease, turn, and again while more is waiting."""

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from gendei.clock import Clock
from gendei.conversation.inbound import inbox
from gendei.conversation.inbound.inbox import EntryStatus
from gendei.conversation.outbound import outbox_entry
from gendei.conversation.turns.turn import TurnRunner, describe
from gendei.conversation.work.lanes import Lanes, LaneWork, Sweeping
from gendei.conversation.work.lease import Lease, LeaseLost, Leases, MustRunAlone
from gendei.documents import Data, Documents, Query, delete
from gendei.errors import Conflict
from gendei.messages.keys import INBOX, LEASES, OUTBOX, ConversationKey

log = logging.getLogger(__name__)
QUIET_WINDOWS_AT_MOST = 5
SWEEP_PAGE = 200
SWEEP_PAGES = 10
MOST_READY = 2000
"""Conversations of one clinic that a sweep lets wait here for their turn; the store keeps the others."""
WAITING = Query(
    INBOX,
    where=(("status", "==", str(EntryStatus.WAITING)),),
    order_by=(("receivedAt", False),),
    limit=SWEEP_PAGE,
)
FIRST_BACKOFF = 1.0
LONGEST_BACKOFF = 60.0


@dataclass(frozen=True, slots=True)
class WorkerPace:
    """Times in seconds, and how many turns run at once, in all and of one clinic. `quiet`: a turn starts when the
    patient wrote nothing for so long, but at the latest five times that after the first message."""

    quiet: float = 2.0
    sweep: float = 5.0
    purge: float = 3600.0
    held_elsewhere: float = 0.5
    grace: float = 4.0
    at_once: int = 256
    per_clinic: int = 64


def quiet_left(quiet: float, since_first: float, since_last: float) -> float:
    """Seconds until a turn may start: `quiet` after the last message, at most five times that after the first."""
    return max(0.0, min(quiet - since_last, QUIET_WINDOWS_AT_MOST * quiet - since_first))


class Worker(LaneWork[ConversationKey]):
    """Begins the turns. Leaving it finishes those that run; what has not begun stays in the inbox."""

    def __init__(
        self, documents: Documents, turns: TurnRunner, leases: Leases, clock: Clock, pace: WorkerPace | None = None
    ) -> None:
        self._documents = documents
        self._turns = turns
        self._leases = leases
        self._clock = clock
        self._pace = pace or WorkerPace()
        self._first_arrival: dict[ConversationKey, float] = {}
        self._accepted_here: set[ConversationKey] = set()
        self._suspects = asyncio.Lock()
        self._failures: dict[ConversationKey, int] = {}
        self._rest: Query | None = None
        super().__init__(
            Lanes(self._work, at_once=self._pace.at_once, per_clinic=self._pace.per_clinic),
            Sweeping(self.sweep, self._pace.sweep, log, "the inbox could not be looked through: %s"),
            Sweeping(self._purge, self._pace.purge, log, "what has expired could not be deleted: %s"),
            grace=self._pace.grace,
        )

    async def idle(self) -> bool:
        """With what is spoken after a turn."""
        was_idle = await super().idle()
        return await self._turns.spoken() and was_idle

    async def stop(self, grace: float | None = None) -> None:
        await super().stop(grace)
        await self._turns.close()

    @property
    def is_running(self) -> bool:
        """Whether turns are begun in this process."""
        return self._lanes.is_open

    def notify(self, key: ConversationKey) -> None:
        """This process accepted a message for `key`: it begins the turn itself, or waits for who holds the lease. In
        one that runs no turns nothing happens: others are called."""
        if self.is_running:
            self._accepted_here.add(key)
            self.wake(key)

    def notify_whole(self, key: ConversationKey) -> None:
        """As `notify`, of a message that no other is likely to follow: its turn starts at once."""
        if self.is_running:
            self._accepted_here.add(key)
            self._lanes.plan(key, 0)

    def wake(self, key: ConversationKey) -> None:
        """A message for `key` just arrived: its turn starts after the quiet window. Where another process, which was
        called like this one, has begun it, it is left to that."""
        now = asyncio.get_running_loop().time()
        first = self._first_arrival.setdefault(key, now)
        self._lanes.plan(key, quiet_left(self._pace.quiet, now - first, 0))

    async def sweep(self) -> None:
        """Plan what waits in the store and is not known here: the orphans of processes that died. Of a long queue it
        looks at the oldest and, time after time, at all the rest: a clinic that fills the front hides no other."""
        waited: dict[ConversationKey, tuple[float, float]] = {}
        rest = await self._look_through(WAITING, waited)
        if rest is not None:
            self._rest = await self._look_through(self._rest or rest, waited)
        for key, (first, last) in waited.items():
            if not self._lanes.knows(key) and self._lanes.ready_of(key.clinic_id) < MOST_READY:
                self._lanes.plan(key, quiet_left(self._pace.quiet, first, last))

    async def _look_through(self, query: Query, waited: dict[ConversationKey, tuple[float, float]]) -> Query | None:
        """Add the seconds since the first and the last message of each conversation to `waited`, for half a sweep's
        pages; the query for what follows, None at the end."""
        now = self._clock()
        for _ in range(SWEEP_PAGES // 2):
            page = await self._documents.query(query)
            for entry in page:
                data = entry.data or {}
                age = max(0.0, (now - data["receivedAt"]).total_seconds())  # the clock may have been put back
                key = ConversationKey.parse(data["conversation"])
                waited[key] = (waited.get(key, (age, age))[0], age)
            if len(page) < SWEEP_PAGE:
                return None
            query = query.after(page[-1])
        return query

    async def _work(self, key: ConversationKey) -> float | None:
        """One turn; the seconds after which to come again, None when nothing is left to do."""
        self._first_arrival.pop(key, None)
        try:
            pause = await self._turn(key)
        except LeaseLost:
            log.info("another process answers a conversation of clinic %s", key.clinic_id)
            return self._pace.held_elsewhere
        except Exception as error:  # noqa: BLE001 - the messages still wait; the next try may succeed
            failures = self._failures[key] = self._failures.get(key, 0) + 1
            log.error("a turn of clinic %s could not be recorded: %s", key.clinic_id, describe(error))
            return min(FIRST_BACKOFF * 2.0 ** (failures - 1), LONGEST_BACKOFF)
        self._failures.pop(key, None)
        return pause

    async def _turn(self, key: ConversationKey) -> float | None:
        """A conversation in which owners died in company takes its turn with no other such beside it: when the process
        dies again, only the one that may be the cause has been there each time."""
        try:
            return await self._run(key, await self._leases.acquire(key))
        except MustRunAlone:
            if self._suspects.locked():
                return self._pace.held_elsewhere
            async with self._suspects:
                return await self._run(key, await self._leases.acquire(key, alone=True))

    async def _run(self, key: ConversationKey, lease: Lease | None) -> float | None:
        if lease is None:  # who holds it was called too; what it leaves behind, the sweep finds
            return self._pace.held_elsewhere if key in self._accepted_here else None
        self._accepted_here.discard(key)
        try:
            more = await self._turns.run(key, lease)
        finally:
            await lease.release()
        return 0 if more else None

    async def _purge(self) -> None:
        await purge_expired(self._documents, self._clock())


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
        over = [
            delete(document.path, unchanged_since=document)
            for document in found
            if document.data and _is_over(document.data, now)
        ]
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
