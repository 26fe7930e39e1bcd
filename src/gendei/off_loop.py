"""Work on text that could hold the event loop, done in a thread with a deadline."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import TypeVar

from gendei.errors import GendeiError

INLINE_CHARACTERS = 250
"""Understanding so much text takes a few milliseconds, less than it costs other tasks to share the processor with a
thread."""
DEADLINE_SECONDS = 8.0
"""From the request until the result, the wait for a thread included. It is far above what bounded text takes, and
below the limit of a turn."""
_THREADS = ThreadPoolExecutor(max_workers=2, thread_name_prefix="text")
"""Threads share the interpreter: more of them would slow the event loop and finish nothing earlier."""
T = TypeVar("T")


class TextTookTooLong(GendeiError):
    """The text could not be worked on in time. The patient reads an apology; staff see the message as it is."""


async def off_loop(characters: int, work: Callable[[], T]) -> T:
    """The result of `work`, which looks at so many characters of text: in a thread where they are many.

    `work` must not touch what other tasks change meanwhile. Raises TextTookTooLong after DEADLINE_SECONDS, and whatever
    `work` raises, except StopIteration, which no future can hold.
    """
    if characters <= INLINE_CHARACTERS:
        return work()
    running = asyncio.get_running_loop().run_in_executor(_THREADS, copy_context().run, work)
    try:
        async with asyncio.timeout(DEADLINE_SECONDS):
            return await running
    except TimeoutError as late:
        raise TextTookTooLong from late
