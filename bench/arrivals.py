"""Open arrivals: every request has its moment, whatever became of those before it.

A client that waits for its answer before it asks again slows down with the server, and hides how late it is. Here the
latency of a request runs from the moment at which it was due, also while it waits for a free connection.
"""

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import cast

import httptools

DRAIN_SECONDS = 30
"""How long after the last arrival answers are waited for."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """A whole HTTP request, due `at` seconds after the start."""

    at: float
    request: bytes


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of the arrival that was due `at`: seconds from then to its answer; status 0 without one."""

    at: float
    latency: float
    status: int


async def deliver(port: int, arrivals: Sequence[Arrival], connections: int) -> tuple[float, list[Answer]]:
    """Post `arrivals`, in order of their moments, over kept-alive connections to 127.0.0.1. Gives the start by
    perf_counter, and an answer for each arrival."""
    return await _Delivery(port, connections).run(arrivals)


class _Delivery:
    """The state that all connections share."""

    def __init__(self, port: int, connections: int) -> None:
        self._port = port
        self._connections = connections
        self._idle: deque[_Connection] = deque()
        self._due: deque[Arrival] = deque()
        self._answers: list[Answer] = []
        self._left = 0
        self._done = asyncio.Event()
        self._began = 0.0

    async def run(self, arrivals: Sequence[Arrival]) -> tuple[float, list[Answer]]:
        loop = asyncio.get_running_loop()
        made = [
            await loop.create_connection(lambda: _Connection(self), "127.0.0.1", self._port)
            for _ in range(self._connections)
        ]
        self._left = len(arrivals)
        self._began = perf_counter()
        try:
            async with asyncio.timeout(arrivals[-1].at + DRAIN_SECONDS):
                for arrival in arrivals:
                    if (early := self._began + arrival.at - perf_counter()) > 0:
                        await asyncio.sleep(early)
                    self._due.append(arrival)
                    self.serve()
                await self._done.wait()
        except TimeoutError:
            self._answers += [Answer(due.at, DRAIN_SECONDS, 0) for due in self._due]
        for transport, _ in made:
            transport.close()
        await asyncio.sleep(0)  # so that what was under way counts as lost
        return self._began, self._answers

    def serve(self, free: "_Connection | None" = None) -> None:
        """Give what is due to connections that are free."""
        if free is not None:
            self._idle.append(free)
        while self._due and self._idle:
            self._idle.popleft().post(self._due.popleft())

    def answered(self, arrival: Arrival, status: int) -> None:
        self._answers.append(Answer(arrival.at, perf_counter() - self._began - arrival.at, status))
        self._left -= 1
        if not self._left:
            self._done.set()


class _Connection(asyncio.Protocol):
    """One request at a time."""

    def __init__(self, delivery: _Delivery) -> None:
        self._delivery = delivery
        self._parser = httptools.HttpResponseParser(self)
        self._current: Arrival | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # uvloop's own class is none, but acts as one
        self._delivery.serve(self)

    def data_received(self, data: bytes) -> None:
        self._parser.feed_data(data)

    def on_message_complete(self) -> None:
        self._ended(self._parser.get_status_code())
        self._delivery.serve(self)

    def connection_lost(self, _error: Exception | None) -> None:
        self._ended(0)

    def post(self, arrival: Arrival) -> None:
        self._current = arrival
        self._transport.write(arrival.request)

    def _ended(self, status: int) -> None:
        if self._current is not None:
            arrival, self._current = self._current, None
            self._delivery.answered(arrival, status)
