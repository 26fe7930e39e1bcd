"""`gendei templates`: the approved templates that a clinic's messages need outside the 24-hour window."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from gendei.channel_kinds import capabilities
from gendei.cli.language import say, worded
from gendei.cli.offers import checked, do
from gendei.cli.stored import ClinicOption, Stored, in_store
from gendei.commands import message_templates as commands
from gendei.conversation.outbound.templates import TemplateReport, Templates
from gendei.errors import NotFound
from gendei.observing.logs import escaped
from gendei.staff.clinic_changes.refusing import ChangeRefused
from gendei.staff.templates.clinic_templates import Made, TemplateRefused


def list_templates(clinic: ClinicOption) -> None:
    """List the templates of the clinic file, and what was approved when they were last looked up."""
    reports, needed = _list(clinic)
    _print(reports, needed=needed)


def sync(clinic: ClinicOption) -> None:
    """Ask Meta what is approved, and remember it. Ends with status 1 where a template cannot be used."""
    try:
        state = do(commands.LOOK_UP_TEMPLATES, commands.NoTemplates(), clinic)
    except TemplateRefused as refused:
        none = NotFound(f"the clinic {clinic} has no Meta number, and only those have templates")
        raise refused.__cause__ or none from None
    reports = sorted((each.report for each in state.purposes if each.report), key=lambda report: report.purpose)
    _print(reports)
    if any(report.problem for report in reports):
        raise typer.Exit(1)


def create(
    clinic: ClinicOption,
    purpose: Annotated[str, typer.Argument(help="What it is for: reminder, confirmation, ...")],
    body: Annotated[str, typer.Argument(help="The text, with {patient} and the others where the values stand.")],
    name: Annotated[str, typer.Option("--name", help="Its name at Meta; left out, one that follows of the text.")] = "",
) -> None:
    """Make a template of the clinic's own words at Meta, in place of what served the purpose."""
    with _refusals_told():
        given = checked(commands.CreateTemplate, {"purpose": purpose, "body": body, "name": name})
        _print_made([do(commands.CREATE_TEMPLATE, given, clinic)])


def setup(
    clinic: ClinicOption,
    purposes: Annotated[list[str] | None, typer.Argument(metavar="PURPOSE...", help="Left out: all that lack.")] = None,
) -> None:
    """Make the product's own templates at Meta, and write them into the clinic. Ends with status 1 where one failed."""
    with _refusals_told():
        made = do(commands.SET_UP_TEMPLATES, commands.SetUpTemplates(purposes=purposes or []), clinic)
    _print_made(made)
    if any(each.fault for each in made):
        raise typer.Exit(1)


def _print_made(made: list[Made]) -> None:
    for each in made:
        told = each.text if each.fault else worded("was there") if each.was_there else worded("made")
        print(escaped(f"{each.purpose:<14} {each.name}: {' '.join(filter(None, (told, each.status)))}"))
    if not made:
        say("The clinic has a template for every purpose.")


@contextmanager
def _refusals_told() -> Iterator[None]:
    """A refusal ends the command with its sentence, and status 1."""
    try:
        yield
    except (TemplateRefused, ChangeRefused) as refused:
        print(escaped(refused.text), file=sys.stderr)
        raise typer.Exit(1) from None


@in_store
async def _list(stored: Stored, clinic_id: str) -> tuple[list[TemplateReport], bool]:
    """The templates, and whether any channel of the clinic's needs them."""
    clinic = await stored.clinic(clinic_id)
    needed = any(capabilities(channel.provider).has_window for channel in clinic.channels)
    return await Templates(stored.documents, stored.clock).report(clinic), needed


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
