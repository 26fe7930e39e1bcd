"""`gendei queue`: what waits, is in doubt, failed or is parked; try it again, or give it up."""

from datetime import UTC, datetime
from functools import partial
from typing import Annotated

import typer

from gendei.cli.language import say, worded
from gendei.cli.offers import offers
from gendei.cli.running import counted
from gendei.cli.stored import AsJson, OnlyClinic, Stored, in_store, print_list
from gendei.clinic import ClinicId
from gendei.commands.operation import DROP_MESSAGES, REPLAY_MESSAGES
from gendei.conversation.backlog import Item
from gendei.observing.subject import Pseudonyms
from gendei.settings import Settings
from gendei.staff.actors import terminal
from gendei.telemetry import pseudonyms


def show(
    clinic: OnlyClinic = "",
    failed: Annotated[bool, typer.Option("--failed", help="Only what failed or is parked: somebody must act.")] = False,
    as_json: AsJson = False,
) -> None:
    """List messages to be sent that wait, are in doubt or failed, and parked ones, oldest first, without their words;
    also events of the agenda on which a follower failed too often.

    What waits says when it is due: perhaps only after quiet hours.
    With --json also the hash by which logs and traces call the conversation."""
    items = [item for item in _queue(clinic) if item.trouble.failed or not failed]
    nothing = "Nothing failed or is parked." if failed else "Nothing waits to be sent, failed or is parked."
    row = partial(_row, pseudonyms(Settings.load())) if as_json else None
    print_list(items, _line, nothing, aside=True, row=row)


def _line(item: Item) -> str:
    due = f"{worded('due')} {_moment(item.due_at)}" if item.due_at else ""
    return (
        f"{_moment(item.since)}  {item.trouble:<8}  {item.conversation.text}  {counted(item.attempts, 'attempt')}  "
        f"{', '.join(filter(None, (item.reason, due))) or '-'} [{item.id}]"
    )


@offers(REPLAY_MESSAGES, "ids", clinic=OnlyClinic)
def replay(count: int) -> None:
    """Send failed messages again, and answer parked ones: a running service takes them up within seconds."""
    say(f"{count} again on their way")


@offers(DROP_MESSAGES, "ids", clinic=OnlyClinic)
def drop(count: int) -> None:
    """Give messages up for good."""
    say(f"{count} dropped")


@in_store
async def _queue(stored: Stored, clinic: str) -> list[Item]:
    return await stored.operation.queue(terminal(ClinicId(clinic)))


def _moment(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def _row(names: Pseudonyms, item: Item) -> dict[str, str | int | None]:
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
