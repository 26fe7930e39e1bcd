"""A clinic's campaigns as CSV: the figures of all at /campaigns.csv, the patients of one at /campaigns/{id}.csv."""

from collections.abc import Mapping
from datetime import datetime

from nicegui import app as pages
from starlette.requests import Request
from starlette.responses import Response

from gendei.campaigns.campaign import Campaign
from gendei.campaigns.recipient import Recipient, Result
from gendei.clinic import Clinic
from gendei.commands.campaigns import LIST_CAMPAIGNS, LIST_RECIPIENTS, NoCampaigns, OneCampaign
from gendei.commands.command import Call
from gendei.costs.ledger import MICRO
from gendei.errors import NotFound
from gendei.staff.actors import Forbidden
from gendei.web.pages.acting import CHANNEL, failure_texts
from gendei.web.pages.csv_files import csv_response, csv_text, literal, no_such_file
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.site import site_in
from gendei.web.sessions import actor_of

TEXTS = page_texts("campaigns")
FIGURES = ("recipients", "waiting", "sent", "delivered", "read", "answered", "booked", "opted_out")
FIGURES_FILE = "/campaigns.csv"
_MOMENTS = ("sent_at", "answered_at", "booked_at", "opted_out_at")


def recipients_file(campaign: Campaign) -> str:
    """Where the patients of a campaign are."""
    return f"/campaigns/{campaign.id}.csv"


@pages.get(FIGURES_FILE)
async def figures_csv(request: Request) -> Response:
    """All campaigns, the newest first. 404 for who does not manage the clinic."""
    try:
        call = await _call(request)
        found = await LIST_CAMPAIGNS.do(call, NoCampaigns())
    except (NotFound, Forbidden):
        return no_such_file()
    names = ["name", "state", "begun_at", "begun_by"]
    columns = [TEXTS[f"csv_{name}"] for name in names] + [TEXTS[f"figure_{name}"] for name in FIGURES]
    columns += [TEXTS[f"csv_{name}"] for name in ("not_now", "failed", "skipped", "cost")]
    return csv_response(csv_text(columns, (_figures(call.clinic, each) for each in found)), "campanhas.csv")


@pages.get("/campaigns/{campaign_id}.csv")
async def recipients_csv(request: Request, campaign_id: str) -> Response:
    """Whom a campaign goes to. 404 for who does not manage its clinic."""
    try:
        call = await _call(request)
        campaign, found = await LIST_RECIPIENTS.do(call, OneCampaign(campaign=campaign_id))
    except (NotFound, Forbidden, ValueError):
        return no_such_file()
    codes = failure_texts(site_in(request.scope)).codes
    columns = [TEXTS[f"csv_{name}"] for name in ("patient", "contact", "result", "why", *_MOMENTS)]
    rows = (_recipient(call.clinic, each, codes) for each in found)
    return csv_response(csv_text(columns, rows), f"campanha-{campaign.id}.csv")


async def _call(request: Request) -> Call:
    actor, site = await actor_of(request), site_in(request.scope)
    if actor is None:
        raise NotFound
    return await site.gendei.desks.call(actor, CHANNEL)


def _figures(clinic: Clinic, campaign: Campaign) -> list[str]:
    figures = campaign.figures
    return [
        literal(campaign.name),
        TEXTS[f"state_{campaign.state}"],
        _written(clinic, campaign.created_at),
        literal(campaign.by),
        *(str(getattr(figures, name)) for name in FIGURES),
        str(figures.not_now),
        str(sum(figures.failed.values())),
        str(sum(figures.skipped.values())),
        f"{campaign.cost_micros / MICRO:.4f}".replace(".", ","),
    ]


def _recipient(clinic: Clinic, recipient: Recipient, codes: Mapping[str, str]) -> list[str]:
    return [
        literal(recipient.patient_name),
        literal(recipient.contact),
        TEXTS[f"result_{recipient.result}"],
        literal(why_not(recipient.result, recipient.reason, codes)),
        *(_written(clinic, getattr(recipient, name)) for name in _MOMENTS),
    ]


def why_not(result: Result, reason: str, codes: Mapping[str, str]) -> str:
    """Why somebody has not got it, for staff; "" where they have. codes: what is said of Meta's codes."""
    if result is Result.SKIPPED:
        return TEXTS.get(f"skipped_{reason}", TEXTS["skipped_other"])
    if result in {Result.FAILED, Result.NOT_NOW}:
        return codes.get(reason) or TEXTS.get(f"failed_{reason}") or TEXTS("failed_code", code=reason)
    return ""


def _written(clinic: Clinic, moment: datetime | None) -> str:
    return f"{clinic.local(moment):%d/%m/%Y %H:%M}" if moment is not None else ""
