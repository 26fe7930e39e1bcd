"""Bring clinics into the store."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from gendei.booking.events import telling_imports
from gendei.cli.running import counted, run
from gendei.clinic import Clinic
from gendei.clinics.directory import Directory
from gendei.clinics.file import load_clinics
from gendei.conversation.work.following import Following
from gendei.datafile import data_dir
from gendei.secrets import SecretBox
from gendei.settings import Settings, environment
from gendei.store.opening import open_documents
from gendei.verticals import load_verticals

Files = Annotated[list[Path], typer.Argument(metavar="FILE...", help="Clinic files (YAML).")]


def import_clinics(files: Files) -> None:
    """Add clinics to the store, or replace them. A running service takes the change at once."""
    settings = Settings.load()
    clinics = read_clinics(settings, files)
    for clinic in run(store_clinics(settings, clinics)):
        services = counted(len(clinic.services), "service")
        print(f"{clinic.id}: {clinic.name}, {services}, {counted(len(clinic.professionals), 'professional')}")


def list_clinics(
    as_json: Annotated[bool, typer.Option("--json", help="An array of objects, for scripts.")] = False,
) -> None:
    """List the clinics in the store, with their channels."""
    clinics = run(_all(Settings.load()))
    if as_json:
        print(json.dumps([_row(clinic) for clinic in clinics], ensure_ascii=False, indent=2))
        return
    for clinic in clinics:
        numbers = ", ".join(f"{channel.provider} {channel.external_id}" for channel in clinic.channels)
        print(f"{clinic.id}: {clinic.name} ({clinic.vertical}), {numbers or 'no channel'}")
    if not clinics:
        print("There is no clinic. Add one with `gendei clinics import FILE`.", file=sys.stderr)


def read_clinics(settings: Settings, files: list[Path], extra: dict[str, str] | None = None) -> tuple[Clinic, ...]:
    """The clinics of these files, sealed with the settings' key. `extra`: more values for "${NAME}"."""
    box = SecretBox(settings.secret_key.get_secret_value() if settings.secret_key else None)
    verticals = load_verticals(data_dir("verticals", settings.verticals_dir))
    values = {**environment(), **(extra or {})}
    return load_clinics(files, values, verticals, box, settings.private_networks)


async def store_clinics(settings: Settings, clinics: tuple[Clinic, ...]) -> tuple[Clinic, ...]:
    documents, clock = await open_documents(settings), settings.start_clock()
    tell = Following(documents, clock, tells_all=True).tell  # a running service knows who follows
    try:
        async with Directory(documents, clock, telling_imports(tell, clock)) as directory:
            for clinic in clinics:
                await directory.import_clinic(clinic)
    finally:
        await documents.close()
    return clinics


def _row(clinic: Clinic) -> dict[str, object]:
    channels = [{"provider": channel.provider, "number": channel.external_id} for channel in clinic.channels]
    return {"id": clinic.id, "name": clinic.name, "vertical": clinic.vertical, "channels": channels}


async def _all(settings: Settings) -> tuple[Clinic, ...]:
    documents = await open_documents(settings)
    try:
        async with Directory(documents, settings.start_clock()) as directory:
            return directory.all()
    finally:
        await documents.close()
