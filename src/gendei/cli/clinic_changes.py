"""`gendei clinics history, set, undo`: a clinic's data, changed by fields."""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from typing import Annotated, Any

import typer
import yaml

from gendei.cli.clinics import OfClinic
from gendei.cli.data import change_line
from gendei.cli.language import say, worded
from gendei.cli.offers import checked, do
from gendei.cli.stored import AsJson, print_list
from gendei.clinics.field_paths import FieldChange
from gendei.commands import clinic_changes as commands
from gendei.commands.clinic_shapes import ClinicChangeOut
from gendei.observing.logs import escaped
from gendei.staff.clinic_changes.changes import ClinicChanged
from gendei.staff.clinic_changes.history import ClinicChange
from gendei.staff.clinic_changes.refusing import ChangeRefused, ClinicProblem

Reason = Annotated[str, typer.Option(help="Why; it stands in the history.")]
Fields = Annotated[
    list[str],
    typer.Argument(
        metavar="FIELD=VALUE...", help="As services[limpeza].price_cents=19000; without a value it says nothing."
    ),
]


def clinic_history(clinic: OfClinic, as_json: AsJson = False) -> None:
    """List what was changed of a clinic's data, the newest first."""
    found = do(commands.LIST_CLINIC_CHANGES, commands.ClinicHistory(limit=200), clinic)
    row = (lambda change: ClinicChangeOut.of(change).told()) if as_json else None
    print_list(found, _line, "Nothing was changed yet.", aside=True, row=row)


def set_clinic(
    clinic: OfClinic,
    fields: Fields,
    reason: Reason = "",
    preview: Annotated[bool, typer.Option("--preview", help="Only show what it would do.")] = False,
) -> None:
    """Change fields of a clinic's data, as its file has them."""
    version = do(commands.GET_CLINIC_DATA, commands.WholeClinic(), clinic).version
    given = {"version": version, "fields": [_field_value(text) for text in fields]}
    with _refusals_told():
        if preview:
            _print_preview(clinic, checked(commands.PreviewClinicChange, given))
        else:
            _print_change(
                do(commands.CHANGE_CLINIC, checked(commands.ChangeClinic, given | {"reason": reason}), clinic)
            )


def undo_clinic(
    clinic: OfClinic,
    revision: Annotated[int, typer.Argument(help="The version that the change made.")],
    anyway: Annotated[bool, typer.Option("--anyway", help="Also where a field was changed again since.")] = False,
    reason: Reason = "",
) -> None:
    """Take a change of a clinic's data back, by another change."""
    given = {"revision": revision, "anyway": anyway, "reason": reason}
    with _refusals_told():
        _print_change(do(commands.UNDO_CLINIC_CHANGE, checked(commands.UndoClinicChange, given), clinic))


def _field_value(text: str) -> dict[str, Any]:
    """FIELD=VALUE, the value as YAML. Raises BadParameter."""
    field, sign, value = text.partition("=")
    try:
        read = json.loads(json.dumps(yaml.safe_load(value), default=date.isoformat))
    except (yaml.YAMLError, TypeError):
        sign = ""
    if not sign:
        raise typer.BadParameter(f"{text} is not FIELD=VALUE", param_hint="FIELD=VALUE...")
    return {"field": field, "value": read}


def _print_preview(clinic: str, given: commands.PreviewClinicChange) -> None:
    seen = do(commands.PREVIEW_CLINIC_CHANGE, given, clinic)
    for field in seen.fields:
        print(change_line(field))
    for effect in seen.effects:
        print(escaped(f"{effect.text}: {'; '.join(effect.examples)}"))
    _print_problems(seen.warnings)
    _print_problems(seen.problems)
    if seen.problems:
        raise typer.Exit(1)


def _print_change(changed: ClinicChanged) -> None:
    if changed.change is None:
        say("Nothing differs.", aside=True)
    for field in changed.change.fields if changed.change else ():
        print(change_line(field))


def _print_problems(problems: Sequence[ClinicProblem]) -> None:
    for problem in problems:
        print(escaped(f"{problem.field}: {worded(problem.problem)} {worded(problem.remedy)}"), file=sys.stderr)


@contextmanager
def _refusals_told() -> Iterator[None]:
    """A refusal ends the command with its problems and conflicts, and status 1."""
    try:
        yield
    except ChangeRefused as refused:
        print(refused.text, file=sys.stderr)
        _print_problems(refused.problems)
        for conflict in refused.conflicts:
            what = FieldChange(conflict.field, conflict.now, conflict.mine, conflict.secret)
            print(f"{change_line(what)} {escaped(conflict.name)}".rstrip(), file=sys.stderr)
        raise typer.Exit(1) from None


def _line(change: ClinicChange) -> str:
    fields = "; ".join(change_line(field) for field in change.fields if not field.is_order or field.reorders)
    undone = f" ({worded('undoes')} {change.undoes})" if change.undoes else ""
    return f"{change.revision}  {change.at:%Y-%m-%d %H:%M}  {change.name}  {change.source}{undone}  {fields}"
