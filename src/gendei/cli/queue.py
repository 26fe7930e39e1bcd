"""`gendei queue`: what waits, is in doubt, failed or is parked; try it again, or give it up."""

import json
import sys
from datetime import UTC, datetime
from typing import Annotated

import typer

from gendei.cli.running import counted, run
from gendei.cli.stored import opened
from gendei.clinic import ClinicId
from gendei.conversation.backlog import Item
from gendei.errors import GendeiError
from gendei.observing.logs import escaped
from gendei.observing.subject import Pseudonyms
from gendei.settings import Settings
from gendei.staff.actors import terminal
from gendei.telemetry import pseudonyms

ClinicOption = Annotated[str, typer.Option("--clinic", help="Only this clinic's, by its id.")]
Ids = Annotated[list[str] | None, typer.Argument(metavar="[ID...]", help="As `gendei queue show` prints them.")]


class NothingNamed(GendeiError):
    """Nothing was named. Give the ids that `gendei queue show` prints."""


def show(
    clinic: ClinicOption = "",
    failed: Annotated[bool, typer.Option("--failed", help="Only what failed or is parked: somebody must act.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="An array of objects, for scripts.")] = False,
) -> None:
    """List messages to be sent that wait, are in doubt or failed, and parked ones, oldest first, without their words;
    also events of the agenda on which a follower failed too often.

    What waits says when it is due: perhaps only after quiet hours.
    With --json also the hash by which logs and traces call the conversation."""
    settings = Settings.load()
    items = [item for item in run(_show(settings, clinic)) if item.trouble.failed or not failed]
    if as_json:
        print(json.dumps([_row(item, pseudonyms(settings)) for item in items], ensure_ascii=False, indent=2))
        return
    if not items:
        print(f"Nothing {'' if failed else 'waits to be sent, '}failed or is parked.", file=sys.stderr)
    for item in items:
        due = f"due {_moment(item.due_at)}" if item.due_at else ""
        line = (
            f"{_moment(item.since)}  {item.trouble:<8}  {item.conversation.text}  {counted(item.attempts, 'attempt')}  "
            f"{', '.join(filter(None, (item.reason, due))) or '-'} [{item.id}]"
        )
        print(escaped(line))


def replay(
    ids: Ids = None,
    failed: Annotated[bool, typer.Option("--failed", help="All that failed or is parked.")] = False,
    clinic: ClinicOption = "",
) -> None:
    """Send failed messages again, and answer parked ones: a running service takes them up within seconds."""
    print(f"{run(_replay(Settings.load(), clinic, ids or [], failed))} again on their way")


def drop(ids: Ids = None, clinic: ClinicOption = "") -> None:
    """Give messages up for good."""
    print(f"{run(_drop(Settings.load(), clinic, ids or []))} dropped")


async def _show(settings: Settings, clinic: str) -> list[Item]:
    async with opened(settings) as stored:
        return await stored.operation.queue(terminal(ClinicId(clinic)))


async def _replay(settings: Settings, clinic: str, ids: list[str], failed: bool) -> int:
    async with opened(settings) as stored:
        actor, operation = terminal(ClinicId(clinic)), stored.operation
        chosen = [item.id for item in await operation.queue(actor) if item.trouble.failed] if failed else ids
        if not chosen and not failed:
            raise NothingNamed("Nothing was named. Give the ids that `gendei queue show` prints, or --failed.")
        for item_id in chosen:
            await operation.replay(actor, item_id)
        return len(chosen)


async def _drop(settings: Settings, clinic: str, ids: list[str]) -> int:
    if not ids:
        raise NothingNamed
    async with opened(settings) as stored:
        for item_id in ids:
            await stored.operation.drop(terminal(ClinicId(clinic)), item_id)
        return len(ids)


def _moment(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def _row(item: Item, names: Pseudonyms) -> dict[str, str | int | None]:
    return {
        "id": item.id,
        "trouble": str(item.trouble),
        "clinicId": item.conversation.clinic_id,
        "contact": item.conversation.contact,
        "conversation": names.of(item.conversation.text),
        "since": item.since.isoformat(),
        "dueAt": item.due_at.isoformat() if item.due_at else None,
        "attempts": item.attempts,
        "reason": item.reason,
    }
