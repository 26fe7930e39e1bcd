"""What webhooks bring, made durable: one atomic insert per message id, where duplicates end."""

import itertools
import logging
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from enum import StrEnum

from gendei.clinic import ClinicId
from gendei.clock import Clock
from gendei.conversation.conversations import Arrival
from gendei.conversation.keys import INBOX, ConversationKey
from gendei.conversation.messages import IncomingMessage, MessageType, Received
from gendei.conversation.ports import Clinics
from gendei.conversation.statuses import Statuses
from gendei.documents import Data, Documents, Query, Snapshot, Write, create, document_id, put
from gendei.errors import Conflict, DocumentTooLarge, NaiveTime, UnstorableValue

log = logging.getLogger(__name__)
KEPT_FOR = timedelta(days=9)
"""Meta delivers again for 7 days; an entry must outlive that to recognise the duplicate."""
WRITES_PER_COMMIT = 400
"""Firestore takes 500 writes in one commit."""
TURN_MESSAGES = 100
"""The most that one turn takes up; the rest is in the next."""


class EntryStatus(StrEnum):
    """WAITING for a turn, NOTED without one (a reaction), DONE, or PARKED after failing repeatedly."""

    WAITING = "waiting"
    NOTED = "noted"
    DONE = "done"
    PARKED = "parked"


def entry_id(provider: str, clinic_id: ClinicId, message_id: str) -> str:
    """Meta's ids are unique everywhere, other providers' only within one connected number."""
    return document_id(message_id if provider == "meta" else f"{provider}:{clinic_id}:{message_id}")


class Inbox:
    """The webhooks' side. `on_waiting` is told, in this process, which conversations have something new."""

    def __init__(
        self,
        documents: Documents,
        clinics: Clinics,
        statuses: Statuses,
        clock: Clock,
        on_waiting: Callable[[ConversationKey], None],
    ) -> None:
        self._documents = documents
        self._clinics = clinics
        self._statuses = statuses
        self._clock = clock
        self._on_waiting = on_waiting
        self._ordinals = itertools.count()

    async def accept(self, provider: str, received: Sequence[Received]) -> None:
        """Returns when every message and status of the webhook is durable or known already. What is for a number
        of no clinic is logged and dropped. Raises StoreUnavailable: the provider shall deliver again."""
        now = self._clock()
        entries: dict[str, Data] = {}
        known: list[Received] = []
        for part in received:
            clinic = await self._clinics.by_channel(provider, part.external_id)
            if clinic is None:
                log.warning("a webhook of %s is for number %s, which no clinic has", provider, part.external_id)
                continue
            known.append(part)
            for message in part.messages:
                path = f"{INBOX}/{entry_id(provider, clinic.id, message.id)}"
                if path not in entries:
                    entries[path] = self._entry(provider, part.external_id, clinic.id, message, now)
        if entries:
            await self._store(entries)
        for part in known:
            if part.statuses:
                await self._statuses.apply(provider, part.external_id, part.statuses)

    def _entry(
        self, provider: str, external_id: str, clinic_id: ClinicId, message: IncomingMessage, now: datetime
    ) -> Data:
        return {
            "clinicId": clinic_id,
            "contact": message.sender,
            "conversation": f"{clinic_id}/{message.sender}",
            "provider": provider,
            "externalId": external_id,
            "status": "waiting" if message.starts_turn else "noted",
            "message": message.to_document(),
            "receivedAt": now,
            "ordinal": next(self._ordinals),
            "attempts": 0,
            "expireAt": now + KEPT_FOR,
        }

    async def _store(self, entries: dict[str, Data]) -> None:
        paths = list(entries)
        for start in range(0, len(paths), WRITES_PER_COMMIT):
            stored = await self._store_new(paths[start : start + WRITES_PER_COMMIT], entries)
            waiting = (entries[path] for path in stored if entries[path]["status"] == EntryStatus.WAITING)
            for conversation in dict.fromkeys(entry["conversation"] for entry in waiting):
                self._on_waiting(ConversationKey.parse(conversation))

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
                entries[paths[0]] |= {"message": _unreadable(entries[paths[0]]["message"])}
            else:
                break
        return paths


def _unreadable(message: Data) -> Data:
    """What stands for a message that no store takes: refusing it would only bring it again, for a week."""
    kept = {name: message[name] for name in ("id", "sender", "timestamp", "phone", "userId") if name in message}
    return kept | {"type": str(MessageType.UNSUPPORTED)}


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
    """Raises KeyError, ValueError or NaiveTime where the entry holds no message."""
    data = entry.data or {}
    return Arrival(
        id=entry.id,
        message=IncomingMessage.from_document(data["message"]),
        received_at=data["receivedAt"],
        provider=data["provider"],
        external_id=data["externalId"],
    )


def readable(entries: Iterable[Snapshot]) -> list[Arrival]:
    """The entries that hold a message; the others are left out."""
    arrivals: list[Arrival] = []
    for entry in entries:
        with suppress(KeyError, ValueError, TypeError, NaiveTime):
            arrivals.append(read_entry(entry))
    return arrivals


def done_writes(entries: Iterable[Snapshot]) -> list[Write]:
    """Mark as answered. The message itself is in the history from now on; what stays recognises duplicates."""
    return [
        put(
            entry.path,
            {name: value for name, value in (entry.data or {}).items() if name != "message"}
            | {"status": str(EntryStatus.DONE)},
        )
        for entry in entries
    ]


def attempt_writes(entries: Iterable[Snapshot]) -> list[Write]:
    """Count one more failed turn."""
    return [
        put(entry.path, (entry.data or {}) | {"attempts": (entry.data or {}).get("attempts", 0) + 1})
        for entry in entries
    ]


def park_writes(entries: Iterable[Snapshot], reason: str) -> list[Write]:
    """Set aside for an operator, with the message still in it."""
    return [
        put(entry.path, (entry.data or {}) | {"status": str(EntryStatus.PARKED), "reason": reason}) for entry in entries
    ]
