"""The golden documents as files: one of each kind of path, moments as {"$moment": "2026-03-02T12:00:00+00:00"}."""

import json
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gendei.documents import Data

FOLDER = Path(__file__).parent / "documents"
OLDER = Path(__file__).parent / "older"
"""Documents as earlier versions wrote them, each with what is written after reading it."""


def kind_of(path: str) -> str:
    """The kind of a path: its collections, without the ids."""
    parts = path.split("/")
    return "/".join(part if position % 2 == 0 else "*" for position, part in enumerate(parts))


def load(folder: Path = FOLDER) -> Iterator[tuple[str, Data]]:
    """Path and document of each."""
    for file in sorted(folder.glob("*.json")):
        for entry in json.loads(file.read_text()):
            yield entry["path"], _with_moments(entry["document"])


def older() -> Iterator[tuple[str, Data, Data]]:
    """Path, document, and the document that is written after reading it."""
    for file in sorted(OLDER.glob("*.json")):
        for entry in json.loads(file.read_text()):
            yield entry["path"], _with_moments(entry["document"]), _with_moments(entry["rewritten"])


def save(folder: Path, kind: str, documents: Sequence[tuple[str, Data]]) -> None:
    """Write the file of one kind."""
    folder.mkdir(parents=True, exist_ok=True)
    entries = [{"path": path, "document": _without_moments(data)} for path, data in documents]
    name = re.sub(r"[^a-z_]+", "-", kind).strip("-")
    (folder / f"{name}.json").write_text(json.dumps(entries, ensure_ascii=False, indent=1) + "\n")


def _with_moments(value: Any) -> Any:
    if isinstance(value, dict):
        if value.keys() == {"$moment"}:
            return datetime.fromisoformat(value["$moment"])
        return {key: _with_moments(item) for key, item in value.items()}
    return [_with_moments(element) for element in value] if isinstance(value, list) else value


def _without_moments(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_moments(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_moments(element) for element in value]
    return {"$moment": value.astimezone(UTC).isoformat()} if isinstance(value, datetime) else value
