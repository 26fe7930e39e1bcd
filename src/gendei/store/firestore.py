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
from typing import Any

from google.cloud.firestore_v1 import types

from gendei.documents import Query, Snapshot, Write
from gendei.errors import Conflict, DocumentTooLarge, StoreError, StoreUnavailable, UnstorableValue
from gendei.store.encoding import encode
from gendei.store.firestore_query import parent_of, structured
from gendei.store.firestore_values import Version, data_of, document, mark_of, version_of
from gendei.store.firestore_watch import Watch
from gendei.store.firestore_wire import UNKNOWN, Code, Failure, Patience, Wire, unavailable
from gendei.store.paths import locate

_Write, _Precondition = types.Write.pb(), types.Precondition.pb()
_LOST = frozenset({Code.ALREADY_EXISTS, Code.FAILED_PRECONDITION, Code.NOT_FOUND})
_TOO_LARGE = re.compile("longer than|too large|exceed|maximum", re.IGNORECASE)


class FirestoreDocuments:
    """The `Documents` of one Firestore database, for one event loop. Make it with `open`."""

    def __init__(self, wire: Wire, patience_seconds: float) -> None:
        self._wire = wire
        self._seconds = patience_seconds
        self._watches: set[Watch] = set()
        self._running = 0
        self._idle = asyncio.Event()
        self._idle.set()
        self._closed = False

    @classmethod
    async def open(
        cls, project: str, *, database: str = "(default)", emulator: str | None = None, patience_seconds: float = 10
    ) -> "FirestoreDocuments":
        """Reach the database of a project, with the application's default credentials, or an emulator's at
        "host:port". `patience_seconds`: how long each call goes on trying before StoreUnavailable. Raises
        StoreUnavailable where the database cannot be reached, StoreError where it is missing or closed to us.
        """
        store = cls(Wire.connect(project, database, emulator), patience_seconds)
        try:
            await store.get("gendei_clinics/-")
        except BaseException:
            await store.close()
            raise
        return store

    async def get(self, path: str) -> Snapshot:
        return (await self.get_many([path]))[0]

    async def get_many(self, paths: Sequence[str]) -> list[Snapshot]:
        with self._work():
            for path in paths:
                locate(path)
            found = await self._wire.get(list(dict.fromkeys(paths)), self._patience()) if paths else {}
            return [_snapshot(path, found.get(path)) for path in paths]

    async def query(self, query: Query) -> list[Snapshot]:
        with self._work():
            asked = structured(query, self._wire.root)
            if asked is None:
                return []
            found = await self._wire.query(parent_of(query, self._wire.root), asked, self._patience())
            return [_snapshot(self._wire.path_of(one.name), one) for one in found]

    async def commit(self, writes: Sequence[Write]) -> None:
        with self._work():
            mark = random.getrandbits(63)
            changes = [self._change(write, mark) for write in writes]
            if len({write.path for write in writes}) < len(writes):
                raise ValueError("a commit writes each document once")
            if changes:
                await self._apply(writes, changes, mark)

    @asynccontextmanager
    async def watch(self, query: Query) -> AsyncIterator[AsyncIterator[list[Snapshot]]]:
        self._require_open()
        watch = Watch(query, self._wire, self._seconds)
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
        await self._idle.wait()
        await self._wire.close()

    def _require_open(self) -> None:
        if self._closed:
            raise StoreUnavailable("the store is closed")

    @contextmanager
    def _work(self) -> Iterator[None]:
        """A call that `close` waits for."""
        self._require_open()
        self._running += 1
        self._idle.clear()
        try:
            yield
        finally:
            self._running -= 1
            if not self._running:
                self._idle.set()

    def _patience(self) -> Patience:
        return Patience(self._seconds)

    def _change(self, write: Write, mark: int) -> Any:
        """The write in Firestore's form. Raises as `encode` does."""
        locate(write.path)
        name = f"{self._wire.root}/{write.path}"
        required = None
        if write.must_be_absent:
            required = _Precondition(exists=False)
        elif write.unchanged_since is not None:
            seconds, nanos = _version_read(write)
            required = _Precondition(update_time={"seconds": seconds, "nanos": nanos})
        if write.data is None:
            return _Write(delete=name, current_document=required)
        encode(write.path, write.data)
        return _Write(update=document(name, write.data, mark), current_document=required)

    async def _apply(self, writes: Sequence[Write], changes: list[Any], mark: int) -> None:
        """Send the commit, again where that is safe: after an unknown outcome a repetition does nothing to what the
        first one wrote if there is a precondition, since the mark has changed what it asks for."""
        patience = self._patience()
        guarded = any(map(_is_guarded, writes))
        unsure = False
        while True:
            try:
                return await self._wire.commit(changes, patience)
            except Failure as failure:
                lost = failure
            code = lost.code()
            if code == Code.INVALID_ARGUMENT:
                raise _refused_data(lost) from lost
            if code in _LOST and guarded and not unsure:
                raise Conflict(await self._failed(writes)) from lost
            unsure = unsure or code in UNKNOWN
            if code in _LOST or (unsure and not guarded):
                return await self._settle(writes, mark, lost)
            await patience.wait(lost, unsure=unsure)

    async def _failed(self, writes: Sequence[Write]) -> str:
        """The path of the first write whose precondition does not hold."""
        guarded = [write for write in writes if _is_guarded(write)]
        if len(guarded) > 1:
            now = await self._wire.get([write.path for write in guarded], self._patience())
            return next((write.path for write in guarded if not _holds(write, now)), guarded[0].path)
        return guarded[0].path

    async def _settle(self, writes: Sequence[Write], mark: int, lost: Failure) -> None:
        """Find out from the documents whether a commit was applied: return where it was, raise Conflict where it was
        not and cannot be, StoreUnavailable where they no longer tell."""
        now = await self._wire.get([write.path for write in writes], self._patience())
        if any(mark_of(found) == mark for found in now.values()):
            return
        guarded = [write for write in writes if _is_guarded(write)]
        failed = [write.path for write in guarded if not _holds(write, now)]
        changing = [write for write in guarded if write.data is not None or write.unchanged_since is not None]
        if failed and any(_holds(write, now) for write in changing):
            raise Conflict(failed[0]) from lost
        raise unavailable(lost, unsure=True) from lost


def _snapshot(path: str, found: Any | None) -> Snapshot:
    return Snapshot(path, None) if found is None else Snapshot(path, data_of(found), version_of(found))


def _is_guarded(write: Write) -> bool:
    return write.must_be_absent or write.unchanged_since is not None


def _holds(write: Write, now: Mapping[str, Any]) -> bool:
    """Whether the precondition of a guarded write holds for the documents as they are `now`."""
    found = now.get(write.path)
    if write.must_be_absent:
        return found is None
    return found is not None and version_of(found) == _version_read(write)


def _version_read(write: Write) -> Version:
    match write.unchanged_since:
        case Snapshot(version=(int(seconds), int(nanos))):
            return seconds, nanos
    raise ValueError(f"{write.path}: the snapshot is of another store")


def _refused_data(failure: Failure) -> StoreError:
    kind = DocumentTooLarge if _TOO_LARGE.search(failure.details() or "") else UnstorableValue
    return kind(f"Firestore refused a document: {failure.details()}")
