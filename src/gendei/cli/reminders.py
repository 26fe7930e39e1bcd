"""`gendei remind`: reminds patients of their coming appointments; a scheduler runs it, every hour or every day."""

from gendei.cli.language import say
from gendei.cli.offers import offers
from gendei.cli.running import counted
from gendei.cli.stored import ClinicOption
from gendei.commands.appointments import REMIND_PATIENTS
from gendei.conversation.outbound.reminders import RemindersSent


@offers(REMIND_PATIENTS, clinic=ClinicOption)
def remind(outcome: RemindersSent) -> None:
    """Queue a reminder for each appointment of the next hours, once however often this runs.

    A running service sends them, outside the clinic's quiet hours."""
    say(f"{counted(len(outcome.queued), 'reminder')} queued")
    for reason, count in sorted(outcome.declined.items()):
        say(f"{count} not queued: {reason}")
