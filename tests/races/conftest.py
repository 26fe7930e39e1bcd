"""The engines of the contract suite, for the races."""

from collections.abc import AsyncIterator

import pytest
from tests.booking.builders import Booking, TestClock
from tests.contracts.conftest import ENGINES, SHARED, Engine

from gendei.booking.desk import BookingDesk


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Engine:
    return ENGINES[request.param](request)


@pytest.fixture(params=SHARED)
def shared_engine(request: pytest.FixtureRequest) -> Engine:
    return SHARED[request.param](request)


@pytest.fixture
async def booking(engine: Engine) -> AsyncIterator[Booking]:
    documents = await engine.open()
    clock = TestClock()
    yield Booking(BookingDesk(documents, clock), documents, clock)
    await documents.close()
