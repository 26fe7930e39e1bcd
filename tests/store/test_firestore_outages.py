"""What becomes of calls to Firestore whose way is lost."""

import asyncio
from collections.abc import AsyncIterator
from uuid import uuid4

import pytest
from tests.store.unreliable import Line, unreliable_line

from gendei.documents import Documents, Query, Write, create, delete, put
from gendei.errors import Conflict, StoreUnavailable
from gendei.store import firestore_watch
from gendei.store.firestore import FirestoreDocuments

ANA, BIA = "patients/ana", "patients/bia"


@pytest.fixture
def project() -> str:
    return f"outage-{uuid4().hex[:20]}"


@pytest.fixture
async def line(firestore_emulator: str) -> AsyncIterator[Line]:
    async with unreliable_line(firestore_emulator) as opened:
        yield opened


@pytest.fixture
async def store(line: Line, project: str) -> AsyncIterator[Documents]:
    """Behind the line, and soon out of patience."""
    opened = await FirestoreDocuments.open(project, emulator=line.address, patience_seconds=2)
    yield opened
    await opened.close()


@pytest.fixture
async def other(firestore_emulator: str, project: str) -> AsyncIterator[Documents]:
    """On the same database, by a line that holds."""
    opened = await FirestoreDocuments.open(project, emulator=firestore_emulator)
    yield opened
    await opened.close()


async def test_a_create_whose_answer_was_lost_is_done_and_done_once(store: Documents, line: Line) -> None:
    line.lost_answers = 1
    await store.commit([create(ANA, {"n": 1})])
    assert ((await store.get(ANA)).data, line.commits) == ({"n": 1}, 2)


async def test_a_create_that_was_lost_on_its_way_is_sent_again(store: Documents, line: Line) -> None:
    line.lost_requests = 1
    await store.commit([create(ANA, {"n": 1})])
    assert ((await store.get(ANA)).data, line.commits) == ({"n": 1}, 2)


async def test_a_guarded_put_beside_a_delete_whose_answer_was_lost_is_done(store: Documents, line: Line) -> None:
    await store.commit([put(ANA, {"n": 1}), put(BIA, {})])
    ana, bia = await store.get_many([ANA, BIA])
    line.lost_answers = 1
    await store.commit([delete(BIA, unchanged_since=bia), put(ANA, {"n": 2}, unchanged_since=ana)])
    assert [snapshot.data for snapshot in await store.get_many([ANA, BIA])] == [{"n": 2}, None]


async def test_an_unguarded_put_whose_answer_was_lost_is_done_and_not_sent_again(store: Documents, line: Line) -> None:
    line.lost_answers = 1
    await store.commit([put(ANA, {"n": 1})])
    assert ((await store.get(ANA)).data, line.commits) == ({"n": 1}, 1)


async def test_an_unguarded_put_that_may_still_arrive_is_not_sent_again(store: Documents, line: Line) -> None:
    line.lost_requests = 1
    with pytest.raises(StoreUnavailable, match="not known"):
        await store.commit([put(ANA, {"n": 1})])
    assert line.commits == 1


async def test_a_lost_answer_whose_document_another_has_written_since_is_not_known(
    store: Documents, other: Documents, line: Line
) -> None:
    async def overwrite() -> None:
        await other.commit([put(ANA, {"by": "another"})])

    line.lost_answers, line.after_commit = 1, overwrite
    with pytest.raises(StoreUnavailable, match="not known"):
        await store.commit([create(ANA, {"by": "us"})])
    assert (await store.get(ANA)).data == {"by": "another"}


async def test_a_lost_request_that_another_writer_overtook_is_a_conflict_where_the_documents_tell(
    store: Documents, other: Documents, line: Line
) -> None:
    async def overtake() -> None:
        await other.commit([put(BIA, {"by": "another"})])

    line.lost_requests, line.after_commit = 1, overtake
    with pytest.raises(Conflict) as caught:
        await store.commit([create(ANA, {}), create(BIA, {})])
    assert (caught.value.path, (await store.get(ANA)).exists) == (BIA, False)


@pytest.mark.parametrize("write", [put(ANA, {"n": 2}), create(BIA, {})], ids=["unguarded", "guarded"])
async def test_a_store_that_stays_away_is_unavailable_and_unchanged(
    store: Documents, other: Documents, line: Line, write: Write
) -> None:
    await store.commit([put(ANA, {"n": 1})])
    line.down = True
    calls = store.commit([write]), store.get(ANA), store.query(Query("patients"))
    outcomes = await asyncio.gather(*calls, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [StoreUnavailable] * 3
    assert [snapshot.data for snapshot in await other.get_many([ANA, BIA])] == [{"n": 1}, None]


async def test_a_read_waits_for_a_store_that_comes_back(store: Documents, line: Line) -> None:
    await store.commit([put(ANA, {"n": 1})])
    line.down = True
    reading = asyncio.ensure_future(store.get(ANA))
    await line.refused.wait()
    line.down = False
    assert (await reading).data == {"n": 1}


async def test_a_watch_goes_on_after_its_stream_broke_and_shows_what_it_missed(
    store: Documents, other: Documents, line: Line
) -> None:
    await store.commit([put(ANA, {"n": 1}), put(BIA, {"n": 1})])
    async with asyncio.timeout(20), store.watch(Query("patients")) as results:
        assert [snapshot.id for snapshot in await anext(results)] == ["ana", "bia"]
        line.down = True
        line.cut_streams()
        await other.commit([put(ANA, {"n": 2}), delete(BIA)])
        line.down = False
        assert [(snapshot.id, snapshot.data) for snapshot in await anext(results)] == [("ana", {"n": 2})]


async def test_a_watch_says_when_the_store_stays_away(store: Documents, line: Line) -> None:
    async with asyncio.timeout(20), store.watch(Query("patients")) as results:
        assert await anext(results) == []
        line.down = True
        line.cut_streams()
        with pytest.raises(StoreUnavailable):
            await anext(results)


@pytest.mark.slow
async def test_a_watch_of_which_nothing_is_ever_told_says_so(store: Documents, line: Line) -> None:
    line.mute = True
    async with asyncio.timeout(20), store.watch(Query("patients")) as results:
        with pytest.raises(StoreUnavailable):
            await anext(results)


async def test_a_watch_that_ends_for_an_unforeseen_reason_keeps_no_reader_waiting(
    other: Documents, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ArithmeticError("a defect")

    monkeypatch.setattr(firestore_watch, "snapshot_of", broken)
    await other.commit([put(ANA, {"n": 1})])
    async with asyncio.timeout(20), other.watch(Query("patients")) as results:
        with pytest.raises(ArithmeticError):
            await anext(results)


async def test_opening_a_store_that_is_not_there_is_unavailable(line: Line, project: str) -> None:
    line.down = True
    with pytest.raises(StoreUnavailable):
        await FirestoreDocuments.open(project, emulator=line.address, patience_seconds=0.1)
