"""Bring clinics into the store."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from gendei.cli.language import print_warnings, worded
from gendei.cli.offers import do
from gendei.cli.running import counted, on_terminal
from gendei.cli.stored import opened
from gendei.clinic import Clinic
from gendei.clinics.field_paths import FieldChange
from gendei.clinics.file import load_clinics, warnings_of
from gendei.commands.new_clinics import COMPARE_CLINIC_FILES, IMPORT_CLINICS, CompareClinics, ImportClinics
from gendei.commands.operation import OperatorCall
from gendei.datafile import data_dir
from gendei.environment import environment
from gendei.observing.logs import escaped
from gendei.secrets import SecretBox
from gendei.settings import Settings
from gendei.staff.actors import terminal
from gendei.staff.clinic_changes.file_import import FileComparison, Keep
from gendei.verticals import load_verticals

Files = Annotated[list[Path], typer.Argument(metavar="FILE...", help="Clinic files (YAML).")]
Ours = Annotated[bool, typer.Option("--ours", help="Keep what staff changed since the last import.")]
Theirs = Annotated[bool, typer.Option("--theirs", help="Take the file's in place of what staff changed.")]
_LONGEST = 80


def import_clinics(files: Files, ours: Ours = False, theirs: Theirs = False) -> None:
    """Add clinics to the store, or replace them. A running service takes the change at once."""
    if ours and theirs:
        raise typer.BadParameter("--ours and --theirs cannot both hold", param_hint="--ours")
    settings = Settings.load()
    clinics = read_clinics(settings, files)
    print_warnings(warnings_of(files, environment()))
    compared = do(COMPARE_CLINIC_FILES, CompareClinics(clinics=clinics))
    for clinic, comparison in zip(clinics, compared, strict=True):
        _print_difference(clinic, comparison)
    keep = Keep.OURS if ours else Keep.THEIRS if theirs else None
    if keep is None and any(comparison.disputed for comparison in compared) and on_terminal():
        keep = _asked()
    do(IMPORT_CLINICS, ImportClinics(clinics=clinics, keep=keep))
    for clinic in clinics:
        services = counted(len(clinic.services), "service")
        print(f"{clinic.id}: {clinic.name}, {services}, {counted(len(clinic.professionals), 'professional')}")


def _asked() -> Keep:
    """Whose word counts. Raises typer.Abort without an answer."""
    said = str(typer.prompt(worded("Keep what staff changed (ours), or take the file's (theirs)?"))).strip().casefold()
    if said not in set(Keep):
        raise typer.Abort
    return Keep(said)


def _print_difference(clinic: Clinic, comparison: FileComparison) -> None:
    """Aside, for people; a script hears of it where somebody has to decide."""
    if not comparison.disputed and not on_terminal():
        return
    disputed = {conflict.field for conflict in comparison.disputed}
    for field in comparison.fields:
        if field.field not in disputed and (not field.is_order or field.reorders):
            print(f"{clinic.id}: {change_line(field)}", file=sys.stderr)
    for conflict in comparison.disputed:
        what = FieldChange(conflict.field, conflict.now, conflict.mine, conflict.secret)
        by = f" ({conflict.name}, {conflict.at:%Y-%m-%d %H:%M})" if conflict.at else ""
        print(f"{clinic.id}: {worded('changed by staff')}: {change_line(what)}{escaped(by)}", file=sys.stderr)


def read_clinics(settings: Settings, files: list[Path], extra: dict[str, str] | None = None) -> tuple[Clinic, ...]:
    """The clinics of these files, sealed with the settings' key. `extra`: more values for "${NAME}"."""
    box = SecretBox(settings.key)
    verticals = load_verticals(data_dir("verticals", settings.verticals_dir))
    values = {**environment(), **(extra or {})}
    return load_clinics(files, values, verticals, box, settings.private_networks)


async def store_clinics(settings: Settings, clinics: tuple[Clinic, ...]) -> None:
    """Add clinics to a store, with all that staff changed."""
    async with opened(settings) as stored:
        given = ImportClinics(clinics=clinics, keep=Keep.OURS)
        await IMPORT_CLINICS.do(OperatorCall(stored, terminal()), given)


def change_line(field: FieldChange) -> str:
    """A change of a field, on a line."""
    if field.secret:
        return escaped(f"{field.field}: {worded('another secret')}")
    return escaped(f"{field.field}: {_shown(field.old)} -> {_shown(field.new)}")


def _shown(value: Any) -> str:
    if value is None:
        return "-"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
