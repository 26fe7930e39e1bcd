"""What a visitor said and read without a pause of half an hour: the conversations that the chat API names.

Nothing is stored for it. The history is never trimmed and its moments never change, so where one sitting ends and the
next begins can be read from it at any time, and the moment of a sitting's first message names it.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from gendei.clinic import Contact
from gendei.conversation.site.web_channel import ChatMessage, Visitor, WebChannel, is_shown, shown
from gendei.conversation.stored.conversation import IDLE, Conversation
from gendei.conversation.stored.history import SAME_MOMENT, Author, Place, message_of
from gendei.documents import Documents, Query
from gendei.errors import NotFound

_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
_PAGE = 15
"""What is read to find where a sitting begins: about as many messages as most of them have."""
_LONGEST_ID = 16


@dataclass(frozen=True, slots=True)
class Sitting:
    """messages: of both sides. preview: the first words that the patient said in it."""

    started_at: datetime
    active_at: datetime
    messages: int
    preview: str
    first: Place

    @property
    def id(self) -> str:
        return sitting_id(self.started_at)


def sitting_id(started_at: datetime) -> str:
    """Microseconds since 1970 in hexadecimal digits."""
    return f"{(started_at - _BEGINNING) // timedelta(microseconds=1):x}"


def start_of(sitting: str) -> datetime:
    """The moment that an id names. Raises NotFound for what is no id."""
    try:
        if len(sitting) > _LONGEST_ID:
            raise NotFound
        return _BEGINNING + timedelta(microseconds=int(sitting, 16))
    except (ValueError, OverflowError):
        raise NotFound from None


class Sittings:
    """Of a visitor's own history only: another's id names nothing in it."""

    def __init__(self, channel: WebChannel, documents: Documents) -> None:
        self._channel, self._documents = channel, documents

    async def latest(self, visitor: Visitor, before: Place | None = None) -> Sitting | None:
        """The newest, or the newest whose messages stand before a place; None where there is none."""
        told: list[ChatMessage] = []
        while page := await self._channel.messages(visitor, before=before, limit=_PAGE):
            together = _end_of(page, told[0] if told else None)
            told = [*together, *told]
            before = told[0].place
            if len(together) < len(page):
                break
        if not told:
            return None
        preview = next((message.text for message in told if message.author is Author.PATIENT), "")
        return Sitting(told[0].at, told[-1].at, len(told), preview, told[0].place)

    async def newest(self, visitor: Visitor, before: Place | None, limit: int) -> list[Sitting]:
        """At most `limit`, the newest first."""
        found: list[Sitting] = []
        while len(found) < limit and (one := await self.latest(visitor, before)) is not None:
            found.append(one)
            before = one.first
        return found

    async def messages(self, visitor: Visitor, sitting: str, after: Place | None, limit: int) -> Sequence[ChatMessage]:
        """The sitting's first messages, or the first behind a place in it; oldest first. An id that was told stays good
        where what was said before it came into the history after it. Raises NotFound for the id of no sitting of this
        visitor's."""
        start = start_of(sitting)
        conversation = await self._channel.conversation(visitor)
        if conversation is None:
            raise NotFound
        opening, earlier = await asyncio.gather(
            self._from(conversation, visitor, (start, ""), 1),
            self._channel.messages(visitor, before=(start, ""), limit=1),
        )
        if not opening or opening[0].at != start:
            raise NotFound
        first = opening[0].place
        if earlier and start - earlier[0].at < IDLE and (whole := await self.latest(visitor, first)) is not None:
            first = whole.first
        if after is not None and after < first:
            after = None
        return _beginning_of(await self._from(conversation, visitor, after or (first[0], ""), limit), after)

    async def _from(self, conversation: Conversation, visitor: Visitor, place: Place, limit: int) -> list[ChatMessage]:
        """The first shown messages that stand behind `place`, oldest first, also those from under other contacts."""

        async def of(contact: Contact, behind: Place) -> list[ChatMessage]:
            collection = f"{conversation.key.of(contact).path}/messages"
            query = Query(collection, (("timestamp", ">=", behind[0]),), (("timestamp", False),), limit + SAME_MOMENT)
            told: list[ChatMessage] = []
            while found := await self._documents.query(query):
                messages = [message_of(document) for document in found]
                told += [shown(each, visitor) for each in messages if is_shown(each) and each.place > place]
                if len(told) >= limit or len(found) < limit + SAME_MOMENT:
                    break
                query = query.after(found[-1])
            return told

        contacts = (conversation.contact, *conversation.folded)
        pages = await asyncio.gather(*(of(Contact(contact), place) for contact in contacts))
        return sorted((message for page in pages for message in page), key=lambda told: told.place)[:limit]


def _end_of(page: Sequence[ChatMessage], next_one: ChatMessage | None) -> Sequence[ChatMessage]:
    """Those at the end of a page that belong to one sitting, and to that of the message which follows the page."""
    for index in range(len(page) - 1, -1, -1):
        if next_one is not None and next_one.at - page[index].at >= IDLE:
            return page[index + 1 :]
        next_one = page[index]
    return page


def _beginning_of(page: Sequence[ChatMessage], after: Place | None) -> Sequence[ChatMessage]:
    """Those at the beginning of a page that belong to one sitting, and to that of the place before it."""
    last = after[0] if after else None
    for index, message in enumerate(page):
        if last is not None and message.at - last >= IDLE:
            return page[:index]
        last = message.at
    return page
