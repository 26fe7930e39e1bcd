"""Wake-up across processes: what a process put into the store that cannot see to it itself.

A process that runs turns is told of its own messages directly. One that only accepts webhooks, shows staff their pages
or is about to end marks what it accepts as unattended, and so are the events of the agenda that it writes; those that
run turns watch for that, and for what staff write. On Firestore such an entry costs each watching process two reads,
one when it comes and one when it is done; everything else costs none. The sweeps of worker, outbox, echoes and
following find what a watch has missed.
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Self

from gendei.booking.events import Stream
from gendei.conversation.inbound.inbox import EntryStatus
from gendei.conversation.outbound.outbox_entry import OutboxStatus
from gendei.conversation.stored.history import Author
from gendei.conversation.work.following import read_entry
from gendei.documents import Documents, Query, Snapshot
from gendei.errors import StoreError, UnreadableDocument
from gendei.messages.keys import EVENTS, INBOX, OUTBOX, ConversationKey

log = logging.getLogger(__name__)
NEWEST = 50
"""Entries that are watched. More at once are found by the sweeps."""
LULL_SECONDS = 0.1
"""Between two looks: a burst is one look at its end."""
AGAIN_SECONDS = 5.0
"""After a watch broke off."""

Call = Callable[[ConversationKey], None]
UNATTENDED = Query(INBOX, where=(("unattended", "==", True),), order_by=(("receivedAt", True),), limit=NEWEST)
UNATTENDED_EVENTS = Query(EVENTS, where=(("unattended", "==", True),), order_by=(("at", True),), limit=NEWEST)
FROM_STAFF = Query(
    OUTBOX,
    where=(("author", "==", str(Author.STAFF)), ("status", "==", str(OutboxStatus.PENDING))),
    order_by=(("createdAt", True),),
    limit=NEWEST,
)


class WakeUps:
    """Use it as a context manager, in a process that runs turns and sends. `waiting`, `echoed` and `sending` are told
    of a conversation in which there is a message for the bot, one of the clinic's own number, something to send;
    `happened` of a stream that has an event for followers."""

    def __init__(
        self, documents: Documents, *, waiting: Call, echoed: Call, sending: Call, happened: Callable[[Stream], None]
    ) -> None:
        self._documents, self._happened = documents, happened
        self._arrived = {str(EntryStatus.WAITING): waiting, str(EntryStatus.ECHOED): echoed}
        self._sending = sending
        self._running = AsyncExitStack()

    async def __aenter__(self) -> Self:
        for query, tell in (
            (UNATTENDED, self._tell_arrived),
            (FROM_STAFF, self._tell_sending),
            (UNATTENDED_EVENTS, self._tell_happened),
        ):
            following = asyncio.create_task(self._follow(query, tell))
            self._running.push_async_callback(_ended, following)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._running.aclose()

    def _tell_arrived(self, entry: Snapshot) -> None:
        data = entry.data or {}
        self._arrived[data["status"]](ConversationKey.parse(data["conversation"]))

    def _tell_sending(self, entry: Snapshot) -> None:
        self._sending(ConversationKey.parse((entry.data or {})["conversation"]))

    def _tell_happened(self, entry: Snapshot) -> None:
        try:
            stream = read_entry(entry.data).event.stream
        except UnreadableDocument as error:  # who sweeps parks it; the others are still told of
            log.error("an event cannot be read: %s", error)
            return
        self._happened(stream)

    async def _follow(self, query: Query, tell: Callable[[Snapshot], None]) -> None:
        """Tell of each entry that comes into the result of `query`."""
        known: set[str] = set()
        while True:
            try:
                async with self._documents.watch(query) as results:
                    async for found in results:
                        for entry in found:
                            if entry.path not in known:
                                tell(entry)
                        known = {entry.path for entry in found}
                        await asyncio.sleep(LULL_SECONDS)
            except StoreError as error:
                log.warning("the store cannot be watched for messages: %s", type(error).__name__)
            await asyncio.sleep(AGAIN_SECONDS)


async def _ended(task: "asyncio.Task[None]") -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
