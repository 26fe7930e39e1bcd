"""Bring clinics into the store."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from gendei.booking.events import telling_imports
from gendei.cli.language import print_warnings, worded
from gendei.cli.running import counted, on_terminal, run
from gendei.cli.stored import Stored, opened
from gendei.clinic import Clinic
from gendei.clinics.directory import Directory
from gendei.clinics.field_paths import FieldChange
from gendei.clinics.file import load_clinics, warnings_of
from gendei.conversation.work.following import Following
from gendei.datafile import data_dir
from gendei.environment import environment
from gendei.observing.logs import escaped
from gendei.secrets import SecretBox
from gendei.settings import Settings
from gendei.staff.actors import terminal
from gendei.staff.clinic_changes.editing import ClinicCheck
from gendei.staff.clinic_changes.file_import import FileComparison, FileImports, Keep, StaffChanged
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
    compared = run(_compared(settings, clinics))
    for clinic, comparison in zip(clinics, compared, strict=True):
        _print_difference(clinic, comparison)
    keep = Keep.OURS if ours else Keep.THEIRS if theirs else None
    if keep is None and any(comparison.disputed for comparison in compared) and on_terminal():
        keep = _asked()
    for clinic in run(store_clinics(settings, clinics, keep)):
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


async def store_clinics(
    settings: Settings, clinics: tuple[Clinic, ...], keep: Keep | None = Keep.OURS
) -> tuple[Clinic, ...]:
    """Raises StaffChanged where `keep` is None and staff changed since what one of the files says otherwise; then no
    clinic is stored."""
    async with opened(settings) as stored:
        imports = imports_of(stored)
        disputed = [conflict for clinic in clinics for conflict in (await imports.compare(clinic)).disputed]
        if disputed and keep is None:
            raise StaffChanged(disputed)
        for clinic in clinics:
            await imports.bring(terminal(clinic.id), clinic, keep)
    return clinics


async def _compared(settings: Settings, clinics: tuple[Clinic, ...]) -> list[FileComparison]:
    async with opened(settings) as stored:
        imports = imports_of(stored)
        return [await imports.compare(clinic) for clinic in clinics]


def imports_of(stored: Stored) -> FileImports:
    """The imports of clinics' files."""
    return FileImports(stored.documents, directory_of(stored), stored.clock, check_of(stored))


def change_line(field: FieldChange) -> str:
    """A change of a field, on a line."""
    if field.secret:
        return escaped(f"{field.field}: {worded('another secret')}")
    return escaped(f"{field.field}: {_shown(field.old)} -> {_shown(field.new)}")


def directory_of(stored: Stored) -> Directory:
    """One that tells what a change frees of the agenda; a running service knows who follows."""
    documents, clock = stored.documents, stored.clock
    return Directory(documents, clock, telling_imports(Following(documents, clock, tells_all=True).tell, clock))


def check_of(stored: Stored) -> ClinicCheck:
    """The check of clinic files, for changes of single fields."""
    settings = stored.settings
    verticals = load_verticals(data_dir("verticals", settings.verticals_dir))
    return ClinicCheck(verticals, lambda: SecretBox(settings.key), settings.private_networks)


def _shown(value: Any) -> str:
    if value is None:
        return "-"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
