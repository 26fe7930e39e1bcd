"""A process that sends campaigns, on a store in memory."""

from collections.abc import AsyncIterator

import pytest
from tests.campaigns.sender import Sender
from tests.contracts.conftest import engine, shared_engine

from gendei.store.sqlite import SqliteDocuments

__all__ = ["engine", "sender", "shared_engine"]


@pytest.fixture
async def sender() -> AsyncIterator[Sender]:
    store = await SqliteDocuments.open(":memory:")
    async with Sender(store) as opened:
        yield opened
    await store.close()
