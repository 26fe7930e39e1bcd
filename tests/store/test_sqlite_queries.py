"""That declared indexes are kept and used, and that long queries leave the event loop."""

import sqlite3
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gendei.documents import INDEXES, Index, Query, put
from gendei.store import sqlite_schema
from gendei.store.sqlite import SqliteDocuments
from gendei.store.sqlite_query import index_name, select

NOON = datetime(2026, 9, 7, 12, tzinfo=UTC)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "gendei.db"


@pytest.fixture
async def store(path: Path) -> AsyncIterator[SqliteDocuments]:
    opened = await SqliteDocuments.open(str(path))
    yield opened
    await opened.close()


def plan(path: Path, query: Query) -> list[str]:
    sql, parameters = select(query)
    connection = sqlite3.connect(path)
    try:
        return [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}", parameters)]
    finally:
        connection.close()


def declared_shape(index: Index) -> Query:
    """Equality on all but the last field, in the order of the last: what the index is for."""
    *equal, last = index.fields
    return Query(f"clinics/a/{index.collection}", tuple((name, "==", "x") for name, _ in equal), (last,), limit=50)


@pytest.mark.parametrize("index", INDEXES, ids=index_name)
async def test_a_declared_index_serves_its_queries_by_one_search_without_a_sort(
    store: SqliteDocuments, path: Path, index: Index
) -> None:
    query, last = declared_shape(index), index.fields[-1][0]
    exact = replace(query, where=(*query.where, (last, "==", "x")), order_by=())
    ranged = replace(query, where=(*query.where, (last, "<=", NOON)))
    paged = replace(query, start_after=(NOON, f"{query.collection}/x"))
    equal = "collection=?" + " AND <expr>=?" * len(query.where)
    search = f"SEARCH documents USING INDEX {index_name(index)}"
    assert plan(path, query) == [f"{search} ({equal})"]
    assert plan(path, exact) == [f"{search} ({equal} AND <expr>=?)"]
    assert plan(path, ranged) == [f"{search} ({equal} AND <expr>>? AND <expr><?)"]
    assert plan(path, paged) == [f"{search} ({equal}{'' if index.fields[-1][1] else ' AND <expr>>?'})"]


async def test_a_listing_of_a_collection_is_a_search_of_the_key(store: SqliteDocuments, path: Path) -> None:
    assert plan(path, Query("gendei_clinics")) == [
        "SEARCH documents USING INDEX sqlite_autoindex_documents_1 (collection=?)"
    ]


async def test_opening_makes_new_indexes_and_drops_those_no_longer_declared(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = Index("things", (("a", False),)), Index("things", (("b", True),))
    things = "SELECT name FROM sqlite_master WHERE name LIKE 'declared%'"
    for declared in (old, new):
        monkeypatch.setattr(sqlite_schema, "INDEXES", (declared,))
        await (await SqliteDocuments.open(str(path))).close()
        connection = sqlite3.connect(path)
        assert connection.execute(things).fetchall() == [(index_name(declared),)]
        connection.close()


async def test_a_query_too_long_for_the_event_loop_gives_its_whole_result(store: SqliteDocuments) -> None:
    await store.commit([put(f"things/{n:05}", {"n": n, "text": "ação " * 50}) for n in range(6000)])
    found = await store.query(Query("things", order_by=(("n", True),)))
    assert [entry.id for entry in found] == [f"{n:05}" for n in reversed(range(6000))]
    assert (await store.get("things/00001")).exists
