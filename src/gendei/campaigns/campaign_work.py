"""Sends campaigns, step by step, whichever process finds one due and wherever one of them dies.

A process claims a campaign by putting its moment off. It queues a few messages, each in a transaction of its own that
takes the recipient out of WAITING, looks after those that left, and writes down when the next step is due. Whoever
finds a claim that ended does the same again.
"""

import asyncio
import logging
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from gendei.campaigns.audience import PastVisitor, find_audience, was_lately
from gendei.campaigns.budget import account_of, limit_of, reserve
from gendei.campaigns.campaign import (
    CAMPAIGN,
    CAMPAIGNS,
    KEPT_FOR,
    Campaign,
    CampaignState,
    Figures,
    Halt,
)
from gendei.campaigns.campaign_guards import CampaignGuards, halt_of
from gendei.campaigns.campaign_texts import campaign_texts
from gendei.campaigns.following_up import FollowUps
from gendei.campaigns.recipient import (
    RECIPIENT,
    Recipient,
    RecipientState,
    Skipped,
    all_of,
    counted,
    first_due,
    last_sent,
)
from gendei.clinic import Clinic
from gendei.clock import Clock
from gendei.conversation.outbound.outbox_entry import OutboxEntry
from gendei.conversation.outbound.proactive import Claim, Decline, Declined, Opening, Proactive, Queued
from gendei.conversation.outbound.template_troubles import tell_staff
from gendei.conversation.outbound.templates import Templates
from gendei.conversation.stored.outreach import Outreach
from gendei.conversation.work.backoff import Backoff
from gendei.conversation.work.due_documents import PAGE, DueDocuments, DueId, seconds_until
from gendei.conversation.work.lanes import Lanes, LaneWork, Sweeping
from gendei.documents import Documents, Transaction, create, delete, put, transact
from gendei.errors import Conflict
from gendei.messages.channels import Clinics
from gendei.messages.replies import Reply

log = logging.getLogger(__name__)
BACKOFF = Backoff(60, 2, 1800, attempts=8, jitter=False)
"""A claim lasts as long as the pause before the next attempt."""
SWEEP, STOP_SECONDS = 60.0, 2.0
STEP, MINUTE = timedelta(seconds=10), timedelta(minutes=1)
"""About how often a few messages are queued; at the slowest pace it is one a minute."""
AT_ONCE = 8
LEAVES_WITHIN = timedelta(hours=6)
"""A message that did not leave by then comes back to its campaign."""
COUNTED_EVERY, COUNTED_ALWAYS = timedelta(minutes=10), 200
"""How often figures are counted, but for campaigns of few, which are counted at every step."""
PUT_OFF = timedelta(hours=25)
QUEUED = "queued"
_PASSING = frozenset({Decline.PAUSED, Decline.DAILY_CAP})
"""What speaks against a message today, and perhaps not tomorrow."""


@dataclass(frozen=True, slots=True)
class CampaignStep:
    """What a step made of the campaign, and when the next is due; None: never."""

    campaign: Campaign
    due_at: datetime | None


class CampaignWork(LaneWork[DueId]):
    """Use it as a context manager. `counts`: of messages ("message") by what became of them, QUEUED or why they were
    not queued, and of campaigns that were halted ("halt") by the reason."""

    def __init__(
        self, documents: Documents, clinics: Clinics, clock: Clock, proactive: Proactive, *, seeks: bool = True
    ) -> None:
        self.seeks = seeks
        self.counts: Counter[tuple[str, str]] = Counter()
        self._documents, self._clinics, self._clock, self._proactive = documents, clinics, clock, proactive
        self._guards = CampaignGuards(documents, clock, Templates(documents, clock))
        self._follow_ups = FollowUps(documents, clock)
        self._texts = campaign_texts()
        unread = "nobody is written to by it"
        self._campaigns = DueDocuments(documents, clock, CAMPAIGNS, CAMPAIGN, log, unread)
        sweeping = Sweeping(self.sweep, SWEEP, log, "campaigns could not be looked for: %s")
        super().__init__(Lanes(self._carry_out, at_once=4, per_clinic=1), sweeping, grace=STOP_SECONDS)

    async def sweep(self) -> None:
        """Begin with what is due before the next sweep: one query, however many clinics there are. Raises
        StoreError."""
        await self._campaigns.plan(self._lanes, timedelta(seconds=SWEEP))

    def wake(self, campaign: Campaign) -> None:
        """Begin at once with what is due for it, where this process does that."""
        self.notify(DueId(campaign.clinic_id, campaign.id))

    async def _carry_out(self, key: DueId) -> float | None:
        """Do one step; seconds until the next, None where none is to come."""
        claimed = await self._campaigns.claim(key, BACKOFF)
        if claimed is None or isinstance(claimed, float):
            return claimed
        clinic = await self._clinics.get(key.clinic_id)
        if clinic is None:
            await self._campaigns.drop(claimed)
            return None
        if claimed.attempts > BACKOFF.attempts and not claimed.state.is_over:
            step = CampaignStep(claimed.halted(Halt.BROKEN), None)
        else:
            step = await self._step(clinic, replace(claimed, attempts=0))
        return await self._settle(clinic, claimed, step)

    async def _step(self, clinic: Clinic, campaign: Campaign) -> CampaignStep:
        now = self._clock()
        if campaign.state is CampaignState.PREPARING:
            await self._prepare(clinic, campaign)
            figures = await self._figures(campaign)
            ready = replace(campaign, state=CampaignState.RUNNING, figures=figures, counted_at=now)
            return CampaignStep(ready, now)  # messages leave once it is written down that it runs
        await self._follow_ups.look(clinic, campaign)
        if campaign.state is CampaignState.RUNNING:
            campaign, again = await self._go_on(clinic, campaign)
        else:
            again = None
        if campaign.state.is_over:
            await self._skip_rest(campaign)
        campaign = await self._recounted(campaign)
        nearest = await self._next_look(campaign)
        if campaign.state.is_over and nearest is None:
            return await self._forgotten(campaign)
        return CampaignStep(campaign, min((moment for moment in (again, nearest) if moment), default=None))

    async def _prepare(self, clinic: Clinic, campaign: Campaign) -> None:
        """Write down the recipients; who is there already was written by a process that did not end."""
        now = self._clock()
        found = (await find_audience(self._documents, clinic, campaign.audience, now)).visitors[: campaign.most]
        for start in range(0, len(found), PAGE):
            some = [_recipient(campaign, visitor, now) for visitor in found[start : start + PAGE]]
            there = await self._documents.get_many([each.path for each in some])
            new = [each for each, known in zip(some, there, strict=True) if not known.exists]
            if new:
                await self._documents.commit([create(each.path, RECIPIENT.write(each)) for each in new])

    async def _go_on(self, clinic: Clinic, campaign: Campaign) -> tuple[Campaign, datetime | None]:
        """Queue the next few messages, where nothing speaks against it; when the next are due."""
        now = self._clock()
        if now >= campaign.ends_at:
            return campaign.done(now), None
        if (trouble := await self._guards.trouble(clinic, campaign)) is not None:
            return campaign.halted(trouble), None
        if (trouble := halt_of(await self._recent(campaign), campaign.judged_since)) is not None:
            return campaign.halted(trouble), None
        morning = clinic.proactive.not_before(clinic.local(now))
        if morning > now:
            return campaign, morning
        few = max(1, round(campaign.per_minute * STEP / MINUTE))
        waiting = await self._first(campaign, RecipientState.WAITING, few)
        if not waiting:
            return campaign.done(now), None
        due = [each for each in waiting if each.due_at <= now]
        if not due:
            return campaign, waiting[0].due_at
        channel = self._guards.channel(clinic)
        if channel is None:
            return campaign.halted(Halt.NO_NUMBER), None
        limit = await limit_of(self._documents, clinic, channel, campaign.daily_limit)
        granted = await reserve(self._documents, account_of(clinic, channel), len(due), limit, now)
        if not granted:
            return campaign, now + timedelta(hours=1)
        text = await self._guards.text_of(clinic, campaign)
        gate = asyncio.Semaphore(AT_ONCE)

        async def send(recipient: Recipient) -> None:
            async with gate:
                await self._send(clinic, campaign, recipient, text)

        await asyncio.gather(*map(send, due[:granted]))
        return campaign, now + few * MINUTE / campaign.per_minute

    async def _send(self, clinic: Clinic, campaign: Campaign, recipient: Recipient, text: str) -> None:
        """Queue the message of one recipient, or write down why not."""
        now = self._clock()
        values = {"patient": recipient.patient_name, "clinic_name": clinic.name, "address": clinic.address}
        opening = Opening(
            campaign.purpose,
            Reply(self._guards.filled(clinic, campaign, text, values), self._texts.options),
            values,
            once=f"campaign/{campaign.id}/{recipient.attempts}",
            until=min(now + LEAVES_WITHIN, campaign.ends_at),
            campaign=campaign.path,
        )
        outcome = await self._proactive.send(clinic, recipient.contact, opening, claim=_claim(recipient, now))
        self.counts["message", QUEUED if isinstance(outcome, Queued) else str(outcome.reason)] += 1
        if isinstance(outcome, Queued):
            return

        async def attempt(transaction: Transaction) -> None:
            found = await transaction.get(recipient.path)
            known = RECIPIENT.found(found)
            if known is not None and (known.state, known.attempts) == (RecipientState.WAITING, recipient.attempts):
                transaction.put(found.path, RECIPIENT.write(_declined(known, outcome, now)))

        await transact(self._documents, attempt)

    async def _skip_rest(self, campaign: Campaign) -> None:
        """Nobody else is written to. What another step changes meanwhile stays as that has it."""
        reason, now = (Skipped.STOPPED if campaign.state is CampaignState.STOPPED else Skipped.LATE), self._clock()
        while found := await self._documents.query(first_due(campaign, RecipientState.WAITING, PAGE)):
            over = ((each, RECIPIENT.read(each.data).skipped(reason, now)) for each in found)
            with suppress(Conflict):
                await self._documents.commit(
                    [put(each.path, RECIPIENT.write(after), unchanged_since=each) for each, after in over]
                )

    async def _recent(self, campaign: Campaign) -> list[Recipient]:
        return [RECIPIENT.read(each.data) for each in await self._documents.query(last_sent(campaign, PAGE))]

    async def _first(self, campaign: Campaign, state: RecipientState, limit: int) -> list[Recipient]:
        return [RECIPIENT.read(each.data) for each in await self._documents.query(first_due(campaign, state, limit))]

    async def _next_look(self, campaign: Campaign) -> datetime | None:
        found = await self._first(campaign, RecipientState.FOLLOWED, 1)
        return found[0].due_at if found else None

    async def _recounted(self, campaign: Campaign) -> Campaign:
        now, at = self._clock(), campaign.counted_at
        if campaign.over_at is not None and now >= campaign.over_at + KEPT_FOR:  # some may be forgotten by now
            return campaign
        few = campaign.figures.recipients <= COUNTED_ALWAYS
        if at is None:  # nobody was written down yet
            return campaign
        if not few and not campaign.state.is_over and now - at < COUNTED_EVERY:
            return campaign
        return replace(campaign, figures=await self._figures(campaign), counted_at=now)

    async def _figures(self, campaign: Campaign) -> Figures:
        figures = Figures()
        for state in RecipientState:
            query = first_due(campaign, state, PAGE)
            while found := await self._documents.query(query):
                figures = counted(figures, (RECIPIENT.read(each.data) for each in found))
                if len(found) < PAGE:
                    break
                query = query.after(found[-1])
        return figures

    async def _forgotten(self, campaign: Campaign) -> CampaignStep:
        """Nobody is looked after any more; to whom it went is forgotten in the end."""
        end = (campaign.over_at or campaign.created_at) + KEPT_FOR
        if self._clock() < end:
            return CampaignStep(campaign, end)
        while found := await self._documents.query(replace(all_of(campaign), limit=PAGE)):
            await self._documents.commit([delete(each.path) for each in found])
        return CampaignStep(campaign, None)

    async def _settle(self, clinic: Clinic, claimed: Campaign, step: CampaignStep) -> float | None:
        """Write down what a step made of the campaign, unless staff changed it meanwhile: then that stands, and the
        next step is due at once. Seconds until the next step."""

        async def attempt(transaction: Transaction) -> Campaign | None:
            found, now = await transaction.get(claimed.path), self._clock()
            known = CAMPAIGN.found(found, id=claimed.id)
            if known is None:
                return None
            after = replace(step.campaign, due_at=step.due_at, attempts=0)
            if known.state is not claimed.state or known.judged_since != claimed.judged_since:
                figures = {"figures": after.figures, "counted_at": after.counted_at}
                after = replace(known, attempts=0, due_at=now, **figures)  # type: ignore[arg-type]  # its fields
            transaction.put(found.path, CAMPAIGN.write(after))
            if after.halt is not None and known.halt is None:  # once, also where somebody ended the task
                await tell_staff(transaction, clinic.id, after.subject, self._texts.task(after, after.halt, now), now)
            return after

        after = await transact(self._documents, attempt)
        if after is not None and after.halt is not None and claimed.halt is None:
            self.counts["halt", str(after.halt)] += 1
            log.warning("clinic %s: a campaign was halted: %s", clinic.id, after.halt)
        return None if after is None or after.due_at is None else seconds_until(after.due_at, self._clock())


def _recipient(campaign: Campaign, visitor: PastVisitor, now: datetime) -> Recipient:
    return Recipient(
        campaign.clinic_id, campaign.id, visitor.contact, visitor.patient_id, visitor.patient_name, due_at=now
    )


def _claim(recipient: Recipient, now: datetime) -> Claim:
    """Take the recipient out of WAITING in the transaction that queues the message, where they still want it."""

    async def claim(transaction: Transaction, entry: OutboxEntry, outreach: Outreach) -> Outreach | Decline:
        found = await transaction.get(recipient.path)
        known = RECIPIENT.found(found)
        if known is None or known.state is not RecipientState.WAITING or known.attempts != recipient.attempts:
            return Decline.ALREADY
        if not outreach.wants_marketing:
            return Decline.NO_MARKETING
        if known.attempts == 0 and was_lately(outreach, now):
            return Decline.DAILY_CAP
        transaction.put(found.path, RECIPIENT.write(known.queued(entry, now)))
        return replace(outreach, campaign_at=now)

    return claim


def _declined(recipient: Recipient, outcome: Declined, now: datetime) -> Recipient:
    if outcome.reason in _PASSING:
        return recipient.put_off(now + PUT_OFF)
    return recipient.skipped(str(outcome.reason), now)
