"""Commands of `gendei.commands` in the terminal: what they take becomes the parser's arguments and options."""

import functools
from collections.abc import Callable
from inspect import Parameter, Signature
from typing import Annotated, Any

import typer
from pydantic import ValidationError
from pydantic.fields import FieldInfo

from gendei.cli.language import worded
from gendei.cli.running import on_terminal
from gendei.cli.stored import OnlyClinic, Stored, in_store
from gendei.clinic import ClinicId
from gendei.commands.definition import Definition, G, R
from gendei.commands.operation import OperatorCall, OperatorCommand
from gendei.staff.actors import Right, terminal

Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]


def offers(
    command: Definition[Any, G, R], *places: str, clinic: Any = None
) -> Callable[[Callable[[R], None]], Callable[..., None]]:
    """Make a function that prints what `command` answered into one that runs it. places: what is given by its place,
    without a name. clinic: ClinicOption or OnlyClinic, for what is done at a clinic.

    On a terminal, people are asked before a destructive command; scripts are not."""

    def offered(tell: Callable[[R], None]) -> Callable[..., None]:
        @functools.wraps(tell)
        def act(*, clinic: str = "", yes: bool = False, **values: Any) -> None:
            given = checked(command.arguments, values)
            if command.destructive and not yes and on_terminal():
                typer.confirm(worded("This cannot be taken back. Go on?"), abort=True)
            tell(do(command, given, clinic))

        fields = command.arguments.model_fields.items()
        taken = [_taken(name, field, by_place=name in places) for name, field in fields]
        if clinic:
            needed = Parameter.empty if clinic is not OnlyClinic else ""
            taken.append(Parameter("clinic", Parameter.KEYWORD_ONLY, default=needed, annotation=clinic))
        if command.destructive:
            taken.append(Parameter("yes", Parameter.KEYWORD_ONLY, default=False, annotation=Yes))
        act.__signature__ = Signature(taken)  # type: ignore[attr-defined]  # what typer reads
        act.__annotations__ = {parameter.name: parameter.annotation for parameter in taken}
        return act

    return offered


def _taken(name: str, field: FieldInfo, *, by_place: bool) -> Parameter:
    shown = typer.Argument(help=field.description) if by_place else typer.Option(f"--{name}", help=field.description)
    default = Parameter.empty if field.is_required() else field.default
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[field.annotation, shown])


def checked(arguments: type[G], values: dict[str, Any]) -> G:
    """The arguments of a command. Raises BadParameter, with status 2, for the first that is not valid."""
    try:
        return arguments(**values)
    except ValidationError as error:
        wrong = error.errors(include_url=False, include_input=False)[0]
        raise typer.BadParameter(wrong["msg"], param_hint=f"--{wrong['loc'][0]}") from None


@in_store
async def do(stored: Stored, command: Definition[Any, G, R], given: G, clinic: str = "") -> R:
    """Run `command` for who has the terminal. Raises NotFound where there is no such clinic, unless the command is one
    of the deployment's, which the clinic only narrows."""
    if clinic and command.right is not Right.OPERATE:
        clinic = (await stored.clinic(clinic)).id
    actor = terminal(ClinicId(clinic))
    call: Any = OperatorCall(stored, actor)
    if not isinstance(command, OperatorCommand):
        from gendei.cli.commands import desks_of  # noqa: PLC0415  # operators' commands need not wait for it

        call = await desks_of(stored).call(actor, "terminal")
    return await command.do(call, given)
