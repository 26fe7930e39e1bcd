"""Looking through the store again and again, for what no process was told of."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress

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
