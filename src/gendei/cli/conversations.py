"""`gendei conversations`: those that a person has, and giving them back to the bot."""

from typing import Annotated

import typer

from gendei.cli.language import say, worded
from gendei.cli.stored import ClinicOption, Stored, in_store, print_list
from gendei.conversation.stored.conversation import CONVERSATION, Conversation
from gendei.documents import Query
from gendei.staff.inbox.actions import MAX_NOTE, MAX_TO_DO, TooMuch


def waiting(clinic: ClinicOption) -> None:
    """List the conversations that a person has, where the bot is silent, and those that wait for one: since when and
    why."""
    print_list(_taken_over(clinic), _line, "The bot has every conversation.")


def hand_back(
    clinic: ClinicOption,
    contact: Annotated[str, typer.Option("--contact", help="The patient, as `gendei conversations waiting` prints.")],
    note: Annotated[str, typer.Option("--note", help="What was agreed meanwhile, for the bot to know.")] = "",
    to_do: Annotated[str, typer.Option("--to-do", help="What staff still owe the patient; it becomes a task.")] = "",
) -> None:
    """Give a conversation back: the bot answers the next message again, and the tasks to see to it are done."""
    from gendei.cli.offers import checked, do  # noqa: PLC0415  # who lists conversations need not wait for it
    from gendei.commands import conversations  # noqa: PLC0415

    given = checked(conversations.HandBackConversation, {"contact": contact, "note": note, "to_do": to_do})
    try:
        do(conversations.HAND_BACK_CONVERSATION, given, clinic)
    except TooMuch:
        longest = f"--note may have {MAX_NOTE} characters, --to-do {MAX_TO_DO}"
        raise typer.BadParameter(longest, param_hint="--note, --to-do") from None
    say(f"{contact}: the bot answers again")


def _line(conversation: Conversation) -> str:
    state = worded("waits for a person" if conversation.waiting_for_person else "a person has it")
    since = f"{conversation.taken_over_at:%Y-%m-%d %H:%M} UTC"
    return f"{conversation.contact}  {state} {worded('since')} {since}: {conversation.takeover_reason}"


@in_store
async def _taken_over(stored: Stored, clinic_id: str) -> list[Conversation]:
    clinic = await stored.clinic(clinic_id)
    taken = Query(f"gendei_clinics/{clinic.id}/conversations", where=(("isHumanTakeover", "==", True),))
    found = await stored.documents.query(taken)
    return [CONVERSATION.read(snapshot.data) for snapshot in found if snapshot.data is not None]
