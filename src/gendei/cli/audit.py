"""`gendei audit`: who did what, and when."""

from dataclasses import asdict, replace
from datetime import UTC, date, datetime, tzinfo
from typing import Annotated

import typer

from gendei.cli.stored import AsJson, Stored, in_store, print_list
from gendei.staff.actors import terminal
from gendei.staff.audit import PAGE, Action, AuditEntry, days_within

DAY = ["%Y-%m-%d"]


def audit(  # noqa: PLR0913, PLR0917  # the options of one command
    clinic: Annotated[str, typer.Option("--clinic", help="The clinic's id; without it, what operators did.")] = "",
    user: Annotated[str, typer.Option(help="Only what this user or token did.")] = "",
    action: Annotated[
        Action | None, typer.Option(metavar="ACTION", help="Only this, as the list names it: token.created.")
    ] = None,
    subject: Annotated[str, typer.Option(help="Only what was done to this: an id or a contact.")] = "",
    first: Annotated[datetime | None, typer.Option("--from", formats=DAY, help="Only from this day on.")] = None,
    last: Annotated[datetime | None, typer.Option("--to", formats=DAY, help="Only up to this day.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many, the newest first.")] = PAGE,
    as_json: AsJson = False,
) -> None:
    """List what was seen, written, taken over, moved or cancelled. Entries are never changed or removed."""
    days = first.date() if first else None, last.date() if last else None
    print_list(_found(clinic, user, action, subject, days, limit), _line, "Nothing.", row=asdict if as_json else None)


def _line(entry: AuditEntry) -> str:
    detail = " ".join(f"{name}={_told(value)}" for name, value in entry.detail.items())
    line = f"{entry.at:%Y-%m-%d %H:%M:%S %z}  {entry.user_id}  {entry.action}  {entry.subject}  {detail}"
    return line.rstrip()


def _told(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


@in_store
async def _found(
    stored: Stored,
    clinic: str,
    user: str,
    action: Action | None,
    subject: str,
    days: tuple[date | None, date | None],
    limit: int,
) -> list[AuditEntry]:
    zone: tzinfo = UTC
    actor, staff = terminal(), stored.staff
    if clinic:
        known = await stored.clinic(clinic)
        actor, zone = terminal(known.id), known.timezone
    who = await staff.accounts.known_as(actor, user) if user else None
    entries = await staff.audit.search(
        actor, user_id=who, action=action, subject=subject or None, within=days_within(*days, zone), limit=limit
    )
    return [replace(entry, at=entry.at.astimezone(zone)) for entry in entries]
