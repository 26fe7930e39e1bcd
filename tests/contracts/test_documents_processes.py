"""What engines that several processes share do between them."""

import asyncio
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from gendei.documents import Documents, Query, Transaction, create, delete, put, transact
from gendei.errors import Conflict

COUNTER = "counters/a"


def start(engine: Any, *arguments: str) -> "subprocess.Popen[bytes]":
    script = Path(__file__).with_name("other_process.py")
    return subprocess.Popen([sys.executable, str(script), engine.url, *arguments])


async def ends_well(processes: Sequence["subprocess.Popen[bytes]"]) -> None:
    codes = await asyncio.gather(*(asyncio.to_thread(process.wait, 60) for process in processes))
    assert codes == [0] * len(processes)


async def test_two_processes_and_this_one_count_together_and_lose_nothing(
    shared_engine: Any, shared_store: Documents
) -> None:
    async def increment(transaction: Transaction) -> None:
        counter = await transaction.get(COUNTER)
        transaction.put(COUNTER, {"count": (counter.data or {"count": 0})["count"] + 1})

    others = [start(shared_engine, "increment", COUNTER, "25") for _ in range(2)]
    for _ in range(25):
        await transact(shared_store, increment)
    await ends_well(others)
    assert (await shared_store.get(COUNTER)).data == {"count": 75}


async def test_a_watch_sees_another_processs_change(shared_engine: Any, shared_store: Documents) -> None:
    async with asyncio.timeout(60), shared_store.watch(Query("counters")) as results:
        assert await anext(results) == []
        await ends_well([start(shared_engine, "put", COUNTER, "7")])
        assert [snapshot.data for snapshot in await anext(results)] == [{"count": 7}]


async def test_a_guard_holds_against_another_process(shared_engine: Any, shared_store: Documents) -> None:
    await shared_store.commit([create(COUNTER, {"count": 1})])
    read = await shared_store.get(COUNTER)
    await ends_well([start(shared_engine, "put", COUNTER, "1")])
    with pytest.raises(Conflict):
        await shared_store.commit([put(COUNTER, {"count": 2}, unchanged_since=read)])


async def test_documents_and_versions_outlive_the_store(shared_engine: Any) -> None:
    first = await shared_engine.open()
    await first.commit([put(COUNTER, {"at": datetime(2026, 9, 7, tzinfo=UTC), "text": "ação"})])
    read = await first.get(COUNTER)
    await first.close()
    second = await shared_engine.open()
    assert await second.get(COUNTER) == read
    await second.commit([delete(COUNTER, unchanged_since=read)])
    await second.close()
    third = await shared_engine.open()
    await third.commit([create(COUNTER, read.data or {})])
    with pytest.raises(Conflict):
        await third.commit([put(COUNTER, {}, unchanged_since=read)])
    await third.close()
