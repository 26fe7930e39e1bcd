"""At most one task a conversation, a bounded number at once, and clinics served in turn."""

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from contextvars import Context
from typing import Generic, Protocol, Self, TypeVar

from gendei.clinic import ClinicId
from gendei.errors import StoreError
from gendei.observing.subject import about

log = logging.getLogger(__name__)
PAUSE_AFTER_ERROR = 1.0
PASSES_BETWEEN_STARTS = 16
"""Passes of the event loop from one start to the next. A crowd that comes due at once would otherwise make every pass
as long as all its first steps together, and a webhook, which needs several passes, would wait for them. So few compete
for the processor, however many may run at once: the others wait for a model, or have not begun."""
PAUSE_OF_A_LONE_START = 0.001
"""Seconds after which a start is long ago, where nothing waited for its passes: an idle loop would make them for
nothing."""


class LaneKey(Protocol):
    """What a lane is for: a conversation, or a stream of the agenda's events."""

    @property
    def clinic_id(self) -> ClinicId: ...

    @property
    def text(self) -> str: ...

    def __hash__(self) -> int: ...


K = TypeVar("K", bound=LaneKey)


class FairQueue(Generic[K]):
    """Conversations that are ready to run. Clinics take turns, and none has more than `per_clinic` running, so that
    a clinic with a thousand patients writing delays the others by one turn at most."""

    def __init__(self, per_clinic: int) -> None:
        self._per_clinic = per_clinic
        self._queued: dict[ClinicId, deque[K]] = {}
        self._clinics: deque[ClinicId] = deque()
        self._members: set[K] = set()
        self._busy: Counter[ClinicId] = Counter()

    def __contains__(self, key: K) -> bool:
        return key in self._members

    def __len__(self) -> int:
        return len(self._members)

    def waiting_of(self, clinic_id: ClinicId) -> int:
        return len(self._queued.get(clinic_id, ()))

    def push(self, key: K) -> None:
        if key in self._members:
            return
        self._members.add(key)
        if key.clinic_id not in self._queued:
            self._queued[key.clinic_id] = deque()
            self._clinics.append(key.clinic_id)
        self._queued[key.clinic_id].append(key)

    def pop(self) -> K | None:
        """The next conversation, counted as running until `done`; None when nothing may start now."""
        for _ in range(len(self._clinics)):
            clinic_id = self._clinics.popleft()
            if self._busy[clinic_id] >= self._per_clinic:
                self._clinics.append(clinic_id)
                continue
            queue = self._queued[clinic_id]
            key = queue.popleft()
            if queue:
                self._clinics.append(clinic_id)
            else:
                del self._queued[clinic_id]
            self._members.discard(key)
            self._busy[clinic_id] += 1
            return key
        return None

    def done(self, key: K) -> None:
        self._busy[key.clinic_id] -= 1
        if not self._busy[key.clinic_id]:
            del self._busy[key.clinic_id]

    def clear(self) -> None:
        self._queued.clear()
        self._clinics.clear()
        self._members.clear()


class Lanes(Generic[K]):
    """Runs `run(key)` for planned conversations, one task a conversation. `run` returns the seconds after which it
    wants to run again, or None; what is planned during a run starts after it."""

    def __init__(self, run: Callable[[K], Awaitable[float | None]], *, at_once: int = 64, per_clinic: int = 16) -> None:
        self._run = run
        self._at_once = at_once
        self._ready: FairQueue[K] = FairQueue(per_clinic)
        self._timers: dict[K, asyncio.TimerHandle] = {}
        self._running: dict[K, asyncio.Task[None]] = {}
        self._after: dict[K, float] = {}
        self._next_start: asyncio.Handle | None = None
        self._open = False

    @property
    def is_open(self) -> bool:
        """Whether plans are taken."""
        return self._open

    def start(self) -> None:
        """Plans are ignored before it, as they are after `stop`: what matters stands in the store."""
        self._open = True

    def knows(self, key: K) -> bool:
        """Whether it is planned, ready or running."""
        return key in self._running or key in self._timers or key in self._ready

    def ready_of(self, clinic_id: ClinicId) -> int:
        """How many of a clinic's conversations wait for their turn to come."""
        return self._ready.waiting_of(clinic_id)

    def plan(self, key: K, delay: float = 0) -> None:
        """Run `key` in `delay` seconds instead of when it was planned for; at once where it is ready already."""
        if not self._open or key in self._ready:
            return
        loop = asyncio.get_running_loop()
        if key in self._running:
            self._after[key] = loop.time() + delay
            return
        if timer := self._timers.pop(key, None):
            timer.cancel()
        if delay > 0:
            self._timers[key] = loop.call_later(delay, self._due, key)
        else:
            self._due(key)

    async def idle(self) -> bool:
        """Return once nothing runs, whatever is planned for later; whether that was so from the start."""
        was_idle = not (self._running or self._starts)
        while self._running or self._starts:
            await (asyncio.wait(list(self._running.values())) if self._running else asyncio.sleep(0))
        return was_idle

    @property
    def _starts(self) -> bool:
        """Whether something is about to start."""
        return self._next_start is not None and len(self._ready) > 0

    async def stop(self, grace: float) -> None:
        """Start what is ready and has a place, and nothing more; wait up to `grace` seconds for what runs, then cancel
        it."""
        self._open = False
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        while len(self._running) < self._at_once and (key := self._ready.pop()) is not None:
            self._begin(key)
        self._ready.clear()
        if running := list(self._running.values()):
            _, late = await asyncio.wait(running, timeout=grace)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    def _due(self, key: K) -> None:
        self._timers.pop(key, None)
        self._ready.push(key)
        self._dispatch()

    def _dispatch(self) -> None:
        if self._next_start is None:
            self._start_next(0)
        elif isinstance(self._next_start, asyncio.TimerHandle) and self._ready:
            self._next_start.cancel()
            self._next_start = asyncio.get_running_loop().call_soon(self._start_next, PASSES_BETWEEN_STARTS - 1)

    def _start_next(self, passes: int) -> None:
        """Start one after so many passes of the event loop, and look for another PASSES_BETWEEN_STARTS later."""
        loop = asyncio.get_running_loop()
        self._next_start = loop.call_soon(self._start_next, passes - 1) if passes else None
        if not passes and self._open and len(self._running) < self._at_once and (key := self._ready.pop()) is not None:
            self._begin(key)
            self._next_start = (
                loop.call_soon(self._start_next, PASSES_BETWEEN_STARTS - 1)
                if self._ready
                else loop.call_later(PAUSE_OF_A_LONE_START, self._start_next, 0)
            )

    def _begin(self, key: K) -> None:
        loop = asyncio.get_running_loop()
        self._running[key] = loop.create_task(self._work(key), context=Context())  # of no request that planned it

    async def _work(self, key: K) -> None:
        about(key.clinic_id, key.text)
        pause: float | None = None
        try:
            pause = await self._run(key)
        except Exception as error:  # noqa: BLE001 - one conversation's failure must not stop the others
            log.error("a conversation of clinic %s failed: %s", key.clinic_id, type(error).__name__)
            pause = PAUSE_AFTER_ERROR
        finally:
            del self._running[key]
            self._ready.done(key)
            self._plan_again(key, pause)
            self._dispatch()

    def _plan_again(self, key: K, pause: float | None) -> None:
        asked = self._after.pop(key, None)
        delays = [] if asked is None else [max(0.0, asked - asyncio.get_running_loop().time())]
        if pause is not None:
            delays.append(pause)
        if delays:
            self.plan(key, min(delays))


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

    async def __aexit__(self, *_: object) -> None:
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
