"""Copies of a SQLite database, made while it is in use, and the way back."""

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from gendei.errors import NewerStore, StoreError
from gendei.store.encoding import decode
from gendei.store.paths import locate
from gendei.store.schema import FIRST, MIGRATIONS, SCHEMA
from gendei.store.sqlite_schema import FORMAT

_BUSY_SECONDS = 5.0
_ONLY_OURS = 0o600
"""A database holds what patients wrote."""


class CopyRefused(StoreError):
    """The copy was not made, and nothing was changed."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What a database file holds: its size in bytes, the version of its documents, and how many there are of each
    kind, by the name of their collection."""

    size: int
    version: int
    counts: Mapping[str, int]


def back_up(database: Path, target: Path) -> Contents:
    """Copy a database, in use or not, to a new file: one moment of it, whole. Raises CopyRefused where `target` exists,
    where there is no database, or where its copy is damaged."""
    _require_new(target, "Name a file that does not exist yet.")
    if not database.is_file():
        raise CopyRefused(f"{database} does not exist. Set GENDEI_DATABASE to the database that is to be copied.")
    with _beside(target) as copy:
        _copy(database, copy)
        contents = inspect(copy)
        try:
            os.link(copy, target)  # fails where somebody made the file meanwhile; a rename would replace it
        except FileExistsError:
            _require_new(target, "Name a file that does not exist yet.")
    _flush(target.parent)
    return contents


def restore(source: Path, database: Path, *, replace: bool) -> Contents:
    """Put a copy of `source` in the place of the database. Raises CopyRefused where there is one already and `replace`
    is not wanted, or a process has it open, or `source` is damaged or none of ours; NewerStore where it is of a
    version that this one does not know."""
    if not source.is_file():
        raise CopyRefused(f"{source} does not exist.")
    if not replace:
        _require_new(database, "Add --replace to lose what it holds.")
    inspect(source)
    with _beside(database) as copy:
        _copy(source, copy)
        contents = inspect(copy)
        if database.exists():
            _require_unused(database)
        for ending in ("-wal", "-shm"):  # of a database that is gone: SQLite would play them into the new one
            database.with_name(database.name + ending).unlink(missing_ok=True)
        copy.replace(database)
    _flush(database.parent)
    return contents


def inspect(database: Path) -> Contents:
    """Read a whole database, every page and index of it. Raises CopyRefused where it is damaged or none of ours, and
    NewerStore where this version does not know it."""
    try:
        with closing(_connect(database, "ro")) as connection:
            problems = [text for (text,) in connection.execute("PRAGMA integrity_check(3)")]
            if problems != ["ok"]:
                _refuse(database, "; ".join(problems))
            (file_format,) = connection.execute("PRAGMA user_version").fetchone()
            if file_format == 0:
                raise CopyRefused(f"{database} is no database of Gendei's.")
            if file_format > FORMAT:
                raise NewerStore(file_format, FORMAT)
            rows = connection.execute("SELECT collection_group, count(*) FROM documents GROUP BY 1 ORDER BY 1")
            counts = {collection: count for collection, count in rows if collection != SCHEMA.partition("/")[0]}
            return Contents(database.stat().st_size, _version(connection), counts)
    except sqlite3.DatabaseError as error:
        _refuse(database, str(error), error)


def _version(connection: sqlite3.Connection) -> int:
    row = connection.execute("SELECT data FROM documents WHERE collection = ? AND id = ?", locate(SCHEMA)).fetchone()
    version = FIRST if row is None else int(decode(row[0])["version"])
    if version > MIGRATIONS[-1].to:
        raise NewerStore(version, MIGRATIONS[-1].to)
    return version


def _copy(source: Path, target: Path) -> None:
    """All of `source`, with what stands in its log only, as one file. Writers of `source` are not held up."""
    try:
        with closing(_connect(source, "ro")) as reading, closing(sqlite3.connect(target)) as writing:
            reading.backup(writing)
            writing.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        _refuse(source, str(error), error)
    with target.open("rb") as file:
        os.fsync(file.fileno())


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True, timeout=_BUSY_SECONDS)


@contextmanager
def _beside(target: Path) -> Iterator[Path]:
    """An own, empty file in the folder of `target`, gone afterwards unless it was moved."""
    path = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _ONLY_OURS))
    except OSError as error:
        raise CopyRefused(
            f"{path.parent} cannot be written to: {error.strerror}. Name a file in a folder that exists and is yours."
        ) from error
    try:
        yield path
    finally:
        path.unlink(missing_ok=True)


def _require_new(path: Path, remedy: str) -> None:
    if path.exists():
        raise CopyRefused(f"{path} exists already. {remedy}")


def _require_unused(database: Path) -> None:
    """Leaving the write-ahead log needs the file alone, which every process that has it open prevents."""
    try:
        with closing(_connect(database, "rw")) as connection:
            connection.execute("PRAGMA busy_timeout = 0")
            connection.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
            raise CopyRefused(f"{database} is in use. Stop every `gendei serve` on it first.") from error
    except sqlite3.DatabaseError:
        return  # damaged beyond use, which is why it is replaced


def _refuse(path: Path, problem: str, cause: Exception | None = None) -> NoReturn:
    raise CopyRefused(f"{path} cannot be used: {problem}.") from cause


def _flush(folder: Path) -> None:
    """Make the new name last through a loss of power."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
