"""What only Firestore does with documents: its reserved names, its limits, its own order."""

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import httpx
import pytest

from gendei.documents import Documents, Query, put
from gendei.errors import ConfigurationError, DocumentTooLarge, StoreError, UnstorableValue
from gendei.settings import Settings
from gendei.store.firestore import FirestoreDocuments
from gendei.store.opening import open_documents

ANA = "patients/ana"
NOON = datetime(2026, 9, 7, 12, tzinfo=UTC)


@pytest.fixture
def project() -> str:
    return f"values-{uuid4().hex[:20]}"


@pytest.fixture
async def store(firestore_emulator: str, project: str) -> AsyncIterator[Documents]:
    opened = await FirestoreDocuments.open(project, emulator=firestore_emulator)
    yield opened
    await opened.close()


@pytest.mark.parametrize(
    "data",
    [
        {"__name__": 1, "__": 2, "": 3, "~": 4, "~~": 5, "~commit": 6, "~list": [7], "a.b": 8, "`": 9, "ção": 10},
        {"lists": [[1, [2, []]], [{"~list": [3], "__in__": [[4]]}], {"~list": [[5]]}]},
    ],
    ids=["names", "lists in lists"],
)
async def test_what_firestore_reserves_comes_back_as_it_was(store: Documents, data: dict[str, Any]) -> None:
    await store.commit([put(ANA, data)])
    assert (await store.get(ANA)).data == data


async def test_a_field_of_a_reserved_name_can_be_asked_for(store: Documents) -> None:
    await store.commit([put(ANA, {"__x__": {"__y__": 1}}), put("patients/bia", {"__x__": {"__y__": 2}})])
    found = await store.query(Query("patients", where=(("__x__.__y__", "==", 1),), order_by=(("__x__.__y__", True),)))
    assert [snapshot.path for snapshot in found] == [ANA]


async def test_lists_in_lists_count_twice_towards_the_depth(store: Documents) -> None:
    def nested(levels: int) -> Any:
        return [nested(levels - 1)] if levels else 1

    await store.commit([put(ANA, {"list": nested(10)})])
    assert (await store.get(ANA)).data == {"list": nested(10)}
    with pytest.raises(UnstorableValue):
        await store.commit([put(ANA, {"list": nested(15)})])


async def test_a_document_too_large_by_firestores_own_count_alone_is_refused(store: Documents) -> None:
    numbers = [1] * 200_000
    assert len(json.dumps({"numbers": numbers})) < 1_000_000
    with pytest.raises(DocumentTooLarge):
        await store.commit([put(ANA, {"numbers": numbers})])


async def test_an_id_that_firestore_reserves_is_refused(store: Documents) -> None:
    with pytest.raises(UnstorableValue):
        await store.commit([put("patients/__x__", {})])


async def test_five_hundred_and_more_documents_fit_in_a_commit(store: Documents) -> None:
    await store.commit([put(f"patients/{n}", {"n": n}) for n in range(600)])
    assert len(await store.query(Query("patients"))) == 600


async def test_a_value_of_a_type_that_gendei_never_writes_is_named(
    store: Documents, firestore_emulator: str, project: str
) -> None:
    document = {"fields": {"place": {"geoPointValue": {"latitude": -23.5, "longitude": -46.6}}}}
    url = f"http://{firestore_emulator}/v1/projects/{project}/databases/(default)/documents/{ANA}"
    async with httpx.AsyncClient() as client:
        (await client.patch(url, json=document)).raise_for_status()
    with pytest.raises(StoreError, match="geo_point"):
        await store.get(ANA)


KINDS = (None, False, True, -1, 1, 1.5, 2**60, NOON, "", "a", "ã", ["a"], ["a", 1], {"a": 1}, {"b": None})
MIXED = [
    Query("things"),
    Query("things", order_by=(("x", False),)),
    Query("things", order_by=(("x", True),)),
    Query("things", order_by=(("y", True), ("x", False))),
    Query("things", order_by=(("y", False), ("x", True)), limit=7),
    Query("things", where=(("y", "==", 1),), order_by=(("x", False),)),
    Query("things", where=(("x", "==", None),)),
    Query("things", group=True, order_by=(("y", True),)),
]


@pytest.mark.parametrize("query", MIXED, ids=str)
async def test_a_watch_gives_what_the_query_gives(store: Documents, query: Query) -> None:
    writes = [put(f"things/{n:02}", {"x": KINDS[-n], "y": n % 2}) for n in range(len(KINDS))]
    await store.commit([*writes, put("clinics/a-1/things/x", {"y": 1}), put("clinics/a/things/x", {"y": 1})])
    async with store.watch(query) as results:
        assert await anext(results) == await store.query(query)


async def test_the_settings_name_the_project_and_the_emulator(firestore_emulator: str, project: str) -> None:
    for database in (f"firestore://{project}", f"firestore://{project}/second"):
        named = Settings.load(_env_file=None, database=database, FIRESTORE_EMULATOR_HOST=firestore_emulator)
        opened = await open_documents(named)
        assert not (await opened.get(ANA)).exists  # each database has its own
        await opened.commit([put(ANA, {})])
        await opened.close()


@pytest.mark.parametrize("database", ["firestore://", "firestore://a/b/c", "firestore:a", "firestore://a b"])
async def test_a_database_that_is_misspelled_stops_the_start(database: str) -> None:
    with pytest.raises(ConfigurationError, match="GENDEI_DATABASE"):
        await open_documents(Settings.load(_env_file=None, database=database))


async def test_missing_credentials_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", "/nowhere/key.json")
    with pytest.raises(StoreError, match="credentials"):
        await FirestoreDocuments.open("project")
