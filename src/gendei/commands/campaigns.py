"""The clinic's campaigns: seen before they begin, begun, paused, gone on with, stopped; and patients' word about
marketing. None is a tool: what costs money for each of thousands is begun by a person, who has seen the price."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import AwareDatetime, Field

from gendei.campaigns.campaign import MOST_PER_MINUTE, Campaign, CampaignAudience, CampaignState, Halt
from gendei.campaigns.campaign_office import CampaignOffice, CampaignPlan, CampaignWish
from gendei.campaigns.campaign_texts import campaign_texts
from gendei.campaigns.recipient import Recipient, Result
from gendei.commands.command import Arguments, Call, Command
from gendei.commands.fields import Address, Id
from gendei.commands.shapes import Shape
from gendei.conversation.stored.outreach import ConsentWay, Outreach
from gendei.staff.actors import Right


class NoCampaigns(Arguments):
    """No arguments."""


class PreviewCampaign(Arguments):
    """Of those who agreed to marketing, and did not take it back."""

    months: Annotated[int, Field(ge=0, le=60, description="Their last visit is at least so many months ago.")] = 0
    service_ids: Annotated[
        tuple[Id, ...], Field(max_length=50, description="They came for one of these. Empty: for anything.")
    ] = ()
    without_coming: Annotated[bool, Field(description="They have no appointment ahead.")] = True
    daily_limit: Annotated[
        int | None,
        Field(ge=1, le=1_000_000, description="Meta's limit of the portfolio, as WhatsApp Manager shows it."),
    ] = None

    @property
    def audience(self) -> CampaignAudience:
        return CampaignAudience(self.months, frozenset(self.service_ids), self.without_coming)


class StartCampaign(PreviewCampaign):
    name: Annotated[str, Field(min_length=1, max_length=80, description="For staff.", examples=["Volta às aulas"])]
    recipients: Annotated[
        int, Field(ge=0, description="As many as the preview told. Where there are more now, nothing begins.")
    ]
    per_minute: Annotated[int, Field(ge=1, le=MOST_PER_MINUTE, description="Messages a minute, at the most.")] = 30


class OneCampaign(Arguments):
    campaign: Id


class SetMarketingConsent(Arguments):
    contact: Address
    agreed: Annotated[bool, Field(description="What the patient said to staff: yes, or no more.")]


async def list_campaigns(call: Call, given: NoCampaigns) -> list[Campaign]:
    """The clinic's campaigns with their figures, the newest first."""
    return await _office(call).all(call.actor)


async def preview_campaign(call: Call, given: PreviewCampaign) -> CampaignPlan:
    """How many patients a campaign would go to now, and what it would cost. Nothing is changed."""
    return await _office(call).plan(call.actor, given.audience, given.daily_limit)


async def start_campaign(call: Call, given: StartCampaign) -> Campaign:
    """Begin a campaign by the clinic's marketing template. It sends by itself, at a pace, outside of quiet hours, and
    within Meta's limit; it is halted where something speaks against it."""
    wish = CampaignWish(given.name, given.audience, given.per_minute, given.daily_limit)
    return await _office(call).start(call.actor, wish, given.recipients)


async def list_recipients(call: Call, given: OneCampaign) -> tuple[Campaign, list[Recipient]]:
    """Everybody whom a campaign goes to, and what became of their messages."""
    return await _office(call).recipients(call.actor, given.campaign)


async def pause_campaign(call: Call, given: OneCampaign) -> Campaign:
    """Let nothing of a campaign leave until somebody goes on with it."""
    return await _office(call).pause(call.actor, given.campaign)


async def go_on_with_campaign(call: Call, given: OneCampaign) -> Campaign:
    """Go on with a campaign that was paused or halted."""
    return await _office(call).go_on(call.actor, given.campaign)


async def stop_campaign(call: Call, given: OneCampaign) -> Campaign:
    """End a campaign for ever: who did not get it does not get it any more."""
    return await _office(call).stop(call.actor, given.campaign)


async def set_marketing_consent(call: Call, given: SetMarketingConsent) -> Outreach:
    """Write down what a patient said about marketing. A no holds for the next message that leaves."""
    return await _office(call).set_consent(call.actor, given.contact, agreed=given.agreed)


def _office(call: Call) -> CampaignOffice:
    desks = call.desks
    templates = desks.templates.templates
    stored = desks.documents, desks.clinics, desks.clock
    return CampaignOffice(*stored, templates, desks.clinic_changes, desks.wake_campaign)


LIST_CAMPAIGNS = Command(list_campaigns, right=Right.MANAGE)
PREVIEW_CAMPAIGN = Command(preview_campaign, right=Right.MANAGE)
START_CAMPAIGN = Command(start_campaign, right=Right.MANAGE)
LIST_RECIPIENTS = Command(list_recipients, right=Right.MANAGE)
PAUSE_CAMPAIGN = Command(pause_campaign, right=Right.MANAGE)
GO_ON_WITH_CAMPAIGN = Command(go_on_with_campaign, right=Right.MANAGE)
STOP_CAMPAIGN = Command(stop_campaign, right=Right.MANAGE, destructive=True)
SET_MARKETING_CONSENT = Command(set_marketing_consent, right=Right.WRITE)


class FiguresOut(Shape):
    """`notNow`: WhatsApp did not deliver it for now, and it is tried again. `failed`: by Meta's code, "other" where it
    gave none; `skipped`: by the reason. `booked`: who booked within 14 days."""

    recipients: int
    waiting: int
    not_now: int
    sent: int
    delivered: int
    read: int
    answered: int
    opted_out: int
    booked: int
    failed: Mapping[str, int]
    skipped: Mapping[str, int]


class CampaignOut(Shape):
    """`halt`: why the service halted it, and `toDo` what to do, in Portuguese. `costMicros`: of what was delivered, in
    millionths of a US dollar. `countedAt`: when the figures were counted."""

    id: str
    name: str
    template: str
    state: CampaignState
    halt: Halt | None
    to_do: str
    months: int
    service_ids: list[str]
    without_coming: bool
    per_minute: int
    created_at: AwareDatetime
    ends_at: AwareDatetime
    by: str
    figures: FiguresOut
    counted_at: AwareDatetime | None
    cost_micros: int

    @classmethod
    def at(cls, campaign: Campaign) -> "CampaignOut":
        return cls.of(
            campaign,
            template=campaign.template[0],
            to_do=campaign_texts().halted(campaign, campaign.halt) if campaign.halt else "",
            months=campaign.audience.months,
            service_ids=sorted(campaign.audience.service_ids),
            without_coming=campaign.audience.without_coming,
            figures=FiguresOut.of(campaign.figures),
        )


class RecipientOut(Shape):
    """`reason`: Meta's code where it failed, or why it was not sent. The moments are of the last message to them, and
    of what followed within 14 days."""

    contact: str
    patient_id: str
    patient_name: str
    result: Result
    reason: str
    sent_at: AwareDatetime | None
    answered_at: AwareDatetime | None
    booked_at: AwareDatetime | None
    opted_out_at: AwareDatetime | None


class RecipientsOut(Shape):
    """By name."""

    items: list[RecipientOut]

    @classmethod
    def of_campaign(cls, found: tuple[Campaign, list[Recipient]]) -> "RecipientsOut":
        return cls(items=[RecipientOut.of(each) for each in found[1]])


class CampaignsOut(Shape):
    """The newest first."""

    items: list[CampaignOut]


class CampaignPlanOut(Shape):
    """`recipients`: whom it would go to. Who fits else and does not get it: `withoutConsent` never agreed to marketing,
    `stopped` took it back, `lately` got another campaign in the last week. `priceMicros`: of one delivered message, and
    `costMicros` of all, in millionths of a US dollar. `perDay`: how many Meta's limit allows."""

    recipients: int
    without_consent: int
    stopped: int
    lately: int
    price_micros: int
    cost_micros: int
    per_day: int
    days: int
    template: str
    text: str

    @classmethod
    def at(cls, plan: CampaignPlan) -> "CampaignPlanOut":
        found = plan.audience
        beside = {name: getattr(found, name) for name in ("without_consent", "stopped", "lately")}
        return cls.of(plan, template=plan.template.name, text=plan.template.text, **beside)


class MarketingConsentOut(Shape):
    """What a contact last said about marketing. `how`: to staff, or in the conversation; null where they said nothing.
    `wants`: whether campaigns may go to them."""

    wants: bool
    agreed: bool | None
    at: AwareDatetime | None
    how: ConsentWay | None

    @classmethod
    def told_of(cls, outreach: Outreach) -> "MarketingConsentOut":
        word = outreach.marketing
        said = (word.agreed, word.at, word.how) if word else (None, None, None)
        return cls(wants=outreach.wants_marketing, agreed=said[0], at=said[1], how=said[2])
