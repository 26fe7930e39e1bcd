"""The store port: JSON documents at slash-separated paths, optimistic commits, queries and watches.

A path alternates collection and id ("gendei_clinics/boa-vida/services/consulta"), as in Firestore.

Values are None, bool, int (64 bits), finite float, str, list, dict with str keys, and aware datetimes, at most
20 levels deep; anything else, and text with lone surrogates, raises UnstorableValue, a naive datetime NaiveTime.
Enum members come back as their plain values, tuples as lists, and datetimes in UTC to the microsecond.

An engine is anything that passes `tests/contracts/test_documents.py`.
"""

import asyncio
import random
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol, Self, TypeVar
from urllib.parse import quote
from weakref import WeakValueDictionary

from gendei.errors import Conflict, TooContended, UnguardedRead

T = TypeVar("T")
Data = dict[str, Any]
MAX_DOCUMENT_BYTES = 1_048_576
"""Firestore's limit for one document; every engine refuses more with DocumentTooLarge."""

_SLASHES_ONLY = re.compile(r"[A-Za-z0-9+=@:,_~/-][A-Za-z0-9+=@:,._~/-]*", re.ASCII).fullmatch
"""Text in which slashes alone need escaping: most ids, told without the slow quoting."""


def document_id(text: str) -> str:
    """`text` as one path segment: slashes and dots-only names are escaped, everything else stays readable."""
    if _SLASHES_ONLY(text):
        return text.replace("/", "%2F")
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

    @property
    def is_guarded(self) -> bool:
        """Whether it fails where the document is not as expected."""
        return self.must_be_absent or self.unchanged_since is not None


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
Ordering = tuple[tuple[str, bool], ...]
"""(field, descending), the weightiest first."""

_FIELD = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*", re.ASCII)
_NAME = re.compile(r"[A-Za-z_][\w-]*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Query:
    """Documents of one collection, or of every collection of that name (`group=True`).

    collection: a collection path, or with `group` only its last name.
    where: (field, operator, value); fields may be dotted, values are no lists or dicts; a range matches values of
    the same type only (and True is no 1, but 1 is 1.0), None only with "==".
    order_by: (field, descending); documents that lack the field are left out; ties fall in path order (segment by
    segment), in the direction of the last field. None comes before everything else.
    start_after: the values of the `ordering` fields, then the path, of the last document seen: see `after`.
    Raises ValueError where the query itself is malformed.
    """

    collection: str
    where: tuple[tuple[str, Operator, Any], ...] = ()
    order_by: Ordering = ()
    limit: int | None = None
    start_after: tuple[Any, ...] | None = None
    group: bool = False

    def __post_init__(self) -> None:
        segments = self.collection.split("/")
        if not _NAME.fullmatch(segments[-1]) or len(segments) % 2 == 0 or (self.group and len(segments) > 1):
            raise ValueError(f"not a collection{' name' if self.group else ' path'}: {self.collection!r}")
        for name in (*(name for name, _, _ in self.where), *(name for name, _ in self.order_by)):
            if not _FIELD.fullmatch(name):
                raise ValueError(f"not a field: {name!r}")
        for name, operator, value in self.where:
            if isinstance(value, list | tuple | dict):
                raise ValueError(f"{name}: a query compares single values, not {type(value).__name__}")
            if value is None and operator != "==":
                raise ValueError(f"{name}: nothing lies before or behind None")
        if self.limit is not None and self.limit < 1:
            raise ValueError(f"a limit is at least 1: {self.limit}")
        if self.start_after is not None and len(self.start_after) != len(self.ordering) + 1:
            raise ValueError("start_after takes the value of each ordering field, then the path")

    @property
    def ordering(self) -> Ordering:
        """`order_by`, or where that is empty the field of the first range, rising (as Firestore has it)."""
        if self.order_by:
            return self.order_by
        return next((((name, False),) for name, operator, _ in self.where if operator != "=="), ())

    @property
    def falling(self) -> bool:
        """Whether ties fall against the path order."""
        return bool(self.ordering) and self.ordering[-1][1]

    @property
    def collection_group(self) -> str:
        """The last name of the collection's path."""
        return self.collection.rpartition("/")[2]

    def after(self, last: Snapshot) -> "Query":
        """The same query from behind `last`, a document that it gave: the next page."""
        values = (field_of(last.data or {}, name) for name, _ in self.ordering)
        return replace(self, start_after=(*values, last.path))


def field_of(data: Data, name: str) -> Any:
    """The value of a dotted field; None where there is none."""
    value: Any = data
    for part in name.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value


@dataclass(frozen=True, slots=True)
class Index:
    """A composite index over every collection named `collection`: equality fields first, then the order."""

    collection: str
    fields: Ordering


INDEXES: tuple[Index, ...] = (
    Index("gendei_inbox", (("conversation", False), ("status", False), ("receivedAt", False))),
    Index("gendei_inbox", (("status", False), ("receivedAt", False))),
    Index("gendei_inbox", (("unattended", False), ("receivedAt", True))),
    Index("gendei_outbox", (("conversation", False), ("open", False), ("seq", False))),
    Index("gendei_outbox", (("open", False), ("dueAt", False))),
    Index("gendei_outbox", (("author", False), ("status", False), ("createdAt", True))),
    Index("gendei_outbox", (("providerMessageId", False),)),
    Index("gendei_media", (("conversation", False), ("dueAt", False))),
    Index("gendei_media", (("dueAt", False),)),
    Index("gendei_events", (("stream", False), ("status", False), ("seq", False))),
    Index("gendei_events", (("status", False), ("dueAt", False))),
    Index("gendei_events", (("unattended", False), ("at", True))),
    Index("gendei_due", (("dueAt", False),)),
    Index("gendei_due", (("expireAt", False),)),
    Index("gendei_refills", (("dueAt", False),)),
    Index("gendei_refills", (("expireAt", False),)),
    Index("gendei_refills", (("clinicId", False), ("freedAt", False))),
    Index("gendei_campaigns", (("dueAt", False),)),
    Index("gendei_campaigns", (("clinicId", False), ("createdAt", True))),
    Index("campaign_recipients", (("campaignId", False), ("state", False), ("dueAt", False))),
    Index("campaign_recipients", (("campaignId", False), ("sentAt", True))),
    Index("waiting", (("createdAt", False),)),
    *(Index(of, ((name, False),)) for of in ("waiting", "campaign_recipients") for name in ("contact", "patientId")),
    Index("appointments", (("contact", False), ("start", False))),
    Index("appointments", (("status", False), ("start", False))),
    Index("appointments", (("start", False),)),
    Index("appointments", (("createdAt", False),)),
    Index("patients", (("contact", False),)),
    Index("patients", (("phone", False),)),
    Index("patients", (("updatedAt", True),)),
    Index("gendei_inbox", (("clinicId", False), ("status", False), ("receivedAt", False))),
    Index("conversations", (("updatedAt", True),)),
    Index("conversations", (("waitingForPerson", False),)),
    Index("conversations", (("personAt", False),)),
    Index("conversations", (("answerBy", False),)),
    Index("messages", (("timestamp", True),)),
    Index("messages", (("type", False), ("timestamp", True))),
    Index("channels", (("stopped", False),)),
    Index("gendei_users", (("clinicId", False),)),
    Index("gendei_sessions", (("userId", False),)),
    Index("gendei_sessions", (("expireAt", False),)),
    Index("gendei_attempts", (("expireAt", False),)),
    Index("gendei_tokens", (("clinicId", False),)),
    Index("gendei_feeds", (("clinicId", False),)),
    Index("gendei_answers", (("expireAt", False),)),
    Index("blocks", (("end", False),)),
    Index("kept_media", (("at", False),)),
    Index("tasks", (("status", False),)),
    Index("tasks", (("completedAt", True),)),
    Index("talks", (("activeAt", True),)),
    Index("said", (("seq", True),)),
    Index("changes", (("revision", True),)),
    Index("connections", (("dueAt", False),)),
    Index("connections", (("createdAt", True),)),
    Index("charges", (("dueAt", False),)),
    Index("audit", (("at", True),)),
    Index("audit", (("userId", False), ("at", True))),
    Index("audit", (("action", False), ("at", True))),
    Index("audit", (("subject", False), ("at", True))),
    Index("audit", (("userId", False), ("action", False), ("at", True))),
    Index("audit", (("userId", False), ("subject", False), ("at", True))),
    Index("audit", (("action", False), ("subject", False), ("at", True))),
)
"""What both engines keep (Firestore has those of one field by itself). A query of another shape gives the same
result, but SQLite reads the whole collection for it, and Firestore refuses it where it needs a composite index."""


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
    """The reads and writes of one attempt of `transact`. Reads show the store as it was, without the own writes."""

    _store: Documents
    _reads: dict[str, Snapshot] = field(default_factory=dict)
    _writes: dict[str, Write] = field(default_factory=dict)
    _afterwards: list[Callable[[], None]] = field(default_factory=list)

    async def get(self, path: str) -> Snapshot:
        return (await self.get_many([path]))[0]

    async def get_many(self, paths: Sequence[str]) -> list[Snapshot]:
        missing = [path for path in dict.fromkeys(paths) if path not in self._reads]
        if missing:
            self._reads.update((snapshot.path, snapshot) for snapshot in await self._store.get_many(missing))
        return [self._reads[path] for path in paths]

    def create(self, path: str, data: Data) -> None:
        """Write a document that must not exist. Raise Conflict where this transaction has read that it does."""
        if path in self._reads and self._reads[path].exists:
            raise Conflict(path)
        self._writes[path] = create(path, data)

    def put(self, path: str, data: Data) -> None:
        """Replace a document; it is guarded when this transaction read it, and blind otherwise."""
        self._writes[path] = put(path, data)

    def delete(self, path: str) -> None:
        """Remove a document; guarded as in `put`."""
        self._writes[path] = delete(path)

    def afterwards(self, call: Callable[[], None]) -> None:
        """Call it when the writes of this attempt are known to be committed; never for an attempt that was not."""
        self._afterwards.append(call)

    def committed(self) -> None:
        """For `transact`: the commit was applied."""
        for call in self._afterwards:
            call()

    @property
    def reads(self) -> Collection[str]:
        """The paths that were read."""
        return self._reads.keys()

    def writes(self) -> list[Write]:
        """The commit of this attempt. Raise UnguardedRead where a decision could rest on a stale document."""
        if self._writes and (unguarded := self._reads.keys() - self._writes.keys()):
            raise UnguardedRead(f"read but not written in the same transaction: {sorted(unguarded)}")
        return [
            write if write.must_be_absent else _guarded(path, write.data, self._reads.get(path))
            for path, write in self._writes.items()
        ]


async def transact(
    store: Documents, attempt: Callable[[Transaction], Awaitable[T]], *, patience_seconds: float = 15
) -> T:
    """Run `attempt` on fresh reads and commit what it wrote, again while another writer wins.

    Whatever `attempt` reads through its Transaction it must also write (or write nothing at all; else UnguardedRead):
    the preconditions of the commit are what protects the decision. Raises Conflict at once when `attempt` creates a
    document that it has not read and that is there already (a lost claim, which no repetition wins), TooContended
    after `patience_seconds`, and whatever `attempt` raises.
    """
    loop = asyncio.get_running_loop()
    deadline = loop.time() + patience_seconds
    pause = 0.002
    async with _Place(store) as place:
        while True:
            transaction = Transaction(store)
            result = await attempt(transaction)
            writes = transaction.writes()
            if not writes:
                return result
            try:
                async with asyncio.timeout_at(deadline):
                    is_first = await place.is_first(transaction.reads)
                if not is_first:
                    continue
                await store.commit(writes)
                transaction.committed()
                return result
            except TimeoutError as late:
                raise TooContended(f"{writes[0].path}: no turn within {patience_seconds:g} s") from late
            except Conflict as conflict:
                if conflict.path not in transaction.reads:
                    raise
                if loop.time() > deadline:
                    raise TooContended(f"{conflict.path}: lost to others for {patience_seconds:g} s") from conflict
            await asyncio.sleep(random.uniform(0, pause))
            pause = min(pause * 2, 0.25)


_lines: WeakValueDictionary[tuple[int, str], asyncio.Lock] = WeakValueDictionary()


class _Place:
    """A transaction's place among those of this process that want to write the same documents: each document has a
    line, and only its head commits. It saves the store their defeats by each other (Google's emulator answers none of
    two hundred commits of one document within 5 s); what keeps them correct is the preconditions alone."""

    def __init__(self, store: Documents) -> None:
        self._store = store
        self._held = AsyncExitStack()
        self._stands = False
        self._let_others_pass = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._held.aclose()

    async def is_first(self, paths: Collection[str]) -> bool:
        """Whether it may commit on what it read of `paths`; otherwise it has to read them anew, now that others have
        had their turn. At first it only lets them pass: where what it wanted is gone then, it need not stand in line.
        """
        if self._stands:
            return True
        lines = [_lines.setdefault((id(self._store), path), asyncio.Lock()) for path in sorted(paths)]
        others = any(line.locked() for line in lines)
        if others and not self._let_others_pass:
            self._let_others_pass = True
            for line in lines:
                async with line:
                    pass
            return False
        for line in lines:
            await self._held.enter_async_context(line)
        self._stands = True
        return not others
