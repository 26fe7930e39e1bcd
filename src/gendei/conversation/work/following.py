"""Gives the events of the agenda to their followers: each at least once, and in order for each stream.

An event stands in gendei_events from the commit that made it true until everybody who wants it has followed it; then
it is deleted. The process that writes one claims it with the same write, is told of it when it is committed, and
delivers it at once; what a dead process left is found by the others when the claim has ended. Each follower has its
own place in a stream: where one fails, the others go on, and so do all other streams.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial
from typing import Annotated
from uuid import uuid4

from gendei.booking.events import AgendaEvent, AgendaPlace, Doer, EventKind, Follower, Stream
from gendei.clinic import ClinicId, Contact
from gendei.clock import Clock
from gendei.conversation.work.backoff import Backoff
from gendei.conversation.work.lanes import Lanes, LaneWork, Sweeping
from gendei.documents import Data, Documents, Query, Snapshot, Transaction, delete, put, transact
from gendei.errors import Conflict
from gendei.messages.keys import EVENTS
from gendei.records import ABSENT_WHEN_EMPTY, SORTED, Moment, Record

log = logging.getLogger(__name__)
BACKOFF = Backoff(1, 4, 1800, attempts=8)
"""Most of an hour together; then the event is parked for this follower."""
PAGE = 50
SWEEP_PAGE = 200
NOW = timedelta(0)


class EventStatus(StrEnum):
    """WAITING for at least one follower; PARKED: only for those that failed too often."""

    WAITING = "waiting"
    PARKED = "parked"


@dataclass(frozen=True, slots=True)
class Failed:
    """How often a follower failed on an event, when it is tried again, and the kind of the last error."""

    attempts: int
    due_at: Moment
    error: str


@dataclass(frozen=True, slots=True)
class EventEntry:
    """An event on its way. `due_at`: when any process may take it up; before that it is `owner`'s, or waits for a
    retry where there is no owner. `done`: the followers that have followed it. `failed`: those that have not, by name;
    it is parked for who has failed BACKOFF.attempts times. `unattended`: see gendei.conversation.wake_ups."""

    event: AgendaEvent
    due_at: datetime
    owner: str | None = None
    done: frozenset[str] = frozenset()
    failed: Mapping[str, Failed] = field(default_factory=dict)
    status: EventStatus = EventStatus.WAITING
    unattended: bool = False

    @property
    def path(self) -> str:
        return f"{EVENTS}/{self.event.id}"

    def waits_for(self, follower: Follower) -> bool:
        return follower.name not in self.done | self.parked and follower.wants(self.event)

    @property
    def parked(self) -> frozenset[str]:
        return frozenset(name for name, failure in self.failed.items() if failure.attempts >= BACKOFF.attempts)

    def due_for(self, follower: Follower) -> datetime:
        """When the follower may have it."""
        failed = self.failed.get(follower.name)
        return failed.due_at if failed else self.event.at + follower.delay

    def claimed(self, owner: str, until: datetime, followers: Sequence[Follower]) -> "EventEntry":
        """By `owner`, for `followers`. Where another owner held it to the end, it died or was cut off: that counts as
        a failure, so that an event which ends every process that takes it up is parked."""
        died = self.owner not in {None, owner}
        failed = (
            {follower.name: self._once_more(follower.name, until, "ProcessEnded") for follower in followers}
            if died
            else {}
        )
        return replace(self, owner=owner, due_at=until, failed={**self.failed, **failed}, unattended=False)

    def after(self, results: Mapping[str, str | None], now: datetime) -> "EventEntry":
        """`results`: by follower, the kind of its error, None where it has followed."""
        done = {name for name, error in results.items() if error is None}
        failed = {name: failure for name, failure in self.failed.items() if name not in done}
        for name, error in results.items():
            if error is not None:
                pause = BACKOFF.pause(self._attempts(name) + 1, 0)
                failed[name] = self._once_more(name, now + timedelta(seconds=pause), error)
        return replace(self, owner=None, done=self.done | done, failed=failed, unattended=False)

    def again(self, now: datetime) -> "EventEntry":
        """Parked, and to be tried again because an operator wants it."""
        return replace(self, status=EventStatus.WAITING, failed={}, due_at=now, owner=None, unattended=True)

    def _attempts(self, name: str) -> int:
        return self.failed[name].attempts if name in self.failed else 0

    def _once_more(self, name: str, due_at: datetime, error: str) -> Failed:
        return Failed(self._attempts(name) + 1, due_at, error)


@dataclass(frozen=True, slots=True)
class _Stored:
    """An entry's document: the event's own fields, its stream as one text, and what became of it."""

    kind: EventKind
    clinic_id: ClinicId
    subject: str
    seq: int
    at: Moment
    doer: Doer
    place: AgendaPlace
    before: AgendaPlace | None
    appointment_id: str | None
    service_id: str | None
    contact: Contact | None
    patient_id: str | None
    notify: bool
    stream: str
    status: EventStatus
    owner: str | None
    due_at: Moment
    done: Annotated[frozenset[str], SORTED]
    failed: Mapping[str, Failed]
    unattended: Annotated[bool, ABSENT_WHEN_EMPTY] = False


_STORED = Record(_Stored, "gendei_events/{id}")
_OF_THE_EVENT = tuple(each.name for each in fields(AgendaEvent) if each.name != "stream")
_OF_THE_ENTRY = tuple(each.name for each in fields(EventEntry) if each.name != "event")


def write_entry(entry: EventEntry) -> Data:
    """The document of `entry`."""
    stream = entry.event.stream
    event = {name: getattr(entry.event, name) for name in _OF_THE_EVENT}
    on_its_way = {name: getattr(entry, name) for name in _OF_THE_ENTRY}
    stored = _Stored(clinic_id=stream.clinic_id, subject=stream.subject, stream=stream.text, **event, **on_its_way)
    return _STORED.write(stored)


def read_entry(data: Data | None) -> EventEntry:
    """The entry of a document. Raises UnreadableDocument for one that `write_entry` did not make, also for none."""
    stored = _STORED.read(data)
    event = {name: getattr(stored, name) for name in _OF_THE_EVENT}
    on_its_way = {name: getattr(stored, name) for name in _OF_THE_ENTRY}
    return EventEntry(AgendaEvent(stream=Stream(stored.clinic_id, stored.subject), **event), **on_its_way)


@dataclass(frozen=True, slots=True)
class FollowingPace:
    """In seconds. `claim`: how long an event is its owner's; more than `limit`, which a follower has for one event.
    `look_again`: while another process delivers the stream. `stop`: for what is being followed when the process stops.
    `sweep`: between two sweeps; each looks as far ahead, so that they may be rare."""

    claim: float = 20.0
    limit: float = 10.0
    sweep: float = 60.0
    look_again: float = 1.0
    stop: float = 1.0


class Following(LaneWork[Stream]):
    """Writes events with `tell`, and inside `async with` delivers them. `counts`: by follower and result (followed,
    failed, parked). tells_all: also writes what none of its own followers wants, for a process that knows none."""

    def __init__(
        self, documents: Documents, clock: Clock, *, pace: FollowingPace | None = None, tells_all: bool = False
    ) -> None:
        self._documents, self._clock, self._tells_all = documents, clock, tells_all
        self._pace = pace or FollowingPace()
        self._owner = uuid4().hex
        self._followers: dict[str, Follower] = {}
        self.counts: Counter[tuple[str, str]] = Counter()
        sweeping = Sweeping(self.sweep, self._pace.sweep, log, "the agenda's events could not be looked through: %s")
        super().__init__(Lanes(self._deliver), sweeping, grace=self._pace.stop)

    def register(self, *followers: Follower) -> None:
        """From now on each is given what it wants. Raises ValueError for a name that is taken."""
        for follower in followers:
            if follower.name in self._followers:
                raise ValueError(f"two followers are called {follower.name}")
            self._followers[follower.name] = follower

    def tell(self, transaction: Transaction, events: Sequence[AgendaEvent]) -> None:
        """Put what somebody wants of `events` into the transaction's commit, and see to it after that."""
        for event in events:
            delays = [follower.delay for follower in self._followers.values() if follower.wants(event)]
            if not delays and not self._tells_all:
                continue
            delay, attended = min(delays, default=NOW), self._lanes.is_open
            claims = attended and delay == NOW
            entry = EventEntry(
                event,
                due_at=event.at + (timedelta(seconds=self._pace.claim) if claims else delay),
                owner=self._owner if claims else None,
                unattended=not attended and delay == NOW,
            )
            transaction.create(entry.path, write_entry(entry))
            transaction.afterwards(partial(self._lanes.plan, event.stream, delay.total_seconds()))

    async def settle(self, event_id: str, follower: str) -> None:
        """What the follower would do has been done by somebody else. Nothing happens where the event is gone."""

        async def attempt(transaction: Transaction) -> None:
            found = await transaction.get(f"{EVENTS}/{event_id}")
            if found.data is not None:
                entry = read_entry(found.data)
                self._put(transaction, replace(entry, done=entry.done | {follower}))

        await transact(self._documents, attempt)

    async def sweep(self) -> None:
        """Plan what is due before the next sweep: what a dead process left, what another process wrote, retries."""
        now = self._clock()
        due = Query(
            EVENTS,
            where=(
                ("status", "==", str(EventStatus.WAITING)),
                ("dueAt", "<=", now + timedelta(seconds=self._pace.sweep)),
            ),
            order_by=(("dueAt", False),),
            limit=SWEEP_PAGE,
        )
        while found := await self._documents.query(due):
            for entry in (read_entry(document.data) for document in found):
                if not self._lanes.knows(entry.event.stream):
                    self._lanes.plan(entry.event.stream, _seconds(now, entry.due_at))
            if len(found) < SWEEP_PAGE:
                return
            due = due.after(found[-1])

    async def _deliver(self, stream: Stream) -> float | None:
        """Deliver the stream's events in order. Returns when to look again, None when that is nobody's wish."""
        held: set[str] = set()
        waits: list[float] = []
        line = Query(
            EVENTS,
            where=(("stream", "==", stream.text), ("status", "==", str(EventStatus.WAITING))),
            order_by=(("seq", False),),
            limit=PAGE,
        )
        while found := await self._documents.query(line):
            for snapshot in found:
                waits += await self._advance(snapshot, held)
            if len(found) < PAGE:
                break
            line = line.after(found[-1])
        return min(waits, default=None)

    async def _advance(self, snapshot: Snapshot, held: set[str]) -> list[float]:
        """Give one event to whoever is due and not `held` by an earlier one, and hold for it whoever still waits.
        Returns seconds to wait."""
        entry = read_entry(snapshot.data)
        now = max(self._clock(), entry.event.at)  # a clock that was put back delays nothing
        waiting = [follower for follower in self._followers.values() if entry.waits_for(follower)]
        free = [follower for follower in waiting if follower.name not in held]
        held.update(follower.name for follower in waiting)
        is_ours = entry.owner == self._owner
        if entry.owner is not None and not is_ours and entry.due_at > now:
            return [min(self._pace.look_again, _seconds(now, entry.due_at))]
        ready = [follower for follower in free if entry.due_for(follower) <= now]
        waits = [_seconds(now, entry.due_for(follower)) for follower in free if follower not in ready]
        if waiting and not ready:
            return waits
        if ready and (not is_ours or _seconds(now, entry.due_at) < self._pace.limit):
            entry = entry.claimed(self._owner, now + timedelta(seconds=self._pace.claim), ready)
            try:
                await self._documents.commit([put(entry.path, write_entry(entry), unchanged_since=snapshot)])
            except Conflict:
                return [self._pace.look_again]
        errors = await asyncio.gather(*(self._follow(follower, entry) for follower in ready))
        results = dict(zip((follower.name for follower in ready), errors, strict=True))
        after = entry.after(results, self._clock())
        await self._record(entry, after)
        left = [follower for follower in ready if after.waits_for(follower)]
        held.difference_update(results.keys() - {follower.name for follower in left})
        return waits + [_seconds(now, after.due_for(follower)) for follower in left]

    async def _follow(self, follower: Follower, entry: EventEntry) -> str | None:
        """The kind of error; None where the follower has followed."""
        event, result, error = entry.event, "followed", None
        if follower.name in entry.parked:  # its processes ended with it, again and again
            error = entry.failed[follower.name].error
        else:
            try:
                async with asyncio.timeout(self._pace.limit):
                    await follower.follow(event)
            except Exception as failure:  # noqa: BLE001 - one follower's failure must not hold the others
                error = type(failure).__name__
        if error is not None:
            parked = follower.name in entry.after({follower.name: error}, event.at).parked
            result = "parked" if parked else "failed"
            told = (follower.name, result, event.id, event.kind, event.clinic_id, error)
            log.log(logging.ERROR if parked else logging.WARNING, "%s %s on event %s (%s) of clinic %s: %s", *told)
        self.counts[follower.name, result] += 1
        return error

    async def _record(self, claimed: EventEntry, after: EventEntry) -> None:
        """Make durable what came of a claim. What everybody has followed may go whoever owns it now."""
        if not after.failed and not any(after.waits_for(follower) for follower in self._followers.values()):
            await self._documents.commit([delete(after.path)])
            return

        async def attempt(transaction: Transaction) -> None:
            found = await transaction.get(after.path)
            present = read_entry(found.data) if found.data is not None else None
            if present is not None and present.owner == claimed.owner:
                self._put(transaction, replace(after, done=after.done | present.done))

        await transact(self._documents, attempt)

    def _put(self, transaction: Transaction, entry: EventEntry) -> None:
        """The entry, due when its next follower is unless it is claimed; parked where only failures are left, and no
        entry where nothing is."""
        dues = [entry.due_for(follower) for follower in self._followers.values() if entry.waits_for(follower)]
        if dues:
            due_at = entry.due_at if entry.owner else min(dues)
            transaction.put(entry.path, write_entry(replace(entry, due_at=due_at)))
        elif entry.parked:
            transaction.put(entry.path, write_entry(replace(entry, status=EventStatus.PARKED)))
        else:
            transaction.delete(entry.path)


def _seconds(now: datetime, until: datetime) -> float:
    return max(0.0, (until - now).total_seconds())
