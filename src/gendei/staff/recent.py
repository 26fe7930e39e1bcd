"""What was found a moment ago, so that a page's burst of requests is one read of the store."""

from datetime import datetime, timedelta
from typing import Generic, TypeVar

T = TypeVar("T")
KEPT = timedelta(seconds=3)
"""How long at most a process goes on believing in a session or a token that another process has revoked."""

_MOST = 5_000


class Recent(Generic[T]):
    """Values by key, each believed for `KEPT`."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[datetime, T]] = {}

    def get(self, key: str, now: datetime) -> T | None:
        at, value = self._found.get(key, (None, None))
        return value if at is not None and at <= now < at + KEPT else None

    def keep(self, key: str, value: T, now: datetime) -> None:
        if len(self._found) >= _MOST:
            self._found = {name: (at, kept) for name, (at, kept) in self._found.items() if at <= now < at + KEPT}
        if len(self._found) < _MOST:
            self._found[key] = (now, value)

    def forget(self, key: str) -> None:
        self._found.pop(key, None)

    def clear(self) -> None:
        self._found.clear()
