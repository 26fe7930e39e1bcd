"""What staff do with the agenda, gathered for the pages and the API."""

from collections.abc import Mapping
from dataclasses import dataclass

from gendei.booking.appointment import Appointments
from gendei.booking.desk import BookingDesk
from gendei.clock import Clock
from gendei.conversation.outbound.proactive import Proactive
from gendei.documents import Documents
from gendei.messages.channels import Clinics
from gendei.prompts import Phrases
from gendei.staff.agenda.agenda import Agenda, AgendaParts
from gendei.staff.agenda.blocks import Blocks
from gendei.staff.agenda.feeds import CalendarFeeds
from gendei.staff.agenda.live import AgendaLive
from gendei.staff.agenda.notices import Notices, Settle
from gendei.staff.agenda.texts import AgendaTexts
from gendei.verticals import Vertical


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
    live: AgendaLive


def open_agenda_desk(
    documents: Documents,
    clinics: Clinics,
    desk: BookingDesk,
    proactive: Proactive,
    clock: Clock,
    words: Words,
    settle: Settle,
) -> AgendaDesk:
    notices = Notices(
        proactive,
        words.phrases,
        words.verticals,
        words.texts,
        Appointments(documents, clock),
        clinics,
        clock,
        settle,
    )
    return AgendaDesk(
        agenda=Agenda(AgendaParts(documents, clock, clinics, desk, notices, words.texts)),
        notices=notices,
        blocks=Blocks(documents, clock, clinics, words.texts, desk.tell),
        feeds=CalendarFeeds(documents, clock, clinics, words.texts),
        live=AgendaLive(documents),
    )
