"""Stores of earlier versions are brought forward at the start, on every engine; those of a later one are refused."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from tests.contracts.conftest import Engine

from gendei.documents import Data, Documents, put
from gendei.errors import NewerStore
from gendei.settings import Settings
from gendei.store.opening import open_documents
from gendei.store.schema import MIGRATIONS, PAGE, SCHEMA, Migration, bring_forward

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
NEWEST = MIGRATIONS[-1].to
EXPIRES = {"expireAt": NOON + timedelta(days=9)}
VERSION_1: dict[str, Data] = {
    "gendei_clinics/boa-vida": {"name": "Clínica Boa Vida", "revision": 1},
    "gendei_inbox/waiting": {"status": "waiting", "receivedAt": NOON, "message": {"text": "oi"}, **EXPIRES},
    "gendei_inbox/echoed": {"status": "echoed", "receivedAt": NOON, "echo": {"text": "oi"}, **EXPIRES},
    "gendei_inbox/parked": {"status": "parked", "receivedAt": NOON, "message": {"text": "?"}, **EXPIRES},
    "gendei_inbox/done": {"status": "done", "receivedAt": NOON, **EXPIRES},
    "gendei_outbox/sent": {"status": "sent", "open": False, "expireAt": NOON + timedelta(days=31)},
}
"""What the first version wrote: it kept no version of its own."""


async def fill(store: Documents, content: dict[str, Data]) -> None:
    await store.commit([put(path, data) for path, data in content.items()])


async def content(store: Documents, paths: list[str]) -> dict[str, Data | None]:
    return {snapshot.path: snapshot.data for snapshot in await store.get_many(paths)}


async def version(store: Documents) -> int:
    return int(((await store.get(SCHEMA)).data or {})["version"])


async def test_a_store_of_version_1_is_brought_to_the_newest(store: Documents) -> None:
    await fill(store, VERSION_1)

    assert await bring_forward(store) == NEWEST
    kept = {path: {name: data[name] for name in data if name != "expireAt"} for path, data in VERSION_1.items()}
    expected = kept | {path: VERSION_1[path] for path in ("gendei_inbox/done", "gendei_outbox/sent")}
    assert (await content(store, [*VERSION_1]), await version(store)) == (expected, NEWEST)


async def test_an_empty_store_is_of_the_newest_version(store: Documents) -> None:
    assert (await bring_forward(store), await version(store)) == (NEWEST, NEWEST)


async def test_a_store_of_the_newest_version_is_left_as_it_is(store: Documents) -> None:
    await bring_forward(store)
    await fill(store, VERSION_1)

    assert await bring_forward(store) == NEWEST
    assert await content(store, [*VERSION_1]) == VERSION_1


async def test_a_store_of_a_newer_version_is_refused_with_what_to_do_and_unchanged(store: Documents) -> None:
    await fill(store, {**VERSION_1, SCHEMA: {"version": NEWEST + 1, "migrating": None}})

    with pytest.raises(NewerStore, match=f"(?s)newer version.*backup.*version {NEWEST + 1}.*up to {NEWEST}"):
        await bring_forward(store)
    assert (await content(store, [*VERSION_1]), await version(store)) == (VERSION_1, NEWEST + 1)


async def test_what_opens_the_store_brings_it_forward_or_refuses(
    shared_engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings.load(_env_file=None, database=shared_engine.url)
    opened = await open_documents(settings)
    assert await version(opened) == NEWEST
    await fill(opened, {SCHEMA: {"version": NEWEST + 1}})
    await opened.close()

    with pytest.raises(NewerStore):
        await open_documents(settings)


async def test_a_migration_that_was_interrupted_goes_on_where_it_stood(store: Documents) -> None:
    await fill(store, {f"things/{n:04}": {"n": n} for n in range(2 * PAGE + 5)})
    asked: list[int] = []

    def power_fails(data: Data) -> Data:
        if data["n"] == PAGE:
            raise KeyboardInterrupt
        return data | {"seen": True}

    def count(data: Data) -> Data:
        asked.append(data["n"])
        return data | {"seen": True}

    with pytest.raises(KeyboardInterrupt):
        await bring_forward(store, (Migration(2, "things", power_fails),))
    await bring_forward(store, (Migration(2, "things", count),))

    assert asked == list(range(PAGE, 2 * PAGE + 5))
    assert (await content(store, ["things/0000", f"things/{PAGE:04}"])) == {
        "things/0000": {"n": 0, "seen": True},
        f"things/{PAGE:04}": {"n": PAGE, "seen": True},
    }


async def test_processes_that_start_together_change_each_document_once(shared_engine: Engine) -> None:
    stores = [await shared_engine.open() for _ in range(3)]
    await fill(stores[0], {f"things/{n:04}": {"times": 0} for n in range(3 * PAGE)})
    once_more = (Migration(2, "things", lambda data: data | {"times": data["times"] + 1}),)

    reached = await asyncio.gather(*(bring_forward(store, once_more) for store in stores))
    things = await stores[0].get_many([f"things/{n:04}" for n in range(3 * PAGE)])
    for store in stores:
        await store.close()
    assert (reached, [(snapshot.data or {})["times"] for snapshot in things]) == ([2, 2, 2], [1] * 3 * PAGE)


async def test_steps_are_taken_in_order_and_collections_of_one_name_together(store: Documents) -> None:
    steps = (
        Migration(2, "patients", lambda data: data | {"log": [*data["log"], 2]}, group=True),
        Migration(3, "patients", lambda data: data | {"log": [*data["log"], 3]}, group=True),
    )
    paths = ["gendei_clinics/a/patients/ana", "gendei_clinics/b/patients/bia"]
    await fill(store, {path: {"log": []} for path in paths})

    assert await bring_forward(store, steps[:1]) == 2
    assert await bring_forward(store, steps) == 3
    assert await content(store, paths) == {path: {"log": [2, 3]} for path in paths}


async def test_a_page_of_great_documents_is_committed_in_parts(store: Documents) -> None:
    await fill(store, {})
    for n in range(12):
        await fill(store, {f"things/{n:02}": {"text": "x" * 1_000_000}})

    await bring_forward(store, (Migration(2, "things", lambda data: data | {"seen": True}),))
    found = await store.get_many([f"things/{n:02}" for n in range(12)])
    assert [(snapshot.data or {}).get("seen") for snapshot in found] == [True] * 12


def test_each_migration_leads_from_the_version_before_it() -> None:
    assert [migration.to for migration in MIGRATIONS] == list(range(2, NEWEST + 1))
