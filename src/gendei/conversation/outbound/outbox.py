"""Sends what turns and staff put into the outbox: in order per conversation, retried by the kind of failure."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import uuid4

from gendei.clinic import Channel
from gendei.clock import Clock
from gendei.conversation.files.media import MediaName, MediaStore, content_of
from gendei.conversation.outbound.failures import Moved, Waiting, channel_of, moved
from gendei.conversation.outbound.gate import Later, Refused
from gendei.conversation.outbound.outbox_entry import OUTBOX_ENTRY, OutboxEntry, OutboxStatus
from gendei.conversation.outbound.pacing import Number
from gendei.conversation.outbound.sending import Sending
from gendei.conversation.outbound.statuses import fail_conversation, show_in_history
from gendei.conversation.stored.conversation import FailureReason
from gendei.conversation.work.backoff import BACKOFF, MOST_ATTEMPTS
from gendei.conversation.work.lanes import Lanes, LaneWork, Sweeping
from gendei.documents import Documents, Query, Snapshot, Transaction, put, transact
from gendei.errors import Conflict, NotFound, StoreUnavailable
from gendei.messages.channels import Accepted, Clinics, Outcome, Permanent, Provider, Transient, Unknown
from gendei.messages.keys import OUTBOX, ConversationKey
from gendei.messages.message import FailureKind, MessageType, OutgoingMedia, OutgoingMessage
from gendei.messages.replies import PixForm, PixPayment
from gendei.observing.tracing import note, span
from gendei.payments.br_code import qr_picture

log = logging.getLogger(__name__)
PAGE = 20
SWEEP_PAGE = 200
STOP_SECONDS = 2.0
"""For what is being sent when the process stops."""
LATER_SECONDS = 5.0
"""Until a media store that does not answer is asked again."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Times of the sender, in seconds. `grace`: how long a status may take to tell an unknown outcome.
    `abandoned`: a claim older than this belongs to a dead process; it exceeds `send_limit`."""

    grace: float = 15.0
    abandoned: float = 30.0
    send_limit: float = 25.0
    sweep: float = 5.0
    record_pauses: tuple[float, ...] = (0.1, 0.5, 2.0)


@dataclass(frozen=True, slots=True)
class Recorded:
    """What was made durable of a send, None where another process or a status was first, and the seconds to wait
    before this conversation goes on, None to go on now."""

    moved: Moved | None
    pause: float | None


class Outbox(LaneWork[ConversationKey]):
    """Sends what is open, each conversation's entries in order."""

    def __init__(  # noqa: PLR0913  # its parts, given by name in messaging.py
        self,
        documents: Documents,
        clinics: Clinics,
        providers: Mapping[str, Provider],
        clock: Clock,
        *,
        sending: Sending | None = None,
        pace: Pace | None = None,
        files: MediaStore | None = None,
        at_once: int = 64,
    ) -> None:
        self._documents = documents
        self._clinics = clinics
        self._providers = providers
        self._clock = clock
        self._sending = sending or Sending.on(documents, clinics, clock)
        self._pace = pace or Pace()
        self._files = files
        self._owner = uuid4().hex
        self._unrecorded: dict[ConversationKey, tuple[OutboxEntry, Outcome]] = {}
        """What became of a send, where the store could not be told yet: without it, it would be sent again."""
        sweeping = Sweeping(self.sweep, self._pace.sweep, log, "the outbox could not be looked through: %s")
        super().__init__(Lanes(self._send_open, at_once=at_once), sweeping, grace=STOP_SECONDS)

    async def sweep(self) -> None:
        """Take up what is open in the store and unknown here: retries that are due, leavings of dead processes, and
        what waited for a number that may send again."""
        resumed = await self._sending.channels.refresh()
        due = Query(
            OUTBOX,
            where=(("open", "==", True), ("dueAt", "<=", self._clock())),
            order_by=(("dueAt", False),),
            limit=SWEEP_PAGE,
        )
        while found := await self._documents.query(due):
            for snapshot in found:
                self._take_up(OUTBOX_ENTRY.read(snapshot.data or {}, id=snapshot.id), resumed)
            if len(found) < SWEEP_PAGE:
                return
            due = due.after(found[-1])

    def _take_up(self, entry: OutboxEntry, resumed: frozenset[Number]) -> None:
        if not self._lanes.knows(entry.key) or (entry.provider, entry.external_id) in resumed:
            self._lanes.plan(entry.key)

    async def _send_open(self, key: ConversationKey) -> float | None:
        """Send the conversation's open entries in order. Returns when to look again, None when all are finished.
        What we start ourselves may wait for the morning, and answers pass it by."""
        if unrecorded := self._unrecorded.get(key):
            await self._finish(*unrecorded)
        waits: list[float] = []
        line = Query(
            OUTBOX,
            where=(("conversation", "==", key.text), ("open", "==", True)),
            order_by=(("seq", False),),
            limit=PAGE,
        )
        while found := await self._documents.query(line):
            for snapshot in found:
                entry = OUTBOX_ENTRY.read(snapshot.data or {}, id=snapshot.id)
                pause = await self._advance(snapshot, entry)
                if pause is not None:
                    waits.append(pause)
                    if entry.initiative is None:
                        return min(waits)
            if len(found) < PAGE:
                break
            line = line.after(found[-1])
        return min(waits, default=None)

    async def _advance(self, snapshot: Snapshot, entry: OutboxEntry) -> float | None:
        """Bring one entry to its end; seconds to wait where it is not there yet, so that the next ones wait too."""
        now = self._clock()
        since = max(now, entry.created_at, entry.claimed_at or now)  # a clock that was put back delays nothing
        if entry.status is OutboxStatus.SENDING:
            pause = await self._resolve(snapshot, entry, since)
        else:
            pause = _seconds(since, entry.due_at)
        if pause > 0:
            return pause
        if entry.attempts >= MOST_ATTEMPTS:
            return (await self._record(entry, Permanent(entry.error or "the outcome stayed unknown"))).pause
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
            await self._documents.commit([put(entry.path, OUTBOX_ENTRY.write(waiting), unchanged_since=snapshot)])
        return self._pace.grace

    async def _send(self, snapshot: Snapshot, entry: OutboxEntry, now: datetime) -> float | None:
        clinic = await self._clinics.get(entry.clinic_id)
        channel = channel_of(clinic.channels, entry) if clinic is not None else None
        provider = self._providers.get(entry.provider)
        if clinic is None or channel is None or provider is None:
            return (await self._record(entry, Refused(FailureReason.CHANNEL_MISSING))).pause
        decision = await self._sending.gate.decide(entry, clinic, now)
        if isinstance(decision, Later):
            return decision.seconds
        if isinstance(decision, Refused):
            return (await self._record(entry, decision)).pause
        if pause := await self._held_back(entry, channel):
            return pause
        claimed = entry.claimed(self._owner, now, decision.template)
        try:
            await self._documents.commit([put(entry.path, OUTBOX_ENTRY.write(claimed), unchanged_since=snapshot)])
        except Conflict:
            return 0
        message = claimed.message(decision.template)
        with span("send", entry.trace, provider=entry.provider, attempt=claimed.attempts):
            outcome = await self._post_whole(provider, channel, claimed, message)
            note(result=type(outcome).__name__.lower())
        return await self._finish(claimed, outcome)

    async def _post_whole(
        self, provider: Provider, channel: Channel, entry: OutboxEntry, message: OutgoingMessage
    ) -> Outcome:
        """With the file that the entry carries. Where it cannot be read, a voice note goes as its text, and a message
        with anything else waits or fails."""
        if message.reply.pix and message.reply.pix.form is PixForm.QR and not message.template:
            return await self._post(provider, channel, replace(message, media=_qr_of(message.reply.pix)))
        carried = None if message.template else entry.note or entry.file
        if carried is None:
            return await self._post(provider, channel, message)
        try:
            content = await self._content_of(carried.name)
        except (OSError, NotFound) as error:
            log.warning("a file for a message of clinic %s cannot be read: %s", entry.clinic_id, type(error).__name__)
            if entry.note:
                return await self._post(provider, channel, message)
            gone = isinstance(error, NotFound)
            return Permanent("the file is gone") if gone else Transient("the file cannot be read", LATER_SECONDS)
        return await self._post(provider, channel, replace(message, media=carried.outgoing(content)))

    async def _content_of(self, name: MediaName) -> bytes:
        """Raises NotFound and OSError."""
        if self._files is None:
            raise NotFound
        return await content_of(self._files, name)

    async def _finish(self, claimed: OutboxEntry, outcome: Outcome) -> float | None:
        self._unrecorded[claimed.key] = claimed, outcome
        recorded = await self._record(claimed, outcome)
        del self._unrecorded[claimed.key]
        await self._follow(claimed, outcome)
        return recorded.pause

    async def _held_back(self, entry: OutboxEntry, channel: Channel) -> float:
        """Seconds for which the number or the recipient's budget holds a message back, 0 for none."""
        channels = self._sending.channels
        await channels.forget_outdated(channel)
        stopped = channels.wait(channel, proactive=entry.initiative is not None)
        return stopped or self._sending.pacing.wait(entry.id, entry.key, channel)

    async def _post(self, provider: Provider, channel: Channel, message: OutgoingMessage) -> Outcome:
        try:
            async with asyncio.timeout(self._pace.send_limit):
                return await provider.send(channel, message)
        except Exception as error:  # noqa: BLE001 - a provider that breaks its promise leaves the outcome unknown
            return Unknown(type(error).__name__)

    async def _follow(self, entry: OutboxEntry, outcome: Outcome) -> None:
        """What the outcome means for other messages."""
        match outcome:
            case Transient(_, retry_after, kind) if BACKOFF[kind].whole_number:
                pause = BACKOFF[kind].pause(entry.attempts, retry_after)
                self._sending.pacing.hold((entry.provider, entry.external_id), pause)
            case Transient(_, _, FailureKind.THROUGHPUT):
                self._sending.pacing.hold((entry.provider, entry.external_id), 1.0)
            case Permanent(reason):
                await self._sending.consequences.follow(entry, outcome.failure_kind, reason)
            case _:
                return

    async def _record(self, entry: OutboxEntry, outcome: Outcome | Refused) -> Recorded:
        """Make the outcome durable."""

        async def attempt(transaction: Transaction) -> Recorded:
            return await self._apply(transaction, entry, outcome)

        recorded = await self._durably(attempt)
        if recorded.moved is not None:
            self._sending.deliveries.count(entry.provider, recorded.moved.fate, recorded.moved.why)
        return recorded

    async def _durably(self, attempt: Callable[[Transaction], Awaitable[Recorded]]) -> Recorded:
        for pause in self._pace.record_pauses:
            with suppress(StoreUnavailable):
                return await transact(self._documents, attempt)
            await asyncio.sleep(pause)
        return await transact(self._documents, attempt)

    async def _apply(self, transaction: Transaction, sent: OutboxEntry, outcome: Outcome | Refused) -> Recorded:
        now = self._clock()
        if isinstance(outcome, Accepted):  # both are written: one round trip for the two
            await transaction.get_many([sent.path, sent.history_path])
        snapshot = await transaction.get(sent.path)
        if snapshot.data is None:
            return Recorded(None, None)
        entry = OUTBOX_ENTRY.read(snapshot.data, id=snapshot.id)
        if not entry.is_open:
            return Recorded(None, None)
        if entry.owner != sent.owner and not isinstance(outcome, Accepted):
            return Recorded(None, 0)
        after = moved(entry, outcome, now, Waiting(self._owner, now + timedelta(seconds=self._pace.grace)))
        transaction.put(sent.path, OUTBOX_ENTRY.write(after.entry))
        if after.entry.is_open:
            if isinstance(outcome, Accepted):  # a status was first and wants a template now
                await show_in_history(transaction, after.entry)
            return Recorded(after, _seconds(now, after.entry.due_at))
        explanation = self._sending.explain(after.failure, after.entry.error or "") if after.failure else ""
        await show_in_history(transaction, after.entry, explanation)
        if after.failure is not None:
            log.error("message %s of clinic %s was not sent: %s", sent.id, sent.clinic_id, after.entry.error)
            await fail_conversation(transaction, after.entry, after.failure, explanation, self._clock)
        return Recorded(after, None)


def _qr_of(pix: PixPayment) -> OutgoingMedia:
    """The code as a picture, which is made as it is sent: it need not be kept."""
    return OutgoingMedia(MessageType.IMAGE, "", "image/png", "pix.png", content=qr_picture(pix.code))


def _seconds(now: datetime, until: datetime) -> float:
    return max(0.0, (until - now).total_seconds())
