"""What operators mend: messages that failed or hang, and numbers that were stopped."""

from dataclasses import dataclass
from typing import Annotated, Protocol

from pydantic import Field

from gendei.commands.definition import Definition, G, Given, R
from gendei.conversation.outbound.channel_states import ChannelStop
from gendei.errors import GendeiError
from gendei.staff.actors import Actor, Right
from gendei.staff.operation import Operation
from gendei.staff.staff import Staff


class Deployment(Protocol):
    """What operators' commands work on, one store with all its clinics."""

    @property
    def staff(self) -> Staff: ...

    @property
    def operation(self) -> Operation: ...


@dataclass(frozen=True, slots=True)
class OperatorCall:
    """One call by who operates the deployment, or manages the clinic that `actor` acts for."""

    deployment: Deployment
    actor: Actor


class OperatorCommand(Definition[OperatorCall, G, R]):
    """A command of the deployment; a clinic that the actor acts for narrows it."""


class NothingNamed(GendeiError):
    """Nothing was named. Give the ids that `gendei queue show` prints."""


class DropMessages(Given):
    ids: list[str] = Field(default=[], description="As `gendei queue show` prints them.")


class ReplayMessages(DropMessages):
    failed: Annotated[bool, Field(description="All that failed or is parked.")] = False


class ResumeNumbers(Given):
    number: Annotated[str, Field(description="One number, as `gendei channels list` prints it.")] = ""


async def replay_messages(call: OperatorCall, given: ReplayMessages) -> int:
    """Send failed messages again, and answer parked ones; how many. Raises NothingNamed, NotFound and NotPossible."""
    operation = call.deployment.operation
    ids = [item.id for item in await operation.queue(call.actor) if item.trouble.failed] if given.failed else given.ids
    if not ids and not given.failed:
        raise NothingNamed("Nothing was named. Give the ids that `gendei queue show` prints, or --failed.")
    for item_id in ids:
        await operation.replay(call.actor, item_id)
    return len(ids)


async def drop_messages(call: OperatorCall, given: DropMessages) -> int:
    """Give messages up for good; how many. Raises NothingNamed, NotFound and NotPossible."""
    if not given.ids:
        raise NothingNamed
    for item_id in given.ids:
        await call.deployment.operation.drop(call.actor, item_id)
    return len(given.ids)


async def resume_numbers(call: OperatorCall, given: ResumeNumbers) -> list[ChannelStop]:
    """Let a stopped number, or all, send again. Raises NotFound where none such is stopped."""
    return await call.deployment.operation.resume(call.actor, given.number)


REPLAY_MESSAGES = OperatorCommand(replay_messages, right=Right.OPERATE)
DROP_MESSAGES = OperatorCommand(drop_messages, right=Right.OPERATE, destructive=True)
RESUME_NUMBERS = OperatorCommand(resume_numbers, right=Right.OPERATE)
