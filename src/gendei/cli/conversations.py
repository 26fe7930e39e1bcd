"""`gendei conversations`: those that a person has, and giving them back to the bot."""

from typing import Annotated

import typer

from gendei.cli.running import run
from gendei.cli.stored import opened
from gendei.clinic import ClinicId, Contact
from gendei.conversation.conversations import Conversation
from gendei.conversation.handover import Handover
from gendei.conversation.identity import Contacts
from gendei.documents import Query
from gendei.errors import NotFound
from gendei.settings import Settings

ClinicOption = Annotated[str, typer.Option("--clinic", help="The clinic's id.")]
OPERATOR = "operator"
"""Whom the history names when the command line acts."""


def waiting(clinic: ClinicOption) -> None:
    """List the conversations that a person has or that wait for one, where the bot is silent: since when and why."""
    found = run(_taken_over(Settings.load(), clinic))
    for one in found:
        state = "waits for a person" if one.waiting_for_person else "a person has it"
        print(f"{one.contact}  {state} since {one.taken_over_at:%Y-%m-%d %H:%M}: {one.takeover_reason}")
    if not found:
        print("The bot has every conversation.")


def hand_back(
    clinic: ClinicOption,
    contact: Annotated[str, typer.Option("--contact", help="The patient, as `gendei conversations waiting` prints.")],
    note: Annotated[str, typer.Option("--note", help="What was agreed meanwhile, for the bot to know.")] = "",
) -> None:
    """Give a conversation back: the bot answers the next message again."""
    run(_hand_back(Settings.load(), clinic, Contact(contact), note))
    print(f"{contact}: the bot answers again")


async def _taken_over(settings: Settings, clinic_id: str) -> list[Conversation]:
    async with opened(settings) as stored:
        clinic = await stored.clinic(clinic_id)
        taken = Query(f"gendei_clinics/{clinic.id}/conversations", where=(("isHumanTakeover", "==", True),))
        found = await stored.documents.query(taken)
    return [Conversation.from_document(one.data) for one in found if one.data is not None]


async def _hand_back(settings: Settings, clinic_id: str, contact: Contact, note: str) -> None:
    async with opened(settings) as stored:
        clinic = await stored.clinic(clinic_id)
        contacts = Contacts(stored.documents, stored.clock)
        handover = Handover(stored.documents, contacts, stored.clock, on_sending=lambda _: None)
        try:
            await handover.hand_back(ClinicId(clinic.id), contact, OPERATOR, note)
        except NotFound:
            raise NotFound(
                f"there is no conversation {contact}; `gendei conversations waiting` shows those there are"
            ) from None
