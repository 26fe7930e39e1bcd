"""Live queries over Firestore's Listen stream.

The generated client can listen in threads only; an asyncio stream needs none. What the server tells is put together
here, so that a change costs the documents that changed, not the whole result again.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import suppress
from typing import Any

from google.cloud.firestore_v1 import types

from gendei.documents import Query, Snapshot
from gendei.errors import StoreError
from gendei.store.firestore_query import in_order, parent_of, structured
from gendei.store.firestore_values import data_of, version_of
from gendei.store.firestore_wire import Failure, Patience, Wire

_TARGET = 1
_GOODBYE_SECONDS = 1.0
_Request, _Change = types.ListenRequest.pb(), types.TargetChange.pb()


class Watch(AsyncIterator[list[Snapshot]]):
    """The results of `query`: the present one, then one after each change; a slow reader gets only the latest."""

    def __init__(self, query: Query, wire: Wire, patience_seconds: float) -> None:
        self._query, self._wire, self._seconds = query, wire, patience_seconds
        self._structured = structured(query, wire.root)
        self._news = asyncio.Event()
        self._latest: list[Snapshot] = []
        self._seen: list[tuple[str, object]] | None = None
        self._failure: StoreError | None = None
        self._call: Any | None = None
        self._following = asyncio.create_task(self._follow())

    async def __anext__(self) -> list[Snapshot]:
        await self._news.wait()
        if self._failure is not None:
            raise self._failure
        self._news.clear()
        return self._latest

    async def stop(self, failure: StoreError) -> None:
        """Stop listening; a reader gets `failure` from now on."""
        self._fail(failure)
        if self._call is not None:  # gRPC's own task for a call outlives a mere cancel; the server ends it for us
            with suppress(Failure, asyncio.InvalidStateError):
                await self._call.done_writing()
            await asyncio.wait([self._following], timeout=_GOODBYE_SECONDS)
        self._following.cancel()
        await asyncio.wait([self._following])

    def _fail(self, failure: StoreError) -> None:
        self._failure = self._failure or failure
        self._news.set()

    def _show(self, result: list[Snapshot]) -> None:
        seen = [(snapshot.path, snapshot.version) for snapshot in result]
        if seen != self._seen:
            self._seen, self._latest = seen, result
            self._news.set()

    async def _follow(self) -> None:
        """Listen until cancelled, anew whenever the stream ends, as it does now and then by itself."""
        if self._structured is None:
            self._show([])
            return
        outage: Patience | None = None
        try:
            while True:
                failure: Failure | None = None
                try:
                    async for result in self._listen():
                        outage = None
                        self._show(in_order(self._query, result))
                except Failure as broken:
                    failure = broken
                if self._failure is not None:
                    return
                outage = outage or Patience(self._seconds)
                await outage.wait(failure)
        except StoreError as error:
            self._fail(error)

    async def _listen(self) -> AsyncIterator[Iterable[Snapshot]]:
        """Each consistent state of one stream, until that ends."""
        query = {"parent": parent_of(self._query, self._wire.root), "structured_query": self._structured}
        state = _State(self._wire)
        self._call = call = self._wire.listen()
        try:
            await call.write(_Request(database=self._wire.database, add_target={"query": query, "target_id": _TARGET}))
            async for response in call:
                if state.is_lost(response):
                    return
                if state.take(response):
                    yield state.documents.values()
        finally:
            self._call = None
            call.cancel()


class _State:
    """What one stream has told so far."""

    def __init__(self, wire: Wire) -> None:
        self.documents: dict[str, Snapshot] = {}
        self._wire = wire
        self._complete = False

    def is_lost(self, response: Any) -> bool:
        """The server counts other documents than are here: something was missed, and must be asked for again."""
        counted = response.WhichOneof("response_type") == "filter"
        return counted and bool(response.filter.count != len(self.documents))

    def take(self, response: Any) -> bool:
        """Whether the documents are a consistent state now. Raises StoreError where the server refuses the query."""
        match response.WhichOneof("response_type"):
            case "target_change":
                return self._turn(response.target_change)
            case "document_change":
                change = response.document_change
                self._put(change.document, matches=bool(change.target_ids))
            case "document_delete":
                self.documents.pop(self._wire.path_of(response.document_delete.document), None)
            case "document_remove":
                self.documents.pop(self._wire.path_of(response.document_remove.document), None)
        return False

    def _turn(self, change: Any) -> bool:
        if change.target_change_type == _Change.REMOVE:
            raise StoreError(f"Firestore refused to watch a query: {change.cause.message}")
        if change.target_change_type == _Change.RESET:
            self.documents.clear()
            self._complete = False
        elif change.target_change_type == _Change.CURRENT:
            self._complete = True
        settled = change.target_change_type == _Change.NO_CHANGE and not change.target_ids
        return self._complete and bool(settled)

    def _put(self, document: Any, *, matches: bool) -> None:
        path = self._wire.path_of(document.name)
        if matches:
            self.documents[path] = Snapshot(path, data_of(document), version_of(document))
        else:
            self.documents.pop(path, None)
