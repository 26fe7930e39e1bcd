"""A person takes a conversation, writes in it, and gives it back to the bot."""

from collections.abc import Callable

from gendei.clinic import ClinicId, Contact
from gendei.clock import Clock
from gendei.conversation.conversations import Conversation
from gendei.conversation.history import Author, Event, event_write
from gendei.conversation.identity import Contacts, canonical
from gendei.conversation.keys import ConversationKey
from gendei.conversation.messages import MessageRole
from gendei.conversation.outbox_entry import enqueue
from gendei.conversation.window import WindowClosed, window_is_open
from gendei.documents import Documents, Transaction, Write, transact
from gendei.errors import NotFound
from gendei.receptionist.replies import Reply


class Handover:
    """What staff do. Every call names the clinic and raises NotFound where it has no such conversation; `by` is the
    name of the person, shown in the history. Any address of the patient names the conversation. `on_sending` is told
    when there is something to send."""

    def __init__(
        self, documents: Documents, contacts: Contacts, clock: Clock, on_sending: Callable[[ConversationKey], None]
    ) -> None:
        self._documents = documents
        self._contacts = contacts
        self._clock = clock
        self._on_sending = on_sending

    async def take_over(self, clinic_id: ClinicId, contact: Contact, by: str, reason: str) -> None:
        """From now on the bot sends nothing here; what it has not sent yet is suppressed."""
        now = self._clock()

        def change(conversation: Conversation) -> tuple[Conversation, list[Write]]:
            event = event_write(conversation.key, Event.TAKEN_OVER, now, detail=reason, by=by)
            return conversation.taken_over(reason, now, by), [event]

        await self._change(ConversationKey(clinic_id, contact), change)

    async def hand_back(self, clinic_id: ClinicId, contact: Contact, by: str, note: str = "") -> None:
        """The bot answers again. `note` tells it, and staff, what was agreed meanwhile. Nothing happens where the
        bot has the conversation already."""
        now = self._clock()

        def change(conversation: Conversation) -> tuple[Conversation, list[Write]]:
            if not conversation.is_human_takeover:
                return conversation, []
            event = event_write(conversation.key, Event.HANDED_BACK, now, detail=note, by=by)
            back = conversation.handed_back(now)
            return (back.said(MessageRole.SYSTEM, note, now) if note.strip() else back), [event]

        await self._change(ConversationKey(clinic_id, contact), change)

    async def send_as_person(self, clinic_id: ClinicId, contact: Contact, by: str, text: str) -> str:
        """Send `text` as the person `by`, who thereby takes the conversation over; the outbox entry's id. Raises
        WindowClosed where WhatsApp would refuse it, and ValueError for an empty text."""
        now = self._clock()
        reply = Reply(text)

        def change(conversation: Conversation) -> tuple[Conversation, list[Write]]:
            if not window_is_open(conversation.provider, conversation.window_ends_at, now):
                raise WindowClosed
            events: list[Write] = []
            if conversation.taken_over_by is None:
                events.append(event_write(conversation.key, Event.TAKEN_OVER, now, by=by))
            taken = conversation.taken_over("", now, by).seen()
            said, writes = enqueue(taken, [reply], author=Author.STAFF, now=now, name=by)
            return said, writes + events

        key, writes = await self._change(ConversationKey(clinic_id, contact), change)
        self._on_sending(key)
        return writes[0].path.rpartition("/")[2]

    async def _change(
        self, asked: ConversationKey, change: Callable[[Conversation], tuple[Conversation, list[Write]]]
    ) -> tuple[ConversationKey, list[Write]]:
        """The conversation that was changed, and the writes of `change`."""

        async def attempt(transaction: Transaction) -> tuple[ConversationKey, list[Write]]:
            snapshot = await transaction.get(key.path)
            if snapshot.data is None:
                raise NotFound
            before = Conversation.from_document(snapshot.data)
            if before.folded_into is not None:
                return key.of(before.folded_into), []
            after, writes = change(before)
            if after is not before:
                transaction.put(key.path, after.to_document())
            for write in writes:
                transaction.put(write.path, write.data or {})
            return key, writes

        key = await self._contacts.home(asked.of(canonical(asked.contact)))
        while True:
            changed, writes = await transact(self._documents, attempt)
            if changed == key:
                return key, writes
            key = changed
