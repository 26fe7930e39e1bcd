"""The commands of `gendei.commands` on a store that this process alone has opened."""

from gendei.booking.desk import BookingDesk
from gendei.cli.data import check_of, directory_of
from gendei.cli.stored import Stored
from gendei.commands.command import Desks
from gendei.conversation.files.media import MediaStore
from gendei.conversation.outbound.failures import FailureTexts
from gendei.conversation.outbound.proactive import Proactive
from gendei.conversation.turns.handover import Handover
from gendei.datafile import data_dir
from gendei.prompts import load_phrases
from gendei.staff.agenda.texts import AgendaTexts
from gendei.staff.audit import Audit
from gendei.staff.clinic_changes.changes import ClinicChanges
from gendei.staff.clinic_changes.texts import ChangeTexts
from gendei.staff.desks import Lines, Words, open_agenda_desk, open_front_desk
from gendei.staff.inbox.texts import InboxTexts
from gendei.staff.tasks.tasks import Tasks
from gendei.staff.tasks.texts import TaskTexts
from gendei.verticals import TERM_FORMS, load_verticals


def desks_of(stored: Stored, media: MediaStore | None = None) -> Desks:
    """What commands work on; without files where there is no `media`. A running service finds in the store what is to
    be sent, and which events are to be followed, so nobody needs to be told here. Raises ConfigurationError."""
    documents, clinics, clock, settings = stored.documents, stored.directory, stored.clock, stored.settings
    folder = data_dir("prompts", settings.prompts_dir)
    proactive = Proactive(documents, clock, lambda _: None, settings.allowed_contacts)
    verticals = load_verticals(data_dir("verticals", settings.verticals_dir))
    words = Words(load_phrases(folder, TERM_FORMS), verticals, AgendaTexts.load(folder))
    lines = Lines(Handover(documents, clock, lambda _: None), proactive, media)
    explain, desk = FailureTexts.load(folder).explain, BookingDesk(documents, clock)
    return Desks(
        documents=documents,
        clinics=clinics,
        clock=clock,
        audit=Audit(documents, clock),
        front_desk=open_front_desk(documents, clinics, lines, clock, InboxTexts.load(folder), explain, words.phrases),
        agenda_desk=open_agenda_desk(documents, clinics, desk, proactive, clock, words, _settle),
        tasks=Tasks(documents, clinics, clock, TaskTexts.load(folder)),
        clinic_changes=changes_of(stored),
    )


def changes_of(stored: Stored) -> ClinicChanges:
    """The changes of clinics. Raises ConfigurationError."""
    texts = ChangeTexts.load(data_dir("prompts", stored.settings.prompts_dir))
    return ClinicChanges(stored.documents, directory_of(stored), stored.clock, check_of(stored), texts)


async def _settle(_event: str, _follower: str) -> None:
    """The running service follows the event, and finds what was done."""
