"""A patient who speaks live, as one more way into the ordinary conversation: what they say goes into the inbox like any
message, and what the clinic says is read from the history, from the moment the outbox has let it go."""

from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from gendei.channel_kinds import capabilities
from gendei.clock import Clock
from gendei.conversation.inbound.inbox import InboundQueue
from gendei.conversation.site.web_channel import ChatMessage, Visitor, WebChannel
from gendei.conversation.speech.voice_notes import TRANSCRIPT, Transcript
from gendei.conversation.stored.conversation import Conversation
from gendei.conversation.stored.history import Place
from gendei.messages.keys import ConversationKey
from gendei.messages.message import IncomingMessage, MessageType, Received


@dataclass(frozen=True, slots=True)
class Caller:
    """Who speaks, and through which channel of the clinic's it goes."""

    visitor: Visitor
    provider: str
    external_id: str


class LiveLine:
    """One caller's conversation. `hasten`: begins its turn without a quiet window, since whoever speaks has just fallen
    silent."""

    def __init__(
        self,
        caller: Caller,
        inbox: InboundQueue,
        web: WebChannel,
        hasten: Callable[[ConversationKey], None],
        clock: Clock,
    ) -> None:
        self._caller, self._inbox, self._web, self._hasten, self._clock = caller, inbox, web, hasten, clock

    async def spoken(self, heard: Transcript) -> str:
        """Words that were heard; the message's id. Raises StoreError."""
        return await self._accept(MessageType.AUDIO, spoken=TRANSCRIPT.write(heard))

    async def typed(self, text: str) -> str:
        """As `spoken`."""
        return await self._accept(MessageType.TEXT, text=text)

    async def tapped(self, option_id: str, title: str) -> str:
        """As `spoken`."""
        return await self._accept(MessageType.INTERACTIVE, button_payload=option_id, button_title=title)

    async def conversation(self) -> Conversation | None:
        """None before its first turn. Raises StoreError."""
        return await self._web.conversation(self._caller.visitor)

    def follow(self) -> AsyncGenerator[Sequence[ChatMessage], None]:
        """As WebChannel.follow."""
        return self._web.follow(self._caller.visitor)

    async def place_of(self, message_id: str) -> Place | None:
        """Where one of the newest messages stands; None for any other. Raises StoreError."""
        newest = await self._web.messages(self._caller.visitor)
        return next((message.place for message in newest if message.id == message_id), None)

    async def _accept(self, kind: MessageType, **content: Any) -> str:
        visitor, now = self._caller.visitor, self._clock()
        message = IncomingMessage(
            f"{visitor.contact}:live-{uuid4().hex}",
            visitor.contact,
            now,
            kind,
            phone=visitor.phone,
            user_id=visitor.contact if visitor.phone is None else None,
            sender_name=visitor.name,
            **content,
        )
        await self._inbox.accept(self._caller.provider, [Received(self._caller.external_id, (message,))])
        if not capabilities(self._caller.provider).sends_whole:  # of the others the inbox knows it
            self._hasten(visitor.key)
        return message.id
