"""The engines of the contract suite, for the races."""

from collections.abc import AsyncIterator

import pytest
from tests.booking.builders import Booking, TestClock
from tests.contracts.conftest import Engine, engine, shared_engine

from gendei.booking.desk import BookingDesk

__all__ = ["booking", "engine", "shared_engine"]


@pytest.fixture
async def booking(engine: Engine) -> AsyncIterator[Booking]:
    documents = await engine.open()
    clock = TestClock()
    yield Booking(BookingDesk(documents, clock), documents, clock)
    await documents.close()
