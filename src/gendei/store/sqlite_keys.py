"""Statements about many documents at once, by their keys.

Each statement gives up the interpreter lock, and to get it back from a busy event loop is what costs most.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TypeVar

T = TypeVar("T")
_MOST_ROWS = 64

# A cross join fixes the order: each key is looked up. "(collection, id) IN (VALUES ...)" scans the whole table.
FOUND = "FROM wanted CROSS JOIN documents ON collection = wanted_collection AND id = wanted_id"
"""The rows of those documents that exist, behind `wanted`."""


@cache
def wanted(count: int) -> str:
    """The keys, as a table: two parameters for each."""
    return f"WITH wanted (wanted_collection, wanted_id) AS (VALUES {placeholders(2, count)})"


@cache
def placeholders(columns: int, rows: int) -> str:
    """ "(?, ?), (?, ?)"."""
    row = f"({', '.join('?' * columns)})"
    return ", ".join([row] * rows)


def portions(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """`items` in runs whose lengths are powers of two, so that few statements serve all and stay prepared."""
    start = 0
    while left := len(items) - start:
        length = min(_MOST_ROWS, 1 << (left.bit_length() - 1))
        yield items[start : start + length]
        start += length
