"""`gendei remind`: reminds patients of their coming appointments; a scheduler runs it, every hour or every day."""

from typing import Annotated

import typer

from gendei.cli.running import counted, run
from gendei.cli.stored import opened
from gendei.conversation.outbound.proactive import Proactive
from gendei.conversation.outbound.reminders import Reminders, RemindersSent
from gendei.datafile import data_dir
from gendei.prompts import load_phrases
from gendei.settings import Settings
from gendei.verticals import TERM_FORMS, load_verticals


def remind(
    clinic: Annotated[str, typer.Option("--clinic", help="The clinic's id.")],
    hours: Annotated[int, typer.Option(help="How far ahead appointments are reminded of.", min=1, max=168)] = 24,
) -> None:
    """Queue a reminder for each appointment of the next hours, once however often this runs.

    A running service sends them, outside the clinic's quiet hours."""
    outcome = run(_remind(Settings.load(), clinic, hours))
    print(f"{counted(len(outcome.queued), 'reminder')} queued")
    for reason, count in sorted(outcome.declined.items()):
        print(f"{count} not queued: {reason}")


async def _remind(settings: Settings, clinic_id: str, hours: int) -> RemindersSent:
    phrases = load_phrases(data_dir("prompts", settings.prompts_dir), TERM_FORMS)
    verticals = load_verticals(data_dir("verticals", settings.verticals_dir))
    async with opened(settings) as stored:
        # the service that sends finds the entries in the store, so nobody needs to be told here
        proactive = Proactive(stored.documents, stored.clock, lambda _key: None, settings.allowed_contacts)
        reminders = Reminders(stored.documents, stored.clock, proactive, phrases, verticals)
        return await reminders.remind(await stored.clinic(clinic_id), hours)
