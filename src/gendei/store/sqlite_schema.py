"""The file: how connections are opened, and the one table with its indexes."""

import json
import sqlite3
import time
from collections.abc import Iterable

from gendei.documents import INDEXES
from gendei.errors import NewerStore
from gendei.store.sqlite_query import INDEXED, create_index, fill_indexed, index_name

_LOG_BYTES = 64 * 1024 * 1024
_LOG_PAGES = 4000
"""Pages in the log before they are brought home: the busy ones are then copied once for many changes."""
_CACHE_KIB = 16_000
_FORMATS = (
    (
        # A table with a rowid: conversations are many pages long, and long rows make a poor clustered index.
        "CREATE TABLE documents ("
        "collection TEXT NOT NULL, id TEXT NOT NULL, collection_group TEXT NOT NULL, version INTEGER NOT NULL, "
        "data TEXT NOT NULL, PRIMARY KEY (collection, id))",
        # The last version given out, counted for the whole file: a document deleted and made again gets a new one.
        "CREATE TABLE latest (version INTEGER NOT NULL)",
        "INSERT INTO latest VALUES (0)",
    ),
    (
        "ALTER TABLE documents ADD COLUMN indexed TEXT NOT NULL DEFAULT ''",
        # A new name for `latest`: a process that still writes the format before, so no `indexed`, is refused.
        "CREATE TABLE newest (version INTEGER NOT NULL, fields TEXT NOT NULL)",
        "INSERT INTO newest SELECT version, '' FROM latest",
        "DROP TABLE latest",
    ),
)
"""What makes a file of each format from one of the format before; the first from an empty one. `PRAGMA user_version`
tells how many of them a file has seen. What the documents hold has a version of its own: see gendei.store.schema."""
FORMAT = len(_FORMATS)
"""Of the files that this code reads and writes."""
FIELDS = json.dumps(INDEXED)
"""What `documents.indexed` holds; in `newest` stands whose code opened the file last."""


def connect(target: str, *, busy_seconds: float) -> sqlite3.Connection:
    """A connection without implicit transactions, for use by one thread at a time; `target` is a path or file: URI.

    It waits up to `busy_seconds` for locks of other connections, then raises sqlite3.OperationalError.
    """
    return sqlite3.connect(
        target,
        timeout=busy_seconds,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=256,
        uri=target.startswith("file:"),
    )


def prepare(connection: sqlite3.Connection, *, busy_seconds: float) -> None:
    """Make `connection` the writing one and the file ready: write-ahead log, tables of the newest format, exactly the
    declared indexes. Raises NewerStore."""
    _use_write_ahead_log(connection, busy_seconds)
    connection.execute("PRAGMA synchronous = FULL")  # an answered commit survives a loss of power
    connection.execute(f"PRAGMA journal_size_limit = {_LOG_BYTES}")
    connection.execute(f"PRAGMA wal_autocheckpoint = {_LOG_PAGES}")
    connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
    connection.execute("BEGIN IMMEDIATE")
    try:
        (file_format,) = connection.execute("PRAGMA user_version").fetchone()
        if file_format > FORMAT:
            raise NewerStore(file_format, FORMAT)
        for number, statements in enumerate(_FORMATS[file_format:], file_format + 1):
            _run(connection, (*statements, f"PRAGMA user_version = {number}"))
        _declare_indexes(connection)
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _use_write_ahead_log(connection: sqlite3.Connection, busy_seconds: float) -> None:
    """The switch needs the file alone for a moment, and SQLite does not wait for that by itself."""
    deadline = time.monotonic() + busy_seconds
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
        time.sleep(0.01)


def _declare_indexes(connection: sqlite3.Connection) -> None:
    rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND name LIKE 'declared %'")
    present, declared = set(rows.fetchall()), [(index_name(index), create_index(index)) for index in INDEXES]
    ((fields,),) = connection.execute("SELECT fields FROM newest").fetchall()
    kept = present.intersection(declared) if fields == FIELDS else set()
    _run(connection, (f'DROP INDEX "{name}"' for name, _ in present - kept))
    if fields != FIELDS:
        connection.execute(fill_indexed())
        connection.execute("UPDATE newest SET fields = ?", (FIELDS,))
    _run(connection, (statement for name, statement in declared if (name, statement) not in kept))


def _run(connection: sqlite3.Connection, statements: Iterable[str]) -> None:
    for statement in statements:
        connection.execute(statement)
