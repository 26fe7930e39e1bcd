"""Messages from the clinic's own number: one that staff wrote on the clinic's phone takes the conversation over.

They wait in the inbox like patients' messages but in a line of their own, so that neither the quiet window nor a turn
that is under way delays the take-over: the turn then finds the conversation changed, and drops its answer.

What we sent ourselves comes back too, and is known by the id that the provider gave us. While that is not recorded yet,
the outbox entry is being sent (nothing comes back before it is claimed): the same words tell, and where the words
differ, the answer to the send is waited for. Open entries are asked first, ids after that: whatever gets its id in
between is found by one of the two.
"""

import logging
from dataclasses import replace
from datetime import datetime

from gendei.clinic import Contact
from gendei.clock import Clock
from gendei.conversation.inbound.inbox import EntryStatus, done
from gendei.conversation.outbound.outbox_entry import OUTBOX_ENTRY, OutboxEntry, OutboxStatus
from gendei.conversation.outbound.statuses import Statuses
from gendei.conversation.stored.contacts import Contacts
from gendei.conversation.stored.conversation import CONVERSATION, Conversation
from gendei.conversation.stored.follow_ups import ANSWERED, WaitOver
from gendei.conversation.stored.history import CLINIC_PHONE, Event, echoed, event_write
from gendei.conversation.work.lanes import Lanes, LaneWork, Sweeping
from gendei.documents import Documents, Query, Snapshot, Transaction, transact
from gendei.messages.keys import INBOX, OUTBOX, ConversationKey
from gendei.messages.message import ECHO, DeliveryState, Echo, MessageRole, MessageType, StatusUpdate

log = logging.getLogger(__name__)
PAGE = 100
SWEEP_SECONDS = 5.0
UNDECIDED_SECONDS = 0.5
STOP_SECONDS = 1.0
REASON = f"respondeu pelo {CLINIC_PHONE}"


class _Moved(Exception):
    """The conversation became a part of another while it was about to change."""


class Echoes(LaneWork[ConversationKey]):
    """Takes in what the clinic's own number wrote."""

    def __init__(
        self,
        documents: Documents,
        contacts: Contacts,
        statuses: Statuses,
        clock: Clock,
        *,
        sweep_seconds: float = SWEEP_SECONDS,
    ) -> None:
        self._documents = documents
        self._contacts = contacts
        self._statuses = statuses
        self._clock = clock
        sweeping = Sweeping(self.sweep, sweep_seconds, log, "echoes could not be looked for: %s")
        super().__init__(Lanes(self._work), sweeping, grace=STOP_SECONDS)

    async def sweep(self) -> None:
        """Take up what waits in the store and is not known here."""
        waiting = Query(
            INBOX,
            where=(("status", "==", str(EntryStatus.ECHOED)),),
            order_by=(("receivedAt", False),),
            limit=PAGE,
        )
        for snapshot in await self._documents.query(waiting):
            key = ConversationKey.parse((snapshot.data or {})["conversation"])
            if not self._lanes.knows(key):
                self._lanes.plan(key)

    async def _work(self, key: ConversationKey) -> float | None:
        """Everything that waits for `key`, in order; 0 when there may be more."""
        found = await self._documents.query(
            Query(
                INBOX,
                where=(("conversation", "==", key.text), ("status", "==", str(EntryStatus.ECHOED))),
                order_by=(("receivedAt", False),),
                limit=PAGE,
            )
        )
        for entry in found:
            if not await self._take_in(key, entry):
                return UNDECIDED_SECONDS
        return 0 if len(found) == PAGE else None

    async def _take_in(self, key: ConversationKey, entry: Snapshot) -> bool:
        """False where it cannot be told yet whose words these are."""
        data = entry.data or {}
        echo, source = ECHO.read(data["echo"]), (data["provider"], data["externalId"])
        home = await self._contacts.home(key)
        sends = await self._being_sent(home, source, data["receivedAt"])
        ours = next((send for send in sends if _has_words_of(echo, send)), None)
        if ours is not None:  # which settles a send whose outcome nobody knew
            sent = StatusUpdate(echo.message_id, DeliveryState.SENT, echo.timestamp, reference=ours.id)
            await self._statuses.apply(*source, [sent])
        elif any(send.settle_by is None for send in sends):
            return False
        if ours is not None or await self._was_sent(source, echo):
            await self._finish(entry)
            return True
        while True:
            try:
                await self._record(home, entry, echo)
            except _Moved:
                home = await self._contacts.home(home)
            else:
                await WaitOver(home, ANSWERED, CLINIC_PHONE, self._clock()).complete(self._documents)
                return True

    async def _being_sent(
        self, home: ConversationKey, source: tuple[str, str], received_at: datetime
    ) -> list[OutboxEntry]:
        """What was on its way over this number when the echo came, and has no recorded outcome."""
        open_entries = Query(
            OUTBOX,
            where=(("conversation", "==", home.text), ("open", "==", True)),
            order_by=(("seq", False),),
        )
        found = await self._documents.query(open_entries)
        entries = [OUTBOX_ENTRY.read(document.data or {}, id=document.id) for document in found]
        return [
            entry
            for entry in entries
            if entry.status is OutboxStatus.SENDING
            and (entry.provider, entry.external_id) == source
            and (entry.claimed_at is None or entry.claimed_at <= received_at)
        ]

    async def _was_sent(self, source: tuple[str, str], echo: Echo) -> bool:
        provider, external_id = source
        sent = Query(OUTBOX, where=(("providerMessageId", "==", echo.message_id), ("externalId", "==", external_id)))
        return any((entry.data or {})["provider"] == provider for entry in await self._documents.query(sent))

    async def _finish(self, entry: Snapshot) -> None:
        async def attempt(transaction: Transaction) -> None:
            found = await transaction.get(entry.path)
            if found.data is not None:
                transaction.put(found.path, done(found.data))

        await transact(self._documents, attempt)

    async def _record(self, home: ConversationKey, entry: Snapshot, echo: Echo) -> None:
        """One commit: the entry is done, the words stand in the history, a person owns the conversation."""
        now = self._clock()

        async def attempt(transaction: Transaction) -> None:
            waiting, link, found = await transaction.get_many([entry.path, home.link_path, home.path])
            if waiting.data is None or waiting.data["status"] != EntryStatus.ECHOED:
                return
            if link.exists:
                raise _Moved
            before = Conversation.read(found, home, now)
            moment = before.after_last(now)
            taken = _taken_over(_addressed(before, waiting, echo), moment)
            after = taken.said(MessageRole.ASSISTANT, echo.text, moment)
            transaction.delete(link.path)  # there is none: it must stay so
            transaction.put(waiting.path, done(waiting.data))
            transaction.put(home.path, CONVERSATION.write(after))
            transaction.put(home.message_path(entry.id), echoed(echo, moment))
            if before.taken_over_by is None:
                event = event_write(
                    home, Event.TAKEN_OVER, moment, detail=REASON, by=CLINIC_PHONE, called_for=taken.called_for
                )
                transaction.create(event.path, event.data or {})

        await transact(self._documents, attempt)


def _has_words_of(echo: Echo, entry: OutboxEntry) -> bool:
    """Whether `echo` may be what `entry` looked like on its channel: options and links follow the text there,
    and a pin has no text of ours."""
    shown, text = " ".join(echo.text.split()), " ".join(entry.reply.text.split())
    if entry.reply.pin and shown.startswith(f"[{MessageType.LOCATION}]"):
        return True
    if entry.reply.options or entry.reply.link or entry.reply.pin:
        return shown.startswith(text)
    return shown == text


def _addressed(conversation: Conversation, entry: Snapshot, echo: Echo) -> Conversation:
    """A conversation that staff began knows where they wrote to; any other knows it better from the patient."""
    if conversation.provider:
        return conversation
    data = entry.data or {}
    by_phone = echo.to.startswith("+")
    return replace(
        conversation,
        phone=echo.to if by_phone else None,
        user_id=None if by_phone else Contact(echo.to),
        provider=data["provider"],
        external_id=data["externalId"],
    )


def _taken_over(conversation: Conversation, now: datetime) -> Conversation:
    """Whoever of the staff has it already keeps it."""
    return conversation.taken_over(REASON, now, conversation.taken_over_by or CLINIC_PHONE).seen()
