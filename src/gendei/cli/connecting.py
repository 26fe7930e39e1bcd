"""`gendei channels connect, connections, continue`: connecting a number, step by step."""

import sys
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Annotated

import segno
import typer

from gendei.cli.offers import checked, do
from gendei.cli.running import on_terminal
from gendei.cli.stored import AsJson, ClinicOption, print_list
from gendei.commands import connections as commands
from gendei.commands.connections import ConnectionOut
from gendei.observing.logs import escaped
from gendei.staff.connecting.connections import SECRETS, ConnectingRefused, forms_of
from gendei.staff.connecting.ledger import Step, StepState, Way

MARKS = {StepState.OPEN: " ", StepState.DONE: "x", StepState.SKIPPED: "-", StepState.FAILING: "!"}
SCAN_SECONDS, SCAN_TRIES = 5, 60
Given = Annotated[
    list[str] | None,
    typer.Argument(metavar="FIELD=VALUE...", help="As the clinic's file names them; what is secret is asked for."),
]
Id = Annotated[str, typer.Argument(metavar="ID", help="As `gendei channels connections` prints it.")]


def connect(
    clinic: ClinicOption,
    way: Annotated[Way, typer.Option(help="How; meta_signup is gone through in the browser, at /connect.")],
    given: Given = None,
) -> None:
    """Connect a number to a clinic, as far as it goes; a running service and /connect go on with the rest.

    A secret that is not given is asked for, by a script one line each on standard input."""
    fields = _asked(forms_of(way), _fields(given or []))
    begun = checked(commands.BeginConnection, {"way": way, "fields": fields})
    _go(clinic, lambda: do(commands.BEGIN_CONNECTION, begun, clinic))


def connections(clinic: ClinicOption, as_json: AsJson = False) -> None:
    """List the numbers that are being connected or are connected, step by step."""
    found = do(commands.LIST_CONNECTIONS, commands.AllConnections(), clinic).items
    row = (lambda connection: connection.told()) if as_json else None
    print_list(found, _lines, "Nothing was connected here yet.", aside=True, row=row)


def go_on(clinic: ClinicOption, connection: Id, given: Given = None) -> None:
    """Try again what failed, with what is told now: the number that is meant, its PIN, another token or key.

    A secret that is named without a value is asked for."""
    fields = _fields(given or [])
    named = [name for name, text in fields.items() if not text]
    fields = _asked(named, fields)
    told = checked(commands.GoOnConnection, {"connection": connection, "answers": fields})
    _go(clinic, lambda: do(commands.GO_ON_CONNECTION, told, clinic))


def _go(clinic: str, act: Callable[[], ConnectionOut]) -> None:
    """Do it, print the ledger, and wait for the phone where a code has to be scanned. Ends with status 1 where a step
    fails."""
    try:
        told = act()
    except ConnectingRefused as refused:
        print(refused.text, file=sys.stderr)
        raise typer.Exit(1) from None
    print(escaped(_lines(told)))
    for _ in range(SCAN_TRIES if on_terminal() else 0):
        if not _waits_for_phone(told):
            break
        given = commands.OneConnection(connection=told.id)
        code = do(commands.GET_CONNECTION_CODE, given, clinic)
        if code.text:
            segno.make(code.text, error="l", micro=False).terminal(compact=True)
        time.sleep(SCAN_SECONDS)
        told = do(commands.GO_ON_CONNECTION, commands.GoOnConnection(connection=told.id), clinic)
        print(escaped(_lines(told)))
    if any(line.state is StepState.FAILING for line in told.lines):
        raise typer.Exit(1)


def _waits_for_phone(told: ConnectionOut) -> bool:
    return any(line.step is Step.SCAN and line.state is StepState.OPEN for line in told.lines)


def _fields(given: Sequence[str]) -> dict[str, str]:
    pairs = (text.partition("=") for text in given)
    return {name: value for name, _, value in pairs}


def _asked(names: Iterable[str], fields: dict[str, str]) -> dict[str, str]:
    """With the secrets that are missing."""
    missing = [name for name in names if name in SECRETS and not fields.get(name)]
    for name in missing:
        fields[name] = typer.prompt(name, hide_input=True) if on_terminal() else sys.stdin.readline().strip()
    return fields


def _lines(connection: ConnectionOut) -> str:
    head = f"{connection.id}  {connection.way}  {connection.number}".rstrip()
    lines = [f"  [{MARKS[line.state]}] {line.name}{f': {line.text}' if line.text else ''}" for line in connection.lines]
    bad = [f"  ! {finding.text}" for finding in connection.findings if finding.bad]
    choices = [f"      phone_number_id={choice.id}  {choice.name}" for choice in connection.choices]
    return "\n".join([head, *lines, *choices, *bad])
