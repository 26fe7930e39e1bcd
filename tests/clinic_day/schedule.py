"""Many people in one day, one deed after the other, in the order of their moments."""

import asyncio
from collections.abc import Coroutine, Sequence
from datetime import datetime, timedelta
from heapq import heappop, heappush
from itertools import count

from gendei.clock import MovableClock


class Schedule:
    """Runs coroutines that wait by `until` and `pause`, one at a time, and puts the clock forward for each."""

    def __init__(self, clock: MovableClock) -> None:
        self._clock = clock
        self._waiting: list[tuple[datetime, int, asyncio.Future[None]]] = []
        self._order = count()
        self._resting = asyncio.Event()

    @property
    def now(self) -> datetime:
        return self._clock()

    async def until(self, moment: datetime) -> None:
        """Go on at `moment`, or next where it is past."""
        turn = asyncio.get_running_loop().create_future()
        heappush(self._waiting, (moment, next(self._order), turn))
        self._resting.set()
        await turn

    async def pause(self, minutes: float) -> None:
        await self.until(self.now + timedelta(minutes=minutes))

    async def run(self, people: Sequence[Coroutine[None, None, None]]) -> None:
        """Until all are done. Raises what one of them raises."""
        tasks = []
        for person in people:
            tasks.append(self._begun(person))
            await self._rest(tasks)
        while self._waiting:
            moment, _, turn = heappop(self._waiting)
            self._clock.move_to(max(moment, self.now))
            turn.set_result(None)
            await self._rest(tasks)

    def _begun(self, person: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(person)
        task.add_done_callback(lambda _: self._resting.set())
        return task

    async def _rest(self, tasks: Sequence[asyncio.Task[None]]) -> None:
        await self._resting.wait()
        self._resting.clear()
        for task in tasks:
            if task.done():
                task.result()
