"""`gendei conversations`: those that a person has, and giving them back to the bot."""

from typing import Annotated

import typer

from gendei.cli.stored import ClinicOption, Stored, in_store, print_list
from gendei.conversation.stored.conversation import CONVERSATION, Conversation
from gendei.documents import Query
from gendei.staff.inbox.actions import MAX_NOTE, TooMuch


def waiting(clinic: ClinicOption) -> None:
    """List the conversations that a person has or that wait for one, where the bot is silent: since when and why."""
    print_list(_taken_over(clinic), _line, "The bot has every conversation.")


def hand_back(
    clinic: ClinicOption,
    contact: Annotated[str, typer.Option("--contact", help="The patient, as `gendei conversations waiting` prints.")],
    note: Annotated[str, typer.Option("--note", help="What was agreed meanwhile, for the bot to know.")] = "",
) -> None:
    """Give a conversation back: the bot answers the next message again, and the tasks to see to it are done."""
    from gendei.cli.offers import checked, do  # noqa: PLC0415  # who lists conversations need not wait for it
    from gendei.commands import conversations  # noqa: PLC0415

    given = checked(conversations.HandBackConversation, {"contact": contact, "note": note})
    try:
        do(conversations.HAND_BACK_CONVERSATION, given, clinic)
    except TooMuch:
        raise typer.BadParameter(f"is longer than {MAX_NOTE} characters", param_hint="--note") from None
    print(f"{contact}: the bot answers again")


def _line(conversation: Conversation) -> str:
    state = "waits for a person" if conversation.waiting_for_person else "a person has it"
    since = f"{conversation.taken_over_at:%Y-%m-%d %H:%M} UTC"
    return f"{conversation.contact}  {state} since {since}: {conversation.takeover_reason}"


@in_store
async def _taken_over(stored: Stored, clinic_id: str) -> list[Conversation]:
    clinic = await stored.clinic(clinic_id)
    taken = Query(f"gendei_clinics/{clinic.id}/conversations", where=(("isHumanTakeover", "==", True),))
    found = await stored.documents.query(taken)
    return [CONVERSATION.read(snapshot.data) for snapshot in found if snapshot.data is not None]
