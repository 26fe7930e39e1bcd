"""What providers tell of sent messages: applied durably, each only forward."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gendei.clock import Clock
from gendei.conversation.outbound.outbox_entry import OUTBOX_ENTRY, Fate, OutboxEntry
from gendei.conversation.outbound.sending import Sending
from gendei.conversation.stored.conversation import CONVERSATION, Failure, FailureReason
from gendei.conversation.stored.follow_ups import Occasion, follow_up_once
from gendei.documents import Documents, Query, Transaction, document_id, transact
from gendei.messages.keys import OUTBOX, ConversationKey
from gendei.messages.message import DeliveryState, StatusUpdate

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Change:
    """An entry before and after the statuses of one webhook, and the failure among them that moved it."""

    before: OutboxEntry
    after: OutboxEntry
    failed: StatusUpdate | None


class Statuses:
    """`on_settled` is told which conversations may send their next message."""

    def __init__(
        self, documents: Documents, clock: Clock, sending: Sending, on_settled: Callable[[ConversationKey], None]
    ) -> None:
        self._documents = documents
        self._clock = clock
        self._sending = sending
        self._on_settled = on_settled

    async def apply(self, provider: str, external_id: str, updates: Sequence[StatusUpdate]) -> None:
        """Apply what this number's webhook reports; a message that we do not know, or that another number sent,
        is ignored. Raises StoreUnavailable or TooContended: the provider shall deliver again."""
        by_entry: dict[str, list[StatusUpdate]] = {}
        for update in updates:
            if path := await self._find(provider, external_id, update):
                by_entry.setdefault(path, []).append(update)
        for settled in await asyncio.gather(
            *(self._apply(path, provider, external_id, ours) for path, ours in by_entry.items())
        ):
            if settled is not None:
                self._on_settled(settled)

    async def _find(self, provider: str, external_id: str, update: StatusUpdate) -> str | None:
        if update.reference:
            return f"{OUTBOX}/{document_id(update.reference)}"
        sent = Query(OUTBOX, where=(("providerMessageId", "==", update.message_id), ("externalId", "==", external_id)))
        found = await self._documents.query(sent)
        return next((document.path for document in found if (document.data or {})["provider"] == provider), None)

    async def _apply(
        self, path: str, provider: str, external_id: str, updates: Sequence[StatusUpdate]
    ) -> ConversationKey | None:
        """The conversation, when its next message may go now."""

        async def attempt(transaction: Transaction) -> _Change | None:
            snapshot = await transaction.get(path)
            if snapshot.data is None:
                return None
            before = entry = OUTBOX_ENTRY.read(snapshot.data, id=snapshot.id)
            if (entry.provider, entry.external_id) != (provider, external_id):
                return None
            failed = None
            for update in updates:
                entry, earlier = entry.reported(update, self._clock()), entry
                failed = update if entry is not earlier and update.state is DeliveryState.FAILED else failed
            if entry is before:
                return None
            await self._write(transaction, entry)
            return _Change(before, entry, failed)

        change = await transact(self._documents, attempt)
        if change is None:
            return None
        if change.failed is not None:
            await self._follow(change.before, change.failed)
        return change.after.key if change.before.is_open or change.after.is_open else None

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
    told = {"deliveryState": entry.shown_state, "providerMessageId": entry.provider_message_id, "error": entry.error}
    if explanation or "explanation" in message.data:
        told["explanation"] = explanation
    if entry.initiative is not None and entry.initiative.sent_template:
        told["template"] = entry.initiative.sent_template[0]
        told["content"] = entry.initiative.sent_text or message.data["content"]
    transaction.put(entry.history_path, message.data | told)


async def fail_conversation(
    transaction: Transaction, entry: OutboxEntry, reason: FailureReason, explanation: str, clock: Clock
) -> None:
    """Tell staff, where they look first, that a message did not reach the patient."""
    found = await transaction.get(entry.key.path)
    if found.data is None:
        transaction.delete(entry.key.path)
        return
    now, conversation = clock(), CONVERSATION.read(found.data)
    failed = conversation.failed(Failure(reason, entry.error or "", now, explanation))
    transaction.put(entry.key.path, CONVERSATION.write(failed))
    await follow_up_once(transaction, conversation, Occasion.FAILED_SEND, now)
