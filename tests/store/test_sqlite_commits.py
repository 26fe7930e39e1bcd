"""How the SQLite engine groups commits, and what it does when the disk or another process refuses."""

import asyncio
import resource
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gendei.documents import Query, Write, create, delete, put
from gendei.errors import Conflict, NewerStore, StoreUnavailable
from gendei.store import sqlite_schema
from gendei.store.encoding import encode
from gendei.store.sqlite import SqliteDocuments

NOON = datetime(2026, 9, 7, 12, tzinfo=UTC)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "gendei.db"


@pytest.fixture
async def store(path: Path) -> AsyncIterator[SqliteDocuments]:
    opened = await SqliteDocuments.open(str(path))
    yield opened
    await opened.close()


@contextmanager
def lock(path: Path) -> Iterator[None]:
    """The write lock, held as another process would hold it."""
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()


@contextmanager
def full_disk() -> Iterator[None]:
    """No file of this process may grow: what SQLite sees is a disk that refuses to write."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


async def commit_together(store: SqliteDocuments, path: Path, commits: Sequence[list[Write]]) -> list[object]:
    """The outcomes of commits that wait for the write lock at the same time."""
    with lock(path):
        waiting = [asyncio.ensure_future(store.commit(writes)) for writes in commits]
        await asyncio.sleep(0)  # each has run up to its answer
    return await asyncio.gather(*waiting, return_exceptions=True)


async def test_commits_that_wait_together_share_one_sqlite_commit(store: SqliteDocuments, path: Path) -> None:
    before = store.groups_written
    outcomes = await commit_together(store, path, [[create(f"things/{n}", {"n": n})] for n in range(200)])
    assert outcomes == [None] * 200
    assert store.groups_written - before <= 2  # the one that waited for the lock first may be alone
    found = await store.get_many([f"things/{n}" for n in range(200)])
    assert [snapshot.data for snapshot in found] == [{"n": n} for n in range(200)]


async def test_commits_one_after_another_are_on_disk_one_by_one(store: SqliteDocuments) -> None:
    before = store.groups_written
    for n in range(3):
        await store.commit([put("things/a", {"n": n})])
    assert store.groups_written - before == 3


async def test_a_conflict_in_a_group_is_its_own_callers_alone(store: SqliteDocuments, path: Path) -> None:
    commits = [[create("things/a", {"n": n}), put(f"others/{n}", {})] for n in range(3)] + [[create("things/b", {})]]
    outcomes = await commit_together(store, path, commits)
    assert [type(outcome) for outcome in outcomes] == [type(None), Conflict, Conflict, type(None)]
    found = await store.get_many(["things/a", "things/b", "others/0", "others/1", "others/2"])
    assert [snapshot.data for snapshot in found] == [{"n": 0}, {}, {}, None, None]


async def test_a_group_sees_its_own_earlier_commits(store: SqliteDocuments, path: Path) -> None:
    await store.commit([create("things/a", {"n": 0})])
    read = await store.get("things/a")
    commits = [[put("things/a", {"n": n}, unchanged_since=read)] for n in (1, 2)]
    outcomes = await commit_together(store, path, commits)
    assert [type(outcome) for outcome in outcomes] == [type(None), Conflict]
    assert (await store.get("things/a")).data == {"n": 1}


async def test_a_group_of_conflicts_commits_nothing(store: SqliteDocuments) -> None:
    await store.commit([create("things/a", {})])
    before = store.groups_written
    with pytest.raises(Conflict):
        await store.commit([create("things/a", {})])
    assert store.groups_written == before


async def test_a_lock_that_does_not_come_makes_the_store_unavailable_until_it_does(path: Path) -> None:
    store = await SqliteDocuments.open(str(path), busy_seconds=0.05)
    with lock(path):
        pending = [asyncio.ensure_future(store.commit([create(f"things/{n}", {})])) for n in range(5)]
        outcomes = await asyncio.gather(*pending, return_exceptions=True)
        assert [type(outcome) for outcome in outcomes] == [StoreUnavailable] * 5
        assert not (await store.get("things/0")).exists  # reading goes on
    await store.commit([create("things/0", {})])
    await store.close()


async def test_a_full_disk_fails_the_whole_group_and_leaves_the_store_working(
    store: SqliteDocuments, path: Path
) -> None:
    await store.commit([put("things/a", {"n": 1})])
    with full_disk():
        outcomes = await commit_together(store, path, [[put("things/a", {"n": 2})], [create("things/b", {})]])
    assert [type(outcome) for outcome in outcomes] == [StoreUnavailable, StoreUnavailable]
    assert [snapshot.data for snapshot in await store.get_many(["things/a", "things/b"])] == [{"n": 1}, None]
    await store.commit([put("things/a", {"n": 3})])
    assert (await store.get("things/a")).data == {"n": 3}


async def test_a_commit_whose_caller_went_away_does_not_disturb_the_others(store: SqliteDocuments, path: Path) -> None:
    with lock(path):
        gone, stays = (asyncio.ensure_future(store.commit([put(f"things/{name}", {})])) for name in "ab")
        await asyncio.sleep(0)
        gone.cancel()
    await stays
    assert (await store.get("things/b")).exists


def answered_until_killed(path: Path) -> list[int]:
    """The documents whose commits a process had answered when it was killed in the midst of writing."""
    script = Path(__file__).with_name("writes_forever.py")
    with subprocess.Popen([sys.executable, str(script), str(path)], stdout=subprocess.PIPE, text=True) as writing:
        assert writing.stdout is not None
        answered = [int(writing.stdout.readline()) for _ in range(200)]
        writing.kill()
        return answered + [int(line) for line in writing.stdout if line.endswith("\n")]


async def test_every_answered_commit_survives_a_killed_process(path: Path) -> None:
    answered = answered_until_killed(path)
    store = await SqliteDocuments.open(str(path))
    for collection in ("things", "copies"):
        found = await store.get_many([f"{collection}/{number}" for number in answered])
        assert [snapshot.data for snapshot in found] == [{"n": number} for number in answered]
    await store.close()


async def test_a_file_that_cannot_be_opened_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable):
        await SqliteDocuments.open(str(tmp_path / "missing" / "gendei.db"))


@pytest.fixture
def no_database(path: Path) -> Path:
    path.write_bytes(b"no database " * 1000)
    return path


async def test_a_file_that_is_no_database_is_unavailable(no_database: Path) -> None:
    with pytest.raises(StoreUnavailable):
        await SqliteDocuments.open(str(no_database))


async def test_a_file_of_a_later_format_is_refused_and_left_alone(path: Path) -> None:
    await (await SqliteDocuments.open(str(path))).close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 3")
    connection.close()
    with pytest.raises(NewerStore, match="of version 3"):
        await SqliteDocuments.open(str(path))


async def test_a_file_of_an_earlier_format_is_brought_forward_with_what_it_holds(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await SqliteDocuments.open(str(path))
    await first.commit([create("things/a", {"n": 1})])
    await first.close()
    monkeypatch.setattr(sqlite_schema, "_FORMATS", (*sqlite_schema._FORMATS, ("CREATE TABLE added (n INTEGER)",)))
    monkeypatch.setattr(sqlite_schema, "FORMAT", 3)
    for _ in range(2):
        later = await SqliteDocuments.open(str(path))
        assert (await later.get("things/a")).data == {"n": 1}
        await later.close()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (3,)


@pytest.fixture
def of_format_1(path: Path) -> Path:
    """A file of the format before `indexed`, with an index of its time and one outbox entry."""
    with closing(sqlite3.connect(path)) as connection:
        for statement in (*sqlite_schema._FORMATS[0], "PRAGMA user_version = 1"):
            connection.execute(statement)
        connection.execute(
            'CREATE INDEX "declared gendei_outbox: open, dueAt" ON documents (collection, '
            "json_extract(data, '$.open'), json_extract(data, '$.dueAt'), id) WHERE collection_group = 'gendei_outbox'"
        )
        connection.execute(
            "INSERT INTO documents (collection, id, collection_group, version, data) "
            "VALUES ('gendei_outbox', 'a', 'gendei_outbox', 1, ?)",
            (encode("", {"open": True, "dueAt": NOON, "author": "bot"}),),
        )
        connection.commit()
    return path


OPEN = Query("gendei_outbox", (("open", "==", True), ("dueAt", "<=", NOON)))


async def test_what_a_file_without_indexed_fields_held_is_found_by_them(of_format_1: Path) -> None:
    store = await SqliteDocuments.open(str(of_format_1))
    (found,) = await store.query(OPEN)
    await store.commit([put(found.path, {**(found.data or {}), "author": "staff"}, unchanged_since=found)])
    assert [(each.id, (each.data or {})["author"]) for each in await store.query(OPEN)] == [("a", "staff")]
    await store.close()


async def test_a_process_of_the_format_before_cannot_write_any_more(of_format_1: Path) -> None:
    store = await SqliteDocuments.open(str(of_format_1))
    with closing(sqlite3.connect(of_format_1)) as connection, pytest.raises(sqlite3.OperationalError, match="latest"):
        connection.execute("UPDATE latest SET version = version + 1 RETURNING version")  # its every commit begins so
    await store.close()


async def test_who_declares_other_indexes_keeps_a_process_that_does_not_from_writing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = await SqliteDocuments.open(str(path))
    monkeypatch.setattr(sqlite_schema, "FIELDS", "others")
    after = await SqliteDocuments.open(str(path))
    with pytest.raises(StoreUnavailable, match="another version"):
        await before.commit([create("things/a", {"n": 1})])
    await before.close()
    await after.close()


async def test_a_write_that_changes_an_indexed_field_is_found_by_its_new_value(store: SqliteDocuments) -> None:
    path, due = "gendei_outbox/a", {"open": True, "dueAt": NOON, "author": "bot"}
    await store.commit([create(path, due)])
    await store.commit([put(path, {**due, "author": "staff"})])
    assert [found.data for found in await store.query(OPEN)] == [{**due, "author": "staff"}]
    await store.commit([put(path, {**due, "open": False})])
    assert await store.query(OPEN) == []
    await asyncio.gather(store.commit([delete(path)]), store.commit([create(path, due)]))
    assert [found.data for found in await store.query(OPEN)] == [due]


async def test_closing_twice_is_closing_once(store: SqliteDocuments) -> None:
    await store.close()
    await store.close()
