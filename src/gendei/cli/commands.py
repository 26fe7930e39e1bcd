"""The commands of `gendei.commands` on a store that this process alone has opened."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import httpx

from gendei.booking.desk import BookingDesk
from gendei.cli.stored import Stored
from gendei.clinic import Channel
from gendei.commands.command import Desks
from gendei.conversation.files.media import MediaStore
from gendei.conversation.outbound.failures import FailureTexts
from gendei.conversation.outbound.proactive import Proactive
from gendei.conversation.outbound.template_troubles import TroubleTexts
from gendei.conversation.outbound.templates import ApprovedTemplate, Templates
from gendei.conversation.turns.handover import Handover
from gendei.costs.message_prices import MessagePrices
from gendei.datafile import data_dir
from gendei.knowledge.sources.bringing import KnowledgeSources
from gendei.knowledge.starter import load_starters
from gendei.payments.collecting import Collector
from gendei.prompts import load_phrases
from gendei.providers.connecting.sides import open_connections
from gendei.providers.meta_templates import MetaTemplates
from gendei.secrets import SecretBox
from gendei.staff.agenda.texts import AgendaTexts
from gendei.staff.audit import Audit
from gendei.staff.clinic_changes.changes import ClinicChanges
from gendei.staff.clinic_changes.texts import ChangeTexts
from gendei.staff.desks import Lines, Words, open_agenda_desk, open_front_desk
from gendei.staff.inbox.texts import InboxTexts
from gendei.staff.tasks.tasks import Tasks
from gendei.staff.tasks.texts import TaskTexts
from gendei.staff.templates.clinic_templates import ClinicTemplates, open_templates
from gendei.staff.templates.wording import Draft
from gendei.verticals import TERM_FORMS, load_verticals
from gendei.waiting.waiting_list import WaitingList


def desks_of(stored: Stored, media: MediaStore | None = None) -> Desks:
    """What commands work on; without files where there is no `media`. A running service finds in the store what is to
    be sent, and which events are to be followed, so nobody needs to be told here. Raises ConfigurationError."""
    documents, clinics, clock, settings = stored.documents, stored.directory, stored.clock, stored.settings
    folder = data_dir("prompts", settings.prompts_dir)
    proactive = Proactive(documents, clock, lambda _: None, settings.allowed_contacts)
    verticals = load_verticals(verticals_dir := data_dir("verticals", settings.verticals_dir))
    words = Words(load_phrases(folder, TERM_FORMS), verticals, AgendaTexts.load(folder))
    lines = Lines(Handover(documents, clock, lambda _: None), proactive, media)
    explain = FailureTexts.load(folder).explain
    waiting = WaitingList(documents, clock, BookingDesk(documents, clock))
    return Desks(
        documents=documents,
        clinics=clinics,
        clock=clock,
        audit=Audit(documents, clock),
        front_desk=open_front_desk(
            *(documents, clinics, lines, clock, InboxTexts.load(folder), explain, words.phrases),
            MessagePrices.load(folder),
        ),
        agenda_desk=open_agenda_desk(documents, clinics, waiting, proactive, clock, words, _settle),
        tasks=Tasks(documents, clinics, clock, TaskTexts.load(folder)),
        clinic_changes=(changes := changes_of(stored)),
        connections=open_connections(settings, documents, clinics, changes, clock, lambda: SecretBox(settings.key)),
        templates=templates_of(stored, changes),
        collector=Collector(documents, clock, {}, lambda _clinic_id, _provider: None),
        knowledge_sources=KnowledgeSources(load_starters(verticals_dir, verticals)),
    )


def templates_of(stored: Stored, changes: ClinicChanges) -> ClinicTemplates:
    """The clinics' templates, with Meta asked over connections of each question's own. Raises ConfigurationError."""
    folder = data_dir("prompts", stored.settings.prompts_dir)
    templates = Templates(stored.documents, stored.clock, TroubleTexts.load(folder))
    offices = {"meta": OwnConnections(stored)}
    return open_templates(stored.documents, stored.directory, templates, folder, changes, offices)


@dataclass(frozen=True)
class OwnConnections:
    """Meta's office for templates, for a process that asks once."""

    stored: Stored

    async def of(self, channel: Channel) -> list[ApprovedTemplate]:
        async with self._meta() as meta:
            return await meta.of(channel)

    async def create(self, channel: Channel, draft: Draft) -> ApprovedTemplate:
        async with self._meta() as meta:
            return await meta.create(channel, draft)

    @asynccontextmanager
    async def _meta(self) -> AsyncIterator[MetaTemplates]:
        settings = self.stored.settings
        async with httpx.AsyncClient() as client:
            box = SecretBox(settings.key)
            yield MetaTemplates(client, settings.graph_url, settings.graph_version, box.open_channel)


def changes_of(stored: Stored) -> ClinicChanges:
    """The changes of clinics. Raises ConfigurationError."""
    texts = ChangeTexts.load(data_dir("prompts", stored.settings.prompts_dir))
    return ClinicChanges(stored.documents, stored.telling_directory, stored.clock, stored.check, texts)


async def _settle(_event: str, _follower: str) -> None:
    """The running service follows the event, and finds what was done."""
