"""What was written at once, spoken afterwards: the sound follows its text, unless something else was said meanwhile."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace

from gendei.clock import Clock
from gendei.conversation.outbound.outbox_entry import enqueue_entry, entry_for
from gendei.conversation.speech.spoken_answers import AFTERWARDS_SECONDS, Notes, Speaker
from gendei.conversation.stored.conversation import CONVERSATION
from gendei.conversation.stored.history import Author
from gendei.conversation.turns.recording import Recorded
from gendei.documents import Documents, Transaction, transact
from gendei.errors import StoreError
from gendei.messages.channels import Clinics
from gendei.messages.keys import ConversationKey
from gendei.messages.replies import Reply

log = logging.getLogger(__name__)


class SpokenAfterwards:
    """Tasks of this process: a sound that is lost at a stop costs nobody the text. `on_sending` is told when there is
    something to send."""

    def __init__(
        self, documents: Documents, clinics: Clinics, clock: Clock, on_sending: Callable[[ConversationKey], None]
    ) -> None:
        self._documents, self._clinics, self._clock, self._on_sending = documents, clinics, clock, on_sending
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, recorded: Recorded, speaker: Speaker) -> None:
        """Speak what a committed turn said."""
        task = asyncio.create_task(self._speak(recorded, speaker))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def idle(self) -> bool:
        """Return once nothing is being spoken; whether that was so from the start."""
        was_idle = not self._tasks
        while self._tasks:
            await asyncio.wait(self._tasks)
        return was_idle

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _speak(self, recorded: Recorded, speaker: Speaker) -> None:
        key = recorded.conversation.key
        clinic = await self._clinics.get(key.clinic_id)
        if clinic is None or recorded.to_speak is None:
            return
        replies, preferences = recorded.to_speak
        notes = await speaker.speak(clinic, key, replies, preferences, AFTERWARDS_SECONDS)
        if not notes:
            return

        async def attempt(transaction: Transaction) -> bool:
            return await self._enqueue(transaction, recorded, notes)

        try:
            if await transact(self._documents, attempt):
                self._on_sending(key)
        except StoreError as error:
            log.warning("a spoken answer of clinic %s is not sent: %s", clinic.id, type(error).__name__)

    async def _enqueue(self, transaction: Transaction, recorded: Recorded, notes: Notes) -> bool:
        """The notes behind their texts, while those are the last that was said and nobody else has the conversation."""
        before = recorded.conversation
        found = await transaction.get(before.key.path)
        if found.data is None:
            return False
        conversation = CONVERSATION.read(found.data)
        is_last = (conversation.created_at, conversation.next_seq) == (before.created_at, before.next_seq)
        if not is_last or conversation.has_person or conversation.folded_into is not None:
            return False
        replies, _ = recorded.to_speak or ((), None)
        for place, note in sorted(notes.items()):
            entry = entry_for(conversation, Reply(replies[place].text), Author.BOT, self._clock())
            conversation, writes = enqueue_entry(conversation, replace(entry, note=replace(note, also_written=True)))
            for write in writes:
                mark = {"turn": recorded.turn_id} if write.path == entry.history_path else {}
                transaction.put(write.path, {**(write.data or {}), **mark})
        transaction.put(before.key.path, CONVERSATION.write(conversation))
        return True
