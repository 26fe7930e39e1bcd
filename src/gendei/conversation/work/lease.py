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
from typing import Annotated
from uuid import uuid4

from gendei.clock import Clock
from gendei.documents import Data, Documents, Snapshot, Write, create, delete, put
from gendei.errors import Conflict, GendeiError, StoreError
from gendei.messages.keys import ConversationKey
from gendei.records import ABSENT_WHEN_EMPTY, ABSENT_WHEN_NONE, Moment, Record

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
STALLS_KEPT_FOR = timedelta(hours=1)
"""How long a conversation is remembered for turns that held the event loop of their process."""


@dataclass(frozen=True, slots=True)
class _Stored:
    """A lease's document. released: it was given back, and stays for what it says of stalls."""

    owner: str
    token: int
    deaths: int
    expires_at: Moment
    expire_at: Moment
    stalls: Annotated[int, ABSENT_WHEN_EMPTY] = 0
    stalls_until: Annotated[Moment | None, ABSENT_WHEN_NONE] = None
    released: Annotated[bool, ABSENT_WHEN_EMPTY] = False


_STORED = Record(_Stored, "gendei_leases/{conversation}")


class LeaseLost(GendeiError):
    """Another process owns this conversation's turn now; what was prepared here is dropped."""


class MustRunAlone(GendeiError):
    """Several owners of this lease died in company, or its turn held the event loop; it is given only to who keeps
    other such turns apart from it."""


@dataclass(frozen=True, slots=True)
class Stalls:
    """How many turns in a row held the event loop, and when that is forgiven."""

    count: int = 0
    until: datetime | None = None


NONE = Stalls()


class Lease:
    """A held lease. `deaths` counts the owners in a row that let it expire, which is how a message that kills its
    process is recognised: a process that dies takes every turn that runs with it, guilty or not, so after
    DEATHS_IN_COMPANY the turn runs alone, and only `deaths_alone` speak against it. `stalls` counts the turns in a row
    that held the event loop, of which nobody dies but nobody else is served meanwhile either; `stalled`: this one did,
    `forgiven`: it answered and did not.
    `token` rises with every owner."""

    def __init__(
        self, leases: "Leases", key: ConversationKey, token: int, deaths: int = 0, stalls: "Stalls" = NONE
    ) -> None:
        self.key = key
        self.token = token
        self.deaths = deaths
        self.stalls = stalls
        self.stalled = False
        self.forgiven = False
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
        `confirm` before it; the caller sets `released` when the commit went through. Of a turn that stalled, its
        document stays for a while and says so."""
        if self._read is None:
            raise ValueError("confirm the lease before it is released")
        if self.stalled or (self.stalls.count and not self.forgiven):
            stalls = self._leases.one_more(self.stalls) if self.stalled else self.stalls
            left = self._leases.left(self.token, self.deaths, stalls)
            return put(self.key.lease_path, left, unchanged_since=self._read)
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
        document = self._leases.document(self.token, self.deaths, self.stalls)
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

    def document(self, token: int, deaths: int = 0, stalls: Stalls = NONE) -> Data:
        ends = self._clock() + min(LEASE_TTL + CALLS_OF_A_TURN * self._round_trip, LONGEST)
        return self._write(token, deaths, stalls, ends, ends + KEPT_FOR)

    def left(self, token: int, deaths: int, stalls: Stalls) -> Data:
        """A lease that was given back, and tells its next owner of the stalls."""
        now = self._clock()
        return self._write(token, deaths, stalls, now, stalls.until or now, released=True)

    def _write(
        self, token: int, deaths: int, stalls: Stalls, ends: datetime, kept_until: datetime, *, released: bool = False
    ) -> Data:
        until = stalls.until if stalls.count else None
        stored = _Stored(self.owner, token, deaths, ends, kept_until, stalls.count, until, released)
        return _STORED.write(stored)

    def one_more(self, stalls: Stalls) -> Stalls:
        return Stalls(stalls.count + 1, self._clock() + STALLS_KEPT_FOR)

    def _stalls_of(self, stored: _Stored) -> Stalls:
        until = stored.stalls_until
        return Stalls(stored.stalls, until) if until is not None and self._clock() < until else NONE

    async def acquire(self, key: ConversationKey, *, alone: bool = False) -> Lease | None:
        """The lease, or None while somebody else holds it. The ordinary case is a single create. `alone`: its turn
        will have no other beside it in which as many owners died. Raises MustRunAlone where that is needed."""
        token, began = self._next_token(0), self._clock()
        try:
            await self.documents.commit([create(key.lease_path, self.document(token))])
        except Conflict:
            return await self._inherit(key, alone=alone)
        self._round_trip = max(self._clock() - began, self._round_trip / 2)
        return Lease(self, key, token)

    async def _inherit(self, key: ConversationKey, *, alone: bool) -> Lease | None:
        """The lease of somebody who let it expire, or one of our own that could not be given back: a process has no
        two turns of a conversation."""
        found = await self.documents.get(key.lease_path)
        stored = _STORED.found(found)
        if stored is None:
            return None
        alive = stored.owner == self.owner or stored.released
        if not alive and self._is_live(stored.expires_at):
            return None
        token, deaths = self._next_token(stored.token), stored.deaths + (0 if alive else 1)
        stalls = self._stalls_of(stored)
        if (deaths >= DEATHS_IN_COMPANY or stalls.count) and not alone:
            raise MustRunAlone
        document = self.document(token, deaths, stalls)
        try:
            await self.documents.commit([put(key.lease_path, document, unchanged_since=found)])
        except Conflict:
            return None
        return Lease(self, key, token, deaths, stalls)

    def _is_live(self, expires_at: datetime) -> bool:
        return self._clock() < expires_at <= self._clock() + LONGEST

    def _next_token(self, previous: int) -> int:
        """Later than every token before it: by the clock across processes, by counting within this one."""
        self._last_token = max(self._last_token + 1, previous + 1, int(self._clock().timestamp() * 1_000_000))
        return self._last_token
