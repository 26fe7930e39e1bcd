"""What every stand-in of a provider's API has: a memory of what it took, and failures told to it beforehand."""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Literal, Protocol, TypeVar

from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send


class SentTo(Protocol):
    """A message that a stand-in took; `to` is the phone ("+55...") or other id that it went to."""

    @property
    def to(self) -> str: ...


S = TypeVar("S", bound=SentTo)


@dataclass(frozen=True, slots=True)
class Failure:
    """How one request fails. "error": the provider's error answer, with Meta's `code`; "garbage": 200 without JSON;
    "hang": no answer until the caller gives up; "drop": the connection breaks inside the answer. `accepted`: the
    message goes out all the same."""

    kind: Literal["error", "garbage", "hang", "drop"] = "error"
    status: int = 400
    code: int = 131000
    retry_after: int | None = None
    accepted: bool = False


@dataclass(frozen=True, slots=True)
class Read:
    """A message that was marked as read on a number, perhaps with the typing indicator."""

    phone_number_id: str
    message_id: str
    typing: bool


class Memory(Generic[S]):
    """Everything a stand-in took, in order. A subclass adds what it sees and calls `changed` after each request."""

    def __init__(self) -> None:
        self.sent: list[S] = []
        self.reads: list[Read] = []
        self._failures: deque[Failure] = deque()
        self._changed = asyncio.Condition()

    def fail_next(self, failure: Failure | None = None, *, times: int = 1) -> None:
        """Let the next messages (not the read receipts) fail, after those already told to."""
        self._failures.extend([failure or Failure()] * times)

    @property
    def failures_left(self) -> int:
        return len(self._failures)

    def next_failure(self) -> Failure | None:
        """How the message at hand fails; for subclasses, once a message."""
        return self._failures.popleft() if self._failures else None

    async def changed(self) -> None:
        """Wake whoever waits for something that may be there now."""
        async with self._changed:
            self._changed.notify_all()

    def sent_to(self, contact: str) -> list[S]:
        return [sent for sent in self.sent if sent.to == contact]

    async def wait_until(self, predicate: Callable[[], bool], *, patience_seconds: float = 10) -> None:
        """Return once `predicate` holds; it is asked again after every request. Raises TimeoutError."""
        async with asyncio.timeout(patience_seconds), self._changed:
            await self._changed.wait_for(predicate)

    async def wait_sent(self, count: int, *, to: str | None = None, patience_seconds: float = 10) -> list[S]:
        """The messages (to one contact, if given) once there are at least `count`. Raises TimeoutError."""

        def found() -> list[S]:
            return self.sent if to is None else self.sent_to(to)

        await self.wait_until(lambda: len(found()) >= count, patience_seconds=patience_seconds)
        return list(found())


class NoAnswer(Response):
    """Hangs until the caller leaves, or announces more bytes than it sends, so that the server cuts the line."""

    def __init__(self, *, hang: bool) -> None:
        super().__init__()
        self._hang = hang

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        if self._hang:
            while (await receive())["type"] != "http.disconnect":
                continue
        start: Message = {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"99")]}
        await send(start)
        await send({"type": "http.response.body", "body": b"{", "more_body": True})


def broken_answer(failure: Failure) -> Response | None:
    """The answer of a failure that looks alike with every provider; None for "error", which does not."""
    if failure.kind == "error":
        return None
    return Response(b"<html>") if failure.kind == "garbage" else NoAnswer(hang=failure.kind == "hang")
