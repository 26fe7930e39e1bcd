"""Sends what turns and staff put into the outbox: in order per conversation, retried by the kind of failure."""

import asyncio
import logging
import random
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import TracebackType
from typing import Self
from uuid import uuid4

from gendei.clinic import Channel
from gendei.clock import Clock
from gendei.conversation.conversations import Conversation, FailureReason
from gendei.conversation.history import Author
from gendei.conversation.keys import OUTBOX, ConversationKey
from gendei.conversation.lanes import Lanes
from gendei.conversation.outbox_entry import OutboxEntry, OutboxStatus
from gendei.conversation.ports import Accepted, Clinics, Outcome, Permanent, Provider, Transient, Unknown
from gendei.conversation.statuses import fail_conversation, show_in_history
from gendei.conversation.window import window_is_open
from gendei.documents import Documents, Query, Snapshot, Transaction, put, transact
from gendei.errors import Conflict, StoreError, StoreUnavailable

log = logging.getLogger(__name__)
MAX_ATTEMPTS = 8
LONGEST_PAUSE = 300.0
PAGE = 20
SWEEP_PAGE = 200


@dataclass(frozen=True, slots=True)
class Pace:
    """Times of the sender, in seconds. `grace`: how long a status may take to tell an unknown outcome.
    `abandoned`: a claim older than this belongs to a dead process; it exceeds `send_limit`."""

    grace: float = 15.0
    abandoned: float = 30.0
    send_limit: float = 25.0
    sweep: float = 5.0
    first_retry: float = 1.0
    record_pauses: tuple[float, ...] = (0.1, 0.5, 2.0)


@dataclass(frozen=True, slots=True)
class Refused:
    """Not to be sent at all: for `reason`, or, without one, because a person owns the conversation."""

    reason: FailureReason | None


class Outbox:
    """Use it as a context manager: it then finds by itself what dead processes left behind."""

    def __init__(
        self,
        documents: Documents,
        clinics: Clinics,
        providers: Mapping[str, Provider],
        clock: Clock,
        *,
        pace: Pace | None = None,
        at_once: int = 64,
    ) -> None:
        self._documents = documents
        self._clinics = clinics
        self._providers = providers
        self._clock = clock
        self._pace = pace or Pace()
        self._owner = uuid4().hex
        self._lanes = Lanes(self._send_open, at_once=at_once)
        self._sweeping: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._lanes.start()
        self._sweeping = asyncio.create_task(self._sweep_forever())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def stop(self, grace: float = 10.0) -> None:
        """Let what is being sent finish, up to `grace` seconds; the rest stays for the next process."""
        if self._sweeping is not None:
            self._sweeping.cancel()
            with suppress(asyncio.CancelledError):
                await self._sweeping
        await self._lanes.stop(grace)

    def notify(self, key: ConversationKey) -> None:
        """There may be something to send for `key`."""
        self._lanes.plan(key)

    async def idle(self) -> bool:
        """Wait until nothing is being sent; whether that was so from the start."""
        return await self._lanes.idle()

    async def sweep(self) -> None:
        """Take up what is open in the store and unknown here: retries that are due, leavings of dead processes."""
        due = Query(
            OUTBOX,
            where=(("open", "==", True), ("dueAt", "<=", self._clock())),
            order_by=(("dueAt", False),),
            limit=SWEEP_PAGE,
        )
        for snapshot in await self._documents.query(due):
            key = ConversationKey.parse((snapshot.data or {})["conversation"])
            if not self._lanes.knows(key):
                self._lanes.plan(key)

    async def _sweep_forever(self) -> None:
        while True:
            try:
                await self.sweep()
            except StoreError as error:
                log.warning("the outbox could not be looked through: %s", type(error).__name__)
            await asyncio.sleep(self._pace.sweep)

    async def _send_open(self, key: ConversationKey) -> float | None:
        """Send the conversation's open entries in order. Returns when to look again, None when all are finished."""
        found = await self._documents.query(
            Query(
                OUTBOX,
                where=(("conversation", "==", key.text), ("open", "==", True)),
                order_by=(("seq", False),),
                limit=PAGE,
            )
        )
        for snapshot in found:
            pause = await self._advance(snapshot, OutboxEntry.from_document(snapshot.id, snapshot.data or {}))
            if pause is not None:
                return pause
        return 0 if len(found) == PAGE else None

    async def _advance(self, snapshot: Snapshot, entry: OutboxEntry) -> float | None:
        """Bring one entry to its end; seconds to wait where it is not there yet, so that the next ones wait too."""
        now = self._clock()
        if entry.status is OutboxStatus.SENDING:
            pause = await self._resolve(snapshot, entry, now)
        else:
            pause = _seconds(now, entry.due_at)
        if pause > 0:
            return pause
        if entry.attempts >= MAX_ATTEMPTS:
            return await self._record(entry, Permanent(entry.error or "the outcome stayed unknown"))
        return await self._send(snapshot, entry, now)

    async def _resolve(self, snapshot: Snapshot, entry: OutboxEntry, now: datetime) -> float:
        """An entry whose outcome is not recorded: seconds until it may be sent again, 0 for now."""
        if entry.settle_by is not None:
            return _seconds(now, entry.settle_by)
        if entry.owner != self._owner and entry.claimed_at is not None:
            alive_until = entry.claimed_at + timedelta(seconds=self._pace.abandoned)
            if alive_until > now:
                return _seconds(now, alive_until)
        waiting = entry.unsettled(self._owner, now + timedelta(seconds=self._pace.grace), "sender stopped")
        with suppress(Conflict):
            await self._documents.commit([put(entry.path, waiting.to_document(), unchanged_since=snapshot)])
        return self._pace.grace

    async def _send(self, snapshot: Snapshot, entry: OutboxEntry, now: datetime) -> float | None:
        refusal = await self._refusal(entry, now)
        if refusal is not None:
            return await self._record(entry, refusal)
        provider, channel = await self._channel(entry)
        if provider is None or channel is None:
            return await self._record(entry, Refused(FailureReason.CHANNEL_MISSING))
        claimed = entry.claimed(self._owner, now)
        try:
            await self._documents.commit([put(entry.path, claimed.to_document(), unchanged_since=snapshot)])
        except Conflict:
            return 0
        return await self._record(claimed, await self._post(provider, channel, claimed))

    async def _refusal(self, entry: OutboxEntry, now: datetime) -> Refused | None:
        """Why this may not leave, by the conversation as it stands at this moment (promises 7 and 8)."""
        found = await self._documents.get(entry.key.path)
        if found.data is None:
            return Refused(None)
        conversation = Conversation.from_document(found.data)
        if entry.author is Author.BOT and conversation.is_human_takeover and not entry.despite_takeover:
            return Refused(None)
        if not window_is_open(entry.provider, conversation.last_inbound_at, now):
            return Refused(FailureReason.WINDOW_CLOSED)
        return None

    async def _channel(self, entry: OutboxEntry) -> tuple[Provider | None, Channel | None]:
        clinic = await self._clinics.get(entry.clinic_id)
        ours = (entry.provider, entry.external_id)
        channels = clinic.channels if clinic is not None else ()
        channel = next((one for one in channels if (one.provider, one.external_id) == ours), None)
        return self._providers.get(entry.provider), channel

    async def _post(self, provider: Provider, channel: Channel, entry: OutboxEntry) -> Outcome:
        try:
            async with asyncio.timeout(self._pace.send_limit):
                return await provider.send(channel, entry.message())
        except Exception as error:  # noqa: BLE001 - a provider that breaks its promise leaves the outcome unknown
            return Unknown(type(error).__name__)

    async def _record(self, entry: OutboxEntry, outcome: Outcome | Refused) -> float | None:
        """Make the outcome durable; seconds to wait before this conversation goes on, None to go on now."""

        async def attempt(transaction: Transaction) -> float | None:
            return await self._apply(transaction, entry, outcome)

        for pause in self._pace.record_pauses:
            with suppress(StoreUnavailable):
                return await transact(self._documents, attempt)
            await asyncio.sleep(pause)
        return await transact(self._documents, attempt)

    async def _apply(self, transaction: Transaction, sent: OutboxEntry, outcome: Outcome | Refused) -> float | None:
        now = self._clock()
        if isinstance(outcome, Accepted):  # both are written: one round trip for the two
            await transaction.get_many([sent.path, sent.history_path])
        snapshot = await transaction.get(sent.path)
        if snapshot.data is None:
            return None
        entry = OutboxEntry.from_document(snapshot.id, snapshot.data)
        if not entry.is_open:
            return None
        if entry.owner != sent.owner and not isinstance(outcome, Accepted):
            return 0
        after, reason = self._moved(entry, outcome, now)
        transaction.put(after.path, after.to_document())
        if after.is_open:
            return _seconds(now, after.due_at)
        await show_in_history(transaction, after)
        if reason is not None:
            log.error("message %s of clinic %s was not sent: %s", after.id, after.clinic_id, after.error)
            await fail_conversation(transaction, after, reason, self._clock)
        return None

    def _moved(
        self, entry: OutboxEntry, outcome: Outcome | Refused, now: datetime
    ) -> tuple[OutboxEntry, FailureReason | None]:
        """The entry after `outcome`, and what to tell staff where it failed."""
        match outcome:
            case Accepted(message_id):
                return entry.accepted(message_id, now), None
            case Unknown(reason):
                return entry.unsettled(self._owner, now + timedelta(seconds=self._pace.grace), reason), None
            case Transient(reason, retry_after) if entry.attempts < MAX_ATTEMPTS:
                pause = self._backoff(entry.attempts, retry_after)
                return entry.deferred(now + timedelta(seconds=pause), reason), None
            case Transient(reason) | Permanent(reason):
                return entry.failed(reason, now), FailureReason.SEND_FAILED
            case Refused(None):
                return entry.suppressed(now), None
            case Refused(refusal):
                return entry.failed(str(refusal), now), refusal

    def _backoff(self, attempts: int, retry_after: float) -> float:
        doubled = self._pace.first_retry * 2.0 ** max(0, attempts - 1)
        return min(max(retry_after, doubled), LONGEST_PAUSE) * random.uniform(1, 1.25)


def _seconds(now: datetime, until: datetime) -> float:
    return max(0.0, (until - now).total_seconds())
