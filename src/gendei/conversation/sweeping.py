"""Looking through the store again and again, for what no process was told of, and working on what is found."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from types import TracebackType
from typing import Generic, Self

from gendei.conversation.lanes import K, Lanes
from gendei.errors import StoreError


class Sweeping:
    """Calls `sweep` from `start` to `stop`, `seconds` after each other. While the store does not answer it says
    `trouble` (with a place for the kind of error) in `log`, and goes on."""

    def __init__(
        self, sweep: Callable[[], Awaitable[object]], seconds: float, log: logging.Logger, trouble: str
    ) -> None:
        self._sweep, self._seconds, self._log, self._trouble = sweep, seconds, log, trouble
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """End it, also in the middle of a sweep."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        while True:
            try:
                await self._sweep()
            except StoreError as error:
                self._log.warning(self._trouble, type(error).__name__)
            await asyncio.sleep(self._seconds)


class LaneWork(Generic[K]):
    """Work on one conversation (or stream of events) at a time, told of it by `notify` or by what its sweeps find. Use
    it as a context manager: it then finds by itself what dead processes left behind, unless `seeks` is False."""

    seeks = True

    def __init__(self, lanes: Lanes[K], *sweepings: Sweeping, grace: float = 0) -> None:
        self._lanes, self._sweepings, self._grace = lanes, sweepings, grace

    async def __aenter__(self) -> Self:
        self._lanes.start()
        for sweeping in self._sweepings if self.seeks else ():
            sweeping.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def stop(self, grace: float | None = None) -> None:
        """Let what runs finish, up to `grace` seconds (None: its own); the rest stays for the next process."""
        for sweeping in self._sweepings:
            await sweeping.stop()
        await self._lanes.stop(self._grace if grace is None else grace)

    def notify(self, key: K) -> None:
        """There is something to do for `key`."""
        self._lanes.plan(key)

    async def idle(self) -> bool:
        """Wait until nothing is being done; whether that was so from the start."""
        return await self._lanes.idle()
