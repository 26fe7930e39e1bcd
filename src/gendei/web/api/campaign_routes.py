"""/campaigns."""

from fastapi import APIRouter
from pydantic import ValidationError

from gendei.commands.campaigns import (
    GO_ON_WITH_CAMPAIGN,
    LIST_CAMPAIGNS,
    LIST_RECIPIENTS,
    PAUSE_CAMPAIGN,
    PREVIEW_CAMPAIGN,
    SET_MARKETING_CONSENT,
    START_CAMPAIGN,
    STOP_CAMPAIGN,
    CampaignOut,
    CampaignPlanOut,
    CampaignsOut,
    MarketingConsentOut,
    NoCampaigns,
    OneCampaign,
    RecipientsOut,
)
from gendei.errors import NotFound
from gendei.web.api.access import Reader
from gendei.web.api.access import Service as Gendei
from gendei.web.api.command_routes import CHANNEL, offer
from gendei.web.api.problems import READ_ONE

router = APIRouter(tags=["campaigns"])


@router.get("/campaigns", responses=READ_ONE, description=LIST_CAMPAIGNS.description)
async def list_campaigns(actor: Reader, gendei: Gendei) -> CampaignsOut:
    found = await LIST_CAMPAIGNS.do(await gendei.desks.call(actor, CHANNEL), NoCampaigns())
    return CampaignsOut(items=[CampaignOut.at(each) for each in found])


@router.get("/campaigns/{campaign_id}/recipients", responses=READ_ONE, description=LIST_RECIPIENTS.description)
async def list_recipients(actor: Reader, gendei: Gendei, campaign_id: str) -> RecipientsOut:
    call = await gendei.desks.call(actor, CHANNEL)
    try:
        given = OneCampaign(campaign=campaign_id)
    except ValidationError:  # no campaign has such an id
        raise NotFound from None
    return RecipientsOut.of_campaign(await LIST_RECIPIENTS.do(call, given))


offer(router, "POST /campaigns/preview", PREVIEW_CAMPAIGN, CampaignPlanOut.at, "preview_campaign")
offer(router, "POST /campaigns", START_CAMPAIGN, CampaignOut.at, "start_campaign", status_code=201)
for verb, command, name in (
    ("pause", PAUSE_CAMPAIGN, "pause_campaign"),
    ("continue", GO_ON_WITH_CAMPAIGN, "go_on_with_campaign"),
    ("stop", STOP_CAMPAIGN, "stop_campaign"),
):
    offer(router, f"POST /campaigns/{{campaign_id}}/{verb}", command, CampaignOut.at, name)
offer(
    router,
    "PUT /conversations/{contact}/marketing-consent",
    SET_MARKETING_CONSENT,
    MarketingConsentOut.told_of,
    "set_marketing_consent",
)
