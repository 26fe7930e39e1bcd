"""A clinic that reminds by itself."""

from collections.abc import AsyncIterator

import pytest
from tests.contracts.conftest import ENGINES, SHARED, Engine
from tests.scheduler.office import Office

from gendei.store.sqlite import SqliteDocuments


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Engine:
    return ENGINES[request.param](request)


@pytest.fixture(params=SHARED)
def shared_engine(request: pytest.FixtureRequest) -> Engine:
    return SHARED[request.param](request)


@pytest.fixture
async def office() -> AsyncIterator[Office]:
    """On a store in memory; the days that are played through are on every engine."""
    store = await SqliteDocuments.open(":memory:")
    async with Office(store) as opened:
        yield opened
    await store.close()
