"""A process that is away during a turn until its lease is over, and then comes back: it is too late."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from tests.crash.engines import Engine, import_clinic, maker
from tests.crash.fleet import Fleet
from tests.crash.standin import Point, StandIn

from gendei.documents import Query
from gendei.messages.keys import OUTBOX
from gendei.providers.stand_in.local_server import serve

PATIENT = "+5511999990001"
PATIENCE_SECONDS = 60
REFUSED = "another process answers a conversation"
"""What a process logs whose commit was refused."""
UNREACHABLE = "could not be recorded: StoreUnavailable"
"""What one logs whose commit did not arrive."""


@dataclass
class SlowModel:
    """An API that answers when it is let; with an error, so that the built-in receptionist answers instead."""

    url: str = ""
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    let: asyncio.Event = field(default_factory=asyncio.Event)

    async def answer(self, request: Request) -> JSONResponse:
        await request.body()
        self.asked.set()
        await self.let.wait()
        return JSONResponse({"error": {"message": "no", "type": "invalid_request_error"}}, status_code=400)


@asynccontextmanager
async def slow_model() -> AsyncIterator[SlowModel]:
    model = SlowModel()
    async with serve(Starlette(routes=[Route("/{path:path}", model.answer, methods=["POST"])])) as model.url:
        try:
            yield model
        finally:
            model.let.set()


async def paused(engine: Engine, folder: Path) -> list[str]:
    """Stop process 0 while it holds a turn, let process 1 answer when the lease is over, and resume process 0: what
    went wrong, in sentences. Takes as long as a lease."""
    return await _away(engine, folder, Point.PAUSED)


async def cut(engine: Engine, folder: Path) -> list[str]:
    """The same, with the line from process 0 to the store cut instead, and mended when its commit has failed."""
    return await _away(engine, folder, Point.CUT)


async def _away(engine: Engine, folder: Path, how: Point) -> list[str]:
    async with AsyncExitStack() as stack:
        documents = await stack.enter_async_context(engine.documents())
        await import_clinic(documents)
        stand_in = StandIn()
        url = await stack.enter_async_context(serve(stand_in))
        model = await stack.enter_async_context(slow_model())
        fleet = Fleet(engine, folder, url, seed=1)
        stack.push_async_callback(fleet.close)

        thinking = {"GENDEI_MODEL": "api", "OPENAI_API_KEY": "sk-unused", "OPENAI_BASE_URL": model.url}
        away = await fleet.start(0, **thinking)
        await fleet.post(maker().text(PATIENT, "quanto custa limpeza?"))
        async with asyncio.timeout(PATIENCE_SECONDS):
            await model.asked.wait()
        fleet.lines[0].cut() if how is Point.CUT else away.pause()
        other = await fleet.start(1)
        await stand_in.graph.wait_sent(1, patience_seconds=PATIENCE_SECONDS)
        await fleet.post_to(other, maker().text(PATIENT, "quanto custa implante?"))
        await stand_in.graph.wait_sent(2, patience_seconds=PATIENCE_SECONDS)
        model.let.set()
        if how is Point.CUT:
            await away.logged(UNREACHABLE)
            fleet.lines[0].mend()
        else:
            away.resume()
            await away.logged(REFUSED)
        await other.stop()
        await fleet.post(maker().text(PATIENT, "quanto custa aparelho?"))
        await stand_in.graph.wait_sent(3, patience_seconds=PATIENCE_SECONDS)
        await away.stop()

        texts = [sent.text.splitlines()[-1].partition(":")[0] for sent in stand_in.graph.sent]
        wrongs = [] if texts == ["• Limpeza", "• Implante", "• Aparelho"] else [f"the patient read {texts}"]
        wrongs += [] if stand_in.slots == [1, 1, 0] else [f"messages came from {stand_in.slots}"]
        entries = await documents.query(Query(OUTBOX))
        return wrongs + ([] if len(entries) == len(texts) else [f"{len(entries)} replies were committed"])
