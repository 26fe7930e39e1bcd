"""A real store on a bad day: away, slow, or there only every other time."""

import asyncio
import random
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager

from gendei.documents import Documents, Query, Snapshot, Write
from gendei.errors import StoreUnavailable


class Weather:
    """Passes every call on to `documents`, as its day is.

    down: every call fails, and sets `refused`; `refusals` counts them. flapping: about every other one does, in an
    order that `seed` gives. calm cleared: calls wait until it is set, and `waiting` is set meanwhile. passing: called
    before each call.
    """

    def __init__(self, documents: Documents, *, seed: int = 1) -> None:
        self._documents = documents
        self._chance = random.Random(seed)
        self.down = False
        self.flapping = False
        self.refused = asyncio.Event()
        self.refusals = 0
        self.waiting = asyncio.Event()
        self.calm = asyncio.Event()
        self.calm.set()
        self.passing: Callable[[], None] = lambda: None

    async def get(self, path: str) -> Snapshot:
        await self._blow()
        return await self._documents.get(path)

    async def get_many(self, paths: Sequence[str]) -> list[Snapshot]:
        await self._blow()
        return await self._documents.get_many(paths)

    async def query(self, query: Query) -> list[Snapshot]:
        await self._blow()
        return await self._documents.query(query)

    async def commit(self, writes: Sequence[Write]) -> None:
        await self._blow()
        await self._documents.commit(writes)

    def watch(self, query: Query) -> AbstractAsyncContextManager[object]:
        return self._documents.watch(query)

    async def close(self) -> None:
        await self._documents.close()

    async def _blow(self) -> None:
        self.passing()
        if not self.calm.is_set():
            self.waiting.set()
            await self.calm.wait()
        if self.down or (self.flapping and self._chance.random() < 0.5):
            self.refusals += 1
            self.refused.set()
            raise StoreUnavailable
