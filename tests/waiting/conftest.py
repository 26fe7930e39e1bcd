"""A clinic with a waiting list."""

from collections.abc import AsyncIterator

import pytest
from tests.contracts.conftest import engine, shared_engine
from tests.waiting.line import Line

from gendei.store.sqlite import SqliteDocuments

__all__ = ["engine", "line", "shared_engine"]


@pytest.fixture
async def line() -> AsyncIterator[Line]:
    """On a store in memory."""
    store = await SqliteDocuments.open(":memory:")
    async with Line(store) as opened:
        yield opened
    await store.close()
