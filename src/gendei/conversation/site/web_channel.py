"""Patients on the clinic's own web site: what they say goes the way of every channel's messages, and what they are told
is read from the history, where it stands for them from the moment the outbox has let it go.

So every promise of the other channels holds here as it is: a message is on disk before `say` returns, a conversation
has one turn at a time, the bot is silent while a person owns it, and a message id is answered once.
"""

import re
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from unicodedata import category

from gendei.channel_kinds import capabilities
from gendei.clinic import Channel, Clinic, ClinicId, Contact
from gendei.clock import Clock
from gendei.conversation.files.media import MediaName, MediaStore
from gendei.conversation.inbound.inbox import InboundQueue, entry_id
from gendei.conversation.stored.contacts import Contacts, canonical
from gendei.conversation.stored.conversation import CONVERSATION, Conversation
from gendei.conversation.stored.history import Author, HistoryMessage, Place, latest_messages, message_of
from gendei.documents import Documents, Query
from gendei.errors import GendeiError, NotFound
from gendei.messages.channels import Clinics
from gendei.messages.keys import ConversationKey
from gendei.messages.limits import MAX_ID
from gendei.messages.message import IncomingMessage, MessageType, Received
from gendei.messages.replies import Link, Option, Pin
from gendei.messages.turns import ToolStep

MAX_CHARACTERS = 4000
WATCHED = 50
"""Messages of a conversation that are followed as they come."""
LOOK_BACK = timedelta(seconds=5)
"""A clock may step back between `say` and the moment that a message arrived at."""
_MESSAGE_ID = re.compile(r"[A-Za-z0-9_-]{1,100}", re.ASCII)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_ON_ITS_WAY = frozenset({"pending", "sending"})
_UNSEEN = _ON_ITS_WAY | {"failed", "suppressed"}
_SEEN_BY_PATIENTS = frozenset({Author.PATIENT, Author.BOT, Author.STAFF})


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who speaks, as their token says it and nothing else does (see gendei.conversation.visitor_tokens).

    contact: "web:" and random characters, or the phone ("+5511999998888") that the clinic's own server vouches for:
    then the conversation is the one that the patient has on WhatsApp too. phone: the same phone, None without one.
    """

    clinic_id: ClinicId
    contact: Contact
    phone: str | None = None
    name: str | None = None

    @property
    def key(self) -> ConversationKey:
        return ConversationKey(self.clinic_id, canonical(self.contact))


class SaidOtherwise(GendeiError):
    """Under this message id something else was said before. Use a new id for each message."""


@dataclass(frozen=True, slots=True)
class Said:
    """What `say` made durable: `id` is the message's in the history; `since`: it arrived after this."""

    id: str
    since: datetime
    text: str


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file that staff sent. `name`: where it is kept; `size` in bytes."""

    name: MediaName
    file_name: str
    mime_type: str
    size: int


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message as the patient sees it. `text` is plain text, with WhatsApp's marks for bold and the like.
    options: what can be tapped, with `list_label` as one list, else as buttons. `name`: the person of the clinic who
    wrote it. message_id: of the patient's own, as it was given to `say`, None over other channels. steps: the tool
    calls that led to it."""

    id: str
    author: Author
    text: str
    at: datetime
    options: tuple[Option, ...] = ()
    list_label: str | None = None
    link: Link | None = None
    name: str | None = None
    message_id: str | None = None
    steps: tuple[ToolStep, ...] = ()
    file: SentFile | None = None

    @property
    def place(self) -> Place:
        return self.at, self.id


class WebChannel:
    """Take generators in `contextlib.aclosing`, so that a reader who leaves early leaves no watch behind. `media`:
    None where no files are kept."""

    def __init__(
        self,
        documents: Documents,
        clinics: Clinics,
        inbox: InboundQueue,
        contacts: Contacts,
        clock: Clock,
        media: MediaStore | None = None,
    ) -> None:
        self._documents = documents
        self._clinics = clinics
        self._inbox = inbox
        self._contacts = contacts
        self._clock = clock
        self._media = media

    async def say(self, visitor: Visitor, text: str, *, message_id: str, choice: str | None = None) -> Said:
        """Returns when the message is durable; its turn begins at once. message_id: 1 to 100 letters, digits, - or _,
        the caller's own; the same one again is the same message, and is neither stored nor answered twice. choice: the
        id of the option that was tapped, whose title is then the text.

        Raises ValueError for a text that is blank, longer than MAX_CHARACTERS or no text, and for ids that cannot be;
        NotFound where the clinic has no web channel (any more); StoreUnavailable: say it again.
        """
        if len(text) > MAX_CHARACTERS or not has_words(text):
            raise ValueError(f"a message is 1 to {MAX_CHARACTERS} characters of text")
        if not _MESSAGE_ID.fullmatch(message_id) or (choice is not None and not 0 < len(choice) <= MAX_ID):
            raise ValueError("a message id is 1 to 100 letters, digits, - or _")
        channel, since = await self._channel(visitor), self._clock()
        message = IncomingMessage(
            id=f"{visitor.contact}:{message_id}",  # no visitor's id may be another's
            sender=visitor.contact,
            timestamp=since,
            type=MessageType.TEXT if choice is None else MessageType.INTERACTIVE,
            phone=visitor.phone,
            user_id=visitor.contact if visitor.phone is None else None,
            sender_name=visitor.name,
            text=text if choice is None else None,
            button_payload=choice,
            button_title=None if choice is None else text,
        )
        await self._inbox.accept(channel.provider, [Received(channel.external_id, (message,))])
        return Said(entry_id(channel.provider, visitor.clinic_id, message.id), since, text)

    async def replies(self, visitor: Visitor, said: Said) -> AsyncGenerator[ChatMessage, None]:
        """What the turn over `said` tells the patient, each message as it leaves. Ends when all of it has left, which
        is at once when a person owns the conversation: nobody else answers then. It may take as long as a turn, or
        for ever where turns are begun by no process: bound it by a time of your own. Raises StoreError, and
        SaidOtherwise."""
        key = await self._home(visitor)
        known = await self._documents.get(key.message_path(said.id))
        since = (message_of(known).timestamp if known.exists else said.since) - LOOK_BACK
        query = Query(f"{key.path}/messages", (("timestamp", ">=", since),), (("timestamp", False),), limit=WATCHED)
        given: set[str] = set()
        async with self._documents.watch(query) as results:
            async for found in results:
                messages = [message_of(document) for document in found]
                own = next((message for message in messages if message.id == said.id), None)
                if own is None:
                    continue
                if own.content != said.text:
                    raise SaidOtherwise
                turn = [each for each in messages if each.turn == own.turn is not None and each.delivery_state]
                for message in turn:
                    if message.id not in given and is_shown(message):
                        given.add(message.id)
                        yield shown(message, visitor)
                if not any(message.delivery_state in _ON_ITS_WAY for message in turn):
                    return

    async def follow(self, visitor: Visitor) -> AsyncGenerator[Sequence[ChatMessage], None]:
        """The newest messages of both sides (at once, also where there are none), then what comes or leaves after them,
        oldest first each time and each message once; also what staff write. Never ends by itself. Raises StoreError
        once the store cannot be watched any more: follow anew."""
        key = await self._home(visitor)
        given: set[str] | None = None
        query = Query(f"{key.path}/messages", order_by=(("timestamp", True),), limit=WATCHED)
        async with self._documents.watch(query) as results:
            async for found in results:
                known = given or set()
                unknown = [message_of(document) for document in reversed(found) if document.id not in known]
                new = [shown(message, visitor) for message in unknown if is_shown(message)]
                if new or given is None:
                    yield new
                given = known | {message.id for message in new}

    async def conversation(self, visitor: Visitor) -> Conversation | None:
        """The visitor's conversation; None before its first turn."""
        key = await self._home(visitor)
        found = await self._documents.get(key.path)
        return None if found.data is None else CONVERSATION.read(found.data)

    async def messages(
        self, visitor: Visitor, *, before: Place | None = None, limit: int = WATCHED
    ) -> list[ChatMessage]:
        """The newest messages of the history, or the newest before a place; oldest first, and at most `limit`. What is
        not for the patient's eyes is left out and counts, so that only an empty list is the beginning."""
        conversation = await self.conversation(visitor)
        while conversation is not None:
            page = await latest_messages(self._documents, conversation, limit, before)
            told = [shown(message, visitor) for message in page if is_shown(message)]
            if told or not page:
                return told
            before = page[0].place
        return []

    async def file(self, visitor: Visitor, message_id: str) -> SentFile:
        """The file that a message to the visitor carries. Raises NotFound."""
        conversation = await self.conversation(visitor)
        contacts = (conversation.contact, *conversation.folded) if conversation else ()
        paths = [visitor.key.of(Contact(contact)).message_path(message_id) for contact in contacts]
        for message in [message_of(found) for found in await self._documents.get_many(paths) if found.exists]:
            if is_shown(message) and (file := shown(message, visitor).file) is not None:
                return file
        raise NotFound

    def reading(self, file: SentFile) -> AbstractAsyncContextManager[AsyncIterator[bytes]]:
        """Its bytes. Raises NotFound, and OSError, on entering or while they are read."""
        if self._media is None:
            raise NotFound
        return self._media.reading(file.name)

    async def _home(self, visitor: Visitor) -> ConversationKey:
        """A visitor whom nobody vouches for is nobody else."""
        return visitor.key if visitor.phone is None else await self._contacts.home(visitor.key)

    async def _channel(self, visitor: Visitor) -> Channel:
        clinic = await self._clinics.get(visitor.clinic_id)
        channel = web_channel_of(clinic) if clinic else None
        if channel is None:
            raise NotFound
        return channel


def web_channel_of(clinic: Clinic) -> Channel | None:
    """The clinic's web site; None where it has no chat."""
    return next((channel for channel in clinic.channels if capabilities(channel.provider).is_visit), None)


def has_words(text: str) -> bool:
    """Whether it can be a message: something that can be seen, and nothing that is no text."""
    return _CONTROL.search(text) is None and any(category(character)[0] not in "CZ" for character in text)


def is_shown(message: HistoryMessage) -> bool:
    """Whether the patient sees it: no events and no notes, and of ours only what left."""
    return message.author in _SEEN_BY_PATIENTS and message.event is None and message.delivery_state not in _UNSEEN


def shown(message: HistoryMessage, visitor: Visitor) -> ChatMessage:
    """A message of the visitor's history as they see it."""
    theirs, start = message.provider_message_id or "", f"{visitor.contact}:"
    is_own = message.is_of_patient and theirs.startswith(start)
    return ChatMessage(
        id=message.id,
        author=message.author,
        text=_text(message),
        at=message.timestamp,
        options=message.options,
        list_label=message.list_label,
        link=_link(message),
        name=message.author_name,
        message_id=theirs.removeprefix(start) if is_own else None,
        steps=message.steps,
        file=_file(message, visitor.clinic_id),
    )


def _file(message: HistoryMessage, clinic_id: ClinicId) -> SentFile | None:
    """Of ours; those that patients send are for staff."""
    media, file_name = message.media, message.details.get("filename")
    if message.is_of_patient or media is None or media.state != "stored" or file_name is None:
        return None
    return SentFile(MediaName(clinic_id, media.folder, media.file), str(file_name), media.content_type, media.size)


def _link(message: HistoryMessage) -> Link | None:
    """A place of ours is a link to the map."""
    if message.type is MessageType.LOCATION and not message.is_of_patient:
        return Pin(**message.details).link
    return message.link


def _text(message: HistoryMessage) -> str:
    """Of a file its caption, or its name."""
    if not message.is_of_patient and "filename" in message.details:
        return str(message.details.get("caption") or message.details["filename"])
    return str((message.edited or {}).get("text") or message.note.get("transcript") or message.content)
