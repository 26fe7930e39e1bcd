"""Live queries: who watches what, and when to look again."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

from gendei.documents import Query, Snapshot

NOTHING_NEW_SECONDS = 0.02
"""From a look that found nothing new to the next: a busy collection changes with each commit, and a query about some of
it sees little of that."""
Ask = Callable[[Query], Awaitable[list[Snapshot]]]


class QueryWatch(AsyncIterator[list[Snapshot]]):
    """The results of `query`: one after the first `look_again`, then one after each that finds something changed; a
    slow reader gets only the latest. After `fail` there are none."""

    def __init__(self, query: Query, ask: Ask) -> None:
        self.failure: Exception | None = None
        self._query = query
        self._ask = ask
        self._due = asyncio.Event()
        self._seen: list[tuple[str, object]] | None = None

    def concerns(self, collections: set[str] | None) -> bool:
        """Whether a change in these collection paths (None: in any) may touch the query."""
        if collections is None:
            return True
        if self._query.group:
            return any(path.rpartition("/")[2] == self._query.collection for path in collections)
        return self._query.collection in collections

    def look_again(self) -> None:
        self._due.set()

    def fail(self, failure: Exception) -> None:
        """Raise `failure` to the reader, unless there was one before."""
        self.failure = self.failure or failure
        self._due.set()

    async def __anext__(self) -> list[Snapshot]:
        while True:
            await self._due.wait()
            if self.failure is not None:
                raise self.failure
            self._due.clear()
            result = await self._ask(self._query)
            seen = [(snapshot.path, snapshot.version) for snapshot in result]
            if seen != self._seen:
                self._seen = seen
                return result
            await asyncio.sleep(NOTHING_NEW_SECONDS)
