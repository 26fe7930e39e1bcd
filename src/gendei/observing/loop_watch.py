"""A thread that notices when the event loop stands still, and in whose code."""

import asyncio
import logging
import sys
import threading
from time import perf_counter
from types import FrameType
from typing import Any, Self
from weakref import WeakKeyDictionary

from gendei.observing.durations import Durations

log = logging.getLogger(__name__)
LOOK_SECONDS = 0.25
BLOCKED_SECONDS = 0.5
"""A pause of the event loop from which on it is counted."""
LOGGED_SECONDS = 2.0
"""A pause from which on a line of the log tells of it."""
PACKAGE = "gendei"
ELSEWHERE = "elsewhere"
"""The kind of work where none of our code was running: the machine was busy, or the process was stopped."""


class LoopWatch:
    """Use it as a context manager inside of the event loop that it watches.

    `blocks`: how long the loop stood still, by the kind of work that held it: our package whose code ran ("booking",
    "receptionist"). A log line names the place in the code, and never a value.
    """

    def __init__(self, blocks: Durations | None = None) -> None:
        self.blocks = blocks if blocks is not None else Durations()
        self._stop = threading.Event()
        self._beat = perf_counter()
        self._timer: asyncio.TimerHandle | None = None
        self._thread: threading.Thread | None = None
        self._longest: WeakKeyDictionary[asyncio.Task[Any], float] = WeakKeyDictionary()

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        self._beats(loop)
        self._thread = threading.Thread(
            target=self._watch, args=(loop, threading.get_ident()), name="loop-watch", daemon=True
        )
        self._thread.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._stop.set()
        if self._timer is not None:
            self._timer.cancel()
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join)

    def longest_of(self, task: asyncio.Task[Any] | None) -> float:
        """The longest time in seconds that the loop stood still while `task` ran; 0 where it never did."""
        return self._longest.get(task, 0.0) if task is not None else 0.0

    def _beats(self, loop: asyncio.AbstractEventLoop) -> None:
        self._beat = perf_counter()
        self._timer = loop.call_later(LOOK_SECONDS, self._beats, loop)

    def _watch(self, loop: asyncio.AbstractEventLoop, thread_id: int) -> None:
        held: _Held | None = None
        while not self._stop.wait(LOOK_SECONDS):
            beat = self._beat
            if held is not None and beat != held.since:
                self._over(held, beat - held.since - LOOK_SECONDS)
                held = None
            paused = perf_counter() - beat - LOOK_SECONDS
            if paused >= BLOCKED_SECONDS:
                held = held or _Held(beat)
                held.look(loop, thread_id)
                if held.task is not None:
                    self._longest[held.task] = max(paused, self._longest.get(held.task, 0.0))
        if held is not None:
            self._over(held, perf_counter() - held.since - LOOK_SECONDS)

    def _over(self, held: "_Held", seconds: float) -> None:
        self.blocks.observe(held.kind, seconds)
        if seconds >= LOGGED_SECONDS:
            log.warning("the event loop stood still for %.1f s in %s: nobody was served meanwhile", seconds, held.place)


class _Held:
    """One pause of the loop: since which beat, and what held it."""

    def __init__(self, since: float) -> None:
        self.since = since
        self.kind = self.place = ELSEWHERE
        self.task: asyncio.Task[Any] | None = None

    def look(self, loop: asyncio.AbstractEventLoop, thread_id: int) -> None:
        """Find out what runs now. The last look before the pause ends counts."""
        self.task = asyncio.current_task(loop)
        frame = _ours(sys._current_frames().get(thread_id)) if self.task is not None else None
        if frame is not None:
            module = frame.f_globals.get("__name__", PACKAGE).split(".")
            self.kind = module[1] if len(module) > 1 else PACKAGE
            self.place = f"{'.'.join(module)}.{frame.f_code.co_name}"


def _ours(frame: FrameType | None) -> FrameType | None:
    """The innermost frame of our own code. The thread runs on meanwhile, so what stands behind a frame may be none."""
    while isinstance(frame, FrameType) and frame.f_globals.get("__name__", "").split(".")[0] != PACKAGE:
        frame = frame.f_back
    return frame if isinstance(frame, FrameType) else None
