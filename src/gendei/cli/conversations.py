"""`gendei conversations`: those that a person has, and giving them back to the bot."""

from typing import Annotated

import typer
from pydantic import ValidationError

from gendei.cli.running import run
from gendei.cli.stored import opened
from gendei.conversation.stored.conversation import CONVERSATION, Conversation
from gendei.documents import Query
from gendei.errors import NotFound
from gendei.observing.logs import escaped
from gendei.settings import Settings
from gendei.staff.actors import terminal
from gendei.staff.inbox.actions import MAX_NOTE, TooMuch

ClinicOption = Annotated[str, typer.Option("--clinic", help="The clinic's id.")]


def waiting(clinic: ClinicOption) -> None:
    """List the conversations that a person has or that wait for one, where the bot is silent: since when and why."""
    found = run(_taken_over(Settings.load(), clinic))
    for conversation in found:
        state = "waits for a person" if conversation.waiting_for_person else "a person has it"
        since = f"{conversation.taken_over_at:%Y-%m-%d %H:%M} UTC"
        print(escaped(f"{conversation.contact}  {state} since {since}: {conversation.takeover_reason}"))
    if not found:
        print("The bot has every conversation.")


def hand_back(
    clinic: ClinicOption,
    contact: Annotated[str, typer.Option("--contact", help="The patient, as `gendei conversations waiting` prints.")],
    note: Annotated[str, typer.Option("--note", help="What was agreed meanwhile, for the bot to know.")] = "",
) -> None:
    """Give a conversation back: the bot answers the next message again, and the tasks to see to it are done."""
    run(_hand_back(Settings.load(), clinic, contact, note))
    print(f"{contact}: the bot answers again")


async def _taken_over(settings: Settings, clinic_id: str) -> list[Conversation]:
    async with opened(settings) as stored:
        clinic = await stored.clinic(clinic_id)
        taken = Query(f"gendei_clinics/{clinic.id}/conversations", where=(("isHumanTakeover", "==", True),))
        found = await stored.documents.query(taken)
    return [CONVERSATION.read(snapshot.data) for snapshot in found if snapshot.data is not None]


async def _hand_back(settings: Settings, clinic_id: str, contact: str, note: str) -> None:
    from gendei.cli.commands import desks_of  # noqa: PLC0415  # who lists conversations need not wait for it
    from gendei.commands.conversations import HAND_BACK_CONVERSATION, HandBackConversation  # noqa: PLC0415

    async with opened(settings) as stored:
        actor = terminal((await stored.clinic(clinic_id)).id)
        call = await desks_of(stored).call(actor, "terminal")
        try:
            await HAND_BACK_CONVERSATION.do(call, HandBackConversation(contact=contact, note=note))
        except NotFound:
            raise NotFound(
                f"there is no conversation {contact}; `gendei conversations waiting` shows those there are"
            ) from None
        except (TooMuch, ValidationError):
            raise typer.BadParameter(f"is longer than {MAX_NOTE} characters", param_hint="--note") from None
