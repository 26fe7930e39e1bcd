"""Documents in Firestore: one database for any number of processes.

A commit is one batch of writes with preconditions: `exists` false for what must be absent, the `update_time` that was
read for what must be unchanged. Every document carries a mark that is new with each commit. It makes Firestore take a
put of equal data for a change (it would keep the update time otherwise), and tells whether a commit was applied whose
answer never came.

Firestore's limits: 1 MiB a document, 10 MiB a commit.
"""

import asyncio
import random
import re
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager

from gendei.documents import Query, Snapshot, Write
from gendei.errors import Conflict, DocumentTooLarge, StoreError, StoreUnavailable, UnstorableValue
from gendei.store.encoding import encode
from gendei.store.firestore_messages import Fields, Version, document_of, target_of
from gendei.store.firestore_watch import FirestoreWatch
from gendei.store.firestore_wire import UNKNOWN, Code, Failure, RetryBudget, Wire, unavailable

_LOST = frozenset({Code.ALREADY_EXISTS, Code.FAILED_PRECONDITION, Code.NOT_FOUND})
_TOO_LARGE = re.compile("longer than|too large|exceed|maximum", re.IGNORECASE)


class FirestoreDocuments:
    """The `Documents` of one Firestore database, for one event loop. Make it with `open`."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._watches: set[FirestoreWatch] = set()
        self._calls: set[asyncio.Event] = set()
        self._closed = False

    @classmethod
    async def open(
        cls, project: str, *, database: str = "(default)", emulator: str | None = None, patience_seconds: float = 10
    ) -> "FirestoreDocuments":
        """Reach the database of a project, with the application's default credentials, or an emulator's at
        "host:port". `patience_seconds`: how long each call goes on trying before StoreUnavailable. Raises
        StoreUnavailable where the database cannot be reached, StoreError where it is missing or closed to us.
        """
        store = cls(Wire(project, database, emulator, patience_seconds))
        try:
            await store.get("gendei_clinics/-")
        except BaseException:
            await store.close()
            raise
        return store

    async def get(self, path: str) -> Snapshot:
        return (await self.get_many([path]))[0]

    async def get_many(self, paths: Sequence[str]) -> list[Snapshot]:
        with self._call():
            found = await self._wire.get(paths)
            return [found[path] for path in paths]

    async def query(self, query: Query) -> list[Snapshot]:
        with self._call():
            return await self._wire.query(target_of(query, self._wire.root))

    async def commit(self, writes: Sequence[Write]) -> None:
        with self._call():
            mark = random.getrandbits(63)
            changes = [self._change(write, mark) for write in writes]
            if len({write.path for write in writes}) < len(writes):
                raise ValueError("a commit writes each document once")
            if changes:
                await self._apply(writes, changes, mark)

    @asynccontextmanager
    async def watch(self, query: Query) -> AsyncIterator[AsyncIterator[list[Snapshot]]]:
        with self._call():
            watch = FirestoreWatch(query, self._wire)
        self._watches.add(watch)
        try:
            yield watch
        finally:
            self._watches.discard(watch)
            await watch.stop(StoreError("the watch has ended"))

    async def close(self) -> None:
        """Finish what was asked for, then close; every later call raises StoreUnavailable."""
        self._closed = True
        for watch in list(self._watches):
            await watch.stop(StoreUnavailable("the store is closed"))
        for call in list(self._calls):
            await call.wait()
        await self._wire.close()

    @contextmanager
    def _call(self) -> Iterator[None]:
        """What `close` waits for; there is none afterwards."""
        if self._closed:
            raise StoreUnavailable("the store is closed")
        done = asyncio.Event()
        self._calls.add(done)
        try:
            yield
        finally:
            self._calls.remove(done)
            done.set()

    def _change(self, write: Write, mark: int) -> Fields:
        """The write in Firestore's form. Raises as `encode` does."""
        name, required = self._wire.name_of(write.path), _precondition(write)
        if write.data is None:
            return {"delete": name, "current_document": required}
        encode(write.path, write.data)
        return {"update": document_of(name, write.data, mark), "current_document": required}

    async def _apply(self, writes: Sequence[Write], changes: list[Fields], mark: int) -> None:
        """Send the commit, again where that is safe: after an unknown outcome a repetition does nothing to what the
        first one wrote if there is a precondition, since the mark has changed what it asks for."""
        patience = RetryBudget(self._wire.patience_seconds)
        guarded = any(write.is_guarded for write in writes)
        unsure = False
        while True:
            try:
                return await self._wire.commit(changes, patience)
            except Failure as lost:
                code = lost.code()
                if code == Code.INVALID_ARGUMENT:
                    raise _refused_data(lost) from lost
                unsure = unsure or code in UNKNOWN
                if (code in _LOST) if guarded else unsure:
                    return await self._settle(writes, mark, lost, unsure=unsure)
                await patience.wait(lost, unsure=unsure)

    async def _settle(self, writes: Sequence[Write], mark: int, lost: Failure, *, unsure: bool) -> None:
        """Find out from the documents what became of a commit that was refused, or may have been applied where
        `unsure`: return where it was, raise Conflict where it was not and cannot be, StoreUnavailable where they no
        longer tell."""
        guarded = [write for write in writes if write.is_guarded]
        if len(guarded) == 1 and not unsure:
            raise Conflict(guarded[0].path) from lost
        now = await self._wire.get([write.path for write in (writes if unsure else guarded)])
        if any(isinstance(found.version, Version) and found.version.mark == mark for found in now.values()):
            return
        failed = [write.path for write in guarded if not _holds(write, now)]
        changing = [write for write in guarded if write.data is not None or not write.must_be_absent]
        if not unsure or (failed and any(_holds(write, now) for write in changing)):
            raise Conflict(next(iter(failed), guarded[0].path)) from lost
        raise unavailable(lost, unsure=True) from lost


def _precondition(write: Write) -> Fields | None:
    match write.unchanged_since:
        case None:
            return {"exists": False} if write.must_be_absent else None
        case Snapshot(version=Version(seconds, nanos)):
            return {"update_time": {"seconds": seconds, "nanos": nanos}}
    raise ValueError(f"{write.path}: the snapshot is of another store")


def _holds(write: Write, now: Mapping[str, Snapshot]) -> bool:
    """Whether the precondition of a guarded write holds for the documents as they are `now`."""
    wanted = write.unchanged_since.version if write.unchanged_since else None
    return now[write.path].version == wanted


def _refused_data(failure: Failure) -> StoreError:
    kind = DocumentTooLarge if _TOO_LARGE.search(failure.details() or "") else UnstorableValue
    return kind(f"Firestore refused a document: {failure.details()}")
