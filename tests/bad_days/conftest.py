"""A process on a store whose day can turn bad, and retries that come at once."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from tests.bad_days.weather import Weather
from tests.conversation.cast import BOA_VIDA, PATIENCE, SORRISO, World, clinic
from tests.journeys.town import Town, open_town

from gendei.clinics.directory import Directory
from gendei.conversation.turns import worker
from gendei.conversation.work import lanes
from gendei.documents import put
from gendei.store.sqlite import SqliteDocuments


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is tried again after a second is tried again at once."""
    monkeypatch.setattr(worker, "FIRST_BACKOFF", 0.001)
    monkeypatch.setattr(worker, "LONGEST_BACKOFF", 0.01)
    monkeypatch.setattr(lanes, "PAUSE_AFTER_ERROR", 0.001)


@pytest.fixture
async def documents(tmp_path: Path) -> AsyncIterator[SqliteDocuments]:
    opened = await SqliteDocuments.open(str(tmp_path / "gendei.db"))
    yield opened
    await opened.close()


@pytest.fixture
def weather(documents: SqliteDocuments) -> Weather:
    return Weather(documents)


@pytest.fixture
async def directory(documents: SqliteDocuments) -> Directory:
    known = Directory(documents)
    for clinic_id in (BOA_VIDA, SORRISO):
        await known.import_clinic(clinic(clinic_id))
    return known


@pytest.fixture
def world(weather: Weather, directory: Directory) -> World:
    """It answers inside `async with world.messaging`."""
    return World(weather, directory)


@pytest.fixture
async def town(tmp_path: Path, weather: Weather) -> AsyncIterator[Town]:
    """The whole service over HTTP, on the same store."""
    async with open_town(tmp_path, documents=weather) as opened:
        yield opened


async def until(documents: SqliteDocuments, holds: Callable[[], bool]) -> None:
    """Let the others work until `holds`; each round waits for the store's writer."""
    async with asyncio.timeout(PATIENCE):
        while not holds():
            await documents.commit([put("gendei_probe/one", {})])
