"""Documents in one SQLite file: the embedded default, and in memory the store of tests.

Commits go to one writer thread. Reads by key and short queries run on a connection of the event loop's own thread:
in write-ahead mode a reader never waits for the writer, and a read takes less time than a change of threads would.
What turns out to take longer is broken off and done again by a reading thread.
"""

import asyncio
import math
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager, nullcontext, suppress
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import TypeVar

from gendei.documents import Query, Snapshot, Write
from gendei.errors import StoreUnavailable
from gendei.store.encoding import decode, encode_with
from gendei.store.paths import Key, locate
from gendei.store.sqlite_keys import FOUND, looked_up
from gendei.store.sqlite_place import keep_private
from gendei.store.sqlite_query import INDEXED, select
from gendei.store.sqlite_schema import connect
from gendei.store.sqlite_writer import Commit, EncodedWrite, Writer
from gendei.store.watches import QueryWatch

T = TypeVar("T")
Row = tuple[str, str, int, str]
"""Collection, id, version and text of a document."""
_LOOP_SECONDS = 0.002
"""How long a read may hold the event loop."""
_STEPS_BETWEEN_LOOKS = 500
"""Steps of SQLite's machine between two looks at the clock: some microseconds."""
_GET = "SELECT version, data FROM documents WHERE collection = ? AND id = ?"
_memory_names = count(1)


class SqliteDocuments:
    """The `Documents` of one file, for one event loop; several processes may use the file. Make it with `open`."""

    def __init__(self, target: str, busy_seconds: float) -> None:
        self._writer = Writer(target, busy_seconds=busy_seconds, notice=self._notice)
        self._inline = connect(target, busy_seconds=0)
        self._patient = connect(target, busy_seconds=busy_seconds)
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="gendei-reader")
        self._watches: set[QueryWatch] = set()
        self._loop = asyncio.get_running_loop()
        self._read_until = 0.0
        self._closed = False
        self._inline.set_progress_handler(self._too_long, _STEPS_BETWEEN_LOOKS)

    @classmethod
    async def open(cls, path: str, *, busy_seconds: float = 5) -> "SqliteDocuments":
        """Open the file at `path`, made where it is missing, or an own database in memory for ":memory:". Nobody but
        its owner can read the file, whatever the umask is and however it was.

        `busy_seconds`: how long a commit waits for other processes' before StoreUnavailable. Raises
        StoreUnavailable where the file cannot be opened, NewerStore where it is of a later format.
        """
        target = f"file:/gendei-{next(_memory_names)}?vfs=memdb" if path == ":memory:" else path
        try:
            if not target.startswith("file:"):
                keep_private(Path(target))
            store = cls(target, busy_seconds)
        except (sqlite3.Error, OSError) as error:
            raise StoreUnavailable(f"the database {path} cannot be opened: {error}") from error
        try:
            await store._writer.start()
        except BaseException:
            store._close_readers()
            raise
        return store

    @property
    def groups_written(self) -> int:
        """How many SQLite commits have been made: fewer than the commits asked for, when those came in bursts."""
        return self._writer.groups

    async def get(self, path: str) -> Snapshot:
        key = locate(path)
        return await self._read(lambda connection: _fetch(connection, path, key))

    async def get_many(self, paths: Sequence[str]) -> list[Snapshot]:
        if len(paths) == 1:
            return [await self.get(paths[0])]
        keys = [locate(path) for path in paths]
        found = await self._read(lambda connection: _found(connection, keys))
        return [found.get(key) or Snapshot(path, None) for path, key in zip(paths, keys, strict=True)]

    async def query(self, query: Query) -> list[Snapshot]:
        sql, parameters = select(query)
        rows: list[Row] = await self._read(lambda connection: connection.execute(sql, parameters).fetchall())
        return [_snapshot(row) for row in rows]

    async def commit(self, writes: Sequence[Write]) -> None:
        self._require_open()
        changes = [_change(write) for write in writes]
        if len({change.key for change in changes}) < len(changes):
            raise ValueError("a commit writes each document once")
        if changes:
            done: asyncio.Future[None] = self._loop.create_future()
            self._writer.submit(Commit(changes, done))
            await done

    @asynccontextmanager
    async def watch(self, query: Query) -> AsyncIterator[AsyncIterator[list[Snapshot]]]:
        self._require_open()
        known: dict[tuple[str, str, int], Snapshot] = {}
        sql, parameters = select(query, "collection, id, version")

        def look(connection: sqlite3.Connection) -> dict[tuple[str, str, int], Snapshot]:
            with _one_moment(connection):
                found = connection.execute(sql, parameters).fetchall()
                return {row: known.get(row) or _fetch(connection, "/".join(row[:2]), row[:2]) for row in found}

        async def ask(_: Query) -> list[Snapshot]:
            """As `query`, but only what changed is read and decoded."""
            nonlocal known
            known = await self._read(look)
            return list(known.values())

        watch = QueryWatch(query, ask)
        watch.look_again()
        self._watches.add(watch)
        self._writer.poll(True)
        try:
            yield watch
        finally:
            self._watches.discard(watch)
            self._writer.poll(bool(self._watches))

    async def close(self) -> None:
        """Finish the commits that were asked for, then close; every later call raises StoreUnavailable."""
        if self._closed:
            return
        self._closed = True
        for watch in self._watches:
            watch.fail(StoreUnavailable("the store is closed"))
        await self._loop.run_in_executor(self._reader, int)  # behind the reads that are under way
        self._close_readers()
        await self._writer.stop()

    def _close_readers(self) -> None:
        self._reader.shutdown()
        self._patient.close()
        self._inline.close()

    def _notice(self, collections: set[str] | None) -> None:
        for watch in self._watches:
            if watch.concerns(collections):
                watch.look_again()

    def _require_open(self) -> None:
        if self._closed:
            raise StoreUnavailable("the store is closed")

    def _too_long(self) -> bool:
        return perf_counter() > self._read_until

    async def _read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        self._require_open()
        self._read_until = perf_counter() + _LOOP_SECONDS
        try:
            with suppress(sqlite3.OperationalError):
                return work(self._inline)
            self._let_go()
            return await self._loop.run_in_executor(self._reader, work, self._patient)
        except sqlite3.Error as error:
            raise StoreUnavailable(f"the database cannot be read now: {error}") from error

    def _let_go(self) -> None:
        """End the transaction of a read that was broken off at its own COMMIT: it would keep showing this moment."""
        if self._inline.in_transaction:
            self._read_until = math.inf
            self._inline.rollback()


@contextmanager
def _one_moment(connection: sqlite3.Connection) -> Iterator[None]:
    """What is read inside is of one moment."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.execute("COMMIT")


def _snapshot(row: Row) -> Snapshot:
    collection, name, version, data = row
    return Snapshot(f"{collection}/{name}", decode(data), version)


def _change(write: Write) -> EncodedWrite:
    key = locate(write.path)
    text = None
    if write.data is not None:
        fields = INDEXED.get(key[0].rpartition("/")[2], ())
        text = encode_with(write.path, write.data, fields)
    if write.must_be_absent:
        return EncodedWrite(key, text, 0)
    if write.unchanged_since is None:
        return EncodedWrite(key, text, None)
    version = write.unchanged_since.version
    if not isinstance(version, int):
        raise ValueError(f"{write.path}: the snapshot is of another store")
    return EncodedWrite(key, text, version)


def _found(connection: sqlite3.Connection, keys: Sequence[Key]) -> dict[Key, Snapshot]:
    """Those that exist, of one moment."""
    statements = [(f"{asked} SELECT collection, id, version, data {FOUND}", parts) for asked, parts in looked_up(keys)]
    with _one_moment(connection) if len(statements) > 1 else nullcontext():
        rows = [row for sql, parts in statements for row in connection.execute(sql, parts).fetchall()]
    return {row[:2]: _snapshot(row) for row in rows}


def _fetch(connection: sqlite3.Connection, path: str, key: Key) -> Snapshot:
    row = connection.execute(_GET, key).fetchone()
    return Snapshot(path, None) if row is None else Snapshot(path, decode(row[1]), row[0])
