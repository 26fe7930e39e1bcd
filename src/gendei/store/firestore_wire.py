"""One channel to Firestore: the four calls that the engine makes, in Firestore's own messages.

The generated client repeats a commit whose outcome is unknown by itself; here the engine decides that, so only the
messages are taken from it.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

import grpc
from google.auth.exceptions import GoogleAuthError
from google.cloud.firestore_v1 import types
from google.cloud.firestore_v1.services.firestore.transports import FirestoreGrpcAsyncIOTransport

from gendei.documents import Snapshot
from gendei.errors import StoreError, StoreUnavailable
from gendei.store.firestore_messages import Fields, snapshot_of
from gendei.store.paths import locate

_OPTIONS = (
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    ("grpc.max_receive_message_length", -1),
)
_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 1.0

Code = grpc.StatusCode
Failure: TypeAlias = grpc.aio.AioRpcError
NOT_APPLIED = frozenset({Code.ABORTED, Code.RESOURCE_EXHAUSTED})
"""A commit that ends so did nothing, and may be sent again."""
UNKNOWN = frozenset({Code.UNAVAILABLE, Code.DEADLINE_EXCEEDED, Code.INTERNAL, Code.UNKNOWN, Code.CANCELLED})
"""A commit that ends so may have been applied."""


class RetryBudget:
    """How long one operation goes on trying; an attempt takes half of it at most, so that another can follow."""

    def __init__(self, seconds: float) -> None:
        self._now = asyncio.get_running_loop().time
        self._end = self._now() + seconds
        self._attempt = seconds / 2
        self._pause = _FIRST_PAUSE

    @property
    def attempt_seconds(self) -> float:
        return max(0.001, min(self._attempt, self._end - self._now()))

    async def wait(self, failure: Failure | None, *, unsure: bool = False) -> None:
        """Pause before the next attempt. Raises StoreError where no attempt helps, StoreUnavailable where there is no
        time for one; `unsure`: what failed is a commit that may have been applied."""
        if failure is not None and failure.code() not in NOT_APPLIED | UNKNOWN:
            raise StoreError(f"Firestore refused a call ({failure.code().name}): {failure.details()}") from failure
        pause = random.uniform(0, self._pause)
        if self._now() + pause >= self._end:
            raise unavailable(failure, unsure=unsure) from failure
        self._pause = min(self._pause * 2, _LONGEST_PAUSE)
        await asyncio.sleep(pause)


def unavailable(failure: Failure | None, *, unsure: bool = False) -> StoreUnavailable:
    reason = "the stream ended" if failure is None else failure.code().name
    unknown = "; whether the commit was applied is not known" if unsure else ""
    return StoreUnavailable(f"Firestore cannot be reached now ({reason}){unknown}")


class Wire:
    """The channel of one database, for the event loop in which it was made."""

    def __init__(self, project: str, database: str, emulator: str | None, patience_seconds: float) -> None:
        """To the emulator at "host:port", or else to Google with the application's default credentials. Raises
        StoreError where there are none."""
        self._database = f"projects/{project}/databases/{database}"
        self.root = f"{self._database}/documents"
        self.patience_seconds = patience_seconds
        self._metadata = [("google-cloud-resource-prefix", self._database)]
        if emulator is not None:
            self._metadata.append(("authorization", "Bearer owner"))
        self._channel = channel = _channel(emulator)
        self._commit = _call(channel.unary_unary, "Commit")
        self._batch_get = _call(channel.unary_stream, "BatchGetDocuments")
        self._run_query = _call(channel.unary_stream, "RunQuery")
        self._listen = _call(channel.stream_stream, "Listen")

    async def commit(self, writes: list[Fields], patience: RetryBudget) -> None:
        """One attempt. Raises Failure."""
        request = types.CommitRequest.pb()(database=self._database, writes=writes)
        await self._commit(request, timeout=patience.attempt_seconds, metadata=self._metadata)

    async def get(self, paths: Iterable[str]) -> dict[str, Snapshot]:
        """The documents of `paths`, those that are missing too."""
        names = [self.name_of(path) for path in set(paths)]
        request = types.BatchGetDocumentsRequest.pb()(database=self._database, documents=names)
        answers = await self._read(self._batch_get, request) if names else []
        found = (snapshot_of(answer.found) for answer in answers if answer.HasField("found"))
        return {path: Snapshot(path, None) for path in paths} | {snapshot.path: snapshot for snapshot in found}

    async def query(self, target: Fields) -> list[Snapshot]:
        """What `firestore_messages.target_of` asks for, in order."""
        answers = await self._read(self._run_query, types.RunQueryRequest.pb()(**target))
        return [snapshot_of(answer.document) for answer in answers if answer.HasField("document")]

    @asynccontextmanager
    async def listen(self, target: Fields) -> AsyncIterator[Any]:
        """A call whose `ListenResponse`s tell of what `target` asks for, until it or the context ends."""
        call = self._listen(metadata=self._metadata)
        try:
            added = {"query": target, "target_id": 1}
            await call.write(types.ListenRequest.pb()(database=self._database, add_target=added))
            yield call
        finally:
            call.cancel()

    def name_of(self, path: str) -> str:
        """The resource's name of a document. Raises ValueError as `locate` does."""
        locate(path)
        return f"{self.root}/{path}"

    async def close(self) -> None:
        await self._channel.close()

    async def _read(self, call: Any, request: Any) -> list[Any]:
        patience = RetryBudget(self.patience_seconds)
        while True:
            try:
                answers = call(request, timeout=patience.attempt_seconds, metadata=self._metadata)
                return [answer async for answer in answers]
            except Failure as failure:
                await patience.wait(failure)


def _channel(emulator: str | None) -> grpc.aio.Channel:
    if emulator is not None:
        return grpc.aio.insecure_channel(emulator, options=_OPTIONS)
    try:
        return FirestoreGrpcAsyncIOTransport.create_channel(options=_OPTIONS)
    except GoogleAuthError as error:
        raise StoreError(f"there are no credentials for Firestore: {error}") from error


def _call(kind: Any, name: str) -> Any:
    request, response = (getattr(types, f"{name}{side}").pb() for side in ("Request", "Response"))
    return kind(
        f"/google.firestore.v1.Firestore/{name}",
        request_serializer=request.SerializeToString,
        response_deserializer=response.FromString,
    )
