"""A clinic that reminds by itself, on every engine."""

from collections.abc import AsyncIterator

import pytest
from tests.contracts.conftest import ENGINES, SHARED, Engine
from tests.scheduler.office import Office


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Engine:
    return ENGINES[request.param](request)


@pytest.fixture(params=SHARED)
def shared_engine(request: pytest.FixtureRequest) -> Engine:
    return SHARED[request.param](request)


@pytest.fixture
async def office(engine: Engine) -> AsyncIterator[Office]:
    store = await engine.open()
    async with Office(store) as opened:
        yield opened
    await store.close()
