"""A store that can be cut off within this process: what a TCP relay does to Firestore, for any engine."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from gendei.documents import Documents, Query, Snapshot, Write
from gendei.errors import StoreUnavailable


@dataclass
class CutOff:
    """`Documents` on `inner`, of which every call raises StoreUnavailable while `cut`."""

    inner: Documents
    cut: bool = False

    async def get(self, path: str) -> Snapshot:
        return await self._inner().get(path)

    async def get_many(self, paths: Sequence[str]) -> list[Snapshot]:
        return await self._inner().get_many(paths)

    async def query(self, query: Query) -> list[Snapshot]:
        return await self._inner().query(query)

    async def commit(self, writes: Sequence[Write]) -> None:
        await self._inner().commit(writes)

    @asynccontextmanager
    async def watch(self, query: Query) -> AsyncIterator[AsyncIterator[list[Snapshot]]]:
        async with self._inner().watch(query) as results:
            yield results

    async def close(self) -> None:
        await self.inner.close()

    def _inner(self) -> Documents:
        if self.cut:
            raise StoreUnavailable("cut off")
        return self.inner
