"""The same races between processes that share nothing but the store."""

import asyncio
import json
import sys
from pathlib import Path

import pytest
from tests.booking.builders import MARIA, TestClock, at, request
from tests.contracts.conftest import Engine
from tests.crash.engines import Engine as Store
from tests.crash.engines import clinic, firestore_at, import_clinic, maker, sqlite_in
from tests.crash.fleet import Fleet
from tests.crash.patients import ASKS_WHETHER, CONFIRMED, start_of
from tests.crash.standin import StandIn
from tests.crash.verdict import overlaps as overlapping_documents
from tests.races.racing import CLINIC, OTHER, contacts, overlaps, standing

from gendei.booking.desk import BookingDesk
from gendei.documents import Query
from gendei.providers.stand_in.graph import Sent
from gendei.providers.stand_in.local_server import serve

ROOT = Path(__file__).parents[2]
PATIENTS = 10


async def another_desk(url: str, task: str, first: int, count: int, *appointment: str) -> list[int]:
    """(won, lost, lost without an offer) of one process."""
    script = ("-m", "tests.races.other_desk", url, task, str(first), str(count), *appointment)
    process = await asyncio.create_subprocess_exec(sys.executable, *script, cwd=ROOT, stdout=asyncio.subprocess.PIPE)
    out, _ = await process.communicate()
    assert process.returncode == 0
    counts: list[int] = json.loads(out)
    return counts


async def test_two_processes_book_overlapping_slots_and_none_overlap(shared_engine: Engine):
    store = await shared_engine.open()
    both = await asyncio.gather(*(another_desk(shared_engine.url, "book", 25 * number, 25) for number in range(2)))
    won, lost, empty_handed = (sum(counts) for counts in zip(*both, strict=True))
    appointments = await standing(BookingDesk(store, TestClock()))
    await store.close()
    assert (overlaps(appointments), empty_handed, won + lost) == ([], 0, 50)
    assert len(appointments) == won


async def test_bookings_moves_and_staff_edits_of_two_processes_leave_no_overlap(shared_engine: Engine):
    store = await shared_engine.open()
    desk = BookingDesk(store, TestClock())
    outside = await desk.book(OTHER, MARIA, request(at(2, "11:00")))
    before = [
        await desk.book(CLINIC, contact, request(at(2, clock)))
        for contact, clock in zip(contacts(2, first=100), ("09:00", "10:00"), strict=True)
    ]
    both = await asyncio.gather(
        *(another_desk(shared_engine.url, "mixed", 20 * number, 20, entry.id) for number, entry in enumerate(before))
    )
    won, lost, empty_handed = (sum(counts) for counts in zip(*both, strict=True))
    appointments = await standing(desk)
    late = [appointment for appointment in appointments if appointment.start >= at(2, "10:45")]
    others = await standing(desk, OTHER)
    await store.close()
    assert (overlaps(appointments), empty_handed, won + lost, len(late), others) == ([], 0, 42, won, [outside])
    assert {entry.id for entry in before} <= {appointment.id for appointment in appointments}


@pytest.fixture(params=["sqlite", "firestore"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    return (
        sqlite_in(tmp_path)
        if request.param == "sqlite"
        else firestore_at(request.getfixturevalue("firestore_emulator"))
    )


def offers_times(sent: Sent) -> bool:
    return any(option_id.startswith("slot|") for option_id, _ in sent.options)


@pytest.mark.slow
async def test_ten_patients_of_two_servers_ask_for_one_slot_and_one_has_it(store: Store, tmp_path: Path):
    stand_in = StandIn()
    async with store.documents() as documents, serve(stand_in) as url:
        await import_clinic(documents)
        fleet = Fleet(store, tmp_path, url, seed=1)
        await asyncio.gather(*(fleet.start(slot) for slot in range(2)))
        contacts = [f"+55119{70_000_000 + number}" for number in range(PATIENTS)]
        start = start_of(0)
        wish = f"quero marcar limpeza dia {start:%d/%m} às {start.hour}h com Dra. Paula Lins"
        await asyncio.gather(*(fleet.post(maker().text(contact, wish)) for contact in contacts))
        first = await stand_in.graph.wait_sent(PATIENTS, patience_seconds=60)
        [winner] = [message for message in first if message.text.startswith(ASKS_WHETHER)]
        losers = [value for value in first if value is not winner]
        await fleet.post(maker().tap(winner.to, *winner.options[0]))
        *_, told = await stand_in.graph.wait_sent(PATIENTS + 1, patience_seconds=60)
        await fleet.close()
        booked = [
            appointment.data or {}
            for appointment in await documents.query(Query(f"gendei_clinics/{clinic().id}/appointments"))
        ]
    assert (told.to, CONFIRMED in told.text) == (winner.to, True)
    assert [loser.text for loser in losers if not offers_times(loser)] == []
    assert ([row["contact"] for row in booked], overlapping_documents(booked)) == ([winner.to], [])
