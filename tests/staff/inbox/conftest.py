from collections.abc import AsyncIterator

import pytest
from tests.conversation.cast import BOA_VIDA, SORRISO, World, clinic
from tests.staff.inbox.desk import TEXTS, explain, front_desk

from gendei.clinics.directory import Directory
from gendei.staff.desks import FrontDesk
from gendei.store.sqlite import SqliteDocuments


@pytest.fixture
async def documents() -> AsyncIterator[SqliteDocuments]:
    store = await SqliteDocuments.open(":memory:")
    yield store
    await store.close()


@pytest.fixture
async def directory(documents: SqliteDocuments) -> Directory:
    known = Directory(documents)
    for clinic_id in (BOA_VIDA, SORRISO):
        await known.import_clinic(clinic(clinic_id))
    return known


@pytest.fixture
def world(documents: SqliteDocuments, directory: Directory) -> World:
    """A process that accepts webhooks; it answers inside `async with world.messaging`."""
    return World(documents, directory, explain=explain, left_note=TEXTS.left_note)


@pytest.fixture
async def desk(world: World) -> AsyncIterator[FrontDesk]:
    opened = front_desk(world)
    yield opened
    await opened.live.close()
