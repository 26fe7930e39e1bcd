"""Bring clinics into the store."""

from pathlib import Path
from typing import Annotated

import typer

from gendei.booking.events import telling_imports
from gendei.cli.language import print_warnings, worded
from gendei.cli.running import counted, run
from gendei.cli.stored import AsJson, Stored, in_store, opened, print_list
from gendei.clinic import Clinic
from gendei.clinics.directory import Directory
from gendei.clinics.file import load_clinics, warnings_of
from gendei.conversation.work.following import Following
from gendei.datafile import data_dir
from gendei.environment import environment
from gendei.secrets import SecretBox
from gendei.settings import Settings
from gendei.verticals import load_verticals

Files = Annotated[list[Path], typer.Argument(metavar="FILE...", help="Clinic files (YAML).")]


def import_clinics(files: Files) -> None:
    """Add clinics to the store, or replace them. A running service takes the change at once."""
    settings = Settings.load()
    clinics = read_clinics(settings, files)
    print_warnings(warnings_of(files, environment()))
    for clinic in run(store_clinics(settings, clinics)):
        services = counted(len(clinic.services), "service")
        print(f"{clinic.id}: {clinic.name}, {services}, {counted(len(clinic.professionals), 'professional')}")


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


async def store_clinics(settings: Settings, clinics: tuple[Clinic, ...]) -> tuple[Clinic, ...]:
    async with opened(settings) as stored:
        documents, clock = stored.documents, stored.clock
        tell = Following(documents, clock, tells_all=True).tell  # a running service knows who follows
        directory = Directory(documents, clock, telling_imports(tell, clock))
        for clinic in clinics:
            await directory.import_clinic(clinic)
    return clinics


def _row(clinic: Clinic) -> dict[str, object]:
    channels = [{"provider": channel.provider, "number": channel.external_id} for channel in clinic.channels]
    return {"id": clinic.id, "name": clinic.name, "vertical": clinic.vertical, "channels": channels}


@in_store
async def _all(stored: Stored) -> tuple[Clinic, ...]:
    return stored.directory.all()
