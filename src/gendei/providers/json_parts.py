"""Reading JSON that others wrote: whatever stands there, these give a value of the wanted kind or nothing."""

from math import isfinite
from typing import Any

Json = dict[str, Any]
MAX_DETAIL = 16_384
"""Characters of one text in `details`: more than any form or card needs, little beside a document's limit."""


def part(parent: Json, *path: str) -> Json:
    """The object under `path`, or an empty one."""
    found: object = parent
    for key in path:
        found = found.get(key) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else {}


def string(value: object) -> str | None:
    """A text that says something: "" counts as missing."""
    return value if isinstance(value, str) and value else None


def scalar(value: object) -> str | int | float | bool | None:
    """A value that every store can hold, or None: no containers, no infinities, no integers beyond 64 bits."""
    if isinstance(value, str):
        return value[:MAX_DETAIL]
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if abs(value) < 2**63 else None
    return value if isinstance(value, float) and isfinite(value) else None


def known(source: Json, *names: str) -> Json:
    """The named fields of `source` that are there."""
    return {name: value for name in names if (value := scalar(source.get(name))) is not None}


def objects(value: object) -> list[Json]:
    """The objects of a list; of anything else none."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
