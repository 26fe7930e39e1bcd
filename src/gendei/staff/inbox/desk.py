"""What staff do with patients' conversations, gathered for the pages and the API."""

from dataclasses import dataclass

from gendei.clock import Clock
from gendei.conversation.messaging import Messaging
from gendei.conversation.outbound.failures import Explain
from gendei.documents import Documents
from gendei.messages.channels import Clinics
from gendei.staff.clinic_files import ClinicFiles
from gendei.staff.colleagues import Colleagues
from gendei.staff.inbox.actions import ConversationActions
from gendei.staff.inbox.canned import CannedReplies
from gendei.staff.inbox.conversation import ConversationViews
from gendei.staff.inbox.inbox import Inbox
from gendei.staff.inbox.live import Live
from gendei.staff.inbox.presence import Presence
from gendei.staff.inbox.texts import InboxTexts
from gendei.staff.numbers import ClinicNumbers
from gendei.staff.patient_files import PatientFiles
from gendei.staff.patients import PatientRecords
from gendei.staff.preferences import PatientPreferences


@dataclass(frozen=True, slots=True)
class FrontDesk:
    """`inbox`, `views`: reading. `conversations`: what is done in them. `live`: to be closed at the end. `files`: of
    patients; `own_files`: the clinic's, to be sent."""

    inbox: Inbox
    views: ConversationViews
    conversations: ConversationActions
    canned: CannedReplies
    colleagues: Colleagues
    presence: Presence
    patients: PatientRecords
    numbers: ClinicNumbers
    live: Live
    files: PatientFiles
    own_files: ClinicFiles
    preferences: PatientPreferences


def open_front_desk(
    documents: Documents, clinics: Clinics, messaging: Messaging, clock: Clock, texts: InboxTexts, explain: Explain
) -> FrontDesk:
    """`explain`: gives the reason of a failure in Portuguese."""
    colleagues, own_files = Colleagues(documents), ClinicFiles(documents, clock, messaging.media)
    actions = ConversationActions(messaging.handover, messaging.proactive, clinics, colleagues, own_files, clock)
    return FrontDesk(
        inbox=Inbox(documents, explain),
        views=ConversationViews(documents, clinics, clock, texts, explain),
        conversations=actions,
        canned=CannedReplies(documents, clinics, clock, texts.first_replies),
        colleagues=colleagues,
        presence=Presence(documents, clock),
        patients=PatientRecords(documents, clinics, clock),
        numbers=ClinicNumbers(documents, clinics, clock),
        live=Live(documents, clock, explain),
        files=PatientFiles(documents, messaging.media),
        own_files=own_files,
        preferences=PatientPreferences(documents, clock),
    )
