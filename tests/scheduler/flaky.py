"""A store that fails where a process would die: before a commit, or after it was made and before anybody knew."""

from collections.abc import Sequence
from random import Random
from typing import Any

from gendei.documents import Documents, Write
from gendei.errors import StoreUnavailable


class Flaky:
    """`share` of the commits fail, half of them after they were made."""

    def __init__(self, documents: Documents, rng: Random, share: float) -> None:
        self._documents, self._rng, self.share = documents, rng, share

    def __getattr__(self, name: str) -> Any:
        return getattr(self._documents, name)

    async def commit(self, writes: Sequence[Write]) -> Any:
        fails = self._rng.random() < self.share
        if fails and self._rng.random() < 0.5:
            raise StoreUnavailable("away")
        made = await self._documents.commit(writes)
        if fails:
            raise StoreUnavailable("away")
        return made
