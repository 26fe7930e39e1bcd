"""Whether Firestore would serve a query with what `firestore.indexes.json` declares. Its emulator serves any query,
and so does SQLite, so this looks over the shoulder of every test."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from gendei.documents import Query
from gendei.store.firestore_messages import field_path
from gendei.store.sqlite import SqliteDocuments

ROOT = Path(__file__).parents[1]
SOURCES = str(ROOT / "src" / "gendei")
STORE = str(ROOT / "src" / "gendei" / "store")
DIRECTION = {False: "ASCENDING", True: "DESCENDING"}


@cache
def declared() -> dict[str, Any]:
    content: dict[str, Any] = json.loads((ROOT / "firestore.indexes.json").read_text(encoding="utf-8"))
    return content


def is_served(query: Query) -> bool:
    """By Firestore's rules: equalities alone are merged from indexes of one field, as is an order of one field alone;
    anything else needs the equal fields, in any order, then the ordering, in one composite index."""
    scope = "COLLECTION_GROUP" if query.group else "COLLECTION"
    equal = {field_path(name) for name, sign, _ in query.where if sign == "=="}
    ranged = {field_path(name) for name, sign, _ in query.where if sign != "=="}
    order = [(field_path(name), DIRECTION[descending]) for name, descending in query.ordering]
    if not ranged <= {name for name, _ in order}:
        return False
    if not order:
        return all(("ASCENDING", scope) in single(query.collection_group, name) for name in equal)
    if len(order) == 1 and equal <= {order[0][0]}:
        return (order[0][1], scope) in single(query.collection_group, order[0][0])
    return any(
        (index["collectionGroup"], index["queryScope"]) == (query.collection_group, scope)
        and {field["fieldPath"] for field in index["fields"][: -len(order)]} == equal
        and [(field["fieldPath"], field["order"]) for field in index["fields"][-len(order) :]] == order
        for index in declared()["indexes"]
    )


def single(collection: str, field: str) -> set[tuple[str, str]]:
    """(order, scope) of the indexes over one field: those that Firestore keeps by itself, unless overridden."""
    for override in declared()["fieldOverrides"]:
        if (override["collectionGroup"], override["fieldPath"]) == (collection, field):
            return {(index["order"], index["queryScope"]) for index in override["indexes"]}
    return {("ASCENDING", "COLLECTION"), ("DESCENDING", "COLLECTION")}


@contextmanager
def watching_for_refusals() -> Iterator[list[str]]:
    """Gathers what the code asks SQLite within this and Firestore would refuse. What tests ask themselves is free."""
    refused: list[str] = []
    ask, watch = SqliteDocuments.query, SqliteDocuments.watch

    def note(query: Query) -> None:
        asker = asker_of(sys._getframe(2))
        if asker is not None and not is_served(query):
            refused.append(f"{asker}: {query}")

    async def noted_query(store: SqliteDocuments, query: Query) -> Any:
        note(query)
        return await ask(store, query)

    def noted_watch(store: SqliteDocuments, query: Query) -> Any:
        note(query)
        return watch(store, query)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SqliteDocuments, "query", noted_query)
        patch.setattr(SqliteDocuments, "watch", noted_watch)
        yield refused


def asker_of(frame: FrameType | None) -> str | None:
    """The place in our code, outside of the store, that waits for `frame`."""
    while frame is not None:
        path = frame.f_code.co_filename
        if path.startswith(SOURCES) and not path.startswith(STORE):
            return f"{path.removeprefix(SOURCES)[1:]}:{frame.f_lineno}"
        frame = frame.f_back
    return None
