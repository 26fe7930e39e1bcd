from collections.abc import AsyncIterator

import pytest
from tests.receptionist.front_desk import NOW, FrontDesk
from tests.receptionist.openai_server import OpenAiServer, openai_server

from gendei.booking.desk import BookingDesk
from gendei.store.sqlite import SqliteDocuments


@pytest.fixture
async def front_desk() -> AsyncIterator[FrontDesk]:
    documents = await SqliteDocuments.open(":memory:")
    yield FrontDesk(documents, BookingDesk(documents, lambda: NOW))
    await documents.close()


@pytest.fixture
async def server() -> AsyncIterator[OpenAiServer]:
    """A stand-in of a model's API, with nothing to answer yet."""
    async with openai_server() as running:
        yield running
