"""`gendei campaigns`: what they do, what became of each message, and how they are paused, gone on with and stopped.
They begin in the browser or by the API, where number and price are seen before."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC
from typing import Annotated

import typer

from gendei.campaigns.campaign import Campaign
from gendei.campaigns.campaign_office import CampaignPlan, CampaignRefused
from gendei.campaigns.recipient import Recipient
from gendei.cli.language import say, worded
from gendei.cli.offers import checked, do
from gendei.cli.stored import ClinicOption
from gendei.commands import campaigns as commands
from gendei.commands.command import Command
from gendei.costs.ledger import MICRO
from gendei.observing.logs import escaped

CampaignArgument = Annotated[str, typer.Argument(help="As `gendei campaigns list` prints.")]


def list_campaigns(clinic: ClinicOption) -> None:
    """List the clinic's campaigns with their figures, the newest first."""
    found = do(commands.LIST_CAMPAIGNS, commands.NoCampaigns(), clinic)
    for campaign in found:
        print(escaped(_line(campaign)))
    if not found:
        say("There are no campaigns.")


def preview(
    clinic: ClinicOption,
    months: Annotated[int, typer.Option("--months", help="Their last visit is at least so many months ago.")] = 0,
    services: Annotated[list[str] | None, typer.Option("--service", help="They came for one of these.")] = None,
) -> None:
    """Tell how many patients a campaign would go to now, and what it would cost. Nothing is changed."""
    with _refusals_told():
        given = checked(commands.PreviewCampaign, {"months": months, "service_ids": services or []})
        plan: CampaignPlan = do(commands.PREVIEW_CAMPAIGN, given, clinic)
    found = plan.audience
    told = f"US$ {plan.cost_micros / MICRO:.2f}, {plan.per_day}/{worded('day')}"
    print(f"{plan.recipients} {worded('recipients')}, {told}")
    print(f"{worded('without consent')}: {found.without_consent}; {worded('stopped')}: {found.stopped}")


def recipients(clinic: ClinicOption, campaign: CampaignArgument) -> None:
    """List whom a campaign goes to, and what became of each message."""
    with _refusals_told():
        given = checked(commands.OneCampaign, {"campaign": campaign})
        _, found = do(commands.LIST_RECIPIENTS, given, clinic)
    for recipient in found:
        print(escaped(_recipient_line(recipient)))
    if not found:
        say("This campaign goes to nobody.")


def pause(clinic: ClinicOption, campaign: CampaignArgument) -> None:
    """Let nothing of a campaign leave until somebody goes on with it."""
    _change(commands.PAUSE_CAMPAIGN, clinic, campaign)


def go_on(clinic: ClinicOption, campaign: CampaignArgument) -> None:
    """Go on with a campaign that was paused or halted."""
    _change(commands.GO_ON_WITH_CAMPAIGN, clinic, campaign)


def stop(clinic: ClinicOption, campaign: CampaignArgument) -> None:
    """End a campaign for ever: who did not get it does not get it any more."""
    _change(commands.STOP_CAMPAIGN, clinic, campaign)


def _change(command: Command[commands.OneCampaign, Campaign], clinic: str, campaign: str) -> None:
    with _refusals_told():
        print(escaped(_line(do(command, checked(commands.OneCampaign, {"campaign": campaign}), clinic))))


@contextmanager
def _refusals_told() -> Iterator[None]:
    """A refusal ends the command with its sentence, and status 1."""
    try:
        yield
    except CampaignRefused as refused:
        print(escaped(refused.text), file=sys.stderr)
        raise typer.Exit(1) from None


def _line(campaign: Campaign) -> str:
    figures, state = campaign.figures, campaign.halt or campaign.state
    counts = " ".join(
        f"{name}={getattr(figures, name)}"
        for name in "recipients waiting sent delivered read answered opted_out booked".split()
    )
    failed = f"failed={sum(figures.failed.values())} US$ {campaign.cost_micros / MICRO:.2f}"
    return f"{campaign.created_at:%Y-%m-%d %H:%M}  {campaign.name}: {state}, {counts} {failed} [{campaign.id}]"


def _recipient_line(recipient: Recipient) -> str:
    result = recipient.result or recipient.state
    reason = f" ({recipient.reason})" if recipient.reason else ""
    moments = "".join(
        f" {name}={moment.astimezone(UTC):%Y-%m-%dT%H:%MZ}"
        for name in "sent_at answered_at booked_at opted_out_at".split()
        if (moment := getattr(recipient, name))
    )
    return f"{recipient.patient_name} ({recipient.contact}): {result}{reason}{moments}"
