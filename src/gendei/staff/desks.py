"""What staff do with the agenda and with conversations, gathered for the commands, the pages and the API."""

from collections.abc import Mapping
from dataclasses import dataclass

from gendei.booking.appointment import Appointments
from gendei.clock import Clock
from gendei.conversation.files.media import MediaStore
from gendei.conversation.messaging import Messaging
from gendei.conversation.outbound.failures import Explain
from gendei.conversation.outbound.proactive import Proactive
from gendei.conversation.outbound.reminders import Reminders
from gendei.conversation.turns.handover import Handover
from gendei.costs.message_prices import MessagePrices
from gendei.documents import Documents
from gendei.messages.channels import Clinics
from gendei.prompts import Phrases
from gendei.staff.agenda.agenda import Agenda, AgendaParts
from gendei.staff.agenda.blocks import Blocks
from gendei.staff.agenda.feeds import CalendarFeeds
from gendei.staff.agenda.notices import Notices, Settle
from gendei.staff.agenda.staff_waiting import StaffWaitingList
from gendei.staff.agenda.texts import AgendaTexts
from gendei.staff.agenda.view import AgendaLive
from gendei.staff.clinic_cases import ClinicCases
from gendei.staff.colleagues import Colleagues
from gendei.staff.files import ClinicFiles, PatientFiles
from gendei.staff.inbox.actions import ConversationActions
from gendei.staff.inbox.canned import CANNED, CannedReplies, CannedSet
from gendei.staff.inbox.conversation import ConversationViews
from gendei.staff.inbox.inbox import ConversationList
from gendei.staff.inbox.known import KnownContacts
from gendei.staff.inbox.live import Live
from gendei.staff.inbox.presence import Presence
from gendei.staff.inbox.texts import InboxTexts
from gendei.staff.numbers import ClinicNumbers
from gendei.staff.patient_data import PatientData
from gendei.staff.patient_merging import PatientMerging
from gendei.staff.patients import PatientPreferences, PatientRecords
from gendei.staff.settings import ClinicSettings
from gendei.verticals import Vertical
from gendei.waiting.waiting_list import WaitingList


@dataclass(frozen=True, slots=True)
class Words:
    """`phrases` and `verticals`: what patients read; `texts`: what staff read."""

    phrases: Phrases
    verticals: Mapping[str, Vertical]
    texts: AgendaTexts


@dataclass(frozen=True, slots=True)
class AgendaDesk:
    """`live`: to be closed at the end. `notices`: to be registered as a follower."""

    agenda: Agenda
    notices: Notices
    blocks: Blocks
    feeds: CalendarFeeds
    reminders: Reminders
    live: AgendaLive
    waiting: StaffWaitingList


def open_agenda_desk(
    documents: Documents,
    clinics: Clinics,
    waiting: WaitingList,
    proactive: Proactive,
    clock: Clock,
    words: Words,
    settle: Settle,
) -> AgendaDesk:
    """waiting: the one that patients have too, with the booking desk."""
    notices = Notices(
        proactive, words.phrases, words.verticals, words.texts, Appointments(documents, clock), clinics, clock, settle
    )
    return AgendaDesk(
        agenda=Agenda(AgendaParts(documents, clock, clinics, waiting.desk, notices, words.texts)),
        notices=notices,
        blocks=Blocks(documents, clock, clinics, words.texts, waiting.desk.tell),
        feeds=CalendarFeeds(documents, clock, clinics, words.texts),
        reminders=Reminders(documents, clock, proactive, words.phrases, words.verticals),
        live=AgendaLive(documents),
        waiting=StaffWaitingList(waiting, clinics, words.texts),
    )


@dataclass(frozen=True, slots=True)
class FrontDesk:
    """`inbox`, `views`: reading. `conversations`: what is done in them. `live`: to be closed at the end. `files`: of
    patients; `own_files`: the clinic's, to be sent."""

    inbox: ConversationList
    views: ConversationViews
    conversations: ConversationActions
    canned: CannedReplies
    settings: ClinicSettings
    colleagues: Colleagues
    presence: Presence
    patients: PatientRecords
    merging: PatientMerging
    numbers: ClinicNumbers
    live: Live
    files: PatientFiles
    own_files: ClinicFiles
    preferences: PatientPreferences
    known: KnownContacts
    patient_data: PatientData
    cases: ClinicCases


@dataclass(frozen=True, slots=True)
class Lines:
    """What of Messaging staff need, where no messages are answered or sent: a service that runs does that."""

    handover: Handover
    proactive: Proactive
    media: MediaStore | None = None


def open_front_desk(  # noqa: PLR0913, PLR0917  # what a front desk is made of
    documents: Documents,
    clinics: Clinics,
    messaging: Messaging | Lines,
    clock: Clock,
    texts: InboxTexts,
    explain: Explain,
    phrases: Phrases,
    prices: MessagePrices,
) -> FrontDesk:
    """`explain`: gives the reason of a failure in Portuguese. `phrases`: what the bot says. `prices`: of messages."""
    patients = PatientRecords(documents, clinics, clock)
    settings = ClinicSettings(documents, clock, {CANNED.name: CannedSet(texts.first_replies)})
    colleagues, own_files = Colleagues(documents), ClinicFiles(documents, clock, messaging.media)
    actions = ConversationActions(
        messaging.handover, messaging.proactive, clinics, colleagues, own_files, clock, texts.invites
    )
    return FrontDesk(
        inbox=ConversationList(documents, clock, explain),
        views=ConversationViews(documents, clinics, clock, texts, explain),
        conversations=actions,
        canned=CannedReplies(documents, clinics, clock, settings),
        settings=settings,
        colleagues=colleagues,
        presence=Presence(documents, clock),
        patients=patients,
        merging=PatientMerging(documents, clinics, clock),
        numbers=ClinicNumbers(documents, clinics, clock, phrases, prices),
        live=Live(documents, clock, explain),
        files=PatientFiles(documents, messaging.media),
        own_files=own_files,
        preferences=PatientPreferences(documents, clock),
        known=KnownContacts(documents, patients),
        patient_data=PatientData(documents, clinics, clock, messaging.media),
        cases=ClinicCases(documents, clinics, clock),
    )
