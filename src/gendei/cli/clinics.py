"""`gendei clinics list, export`: what stands in the store."""

from typing import Annotated

import typer

from gendei.cli.language import worded
from gendei.cli.stored import AsJson, Stored, in_store, print_list
from gendei.clinic import Clinic
from gendei.clinics.written import yaml_of
from gendei.errors import NotFound

OfClinic = Annotated[str, typer.Argument(metavar="ID", help="The clinic's id.")]


def list_clinics(as_json: AsJson = False) -> None:
    """List the clinics in the store, with their channels."""
    nothing = "There is no clinic. Add one with `gendei clinics import FILE`."
    print_list(_all(), _line, nothing, aside=True, row=_row if as_json else None)


def _line(clinic: Clinic) -> str:
    numbers = ", ".join(f"{channel.provider} {channel.external_id}" for channel in clinic.channels)
    return f"{clinic.id}: {clinic.name} ({clinic.vertical}), {numbers or worded('no channel')}"


def export_clinic(clinic: OfClinic) -> None:
    """Print the file that would make a clinic as it is. Its secrets are named as variables."""
    print(_file_of(clinic), end="")


def _row(clinic: Clinic) -> dict[str, object]:
    channels = [{"provider": channel.provider, "number": channel.external_id} for channel in clinic.channels]
    return {"id": clinic.id, "name": clinic.name, "vertical": clinic.vertical, "channels": channels}


@in_store
async def _all(stored: Stored) -> tuple[Clinic, ...]:
    return stored.directory.all()


@in_store
async def _file_of(stored: Stored, clinic: str) -> str:
    found = await stored.directory.read((await stored.clinic(clinic)).id)
    if found is None:
        raise NotFound
    return yaml_of(found[1])
