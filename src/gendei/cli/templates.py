"""`gendei templates`: the approved templates that a clinic's messages need outside the 24-hour window."""

import httpx
import typer

from gendei.channel_kinds import capabilities
from gendei.cli.language import say, worded
from gendei.cli.stored import ClinicOption, Stored, in_store
from gendei.conversation.outbound.templates import TemplateReport, Templates
from gendei.errors import NotFound
from gendei.providers.meta_templates import MetaTemplates
from gendei.secrets import SecretBox


def list_templates(clinic: ClinicOption) -> None:
    """List the templates of the clinic file, and what was approved when they were last looked up."""
    reports, needed = _list(clinic)
    _print(reports, needed=needed)


def sync(clinic: ClinicOption) -> None:
    """Ask Meta what is approved, and remember it. Ends with status 1 where a template cannot be used."""
    reports = _sync(clinic)
    _print(reports)
    if any(report.problem for report in reports):
        raise typer.Exit(1)


@in_store
async def _list(stored: Stored, clinic_id: str) -> tuple[list[TemplateReport], bool]:
    """The templates, and whether any channel of the clinic's needs them."""
    clinic = await stored.clinic(clinic_id)
    needed = any(capabilities(channel.provider).has_window for channel in clinic.channels)
    return await Templates(stored.documents, stored.clock).report(clinic), needed


@in_store
async def _sync(stored: Stored, clinic_id: str) -> list[TemplateReport]:
    settings, box = stored.settings, SecretBox(stored.settings.key)
    async with httpx.AsyncClient() as client:
        clinic = await stored.clinic(clinic_id)
        meta = MetaTemplates(client, settings.graph_url, settings.graph_version, box.open_channel)
        channels = [channel for channel in clinic.channels if capabilities(channel.provider).has_window]
        if not channels:
            raise NotFound(f"the clinic {clinic_id} has no Meta number, and only those have templates")
        by_account = {channel.settings.get("waba_id"): channel for channel in channels}
        found = {found.key: found for channel in by_account.values() for found in await meta.of(channel)}
        return await Templates(stored.documents, stored.clock).sync(clinic, list(found.values()))


def _print(reports: list[TemplateReport], *, needed: bool = True) -> None:
    for report in reports:
        found = report.found
        known = f"{found.category or '-'}, {worded('quality')} {found.quality or '-'}" if found else "-"
        verdict = worded(f"cannot be used: {report.problem}" if report.problem else "ready")
        if not needed:
            verdict = worded("sent as text, as no number of the clinic needs a template")
        print(f"{report.purpose:<14} {report.wanted.name} ({report.wanted.language}): {verdict} [{known}]")
    if not reports:
        say("The clinic file names no templates.")
