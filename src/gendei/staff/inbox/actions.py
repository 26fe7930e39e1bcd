"""What staff do in a conversation. Every change and its entry in the audit are one commit."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from secrets import token_hex
from typing import Any

from gendei.clinic import Clinic
from gendei.clock import Clock
from gendei.conversation.files.clinic_files import MAX_CAPTION
from gendei.conversation.outbound.proactive import Declined, Opening, Proactive, Prospect, Queued
from gendei.conversation.stored.conversation import Conversation, QueuedMessage
from gendei.conversation.stored.follow_ups import ANSWERED, SEEN_TO, Occasion, WaitOver
from gendei.conversation.stored.history import Event, event_write, note_write
from gendei.conversation.turns.handover import Change, Changed, Handover, handing_back, taking_over, writing
from gendei.documents import Write
from gendei.errors import GendeiError, NotFound
from gendei.messages.channels import Clinics
from gendei.messages.keys import ConversationKey
from gendei.messages.limits import MAX_TEXT, units
from gendei.messages.replies import Reply
from gendei.staff.actors import Actor, Right, clinic_of
from gendei.staff.audit import Action, audit_write
from gendei.staff.colleagues import Colleagues
from gendei.staff.files import ClinicFiles
from gendei.staff.patients import key_of
from gendei.texts import fill

MAX_LABELS, MAX_LABEL = 10, 30
MAX_NOTE = 4000
MAX_TO_DO = 1000
"""As long as a task's description may be."""
MAX_QUEUED = 10
ENDS_WAIT = {Action.MESSAGE_SENT: ANSWERED, Action.CLOSED: SEEN_TO}
"""After these the patient does not wait for a person any more, and which tasks that completes. Handing back does, too,
but for what is still to be done."""


class InDanger(GendeiError):
    """The patient may be in danger, and nobody has taken it up: that is not closed with others. Take it up first."""


class TooMuch(ValueError):
    """A text, or a number of things, that is more than a conversation holds."""


class ConversationActions:
    """`contact`: any address of the patient. All raise NotFound where the actor's clinic has no such conversation, and
    Forbidden without the right to write."""

    def __init__(
        self,
        handover: Handover,
        proactive: Proactive,
        clinics: Clinics,
        colleagues: Colleagues,
        files: ClinicFiles,
        clock: Clock,
        invites: str,
    ) -> None:
        """`invites`: what stands in the place of a template whose text is not known."""
        self._handover = handover
        self._proactive = proactive
        self._clinics = clinics
        self._colleagues = colleagues
        self._files = files
        self._clock = clock
        self._invites = invites

    async def open(self, actor: Actor, contact: str) -> None:
        """The person looks into the conversation: it has been read, and the audit knows by whom. The page calls it
        once, and `see` while it stands open; what there is to see is in `ConversationViews.view`."""
        actor.require(Right.READ)
        await self._do(actor, contact, Action.CONVERSATION_READ, lambda conversation: (conversation.seen(), []))

    async def see(self, actor: Actor, contact: str) -> None:
        """What came while the conversation stood open has been read too. Nothing is written where nothing is unread."""
        actor.require(Right.READ)
        await self._handover.change(actor.clinic_id, key_of(actor, contact).contact, _see)

    async def take_over(self, actor: Actor, contact: str, reason: str = "") -> None:
        """From now on the bot sends nothing here, whatever it is thinking of."""
        actor.require(Right.WRITE)
        await self._do(actor, contact, Action.TAKEN_OVER, taking_over(actor.name, _text(reason, 200), self._clock()))

    async def hand_back(self, actor: Actor, contact: str, note: str = "", to_do: str = "") -> None:
        """The bot answers again, and knows `note`. `to_do`: what staff still owe the patient, which becomes a task.
        Nothing happens where it has the conversation already. Raises TooMuch."""
        actor.require(Right.WRITE)
        change = handing_back(actor.name, _text(note, MAX_NOTE), self._clock(), _text(to_do, MAX_TO_DO))
        ends = SEEN_TO - {Occasion.PROMISED} if to_do.strip() else SEEN_TO
        await self._do(actor, contact, Action.HANDED_BACK, change, ends)

    async def assign(self, actor: Actor, contact: str, user_id: str | None) -> None:
        """`user_id` shall look after it; None: nobody in particular. Raises NotFound for who is not of the clinic."""
        actor.require(Right.WRITE)
        colleague = None if user_id is None else await self._colleagues.find(actor, user_id)
        name, now = colleague.name if colleague else None, self._clock()

        def change(conversation: Conversation) -> tuple[Conversation, list[Write]]:
            if conversation.assigned_to == user_id:
                return conversation, []
            event = event_write(conversation.key, Event.ASSIGNED, now, detail=name or "", by=actor.name)
            return replace(conversation, assigned_to=user_id, assigned_name=name, updated_at=now), [event]

        await self._do(actor, contact, Action.ASSIGNED, change, to=user_id)

    async def add_note(self, actor: Actor, contact: str, text: str) -> None:
        """For colleagues; never sent, and not known to the bot. Raises TooMuch, and ValueError for nothing."""
        actor.require(Right.WRITE)
        note, now = _words(text, MAX_NOTE), self._clock()

        def change(conversation: Conversation) -> tuple[Conversation, list[Write]]:
            moment = conversation.after_last(now)
            return replace(conversation, updated_at=now), [note_write(conversation.key, note, moment, actor.name)]

        await self._do(actor, contact, Action.NOTE_ADDED, change)

    async def set_labels(self, actor: Actor, contact: str, labels: Iterable[str]) -> None:
        """These labels and no others. Raises TooMuch for more than MAX_LABELS, or one of more than MAX_LABEL
        characters."""
        actor.require(Right.WRITE)
        wanted = tuple(dict.fromkeys(clean for label in labels if (clean := _text(" ".join(label.split()), MAX_LABEL))))
        if len(wanted) > MAX_LABELS:
            raise TooMuch(f"a conversation has at most {MAX_LABELS} labels")
        now = self._clock()

        def change(conversation: Conversation) -> tuple[Conversation, list[Write]]:
            if conversation.labels == wanted:
                return conversation, []
            return replace(conversation, labels=wanted, updated_at=now), []

        await self._do(actor, contact, Action.LABELLED, change, labels=list(wanted))

    async def close(self, actor: Actor, contact: str, *, despite_danger: bool = True) -> None:
        """Done with it: out of the list until the patient writes again, whom the bot then answers. What was queued is
        dropped. Raises InDanger where the patient may be, unless `despite_danger`."""
        actor.require(Right.WRITE)
        now = self._clock()

        def change(conversation: Conversation) -> tuple[Conversation, list[Write]]:
            if conversation.closed_at is not None:
                return conversation, []
            if conversation.danger_at is not None and not despite_danger:
                raise InDanger
            return conversation.closed(now), [event_write(conversation.key, Event.CLOSED, now, by=actor.name)]

        await self._do(actor, contact, Action.CLOSED, change)

    async def reopen(self, actor: Actor, contact: str) -> None:
        """Back in the list, with the bot."""
        actor.require(Right.WRITE)
        now = self._clock()

        def change(conversation: Conversation) -> tuple[Conversation, list[Write]]:
            if conversation.closed_at is None:
                return conversation, []
            event = event_write(conversation.key, Event.REOPENED, now, by=actor.name)
            return replace(conversation, closed_at=None, updated_at=now), [event]

        await self._do(actor, contact, Action.REOPENED, change)

    async def snooze(self, actor: Actor, contact: str, until: datetime | None) -> None:
        """Out of the list until then, or until the patient writes; None: back in it now. Raises ValueError for what is
        over."""
        actor.require(Right.WRITE)
        clinic, now = await clinic_of(self._clinics, actor), self._clock()
        if until is not None and until <= now:
            raise ValueError("a conversation is put off to a moment that is to come")
        what, detail = (Event.SNOOZED, f"{clinic.local(until):%d/%m/%Y %H:%M}") if until else (Event.WOKEN, "")

        def change(conversation: Conversation) -> tuple[Conversation, list[Write]]:
            if conversation.snoozed_until == until:
                return conversation, []
            event = event_write(conversation.key, what, now, detail=detail, by=actor.name)
            return conversation.snoozed(until, actor.name, now), [event]

        await self._do(actor, contact, Action.SNOOZED, change, until=until.isoformat() if until else None)

    async def see_to_danger(self, actor: Actor, contact: str) -> None:
        """The actor takes the danger up: it stands first no more. Nothing happens where there is none."""
        actor.require(Right.WRITE)
        now = self._clock()

        def change(conversation: Conversation) -> tuple[Conversation, list[Write]]:
            if conversation.danger_at is None:
                return conversation, []
            event = event_write(conversation.key, Event.DANGER_SEEN, now, by=actor.name)
            return replace(conversation.taken_up(), updated_at=now), [event]

        await self._do(actor, contact, Action.DANGER_SEEN, change)

    async def send(self, actor: Actor, contact: str, reply: Reply) -> str:
        """Send text, with buttons or a list where `reply` has options, as this person, who thereby takes the
        conversation over; the id of the message in history and outbox. Raises WindowClosed where WhatsApp would refuse
        it (then `queue` it, or `begin`), and TooMuch for more than a message holds."""
        actor.require(Right.WRITE)
        _text(reply.text, MAX_TEXT)
        changed = await self._do(actor, contact, Action.MESSAGE_SENT, writing(actor.name, reply, self._clock()))
        return changed.writes[0].path.rpartition("/")[2]

    async def send_file(self, actor: Actor, contact: str, file_id: str, caption: str = "") -> str:
        """Send an uploaded file as `send` does; the id of its message. Where WhatsApp shows no words with it, they
        follow as a message of their own. Raises NotFound also for a file that is not the clinic's, WindowClosed, and
        TooMuch."""
        actor.require(Right.WRITE)
        file = await self._files.find(actor, file_id)
        words = _text(caption, MAX_CAPTION if file.takes_caption else MAX_TEXT)
        with_it = replace(file, captioned=bool(words) and file.takes_caption)
        carrying = Reply(words if with_it.captioned else file.stand_in)
        more = [Reply(words)] if words and not with_it.captioned else []
        change = writing(actor.name, carrying, self._clock(), *more, file=with_it)
        changed = await self._do(actor, contact, Action.MESSAGE_SENT, change, file=file.id)
        return changed.writes[0].path.rpartition("/")[2]

    async def begin(self, actor: Actor, contact: str, text: str, patient: str = "") -> Queued | Declined:
        """Write first, also to who never wrote, or go on outside of the window: the clinic's template for messages of
        staff goes, which asks the patient to answer, and `text` as soon as they do; where the window is open, `text`
        itself. The actor has the conversation from then on. Within the limits on what we start (quiet hours, so many a
        day, who wants nothing). `patient`: the name that the template says."""
        actor.require(Right.WRITE)
        opening = await self._opening(actor, contact, text, patient)
        if isinstance(opening, Declined):
            return opening
        return await self._start(actor, contact, opening)

    async def prospect(self, actor: Actor, contact: str, patient: str = "") -> Prospect | Declined:
        """What would become of a message that the actor begins now: its text goes, or the template, or nothing."""
        actor.require(Right.READ)
        clinic = await clinic_of(self._clinics, actor)
        opening = _opening(actor, clinic, "-", patient)
        return await self._proactive.prospect(clinic, key_of(actor, contact).contact, opening)

    async def _opening(self, actor: Actor, contact: str, text: str, patient: str) -> Opening | Declined:
        """With `text`, or with what the patient reads of the template, behind which `text` waits. Raises TooMuch."""
        words, prospect = _words(text, MAX_TEXT), await self.prospect(actor, contact, patient)
        if isinstance(prospect, Declined):
            return prospect
        clinic = await clinic_of(self._clinics, actor)
        if prospect.free_text:
            return _opening(actor, clinic, words, patient)
        first = prospect.template_text or fill(self._invites, {"clinic": clinic.name})
        waiting = QueuedMessage(token_hex(10), words, actor.user_id, actor.name, self._clock())
        return replace(_opening(actor, clinic, first, patient), then=waiting)

    async def _start(self, actor: Actor, contact: str, opening: Opening) -> Queued | Declined:
        entry = audit_write(actor, Action.MESSAGE_SENT, contact, self._clock(), template="staff_message")
        key, clinic = key_of(actor, contact), await clinic_of(self._clinics, actor)
        outcome = await self._proactive.send(clinic, key.contact, opening, [entry])
        if isinstance(outcome, Queued):
            await self._end_wait(actor, key, Action.MESSAGE_SENT, ANSWERED, self._clock())
        return outcome

    async def queue(self, actor: Actor, contact: str, text: str) -> str:
        """Outside of the window: `text` waits, and goes as soon as the patient writes again. Its id. Raises TooMuch."""
        actor.require(Right.WRITE)
        waiting = QueuedMessage(token_hex(10), _words(text, MAX_TEXT), actor.user_id, actor.name, self._clock())

        def change(conversation: Conversation) -> tuple[Conversation, list[Write]]:
            if len(conversation.queued) >= MAX_QUEUED:
                raise TooMuch(f"at most {MAX_QUEUED} messages wait in a conversation")
            kept = replace(conversation, queued=(*conversation.queued, waiting), closed_at=None)
            return replace(kept, updated_at=waiting.at), []

        await self._do(actor, contact, Action.MESSAGE_QUEUED, change, message=waiting.id)
        return waiting.id

    async def unqueue(self, actor: Actor, contact: str, message_id: str) -> None:
        """Take back what still waits. Raises NotFound where it does not wait any more."""
        actor.require(Right.WRITE)
        now = self._clock()

        def change(conversation: Conversation) -> tuple[Conversation, list[Write]]:
            kept = tuple(message for message in conversation.queued if message.id != message_id)
            if len(kept) == len(conversation.queued):
                raise NotFound
            return replace(conversation, queued=kept, updated_at=now), []

        await self._do(actor, contact, Action.MESSAGE_UNQUEUED, change, message=message_id)

    async def _do(
        self,
        actor: Actor,
        contact: str,
        action: Action,
        change: Change,
        ends: frozenset[Occasion] | None = None,
        **detail: Any,
    ) -> Changed:
        """`ends`: which tasks that completes; None: those of ENDS_WAIT."""
        at, ends = self._clock(), ENDS_WAIT.get(action, frozenset()) if ends is None else ends

        def audited(conversation: Conversation) -> tuple[Conversation, list[Write]]:
            after, writes = change(conversation)
            if after is conversation and not writes:
                return conversation, []
            return after, [*writes, audit_write(actor, action, conversation.contact, at, **detail)]

        changed = await self._handover.change(actor.clinic_id, key_of(actor, contact).contact, audited)
        if ends and changed.writes:
            await self._end_wait(actor, changed.key, action, ends, at)
        return changed

    async def _end_wait(
        self, actor: Actor, key: ConversationKey, action: Action, ends: frozenset[Occasion], at: datetime
    ) -> None:
        def beside(task_id: str) -> list[Write]:
            return [audit_write(actor, Action.TASK_COMPLETED, task_id, at, after=str(action))]

        await self._handover.nobody_waits(WaitOver(key, ends, actor.name, at, beside))


def _opening(actor: Actor, clinic: Clinic, text: str, patient: str) -> Opening:
    values = {"clinic_name": clinic.name, "address": clinic.address, "patient": patient.strip() or "paciente"}
    return Opening("staff_message", Reply(text), values, by=actor.name, takes_over=True)


def _see(conversation: Conversation) -> tuple[Conversation, list[Write]]:
    return (conversation.seen() if conversation.unread else conversation), []


def _text(text: str, most: int) -> str:
    """`text` without the space around it. Raises TooMuch."""
    clean = text.strip()
    if units(clean) > most:
        raise TooMuch(f"a text of more than {most} characters")
    return clean


def _words(text: str, most: int) -> str:
    """The same, of a text that must say something. Raises ValueError for nothing."""
    clean = _text(text, most)
    if not clean:
        raise ValueError("an empty text")
    return clean
