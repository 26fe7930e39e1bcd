"""One channel to Firestore: the four calls that the engine makes, in Firestore's own messages.

The generated client repeats a commit whose outcome is unknown by itself; here the engine decides that, so only the
messages are taken from it.
"""

import asyncio
import random
from typing import Any, TypeAlias

import grpc
from google.auth.exceptions import GoogleAuthError
from google.cloud.firestore_v1 import types
from google.cloud.firestore_v1.services.firestore.transports import FirestoreGrpcAsyncIOTransport

from gendei.errors import StoreError, StoreUnavailable

_OPTIONS = (
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    ("grpc.max_send_message_length", -1),
    ("grpc.max_receive_message_length", -1),
)
_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 1.0

Code = grpc.StatusCode
Failure: TypeAlias = grpc.aio.AioRpcError
NOT_APPLIED = frozenset({Code.ABORTED, Code.RESOURCE_EXHAUSTED})
"""A commit that ends so did nothing, and may be sent again."""
UNKNOWN = frozenset({Code.UNAVAILABLE, Code.DEADLINE_EXCEEDED, Code.INTERNAL, Code.UNKNOWN, Code.CANCELLED})
"""A commit that ends so may have been applied."""


class Patience:
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
    """The channel of one database. Made with `connect`, in the event loop that uses it."""

    def __init__(self, channel: grpc.aio.Channel, database: str, token: str | None) -> None:
        self.database = database
        self.root = f"{database}/documents"
        self._channel = channel
        self._metadata = [("google-cloud-resource-prefix", database)]
        if token is not None:
            self._metadata.append(("authorization", f"Bearer {token}"))
        self._commit = _call(channel.unary_unary, "Commit", types.CommitRequest, types.CommitResponse)
        self._batch_get = _call(
            channel.unary_stream, "BatchGetDocuments", types.BatchGetDocumentsRequest, types.BatchGetDocumentsResponse
        )
        self._run_query = _call(channel.unary_stream, "RunQuery", types.RunQueryRequest, types.RunQueryResponse)
        self._listen = _call(channel.stream_stream, "Listen", types.ListenRequest, types.ListenResponse)

    @classmethod
    def connect(cls, project: str, database: str, emulator: str | None) -> "Wire":
        """To the emulator at "host:port", or else to Google with the application's default credentials. Raises
        StoreError where there are none."""
        name = f"projects/{project}/databases/{database}"
        if emulator is not None:
            return cls(grpc.aio.insecure_channel(emulator, options=_OPTIONS), name, "owner")
        try:
            return cls(FirestoreGrpcAsyncIOTransport.create_channel(options=_OPTIONS), name, None)
        except GoogleAuthError as error:
            raise StoreError(f"there are no credentials for Firestore: {error}") from error

    async def commit(self, writes: list[Any], patience: Patience) -> None:
        """One attempt. Raises Failure."""
        request = types.CommitRequest.pb()(database=self.database, writes=writes)
        await self._commit(request, timeout=patience.attempt_seconds, metadata=self._metadata)

    async def get(self, paths: list[str], patience: Patience) -> dict[str, Any]:
        """The `Document` of each of `paths` that exists."""
        names = [f"{self.root}/{path}" for path in paths]
        request = types.BatchGetDocumentsRequest.pb()(database=self.database, documents=names)
        answers = await self._read(self._batch_get, request, patience)
        found = (one.found for one in answers if one.WhichOneof("result") == "found")
        return {self.path_of(document.name): document for document in found}

    async def query(self, parent: str, structured: Any, patience: Patience) -> list[Any]:
        """The `Document`s in order."""
        request = types.RunQueryRequest.pb()(parent=parent, structured_query=structured)
        return [
            one.document for one in await self._read(self._run_query, request, patience) if one.HasField("document")
        ]

    def listen(self) -> Any:
        """A call to write a `ListenRequest` to, and to read `ListenResponse`s from; cancel it at the end."""
        return self._listen(metadata=self._metadata)

    def path_of(self, name: str) -> str:
        """The path of a resource's name."""
        return name[len(self.root) + 1 :]

    async def close(self) -> None:
        await self._channel.close()

    async def _read(self, call: Any, request: Any, patience: Patience) -> list[Any]:
        while True:
            try:
                answers = call(request, timeout=patience.attempt_seconds, metadata=self._metadata)
                return [answer async for answer in answers]
            except Failure as failure:
                await patience.wait(failure)


def _call(kind: Any, name: str, request: Any, response: Any) -> Any:
    return kind(
        f"/google.firestore.v1.Firestore/{name}",
        request_serializer=request.pb().SerializeToString,
        response_deserializer=response.pb().FromString,
    )
