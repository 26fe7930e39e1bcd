"""Live queries, on every engine."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from gendei.documents import Documents, Query, Snapshot, delete, put
from gendei.errors import StoreUnavailable

THINGS = Query("clinics/a/things", where=(("open", "==", True),), order_by=(("n", False),))


def thing(name: str, n: int, *, clinic: str = "a", is_open: bool = True) -> Any:
    return put(f"clinics/{clinic}/things/{name}", {"n": n, "open": is_open})


async def following(results: AsyncIterator[list[Snapshot]]) -> list[str]:
    async with asyncio.timeout(10):
        return [snapshot.id for snapshot in await anext(results)]


async def test_a_watch_begins_with_the_present_result(store: Documents) -> None:
    await store.commit([thing("b", 2), thing("a", 1), thing("c", 3, is_open=False)])
    async with store.watch(THINGS) as results:
        assert await following(results) == ["a", "b"]


async def test_a_watch_shows_the_whole_result_after_each_change(store: Documents) -> None:
    async with store.watch(THINGS) as results:
        assert await following(results) == []
        await store.commit([thing("b", 2)])
        assert await following(results) == ["b"]
        await store.commit([thing("a", 1)])
        assert await following(results) == ["a", "b"]
        await store.commit([thing("b", 0)])
        assert await following(results) == ["b", "a"]
        await store.commit([thing("b", 0, is_open=False)])
        assert await following(results) == ["a"]
        await store.commit([delete("clinics/a/things/a")])
        assert await following(results) == []


async def test_a_watch_stays_silent_on_what_leaves_its_result_alone(store: Documents) -> None:
    async with store.watch(THINGS) as results:
        assert await following(results) == []
        await store.commit([thing("outside", 1, is_open=False)])
        await store.commit([thing("outsider", 1, clinic="outsider")])
        await store.commit([thing("a", 1)])
        assert await following(results) == ["a"]


async def test_a_watch_of_a_collection_group_sees_every_collection_of_that_name(store: Documents) -> None:
    async with store.watch(Query("things", group=True)) as results:
        assert await following(results) == []
        await store.commit([thing("a", 1)])
        assert await following(results) == ["a"]
        await store.commit([thing("b", 1, clinic="b")])
        assert await following(results) == ["a", "b"]


async def test_each_of_several_watches_gets_its_own_results(store: Documents) -> None:
    async with store.watch(THINGS) as first, store.watch(THINGS) as second:
        assert [await following(first), await following(second)] == [[], []]
        await store.commit([thing("a", 1)])
        assert [await following(first), await following(second)] == [["a"], ["a"]]
    async with store.watch(THINGS) as third:
        assert await following(third) == ["a"]


async def test_a_cancelled_watch_leaves_no_task_behind_and_the_store_working(store: Documents) -> None:
    before = asyncio.all_tasks()
    seen = asyncio.Event()

    async def watch() -> None:
        async with store.watch(THINGS) as results:
            async for _ in results:
                seen.set()

    watching = asyncio.create_task(watch())
    await seen.wait()
    watching.cancel()
    with pytest.raises(asyncio.CancelledError):
        await watching
    assert asyncio.all_tasks() == before
    await store.commit([thing("a", 1)])


async def test_closing_the_store_ends_its_watches(store: Documents) -> None:
    async with store.watch(THINGS) as results:
        await following(results)
        waiting = asyncio.ensure_future(following(results))
        await asyncio.sleep(0)
        await store.close()
        with pytest.raises(StoreUnavailable):
            await waiting
    with pytest.raises(StoreUnavailable):
        async with store.watch(THINGS):
            pass
