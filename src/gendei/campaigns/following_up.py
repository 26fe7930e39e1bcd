"""Looks what became of a campaign's messages: the outbox knows whether they arrived, the conversation whether they were
answered, the agenda whether a booking followed."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from gendei.booking.appointment import Appointments
from gendei.campaigns.campaign import Campaign
from gendei.campaigns.campaign_texts import campaign_texts
from gendei.campaigns.marketing_answers import MarketingWords
from gendei.campaigns.recipient import RECIPIENT, Recipient, RecipientState, Result, Seen, first_due, looked_after
from gendei.clinic import Clinic, Contact
from gendei.clock import Clock
from gendei.conversation.outbound.outbox_entry import OUTBOX_ENTRY
from gendei.conversation.stored.conversation import CONVERSATION, Conversation
from gendei.conversation.stored.outreach import (
    ConsentWay,
    MarketingWord,
    Outreach,
    OutreachBook,
    outreach_of,
    outreach_path,
)
from gendei.documents import Documents, Query, Snapshot, put
from gendei.errors import Conflict
from gendei.messages.keys import ConversationKey
from gendei.messages.turns import PatientInput

AT_ONCE = 100
MOST_READ = 20
"""Messages of a conversation that are read for a word about marketing."""
BOOKINGS_AFTER_LOOKS = 2


@dataclass(frozen=True)
class FollowUps:
    """Each look is one read of the message, of the conversation and of the wishes, and later of the agenda."""

    documents: Documents
    clock: Clock

    async def look(self, clinic: Clinic, campaign: Campaign) -> None:
        """Look after all that are due. What changes meanwhile, or is erased, stays as it is then."""
        while found := await self.documents.query(first_due(campaign, RecipientState.FOLLOWED, AT_ONCE)):
            now = self.clock()
            due = [(each, recipient) for each in found if (recipient := RECIPIENT.read(each.data)).due_at <= now]
            for snapshot, recipient in due:
                await self._look_after(clinic, snapshot, recipient, now)
            if len(due) < AT_ONCE:
                return

    async def _look_after(self, clinic: Clinic, snapshot: Snapshot, recipient: Recipient, now: datetime) -> None:
        key = ConversationKey(clinic.id, Contact(recipient.home or recipient.contact))
        paths = [recipient.entry_path, key.path, outreach_path(key)]
        entry, conversation, wishes = await self.documents.get_many(paths)
        known = CONVERSATION.found(conversation)
        outreach = outreach_of(wishes)
        if known is not None and known.has_person and outreach.wants_marketing and recipient.sent_at is not None:
            outreach = await self._heard_beside(key, known, recipient.sent_at) or outreach
        visits = Appointments(self.documents, self.clock)
        wanted = recipient.looks >= BOOKINGS_AFTER_LOOKS and recipient.booked_at is None
        booked = await visits.of_contact(clinic, key.contact, upcoming_only=False) if wanted else []
        seen = Seen(OUTBOX_ENTRY.found(entry, id=entry.id), known, outreach, booked)
        after = looked_after(recipient, seen, now)
        if after.result is Result.NOT_NOW:
            after = after.put_off(clinic.proactive.not_before(clinic.local(after.due_at)))
        with suppress(Conflict):
            await self.documents.commit([put(snapshot.path, RECIPIENT.write(after), unchanged_since=snapshot)])

    async def _heard_beside(self, key: ConversationKey, known: Conversation, since: datetime) -> Outreach | None:
        """While a person has the conversation nobody answers by itself, and a refusal counts all the same."""
        if known.last_inbound_at is None or known.last_inbound_at <= since:
            return None
        reads, book = MarketingWords(campaign_texts()), OutreachBook(self.documents, self.clock)
        last = Query(f"{key.path}/messages", order_by=(("timestamp", True),), limit=MOST_READ)
        for each in await self.documents.query(last):
            said = each.data or {}
            if said.get("role") != "user" or said["timestamp"] <= since:
                continue
            if reads.agrees(PatientInput(str(said.get("content", "")), said.get("tapped"))) is False:
                await book.hear(key, MarketingWord(agreed=False, at=self.clock(), how=ConsentWay.PATIENT))
                return await book.of(key)
        return None
