"""The one thread that writes to the file, and groups what is waiting into one SQLite transaction.

A burst of commits so shares one fsync. Preconditions are judged in Python, against the versions of the touched
documents, and a group is then written by a handful of statements: each statement gives up the interpreter lock once,
and getting it back from a busy event loop is what costs a thread most.
"""

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from itertools import chain
from queue import Empty, SimpleQueue
from typing import NamedTuple

from gendei.errors import Conflict, StoreUnavailable
from gendei.store.paths import Key
from gendei.store.sqlite_keys import FOUND, looked_up, placeholders, portions, wanted
from gendei.store.sqlite_schema import FIELDS, connect, prepare

_NEXT = "UPDATE newest SET version = version + 1 RETURNING version, fields"
_ONE = "SELECT version, indexed FROM documents WHERE collection = ? AND id = ?"
POLL_SECONDS = 0.1
"""How often the file is asked for other processes' commits while somebody watches."""


Text = tuple[str, str]
"""Of a document: its data, and the fields of it that indexes are over."""


class EncodedWrite(NamedTuple):
    """One write, encoded: `text` None deletes; `must_be` is the version required, 0 for absent, None for any."""

    key: Key
    text: Text | None
    must_be: int | None


class Commit(NamedTuple):
    changes: Sequence[EncodedWrite]
    done: "asyncio.Future[None]"


Answer = tuple["asyncio.Future[None]", Exception | None]
Notice = Callable[[set[str] | None], None]
"""Called in the loop's thread with the collection paths that changed; None where another process changed some."""


class Writer:
    """Takes commits from one event loop. `groups` counts the SQLite commits so far."""

    def __init__(self, target: str, *, busy_seconds: float, notice: Notice) -> None:
        self.groups = 0
        self._target = target
        self._busy_seconds = busy_seconds
        self._notice = notice
        self._loop = asyncio.get_running_loop()
        self._queue: SimpleQueue[Commit | None] = SimpleQueue()
        self._polling = False
        self._stopping = False
        self._ready: asyncio.Future[None] = self._loop.create_future()
        self._stopped: asyncio.Future[None] = self._loop.create_future()
        self._thread = threading.Thread(target=self._run, name="gendei-writer", daemon=True)

    async def start(self) -> None:
        """Open the file, made where it is missing. Raises StoreUnavailable or StoreError."""
        self._thread.start()
        await self._ready

    def submit(self, commit: Commit) -> None:
        self._queue.put(commit)

    def poll(self, wanted: bool) -> None:
        """Look for other processes' commits from now on, or no longer."""
        self._polling = wanted
        self._queue.put(None)

    async def stop(self) -> None:
        """Commit all that was submitted, then close the file."""
        self._stopping = True
        self._queue.put(None)
        await self._stopped
        self._thread.join()

    def _run(self) -> None:
        try:
            connection = connect(self._target, busy_seconds=self._busy_seconds)
            prepare(connection, busy_seconds=self._busy_seconds)
        except Exception as error:  # noqa: BLE001  it is told to whoever opens the store
            self._call(_settle, [(self._ready, _unavailable(error) if isinstance(error, sqlite3.Error) else error)])
            return
        self._call(_settle, [(self._ready, None)])
        seen = None
        while not (self._stopping and self._queue.empty()):
            with suppress(Empty):
                if first := self._queue.get(timeout=POLL_SECONDS if self._polling else None):
                    self._serve(connection, first)
            if self._polling:
                seen = self._look_around(connection, seen)
        connection.close()
        self._call(_settle, [(self._stopped, None)])

    def _look_around(self, connection: sqlite3.Connection, seen: int | None) -> int | None:
        """Give notice when another connection, so here another process, has committed since the last look.

        This connection's own commits leave its data_version alone. The first look gives notice too, for whatever
        was committed between it and the first result of the watch.
        """
        try:
            ((version,),) = connection.execute("PRAGMA data_version").fetchall()
        except sqlite3.Error:  # locked or unreadable just now: the next look will tell
            return seen
        if version != seen:
            self._call(self._notice, None)
        return int(version)

    def _serve(self, connection: sqlite3.Connection, first: Commit) -> None:
        """Commit `first` and all that is waiting once the write lock is held, and answer each."""
        group = [first]
        changed: set[str] = set()
        try:
            try:
                connection.execute("BEGIN IMMEDIATE")
            finally:
                group += self._waiting()  # they fail together too: one lock that does not come would keep all of them
            answers, changed = self._write(connection, group)
        except Exception as error:  # noqa: BLE001  the thread outlives every failure, and each caller hears of it
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            answers = [(commit.done, _unavailable(error)) for commit in group]
        self._call(self._answer, answers, changed)

    def _waiting(self) -> list[Commit]:
        waiting: list[Commit] = []
        with suppress(Empty):
            while True:
                if commit := self._queue.get_nowait():
                    waiting.append(commit)
        return waiting

    def _write(self, connection: sqlite3.Connection, group: list[Commit]) -> tuple[list[Answer], set[str]]:
        stored = _stored(connection, list({change.key for commit in group for change in commit.changes}))
        versions = {key: version for key, (version, _) in stored.items()}
        ((version, fields),) = connection.execute(_NEXT).fetchall()
        if fields != FIELDS:
            raise StoreUnavailable("another version of Gendei has opened the database; start this one anew")
        answers: list[Answer] = []
        outcome: dict[Key, Text | None] = {}
        for commit in group:
            if lost := next((change for change in commit.changes if _fails(change, versions)), None):
                answers.append((commit.done, Conflict("/".join(lost.key))))
                continue
            for change in commit.changes:
                outcome[change.key] = change.text
                versions[change.key] = 0 if change.text is None else version
            answers.append((commit.done, None))
        _apply(connection, outcome, version, {key: indexed for key, (_, indexed) in stored.items()})
        if outcome:
            connection.execute("COMMIT")
            self.groups += 1
        else:
            connection.execute("ROLLBACK")
        return answers, {collection for collection, _ in outcome}

    def _answer(self, answers: list[Answer], changed: set[str]) -> None:
        _settle(answers)
        if changed:
            self._notice(changed)

    def _call(self, function: Callable[..., None], *arguments: object) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody is left to hear it
            self._loop.call_soon_threadsafe(function, *arguments)


def _settle(answers: list[Answer]) -> None:
    for future, error in answers:
        if future.done():  # its caller was cancelled
            continue
        if error is None:
            future.set_result(None)
        else:
            future.set_exception(error)


def _unavailable(error: Exception) -> StoreUnavailable:
    unavailable = StoreUnavailable(f"the database cannot be written now: {error}")
    unavailable.__cause__ = error
    return unavailable


def _fails(change: EncodedWrite, versions: dict[Key, int]) -> bool:
    return change.must_be is not None and versions.get(change.key, 0) != change.must_be


def _stored(connection: sqlite3.Connection, keys: list[Key]) -> dict[Key, tuple[int, str]]:
    """Version and indexed fields of those documents that exist."""
    found: dict[Key, tuple[int, str]] = {}
    if len(keys) == 1:  # the ordinary commit, by the cheapest statement
        row = connection.execute(_ONE, keys[0]).fetchone()
        return found if row is None else {keys[0]: row}
    for asked, parts in looked_up(keys):
        rows = connection.execute(f"{asked} SELECT collection, id, version, indexed {FOUND}", parts)
        found.update({(collection, name): (version, indexed) for collection, name, version, indexed in rows})
    return found


def _apply(
    connection: sqlite3.Connection, outcome: dict[Key, Text | None], version: int, indexed: dict[Key, str]
) -> None:
    """`indexed`: those fields of what exists. Where they stay, no index is touched, which is most of a write's time."""
    puts = [(key, text) for key, text in outcome.items() if text is not None]
    for some in portions([(*key, text[0]) for key, text in puts if indexed.get(key) == text[1]]):
        connection.execute(_update(len(some)), [*chain.from_iterable(some), version])
    others = [
        (collection, name, collection.rpartition("/")[2], version, *text)
        for (collection, name), text in puts
        if indexed.get((collection, name)) != text[1]
    ]
    for rows in portions(others):
        connection.execute(_upsert(len(rows)), list(chain.from_iterable(rows)))
    for some_keys in portions([key for key, text in outcome.items() if text is None]):
        connection.execute(
            f"{wanted(len(some_keys))} DELETE FROM documents WHERE rowid IN (SELECT documents.rowid {FOUND})",  # noqa: S608  nothing but placeholders
            [part for key in some_keys for part in key],
        )


@cache
def _update(count: int) -> str:
    # INDEXED BY: each is looked up by its key, however large the table is
    return (
        f"WITH changed (of_collection, of_id, new) AS (VALUES {placeholders(3, count)}) "  # noqa: S608  nothing but placeholders
        "UPDATE documents INDEXED BY sqlite_autoindex_documents_1 SET version = ?, data = new FROM changed "
        "WHERE collection = of_collection AND id = of_id"
    )


@cache
def _upsert(count: int) -> str:
    return (
        "INSERT INTO documents (collection, id, collection_group, version, data, indexed) "  # noqa: S608  as above
        f"VALUES {placeholders(6, count)} ON CONFLICT (collection, id) "
        "DO UPDATE SET version = excluded.version, data = excluded.data, indexed = excluded.indexed"
    )
