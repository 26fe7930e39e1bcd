"""A person takes a conversation, writes in it, and gives it back to the bot."""

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Self

from gendei.clinic import Clinic, ClinicId, Contact
from gendei.clock import Clock
from gendei.conversation.files.clinic_files import ClinicFile
from gendei.conversation.inbound.inbox import readable, waiting_entries
from gendei.conversation.outbound.outbox_entry import enqueue
from gendei.conversation.stored.contacts import canonical, home_of, linked_contact
from gendei.conversation.stored.conversation import CONVERSATION, Conversation
from gendei.conversation.stored.follow_ups import Occasion, WaitOver, follow_up
from gendei.conversation.stored.history import Author, Event, event_write
from gendei.conversation.work.lanes import Sweeping
from gendei.documents import Documents, Query, Transaction, Write, document_id, transact
from gendei.errors import NotFound
from gendei.messages.channels import Clinics, WindowClosed, window_is_open
from gendei.messages.keys import ConversationKey
from gendei.messages.message import MessageRole
from gendei.messages.replies import Reply

Change = Callable[[Conversation], tuple[Conversation, list[Write]]]
"""What becomes of a conversation, and what else its commit writes. The conversation itself, unchanged: nothing does."""


@dataclass(frozen=True, slots=True)
class Changed:
    """Which conversation was changed, and what its commit wrote beside it."""

    key: ConversationKey
    writes: list[Write]


def taking_over(by: str, reason: str, now: datetime) -> Change:
    """From then on the bot sends nothing; what it has not sent yet is suppressed."""

    def change(conversation: Conversation) -> tuple[Conversation, list[Write]]:
        taken = conversation.taken_over(reason, now, by)
        event = event_write(conversation.key, Event.TAKEN_OVER, now, detail=reason, by=by, called_for=taken.called_for)
        return taken, [event]

    return change


def handing_back(by: str, note: str, now: datetime, to_do: str = "") -> Change:
    """The bot answers again. `note` tells it, and staff, what was agreed meanwhile; `to_do`, what staff still have to
    do for the patient, becomes a task. Nothing happens where the bot has the conversation already."""

    def change(conversation: Conversation) -> tuple[Conversation, list[Write]]:
        if not (conversation.is_human_takeover or conversation.waiting_for_person):
            return conversation, []
        event = event_write(conversation.key, Event.HANDED_BACK, now, detail=note, by=by)
        about = f"{now.isoformat()} {by}"
        back, tasks = (
            _with_task(conversation, now, about=about, to_do=to_do.strip())
            if to_do.strip()
            else (conversation.handed_back(now), [])
        )
        return (back.said(MessageRole.SYSTEM, note, now) if note.strip() else back), [event, *tasks]

    return change


def _with_task(
    conversation: Conversation, now: datetime, *, about: str, to_do: str = ""
) -> tuple[Conversation, list[Write]]:
    """Back to the bot, which knows of the task for staff that comes with it."""
    told = to_do or conversation.takeover_reason or ""
    task = follow_up(conversation, Occasion.PROMISED, now, about, description=told)
    return conversation.handed_back(now, task.path.rpartition("/")[2]), [task]


def writing(by: str, reply: Reply, now: datetime, *more: Reply, file: ClinicFile | None = None) -> Change:
    """Send `reply`, with `file` where there is one, and then `more`, as the person `by`, who thereby takes the
    conversation over. The outbox entry is the first write. Raises WindowClosed where WhatsApp would refuse it."""

    def change(conversation: Conversation) -> tuple[Conversation, list[Write]]:
        if not window_is_open(conversation.provider, conversation.window_ends_at, now):
            raise WindowClosed
        events: list[Write] = []
        taken = conversation.taken_over("", now, by).seen()
        if conversation.taken_over_by is None:
            why = taken.called_for
            events.append(event_write(conversation.key, Event.TAKEN_OVER, now, by=by, called_for=why))
        said, writes = enqueue(taken, [reply, *more], author=Author.STAFF, now=now, name=by, file=file)
        return said, writes + events

    return change


class Handover:
    """What staff do. Every call names the clinic and raises NotFound where it has no such conversation; `by` is the
    name of the person, shown in the history. Any address of the patient names the conversation. `on_sending` is told
    when there is something to send."""

    def __init__(self, documents: Documents, clock: Clock, on_sending: Callable[[ConversationKey], None]) -> None:
        self._documents = documents
        self.clock = clock
        self._on_sending = on_sending

    async def nobody_waits(self, over: WaitOver) -> None:
        """The tasks that the wait for a person had made are done."""
        await over.complete(self._documents)

    async def change(self, clinic_id: ClinicId, contact: Contact, change: Change) -> Changed:
        """Apply `change` to the conversation as it stands, and commit what it gives, again where another writer was
        first. Who has only just written has one too, which begins with this. Raises NotFound, and what `change`
        raises."""
        asked = ConversationKey(clinic_id, canonical(contact))
        key = await home_of(self._documents, asked)
        while True:
            attempt = partial(_attempt, documents=self._documents, key=key, now=self.clock(), change=change)
            moved_to, changed = await transact(self._documents, attempt)
            if moved_to is None:
                break
            key = moved_to
        if changed.writes:
            self._on_sending(key)
        return changed


async def _attempt(
    transaction: Transaction, documents: Documents, key: ConversationKey, now: datetime, change: Change
) -> tuple[ConversationKey | None, Changed]:
    """The conversation that this one became a part of, where it did; else what was changed."""
    snapshot = await transaction.get(key.path)
    if snapshot.data is None:
        linked, before = await _begun(transaction, documents, key, now)
    else:
        before = CONVERSATION.read(snapshot.data)
        linked = before.folded_into
    if linked is not None:
        return key.of(linked), Changed(key, [])
    after, writes = change(before)
    if after is not before or writes:
        transaction.put(key.path, CONVERSATION.write(after))
    for write in writes:
        transaction.put(write.path, write.data or {})
    return None, Changed(key, writes)


async def _begun(
    transaction: Transaction, documents: Documents, key: ConversationKey, now: datetime
) -> tuple[Contact | None, Conversation]:
    """A conversation whose first messages still wait for their turn, or whose it is. Its window is open already; the
    messages come with the turn. Raises NotFound where nothing waits."""
    spoken = [arrival for arrival in readable(await waiting_entries(documents, key)) if arrival.message.starts_turn]
    link = await transaction.get(key.link_path)
    linked = linked_contact(link)
    if not spoken and linked is None:
        raise NotFound("there is no such conversation; `gendei conversations waiting` shows those that a person has")
    if linked is None:
        transaction.delete(link.path)  # there is none: it must stay so
    new = Conversation(key.clinic_id, key.contact, created_at=now, updated_at=now)
    if not spoken:
        return linked, new
    heard = new.received(spoken)
    return linked, replace(
        new.with_sender(spoken), window_ends_at=heard.window_ends_at, last_inbound_at=heard.last_inbound_at
    )


log = logging.getLogger(__name__)
SWEEP_SECONDS = 60.0
PAGE = 100


class Returning:
    """Use it as a context manager. `clinics`: each says after how many minutes (`Clinic.takeover`). `note`: what the
    bot is told of it."""

    def __init__(
        self,
        documents: Documents,
        clinics: Clinics,
        handover: Handover,
        clock: Clock,
        *,
        note: str,
        sweep_seconds: float = SWEEP_SECONDS,
    ) -> None:
        self._documents, self._clinics, self._handover, self._clock = documents, clinics, handover, clock
        self._note, self._sweep_seconds = note, sweep_seconds
        self._sweeping = Sweeping(self.sweep, sweep_seconds, log, "silent take-overs could not be looked for: %s")

    async def __aenter__(self) -> Self:
        self._sweeping.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._sweeping.stop()

    async def sweep(self) -> int:
        """Look once, at every clinic; how many conversations went back."""
        return sum([await self._of_clinic(clinic) for clinic in self._clinics.all()])

    async def _of_clinic(self, clinic: Clinic) -> int:
        minutes = clinic.takeover.return_after_minutes
        if not minutes:
            return 0
        until, returned = self._clock() - timedelta(minutes=minutes), 0
        silent = Query(
            f"gendei_clinics/{document_id(clinic.id)}/conversations",
            where=(("personAt", "<=", until),),
            order_by=(("personAt", False),),
            limit=PAGE,
        )
        while found := await self._documents.query(silent):
            for snapshot in found:
                conversation = CONVERSATION.read(snapshot.data or {})
                if conversation.is_human_takeover and conversation.folded_into is None:
                    with suppress(NotFound):  # erased meanwhile
                        change = leaving(self._note, until, self._clock())
                        done = await self._handover.change(clinic.id, conversation.contact, change)
                        returned += bool(done.writes)
            if len(found) < PAGE:
                break
            silent = silent.after(found[-1])
        return returned


def leaving(note: str, until: datetime, now: datetime) -> Change:
    """Back to the bot, which is told `note`, unless a person said something after `until`. What they promised is not
    known here: it is a task for staff to look. A danger that nobody took up stands."""

    def change(conversation: Conversation) -> tuple[Conversation, list[Write]]:
        if not conversation.is_human_takeover or conversation.person_at is None or conversation.person_at > until:
            return conversation, []
        if not conversation.has_person:  # an earlier version was silent for who waits, too
            return replace(conversation, person_at=None), []
        moment = conversation.after_last(now)
        event = event_write(conversation.key, Event.LEFT, moment)
        back, tasks = _with_task(conversation, now, about=conversation.person_at.isoformat())
        back = replace(back, danger_at=conversation.danger_at)
        return (back.said(MessageRole.SYSTEM, note, moment) if note else back), [event, *tasks]

    return change
