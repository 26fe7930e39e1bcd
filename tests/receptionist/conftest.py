from collections.abc import AsyncIterator

import pytest
from tests.receptionist.front_desk import NOW, FrontDesk

from gendei.booking.desk import BookingDesk
from gendei.store.sqlite import SqliteDocuments


@pytest.fixture
async def front_desk() -> AsyncIterator[FrontDesk]:
    documents = await SqliteDocuments.open(":memory:")
    yield FrontDesk(documents, BookingDesk(documents, lambda: NOW))
    await documents.close()
