"""Collect what the service writes while tests run, one file for each kind of path: a pytest plugin.

    python -m pytest -p tests.golden.collect --golden FOLDER tests/journeys tests/conversation ...

Of each kind it keeps the documents that show something no other one shows: a field with and without a value, an empty
and a full list, each value of a field that says what something is. What a test itself puts into the store does not
count. Secrets are sealed anew with a fixed key, and the files are to be read by `tests.golden.files`.
"""

import sys
from collections.abc import Iterator, Sequence
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from tests.golden.files import kind_of, load, save

from gendei.documents import Data, Write
from gendei.secrets import SecretBox
from gendei.store.sqlite import SqliteDocuments

GOLDEN_KEY = "Z29sZGVuLWdvbGRlbi1nb2xkZW4tZ29sZGVuLWdvbGQ="
"""Of the sealed values in the golden documents; it has sealed nothing else."""
_OPEN = frozenset(
    {
        "agentState",
        "taken",
        "holds",
        "blocks",
        "answer",
        "addresses",
        "values",
        "sentOn",
        "sealed",
        "settings",
        "overrides",
        "arguments",
    }
    | {"sealedHeaders", "booked", "contacts", "failed", "skipped", "fills", "templates", "detail", "question"}
)
"""Maps with keys of their own: what they hold is not looked into."""
_TELLING = frozenset(
    {"status", "type", "author", "role", "event", "kind", "deliveryState", "reason", "scope", "answers", "state"}
    | {"currentAgent", "occasion", "shows", "hearing", "provider", "rate"}
)
_kept: dict[str, list[tuple[str, Data]]] = {}
_known: dict[str, set[tuple[str, str]]] = {}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--golden", help="The folder to add what is new to.")


def pytest_configure(config: pytest.Config) -> None:
    folder = config.getoption("--golden")
    if folder:
        for path, data in load(Path(folder)):
            _consider(path, data)
        _watch_commits()


def pytest_unconfigure(config: pytest.Config) -> None:
    folder = config.getoption("--golden")
    if folder:
        for kind, documents in _kept.items():
            save(Path(folder), kind, _fewest(documents))


def _watch_commits() -> None:
    original = SqliteDocuments.commit

    async def commit(self: SqliteDocuments, writes: Sequence[Write]) -> None:
        await original(self, writes)
        if _is_ours():
            for write in writes:
                if write.data is not None:
                    _consider(write.path, _plain(write.data))

    SqliteDocuments.commit = commit  # type: ignore[method-assign]


def _is_ours() -> bool:
    """Whether the service asked for the commit, and not a test."""
    frame = sys._getframe(2)
    while frame is not None:
        name = frame.f_code.co_filename
        if "/tests/" in name:
            return False
        if "/gendei/" in name and not name.endswith(("documents.py", "/store/sqlite.py")):
            return True
        frame = frame.f_back
    return False


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(element) for element in value]
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, str) and "gAAAA" in value:
        return SecretBox(GOLDEN_KEY).seal("golden", "golden")
    return value


def _consider(path: str, data: Data) -> None:
    kind = kind_of(path)
    shown = set(_features(data))
    if not shown <= _known.setdefault(kind, set()):
        _known[kind] |= shown
        _kept.setdefault(kind, []).append((path, data))


def _features(value: Any, at: str = "") -> Iterator[tuple[str, str]]:
    name = at.rpartition(".")[2]
    if isinstance(value, dict):
        yield at, "map" if value else "empty map"
        if name not in _OPEN:
            for key, item in value.items():
                yield from _features(item, f"{at}.{key}")
            yield at, "with " + " ".join(sorted(value))
    elif isinstance(value, list):
        yield at, "list" if value else "empty list"
        for element in value:
            yield from _features(element, f"{at}[]" if not isinstance(element, dict) else f"{at}[].")
    elif isinstance(value, str):
        yield at, f"={value}" if name in _TELLING else "text" if value else "empty text"
    elif isinstance(value, bool):
        yield at, str(value)
    elif isinstance(value, datetime):
        yield at, "moment"
    else:
        yield at, type(value).__name__


def _fewest(documents: list[tuple[str, Data]]) -> list[tuple[str, Data]]:
    """Enough of them to show what all of them show, the richest first."""
    left = [(path, data, set(_features(data))) for path, data in documents]
    shown: set[tuple[str, str]] = set()
    chosen = []
    while left:
        best = max(left, key=lambda item: len(item[2] - shown))
        if not best[2] - shown:
            break
        left.remove(best)
        shown |= best[2]
        chosen.append((best[0], best[1]))
    return chosen
