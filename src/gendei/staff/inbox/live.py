"""What changes, as it changes: one watch a clinic and process, however many pages look."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import chain

from gendei.clinic import ClinicId
from gendei.clock import Clock
from gendei.conversation.inbound.inbox import readable
from gendei.conversation.outbound.failures import Explain
from gendei.conversation.stored.conversation import CONVERSATION
from gendei.documents import Documents, Query, Snapshot
from gendei.messages.keys import ConversationKey
from gendei.staff.actors import Actor, Right
from gendei.staff.inbox.inbox import lines_of, newest, standing_first, waiting_arrivals
from gendei.staff.inbox.presence import Present, presences, present
from gendei.staff.inbox.rows import Row, in_order, row_now
from gendei.staff.patients import key_of
from gendei.staff.shared_watches import Feeds, merged

WATCHED_MESSAGES = 50
PAUSE_SECONDS = 0.001
"""Between the pieces of the work on an inbox, so that nothing else that is due has to wait for all of it."""


@dataclass(frozen=True, slots=True)
class LiveInbox:
    """The newest 200 conversations and those that stand first wherever they are in time, unfiltered (closed ones
    too): show those for which `InboxFilter.shows`, `in_order` of the present moment. `present`: who has which
    conversation open."""

    rows: tuple[Row, ...]
    present: tuple[Present, ...]

    def row(self, contact: str) -> Row | None:
        return next((row for row in self.rows if row.contact == contact), None)


class Live:
    """`explain`: gives the reason of a failure in Portuguese."""

    def __init__(self, documents: Documents, clock: Clock, explain: Explain) -> None:
        self._documents, self._clock, self._explain = documents, clock, explain
        self._inboxes: Feeds[ClinicId, LiveInbox] = Feeds(self._inbox)
        self._conversations: Feeds[ConversationKey, int] = Feeds(self._conversation)

    @asynccontextmanager
    async def inbox(self, actor: Actor) -> AsyncIterator[AsyncIterator[LiveInbox]]:
        """The clinic's inbox now and after each change; a slow reader gets only the latest. Raises Forbidden; reading
        raises StoreError once the store cannot be watched any more: show it, and follow anew."""
        actor.require(Right.READ)
        async with self._inboxes.follow(actor.clinic_id) as states:
            yield states

    @asynccontextmanager
    async def conversation(self, actor: Actor, contact: str) -> AsyncIterator[AsyncIterator[int]]:
        """A number that rises with each change of the newest messages of a conversation (delivery ticks too): read the
        view again. `contact` as the row has it; what waits for its turn is told by `inbox`. Raises as `inbox` does."""
        actor.require(Right.READ)
        async with self._conversations.follow(key_of(actor, contact)) as changes:
            yield changes

    async def close(self) -> None:
        """End every watch."""
        await asyncio.gather(self._inboxes.close(), self._conversations.close())

    async def _inbox(self, clinic_id: ClinicId) -> AsyncIterator[LiveInbox]:
        rows, told = _Rows(self._documents, self._explain), None
        listed = [newest(clinic_id), *standing_first(clinic_id)]
        queries = [*listed, waiting_arrivals(clinic_id), presences(clinic_id)]
        async for *conversations, entries, people in merged(self._documents, queries):
            found = await rows.now(chain(*conversations), entries)
            state = LiveInbox(tuple(in_order(found, self._clock())), tuple(present(people, self._clock())))
            if state != told:
                told = state
                yield state

    async def _conversation(self, key: ConversationKey) -> AsyncIterator[int]:
        messages = Query(f"{key.path}/messages", order_by=(("timestamp", True),), limit=WATCHED_MESSAGES)
        count = 0
        async for _ in merged(self._documents, [messages]):
            count += 1
            yield count


class _Rows:
    """The rows of an inbox. Each is made once, while its conversation and what waits for it stay as they are."""

    def __init__(self, documents: Documents, explain: Explain) -> None:
        self._documents, self._explain = documents, explain
        self._made: dict[str, tuple[object, Row | None]] = {}
        self._waited: set[str] = set()
        """Whose conversation may be there before its watch tells: between these a turn has run."""

    async def now(self, conversations: Iterable[Snapshot], entries: Iterable[Snapshot]) -> list[Row]:
        """Of the conversations and of those that a waiting entry is for, in no order."""
        lines = {key.path: (key, line) for key, line in lines_of(entries).items()}
        found = {snapshot.path: snapshot for snapshot in conversations}
        missing = [path for path in {*lines, *self._waited} if path not in found]
        read = await self._documents.get_many(missing) if missing else []
        found |= {snapshot.path: snapshot for snapshot in read}
        self._waited = {*lines, *(snapshot.path for snapshot in read if snapshot.exists)}
        await asyncio.sleep(PAUSE_SECONDS)
        made: dict[str, tuple[object, Row | None]] = {}
        for path, conversation in found.items():
            key, line = lines.get(path, (None, []))
            stamp = conversation.version, [(entry.path, entry.version) for entry in line]
            known = self._made.get(path)
            if known is None or known[0] != stamp:
                await asyncio.sleep(PAUSE_SECONDS if self._made else 0)  # at first a page waits for all of them
                known = stamp, self._row(key, conversation, line)
            made[path] = known
        self._made = made
        await asyncio.sleep(PAUSE_SECONDS)
        return [row for _, row in made.values() if row is not None]

    def _row(self, key: ConversationKey | None, found: Snapshot, line: Iterable[Snapshot]) -> Row | None:
        known = None if found.data is None else CONVERSATION.read(found.data)
        key = key if known is None else known.key
        return None if key is None else row_now(key, known, readable(line), self._explain)
