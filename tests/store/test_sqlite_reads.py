"""Reads on the event loop's own connection, which are broken off where they take long."""

from pathlib import Path

import pytest

from gendei.documents import put
from gendei.store import sqlite
from gendei.store.sqlite import SqliteDocuments

ENOUGH = 700
"""More reads than it takes for each of their statements to be broken off once."""


@pytest.mark.parametrize("target", [":memory:", "file"])
async def test_a_read_that_is_broken_off_anywhere_leaves_neither_a_lock_nor_an_old_view(
    target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "_LOOP_SECONDS", -1.0)
    store = await SqliteDocuments.open(str(tmp_path / "store.db") if target == "file" else target, busy_seconds=1)
    try:
        seen = []
        for number in range(ENOUGH):
            await store.commit([put("clinics/a", {"n": number}), put("clinics/b", {"n": number})])
            seen.append([snapshot.data for snapshot in await store.get_many(["clinics/a", "clinics/b"])])
    finally:
        await store.close()

    assert seen == [[{"n": number}, {"n": number}] for number in range(ENOUGH)]
