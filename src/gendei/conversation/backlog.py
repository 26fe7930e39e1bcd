"""What waits, hangs or failed in inbox, outbox and events, for operators: shown, replayed, dropped."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from gendei.clinic import ClinicId, Contact
from gendei.clock import Clock
from gendei.conversation.inbound.inbox import EntryStatus, done
from gendei.conversation.outbound.outbox_entry import OUTBOX_ENTRY, OutboxEntry, OutboxStatus
from gendei.conversation.outbound.statuses import show_in_history
from gendei.conversation.work.following import EventStatus, read_entry, write_entry
from gendei.documents import Data, Documents, Operator, Query, Snapshot, Transaction, Write, document_id, transact
from gendei.errors import GendeiError, NotFound
from gendei.messages.keys import EVENTS, INBOX, OUTBOX, ConversationKey

Also = Callable[[ConversationKey], Sequence[Write]]
"""New documents that a change to an item of that conversation brings with it."""


def _nothing(_: ConversationKey) -> Sequence[Write]:
    return ()


class Trouble(StrEnum):
    """What is the matter with an item. PARKED is of the inbox or of the events, the others are of the outbox."""

    WAITING = "waiting"
    IN_DOUBT = "in_doubt"
    FAILED = "failed"
    PARKED = "parked"

    @property
    def failed(self) -> bool:
        """Nothing happens any more unless somebody acts."""
        return self in {Trouble.FAILED, Trouble.PARKED}


class NotPossible(GendeiError):
    """This item cannot be replayed or dropped in its state. `gendei queue show` tells what it is."""


@dataclass(frozen=True, slots=True)
class Item:
    """One message of the backlog, without its words, or one event that a follower failed on. `since`: when it came to
    the store. The contact is "" where an event is nobody's."""

    id: str
    trouble: Trouble
    conversation: ConversationKey
    since: datetime
    due_at: datetime | None
    attempts: int
    reason: str


class Backlog:
    """`clinic_id` None means every clinic; an id of another clinic is not found."""

    def __init__(self, documents: Documents, clock: Clock, clinic_id: ClinicId | None = None) -> None:
        self._documents, self._clock, self._clinic_id = documents, clock, clinic_id

    async def show(self) -> list[Item]:
        """Everything that is not done, oldest first."""
        items = [
            *await self._items(Query(OUTBOX, where=(("open", "==", True),)), _sending),
            *await self._items(Query(OUTBOX, where=(("status", "==", str(OutboxStatus.FAILED)),)), _sending),
            *await self._items(Query(INBOX, where=(("status", "==", str(EntryStatus.PARKED)),)), _parked),
            *await self._items(Query(EVENTS, where=(("status", "==", str(EventStatus.PARKED)),)), _not_followed),
        ]
        return sorted(items, key=lambda item: (item.since, item.id))

    async def replay(self, item_id: str, also: Also = _nothing) -> ConversationKey:
        """Send a failed message again, answer a parked one, or give a parked event to who failed on it: a running
        service takes it up within seconds. Raises NotFound, and NotPossible for anything else."""
        return await self._change(item_id, _Change(self._replayed, _waiting_again, self._followed_again), also)

    async def drop(self, item_id: str, also: Also = _nothing) -> ConversationKey:
        """Give a message or an event up for good. Raises NotFound, and NotPossible for what is being sent."""
        return await self._change(item_id, _Change(self._dropped, done, lambda _event: None), also)

    def _replayed(self, entry: OutboxEntry) -> OutboxEntry:
        if entry.status is not OutboxStatus.FAILED:
            raise NotPossible(f"{entry.id} is {entry.status}: only what failed is sent again")
        return entry.replayed(self._clock())

    def _dropped(self, entry: OutboxEntry) -> OutboxEntry:
        now = self._clock()
        if entry.status is OutboxStatus.FAILED:
            return replace(entry, status=OutboxStatus.SUPPRESSED)
        if not entry.is_open or (entry.status is OutboxStatus.SENDING and entry.settle_by is None):
            raise NotPossible(f"{entry.id} is {entry.status}: only what waits, is in doubt or failed is dropped")
        return entry.suppressed(now, "dropped by an operator")

    def _followed_again(self, event: Data) -> Data:
        return write_entry(read_entry(event).again(self._clock()))

    async def _change(self, item_id: str, change: "_Change", also: Also) -> ConversationKey:
        async def attempt(transaction: Transaction) -> ConversationKey:
            path = document_id(item_id)
            outgoing, event, incoming = await self._documents.get_many(
                [f"{OUTBOX}/{path}", f"{EVENTS}/{path}", f"{INBOX}/{path}"]
            )
            found = next((entry for entry in (outgoing, event) if entry.exists), incoming)
            data = (await transaction.get(found.path)).data
            if data is None or self._clinic_id not in {None, data["clinicId"]}:
                raise NotFound(f"there is no {item_id}; `gendei queue show` lists what there is")
            if found is outgoing:
                entry = change.sending(OUTBOX_ENTRY.read(data, id=found.id))
                transaction.put(found.path, OUTBOX_ENTRY.write(entry))
                await show_in_history(transaction, entry)
            elif data["status"] not in {EntryStatus.PARKED, EventStatus.PARKED}:
                raise NotPossible(f"{item_id} is {data['status']}: only what is parked can be replayed or dropped")
            elif (after := (change.happened if found is event else change.parked)(data)) is None:
                transaction.delete(found.path)
            else:
                transaction.put(found.path, after)
            key = _key(data)
            for write in also(key):
                transaction.create(write.path, write.data or {})
            return key

        return await transact(self._documents, attempt)

    async def _items(self, query: Query, read: Callable[[Snapshot, Data], Item]) -> list[Item]:
        found = await self._documents.query(query)
        known = ((document, document.data) for document in found if document.data is not None)
        return [read(snapshot, data) for snapshot, data in known if self._clinic_id in {None, data["clinicId"]}]


class _Change(NamedTuple):
    """What becomes of an entry of the outbox, and of a parked one of the inbox or of the events; None: nothing."""

    sending: Callable[[OutboxEntry], OutboxEntry]
    parked: Callable[[Data], Data]
    happened: Callable[[Data], Data | None]


def _key(data: Data) -> ConversationKey:
    if "conversation" in data:
        return ConversationKey.parse(data["conversation"])
    return ConversationKey(ClinicId(data["clinicId"]), Contact(data["contact"] or ""))


def _sending(snapshot: Snapshot, data: Data) -> Item:
    entry = OUTBOX_ENTRY.read(data, id=snapshot.id)
    if entry.status is OutboxStatus.FAILED:
        trouble = Trouble.FAILED
    else:
        trouble = Trouble.IN_DOUBT if entry.status is OutboxStatus.SENDING else Trouble.WAITING
    due = entry.due_at if entry.is_open else None
    return Item(entry.id, trouble, entry.key, entry.created_at, due, entry.attempts, entry.error or "")


def _parked(snapshot: Snapshot, data: Data) -> Item:
    key = ConversationKey.parse(data["conversation"])
    return Item(
        snapshot.id, Trouble.PARKED, key, data["receivedAt"], None, data.get("attempts", 0), data.get("reason", "")
    )


def _not_followed(snapshot: Snapshot, data: Data) -> Item:
    entry = read_entry(data)
    reason = ", ".join(f"{name}: {failure.error}" for name, failure in sorted(entry.failed.items()))
    attempts = max((failed.attempts for failed in entry.failed.values()), default=0)
    return Item(snapshot.id, Trouble.PARKED, _key(data), entry.event.at, None, attempts, reason)


def _waiting_again(data: Data) -> Data:
    return {**data, "status": str(EntryStatus.WAITING), "attempts": 0}


MOST_COUNTED = 100
"""Firestore bills every entry that is read: more than these are not counted."""


@dataclass(frozen=True, slots=True)
class Levels:
    """Of the whole store, whichever process looks. waiting, parked: messages in the inbox, MOST_COUNTED where there
    are more. waiting_seconds: since the oldest of those that wait came. outbox_seconds: since the oldest entry that is
    to be sent was due. 0 where there is none."""

    waiting: int
    waiting_seconds: float
    outbox_seconds: float
    parked: int


async def read_levels(documents: Documents, now: datetime) -> Levels:
    """Raises StoreError."""
    waiting = await documents.query(_oldest(INBOX, ("status", "==", str(EntryStatus.WAITING)), "receivedAt"))
    parked = await documents.query(_oldest(INBOX, ("status", "==", str(EntryStatus.PARKED)), "receivedAt"))
    due = await documents.query(_oldest(OUTBOX, ("open", "==", True), "dueAt", limit=1))
    return Levels(
        waiting=len(waiting),
        waiting_seconds=_age(waiting, "receivedAt", now),
        outbox_seconds=_age(due, "dueAt", now),
        parked=len(parked),
    )


def _oldest(
    collection: str, condition: tuple[str, Operator, str | bool], moment: str, limit: int = MOST_COUNTED
) -> Query:
    return Query(collection, where=(condition,), order_by=((moment, False),), limit=limit)


def _age(found: list[Snapshot], moment: str, now: datetime) -> float:
    return max(0.0, (now - (found[0].data or {})[moment]).total_seconds()) if found else 0.0
