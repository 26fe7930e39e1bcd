from collections.abc import AsyncIterator

import pytest
from tests.booking.builders import Booking, TestClock

from gendei.booking.desk import BookingDesk
from gendei.store.sqlite import SqliteDocuments


@pytest.fixture
async def booking() -> AsyncIterator[Booking]:
    documents = await SqliteDocuments.open(":memory:")
    clock = TestClock()
    yield Booking(BookingDesk(documents, clock), documents, clock)
    await documents.close()
