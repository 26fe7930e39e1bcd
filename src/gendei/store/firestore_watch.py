"""Live queries over Firestore's Listen stream.

The generated client can listen in threads only; an asyncio stream needs none. What the server tells is put together
here, so that a change costs the documents that changed, not the whole result again.
"""

import asyncio
from contextlib import suppress
from datetime import datetime
from types import NoneType
from typing import Any

from google.cloud.firestore_v1 import types

from gendei.documents import Query, Snapshot, field_of
from gendei.errors import StoreError
from gendei.store.firestore_messages import path_of, snapshot_of, target_of
from gendei.store.firestore_wire import Failure, RetryBudget, Wire
from gendei.store.watches import QueryWatch

_GOODBYE_SECONDS = 1.0
_RANKS = {NoneType: 0, bool: 1, int: 2, float: 2, datetime: 3, str: 4, list: 5, dict: 6}
_Change = types.TargetChange.pb()


class FirestoreWatch(QueryWatch):
    """A watch that Firestore tells of changes."""

    def __init__(self, query: Query, wire: Wire) -> None:
        super().__init__(query, self._result)
        self._wire = wire
        self._target = target_of(query, wire.root)
        self._documents: dict[str, Snapshot] = {}
        """As the stream has told so far; all of them, once it is `_complete`."""
        self._complete = False
        self._settled: list[Snapshot] = []
        self._outage: RetryBudget | None = None
        self._call: Any | None = None
        self._following = asyncio.create_task(self._follow())

    async def stop(self, failure: StoreError) -> None:
        """Stop listening; a reader gets `failure` from now on."""
        self.fail(failure)
        if self._call is not None and not self._call.done():
            # gRPC's own task for a call outlives a mere cancel: the server shall end it.
            with suppress(Failure, asyncio.InvalidStateError):
                await self._call.done_writing()
            await asyncio.wait([self._following], timeout=_GOODBYE_SECONDS)
        self._following.cancel()
        await asyncio.wait([self._following])

    async def _result(self, query: Query) -> list[Snapshot]:
        ordered = sorted(self._settled, key=lambda snapshot: snapshot.path.split("/"), reverse=query.falling)
        for name, descending in reversed(query.ordering):
            ordered.sort(key=lambda snapshot: _rank(field_of(snapshot.data or {}, name)), reverse=descending)
        return ordered

    async def _follow(self) -> None:
        """Listen until stopped, anew whenever the stream ends, as it does now and then by itself."""
        try:
            while True:
                failure: Failure | None = None
                try:
                    await self._listen()
                except Failure as broken:
                    failure = broken
                if self.failure is not None:
                    return
                self._outage = self._outage or RetryBudget(self._wire.patience_seconds)
                await self._outage.wait(failure)
        except Exception as error:  # noqa: BLE001  else a reader would wait for ever for what ended
            self.fail(error)

    async def _listen(self) -> None:
        """Until the stream ends, has left something out, or has not begun to tell in time."""
        self._documents, self._complete = {}, False
        with suppress(TimeoutError):
            async with asyncio.timeout(self._wire.patience_seconds) as beginning:
                await self._hear(beginning)

    async def _hear(self, beginning: asyncio.Timeout) -> None:
        async with self._wire.listen(self._target) as self._call:
            async for response in self._call:
                if response.HasField("filter") and response.filter.count != len(self._documents):
                    return
                if self._take(response):
                    beginning.reschedule(None)
                    self._settled, self._outage = list(self._documents.values()), None
                    self.look_again()

    def _take(self, response: Any) -> bool:
        """Whether the documents are a consistent state now. Raises StoreError where the server refuses the query."""
        kind = response.WhichOneof("response_type")
        told = getattr(response, kind)
        if kind == "target_change":
            return self._turn(told)
        if kind == "document_change" and told.target_ids:
            found = snapshot_of(told.document)
            self._documents[found.path] = found
        elif kind == "document_change":  # it does not match any more
            self._documents.pop(path_of(told.document.name), None)
        elif kind in {"document_delete", "document_remove"}:
            self._documents.pop(path_of(told.document), None)
        return False

    def _turn(self, change: Any) -> bool:
        kind = change.target_change_type
        if kind == _Change.REMOVE:
            raise StoreError(f"Firestore refused to watch a query: {change.cause.message}")
        if kind == _Change.RESET:
            self._documents, self._complete = {}, False
        self._complete = self._complete or kind == _Change.CURRENT
        return self._complete and kind == _Change.NO_CHANGE and not change.target_ids


def _rank(value: Any) -> tuple[int, Any]:
    """Sorts as Firestore does: by type, then by value."""
    rank = _RANKS[type(value)]
    if isinstance(value, list):
        return rank, [_rank(item) for item in value]
    if isinstance(value, dict):
        return rank, [(key, _rank(item)) for key, item in sorted(value.items())]
    return rank, value
