"""The crash rig: patients write, processes die, and in the end everything must be as if nothing had happened."""

import asyncio
import random
from collections import Counter
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from tests.crash.engines import Engine, clinic, import_clinic, maker
from tests.crash.fleet import Fleet, NotStarted
from tests.crash.patients import Patient
from tests.crash.standin import KILLS, Point, StandIn, Trap
from tests.crash.verdict import Verdict, expected_events, judge

from gendei.documents import Documents, Query
from gendei.messages.keys import EVENTS, INBOX, OUTBOX
from gendei.providers.stand_in.graph import Sent
from gendei.providers.stand_in.local_server import serve
from gendei.providers.stand_in.phone import SignedBody

SETTLE_SECONDS = 120.0
TRAP_SECONDS = 5.0
FINISH_SECONDS = 180.0
"""After the last kill: longer than the slowest recovery, and a second one after it."""
MOST_AT_ONCE = 16
"""Patients. On a machine that cannot keep up, more would only measure how far it falls behind."""
AWAY_SECONDS = 13.0
"""Longer than a lease."""
DELIVERED_AGAIN = 0.1
"""The share of webhooks that come once more although they were answered with 200."""


@dataclass(frozen=True)
class Plan:
    """What to do. `seconds`: how long processes are killed and new patients come. `arrivals`: new patients a second,
    whether or not earlier ones have their answers, up to MOST_AT_ONCE. `questions`: of each patient, beside a booking.
    `each`: after so many kills at every point it is over earlier."""

    seconds: float = 60.0
    processes: int = 1
    seed: int = 1
    arrivals: float = 1.5
    questions: int = 6
    points: tuple[Point, ...] = tuple(Point)
    each: int | None = None

    def on(self, engine: Engine) -> "Plan":
        """Without what cannot be done: a file is not cut off, and somebody has to answer meanwhile."""
        alone, is_file = self.processes == 1, engine.server is None
        left_out = {Point.PAUSED, Point.CUT} if alone else {Point.CUT} if is_file else set()
        return replace(self, points=tuple(point for point in self.points if point not in left_out))


@dataclass(frozen=True)
class Report:
    """What was done, and how it ended. `events`: what followers were to be told of the agenda; `given`: how often they
    were told. `waits`: seconds from each accepted message to its answer."""

    plan: Plan
    engine: str
    kills: Counter[Point]
    patients: int
    messages: int
    answers: int
    appointments: int
    events: int
    given: int
    waits: list[float]
    verdict: Verdict

    @property
    def line(self) -> str:
        return (
            f"{self.engine}, {self.plan.processes} processes, seed {self.plan.seed}: "
            f"kills {sum(self.kills[point] for point in KILLS)}, pauses {self.kills[Point.PAUSED]}, "
            f"cuts {self.kills[Point.CUT]}, patients {self.patients}, messages {self.messages}, "
            f"answers {self.answers}, appointments {self.appointments}, events {self.events} given {self.given} times, "
            f"{self.verdict.counts}"
        )

    @property
    def details(self) -> list[str]:
        points = ", ".join(f"{point} {self.kills[point]}" for point in self.plan.points)
        waits = f"median {median(self.waits):.1f} s, longest {max(self.waits):.1f} s" if self.waits else "none"
        return [f"done to processes: {points}", f"from accept to answer: {waits}", *self.verdict.wrongs]


class Rig:
    """One run."""

    def __init__(self, plan: Plan, fleet: Fleet, stand_in: StandIn) -> None:
        self.kills: Counter[Point] = Counter()
        self.patients: list[Patient] = []
        self._plan, self._fleet, self._stand_in = plan, fleet, stand_in
        self._dice = random.Random(plan.seed)
        stand_in.told = self._told
        self._trap = stand_in.trap = Trap(self._kill)
        self._aim = Point.RANDOM
        self._away: asyncio.Task[None] | None = None
        self._until = 0.0
        self._group = asyncio.TaskGroup()
        self._maker = maker()

    async def run(self, documents: Documents) -> None:
        """Returns when all patients are done, every process runs, nothing is open and every status was delivered."""
        self._until = asyncio.get_running_loop().time() + self._plan.seconds
        async with asyncio.TaskGroup() as self._group:
            coming = self._group.create_task(self._patients_come())
            await self._keep_killing()
            await asyncio.gather(*await coming)
            await settled(documents)

    def _told(self, sent: Sent) -> None:
        """The stand-in took a message: its status follows after a moment."""
        self._group.create_task(self._deliver(sent, self._dice.uniform(0.05, 1.0)))

    async def _deliver(self, sent: Sent, after: float) -> None:
        await asyncio.sleep(after)
        await self._fleet.post(self._maker.status(sent.id, "delivered", sent.reference))

    @property
    def _over(self) -> bool:
        return asyncio.get_running_loop().time() >= self._until or not self._points_left()

    def _points_left(self) -> list[Point]:
        each = self._plan.each
        return [point for point in self._plan.points if each is None or self.kills[point] < each]

    async def _patients_come(self) -> list[asyncio.Task[None]]:
        living: list[asyncio.Task[None]] = []
        while not self._over:
            waiting = [item for item in living if not item.done()]
            if len(waiting) >= MOST_AT_ONCE:
                await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED, timeout=1)
                continue
            number = len(self.patients)
            dice = random.Random(f"{self._plan.seed} {number}")
            patient = Patient(number, self._maker, self._stand_in.graph, dice)
            self.patients.append(patient)
            living.append(self._group.create_task(patient.live(self._post, self._plan.questions)))
            await asyncio.sleep(self._dice.uniform(0, 2 / self._plan.arrivals))
        return living

    async def _post(self, signed: SignedBody) -> None:
        server = await self._fleet.post(signed)
        await self._trap.spring(Point.ACCEPTED, server.slot)
        if self._dice.random() < DELIVERED_AGAIN:
            self._group.create_task(self._fleet.post(signed))

    async def _keep_killing(self) -> None:
        """Each point in turn, in an order that the seed shuffles, and a kill at random before each."""
        left: list[Point] = []
        while not self._over:
            points = self._points_left()
            self._somebody_leaves([point for point in points if point not in KILLS])
            await asyncio.sleep(self._dice.uniform(0.3, 1.5))
            if Point.RANDOM in points and (running := self._running()):
                self._aim = Point.RANDOM
                await self._kill(self._dice.choice(running))
                await asyncio.sleep(self._dice.uniform(0.3, 1.5))
            seen = [point for point in points if point in KILLS and point is not Point.RANDOM]
            left = left or self._dice.sample(seen, len(seen))
            if not left:
                continue
            self._aim = left.pop()
            self._trap.arm(self._aim)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._trap.sprung.wait(), TRAP_SECONDS)
            self._trap.disarm()

    def _running(self) -> list[int]:
        return [slot for slot, server in sorted(self._fleet.servers.items()) if server.runs]

    def _somebody_leaves(self, ways: list[Point]) -> None:
        """Every other time, where several run and nobody is away."""
        nobody_away = self._away is None or self._away.done()
        if ways and nobody_away and len(running := self._running()) > 1 and self._dice.random() < 0.5:
            point = self._dice.choice(ways)
            self.kills[point] += 1
            self._away = self._group.create_task(self._send_away(self._dice.choice(running), point))

    async def _send_away(self, slot: int, point: Point) -> None:
        """For longer than a lease."""
        server = self._fleet.servers[slot]
        line = self._fleet.lines.get(slot) if point is Point.CUT else None
        if line is None:
            server.pause()
            await asyncio.sleep(AWAY_SECONDS)
            server.resume()
        else:
            line.cut()
            await asyncio.sleep(AWAY_SECONDS)
            line.mend()

    async def _kill(self, slot: int) -> bool:
        server = self._fleet.servers[slot]
        if not server.runs:
            return False
        self.kills[self._aim] += 1
        await server.kill()
        self._group.create_task(self._start_again(slot, self._dice.uniform(0, 1)))
        return True

    async def _start_again(self, slot: int, after: float) -> None:
        """Again and again where the store cannot be reached just then."""
        await asyncio.sleep(after)
        while not self._fleet.servers[slot].runs:
            with suppress(NotStarted):
                await self._fleet.start(slot)


async def crash(plan: Plan, engine: Engine, folder: Path) -> Report:
    """Run the rig on a fresh database, with its processes' files in `folder`."""
    async with AsyncExitStack() as stack:
        documents = await stack.enter_async_context(engine.documents())
        await import_clinic(documents)
        stand_in = StandIn()
        url = await stack.enter_async_context(serve(stand_in))
        fleet = Fleet(engine, folder, url, plan.seed)
        stack.push_async_callback(fleet.close)
        await asyncio.gather(*(fleet.start(slot) for slot in range(plan.processes)))
        plan = plan.on(engine)
        rig = Rig(plan, fleet, stand_in)
        with suppress(TimeoutError):  # and the verdict says what is missing
            async with asyncio.timeout(plan.seconds + FINISH_SECONDS):
                await rig.run(documents)
        await asyncio.gather(*(server.stop() for server in fleet.servers.values()))
        verdict = await judge(documents, stand_in, rig.patients)
        booked = await documents.query(Query(f"gendei_clinics/{clinic().id}/appointments"))
        return Report(
            plan=plan,
            engine=engine.name,
            kills=rig.kills,
            patients=len(rig.patients),
            messages=sum(len(patient.asked) for patient in rig.patients),
            answers=len(stand_in.graph.sent),
            appointments=len(booked),
            events=sum(len(expected_events(snapshot.data or {})) for snapshot in booked),
            given=len(stand_in.given),
            waits=_waits(stand_in, rig.patients),
            verdict=verdict,
        )


async def settled(documents: Documents) -> None:
    """Until no message waits, no reply is open and no event is to be followed; or not, and then the verdict says what
    is left."""
    waiting = Query(INBOX, where=(("status", "==", "waiting"),), order_by=(("receivedAt", False),), limit=1)
    outgoing = Query(OUTBOX, where=(("open", "==", True),), order_by=(("dueAt", False),), limit=1)
    left = (waiting, outgoing, Query(EVENTS, limit=1))
    loop = asyncio.get_running_loop()
    end = loop.time() + SETTLE_SECONDS
    while loop.time() < end and any([await documents.query(value) for value in left]):  # noqa: ASYNC110 - other processes tell no event
        await asyncio.sleep(0.5)


def _waits(stand_in: StandIn, patients: list[Patient]) -> list[float]:
    at = {sent.id: moment for sent, moment in zip(stand_in.graph.sent, stand_in.moments, strict=True)}
    return [
        max(0.0, at[sent.id] - asked.at)
        for patient in patients
        for asked in patient.asked
        for sent in patient.heard
        if asked.is_answered_by(sent)
    ]
