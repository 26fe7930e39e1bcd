"""Bring clinics into the store."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from gendei.cli.clinics import change_line, imports_of
from gendei.cli.language import print_warnings, worded
from gendei.cli.running import counted, on_terminal, run
from gendei.cli.stored import AsJson, Stored, in_store, opened, print_list
from gendei.clinic import Clinic
from gendei.clinics.field_paths import FieldChange
from gendei.clinics.file import load_clinics, warnings_of
from gendei.datafile import data_dir
from gendei.environment import environment
from gendei.observing.logs import escaped
from gendei.secrets import SecretBox
from gendei.settings import Settings
from gendei.staff.actors import terminal
from gendei.staff.clinic_changes.file_import import FileComparison, Keep, StaffChanged
from gendei.verticals import load_verticals

Files = Annotated[list[Path], typer.Argument(metavar="FILE...", help="Clinic files (YAML).")]


Ours = Annotated[bool, typer.Option("--ours", help="Keep what staff changed since the last import.")]
Theirs = Annotated[bool, typer.Option("--theirs", help="Take the file's in place of what staff changed.")]


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


def list_clinics(as_json: AsJson = False) -> None:
    """List the clinics in the store, with their channels."""
    nothing = "There is no clinic. Add one with `gendei clinics import FILE`."
    print_list(_all(), _line, nothing, aside=True, row=_row if as_json else None)


def _line(clinic: Clinic) -> str:
    numbers = ", ".join(f"{channel.provider} {channel.external_id}" for channel in clinic.channels)
    return f"{clinic.id}: {clinic.name} ({clinic.vertical}), {numbers or worded('no channel')}"


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


def _row(clinic: Clinic) -> dict[str, object]:
    channels = [{"provider": channel.provider, "number": channel.external_id} for channel in clinic.channels]
    return {"id": clinic.id, "name": clinic.name, "vertical": clinic.vertical, "channels": channels}


@in_store
async def _all(stored: Stored) -> tuple[Clinic, ...]:
    return stored.directory.all()
