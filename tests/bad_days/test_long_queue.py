"""A hundred thousand messages wait when a process starts: it begins to answer at once, and never holds all of them."""

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

from tests.bad_days.conftest import until
from tests.bad_days.weather import Weather
from tests.conversation.cast import BOA_VIDA, MARIA, MARIA_HERE, NOON, NUMBERS, SORRISO, World, text

from gendei.clinic import ClinicId, Contact
from gendei.clinics.directory import Directory
from gendei.conversation.turns.worker import MOST_READY, SWEEP_PAGE, SWEEP_PAGES
from gendei.documents import Data, Query, Snapshot, put
from gendei.messages.keys import INBOX, ConversationKey
from gendei.messages.message import INCOMING
from gendei.store.encoding import encode_with
from gendei.store.sqlite import SqliteDocuments
from gendei.store.sqlite_query import INDEXED

WAITING = 100_000
FIRST = 50
"""Fewer than one number may send in a second: the clock of these tests stands still."""


class Watched(Weather):
    """Also counts the inbox entries that were read."""

    entries_read = 0

    async def query(self, query: Query) -> list[Snapshot]:
        found = await super().query(query)
        self.entries_read += len(found) if query.collection == INBOX else 0
        return found


def waiting(message_id: str, contact: Contact, clinic_id: ClinicId = BOA_VIDA, minutes: int = 5) -> Data:
    """A message that arrived some minutes ago, as the inbox keeps it."""
    return {
        "clinicId": clinic_id,
        "contact": contact,
        "conversation": ConversationKey(clinic_id, contact).text,
        "provider": "meta",
        "externalId": NUMBERS[clinic_id],
        "status": "waiting",
        "message": INCOMING.write(text(message_id, sender=contact)),
        "receivedAt": NOON - timedelta(minutes=minutes),
        "ordinal": 0,
        "attempts": 0,
    }


def fill(database: Path) -> None:
    """One message each of so many patients of one clinic, past the commits: those alone would take minutes."""
    pattern, indexed = encode_with("", waiting("@id@", Contact("@contact@")), INDEXED[INBOX])

    def row(n: int) -> tuple[str, ...]:
        name = f"wamid.{n:06}"
        contact = f"+5511{n:09}"
        data = pattern.replace("@id@", name).replace("@contact@", contact)
        return INBOX, name, INBOX, data, indexed.replace("@contact@", contact)

    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("BEGIN")
        indexes = connection.execute("SELECT name, sql FROM sqlite_master WHERE name LIKE 'declared %'").fetchall()
        for name, _ in indexes:  # to sort them once is much faster
            connection.execute(f'DROP INDEX "{name}"')
        connection.executemany(
            "INSERT INTO documents (collection, id, collection_group, version, data, indexed) "
            "VALUES (?, ?, ?, 1, ?, ?)",
            map(row, range(WAITING)),
        )
        for _, statement in indexes:
            connection.execute(statement)
        connection.execute("COMMIT")


async def test_the_first_answers_leave_before_all_that_waits_is_read(
    documents: SqliteDocuments, directory: Directory, tmp_path: Path
) -> None:
    fill(tmp_path / "gendei.db")
    store = Watched(documents)
    world = World(store, directory)
    async with world.messaging:
        for _ in range(FIRST):
            await world.sending()
        read = store.entries_read
        await world.accept(text("wamid.other", "e eu?", sender=MARIA), clinic_id=SORRISO)
        await until(documents, lambda: "re: e eu?" in world.provider.texts())
        answered_before = len(world.provider.sent)
        planned = len(world.messaging.worker._lanes._ready._members)

    assert read < SWEEP_PAGE * SWEEP_PAGES + WAITING / 100
    assert planned <= SWEEP_PAGE * SWEEP_PAGES
    assert answered_before < WAITING / 100
    assert len({request.to_phone for request in world.provider.sent}) == len(world.provider.sent)


async def test_a_clinic_whose_messages_fill_the_front_of_the_queue_hides_no_other(world: World) -> None:
    flood = [put(f"{INBOX}/{n}", waiting(str(n), Contact(f"+5511{n:09}"))) for n in range(5000)]
    for start in range(0, len(flood), 500):
        await world.documents.commit(flood[start : start + 500])
    await world.documents.commit([put(f"{INBOX}/orphan", waiting("orphan", MARIA, SORRISO, minutes=1))])
    world.receptionist.free.clear()
    async with world.messaging:
        for _ in range(5):
            await world.messaging.worker.sweep()
        while (await world.asked()).clinic.id != SORRISO:
            pass
        asked = [turn.clinic.id for turn in world.receptionist.turns]
        known = world.messaging.worker._lanes.ready_of(BOA_VIDA)
        world.receptionist.free.set()
        await world.messaging.worker._lanes.stop(0)

    assert (asked.count(SORRISO), known <= MOST_READY) == (1, True)
    assert await world.history(MARIA_HERE) == []
