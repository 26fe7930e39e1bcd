"""Load as Meta brings it: what one process holds with turns running, and the same bodies at an application on pywa."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from shutil import copy
from statistics import median

from bench.arrivals import Answer, Arrival, deliver
from bench.children import GENDEI, PYTHON, ChildFailed, until_serving
from bench.mix import STATUSES_PER_MESSAGE, mixed, references_for, remember_sent
from bench.report import Figure, Section
from bench.sizes import Sizes
from bench.town import SERVE, TimedGraph, Town, found_town, http_request, open_graph, percentile, served
from gendei.providers.stand_in.phone import SignedBody

GOAL_RATE = 3300
"""Meta: capacity of 3 times the outgoing plus the incoming rate; its highest rate of one number is 1,000 a second."""
GOAL_PYWA = 1.0
MOST_MEDIAN, MOST_SLOW, SLOW_SECONDS = 0.25, 0.01, 1.0
"""Meta: a median of 250 ms, and less than 1 % above a second."""
MOST_LAG = 1.0
"""Seconds beyond the quiet window after which a median answer counts as late: the turns fall behind."""
RISE = 1.4
MOST_TRIES = 3
CONNECTIONS = 128
QUIET_SECONDS = 2.0
NO_TURNS = {"GENDEI_QUIET_SECONDS": "60"}
PYWA = (*PYTHON, "bench.pywa_app")
SERVE_TWO = (*GENDEI, "serve", "--workers", "2", "--port")
Webhooks = Sequence[tuple[str | None, SignedBody]]


@dataclass(frozen=True, slots=True)
class Step:
    """What came of a rate. median, worst, slow: of the latency in seconds, and the share above SLOW_SECONDS; lag:
    the median of what answers took beyond the quiet window, infinite where that many got none; lost: refused."""

    rate: float
    median: float
    worst: float
    slow: float
    lag: float
    lost: int

    @property
    def is_taken_in(self) -> bool:
        return not self.lost and self.median < MOST_MEDIAN and self.slow < MOST_SLOW

    @property
    def is_held(self) -> bool:
        return self.is_taken_in and self.lag < MOST_LAG

    def __str__(self) -> str:
        return f"{self.rate:.0f}/s: {1000 * self.median:.0f} ms, {self.slow:.1%} slow, answers {self.lag:+.1f} s"


@dataclass(frozen=True, slots=True)
class Holds:
    """What processes hold: the steps of the rising load, and the rate that was confirmed."""

    steps: Sequence[Step]
    held: Step

    @property
    def answered(self) -> float:
        return self.held.rate if self.held.is_held else 0

    @property
    def taken_in(self) -> float:
        return max((step.rate for step in self.steps if step.is_taken_in), default=0.0)

    def __str__(self) -> str:
        rising = "; ".join(map(str, self.steps))
        return f"rising: {rising}; held: {self.held}, worst {1000 * self.held.worst:.0f} ms"


def measure_mixed(workdir: Path, sizes: Sizes) -> Section:
    """Raises ChildFailed, also where the store does not hold what was answered with 200."""
    town = found_town(workdir, sizes.clinics)
    rates = [sizes.first_rate * RISE**step for step in range(sizes.steps)]
    most = max(sizes.mix_webhooks, int(sum(rates) * sizes.step_seconds), int(rates[-1] * sizes.held_seconds)) + 1
    webhooks = mixed(town, remember_sent(town, references_for(most)), most)
    ours, pywa = [], []
    for _ in range(sizes.mix_rounds):
        ours.append(asyncio.run(_closed(SERVE, town, workdir, webhooks[: sizes.mix_webhooks])))
        pywa.append(asyncio.run(_closed(PYWA, town, workdir, webhooks[: sizes.mix_webhooks])))
    one, two = (asyncio.run(_holds(command, town, workdir, webhooks, rates, sizes)) for command in (SERVE, SERVE_TWO))
    ratio = median(our / their for our, their in zip(ours, pywa, strict=True))
    return Section(
        title="Load: statuses and messages, with turns running",
        figures=(
            Figure("the mix, answered in time", one.answered, "at least", GOAL_RATE, "/s"),
            Figure("the mix, taken in within Meta's limits", one.taken_in, "at least", GOAL_RATE, "/s"),
            Figure("the mix, answered in time, two processes", two.answered, "at least", GOAL_RATE, "/s"),
            Figure("the mix, taken in, two processes", two.taken_in, "at least", GOAL_RATE, "/s"),
            Figure("the mix as fast as it goes, ours / pywa", ratio, "at least", GOAL_PYWA),
        ),
        method=_method(sizes),
        seen=(
            f"as fast as it goes: ours {_rates(ours)}, durable; pywa {_rates(pywa)}, nothing kept",
            f"one process, {one}",
            f"two processes (--workers 2), {two}",
            f"held rates are of {sizes.held_seconds:g} s in fresh processes; stored was every message that was "
            f"answered with 200, and every status",
        ),
    )


def _rates(legs: Sequence[float]) -> str:
    return f"{median(legs):.0f}/s (legs: {', '.join(f'{leg:.0f}' for leg in legs)})"


def _method(sizes: Sizes) -> str:
    return (
        f"One `gendei serve`, and then two processes of it, on a SQLite file (synchronous=FULL), {sizes.clinics} "
        f"clinics, the guided model and the ordinary quiet window of {QUIET_SECONDS:g} s; the Graph API's stand-in "
        f"and the client are the bench's own process. {STATUSES_PER_MESSAGE} statuses (sent, delivered, read, by "
        f"reference, of messages that stand in the store) to one message of a new patient; one event a webhook. "
        f"Webhooks come at their moments over {CONNECTIONS} connections, whatever became of those before; latency "
        f"runs from that moment. The rate rises by {RISE - 1:.0%} every {sizes.step_seconds:g} s until Meta's "
        f"limits (median {1000 * MOST_MEDIAN:.0f} ms, {MOST_SLOW:.0%} above {SLOW_SECONDS:g} s) are broken: the "
        f"last step before is what is taken in. A rate is held when moreover answers leave within {MOST_LAG:g} s "
        f"of the quiet window's end in the last third of {sizes.held_seconds:g} s in a fresh process. Beside it, "
        f"as fast as it goes and without turns, by turns in fresh processes: the same {sizes.mix_webhooks} "
        f"webhooks at ours and at a FastAPI application on pywa whose handlers do nothing."
    )


async def _closed(command: Sequence[str], town: Town, workdir: Path, webhooks: Webhooks) -> float:
    """Webhooks a second when each connection posts its next as soon as it may; no turn begins."""
    database = _fresh(town, workdir)
    async with served(command, town.settings(database, "http://127.0.0.1:9", **NO_TURNS), workdir) as (port, _):
        _, answers = await deliver(
            port, [Arrival(0, http_request(port, webhook)) for _, webhook in webhooks], CONNECTIONS // 2
        )
    if command is SERVE:
        _check_stored(database, webhooks)
    if any(answer.status != 200 for answer in answers):
        raise ChildFailed("a webhook of the mix was refused")
    return len(answers) / max(answer.latency for answer in answers)


async def _holds(
    command: Sequence[str], town: Town, workdir: Path, webhooks: Webhooks, rates: Sequence[float], sizes: Sizes
) -> Holds:
    steps = await _rise(command, town, workdir, webhooks, rates, sizes.step_seconds)
    return Holds(steps, await _confirm(command, town, workdir, webhooks, steps, sizes))


async def _rise(
    command: Sequence[str], town: Town, workdir: Path, webhooks: Webhooks, rates: Sequence[float], seconds: float
) -> Sequence[Step]:
    """Step by step, until webhooks are taken in too slowly."""
    taken: list[tuple[float, Webhooks, float, list[Answer]]] = []
    async with _town_at_work(command, town, _fresh(town, workdir), workdir) as (graph, port):
        for rate in rates:
            some, webhooks = webhooks[: int(rate * seconds)], webhooks[int(rate * seconds) :]
            taken.append((rate, some, *await _deliver(port, some, rate)))
            if not _step(graph, taken[-1], 0).is_taken_in:
                break
        await asyncio.sleep(QUIET_SECONDS + MOST_LAG)
    return [_step(graph, entry, 0) for entry in taken]


async def _confirm(
    command: Sequence[str], town: Town, workdir: Path, webhooks: Webhooks, steps: Sequence[Step], sizes: Sizes
) -> Step:
    """The highest rate that looked as if it could be held, for longer; the next lower ones where it cannot."""
    for rate in [step.rate for step in reversed(steps) if step.is_held][:MOST_TRIES] or [steps[0].rate]:
        some = webhooks[: int(rate * sizes.held_seconds)]
        database = _fresh(town, workdir)
        async with _town_at_work(command, town, database, workdir) as (graph, port):
            began, answers = await _deliver(port, some, rate)
            await asyncio.sleep(QUIET_SECONDS + MOST_LAG)
        _check_stored(database, some)
        step = _step(graph, (rate, some, began, answers), 2 * len(some) // 3)
        if step.is_held:
            break
    return step


@asynccontextmanager
async def _town_at_work(
    command: Sequence[str], town: Town, database: Path, workdir: Path
) -> AsyncIterator[tuple[TimedGraph, int]]:
    """The service with turns running, and its port."""
    async with (
        open_graph() as (graph, url),
        served(command, town.settings(database, url), workdir) as (port, _),
    ):
        if command is SERVE_TWO:
            await asyncio.to_thread(until_serving, port + 1)
        yield graph, port


async def _deliver(port: int, webhooks: Webhooks, rate: float) -> tuple[float, list[Answer]]:
    arrivals = [Arrival(place / rate, http_request(port, webhook)) for place, (_, webhook) in enumerate(webhooks)]
    return await deliver(port, arrivals, CONNECTIONS)


def _step(graph: TimedGraph, taken: tuple[float, Webhooks, float, list[Answer]], lag_from: int) -> Step:
    """`lag_from`: the place of the first webhook whose answers are looked at."""
    rate, webhooks, began, answers = taken
    latencies = [answer.latency for answer in answers]
    lags = [
        graph.answered.get(who, float("inf")) - began - place / rate - QUIET_SECONDS
        for place, (who, _) in enumerate(webhooks)
        if who is not None and place >= lag_from
    ]
    return Step(
        rate=rate,
        median=percentile(latencies, 0.5),
        worst=max(latencies),
        slow=sum(latency > SLOW_SECONDS for latency in latencies) / len(latencies),
        lag=percentile(lags, 0.5),
        lost=sum(answer.status != 200 for answer in answers),
    )


def _fresh(town: Town, workdir: Path) -> Path:
    return Path(copy(town.database, workdir / "load.db"))


def _check_stored(database: Path, webhooks: Webhooks) -> None:
    """Every message is in the inbox, and every "read" at the message that it is about."""
    messages = sum(who is not None for who, _ in webhooks)
    read = sum(b'"status": "read"' in body for _, (body, _) in webhooks)
    with closing(sqlite3.connect(database)) as connection:
        ((inbox,),) = connection.execute("SELECT count(*) FROM documents WHERE collection = 'gendei_inbox'")
        ((shown,),) = connection.execute(
            "SELECT count(*) FROM documents WHERE collection = 'gendei_outbox' AND data ->> 'deliveryState' = 'read'"
        )
    if (inbox, shown) != (messages, read):
        raise ChildFailed(f"of {messages} messages and {read} read statuses, {inbox} and {shown} are stored")
