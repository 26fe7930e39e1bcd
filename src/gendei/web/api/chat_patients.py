"""The chat of a patient on the clinic's web site: the receptionist of every other channel."""

import asyncio
import re
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, suppress
from hashlib import sha256
from typing import TypeVar
from uuid import uuid4

from pydantic_core import from_json, to_json

from gendei.clock import Clock
from gendei.conversation.site.sittings import Sitting, Sittings
from gendei.conversation.site.visitor_tokens import VisitorClaim
from gendei.conversation.site.web_channel import ChatMessage, SaidOtherwise, WebChannel
from gendei.conversation.stored.history import Author, Place
from gendei.messages.turns import ToolStatus, ToolStep
from gendei.receptionist.tools.registry import all_tools
from gendei.web.api.chat_legs import ChatFile, Told
from gendei.web.api.chat_shapes import (
    ChatAcceptedOut,
    ChatConversationOut,
    ChatFileOut,
    ChatIn,
    ChatLinkOut,
    ChatMessageOut,
    ChatOptionOut,
    ChatOut,
    ChatStatus,
    ToolOut,
)
from gendei.web.api.problems import Unfit
from gendei.web.api.shapes import Paged, cursor_of, place_of
from gendei.web.sessions import unauthorized

ANSWER_SECONDS = 50.0
"""How long a request waits for its answer. Below the minute after which most proxies hang up."""
MAX_PREVIEW = 120
LONGEST_KEY = 255
_PLAIN_KEY = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)
T = TypeVar("T")


class PatientLeg:
    """Implements `chat_legs.Leg` for one visit. clock: the one by which the visit's token expires."""

    def __init__(self, channel: WebChannel, sittings: Sittings, visit: VisitorClaim, clock: Clock) -> None:
        self._channel, self._sittings, self._clock = channel, sittings, clock
        self._visit, self._visitor = visit, visit.visitor
        self.name = visit.visitor.key.text

    async def answer(self, asked: ChatIn, key: str | None) -> AsyncGenerator[Told, None]:
        """`pending` where no answer came within ANSWER_SECONDS; the message is durable all the same."""
        visitor, message_id = self._visitor, _message_id(key)
        if asked.history is not None:
            raise Unfit("body.history", "a visitor's messages are kept here")
        if asked.conversation_id is not None:
            await self._sittings.messages(visitor, asked.conversation_id, None, 1)
        said = await self._channel.say(visitor, asked.message, message_id=message_id, choice=asked.choice)
        yield ChatAcceptedOut(message_id=message_id)
        told: list[ChatMessage] = []
        late = False
        async with aclosing(_within(ANSWER_SECONDS, self._channel.replies(visitor, said))) as replies:
            try:
                async for reply in replies:
                    told.append(reply)
                    yield _message(reply)
            except TimeoutError:
                late = True
            except SaidOtherwise:
                raise Unfit("header.Idempotency-Key", "this key was used for another message") from None
        yield await self._answered(told, late=late)

    async def conversations(self, limit: int, cursor: str | None) -> Paged[ChatConversationOut]:
        found = await self._sittings.newest(self._visitor, place_of(cursor), limit)
        more = _cursor(found[-1].first) if len(found) == limit else None
        return Paged(items=[_conversation(sitting) for sitting in found], next=more)

    async def messages(self, conversation_id: str, limit: int, cursor: str | None) -> Paged[ChatMessageOut]:
        page = await self._sittings.messages(self._visitor, conversation_id, place_of(cursor), limit)
        return _page(page, page[-1].place if len(page) == limit else None)

    async def latest(self, limit: int, cursor: str | None) -> Paged[ChatMessageOut]:
        page = await self._channel.messages(self._visitor, before=place_of(cursor), limit=limit)
        return _page(page, page[0].place if page else None)

    async def follow(self) -> AsyncGenerator[Sequence[ChatMessageOut], None]:
        async with aclosing(self._channel.follow(self._visitor)) as news:
            async for messages in news:
                yield [_message(message) for message in messages]

    async def file(self, message_id: str) -> ChatFile:
        file = await self._channel.file(self._visitor, message_id)
        return ChatFile(file.file_name, file.size, self._channel.reading(file))

    async def while_good(self) -> None:
        await asyncio.sleep((self._visit.expires_at - self._clock()).total_seconds())
        raise unauthorized("the token is expired")

    async def _answered(self, told: Sequence[ChatMessage], *, late: bool) -> ChatOut:
        conversation = await self._channel.conversation(self._visitor)
        sitting = await self._sittings.latest(self._visitor)
        if not told and conversation is not None and conversation.has_person:
            status = ChatStatus.PERSON
        else:
            status = ChatStatus.PENDING if late and not told else ChatStatus.ANSWERED
        tools = [tool_out(step) for message in told for step in message.steps]
        return ChatOut.saying([_message(message) for message in told], sitting.id if sitting else None, status, tools)


async def _within(seconds: float, source: AsyncGenerator[T, None]) -> AsyncGenerator[T, None]:
    """What `source` gives, up to so many seconds from now; then it is ended. Raises TimeoutError."""
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    async with aclosing(source):
        while True:
            try:
                yield await asyncio.wait_for(anext(source), max(0.0, end - loop.time()))
            except StopAsyncIteration:
                return


def _message_id(key: str | None) -> str:
    """The message's id for a key; keys of other characters than a message id's are told apart by their digest."""
    if key is None:
        return str(uuid4())
    if not 1 <= len(key) <= LONGEST_KEY or not (key.isascii() and key.isprintable()):
        raise Unfit("header.Idempotency-Key", f"a key is 1 to {LONGEST_KEY} printable ASCII characters")
    return key if _PLAIN_KEY.fullmatch(key) else f"key-{sha256(key.encode()).hexdigest()}"


def _page(messages: Sequence[ChatMessage], more: Place | None) -> Paged[ChatMessageOut]:
    return Paged(items=[_message(message) for message in messages], next=_cursor(more) if more else None)


def _cursor(place: Place) -> str:
    return cursor_of(place[0].isoformat(), place[1])


def _conversation(sitting: Sitting) -> ChatConversationOut:
    began, preview = sitting.started_at, sitting.preview[:MAX_PREVIEW] or None
    more = {"last_activity": sitting.active_at, "message_count": sitting.messages}
    return ChatConversationOut.of(sitting, created_at=began, preview=preview, **more)


def _message(message: ChatMessage) -> ChatMessageOut:
    file = message.file
    return ChatMessageOut(
        id=message.id,
        role="user" if message.author is Author.PATIENT else "assistant",
        text=message.text,
        at=message.at,
        options=tuple(map(ChatOptionOut.of, message.options)),
        list_label=message.list_label,
        link=ChatLinkOut.of(message.link) if message.link else None,
        by=message.name,
        message_id=message.message_id,
        file=ChatFileOut(name=file.file_name, type=file.mime_type, size=file.size) if file else None,
    )


def tool_out(step: ToolStep) -> ToolOut:
    """A call that worked and yet refused ("that time is taken") was no success. Without a preview of what a server of
    the clinic's own said: only the receptionist's answer, which is checked, is for visitors."""
    result: object = None
    with suppress(ValueError):
        result = from_json(step.result or "null")
    told = result if isinstance(result, dict) else {}
    succeeded = step.status is ToolStatus.COMPLETED and step.error is None and told.get("success") is not False
    data = told.get("data") if succeeded and step.tool in all_tools().tools else None
    preview = data if isinstance(data, str) or data is None else to_json(data).decode()
    status = ToolStatus.FAILED if step.status is ToolStatus.COMPLETED and not succeeded else step.status
    shown = preview[:MAX_PREVIEW] if preview else None
    return ToolOut(tool=step.tool, success=succeeded, status=status, preview=shown)
