"""No space is left on the database's disk, as SQLite itself tells it, and then there is some again."""

import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.journeys.phone import Phone
from tests.journeys.town import BROMELIA, Town, open_town

from gendei.store import sqlite_writer
from gendei.store.sqlite_schema import prepare

NO_LIMIT = 2**30


class Disk:
    """The writing connections that were opened, whose files can be kept from growing."""

    def __init__(self) -> None:
        self._connections: list[sqlite3.Connection] = []

    def prepare(self, connection: sqlite3.Connection, *, busy_seconds: float) -> None:
        prepare(connection, busy_seconds=busy_seconds)
        self._connections.append(connection)

    def limit(self, pages: int) -> None:
        for connection in self._connections:
            connection.execute(f"PRAGMA max_page_count = {pages}").fetchall()


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    watched = Disk()
    monkeypatch.setattr(sqlite_writer, "prepare", watched.prepare)
    return watched


@pytest.fixture
async def town(tmp_path: Path, disk: Disk) -> AsyncIterator[Town]:
    async with open_town(tmp_path) as opened:
        yield opened


async def test_webhooks_are_refused_while_the_disk_is_full_and_answered_once_when_it_is_not(
    town: Town, disk: Disk, caplog: pytest.LogCaptureFixture
) -> None:
    maria = Phone(town, "+5511999990001", "Maria Silva")
    dalva = Phone(town, "+5592999990003", "Dalva Nunes", BROMELIA)
    webhooks = [town.maker().text(maria.number, f"onde fica? {'x' * 3000}", name=maria.name) for _ in range(8)]
    await town.idle()
    disk.limit(1)  # SQLite takes it for the present size
    first = [await town.post(request) for request in webhooks]
    stored = len(await town.stored("gendei_inbox"))
    ready = (await town.client.get("/readyz")).status_code
    said = [record.getMessage() for record in caplog.records if record.name == "gendei.web.intake"]
    disk.limit(NO_LIMIT)
    again = [await town.post(request) for request in webhooks]
    await town.idle()

    assert (first[-1], ready, stored, again) == (503, 200, first.count(200), [200] * 8)
    assert "database or disk is full" in said[0]
    assert [entry["status"] for entry in await town.stored("gendei_inbox")] == ["done"] * 8
    assert ("Rua do Sol" in maria.last.text, dalva.messages) == (True, [])
