"""Whose chat it is: each kind of token has its leg, and the routes know no more of them than this."""

import math
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from http import HTTPStatus
from typing import Protocol

from fastapi import HTTPException

from gendei.web.api.chat_shapes import ChatAcceptedOut, ChatConversationOut, ChatIn, ChatMessageOut, ChatOut
from gendei.web.api.shapes import Paged

Told = ChatAcceptedOut | ChatMessageOut | ChatOut
"""First that it was taken, then the messages of the answer, and as the last the whole answer."""


def too_many(wait: float) -> HTTPException:
    """429, to be tried again in so many seconds."""
    return HTTPException(HTTPStatus.TOO_MANY_REQUESTS, headers={"Retry-After": str(math.ceil(wait))})


@dataclass(frozen=True, slots=True)
class ChatFile:
    """A file of a message. reading: its bytes; raises NotFound, and OSError, on entering or while they are read."""

    name: str
    size: int
    reading: AbstractAsyncContextManager[AsyncIterator[bytes]]


class Leg(Protocol):
    """The chat of one speaker, who is known by the token. Each raises NotFound for the id of a conversation that is not
    the speaker's, Unfit for what no schema could refuse, and StoreUnavailable. `name`: the speaker's own."""

    name: str

    def answer(self, asked: ChatIn, key: str | None) -> AsyncGenerator[Told, None]:
        """Say it, and give the answer as it comes. `key`: the Idempotency-Key, under which it is said once."""
        ...

    async def conversations(self, limit: int, cursor: str | None) -> Paged[ChatConversationOut]:
        """The newest first."""
        ...

    async def messages(self, conversation_id: str, limit: int, cursor: str | None) -> Paged[ChatMessageOut]:
        """Of one conversation, oldest first."""
        ...

    async def latest(self, limit: int, cursor: str | None) -> Paged[ChatMessageOut]:
        """The newest of all conversations, oldest first in a page; with a cursor older ones."""
        ...

    def follow(self) -> AsyncGenerator[Sequence[ChatMessageOut], None]:
        """The newest of all conversations, and then what comes."""
        ...

    async def file(self, message_id: str) -> ChatFile:
        """What a message to the speaker carries. Raises NotFound."""
        ...

    async def while_good(self) -> None:
        """Raises HTTPException (401) within seconds of the end of the speaker's token."""
        ...
