"""What every engine of the store does with documents, commits and transactions; the rest of the suite is beside it."""

import asyncio
from typing import Any

import pytest

from gendei.documents import (
    Documents,
    Transaction,
    create,
    delete,
    put,
    transact,
)
from gendei.errors import (
    Conflict,
    StoreUnavailable,
    TooContended,
    UnguardedRead,
)

ANA, BIA, CAIO = "patients/ana", "patients/bia", "patients/caio"


async def data_of(store: Documents, path: str) -> dict[str, Any] | None:
    return (await store.get(path)).data


async def test_a_document_that_was_put_can_be_got(store: Documents) -> None:
    await store.commit([put(ANA, {"name": "Ana"})])
    snapshot = await store.get(ANA)
    assert (snapshot.path, snapshot.id, snapshot.data) == (ANA, "ana", {"name": "Ana"})


async def test_a_missing_document_is_a_snapshot_without_data(store: Documents) -> None:
    snapshot = await store.get(ANA)
    assert (snapshot.path, snapshot.exists, snapshot.data) == (ANA, False, None)


async def test_a_put_replaces_the_whole_document(store: Documents) -> None:
    await store.commit([put(ANA, {"name": "Ana", "phone": "1"})])
    await store.commit([put(ANA, {"name": "Ana Souza"})])
    assert await data_of(store, ANA) == {"name": "Ana Souza"}


async def test_what_was_read_can_be_changed_without_changing_the_store(store: Documents) -> None:
    await store.commit([put(ANA, {"tags": ["a"]})])
    ((await data_of(store, ANA)) or {})["tags"].append("b")
    assert await data_of(store, ANA) == {"tags": ["a"]}


async def test_what_was_written_is_the_data_at_the_time_of_the_call(store: Documents) -> None:
    data = {"name": "Ana"}
    pending = asyncio.ensure_future(store.commit([put(ANA, data)]))
    await asyncio.sleep(0)
    data["name"] = "somebody else"
    await pending
    assert await data_of(store, ANA) == {"name": "Ana"}


async def test_get_many_answers_in_the_order_asked(store: Documents) -> None:
    await store.commit([put(ANA, {"n": 1}), put(CAIO, {"n": 3})])
    snapshots = await store.get_many([CAIO, BIA, ANA, CAIO])
    assert [(snapshot.path, snapshot.data) for snapshot in snapshots] == [
        (CAIO, {"n": 3}),
        (BIA, None),
        (ANA, {"n": 1}),
        (CAIO, {"n": 3}),
    ]


async def test_get_many_of_nothing_is_nothing(store: Documents) -> None:
    assert await store.get_many([]) == []


async def test_delete_removes_and_deleting_nothing_is_no_error(store: Documents) -> None:
    await store.commit([put(ANA, {}), put(BIA, {})])
    await store.commit([delete(ANA), delete(BIA), delete(CAIO)])
    assert [snapshot.exists for snapshot in await store.get_many([ANA, BIA, CAIO])] == [False, False, False]


async def test_a_document_outlives_its_parent(store: Documents) -> None:
    await store.commit([put("clinics/a", {}), put("clinics/a/services/x", {"n": 1})])
    await store.commit([delete("clinics/a")])
    assert await data_of(store, "clinics/a/services/x") == {"n": 1}


async def test_a_commit_with_one_failed_precondition_applies_nothing(store: Documents) -> None:
    await store.commit([put(BIA, {"n": 1}), put("patients/dora", {})])
    with pytest.raises(Conflict) as caught:
        await store.commit([put(ANA, {}), create(BIA, {"n": 2}), delete("patients/dora"), put(CAIO, {})])
    assert caught.value.path == BIA
    found = await store.get_many([ANA, BIA, CAIO, "patients/dora"])
    assert [snapshot.data for snapshot in found] == [None, {"n": 1}, None, {}]


async def test_create_refuses_a_document_that_is_there(store: Documents) -> None:
    await store.commit([create(ANA, {"n": 1})])
    with pytest.raises(Conflict):
        await store.commit([create(ANA, {"n": 2})])
    assert await data_of(store, ANA) == {"n": 1}


async def test_of_many_concurrent_creates_exactly_one_wins(store: Documents) -> None:
    outcomes = await asyncio.gather(*(store.commit([create(ANA, {"n": n})]) for n in range(20)), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes if outcome is not None] == [Conflict] * 19
    assert await data_of(store, ANA) == {"n": outcomes.index(None)}


async def test_a_guarded_put_passes_while_the_document_is_as_read(store: Documents) -> None:
    await store.commit([put(ANA, {"n": 1})])
    read = await store.get(ANA)
    await store.commit([put(ANA, {"n": 2}, unchanged_since=read)])
    assert await data_of(store, ANA) == {"n": 2}


@pytest.mark.parametrize("write", [put(ANA, {"n": 1}), delete(ANA)], ids=["put again with equal data", "deleted"])
async def test_a_guarded_write_fails_once_the_document_was_written(store: Documents, write: Any) -> None:
    await store.commit([put(ANA, {"n": 1})])
    read = await store.get(ANA)
    await store.commit([write])
    with pytest.raises(Conflict):
        await store.commit([put(ANA, {"n": 2}, unchanged_since=read)])
    with pytest.raises(Conflict):
        await store.commit([delete(ANA, unchanged_since=read)])


async def test_a_guarded_put_fails_when_the_document_was_deleted_and_made_again(store: Documents) -> None:
    await store.commit([create(ANA, {"n": 1})])
    read = await store.get(ANA)
    await store.commit([delete(ANA)])
    await store.commit([create(ANA, {"n": 1})])
    with pytest.raises(Conflict):
        await store.commit([put(ANA, {"n": 2}, unchanged_since=read)])


async def test_a_put_guarded_by_an_absent_snapshot_needs_the_document_still_absent(store: Documents) -> None:
    absent = await store.get(ANA)
    await store.commit([put(ANA, {"n": 1}, unchanged_since=absent)])
    with pytest.raises(Conflict):
        await store.commit([put(ANA, {"n": 2}, unchanged_since=absent)])


async def test_an_empty_commit_does_nothing(store: Documents) -> None:
    await store.commit([])


async def test_a_commit_that_writes_a_document_twice_is_refused(store: Documents) -> None:
    with pytest.raises(ValueError, match="once"):
        await store.commit([put(ANA, {}), delete(ANA)])


@pytest.mark.parametrize("path", ["patients", "", "a/b/c", "/a", "a/", "a//b/c", "patients/\ud800"])
async def test_what_is_no_document_path_is_refused(store: Documents, path: str) -> None:
    with pytest.raises(ValueError, match=r"path|surrogates"):
        await store.get(path)
    with pytest.raises(ValueError, match=r"path|surrogates"):
        await store.commit([put(path, {})])


async def increment(transaction: Transaction) -> int:
    count: int = ((await transaction.get(ANA)).data or {"n": 0})["n"]
    transaction.put(ANA, {"n": count + 1})
    return count + 1


async def test_fifty_concurrent_transactions_lose_nothing(store: Documents) -> None:
    counts = await asyncio.gather(*(transact(store, increment) for _ in range(50)))
    assert sorted(counts) == list(range(1, 51))
    assert await data_of(store, ANA) == {"n": 50}


async def test_a_transaction_that_writes_nothing_may_read_anything(store: Documents) -> None:
    await store.commit([put(ANA, {"n": 1})])
    assert await transact(store, lambda transaction: transaction.get(ANA)) == await store.get(ANA)


async def test_a_read_that_is_not_written_is_refused_beside_a_write(store: Documents) -> None:
    async def decide(transaction: Transaction) -> None:
        await transaction.get(BIA)
        transaction.put(ANA, {})

    with pytest.raises(UnguardedRead):
        await transact(store, decide)
    assert not (await store.get(ANA)).exists


async def test_a_put_before_its_read_is_guarded_too(store: Documents) -> None:
    attempts = 0

    async def overtaken(transaction: Transaction) -> None:
        nonlocal attempts
        attempts += 1
        transaction.put(ANA, {"by": "transaction"})
        await transaction.get(ANA)
        if attempts == 1:
            await store.commit([put(ANA, {"by": "another"})])

    await transact(store, overtaken)
    assert attempts == 2


async def test_a_lost_claim_is_a_conflict_at_once(store: Documents) -> None:
    await store.commit([create(ANA, {})])

    async def claim(transaction: Transaction) -> None:
        transaction.create(ANA, {})

    async def claim_what_was_read(transaction: Transaction) -> None:
        await transaction.get(ANA)
        transaction.create(ANA, {})

    for attempt in (claim, claim_what_was_read):
        with pytest.raises(Conflict):
            await transact(store, attempt)


async def test_a_transaction_gives_up_when_its_patience_ends(store: Documents) -> None:
    async def always_late(transaction: Transaction) -> None:
        await increment(transaction)
        await store.commit([put(ANA, {"n": 0})])

    with pytest.raises(TooContended):
        await transact(store, always_late, patience_seconds=0.02)


async def test_an_error_of_the_attempt_comes_through_and_writes_nothing(store: Documents) -> None:
    async def broken(transaction: Transaction) -> None:
        transaction.put(ANA, {})
        raise LookupError

    with pytest.raises(LookupError):
        await transact(store, broken)
    assert not (await store.get(ANA)).exists


async def test_a_closed_store_is_unavailable_after_finishing_what_was_asked(store: Documents) -> None:
    pending = [asyncio.ensure_future(store.commit([put(f"patients/{n}", {})])) for n in range(10)]
    await asyncio.sleep(0)
    await store.close()
    assert await asyncio.gather(*pending) == [None] * 10
    for call in (store.get(ANA), store.get_many([ANA]), store.commit([]), store.commit([put(ANA, {})])):
        with pytest.raises(StoreUnavailable):
            await call
