"""What is deployed beside the code: indexes, time to live, rules. Every test of the suite checks its queries too, see
`tests.indexes`."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.indexes import declared, is_served

from gendei.clinic import ClinicId, Contact
from gendei.conversation.inbound.inbox import waiting_entries
from gendei.documents import INDEXES, Query
from gendei.messages.keys import INBOX, LEASES, OUTBOX, ConversationKey
from gendei.scheduler.due import DUE
from gendei.staff.access.attempts import ATTEMPTS
from gendei.staff.access.sessions import SESSIONS
from gendei.staff.once import ANSWERS
from gendei.store.sqlite import SqliteDocuments
from gendei.waiting.refill import REFILLS

RULES = Path(__file__).parents[2] / "firestore.rules"


def test_firestore_has_the_composite_indexes_that_the_code_declares():
    composite = [index for index in INDEXES if len(index.fields) > 1]
    assert declared()["indexes"] == [
        {
            "collectionGroup": index.collection,
            "queryScope": "COLLECTION",
            "fields": [
                {"fieldPath": name, "order": "DESCENDING" if descending else "ASCENDING"}
                for name, descending in index.fields
            ],
        }
        for index in composite
    ]


def test_what_has_served_its_time_expires_by_itself():
    expiring = {item["collectionGroup"]: item["fieldPath"] for item in declared()["fieldOverrides"] if item.get("ttl")}
    assert expiring == dict.fromkeys((INBOX, OUTBOX, LEASES, SESSIONS, ATTEMPTS, ANSWERS, DUE, REFILLS), "expireAt")


def test_nobody_comes_in_but_the_service():
    assert [line.strip() for line in RULES.read_text(encoding="utf-8").splitlines() if "allow" in line] == [
        "allow read, write: if false;"
    ]


START, STATUS, NAME = ("start", False), ("status", "==", "x"), ("contact", "==", "x")


@pytest.mark.parametrize(
    "query",
    [
        Query("gendei_clinics"),
        Query("c/a/patients", where=(NAME,)),
        Query("c/a/patients", where=(NAME, STATUS)),
        Query("c/a/appointments", where=(("start", ">=", 1), ("start", "<", 2)), order_by=(START,)),
        Query("c/a/appointments", where=(NAME, ("start", ">", 1))),
        Query("c/a/appointments", where=(NAME,), order_by=(START,)),
        Query("c/a/messages", order_by=(("timestamp", True),)),
        Query("patients", group=True),
    ],
    ids=str,
)
def test_a_query_with_an_index_is_served(query: Query) -> None:
    assert is_served(query)


@pytest.mark.parametrize(
    "query",
    [
        Query("c/a/patients", where=(NAME,), group=False, order_by=(START,)),
        Query("c/a/appointments", where=(NAME,), order_by=(("start", True),)),
        Query("c/a/appointments", where=(NAME, STATUS), order_by=(START,)),
        Query("c/a/appointments", order_by=(START, ("contact", False))),
        Query("c/a/appointments", where=(("end", ">", 1),), order_by=(START,)),
        Query("appointments", where=(NAME,), order_by=(START,), group=True),
        Query("patients", where=(NAME,), group=True),
        Query("gendei_leases", where=(("expireAt", "<", 1),)),
    ],
    ids=str,
)
def test_a_query_without_its_index_is_refused(query: Query) -> None:
    assert not is_served(query)


@pytest.fixture
async def store() -> AsyncIterator[SqliteDocuments]:
    opened = await SqliteDocuments.open(":memory:")
    yield opened
    await opened.close()


async def test_a_query_of_the_code_that_has_no_index_fails_its_test(
    store: SqliteDocuments, refused_queries: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.indexes.declared", lambda: {"indexes": [], "fieldOverrides": []})
    await waiting_entries(store, ConversationKey(ClinicId("boa-vida"), Contact("+5511999990001")))
    assert [refused_query.partition(":")[0] for refused_query in refused_queries] == ["conversation/inbound/inbox.py"]
    refused_queries.clear()


async def test_what_a_test_asks_needs_no_index(store: SqliteDocuments) -> None:
    assert await store.query(Query("things", where=(STATUS,), order_by=(START,))) == []
