"""Everything at once: floods of text, hostile sockets, half-said requests, and patients who want an answer."""

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from tests.attacks.strangers import Stranger, half_said, open_socket
from tests.crash.engines import NAMES, Engine, engine_named, import_clinic, maker
from tests.crash.fleet import Fleet, Server
from tests.crash.patients import Patient
from tests.crash.standin import StandIn
from tests.emulator import NoEmulator

from gendei.clinic import Contact
from gendei.documents import Query
from gendei.messages.keys import INBOX
from gendei.providers.stand_in.local_server import serve

QUIET_SECONDS = 2.0
ANSWER_SECONDS = 10.0
"""From the end of the quiet window."""
MOST_MEMORY = 600_000_000
PATIENTS, MESSAGES, SOCKETS, SLOW = 60, 30, 500, 200
NASTY = ("ate ", "+55", "1 ", "um ", "1:1 ", "de ", "às ", "@", "(", "\n")
HOSTILE = Contact("+5511988880000")
pytestmark = pytest.mark.slow


@pytest.fixture(params=NAMES)
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    try:
        with engine_named(request.param, tmp_path) as engine:
            yield engine
    except NoEmulator as missing:
        pytest.skip(str(missing))


@pytest.fixture
async def stand_in() -> StandIn:
    return StandIn()


@pytest.fixture
async def fleet(engine: Engine, stand_in: StandIn, tmp_path: Path) -> AsyncIterator[Fleet]:
    """Two processes on one store."""
    async with engine.documents() as documents, serve(stand_in) as url:
        await import_clinic(documents)
        fleet = Fleet(engine, tmp_path, url, seed=1, quiet=QUIET_SECONDS)
        try:
            await asyncio.gather(*(fleet.start(slot) for slot in range(2)))
            yield fleet
        finally:
            await fleet.close()


@pytest.fixture
async def strangers() -> AsyncIterator[list[Stranger]]:
    """Who came; they leave at the end."""
    known: list[Stranger] = []
    yield known
    for stranger in known:
        await stranger.leave()


async def test_under_hostile_text_and_sockets_every_other_patient_is_answered_in_time(
    fleet: Fleet, stand_in: StandIn, engine: Engine, strangers: list[Stranger]
) -> None:
    await come(fleet, strangers)
    flood = asyncio.create_task(write_floods(fleet))
    patients = [Patient(number, maker(), stand_in.graph, random.Random(number)) for number in range(PATIENTS)]
    await asyncio.gather(*(patient.live(lambda signed: post(fleet, signed), 1) for patient in patients))
    await flood

    at = {sent.id: moment for sent, moment in zip(stand_in.graph.sent, stand_in.moments, strict=True)}
    waits = [
        min((at[sent.id] for sent in patient.heard if asked.is_answered_by(sent)), default=float("inf")) - asked.at
        for patient in patients
        for asked in patient.asked
    ]
    assert len(waits) >= PATIENTS
    assert max(waits) <= QUIET_SECONDS + ANSWER_SECONDS
    assert max(memory(server) for server in fleet.servers.values()) <= MOST_MEMORY
    async with engine.documents() as documents:
        kept = await documents.query(Query(INBOX))
    assert len([entry for entry in kept if (entry.data or {})["contact"] == HOSTILE]) == MESSAGES


async def post(fleet: Fleet, signed: tuple[bytes, dict[str, str]]) -> None:
    await fleet.post(signed)


async def write_floods(fleet: Fleet) -> None:
    """Thirty messages of 4,096 characters by one sender, in one quiet window."""
    texts = ((NASTY[number % len(NASTY)] * 4096)[:4096] for number in range(MESSAGES))
    await asyncio.gather(*(fleet.post(maker().text(HOSTILE, text)) for text in texts))


async def come(fleet: Fleet, strangers: list[Stranger]) -> None:
    """Sockets with unfinished messages and requests that are half-said, on every process."""

    async def pouring(server: Server, path: str) -> None:
        with suppress(OSError):
            stranger = await open_socket(server.url, path, server.url)
            strangers.append(stranger)
            await stranger.pour(2_000_000)

    async def slow(server: Server) -> None:
        with suppress(OSError):
            strangers.append(await half_said(server.url))

    paths = ("/live", "/_nicegui_ws/socket.io/?EIO=4&transport=websocket")
    servers = list(fleet.servers.values())
    await asyncio.gather(
        *(pouring(servers[number % 2], paths[number // 2 % 2]) for number in range(SOCKETS)),
        *(slow(servers[number % 2]) for number in range(SLOW)),
    )


def memory(server: Server) -> int:
    """The most bytes that the process ever had in memory."""
    [line] = [
        line for line in Path(f"/proc/{server.process.pid}/status").read_text().splitlines() if line.startswith("VmHWM")
    ]
    return int(line.split()[1]) * 1024
