"""What webhooks bring, made durable: one atomic insert per message id, where duplicates end."""

import itertools
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated

from gendei.channel_kinds import capabilities
from gendei.clinic import ClinicId, Contact
from gendei.clock import Clock
from gendei.conversation.outbound.statuses import Statuses
from gendei.conversation.stored.contacts import Contacts
from gendei.conversation.stored.conversation import Conversation
from gendei.conversation.stored.history import correction
from gendei.documents import Data, Documents, Query, Snapshot, Transaction, Write, create, document_id, put, transact
from gendei.errors import Conflict, DocumentTooLarge, NaiveTime, UnreadableDocument, UnstorableValue
from gendei.messages.channels import Clinics
from gendei.messages.keys import INBOX, ConversationKey
from gendei.messages.message import Arrival, Echo, IncomingMessage, MessageType, Received
from gendei.observing.durations import Durations
from gendei.observing.subject import about
from gendei.observing.tracing import carried
from gendei.records import ABSENT_WHEN_EMPTY, ABSENT_WHEN_NONE, Moment, Record


@dataclass(slots=True, eq=False)
class Activity:
    """accepted, duplicates: messages that webhooks brought, by provider; a duplicate was known already. turns: from
    the lease to the commit, by result: ok, lease_lost, store_failed, released (at a stop) or failed. apologies: turns
    that gave the patient no better answer. parked: messages that were set aside. blocks: how long the event loop stood
    still, by the kind of work that held it (see LoopWatch)."""

    accepted: Counter[str] = field(default_factory=Counter)
    duplicates: Counter[str] = field(default_factory=Counter)
    turns: Durations = field(default_factory=Durations)
    blocks: Durations = field(default_factory=Durations)
    leases_lost: int = 0
    apologies: int = 0
    parked: int = 0


log = logging.getLogger(__name__)
KEPT_FOR = timedelta(days=9)
"""Meta delivers again for 7 days; an entry must outlive that to recognise the duplicate."""
WRITES_PER_COMMIT = 400
"""Firestore takes 500 writes in one commit."""
TURN_MESSAGES = 100
"""The most that one turn takes up; the rest is in the next."""


class EntryStatus(StrEnum):
    """WAITING for the conversation's turn, ECHOED: a message from the clinic's own number that is still to be looked
    at; DONE, or PARKED after failing repeatedly."""

    WAITING = "waiting"
    ECHOED = "echoed"
    DONE = "done"
    PARKED = "parked"


def entry_id(provider: str, clinic_id: ClinicId, message_id: str) -> str:
    """The id of the inbox entry of a message."""
    return document_id(message_id if capabilities(provider).has_global_ids else f"{provider}:{clinic_id}:{message_id}")


@dataclass(frozen=True, slots=True)
class InboxEntry:
    """A message of a patient's, or one that left from the clinic's own number (`echo`), until it is done. unattended:
    its process cannot see to it. reason: why it was parked. expire_at: once it is done."""

    clinic_id: ClinicId
    contact: Contact
    provider: str
    external_id: str
    status: EntryStatus
    received_at: Moment
    ordinal: int
    attempts: int = 0
    message: Annotated[IncomingMessage | None, ABSENT_WHEN_NONE] = None
    echo: Annotated[Echo | None, ABSENT_WHEN_NONE] = None
    unattended: Annotated[bool | None, ABSENT_WHEN_NONE] = None
    trace: Annotated[str, ABSENT_WHEN_EMPTY] = ""
    reason: Annotated[str | None, ABSENT_WHEN_NONE] = None
    expire_at: Annotated[Moment | None, ABSENT_WHEN_NONE] = None

    @property
    def key(self) -> ConversationKey:
        return ConversationKey(self.clinic_id, self.contact)


INBOX_ENTRY = Record(InboxEntry, "gendei_inbox/{message id}", derived={"conversation": lambda entry: entry.key.text})
"""To write a new one and to read its message. What changes later is changed in the document, by `done` and others
below: an entry that holds no message, and so cannot be read, is parked and finished all the same."""


TakePast = Callable[[str, ClinicId, Received], Awaitable[None]]
"""Keeps what was said on a number of a provider's before it was connected: gendei.conversation.inbound.past."""


class InboundQueue:
    """The webhooks' side. `on_waiting` is told, in this process, which conversations have something new, `on_echo`
    which of them the clinic's own number wrote in, `on_whole` in which of them there is nothing to wait for: a web
    page posts a thought as one message. `is_attended`: whether whoever is told can see to it; where not, the
    entry says so, and another process is called (see gendei.conversation.wake_ups)."""

    def __init__(  # noqa: PLR0913  # its parts, given by name in messaging.py
        self,
        documents: Documents,
        clinics: Clinics,
        statuses: Statuses,
        contacts: Contacts,
        clock: Clock,
        *,
        on_waiting: Callable[[ConversationKey], None],
        on_echo: Callable[[ConversationKey], None],
        on_whole: Callable[[ConversationKey], None],
        is_attended: Callable[[], bool],
        take_past: TakePast,
        activity: Activity | None = None,
    ) -> None:
        self._documents = documents
        self._clinics = clinics
        self._statuses = statuses
        self._contacts = contacts
        self._take_past = take_past
        self._clock = clock
        self._told = {EntryStatus.WAITING: on_waiting, EntryStatus.ECHOED: on_echo}
        self._on_whole = on_whole
        self._is_attended = is_attended
        self._activity = activity or Activity()
        self._ordinals = itertools.count()

    async def accept(self, provider: str, received: Sequence[Received]) -> None:
        """Returns when every message and status of the webhook is durable or known already. What is for a number
        of no clinic is logged and dropped. Raises StoreUnavailable: the provider shall deliver again."""
        now = self._clock()
        entries: dict[str, Data] = {}
        known: list[tuple[Received, ClinicId]] = []
        for part in received:
            clinic = await self._clinics.by_channel(provider, part.external_id)
            if clinic is None:
                log.warning("a webhook of %s is for number %s, which no clinic has", provider, part.external_id)
                continue
            known.append((part, clinic.id))
            source = _Source(provider, part.external_id, clinic.id, now)
            for message in part.messages:
                path = f"{INBOX}/{entry_id(provider, clinic.id, message.id)}"
                if path not in entries:
                    contact = await self._contacts.at_the_door(clinic.id, message.sender)
                    entries[path] = self._entry(source, contact, EntryStatus.WAITING, message)
            for echo in part.echoes:
                path = f"{INBOX}/{entry_id(provider, clinic.id, echo.message_id)}"
                if path not in entries:
                    contact = await self._contacts.at_the_door(clinic.id, echo.to)
                    entries[path] = self._entry(source, contact, EntryStatus.ECHOED, echo)
        if entries:
            await self._store(entries)
        for part, clinic_id in known:
            if part.past or part.names:
                await self._take_past(provider, clinic_id, part)
            if part.statuses:
                await self._statuses.apply(provider, part.external_id, part.statuses)

    def _entry(self, source: "_Source", contact: Contact, status: EntryStatus, content: IncomingMessage | Echo) -> Data:
        entry = InboxEntry(
            clinic_id=source.clinic_id,
            contact=contact,
            provider=source.provider,
            external_id=source.external_id,
            status=status,
            received_at=source.received_at,
            ordinal=next(self._ordinals),
            message=content if isinstance(content, IncomingMessage) else None,
            echo=content if isinstance(content, Echo) else None,
            unattended=None if self._is_attended() else True,
            trace=carried(),
        )
        about(source.clinic_id, entry.key.text)
        return INBOX_ENTRY.write(entry)

    async def _store(self, entries: dict[str, Data]) -> None:
        paths = list(entries)
        for start in range(0, len(paths), WRITES_PER_COMMIT):
            some = paths[start : start + WRITES_PER_COMMIT]
            stored = await self._store_new(some, entries)
            self._count(some, stored, entries)
            new = (entries[path] for path in stored)
            told = dict.fromkeys((entry["conversation"], entry["status"], entry["provider"]) for entry in new)
            for conversation, status, provider in told:
                tell = self._on_whole if capabilities(provider).sends_whole else self._told[EntryStatus(status)]
                tell(ConversationKey.parse(conversation))

    def _count(self, some: Sequence[str], stored: Sequence[str], entries: dict[str, Data]) -> None:
        new = set(stored)
        for path in some:
            counts = self._activity.accepted if path in new else self._activity.duplicates
            counts[entries[path]["provider"]] += 1

    async def _store_new(self, paths: Sequence[str], entries: dict[str, Data]) -> Sequence[str]:
        """Create what is not there yet, in one commit, and return it. The ordinary delivery reads nothing; after
        each conflict at least one more of the entries is known to be stored, so this ends."""
        while paths:
            try:
                await self._documents.commit([create(path, entries[path]) for path in paths])
            except Conflict:
                found = await self._documents.get_many(paths)
                paths = [snapshot.path for snapshot in found if not snapshot.exists]
            except (DocumentTooLarge, UnstorableValue):
                if len(paths) > 1:
                    return [stored for path in paths for stored in await self._store_new([path], entries)]
                log.error("a message of clinic %s cannot be stored as it is", entries[paths[0]]["clinicId"])
                entries[paths[0]] |= _unreadable(entries[paths[0]])
            else:
                break
        return paths


@dataclass(frozen=True, slots=True)
class _Source:
    """Where and when something came in."""

    provider: str
    external_id: str
    clinic_id: ClinicId
    received_at: datetime


def _unreadable(entry: Data) -> Data:
    """What stands for a message that no store takes: refusing it would only bring it again, for a week."""
    if "echo" in entry:
        return {"echo": entry["echo"] | {"text": ""}}
    message = entry["message"]
    kept = {name: message[name] for name in ("id", "sender", "timestamp", "phone", "userId") if name in message}
    return {"message": kept | {"type": str(MessageType.UNSUPPORTED)}}


async def waiting_entries(documents: Documents, key: ConversationKey) -> list[Snapshot]:
    """What waits for a turn of this conversation, in order of arrival, at most TURN_MESSAGES."""
    found = await documents.query(
        Query(
            INBOX,
            where=(("conversation", "==", key.text), ("status", "==", str(EntryStatus.WAITING))),
            order_by=(("receivedAt", False),),
            limit=TURN_MESSAGES,
        )
    )
    return sorted(found, key=_place_in_line)


def _place_in_line(entry: Snapshot) -> tuple[datetime, int]:
    data = entry.data or {}
    return data["receivedAt"], data["ordinal"]


def read_entry(entry: Snapshot) -> Arrival:
    """Raises UnreadableDocument or NaiveTime where the entry holds no message."""
    stored = INBOX_ENTRY.read(entry.data)
    if stored.message is None:
        raise UnreadableDocument("InboxEntry", [("message", "missing")])
    return Arrival(
        id=entry.id,
        message=stored.message,
        received_at=stored.received_at,
        provider=stored.provider,
        external_id=stored.external_id,
    )


def readable(entries: Iterable[Snapshot]) -> list[Arrival]:
    """The entries that hold a message; the others are left out."""
    arrivals: list[Arrival] = []
    for entry in entries:
        with suppress(UnreadableDocument, NaiveTime):
            arrivals.append(read_entry(entry))
    return arrivals


def done_writes(entries: Iterable[Snapshot]) -> list[Write]:
    """Mark as answered. The message itself is in the history from now on; what stays recognises duplicates."""
    return [put(entry.path, done(entry.data or {})) for entry in entries]


def done(entry: Data) -> Data:
    """An entry without its content, which stands in the history, or needs to stand nowhere. Only from here on may it
    expire: what waits or is parked stays, however long."""
    kept = {name: value for name, value in entry.items() if name not in {"message", "echo", "unattended"}}
    return kept | {"status": str(EntryStatus.DONE), "expireAt": entry["receivedAt"] + KEPT_FOR}


def moved_writes(entries: Iterable[Snapshot], home: ConversationKey) -> list[Write]:
    """Let entries wait for another conversation's turn, each in the place that its arrival gives it."""
    return [
        put(
            entry.path,
            (entry.data or {}) | {"contact": home.contact, "conversation": home.text},
            unchanged_since=entry,
        )
        for entry in entries
    ]


def attempt_writes(entries: Iterable[Snapshot]) -> list[Write]:
    """Count one more failed turn."""
    return [
        put(entry.path, (entry.data or {}) | {"attempts": (entry.data or {}).get("attempts", 0) + 1})
        for entry in entries
    ]


async def count_stall(documents: Documents, entries: Sequence[Snapshot], attempts: int) -> None:
    """Count a turn that held the event loop until another process took it over, as so many failed ones. What is no
    longer waiting, or changes at this moment, stays as it is: somebody saw to it."""
    found = await documents.get_many([entry.path for entry in entries])
    counted = [
        put(entry.path, data | {"attempts": data.get("attempts", 0) + attempts}, unchanged_since=entry)
        for entry in found
        if (data := entry.data) is not None and data.get("status") == EntryStatus.WAITING
    ]
    if counted:
        with suppress(Conflict):
            await documents.commit(counted)


def park_writes(entries: Iterable[Snapshot], reason: str) -> list[Write]:
    """Set aside for an operator, with the message still in it."""
    parked = {"status": str(EntryStatus.PARKED), "reason": reason, "unattended": False}
    return [put(entry.path, (entry.data or {}) | parked) for entry in entries]


async def mark_earlier(documents: Documents, conversation: Conversation, arrivals: Iterable[Arrival]) -> None:
    """Mark what is in the history already; a message that is not there (or not there yet) is left alone. Repeating it
    changes nothing."""
    for arrival in arrivals:
        if (target := arrival.message.earlier_message) is None:
            continue
        message_id = entry_id(arrival.provider, conversation.clinic_id, target)
        places = (conversation.key.of(Contact(contact)) for contact in (conversation.contact, *conversation.folded))
        for path in [place.message_path(message_id) for place in places]:
            if await _mark(documents, path, arrival):
                break


async def _mark(documents: Documents, path: str, arrival: Arrival) -> bool:
    async def attempt(transaction: Transaction) -> bool:
        found = await transaction.get(path)
        if found.data is None or found.data["author"] != "patient":
            return False
        transaction.put(path, found.data | correction(arrival.message))
        return True

    return await transact(documents, attempt)
