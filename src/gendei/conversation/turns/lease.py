"""One turn at a time per conversation, across processes.

The lease is a document: creating it is the claim, and every commit of the turn deletes or rewrites it under the
precondition that it is still as this owner read it. A stale owner's commit is therefore refused whole.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import uuid4

from gendei.clock import Clock
from gendei.conversation.keys import ConversationKey
from gendei.documents import Data, Documents, Snapshot, Write, create, delete, put
from gendei.errors import Conflict, GendeiError, StoreError
from gendei.records import Moment, Record

log = logging.getLogger(__name__)
LEASE_TTL = timedelta(seconds=10)
RENEW_SECONDS = 3.0
DEATHS_IN_COMPANY = 2
"""Owners that may die in a row before a turn has to run alone: one happens to everybody whose process is killed."""
LONGEST = timedelta(minutes=2)
"""No lease is given for longer, so one that ends later was given by a clock that was put back since."""
CALLS_OF_A_TURN = 8
"""Round trips to the store that a lease outlasts beside its time, however slow they are."""
KEPT_FOR = timedelta(days=9)
"""How long a lease that ran out stays for its heir, with the deaths that it counts."""


@dataclass(frozen=True, slots=True)
class _Stored:
    """A lease's document."""

    owner: str
    token: int
    deaths: int
    expires_at: Moment
    expire_at: Moment


_STORED = Record(_Stored, "gendei_leases/{conversation}")


class LeaseLost(GendeiError):
    """Another process owns this conversation's turn now; what was prepared here is dropped."""


class MustRunAlone(GendeiError):
    """Several owners of this lease died in company; it is given only to who keeps other such turns apart from it."""


class Lease:
    """A held lease. `deaths` counts the owners in a row that let it expire, which is how a message that kills its
    process is recognised: a process that dies takes every turn that runs with it, guilty or not, so after
    DEATHS_IN_COMPANY the turn runs alone, and only `deaths_alone` speak against it. `token` rises with every owner."""

    def __init__(self, leases: "Leases", key: ConversationKey, token: int, deaths: int) -> None:
        self.key = key
        self.token = token
        self.deaths = deaths
        self.released = False
        self._leases = leases
        self._read: Snapshot | None = None

    @property
    def deaths_alone(self) -> int:
        return max(0, self.deaths - DEATHS_IN_COMPANY)

    async def confirm(self, *paths: str) -> list[Snapshot]:
        """Read `paths` together with the lease; raise LeaseLost unless it is still ours."""
        *found, read = await self._leases.documents.get_many([*paths, self.key.lease_path])
        stored = _STORED.found(read)
        if stored is None or (stored.owner, stored.token) != (self._leases.owner, self.token):
            raise LeaseLost
        self._read = read
        return found

    def release_write(self) -> Write:
        """Ends the lease within the turn's own commit, which fails if the lease is not ours any more. Needs a
        `confirm` before it; the caller sets `released` when the commit went through."""
        if self._read is None:
            raise ValueError("confirm the lease before it is released")
        return delete(self.key.lease_path, unchanged_since=self._read)

    async def release(self) -> None:
        """Give it back, unless a commit already did; best effort, since it expires by itself."""
        if self.released:
            return
        with suppress(LeaseLost, StoreError):
            await self.confirm()
            await self._leases.documents.commit([self.release_write()])
        self.released = True

    async def renew(self) -> None:
        """Push the expiry ahead; raise LeaseLost when it is another's."""
        await self.confirm()
        document = self._leases.document(self.token, self.deaths)
        try:
            await self._leases.documents.commit([put(self.key.lease_path, document, unchanged_since=self._read)])
        except Conflict as conflict:
            raise LeaseLost from conflict
        await self.confirm()

    @asynccontextmanager
    async def kept_alive(self) -> AsyncIterator[None]:
        """Renew it in the background while the body runs."""
        renewing: list[asyncio.Task[None]] = []
        loop = asyncio.get_running_loop()
        timer = loop.call_later(
            self._leases.renew_seconds, lambda: renewing.append(loop.create_task(self._keep_renewing()))
        )
        try:
            yield
        finally:
            timer.cancel()  # most turns end before it: no task is made for them
            for task in renewing:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task

    async def _keep_renewing(self) -> None:
        while True:
            try:
                await self.renew()
            except LeaseLost:
                log.warning("a turn of clinic %s outlived its lease", self.key.clinic_id)
                return
            except StoreError as error:
                log.warning("a lease of clinic %s was not renewed: %s", self.key.clinic_id, type(error).__name__)
            await asyncio.sleep(self._leases.renew_seconds)


class Leases:
    """Hands out leases for one process; `owner` names the process."""

    def __init__(self, documents: Documents, clock: Clock, *, renew_seconds: float = RENEW_SECONDS) -> None:
        self.documents = documents
        self.owner = uuid4().hex
        self.renew_seconds = renew_seconds
        self._clock = clock
        self._last_token = 0
        self._round_trip = timedelta()

    def document(self, token: int, deaths: int) -> Data:
        ends = self._clock() + min(LEASE_TTL + CALLS_OF_A_TURN * self._round_trip, LONGEST)
        return _STORED.write(_Stored(self.owner, token, deaths, ends, ends + KEPT_FOR))

    async def acquire(self, key: ConversationKey, *, alone: bool = False) -> Lease | None:
        """The lease, or None while somebody else holds it. The ordinary case is a single create. `alone`: its turn
        will have no other beside it in which as many owners died. Raises MustRunAlone where that is needed."""
        token, began = self._next_token(0), self._clock()
        try:
            await self.documents.commit([create(key.lease_path, self.document(token, 0))])
        except Conflict:
            return await self._inherit(key, alone=alone)
        self._round_trip = max(self._clock() - began, self._round_trip / 2)
        return Lease(self, key, token, 0)

    async def _inherit(self, key: ConversationKey, *, alone: bool) -> Lease | None:
        """The lease of somebody who let it expire, or one of our own that could not be given back: a process has no
        two turns of a conversation."""
        found = await self.documents.get(key.lease_path)
        stored = _STORED.found(found)
        if stored is None:
            return None
        ours = stored.owner == self.owner
        if not ours and self._is_live(stored.expires_at):
            return None
        token, deaths = self._next_token(stored.token), stored.deaths + (0 if ours else 1)
        if deaths >= DEATHS_IN_COMPANY and not alone:
            raise MustRunAlone
        try:
            await self.documents.commit([put(key.lease_path, self.document(token, deaths), unchanged_since=found)])
        except Conflict:
            return None
        return Lease(self, key, token, deaths)

    def _is_live(self, expires_at: datetime) -> bool:
        return self._clock() < expires_at <= self._clock() + LONGEST

    def _next_token(self, previous: int) -> int:
        """Later than every token before it: by the clock across processes, by counting within this one."""
        self._last_token = max(self._last_token + 1, previous + 1, int(self._clock().timestamp() * 1_000_000))
        return self._last_token
