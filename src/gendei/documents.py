"""The store port: JSON documents at slash-separated paths, optimistic commits, queries and watches.

A path alternates collection and id ("gendei_clinics/boa-vida/services/consulta"), as in Firestore.
Values are None, bool, int, float, str, list, dict and aware datetimes. An engine is anything that
passes `tests/contracts/test_documents.py`.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeVar
from urllib.parse import quote

from gendei.errors import Conflict, TooContended, UnguardedRead

T = TypeVar("T")
Data = dict[str, Any]
MAX_DOCUMENT_BYTES = 1_048_576
"""Firestore's limit for one document; every engine refuses more with DocumentTooLarge."""


def document_id(text: str) -> str:
    """`text` as one path segment: slashes and dots-only names are escaped, everything else stays readable."""
    return quote(text, safe="+=@:,._-~") if set(text) != {"."} else quote(text).replace(".", "%2E")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A document as it was read; `data` is None where there is none. `version` belongs to the engine."""

    path: str
    data: Data | None
    version: object = None

    @property
    def exists(self) -> bool:
        return self.data is not None

    @property
    def id(self) -> str:
        return self.path.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Write:
    """One change of a commit. `data` None deletes. Make it with `create`, `put` or `delete`."""

    path: str
    data: Data | None
    must_be_absent: bool = False
    unchanged_since: Snapshot | None = None


def create(path: str, data: Data) -> Write:
    """Write a document that must not exist yet; otherwise the commit raises Conflict."""
    return Write(path, data, must_be_absent=True)


def put(path: str, data: Data, *, unchanged_since: Snapshot | None = None) -> Write:
    """Replace a document whole. With a snapshot the commit raises Conflict unless the document is still as read
    (still absent, when the snapshot was of no document)."""
    return _guarded(path, data, unchanged_since)


def delete(path: str, *, unchanged_since: Snapshot | None = None) -> Write:
    """Remove a document; without a snapshot, removing what is not there is no error."""
    return _guarded(path, None, unchanged_since)


def _guarded(path: str, data: Data | None, read: Snapshot | None) -> Write:
    if read is not None and not read.exists:
        return Write(path, data, must_be_absent=True)
    return Write(path, data, unchanged_since=read)


Operator = Literal["==", "<", "<=", ">", ">="]


@dataclass(frozen=True, slots=True)
class Query:
    """Documents of one collection, or of every collection of that name (`group=True`).

    collection: a collection path, or with `group` only its last name.
    where: (field, operator, value); fields may be dotted; a range matches values of the same type only.
    order_by: (field, descending); documents that lack the field are left out; ties fall in path order.
    start_after: the values of the order_by fields, then the path, of the last document seen.
    """

    collection: str
    where: tuple[tuple[str, Operator, Any], ...] = ()
    order_by: tuple[tuple[str, bool], ...] = ()
    limit: int | None = None
    start_after: tuple[Any, ...] | None = None
    group: bool = False


class Documents(Protocol):
    """What the domain asks of a store. Every call may raise StoreUnavailable."""

    async def get(self, path: str) -> Snapshot: ...

    async def get_many(self, paths: Sequence[str]) -> list[Snapshot]:
        """In the order asked; a missing document is a snapshot without data."""
        ...

    async def query(self, query: Query) -> list[Snapshot]: ...

    async def commit(self, writes: Sequence[Write]) -> None:
        """Apply all writes or none, durably. Raise Conflict when a precondition fails, DocumentTooLarge at 1 MiB."""
        ...

    def watch(self, query: Query) -> AbstractAsyncContextManager[AsyncIterator[list[Snapshot]]]:
        """Yield the query's whole result now and after each change to it, by any process; may skip middle states."""
        ...

    async def close(self) -> None: ...


@dataclass(slots=True)
class Transaction:
    """The reads and writes of one attempt of `transact`."""

    _store: Documents
    _reads: dict[str, Snapshot] = field(default_factory=dict)
    _writes: dict[str, Write] = field(default_factory=dict)

    async def get(self, path: str) -> Snapshot:
        return (await self.get_many([path]))[0]

    async def get_many(self, paths: Sequence[str]) -> list[Snapshot]:
        missing = [path for path in dict.fromkeys(paths) if path not in self._reads]
        if missing:
            self._reads.update((snapshot.path, snapshot) for snapshot in await self._store.get_many(missing))
        return [self._reads[path] for path in paths]

    def create(self, path: str, data: Data) -> None:
        self._writes[path] = create(path, data)

    def put(self, path: str, data: Data) -> None:
        """Replace a document; it is guarded when this transaction read it, and blind otherwise."""
        self._writes[path] = put(path, data, unchanged_since=self._reads.get(path))

    def delete(self, path: str) -> None:
        self._writes[path] = delete(path, unchanged_since=self._reads.get(path))

    def writes(self) -> list[Write]:
        """The commit of this attempt. Raise UnguardedRead where a decision could rest on a stale document."""
        if self._writes and (unguarded := self._reads.keys() - self._writes.keys()):
            raise UnguardedRead(f"read but not written in the same transaction: {sorted(unguarded)}")
        return list(self._writes.values())


async def transact(
    store: Documents, attempt: Callable[[Transaction], Awaitable[T]], *, patience_seconds: float = 15
) -> T:
    """Run `attempt` on fresh reads and commit what it wrote, again while another writer wins.

    Whatever `attempt` reads through its Transaction it must also write (or write nothing at all): the
    preconditions of the commit are what protects the decision. Raises TooContended after `patience_seconds`,
    and whatever `attempt` raises.
    """
    loop = asyncio.get_running_loop()
    deadline = loop.time() + patience_seconds
    pause = 0.002
    while True:
        transaction = Transaction(store)
        result = await attempt(transaction)
        writes = transaction.writes()
        try:
            if writes:
                await store.commit(writes)
            return result
        except Conflict as conflict:
            if loop.time() > deadline:
                raise TooContended(f"{conflict.path}: lost to other writers for {patience_seconds:g} s") from conflict
        await asyncio.sleep(random.uniform(0, pause))
        pause = min(pause * 2, 0.25)
