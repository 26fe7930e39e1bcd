"""What operators mend: messages that failed or hang, and numbers that were stopped."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Annotated, Any, Protocol

from pydantic import Field

from gendei.commands.definition import Definition, G, Given, R
from gendei.staff.actors import Actor, Right
from gendei.staff.clinic_changes.file_import import FileImports
from gendei.staff.clinic_drafts.drafts import ClinicDrafts
from gendei.staff.clinic_drafts.invitations import Invitations
from gendei.staff.operation import Operation
from gendei.staff.staff import Staff


class OperatorServices(Protocol):
    """What operators' commands work on, one store with all its clinics."""

    @property
    def staff(self) -> Staff: ...

    @property
    def operation(self) -> Operation: ...

    @property
    def file_imports(self) -> FileImports: ...

    @property
    def drafts(self) -> ClinicDrafts: ...

    @property
    def invitations(self) -> Invitations: ...


@dataclass(frozen=True, slots=True)
class OperatorCall:
    """One call by who operates the deployment, or manages the clinic that `actor` acts for."""

    services: OperatorServices
    actor: Actor


class OperatorCommand(Definition[OperatorCall, G, R]):
    """A command of the deployment; a clinic that the actor acts for narrows it."""


def command_of(
    service: Callable[[OperatorServices], object],
    method: Callable[..., Awaitable[R]],
    arguments: type[G],
    right: Right,
    *,
    destructive: bool = False,
) -> OperatorCommand[G, R]:
    """The command that does what a method of a service does, which takes the actor and these arguments."""

    async def act(call: OperatorCall, given: Any) -> R:
        return await method(service(call.services), call.actor, **dict(given))

    act.__name__, act.__doc__, act.__annotations__["given"] = method.__qualname__, method.__doc__, arguments
    return OperatorCommand(act, right=right, destructive=destructive)


class DropMessages(Given):
    ids: list[str] = Field(default=[], description="As `gendei queue show` prints them.")


class ReplayMessages(DropMessages):
    failed: Annotated[bool, Field(description="All that failed or is parked.")] = False


class ResumeNumbers(Given):
    number: Annotated[str, Field(description="One number, as `gendei channels list` prints it.")] = ""


_operation = attrgetter("operation")
REPLAY_MESSAGES = command_of(_operation, Operation.replay, ReplayMessages, Right.OPERATE)
DROP_MESSAGES = command_of(_operation, Operation.drop, DropMessages, Right.OPERATE, destructive=True)
RESUME_NUMBERS = command_of(_operation, Operation.resume, ResumeNumbers, Right.OPERATE)
