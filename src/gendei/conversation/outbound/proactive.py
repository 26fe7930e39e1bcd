"""Messages that we start ourselves: reminders, follow-ups, what staff write first. Replies never come through here."""

import logging
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from hashlib import sha256

from gendei.booking.appointment import Appointment
from gendei.channel_kinds import STAND_IN, capabilities
from gendei.clinic import STAFF_PURPOSES, TEMPLATE_PURPOSES, Channel, Clinic, Contact
from gendei.clock import Clock
from gendei.conversation.outbound.outbox_entry import Initiative, OutboxEntry, enqueue_entry, entry_for
from gendei.conversation.outbound.templates import Templates, TemplateUnusable
from gendei.conversation.stored.contacts import canonical, home_of
from gendei.conversation.stored.conversation import CONVERSATION, Conversation, QueuedMessage
from gendei.conversation.stored.history import Author, Event, event_write
from gendei.conversation.stored.outreach import OUTREACH, WANTED_BY_SOME, Outreach, outreach_of, outreach_path
from gendei.documents import Documents, Transaction, Write, transact
from gendei.messages.channels import window_is_open
from gendei.messages.keys import ConversationKey
from gendei.messages.replies import Reply
from gendei.receptionist.state import with_shown

log = logging.getLogger(__name__)


class Decline(StrEnum):
    """Why nothing was queued."""

    NOT_ALLOWED = "not_allowed"  # the allow-list of this deployment does not name the contact
    NO_CHANNEL = "no_channel"  # the clinic has no connected number
    TRIED_OUT = "tried_out"  # the patient is whoever ran `gendei chat`, and the phone perhaps somebody else's
    NO_TEMPLATE = "no_template"  # outside the service window, and no template serves the purpose
    TAKEN_OVER = "taken_over"  # a person owns the conversation, so the bot starts nothing
    OPTED_OUT = "opted_out"
    NO_MARKETING = "no_marketing"  # the patient stopped marketing
    PAUSED = "paused"  # the provider asked for 24 hours of patience
    DAILY_CAP = "daily_cap"
    TOO_LATE = "too_late"  # quiet hours would end after anybody needs it
    ALREADY = "already"  # the same was queued before


@dataclass(frozen=True, slots=True)
class Opening:
    """What to write first. `purpose`: one of TEMPLATE_PURPOSES, or ReminderRule.template. `reply`: what goes while the
    service window is open, and what stands in the history. `values`: fill the template's parameters. `once`: names the
    occasion; the second time nothing is queued. `until`: nobody needs it after that. `appointment`: it is dropped when
    that one changes before it leaves. `by`: the member of staff who writes, and with `takes_over` waits for the answer,
    so that the bot does not give one. `then`: what they wrote, where a template asks for an answer first. `campaign`:
    as in Initiative; it goes as a template always. `awaited`: the patient waits for it, as for an answer: no quiet
    hours and no limit a day hold it, and who wants no messages that we start gets it too."""

    purpose: str
    reply: Reply
    values: Mapping[str, str] = field(default_factory=dict)
    once: str | None = None
    until: datetime | None = None
    appointment: Appointment | None = None
    by: str | None = None
    takes_over: bool = False
    then: QueuedMessage | None = None
    campaign: str = ""
    awaited: bool = False

    def __post_init__(self) -> None:
        if self.purpose.partition("/")[0] not in TEMPLATE_PURPOSES:
            raise ValueError(f"{self.purpose} is no purpose of ours")


@dataclass(frozen=True, slots=True)
class Queued:
    """It leaves at `due_at` or soon after; its fate is the outbox entry's."""

    entry_id: str
    due_at: datetime


@dataclass(frozen=True, slots=True)
class Declined:
    reason: Decline


@dataclass(frozen=True, slots=True)
class Prospect:
    """What would become of an opening now. `free_text`: its own words go, else a template in their place, of which the
    patient reads `template_text`; "" where nobody knows it."""

    free_text: bool
    due_at: datetime
    template_text: str = ""


Claim = Callable[[Transaction, OutboxEntry, Outreach], Awaitable[Outreach | Decline]]
"""Decides, in the transaction that queues a message, whether it is queued, and what is remembered of the contact then.
It writes what it reads."""


class Proactive:
    """Guards what we start ourselves. `allow`: the only contacts that get it, empty for everybody. `on_sending` is
    told when there is something to send."""

    def __init__(
        self,
        documents: Documents,
        clock: Clock,
        on_sending: Callable[[ConversationKey], None],
        allow: Collection[str] = (),
    ) -> None:
        self._documents, self._clock, self._on_sending = documents, clock, on_sending
        self._allow = frozenset(allow)
        self._templates = Templates(documents, clock)

    async def send(
        self,
        clinic: Clinic,
        contact: Contact,
        opening: Opening,
        also: Sequence[Write] = (),
        claim: Claim | None = None,
    ) -> Queued | Declined:
        """Queue `opening` for the contact, in the morning where it is quiet now, or say why not. `also`: new documents
        of the same commit. `claim`: asked last. Raises StoreUnavailable and TooContended."""
        key = await home_of(self._documents, ConversationKey(clinic.id, canonical(contact)))
        if self._allow and self._allow.isdisjoint({contact, key.contact}):
            outcome: Queued | Declined = Declined(Decline.NOT_ALLOWED)
        else:
            outcome = await transact(
                self._documents, lambda transaction: self._attempt(transaction, clinic, key, opening, also, claim)
            )
        if isinstance(outcome, Queued):
            self._on_sending(key)
        else:
            log.info("clinic %s: %s was not started: %s", clinic.id, opening.purpose, outcome.reason)
        return outcome

    async def prospect(self, clinic: Clinic, contact: Contact, opening: Opening) -> Prospect | Declined:
        """What `send` would do, as far as it can be told before. Nothing is queued."""
        key = await home_of(self._documents, ConversationKey(clinic.id, canonical(contact)))
        if self._allow and self._allow.isdisjoint({contact, key.contact}):
            return Declined(Decline.NOT_ALLOWED)
        found, record = await self._documents.get_many([key.path, outreach_path(key)])
        now = self._clock()
        conversation, due = _reached(Conversation.read(found, key, now), clinic), _due(clinic, opening, now)
        if isinstance(conversation, Decline):
            return Declined(conversation)
        reason = _objection(clinic, conversation, outreach_of(record), opening, due)
        if reason is not None:
            return Declined(reason)
        if window_is_open(conversation.provider, conversation.window_ends_at, due):
            return Prospect(True, due)
        with suppress(TemplateUnusable):  # which is told once it is to be sent
            template = await self._templates.for_entry(clinic, _entry(conversation, opening, now, due))
            return Prospect(False, due, template.text)
        return Prospect(False, due)

    async def _attempt(  # what `send` was given
        self,
        transaction: Transaction,
        clinic: Clinic,
        key: ConversationKey,
        opening: Opening,
        also: Sequence[Write],
        claim: Claim | None,
    ) -> Queued | Declined:
        now = self._clock()
        found, record = await transaction.get_many([key.path, outreach_path(key)])
        outreach = outreach_of(record)
        conversation, due = _reached(Conversation.read(found, key, now), clinic), _due(clinic, opening, now)
        if isinstance(conversation, Decline):
            return Declined(conversation)
        entry = _entry(conversation, opening, now, due)
        if (await transaction.get(entry.path)).exists:
            return Declined(Decline.ALREADY)
        reason = _objection(clinic, conversation, outreach, opening, due)
        if reason is not None:
            return Declined(reason)
        if claim is not None:
            claimed = await claim(transaction, entry, outreach)
            if isinstance(claimed, Decline):
                return Declined(claimed)
            outreach = claimed
        said, writes = enqueue_entry(conversation, entry, opening.by)
        if opening.reply.options:  # "sim" answers this message, and not the one before
            said = replace(said, agent_state=with_shown(said.agent_state, opening.reply.options))
        if opening.takes_over and opening.by is not None:
            is_new, said = said.taken_over_by is None, said.taken_over("", now, opening.by).seen()
            if is_new:
                writes.append(event_write(key, Event.TAKEN_OVER, now, by=opening.by, called_for=said.called_for))
        if opening.then is not None:
            said = replace(said, queued=(*said.queued, opening.then))
        transaction.put(found.path, CONVERSATION.write(said))
        counted = outreach if opening.awaited else outreach.counted(clinic.local(due).date())
        transaction.put(record.path, OUTREACH.write(counted))
        for write in (*writes, *also):
            transaction.put(write.path, write.data or {})
        return Queued(entry.id, due)


def _objection(
    clinic: Clinic, conversation: Conversation, outreach: Outreach, opening: Opening, due: datetime
) -> Decline | None:
    marketing, to_staff = opening.purpose in WANTED_BY_SOME, opening.purpose in STAFF_PURPOSES
    window_open = window_is_open(conversation.provider, conversation.window_ends_at, due)
    free = to_staff or opening.awaited
    objections = (
        (Decline.TAKEN_OVER, opening.by is None and not to_staff and conversation.has_person),
        (Decline.OPTED_OUT, outreach.opted_out_at is not None and not opening.awaited),
        (Decline.NO_MARKETING, marketing and outreach.no_marketing_since is not None),
        (Decline.PAUSED, outreach.paused_until is not None and outreach.paused_until > due),
        (Decline.TOO_LATE, opening.until is not None and due >= opening.until),
        (Decline.DAILY_CAP, not free and outreach.count_on(clinic.local(due).date()) >= clinic.proactive.per_day),
        (Decline.NO_TEMPLATE, not window_open and clinic.template_for(opening.purpose) is None),
    )
    return next((reason for reason, holds in objections if holds), None)


def _due(clinic: Clinic, opening: Opening, now: datetime) -> datetime:
    """When what is begun `now` leaves: in the morning where it is quiet, but for what the staff's phone is told, and
    what the patient waits for."""
    at_once = opening.purpose in STAFF_PURPOSES or opening.awaited
    return now if at_once else clinic.proactive.not_before(clinic.local(now))


def _reached(conversation: Conversation, clinic: Clinic) -> Conversation | Decline:
    """The conversation, by a number that the clinic still has, or why nothing can be begun in it."""
    if _tried_out(conversation, clinic):
        return Decline.TRIED_OUT
    channel = _channel(clinic, conversation)
    if channel is None:
        return Decline.NO_CHANNEL
    by_phone = conversation.contact.startswith("+")
    return replace(
        conversation,
        provider=channel.provider,
        external_id=channel.external_id,
        phone=conversation.phone or (conversation.contact if by_phone else None),
        user_id=conversation.user_id or (None if by_phone else conversation.contact),
    )


def _tried_out(conversation: Conversation, clinic: Clinic) -> bool:
    """Whether whoever last wrote in it was trying the clinic out, in another process than this."""
    numbers = [(channel.provider, channel.external_id) for channel in clinic.channels]
    return (conversation.provider, conversation.external_id) == STAND_IN and STAND_IN not in numbers


def _channel(clinic: Clinic, conversation: Conversation) -> Channel | None:
    """The number that the patient last wrote to, or the clinic's first. A web site calls nobody: who has only been
    there is reached by no number, unless the clinic knows their phone."""
    numbers = [channel for channel in clinic.channels if capabilities(channel.provider).can_begin]
    ours = (conversation.provider, conversation.external_id)
    if not capabilities(conversation.provider).can_begin and conversation.phone is None:
        return None
    return next(
        (number for number in numbers if (number.provider, number.external_id) == ours), next(iter(numbers), None)
    )


def _entry(conversation: Conversation, opening: Opening, now: datetime, due: datetime) -> OutboxEntry:
    author = Author.BOT if opening.by is None else Author.STAFF
    entry = entry_for(conversation, opening.reply, author, now)
    return replace(
        entry,
        id=entry.id if opening.once is None else _occasion_id(conversation.key, opening.once),
        due_at=due,
        despite_takeover=opening.purpose in STAFF_PURPOSES,
        initiative=Initiative(
            opening.purpose,
            opening.values,
            opening.until,
            _told(opening.appointment),
            template_only=bool(opening.campaign),
            campaign=opening.campaign,
            awaited=opening.awaited,
        ),
    )


def _told(appointment: Appointment | None) -> tuple[str, str, datetime] | None:
    return None if appointment is None else (appointment.id, str(appointment.status), appointment.start)


def _occasion_id(key: ConversationKey, occasion: str) -> str:
    return sha256(f"{key.text}#{occasion}".encode()).hexdigest()[:32]
