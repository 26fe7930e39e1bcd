"""`gendei channels`: numbers that were stopped because the provider refuses all they send."""

from typing import Annotated

import typer

from gendei.cli.running import run
from gendei.cli.stored import opened
from gendei.clinic import ClinicId
from gendei.conversation.outbound.channel_states import ChannelStop, stopped_channels
from gendei.settings import Settings
from gendei.staff.actors import terminal


def list_channels(clinic: Annotated[str, typer.Option("--clinic", help="Only this clinic's, by its id.")] = "") -> None:
    """List the numbers that are stopped, why and since when."""
    stops = run(_stops(Settings.load(), clinic, ""))
    for stop in stops:
        print(
            f"{stop.clinic_id}: {stop.provider} {stop.external_id} ({stop.scope}) "
            f"since {stop.since:%Y-%m-%d %H:%M}, {stop.reason}"
        )
    if not stops:
        print("No number is stopped.")


def resume(
    clinic: Annotated[str, typer.Option("--clinic", help="The clinic's id.")],
    number: Annotated[str, typer.Option("--number", help="One number, as `gendei channels list` prints it.")] = "",
) -> None:
    """Let a clinic's stopped numbers send again; what waited goes within seconds.

    Importing the clinic with a new access token does the same."""
    for stop in run(_resume(Settings.load(), clinic, number)):
        print(f"{stop.provider} {stop.external_id} sends again")


async def _stops(settings: Settings, clinic: str, number: str) -> list[ChannelStop]:
    async with opened(settings) as stored:
        found = await stopped_channels(stored.documents)
        return [stop for stop in found if clinic in {"", stop.clinic_id} and number in {"", stop.external_id}]


async def _resume(settings: Settings, clinic: str, number: str) -> list[ChannelStop]:
    async with opened(settings) as stored:
        return await stored.operation.resume(terminal(ClinicId(clinic)), number)
