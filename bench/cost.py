"""`python -m bench.cost`: what the service reads and writes in Firestore, counted at the port, and what that costs.

The counts are exact and the same every time: `tests/test_cost.py` holds them, and `docs/costs.md` shows them.
"""

import asyncio
import sys
import tempfile
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path, PurePath
from types import FrameType

import httpx
from tests.followers import Recorder
from tests.journeys.phone import Phone
from tests.journeys.town import AURORA, NOW, Town, clinics, open_town, settings_for
from tests.web.api.conftest import NOBODY_SENDS, ORIGINS, bearer, with_site

from gendei.app import open_gendei
from gendei.channel_kinds import WEB
from gendei.clock import MovableClock, clock_from
from gendei.conversation.site.live_line import Caller, LiveLine
from gendei.conversation.site.visitor_tokens import anonymous
from gendei.conversation.speech.voice_notes import Transcript
from gendei.conversation.stored.history import Author
from gendei.documents import Documents, Query, Snapshot, Write
from gendei.messages.turns import Hearing
from gendei.staff.actors import Right
from gendei.store.sqlite import SqliteDocuments
from gendei.web.app import app_for

PRICES = (0.03, 0.09, 0.01)
"""US dollars for 100,000 reads, writes and deletes: Google's list for Firestore in Oregon (us-west1). The multi-region
of the United States costs twice as much; other regions lie between or above."""
CONVERSATIONS = 1000
IDLE, IDLE_EVENTS = "idle process, each sweep (5 s)", "idle process, each look for events (60 s)"
TAPS = ("Marcar horário", "Limpeza", "ter 24/11 14h", "Confirmar")
STAGES = {
    "intake.py:take_in": "webhook",
    "worker.py:_work": "turn",
    "outbox.py:_send_open": "sending",
    "expiry.py:purge_expired": "sweep",
    "following.py:sweep": "sweep of events",
    **{f"{module}.py:sweep": "sweep" for module in ("worker", "outbox", "echoes", "fetching")},
}
"""The functions that begin each stage of a message's way."""


@dataclass(frozen=True, slots=True)
class Operations:
    """What Firestore bills: a read for each document that is asked for, there or not; for a query one for each document
    that it gives, and at least one; a write or a delete for each document of a commit."""

    reads: int = 0
    writes: int = 0
    deletes: int = 0

    def __add__(self, other: "Operations") -> "Operations":
        return Operations(self.reads + other.reads, self.writes + other.writes, self.deletes + other.deletes)

    def __sub__(self, other: "Operations") -> "Operations":
        return Operations(self.reads - other.reads, self.writes - other.writes, self.deletes - other.deletes)

    def __mul__(self, times: int) -> "Operations":
        return Operations(self.reads * times, self.writes * times, self.deletes * times)

    @property
    def dollars(self) -> float:
        used = (self.reads, self.writes, self.deletes)
        return sum(count * price for count, price in zip(used, PRICES, strict=True)) / 100_000


class Counting:
    """A store that counts what is asked of it, by the stage that asks."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._counted: dict[str, Operations] = defaultdict(Operations)

    def taken(self) -> Mapping[str, Operations]:
        """What was counted since the last call, by stage."""
        counted, self._counted = self._counted, defaultdict(Operations)
        return counted

    async def get(self, path: str) -> Snapshot:
        self._count(Operations(reads=1))
        return await self._documents.get(path)

    async def get_many(self, paths: Sequence[str]) -> list[Snapshot]:
        self._count(Operations(reads=len(set(paths))))
        return await self._documents.get_many(paths)

    async def query(self, query: Query) -> list[Snapshot]:
        stage = _stage(sys._getframe(1))
        found = await self._documents.query(query)
        self._counted[stage] += Operations(reads=max(1, len(found)))
        return found

    async def commit(self, writes: Sequence[Write]) -> None:
        deletes = sum(write.data is None for write in writes)
        self._count(Operations(0, len(writes) - deletes, deletes))
        await self._documents.commit(writes)

    @asynccontextmanager
    async def watch(self, query: Query) -> AsyncIterator[AsyncIterator[list[Snapshot]]]:
        async with self._documents.watch(query) as results:
            yield self._counted_results(results)

    async def close(self) -> None:
        await self._documents.close()

    async def _counted_results(self, results: AsyncIterator[list[Snapshot]]) -> AsyncIterator[list[Snapshot]]:
        """A document that comes into a watched result, or changes in it, is a read."""
        seen: dict[str, object] = {}
        async for result in results:
            now = {snapshot.path: snapshot.version for snapshot in result}
            self._counted["watch"] += Operations(reads=sum(seen.get(path) != now[path] for path in now))
            seen = now
            yield result

    def _count(self, operations: Operations) -> None:
        self._counted[_stage(sys._getframe(2))] += operations


def _stage(frame: FrameType | None) -> str:
    """By the outermost known function that waits for `frame`."""
    stage = "other"
    while frame is not None:
        stage = STAGES.get(f"{PurePath(frame.f_code.co_filename).name}:{frame.f_code.co_name}", stage)
        frame = frame.f_back
    return stage


def total(counted: Mapping[str, Operations]) -> Operations:
    """All stages together, without the sweeps, which go by time and not by message."""
    return sum((used for stage, used in counted.items() if not stage.startswith("sweep")), Operations())


async def measure(folder: Path) -> dict[str, Operations]:
    """What is counted, by what it is for. `folder` takes the database."""
    counting = Counting(await SqliteDocuments.open(str(folder / "cost.db")))
    async with open_town(folder, outsiders=False, documents=counting) as town:
        ana = Phone(town, "+5511999990001", "Ana Prado")
        rows = await _ordinary(town, ana, counting)
        rows |= await _statuses(town, ana, counting)
        rows |= await _booking(Phone(town, "+5511999990002", "Bia Prado"), counting)
        messaging = town.gendei.messaging
        for sweeping in (messaging.worker, messaging.outbox, messaging.echoes, messaging.fetcher):
            if sweeping is not None:
                await sweeping.sweep()
        rows[IDLE] = counting.taken()["sweep"]
        await messaging.following.sweep()
        rows[IDLE_EVENTS] = counting.taken()["sweep of events"]
        rows["booking that a follower is told of, in addition"] = await _followed(town, counting)
        return rows


async def measure_chats(folder: Path) -> dict[str, Operations]:
    """The same of what comes by other ways than webhooks: a second message of a visitor of the clinic's web site, a
    second question of a live call, and errands of staff's assistant; each a minute after the one before."""
    counting = Counting(await SqliteDocuments.open(str(folder / "chats.db")))
    clock = MovableClock(clock_from(NOW))
    async with open_gendei(settings_for(folder, NOBODY_SENDS), documents=counting, clock=clock) as gendei:
        for clinic in clinics():
            await gendei.directory.import_clinic(with_site(clinic))
        staff = await bearer(gendei, AURORA, Right.READ, Right.WRITE)
        site = {"Origin": ORIGINS[AURORA]}

        async def counted(doing: Awaitable[object]) -> Operations:
            await doing
            await gendei.messaging.idle()
            clock.move_to(clock() + timedelta(minutes=1))
            return total(counting.taken())

        transport = httpx.ASGITransport(app_for(gendei))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1/api/v1") as client:

            async def say(words: str, who: Mapping[str, str]) -> Operations:
                return await counted(client.post("/chat", json={"message": words}, headers=dict(who)))

            visit = (await client.post("/chat/visits", json={"site": AURORA}, headers=site)).json()
            visitor = {"Authorization": f"Bearer {visit['token']}", **site}
            await say("oi", visitor)
            rows = {"web site: message and its answer": await say("onde fica?", visitor)}
            await say("oi", staff)
            rows["assistant: what there is tomorrow"] = await say("o que tenho amanhã?", staff)
            made = await say("cria tarefa comprar luvas", staff) + await say("sim", staff)
            rows["assistant: a task, with its yes (2 messages)"] = made
        messaging, caller = gendei.messaging, Caller(anonymous(AURORA), WEB, AURORA)
        line = LiveLine(caller, messaging.inbox, messaging.web, messaging.worker.notify_whole, clock)
        async with aclosing(line.follow()) as news:
            await anext(news)

            async def ask(words: str) -> None:
                await line.spoken(Transcript(Hearing.SURE, words, 2.0, 0.9))
                while all(message.author is not Author.BOT for message in await anext(news)):
                    continue

            await counted(ask("oi"))
            rows["live call: question and its answer"] = await counted(ask("onde fica?"))
        return rows


PRICING = {"billable": True, "pricing_model": "PMP", "type": "regular", "category": "service"}
"""What Meta tells of a message's price, which costs no write of its own."""


async def _ordinary(town: Town, ana: Phone, counting: Counting) -> dict[str, Operations]:
    await ana.say("oi")
    counting.taken()
    await ana.say("onde fica?")
    counted = counting.taken()
    stages = {f"ordinary message: {stage}": counted[stage] for stage in ("webhook", "turn", "sending")}
    return {**stages, "ordinary message, all of it": total(counted)}


async def _statuses(town: Town, ana: Phone, counting: Counting) -> dict[str, Operations]:
    rows = {}
    for state in ("sent", "delivered", "read"):
        await town.post(town.maker().status(ana.last.id, state, ana.last.reference, pricing=PRICING))
        await town.idle()
        rows[f"status webhook: {state}"] = total(counting.taken())
    return rows


async def _followed(town: Town, counting: Counting) -> Operations:
    """What the event of a booking adds to it, from the commit until it is followed."""
    await town.book("+5511999990003", "Caio Prado", "2026-11-25T14:00")
    without = total(counting.taken())
    town.gendei.messaging.following.register(Recorder())
    await town.book("+5511999990004", "Davi Prado", "2026-11-25T15:00")
    await town.idle()
    return total(counting.taken()) - without


async def _booking(bia: Phone, counting: Counting) -> dict[str, Operations]:
    """A whole conversation of somebody new, who taps her way to a booking."""
    await bia.say("oi")
    for title in TAPS:
        await bia.tap(title)
    return {"booking by taps (5 messages)": total(counting.taken())}


def conversation(rows: Mapping[str, Operations]) -> Operations:
    """A booking by taps with every status of its five answers, and the deletion of its ten entries when they expire."""
    statuses = sum((rows[f"status webhook: {state}"] for state in ("sent", "delivered", "read")), Operations())
    messages = len(TAPS) + 1
    return rows["booking by taps (5 messages)"] + statuses * messages + Operations(deletes=2 * messages)


def render(rows: Mapping[str, Operations]) -> str:
    """The table of `docs/costs.md`."""
    all_of_it = {**rows, "conversation with a booking": conversation(rows)}
    lines = ["| what | reads | writes | deletes |", "|---|---|---|---|"]
    lines += [f"| {name} | {used.reads} | {used.writes} | {used.deletes} |" for name, used in all_of_it.items()]
    price = (conversation(rows) * CONVERSATIONS).dollars
    idle = (rows[IDLE] * (24 * 3600 // 5) + rows[IDLE_EVENTS] * (24 * 60)).dollars
    lines += ["", f"{CONVERSATIONS:,} such conversations: ${price:.2f}. An idle process: ${idle:.3f} a day."]
    return "\n".join(lines)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        print(render(asyncio.run(_all(Path(folder)))))


async def _all(folder: Path) -> dict[str, Operations]:
    return await measure(folder) | await measure_chats(folder)


if __name__ == "__main__":
    main()
