"""`gendei channels`: numbers that were stopped because the provider refuses all they send."""

from gendei.cli.offers import offers
from gendei.cli.stored import ClinicOption, OnlyClinic, Stored, in_store
from gendei.commands.operation import RESUME_NUMBERS
from gendei.conversation.outbound.channel_states import ChannelStop, stopped_channels


def list_channels(clinic: OnlyClinic = "") -> None:
    """List the numbers that are stopped, why and since when."""
    stops = [stop for stop in _stopped() if clinic in {"", stop.clinic_id}]
    for stop in stops:
        print(
            f"{stop.clinic_id}: {stop.provider} {stop.external_id} ({stop.scope}) "
            f"since {stop.since:%Y-%m-%d %H:%M}, {stop.reason}"
        )
    if not stops:
        print("No number is stopped.")


@offers(RESUME_NUMBERS, clinic=ClinicOption)
def resume(stops: list[ChannelStop]) -> None:
    """Let a clinic's stopped numbers send again; what waited goes within seconds.

    Importing the clinic with a new access token does the same."""
    for stop in stops:
        print(f"{stop.provider} {stop.external_id} sends again")


@in_store
async def _stopped(stored: Stored) -> list[ChannelStop]:
    return await stopped_channels(stored.documents)
