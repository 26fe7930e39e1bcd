"""Campaigns for who manages the clinic: seen before they begin, begun, paused, gone on with, stopped; and what patients
say to staff about marketing."""

from collections.abc import Callable
from dataclasses import dataclass

from gendei.campaigns.audience import FoundAudience, find_audience
from gendei.campaigns.budget import limit_of
from gendei.campaigns.campaign import (
    CAMPAIGN,
    LASTS,
    PURPOSE,
    Campaign,
    CampaignAudience,
    NotLegal,
    campaign_id,
    campaign_of,
    campaign_path,
    campaigns_of,
)
from gendei.campaigns.campaign_guards import CampaignGuards
from gendei.campaigns.campaign_texts import CampaignFault, CampaignTexts, campaign_texts
from gendei.campaigns.recipient import RECIPIENT, Recipient, all_of
from gendei.clinic import Channel, Clinic
from gendei.clock import Clock
from gendei.conversation.outbound.template_troubles import tell_staff
from gendei.conversation.outbound.templates import ApprovedTemplate, Templates
from gendei.conversation.stored.contacts import home_of
from gendei.conversation.stored.outreach import (
    OUTREACH,
    ConsentWay,
    MarketingWord,
    Outreach,
    outreach_of,
    outreach_path,
)
from gendei.costs.message_prices import MARKETING, message_prices
from gendei.documents import Documents, Transaction, create, transact
from gendei.errors import GendeiError, NotFound
from gendei.messages.channels import Clinics
from gendei.staff.actors import Actor, Right, clinic_of
from gendei.staff.audit import Action, audit_write
from gendei.staff.clinic_changes.changes import ClinicChanges
from gendei.staff.patient_rows import of_contact
from gendei.staff.patients import key_of

LISTED = 50


class CampaignRefused(GendeiError):
    """Nothing was begun or changed. Do what the sentence for staff says."""

    def __init__(self, reason: CampaignFault, text: str) -> None:
        """text: why, for staff, in Portuguese."""
        self.reason, self.text = reason, text
        super().__init__(str(reason))


@dataclass(frozen=True, slots=True)
class CampaignPlan:
    """What a campaign would be now. price_micros: of one delivered message, and cost_micros of all, in millionths of a
    US dollar. per_day: how many patients Meta's limit lets it begin with in a day. days: that it takes at least."""

    audience: FoundAudience
    template: ApprovedTemplate
    price_micros: int
    per_day: int

    @property
    def recipients(self) -> int:
        return len(self.audience.visitors)

    @property
    def cost_micros(self) -> int:
        return self.recipients * self.price_micros

    @property
    def days(self) -> int:
        return -(-self.recipients // self.per_day) if self.per_day else 0


@dataclass(frozen=True, slots=True)
class CampaignWish:
    """What staff ask for. daily_limit: Meta's, as they know it; None: as the service knows it."""

    name: str
    audience: CampaignAudience
    per_minute: int
    daily_limit: int | None = None


@dataclass(frozen=True)
class CampaignOffice:
    """Every call is about the actor's clinic; a campaign of another one is NotFound. All raise Forbidden without the
    right to manage the clinic, but for what patients say to staff. wake: is told of a campaign that is due now; where
    it does nothing, the next look of a process finds it."""

    documents: Documents
    clinics: Clinics
    clock: Clock
    templates: Templates
    changes: ClinicChanges
    wake: Callable[[Campaign], None]

    @property
    def texts(self) -> CampaignTexts:
        return campaign_texts()

    async def all(self, actor: Actor) -> list[Campaign]:
        """The newest first."""
        actor.require(Right.MANAGE)
        return await campaigns_of(self.documents, (await clinic_of(self.clinics, actor)).id, LISTED)

    async def plan(self, actor: Actor, audience: CampaignAudience, daily_limit: int | None = None) -> CampaignPlan:
        """How many it would go to now, and what it would cost. Nothing is changed. Raises CampaignRefused."""
        actor.require(Right.MANAGE)
        clinic = await clinic_of(self.clinics, actor)
        if not audience.service_ids <= {service.id for service in clinic.services}:
            raise self._refused(CampaignFault.UNKNOWN_SERVICE)
        template, channel = await self._ready(clinic)
        found = await find_audience(self.documents, clinic, audience, self.clock())
        price = message_prices().latest(MARKETING)
        return CampaignPlan(found, template, price, await limit_of(self.documents, clinic, channel, daily_limit))

    async def start(self, actor: Actor, wish: CampaignWish, seen: int) -> Campaign:
        """Begin a campaign. seen: how many recipients staff saw before; where there are more now, nothing begins. Of a
        person in a browser it asks for the second factor. Raises CampaignRefused and ChangeRefused."""
        actor.require(Right.MANAGE)
        self.changes.require_proven(actor)
        clinic = await clinic_of(self.clinics, actor)
        plan = await self.plan(actor, wish.audience, wish.daily_limit)
        if not plan.recipients:
            raise self._refused(CampaignFault.NOBODY)
        if plan.recipients > seen:
            raise self._refused(CampaignFault.MORE_THAN_SEEN, count=str(plan.recipients))
        now = self.clock()
        campaign = Campaign(
            campaign_id(clinic.id, wish.name),
            clinic.id,
            wish.name,
            plan.template.key,
            wish.audience,
            now,
            actor.user_id,
            actor.name,
            plan.recipients,
            wish.per_minute,
            plan.price_micros,
            now + LASTS,
            now,
            daily_limit=wish.daily_limit,
            due_at=now,
        )
        told = {"recipients": plan.recipients, "price_micros": plan.price_micros}
        started = audit_write(actor, Action.CAMPAIGN_STARTED, campaign.id, now, **told)

        async def attempt(transaction: Transaction) -> None:
            found = await transaction.get(campaign.path)
            if found.exists:
                raise self._refused(CampaignFault.NAME_TAKEN)
            transaction.put(found.path, CAMPAIGN.write(campaign))
            transaction.create(started.path, started.data or {})

        await transact(self.documents, attempt)
        self.wake(campaign)
        return campaign

    async def recipients(self, actor: Actor, id_: str) -> tuple[Campaign, list[Recipient]]:
        """A campaign, and everybody whom it goes to, by name; it stands in the audit log. After KEPT_FOR nobody is
        known any more. Raises NotFound."""
        actor.require(Right.MANAGE)
        clinic, now = await clinic_of(self.clinics, actor), self.clock()
        campaign = await campaign_of(self.documents, clinic.id, id_)
        found = [RECIPIENT.read(each.data) for each in await self.documents.query(all_of(campaign))]
        entry = audit_write(actor, Action.CAMPAIGN_EXPORTED, campaign.id, now, recipients=len(found))
        await self.documents.commit([create(entry.path, entry.data or {})])
        return campaign, sorted(found, key=lambda each: (each.patient_name.casefold(), each.contact))

    async def pause(self, actor: Actor, id_: str) -> Campaign:
        """Nothing of it leaves from now on, until somebody goes on with it."""
        return await self._change(actor, id_, lambda campaign: campaign.paused(self.clock()))

    async def go_on(self, actor: Actor, id_: str) -> Campaign:
        """Go on after a pause or a halt, by the template that serves now. Asks for the second factor, as `start` does.
        Raises CampaignRefused where no template can be sent."""
        actor.require(Right.MANAGE)
        self.changes.require_proven(actor)
        clinic = await clinic_of(self.clinics, actor)
        await campaign_of(self.documents, clinic.id, id_)
        template, _ = await self._ready(clinic)
        return await self._change(actor, id_, lambda campaign: campaign.going_on(self.clock(), template.key))

    async def stop(self, actor: Actor, id_: str) -> Campaign:
        """End it for ever: nobody else gets it."""
        return await self._change(actor, id_, lambda campaign: campaign.stopped(self.clock()))

    async def set_consent(self, actor: Actor, contact: str, *, agreed: bool) -> Outreach:
        """Write down what a patient said to staff about marketing. Raises NotFound for whom the clinic does not know,
        and Forbidden without the right to write."""
        actor.require(Right.WRITE)
        clinic = await clinic_of(self.clinics, actor)
        key = await home_of(self.documents, key_of(actor, contact))
        known = await self.documents.get(key.path)
        if not known.exists and not await of_contact(self.documents, clinic.id, key.contact):
            raise NotFound

        async def attempt(transaction: Transaction) -> Outreach:
            now = self.clock()
            found = await transaction.get(outreach_path(key))
            after = outreach_of(found).with_word(MarketingWord(agreed, now, ConsentWay.STAFF, actor.user_id))
            transaction.put(found.path, OUTREACH.write(after))
            changed = ["marketing_agreed" if agreed else "marketing_stopped"]
            entry = audit_write(actor, Action.PATIENT_CHANGED, key.contact, now, changed=changed)
            transaction.create(entry.path, entry.data or {})
            return after

        return await transact(self.documents, attempt)

    async def _ready(self, clinic: Clinic) -> tuple[ApprovedTemplate, Channel]:
        """What a campaign needs. Raises CampaignRefused."""
        guards = CampaignGuards(self.documents, self.clock, self.templates)
        channel = guards.channel(clinic)
        if channel is None:
            raise self._refused(CampaignFault.NO_NUMBER)
        template = await guards.template(clinic)
        if isinstance(template, CampaignFault):
            wanted = clinic.template_for(PURPOSE)
            raise self._refused(template, template=wanted.name if wanted else "")
        return template, channel

    async def _change(self, actor: Actor, id_: str, change: Callable[[Campaign], Campaign]) -> Campaign:
        actor.require(Right.MANAGE)
        clinic = await clinic_of(self.clinics, actor)
        await campaign_of(self.documents, clinic.id, id_)

        async def attempt(transaction: Transaction) -> Campaign:
            found, now = await transaction.get(campaign_path(id_)), self.clock()
            before = CAMPAIGN.read(found.data, id=id_)
            try:
                after = change(before)
            except NotLegal:
                raise self._refused(CampaignFault.OVER) from None
            if after == before:
                return after
            transaction.put(found.path, CAMPAIGN.write(after))
            entry = audit_write(actor, Action.CAMPAIGN_CHANGED, id_, now, state=str(after.state))
            transaction.create(entry.path, entry.data or {})
            if before.halt is not None:
                await tell_staff(transaction, clinic.id, before.subject, None, now)
            return after

        campaign = await transact(self.documents, attempt)
        self.wake(campaign)
        return campaign

    def _refused(self, fault: CampaignFault, **values: str) -> CampaignRefused:
        return CampaignRefused(fault, self.texts.refusal(fault, **values))
