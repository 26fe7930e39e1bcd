"""`gendei channels`: numbers that were stopped because the provider refuses all they send."""

from gendei.cli.language import say, worded
from gendei.cli.offers import offers
from gendei.cli.stored import ClinicOption, OnlyClinic, Stored, in_store, print_list
from gendei.commands.operation import RESUME_NUMBERS
from gendei.conversation.outbound.channel_states import ChannelStop, stopped_channels


def list_channels(clinic: OnlyClinic = "") -> None:
    """List the numbers that are stopped, why and since when."""
    print_list([stop for stop in _stopped() if clinic in {"", stop.clinic_id}], _line, "No number is stopped.")


@offers(RESUME_NUMBERS, clinic=ClinicOption)
def resume(stops: list[ChannelStop]) -> None:
    """Let a clinic's stopped numbers send again; what waited goes within seconds.

    Importing the clinic with a new access token does the same."""
    for stop in stops:
        say(f"{stop.provider} {stop.external_id} sends again")


def _line(stop: ChannelStop) -> str:
    number = f"{stop.clinic_id}: {stop.provider} {stop.external_id} ({stop.scope})"
    return f"{number} {worded('since')} {stop.since:%Y-%m-%d %H:%M}, {stop.reason}"


@in_store
async def _stopped(stored: Stored) -> list[ChannelStop]:
    return await stopped_channels(stored.documents)
