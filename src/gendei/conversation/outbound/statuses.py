"""What providers tell of sent messages: applied durably, each only forward.

It is the commonest webhook by far, so what comes while a commit is under way shares the next: for the store, one read
of all entries, one of all messages, and one commit.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from contextvars import Context
from dataclasses import dataclass

from gendei.clock import Clock
from gendei.conversation.outbound.outbox_entry import OUTBOX_ENTRY, Fate, OutboxEntry
from gendei.conversation.outbound.progress import CHARGE, history_path, is_ordinary, progressed, shown, with_charge
from gendei.conversation.outbound.sending import Sending
from gendei.conversation.stored.conversation import CONVERSATION, Failure, FailureReason
from gendei.conversation.stored.follow_ups import Occasion, follow_up_once
from gendei.documents import Data, Documents, Query, Snapshot, Transaction, document_id, put, transact
from gendei.messages.keys import OUTBOX, ConversationKey
from gendei.messages.message import DeliveryState, MessageCharge, StatusUpdate

log = logging.getLogger(__name__)


MOST_TOGETHER = 64
"""Entries of one commit, which has two writes for each."""


MOST_EARLY = 10_000
"""Messages whose price is known before their delivery, in this process."""


@dataclass(eq=False, slots=True)
class _Report:
    """What one webhook tells of one entry. done: the conversation whose next message may go now."""

    path: str
    provider: str
    external_id: str
    updates: Sequence[StatusUpdate]
    done: "asyncio.Future[ConversationKey | None]"

    @property
    def only(self) -> StatusUpdate | None:
        """The one status that it is, where it is no more."""
        return self.updates[0] if len(self.updates) == 1 else None

    def entry(self, snapshot: Snapshot) -> OutboxEntry | None:
        """The entry that is meant: one that we know, and that this number sent."""
        if snapshot.data is None:
            return None
        entry = OUTBOX_ENTRY.read(snapshot.data, id=snapshot.id)
        return entry if self.is_of(snapshot.data) else None

    def is_of(self, entry: Data) -> bool:
        """Whether the entry is one that this number sent."""
        return bool(entry.get("provider") == self.provider and entry.get("externalId") == self.external_id)


@dataclass(frozen=True, slots=True)
class _Change:
    """An entry before and after the statuses of one webhook, and the failure among them that moved it."""

    before: OutboxEntry
    after: OutboxEntry
    failed: StatusUpdate | None

    @property
    def settled(self) -> ConversationKey | None:
        """The conversation, when its next message may go now."""
        return self.after.key if self.before.is_open or self.after.is_open else None


@dataclass(slots=True)
class _Together:
    """A change that shares a commit with others: the entry's document before and after it, and what it makes of the
    message of the history. settled: as in _Change."""

    report: _Report
    before: Snapshot
    entry: Data
    history_path: str
    show: Callable[[Data], Data]
    settled: ConversationKey | None


class Statuses:
    """`on_settled` is told which conversations may send their next message."""

    def __init__(
        self, documents: Documents, clock: Clock, sending: Sending, on_settled: Callable[[ConversationKey], None]
    ) -> None:
        self._documents = documents
        self._clock = clock
        self._sending = sending
        self._on_settled = on_settled
        self._waiting: list[_Report] = []
        self._applying: asyncio.Task[None] | None = None
        self._told_early: dict[str, MessageCharge] = {}

    async def apply(self, provider: str, external_id: str, updates: Sequence[StatusUpdate]) -> None:
        """Apply what this number's webhook reports; a message that we do not know, or that another number sent,
        is ignored. Raises StoreUnavailable or TooContended: the provider shall deliver again."""
        by_entry: dict[str, list[StatusUpdate]] = {}
        for update in updates:
            if path := await self._find(provider, external_id, update):
                by_entry.setdefault(path, []).append(update)
        if not by_entry:
            return
        loop = asyncio.get_running_loop()
        reports = [_Report(path, provider, external_id, of, loop.create_future()) for path, of in by_entry.items()]
        self._waiting += reports
        if self._applying is None:
            self._applying = loop.create_task(self._apply_waiting(), context=Context())  # of no request that began it
        all_settled = (
            await asyncio.gather(*(report.done for report in reports)) if reports[1:] else [await reports[0].done]
        )
        for settled in all_settled:
            if settled is not None:
                self._on_settled(settled)

    async def _find(self, provider: str, external_id: str, update: StatusUpdate) -> str | None:
        if update.reference:
            return f"{OUTBOX}/{document_id(update.reference)}"
        sent = Query(OUTBOX, where=(("providerMessageId", "==", update.message_id), ("externalId", "==", external_id)))
        found = await self._documents.query(sent)
        return next((document.path for document in found if (document.data or {})["provider"] == provider), None)

    async def _apply_waiting(self) -> None:
        try:
            while self._waiting:
                some, self._waiting = self._waiting[:MOST_TOGETHER], self._waiting[MOST_TOGETHER:]
                with suppress(Exception):  # it is seen which of them fails when each is applied alone
                    await self._apply_together(some)
                await asyncio.gather(*(self._apply(report) for report in some if not report.done.done()))
        finally:
            self._applying = None

    async def _apply_together(self, reports: Sequence[_Report]) -> None:
        """Apply the ordinary ones in one commit; what is left is not done: failures, which more is written for, second
        reports of an entry, and all of them where another writer came between."""
        first = {report.path: report for report in reversed(reports)}
        entries = await self._documents.get_many(list(first))
        changes = [change for snapshot in entries if (change := self._together(first[snapshot.path], snapshot))]
        messages = await self._documents.get_many([change.history_path for change in changes])
        writes, written = [], []
        for change, message in zip(changes, messages, strict=True):
            if message.data is not None:
                written.append(change)
                writes.append(put(change.before.path, change.entry, unchanged_since=change.before))
                writes.append(put(message.path, change.show(message.data), unchanged_since=message))
        if writes:
            await self._documents.commit(writes)
        for change in written:
            _tell(change.report, change.settled)

    def _together(self, report: _Report, before: Snapshot) -> "_Together | None":
        """What the report changes, where that can be committed with others'; where it changes nothing, it is told."""
        update = report.only
        if before.data is not None and update and report.is_of(before.data) and is_ordinary(before.data, update):
            known = with_charge(update, None if update.charge else self._told_early.pop(before.path, None))
            entry = progressed(before.data, known, self._clock())
            if entry is not None:
                path, document = history_path(entry, before.id), entry
                return _Together(report, before, document, path, lambda message: shown(message, document), None)
            if known.charge is not None and before.data.get("charge") is None:
                self._keep_early(before.path, known.charge)
            _tell(report, None)
            return None
        whole = report.entry(before)
        change = None if whole is None else self._change(whole, report.updates)
        if change is None:
            _tell(report, None)
        elif change.failed is None and change.after.delivery_state is not DeliveryState.FAILED:
            after = change.after
            document, path = OUTBOX_ENTRY.write(after), after.history_path
            return _Together(report, before, document, path, lambda message: _shown(message, after), change.settled)
        return None

    async def _apply(self, report: _Report) -> None:
        try:
            change = await self._change_alone(report)
        except Exception as error:  # noqa: BLE001  whoever waits for it hears of it
            if not report.done.done():
                report.done.set_exception(error)
        else:
            _tell(report, change.settled if change else None)

    async def _change_alone(self, report: _Report) -> _Change | None:
        async def attempt(transaction: Transaction) -> _Change | None:
            entry = report.entry(await transaction.get(report.path))
            change = None if entry is None else self._change(entry, report.updates)
            if change is not None:
                await self._write(transaction, change.after)
            return change

        change = await transact(self._documents, attempt)
        if change is not None and change.failed is not None:
            await self._follow(change.before, change.failed)
        return change

    def _change(self, before: OutboxEntry, updates: Sequence[StatusUpdate]) -> _Change | None:
        """What they make of the entry; None where it knows more already."""
        entry, failed = before, None
        for update in updates:
            known = with_charge(update, None if update.charge else self._told_early.pop(before.path, None))
            entry, earlier = entry.reported(known, self._clock()), entry
            if entry is earlier and known.charge is not None and entry.charge is None:
                self._keep_early(before.path, known.charge)
            failed = update if entry is not earlier and update.state is DeliveryState.FAILED else failed
        return None if entry is before else _Change(before, entry, failed)

    def _keep_early(self, path: str, charge: MessageCharge) -> None:
        """The price came with a status that changes nothing ("sent"): it is written with the next one that does, so
        that no status costs a commit for it."""
        self._told_early[path] = charge
        while len(self._told_early) > MOST_EARLY:
            del self._told_early[next(iter(self._told_early))]

    async def _write(self, transaction: Transaction, entry: OutboxEntry) -> None:
        transaction.put(entry.path, OUTBOX_ENTRY.write(entry))
        if entry.delivery_state is not DeliveryState.FAILED:
            await show_in_history(transaction, entry)
            return
        explanation = self._sending.explain(FailureReason.DELIVERY_FAILED, entry.error or "")
        await show_in_history(transaction, entry, explanation)
        await fail_conversation(transaction, entry, FailureReason.DELIVERY_FAILED, explanation, self._clock)

    async def _follow(self, entry: OutboxEntry, failed: StatusUpdate) -> None:
        log.error("message %s of clinic %s was not delivered: %s", entry.id, entry.clinic_id, failed.error)
        self._sending.deliveries.count(entry.provider, Fate.DELIVERY_FAILED, failed.kind)
        await self._sending.consequences.follow(entry, failed.kind, failed.error or "")


async def show_in_history(transaction: Transaction, entry: OutboxEntry, explanation: str = "") -> None:
    """Bring the message of the history up to what its outbox entry knows. `explanation`: why it failed, for staff."""
    message = await transaction.get(entry.history_path)
    if message.data is None:
        transaction.delete(entry.history_path)
        return
    transaction.put(entry.history_path, _shown(message.data, entry, explanation))


def _shown(message: Data, entry: OutboxEntry, explanation: str = "") -> Data:
    told: Data = {"deliveryState": entry.shown_state, "error": entry.error}
    told["providerMessageId"] = entry.provider_message_id
    if explanation or "explanation" in message:
        told["explanation"] = explanation
    if entry.charge is not None:
        told["charge"] = CHARGE.write(entry.charge)
    if entry.initiative is not None and entry.initiative.sent_template:
        told["template"] = entry.initiative.sent_template[0]
        told["content"] = entry.initiative.sent_text or message["content"]
    return message | told


def _tell(report: _Report, settled: ConversationKey | None) -> None:
    if not report.done.done():  # else whoever waited for it was cancelled
        report.done.set_result(settled)


async def fail_conversation(
    transaction: Transaction, entry: OutboxEntry, reason: FailureReason, explanation: str, clock: Clock
) -> None:
    """Tell staff, where they look first, that a message did not reach the patient. Of a campaign's they read in its
    figures."""
    if entry.initiative is not None and entry.initiative.campaign:
        return
    found = await transaction.get(entry.key.path)
    if found.data is None:
        transaction.delete(entry.key.path)
        return
    now, conversation = clock(), CONVERSATION.read(found.data)
    failed = conversation.failed(Failure(reason, entry.error or "", now, explanation))
    transaction.put(entry.key.path, CONVERSATION.write(failed))
    await follow_up_once(transaction, conversation, Occasion.FAILED_SEND, now)
