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


def looked_up(keys: Sequence[tuple[str, str]]) -> Iterator[tuple[str, list[str]]]:
    """`wanted` with its parameters for some keys after others, filled up to a power of two with what no document has:
    few statements serve all and stay prepared."""
    for start in range(0, len(keys), _MOST_ROWS):
        some = keys[start : start + _MOST_ROWS]
        count = 1 << (len(some) - 1).bit_length()
        yield wanted(count), [part for key in some for part in key] + ["", ""] * (count - len(some))


def portions(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """`items` in runs whose lengths are powers of two, so that few statements serve all and stay prepared."""
    start = 0
    while left := len(items) - start:
        length = min(_MOST_ROWS, 1 << (left.bit_length() - 1))
        yield items[start : start + length]
        start += length
