"""The chat of staff's programs: the assistant, with a token's rights. What it would change is asked with two options,
and done when the first of them, or a yes in words, is said."""

import asyncio
import logging
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from uuid import uuid4

from gendei.app import Gendei
from gendei.assistant.assistant import Answer
from gendei.assistant.requests import RequestRefused, Said, checked_history, checked_message
from gendei.assistant.talks import Message, Talk
from gendei.conversation.turns.turn import describe
from gendei.errors import NotFound
from gendei.staff.actors import Actor
from gendei.web.api.chat_legs import ChatFile, Told
from gendei.web.api.chat_shapes import (
    ChatAcceptedOut,
    ChatConversationOut,
    ChatIn,
    ChatMessageOut,
    ChatOptionOut,
    ChatOut,
    ToolOut,
)
from gendei.web.api.problems import Unfit
from gendei.web.api.shapes import NotACursor, Paged, cursor_of, place_of, values_of
from gendei.web.sessions import unauthorized

log = logging.getLogger(__name__)
CHECK_SECONDS = 5.0
"""How long an open stream may outlive its token."""
_CHOICE = re.compile(r"(yes|no)\|([0-9a-f]{20})", re.ASCII)
_TITLE = re.compile(r"say\|\d{1,2}", re.ASCII)
"""Of an option that says no more than its title."""


class StaffLeg:
    """Implements `chat_legs.Leg` for an actor. good: whether the actor's token still is. answering: holds what is being
    answered until it is."""

    def __init__(
        self, gendei: Gendei, actor: Actor, good: Callable[[], Awaitable[bool]], answering: set[asyncio.Task[ChatOut]]
    ) -> None:
        self._assistant, self._talks, self._actor, self._good = gendei.assistant, gendei.assistant.talks, actor, good
        self._answering = answering
        self.name = f"{actor.clinic_id}/{actor.user_id}"

    async def answer(self, asked: ChatIn, key: str | None) -> AsyncGenerator[Told, None]:
        """`key`: names the message and no more, as the API answers a repeated request of an actor's by itself."""
        self._check(asked)
        if asked.conversation_id is not None:
            await self._talks.get(self._actor, asked.conversation_id)
        answering = asyncio.create_task(self._answer(asked))
        self._answering.add(answering)
        answering.add_done_callback(self._answered)
        yield ChatAcceptedOut(message_id=key or str(uuid4()))
        told = await asyncio.shield(answering)
        for message in told.messages:
            yield message
        yield told

    async def conversations(self, limit: int, cursor: str | None) -> Paged[ChatConversationOut]:
        found = await self._talks.latest(self._actor, limit, place_of(cursor))
        last = found[-1] if len(found) == limit else None
        more = cursor_of(last.active_at.isoformat(), last.id) if last else None
        return Paged(items=[_conversation(talk) for talk in found], next=more)

    async def messages(self, conversation_id: str, limit: int, cursor: str | None) -> Paged[ChatMessageOut]:
        after = -1 if cursor is None else _seq(cursor)
        found = await self._talks.messages(self._actor, conversation_id, limit, after=after)
        return _page(conversation_id, found, found[-1].seq if len(found) == limit else None)

    async def latest(self, limit: int, cursor: str | None) -> Paged[ChatMessageOut]:
        """Of the last conversation alone."""
        talks = await self._talks.latest(self._actor, 1)
        if not talks:
            return Paged(items=[])
        before = None if cursor is None else _seq(cursor)
        found = await self._talks.messages(self._actor, talks[0].id, limit, before=before)
        return _page(talks[0].id, found, found[0].seq if found and found[0].seq > 0 else None)

    async def follow(self) -> AsyncGenerator[Sequence[ChatMessageOut], None]:
        async for talk_id, said in self._talks.follow(self._actor):
            await self._require_good()
            yield [_message(talk_id, message) for message in said]

    async def file(self, message_id: str) -> ChatFile:
        """The assistant sends none."""
        raise NotFound

    async def while_good(self) -> None:
        while True:
            await self._require_good()
            await asyncio.sleep(CHECK_SECONDS)

    async def _require_good(self) -> None:
        if not await self._good():
            raise unauthorized("the token is expired or revoked, or may not read any more")

    def _check(self, asked: ChatIn) -> None:
        """Raises Unfit."""
        if asked.choice is not None and not _TITLE.fullmatch(asked.choice):
            if asked.conversation_id is None or not _CHOICE.fullmatch(asked.choice):
                raise Unfit("body.choice", "a choice is the id of an option, said with its conversationId")
            return
        try:
            checked_message(asked.message)
            checked_history(_history(asked) or [])
        except RequestRefused as refused:
            where = "body.history" if refused.fault.startswith("history") else "body.message"
            raise Unfit(where, self._assistant.texts.request(refused.fault)) from None

    async def _answer(self, asked: ChatIn) -> ChatOut:
        chosen, talk_id = _CHOICE.fullmatch(asked.choice or ""), asked.conversation_id
        if chosen is None or talk_id is None:
            return await self._out(await self._assistant.say(self._actor, asked.message, talk_id, _history(asked)))
        return await self._out(await self._assistant.decide(self._actor, talk_id, chosen[2], yes=chosen[1] == "yes"))

    def _answered(self, task: asyncio.Task[ChatOut]) -> None:
        """Who asked may be gone, and then nobody asks how it went."""
        self._answering.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.warning("the assistant's answer failed for clinic %s: %s", self._actor.clinic_id, describe(error))

    async def _out(self, answer: Answer) -> ChatOut:
        talk = await self._talks.get(self._actor, answer.talk_id)
        message = ChatMessageOut(
            id=f"{answer.talk_id}-{max(talk.count - 1, 0)}",
            role="assistant",
            text=answer.message,
            at=talk.active_at,
            options=self._options(answer),
        )
        tools = [ToolOut.of(use) for use in answer.tools]
        return ChatOut.saying([message], answer.talk_id, tools=tools)

    def _options(self, answer: Answer) -> tuple[ChatOptionOut, ...]:
        said = tuple(ChatOptionOut(id=f"say|{place}", title=title) for place, title in enumerate(answer.choices))
        if answer.pending is None:
            return said
        button, pending = self._assistant.texts.button, answer.pending
        decide = (ChatOptionOut(id=f"{name}|{pending.id}", title=button(yes=name == "yes")) for name in ("yes", "no"))
        return (*decide, *said)


def _history(asked: ChatIn) -> list[Said] | None:
    return None if asked.history is None else [Said(earlier.role, earlier.text) for earlier in asked.history]


def _page(talk_id: str, found: Sequence[Message], more: int | None) -> Paged[ChatMessageOut]:
    items = [_message(talk_id, message) for message in found]
    return Paged(items=items, next=None if more is None else cursor_of(str(more)))


def _message(talk_id: str, message: Message) -> ChatMessageOut:
    return ChatMessageOut(
        id=f"{talk_id}-{message.seq}", role=message.said.role, text=message.said.content, at=message.at
    )


def _conversation(talk: Talk) -> ChatConversationOut:
    more = {"last_activity": talk.active_at, "message_count": talk.count, "preview": talk.preview or None}
    return ChatConversationOut.of(talk, **more)


def _seq(cursor: str) -> int:
    [seq] = values_of(cursor, 1)
    if not (seq.isascii() and seq.isdigit() and len(seq) <= 9):
        raise NotACursor
    return int(seq)
