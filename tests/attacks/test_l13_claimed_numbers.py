"""L13: a number belongs to one clinic, also where two are imported in one moment."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from tests.clinics.test_directory import clinic_of
from tests.contracts.conftest import SHARED, Engine

from gendei.clinic import Clinic, ClinicId
from gendei.clinics.directory import Directory
from gendei.clinics.stored import COLLECTION, clinic_data, clinic_path, parts_data
from gendei.documents import Documents, Query, Snapshot, create, delete
from gendei.errors import ConfigurationError

NUMBER, OTHER = "106540352242922", "106540352242923"
CLAIMS = Query("gendei_numbers")


class AtOnce:
    """A store that lets nobody go on from the list of clinics before all of `parties` have read it."""

    def __init__(self, store: Documents, parties: int) -> None:
        self._store, self._barrier, self._met = store, asyncio.Barrier(parties), False

    def seen_by(self) -> "AtOnce":
        twin = AtOnce(self._store, 1)
        twin._barrier = self._barrier
        return twin

    def __getattr__(self, name: str):
        return getattr(self._store, name)

    async def query(self, query: Query) -> list[Snapshot]:
        found = await self._store.query(query)
        if query.collection == COLLECTION and not self._met:
            self._met = True
            async with asyncio.timeout(30):
                await self._barrier.wait()
        return found


@pytest.fixture(params=SHARED)
async def store(request: pytest.FixtureRequest) -> AsyncIterator[Documents]:
    engine: Engine = SHARED[request.param](request)
    opened = await engine.open()
    yield opened
    await opened.close()


async def import_into(store: Documents, clinic: Clinic) -> str:
    try:
        await Directory(store).import_clinic(clinic)
    except ConfigurationError as error:
        return str(error)
    return "imported"


async def owners(store: Documents) -> dict[str, list[str]]:
    """Number to the clinics whose documents have it."""
    found: dict[str, list[str]] = {}
    for snapshot in await store.query(Query(COLLECTION)):
        for channel in (snapshot.data or {})["channels"]:
            found.setdefault(channel["externalId"], []).append(snapshot.id)
    return found


async def claims(store: Documents) -> dict[str, str]:
    return {snapshot.id.partition("_")[2]: (snapshot.data or {})["clinicId"] for snapshot in await store.query(CLAIMS)}


async def test_of_clinics_that_are_imported_at_once_with_one_number_one_gets_it(store: Documents):
    names = ("aurora", "bromelia", "cravo", "dalia")
    together = AtOnce(store, len(names))
    told = await asyncio.gather(*(import_into(together.seen_by(), clinic_of(name, NUMBER)) for name in names))
    (owner,) = (await owners(store))[NUMBER]
    refused = [answer for answer in told if answer != "imported"]
    assert len(refused) == len(names) - 1
    assert all(f"{NUMBER} belongs to the clinic {owner} already" in answer for answer in refused)
    assert await claims(store) == {NUMBER: owner}
    assert [snapshot.id for snapshot in await store.query(Query(COLLECTION))] == [owner]


async def test_the_same_clinic_imported_twice_at_once_keeps_its_number(store: Documents):
    together = AtOnce(store, 2)
    told = await asyncio.gather(*(import_into(together.seen_by(), clinic_of("aurora", NUMBER)) for _ in range(2)))
    assert (told, await claims(store)) == (["imported", "imported"], {NUMBER: "aurora"})


async def test_a_number_that_a_clinic_drops_is_free_for_another(store: Documents):
    aurora = clinic_of("aurora", NUMBER)
    await import_into(store, aurora)
    assert "belongs to the clinic aurora" in await import_into(store, clinic_of("bromelia", NUMBER))
    moved = replace(aurora, channels=clinic_of("aurora", OTHER).channels)
    assert [await import_into(store, value) for value in (moved, clinic_of("bromelia", NUMBER))] == ["imported"] * 2
    assert await claims(store) == {NUMBER: "bromelia", OTHER: "aurora"}
    assert "belongs to the clinic bromelia" in await import_into(store, aurora)


async def test_a_clinic_that_was_stored_before_there_were_claims_keeps_its_number(store: Documents):
    aurora = clinic_of("aurora", NUMBER)
    old = {clinic_path(aurora.id): clinic_data(aurora, 1), **dict(parts_data(aurora, 1))}
    await store.commit([create(path, data) for path, data in old.items()])
    assert "belongs to the clinic aurora" in await import_into(store, clinic_of("bromelia", NUMBER))
    assert [await import_into(store, aurora), await claims(store)] == ["imported", {NUMBER: "aurora"}]


async def test_a_clinic_that_was_removed_leaves_its_number(store: Documents):
    await import_into(store, clinic_of("aurora", NUMBER))
    await store.commit([delete(clinic_path(ClinicId("aurora")))])
    assert await import_into(store, clinic_of("bromelia", NUMBER)) == "imported"
    assert await claims(store) == {NUMBER: "bromelia"}
