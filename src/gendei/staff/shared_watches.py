"""Live queries, shared: what one of them tells goes to everybody who listens, and it ends when nobody does."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Hashable, Sequence
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from typing import Generic, TypeVar

from gendei.documents import Documents, Query, Snapshot
from gendei.errors import StoreError, StoreUnavailable

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")
PAUSE_SECONDS = 0.2
"""Between two looks at the store: changes that come faster are seen together."""


class Feeds(Generic[K, T]):
    """`source`: the states of one key, from now on and for as long as somebody listens."""

    def __init__(self, source: Callable[[K], AsyncIterator[T]]) -> None:
        self._source = source
        self._feeds: dict[K, _Feed[T]] = {}

    @asynccontextmanager
    async def follow(self, key: K) -> AsyncIterator[AsyncIterator[T]]:
        """The latest state, then each newer one; a slow reader misses those between."""
        feed = self._feeds.get(key)
        if feed is None or feed.ended:
            feed = self._feeds[key] = _Feed(self._source(key))
        listener = feed.join()
        try:
            yield listener
        finally:
            if feed.leave(listener):
                if self._feeds.get(key) is feed:
                    del self._feeds[key]
                await feed.stop()

    async def close(self) -> None:
        feeds, self._feeds = list(self._feeds.values()), {}
        for feed in feeds:
            await feed.stop()


class _Feed(Generic[T]):
    def __init__(self, states: AsyncIterator[T]) -> None:
        self._listeners: set[_Listener[T]] = set()
        self._latest: list[T] = []
        self._failure: StoreError | None = None
        self._task = asyncio.create_task(self._run(states))

    @property
    def ended(self) -> bool:
        return self._failure is not None

    def join(self) -> "_Listener[T]":
        listener: _Listener[T] = _Listener()
        self._listeners.add(listener)
        if self._latest:
            listener.tell(self._latest[0])
        return listener

    def leave(self, listener: "_Listener[T]") -> bool:
        """True when nobody listens any more."""
        self._listeners.discard(listener)
        return not self._listeners

    async def stop(self) -> None:
        self._fail(StoreUnavailable("nobody listens any more"))
        self._task.cancel()
        await asyncio.wait([self._task])

    async def _run(self, states: AsyncIterator[T]) -> None:
        try:
            async for state in states:
                self._latest = [state]
                for listener in self._listeners:
                    listener.tell(state)
        except StoreError as error:
            self._fail(error)
        except Exception as error:
            self._fail(StoreUnavailable(f"the watch broke: {type(error).__name__}"))
            raise

    def _fail(self, failure: StoreError) -> None:
        self._failure = self._failure or failure
        for listener in self._listeners:
            listener.fail(self._failure)


class _Listener(AsyncIterator[T]):
    def __init__(self) -> None:
        self._news = asyncio.Event()
        self._latest: list[T] = []
        self._failure: StoreError | None = None

    def tell(self, state: T) -> None:
        self._latest = [state]
        self._news.set()

    def fail(self, failure: StoreError) -> None:
        self._failure = failure
        self._news.set()

    async def __anext__(self) -> T:
        await self._news.wait()
        if self._failure is not None:
            raise self._failure
        self._news.clear()
        return self._latest[0]


async def merged(documents: Documents, queries: Sequence[Query]) -> AsyncIterator[list[list[Snapshot]]]:
    """The results of all `queries` once each has one, and again after changes, at most every PAUSE_SECONDS. Raises
    StoreError when one of them cannot be followed any more."""
    async with AsyncExitStack() as stack:
        watches = [await stack.enter_async_context(documents.watch(query)) for query in queries]
        states = await stack.enter_async_context(aclosing(latest_of(watches)))
        async for state in states:
            yield state


async def latest_of(feeds: Sequence[AsyncIterator[T]]) -> AsyncGenerator[list[T], None]:
    """The latest state of each feed once all have one, and again after changes, at most every PAUSE_SECONDS. Raises
    what one of them raises."""
    news = asyncio.Event()
    latest: dict[int, T] = {}

    async def read(place: int, states: AsyncIterator[T]) -> None:
        try:
            async for state in states:
                latest[place] = state
                news.set()
                await asyncio.sleep(PAUSE_SECONDS)
        finally:
            news.set()

    tasks = [asyncio.create_task(read(place, states)) for place, states in enumerate(feeds)]
    try:
        while True:
            await news.wait()
            news.clear()
            for task in tasks:
                if task.done():
                    task.result()
            if len(latest) == len(feeds):
                yield [latest[place] for place in range(len(feeds))]
    finally:
        await _cancel(tasks)


async def _cancel(tasks: Sequence["asyncio.Task[None]"]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)
