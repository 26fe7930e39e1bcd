"""`gendei audit`: who did what, and when."""

from dataclasses import asdict, replace
from datetime import UTC, tzinfo
from typing import Annotated

import typer

from gendei.cli.stored import AsJson, Stored, in_store, print_list
from gendei.staff.actors import terminal
from gendei.staff.audit import PAGE, Action, AuditEntry


def audit(
    clinic: Annotated[str, typer.Option("--clinic", help="The clinic's id; without it, what operators did.")] = "",
    user: Annotated[str, typer.Option(help="Only what this user or token did.")] = "",
    action: Annotated[
        Action | None, typer.Option(metavar="ACTION", help="Only this, as the list names it: token.created.")
    ] = None,
    subject: Annotated[str, typer.Option(help="Only what was done to this: an id or a contact.")] = "",
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many, the newest first.")] = PAGE,
    as_json: AsJson = False,
) -> None:
    """List what was seen, written, taken over, moved or cancelled. Entries are never changed or removed."""
    print_list(_found(clinic, user, action, subject, limit), _line, "Nothing.", row=asdict if as_json else None)


def _line(entry: AuditEntry) -> str:
    detail = " ".join(f"{name}={_told(value)}" for name, value in entry.detail.items())
    line = f"{entry.at:%Y-%m-%d %H:%M:%S %z}  {entry.user_id}  {entry.action}  {entry.subject}  {detail}"
    return line.rstrip()


def _told(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


@in_store
async def _found(
    stored: Stored, clinic: str, user: str, action: Action | None, subject: str, limit: int
) -> list[AuditEntry]:
    zone: tzinfo = UTC
    actor, staff = terminal(), stored.staff
    if clinic:
        known = await stored.clinic(clinic)
        actor, zone = terminal(known.id), known.timezone
    who = await staff.accounts.known_as(actor, user) if user else None
    entries = await staff.audit.search(actor, user_id=who, action=action, subject=subject or None, limit=limit)
    return [replace(entry, at=entry.at.astimezone(zone)) for entry in entries]
