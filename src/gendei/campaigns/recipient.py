"""One patient of a campaign: gendei_clinics/{clinicId}/campaign_recipients/{campaignId} {contact}.

The document is the claim: in the transaction that queues the message it leaves WAITING, so that the message is queued
once, whichever process tries, and never for somebody whose data were erased meanwhile.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated

from gendei.booking.appointment import Appointment, AppointmentStatus
from gendei.campaigns.campaign import FOLLOWED_FOR, Campaign, Figures
from gendei.clinic import ClinicId, Contact
from gendei.conversation.outbound.failures import code_of
from gendei.conversation.outbound.gate import CAMPAIGN_OVER, NO_MARKETING, OPTED_OUT, PERSON
from gendei.conversation.outbound.outbox_entry import OutboxEntry, OutboxStatus
from gendei.conversation.outbound.proactive import Decline
from gendei.conversation.stored.conversation import Conversation
from gendei.conversation.stored.outreach import Outreach, recipients_of
from gendei.documents import Query, document_id
from gendei.messages.keys import OUTBOX
from gendei.messages.message import DeliveryState
from gendei.records import ABSENT_WHEN_EMPTY, ABSENT_WHEN_NONE, Moment, Record

NOT_NOW = frozenset({"130472", "131049"})
"""Meta did not deliver it for now: not before a day has passed."""
STOPPED_MARKETING = "131050"
AGAIN_AFTER = timedelta(hours=25)
MOST_TRIES = 3
"""How often Meta may say "not now"."""
MOST_RETURNS = 6
"""How often a message may be queued in all, also where it did not leave in time."""
LOOKS = tuple(
    timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 480, 1440, 2 * 1440, 4 * 1440, 7 * 1440, 11 * 1440)
)
"""When, after a message, it is looked what became of it; the last time when it is followed no longer."""


class RecipientState(StrEnum):
    """WAITING: to be written to when it is due. FOLLOWED: written to, and looked after. OVER: neither any more."""

    WAITING = "waiting"
    FOLLOWED = "followed"
    OVER = "over"


class Result(StrEnum):
    """NOT_NOW: WhatsApp did not deliver it for now. SKIPPED: never sent, for the reason."""

    NONE = ""
    QUEUED = "queued"
    NOT_NOW = "not_now"
    SENT = "sent"
    DELIVERED = "delivered"
    READ = "read"
    FAILED = "failed"
    SKIPPED = "skipped"


class Skipped(StrEnum):
    """Reasons beside those of Decline."""

    LATE = "late"
    STOPPED = "stopped"
    NO_LONGER = "no_longer"


_SHOWN = {
    DeliveryState.SENT: Result.SENT,
    DeliveryState.DELIVERED: Result.DELIVERED,
    DeliveryState.READ: Result.READ,
    DeliveryState.PLAYED: Result.READ,
}
_WANTED_NO_MORE = {
    PERSON: str(Decline.TAKEN_OVER),
    OPTED_OUT: str(Decline.OPTED_OUT),
    NO_MARKETING: str(Decline.NO_MARKETING),
    CAMPAIGN_OVER: str(Skipped.STOPPED),
}
_DELIVERED = frozenset({Result.DELIVERED, Result.READ})
_REACHED = frozenset({Result.SENT, Result.DELIVERED, Result.READ})


@dataclass(frozen=True, slots=True)
class Recipient:
    """contact: who is written to, by the address that the clinic knew when it began. patient_id, patient_name: of the
    one who came last of those whom the contact books for. due_at: when it is written to, or looked after. result,
    reason: of the last message. attempts: messages queued; refusals: how often WhatsApp said "not now". entry_id: of
    the last message in the outbox; home: its conversation's contact."""

    clinic_id: ClinicId
    campaign_id: str
    contact: Contact
    patient_id: str
    patient_name: str
    due_at: Moment
    state: RecipientState = RecipientState.WAITING
    result: Result = Result.NONE
    reason: Annotated[str, ABSENT_WHEN_EMPTY] = ""
    attempts: Annotated[int, ABSENT_WHEN_EMPTY] = 0
    refusals: Annotated[int, ABSENT_WHEN_EMPTY] = 0
    looks: Annotated[int, ABSENT_WHEN_EMPTY] = 0
    entry_id: Annotated[str, ABSENT_WHEN_EMPTY] = ""
    home: Annotated[str, ABSENT_WHEN_EMPTY] = ""
    sent_at: Annotated[Moment | None, ABSENT_WHEN_NONE] = None
    answered_at: Annotated[Moment | None, ABSENT_WHEN_NONE] = None
    opted_out_at: Annotated[Moment | None, ABSENT_WHEN_NONE] = None
    booked_at: Annotated[Moment | None, ABSENT_WHEN_NONE] = None

    @property
    def path(self) -> str:
        return recipient_path(self.clinic_id, self.campaign_id, self.contact)

    @property
    def entry_path(self) -> str:
        return f"{OUTBOX}/{self.entry_id}"

    @property
    def reached(self) -> bool:
        """Whether WhatsApp took the message."""
        return self.result in _REACHED

    @property
    def has_failed(self) -> bool:
        """For good, and not because they stopped marketing."""
        return self.result is Result.FAILED and self.reason != STOPPED_MARKETING

    @property
    def has_left(self) -> bool:
        """Whether they want no more of it."""
        return self.opted_out_at is not None or self.reason == STOPPED_MARKETING

    def queued(self, entry: OutboxEntry, now: datetime) -> "Recipient":
        return replace(
            self,
            state=RecipientState.FOLLOWED,
            result=Result.QUEUED,
            reason="",
            attempts=self.attempts + 1,
            looks=0,
            entry_id=entry.id,
            home=entry.contact,
            sent_at=now,
            due_at=now + LOOKS[0],
        )

    def put_off(self, until: datetime) -> "Recipient":
        return replace(self, state=RecipientState.WAITING, due_at=until)

    def skipped(self, reason: str, now: datetime) -> "Recipient":
        return self.over(Result.SKIPPED, reason, now)

    def over(self, result: Result, reason: str, now: datetime) -> "Recipient":
        return replace(self, state=RecipientState.OVER, result=result, reason=reason, due_at=now)


RECIPIENT = Record(Recipient, "gendei_clinics/{clinicId}/campaign_recipients/{campaignId} {contact}")


def recipient_path(clinic_id: ClinicId, campaign_id: str, contact: str) -> str:
    return f"{recipients_of(clinic_id)}/{document_id(f'{campaign_id} {contact}')}"


def all_of(campaign: Campaign) -> Query:
    """All recipients of a campaign."""
    return Query(recipients_of(campaign.clinic_id), (("campaignId", "==", campaign.id),))


def first_due(campaign: Campaign, state: RecipientState, limit: int) -> Query:
    """Those of a state that are due first."""
    ours = all_of(campaign)
    return replace(ours, where=(*ours.where, ("state", "==", str(state))), order_by=(("dueAt", False),), limit=limit)


def last_sent(campaign: Campaign, limit: int) -> Query:
    """Those who were written to last."""
    return replace(all_of(campaign), order_by=(("sentAt", True),), limit=limit)


@dataclass(frozen=True, slots=True)
class Seen:
    """What stands elsewhere of somebody who was written to; entry None: it is not kept any more."""

    entry: OutboxEntry | None
    conversation: Conversation | None
    outreach: Outreach
    appointments: Sequence[Appointment] = ()


def looked_after(recipient: Recipient, seen: Seen, now: datetime) -> Recipient:
    """The recipient as what is seen makes it, due when the next look is."""
    sent_at = recipient.sent_at or now
    told = _told_by(recipient, seen.entry, now) if seen.entry is not None else recipient
    if told.state is RecipientState.WAITING:
        return told
    answered = seen.conversation.last_inbound_at if seen.conversation else None
    left = [moment for moment in (seen.outreach.opted_out_at, seen.outreach.no_marketing_since) if moment]
    within = (sent_at, sent_at + FOLLOWED_FOR)
    after = replace(
        told,
        answered_at=told.answered_at or _first([answered] if answered else [], within),
        opted_out_at=told.opted_out_at or _first(left, within),
        booked_at=told.booked_at or _first(_bookings(seen.appointments), within),
        looks=recipient.looks + 1,
    )
    if after.state is RecipientState.OVER or now >= within[1]:
        return replace(after, state=RecipientState.OVER, due_at=now)
    later = next((sent_at + pause for pause in LOOKS[after.looks :] if sent_at + pause > now), within[1])
    return replace(after, due_at=later)


def _bookings(appointments: Iterable[Appointment]) -> list[datetime]:
    return [found.created_at for found in appointments if found.status is not AppointmentStatus.CANCELLED]


def _first(moments: Iterable[datetime], within: tuple[datetime, datetime]) -> datetime | None:
    return min((moment for moment in moments if within[0] < moment <= within[1]), default=None)


def _told_by(recipient: Recipient, entry: OutboxEntry, now: datetime) -> Recipient:
    """What the outbox knows of the message."""
    shown = _SHOWN.get(entry.delivery_state) if entry.delivery_state else None
    if entry.status is OutboxStatus.FAILED:
        return _failed(recipient, code_of(entry.error or "") or "other", now)
    if entry.status is OutboxStatus.SUPPRESSED:
        wanted_no_more = _WANTED_NO_MORE.get(entry.error or "")
        if wanted_no_more is not None:
            return recipient.skipped(wanted_no_more, now)
        if recipient.attempts >= MOST_RETURNS:
            return recipient.skipped(Skipped.LATE, now)
        return replace(recipient.put_off(now), result=Result.NONE, sent_at=None)
    return replace(recipient, result=shown or recipient.result)


def _failed(recipient: Recipient, code: str, now: datetime) -> Recipient:
    refused = replace(recipient, refusals=recipient.refusals + 1, reason=code)
    if code in NOT_NOW and refused.refusals < MOST_TRIES:
        return replace(refused.put_off(now + AGAIN_AFTER), result=Result.NOT_NOW, sent_at=None)
    return refused.over(Result.FAILED, code, now)


def counted(before: Figures, recipients: Iterable[Recipient]) -> Figures:
    """The figures with these recipients too."""
    counts = {name: getattr(before, name) for name in _COUNTS}
    by_reason = {Result.FAILED: {**before.failed}, Result.SKIPPED: {**before.skipped}}
    for each in recipients:
        for name, holds in _COUNTS.items():
            counts[name] += holds(each)
        if (reasons := by_reason.get(each.result)) is not None:
            reasons[each.reason] = reasons.get(each.reason, 0) + 1
    return Figures(**counts, failed=by_reason[Result.FAILED], skipped=by_reason[Result.SKIPPED])


_COUNTS: Mapping[str, Callable[[Recipient], bool]] = {
    "recipients": lambda each: True,  # all of them
    "waiting": lambda each: each.state is RecipientState.WAITING or each.result is Result.QUEUED,
    "not_now": lambda each: each.result is Result.NOT_NOW,
    "sent": lambda each: each.reached,
    "delivered": lambda each: each.result in _DELIVERED,
    "read": lambda each: each.result is Result.READ,
    "answered": lambda each: each.answered_at is not None,
    "opted_out": lambda each: each.has_left,
    "booked": lambda each: each.booked_at is not None,
}
