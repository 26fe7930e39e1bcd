"""A database is copied while it is in use, and put back; nothing is overwritten, and nothing unusable put back."""

import asyncio
import json
import os
import sqlite3
import stat
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest
from tests.cli.conftest import AURORA, BROMELIA, Gendei

from gendei.documents import Query, create, put
from gendei.errors import NewerStore
from gendei.store.schema import MIGRATIONS, SCHEMA
from gendei.store.sqlite import SqliteDocuments
from gendei.store.sqlite_backup import CopyRefused, back_up, inspect, restore

DATABASE, COPY = Path("gendei.db"), Path("copy.db")
PAIRS = 200


@pytest.fixture
def stocked(gendei: Gendei) -> Gendei:
    """The command in a folder with a database that holds one clinic."""
    assert gendei("clinics", "import", AURORA).exit_code == 0
    return gendei


@asynccontextmanager
async def opened(path: Path = DATABASE):
    store = await SqliteDocuments.open(str(path))
    try:
        yield store
    finally:
        await store.close()


def files() -> list[str]:
    """What lies there, without what SQLite keeps beside a database while it is read."""
    return sorted(path.name for path in Path().iterdir() if not path.name.endswith(("-wal", "-shm")))


def listed(gendei: Gendei) -> list[str]:
    return [line.partition(":")[0] for line in gendei("clinics", "list").stdout.splitlines()]


def test_a_backup_says_what_it_holds_and_is_readable_by_its_owner_alone(stocked):
    told = stocked("backup", COPY)
    lines = told.stdout.splitlines()
    assert (told.exit_code, lines[0]) == (0, f"copy.db: {COPY.stat().st_size:,} bytes, version {MIGRATIONS[-1].to}")
    assert "          1 gendei_clinics" in lines
    assert stat.S_IMODE(COPY.stat().st_mode) == 0o600
    assert files() == ["copy.db", "gendei.db"]


def test_a_backup_that_is_put_back_brings_back_what_stood_and_nothing_newer(stocked):
    stocked("backup", COPY)
    stocked("clinics", "import", BROMELIA)
    assert listed(stocked) == ["aurora", "bromelia"]

    told = stocked("restore", COPY, "--replace")
    assert (told.exit_code, told.stdout.startswith("gendei.db: "), listed(stocked)) == (0, True, ["aurora"])


def test_a_backup_can_be_put_where_there_is_no_database_yet(stocked):
    stocked("backup", COPY)
    DATABASE.unlink()
    assert (stocked("restore", COPY).exit_code, listed(stocked)) == (0, ["aurora"])


def test_a_backup_overwrites_nothing(stocked):
    COPY.write_text("letters from home")
    told = stocked("backup", COPY)
    assert (told.exit_code, "copy.db exists already" in told.stderr, COPY.read_text()) == (1, True, "letters from home")


def test_a_database_is_not_replaced_unless_that_is_wanted(stocked):
    stocked("backup", COPY)
    stocked("clinics", "import", BROMELIA)
    told = stocked("restore", COPY)
    assert (told.exit_code, "--replace" in told.stderr, listed(stocked)) == (1, True, ["aurora", "bromelia"])


def test_a_database_that_is_not_there_is_not_made_by_its_backup(gendei):
    told = gendei("backup", COPY)
    assert (told.exit_code, DATABASE.exists(), COPY.exists()) == (1, False, False)


@pytest.mark.parametrize(
    ("command", "instead"),
    [("backup", "gcloud firestore export gs://"), ("restore", "gcloud firestore import gs://")],
)
def test_for_firestore_it_says_what_to_run_instead(gendei, monkeypatch, command, instead):
    monkeypatch.setenv("GENDEI_DATABASE", "firestore://clinics-prod/main")
    told = gendei(command, COPY)
    assert (told.exit_code, instead in told.stderr, "--database='main'" in told.stderr) == (1, True, True)


def test_a_database_in_memory_cannot_be_copied(gendei, monkeypatch):
    monkeypatch.setenv("GENDEI_DATABASE", "sqlite:///:memory:")
    assert gendei("backup", COPY).exit_code == 1


async def test_a_copy_of_a_database_in_use_holds_one_moment_of_it():
    async with opened() as store:
        await store.commit([create("pairs/left", {"n": 0}), create("pairs/right", {"n": 0})])

        async def write() -> None:
            for n in range(1, PAIRS):
                await store.commit([put("pairs/left", {"n": n}), put("pairs/right", {"n": n})])

        writing = asyncio.create_task(write())
        for number in range(5):
            await asyncio.to_thread(back_up, DATABASE, Path(f"copy-{number}.db"))
        await writing
    for number in range(5):
        async with opened(Path(f"copy-{number}.db")) as copy:
            left, right = await copy.get_many(["pairs/left", "pairs/right"])
            assert left.data == right.data is not None


async def test_a_copy_holds_what_stands_in_the_log_only():
    async with opened() as store:
        await store.commit([create("things/a", {"n": 1})])
        assert back_up(DATABASE, COPY).counts == {"things": 1}


async def test_a_database_in_use_is_not_replaced():
    async with opened() as store:
        await store.commit([create("things/a", {"n": 1})])
        back_up(DATABASE, COPY)
        await store.commit([create("things/b", {"n": 2})])
        with pytest.raises(CopyRefused, match="in use"):
            restore(COPY, DATABASE, replace=True)
        assert len(await store.query(Query("things"))) == 2
    restore(COPY, DATABASE, replace=True)
    async with opened() as store:
        assert [snapshot.id for snapshot in await store.query(Query("things"))] == ["a"]


def read_log() -> bytes:
    return Path("gendei.db-wal").read_bytes()


def lose_all_but(log: bytes) -> None:
    DATABASE.unlink()
    Path("gendei.db-wal").write_bytes(log)


async def test_the_log_of_a_database_that_was_lost_is_not_played_into_the_restored_one():
    async with opened() as store:
        await store.commit([create("things/a", {"n": 1})])
        back_up(DATABASE, COPY)
        await store.commit([create("things/b", {"n": 2})])
        log = read_log()
    lose_all_but(log)
    restore(COPY, DATABASE, replace=False)
    async with opened() as store:
        assert [snapshot.id for snapshot in await store.query(Query("things"))] == ["a"]


async def make_copy(documents: dict[str, dict[str, object]]) -> None:
    async with opened() as store:
        await store.commit([put(path, data) for path, data in documents.items()])
    back_up(DATABASE, COPY)


async def test_a_copy_of_a_newer_version_is_not_put_back():
    async with opened() as store:
        await store.commit([put(SCHEMA, {"version": 99})])
    for refused in (lambda: back_up(DATABASE, COPY), lambda: restore(DATABASE, COPY, replace=False)):
        with pytest.raises(NewerStore, match="of version 99"):
            refused()
    assert files() == ["gendei.db"]


async def test_a_copy_of_a_newer_format_is_not_put_back():
    await make_copy({"things/a": {"n": 1}})
    with closing(sqlite3.connect(COPY)) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(NewerStore, match="of version 99"):
        restore(COPY, DATABASE, replace=True)


def damage(path: Path) -> None:
    content = path.read_bytes()
    start = len(content) // 2
    path.write_bytes(content[:start] + os.urandom(start // 2) + content[start + start // 2 :])


async def test_a_damaged_copy_is_not_put_back_and_the_database_stays():
    await make_copy({f"things/{n:04}": {"text": json.dumps(["x" * 50] * 20)} for n in range(300)})
    damage(COPY)
    with pytest.raises(CopyRefused, match="cannot be used"):
        restore(COPY, DATABASE, replace=True)
    assert inspect(DATABASE).counts == {"things": 300}


@pytest.mark.parametrize("content", [b"", b"letters from home " * 500], ids=["empty", "text"])
def test_what_is_no_database_of_ours_is_not_put_back(content):
    COPY.write_bytes(content)
    with pytest.raises(CopyRefused):
        restore(COPY, DATABASE, replace=False)
    assert files() == ["copy.db"]
