"""The load client, in a process of its own: signed webhooks over kept-alive connections, made before the clock runs.

`python -m bench.load` reads a `Plan` as JSON on its command line and prints a `Leg` as JSON.
"""

import asyncio
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from time import perf_counter, process_time
from typing import cast

import httptools

from bench.loop import run
from gendei.providers.stand_in.phone import WebhookMaker


@dataclass(frozen=True, slots=True)
class Plan:
    """What to post and where. It ends after `requests` or `seconds`; the first `warm` answers are not measured."""

    port: int
    secret: str
    phone_number_id: str
    connections: int
    requests: int
    warm: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Leg:
    """What came of it. `accepted`: answers with status 200, warm ones too; `refused`: all others, and connections
    that broke. `per_second`: of the measured answers; p50, p99, worst: their latencies in milliseconds. `cpu_share`:
    of one core, of this client, while it measured."""

    accepted: int
    refused: int
    per_second: float
    p50: float
    p99: float
    worst: float
    cpu_share: float


def requests(plan: Plan) -> list[bytes]:
    """Whole HTTP requests: each a text of another patient, with an id of its own."""
    maker = WebhookMaker(plan.secret.encode(), plan.phone_number_id)
    made = []
    for number in range(plan.requests):
        body, headers = maker.text(f"+55119{number:08d}", "Oi, queria marcar uma consulta amanhã de tarde, tem vaga?")
        lines = [
            "POST /webhooks/meta HTTP/1.1",
            f"Host: 127.0.0.1:{plan.port}",
            "Accept: */*",
            "User-Agent: facebookexternalua",
            f"Content-Length: {len(body)}",
            *(f"{name}: {value}" for name, value in headers.items()),
        ]
        made.append("\r\n".join([*lines, "", ""]).encode() + body)
    return made


class Run:
    """The state that all connections share."""

    def __init__(self, plan: Plan) -> None:
        self._requests: Iterator[bytes] = iter(requests(plan))
        self._warm = plan.warm
        self._seconds = plan.seconds
        self._open = plan.connections
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.accepted = 0
        self.refused = 0
        self.latencies: list[float] = []
        self.began, self.began_cpu = perf_counter(), process_time()
        self._deadline = self.began + plan.seconds

    def next(self) -> bytes | None:
        """The next request, or None when it is time to end."""
        return next(self._requests, None) if perf_counter() < self._deadline else None

    def answered(self, status: int, latency: float) -> None:
        if status == 200:
            self.accepted += 1
        else:
            self.refused += 1
        answers = self.accepted + self.refused
        if answers > self._warm:
            self.latencies.append(latency)
        elif answers == self._warm:
            self.began, self.began_cpu = perf_counter(), process_time()
            self._deadline = self.began + self._seconds

    def left(self) -> None:
        """A connection has ended."""
        self._open -= 1
        if not self._open:
            self.done.set_result(None)


class Connection(asyncio.Protocol):
    """One request at a time, the next as soon as the answer is whole."""

    def __init__(self, state: Run) -> None:
        self._run = state
        self._parser = httptools.HttpResponseParser(self)
        self._sent = 0.0
        self._waiting = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # uvloop's own class is none, but acts as one
        self._post()

    def data_received(self, data: bytes) -> None:
        self._parser.feed_data(data)

    def on_message_complete(self) -> None:
        self._run.answered(self._parser.get_status_code(), perf_counter() - self._sent)
        self._post()

    def connection_lost(self, _error: Exception | None) -> None:
        self._run.refused += self._waiting
        self._run.left()

    def _post(self) -> None:
        request = self._run.next()
        self._waiting = request is not None
        if request is None:
            self._transport.close()
            return
        self._sent = perf_counter()
        self._transport.write(request)


async def measure(plan: Plan) -> Leg:
    state = Run(plan)
    loop = asyncio.get_running_loop()
    for _ in range(plan.connections):
        await loop.create_connection(lambda: Connection(state), "127.0.0.1", plan.port)
    await state.done
    took, cpu = perf_counter() - state.began, process_time() - state.began_cpu
    ordered = sorted(state.latencies) or [float("nan")]
    return Leg(
        accepted=state.accepted,
        refused=state.refused,
        per_second=len(state.latencies) / took,
        p50=1000 * ordered[len(ordered) // 2],
        p99=1000 * ordered[len(ordered) * 99 // 100],
        worst=1000 * ordered[-1],
        cpu_share=cpu / took,
    )


def main() -> None:
    print(json.dumps(asdict(run(measure(Plan(**json.loads(sys.argv[1])))))))


if __name__ == "__main__":
    main()
