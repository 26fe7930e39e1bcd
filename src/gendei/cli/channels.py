"""`gendei channels`: numbers that were stopped because the provider refuses all they send."""

from typing import Annotated

import typer

from gendei.cli.running import run
from gendei.cli.stored import opened
from gendei.clinic import ClinicId
from gendei.conversation.outbound.channel_states import ChannelStop, stopped_channels
from gendei.settings import Settings
from gendei.staff.actors import terminal


def list_channels(
    clinic: Annotated[str, typer.Option("--clinic", help="Only this clinic's, by its id.")] = "",
) -> None:
    """List the numbers that are stopped, why and since when."""
    stops = run(_stops(Settings.load(), clinic, ""))
    for one in stops:
        print(
            f"{one.clinic_id}: {one.provider} {one.external_id} ({one.scope}) "
            f"since {one.since:%Y-%m-%d %H:%M}, {one.reason}"
        )
    if not stops:
        print("No number is stopped.")


def resume(
    clinic: Annotated[str, typer.Option("--clinic", help="The clinic's id.")],
    number: Annotated[str, typer.Option("--number", help="One number, as `gendei channels list` prints it.")] = "",
) -> None:
    """Let a clinic's stopped numbers send again; what waited goes within seconds.

    Importing the clinic with a new access token does the same."""
    for one in run(_resume(Settings.load(), clinic, number)):
        print(f"{one.provider} {one.external_id} sends again")


async def _stops(settings: Settings, clinic: str, number: str) -> list[ChannelStop]:
    async with opened(settings) as stored:
        found = await stopped_channels(stored.documents)
        return [one for one in found if clinic in {"", one.clinic_id} and number in {"", one.external_id}]


async def _resume(settings: Settings, clinic: str, number: str) -> list[ChannelStop]:
    async with opened(settings) as stored:
        return await stored.operation.resume(terminal(ClinicId(clinic)), number)
