"""A clinic that reminds by itself."""

from collections.abc import AsyncIterator

import pytest
from tests.contracts.conftest import engine, shared_engine
from tests.scheduler.office import Office

from gendei.store.sqlite import SqliteDocuments

__all__ = ["engine", "office", "shared_engine"]


@pytest.fixture
async def office() -> AsyncIterator[Office]:
    """On a store in memory; the days that are played through are on every engine."""
    store = await SqliteDocuments.open(":memory:")
    async with Office(store) as opened:
        yield opened
    await store.close()
