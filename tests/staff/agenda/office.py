"""Two clinics and who works there, on a Monday at 10:00; the first wants two hours of lead time of patients."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta

from tests.booking.builders import TestClock, at, make_clinic

from gendei.booking.desk import BookingDesk
from gendei.booking.visits import BookingRequest
from gendei.clinic import BookingPolicy, Channel, Clinic, ClinicId, Contact
from gendei.conversation.outbound.outbox_entry import OUTBOX_ENTRY, OutboxEntry
from gendei.conversation.outbound.proactive import Proactive
from gendei.conversation.stored.conversation import CONVERSATION, Conversation
from gendei.conversation.work.following import Following
from gendei.datafile import data_dir
from gendei.documents import Documents, Query, put
from gendei.messages.keys import OUTBOX, ConversationKey
from gendei.prompts import load_phrases
from gendei.staff.actors import Actor, Right
from gendei.staff.agenda.agenda import Agenda
from gendei.staff.agenda.blocks import Blocks
from gendei.staff.agenda.feeds import CalendarFeeds
from gendei.staff.agenda.texts import AgendaTexts
from gendei.staff.audit import Audit
from gendei.staff.desks import Words, open_agenda_desk
from gendei.store.sqlite import SqliteDocuments
from gendei.verticals import TERM_FORMS, load_verticals
from gendei.waiting.waiting_list import WaitingList

PROMPTS = data_dir("prompts")
WORDS = Words(load_phrases(PROMPTS, TERM_FORMS), load_verticals(data_dir("verticals")), AgendaTexts.load(PROMPTS))
HERE = make_clinic(channels=(Channel("meta", "1001"),), booking=BookingPolicy(120, 60))
THERE = make_clinic(id=ClinicId("sorriso"), channels=(Channel("meta", "2002"),))


def _actor(name: str, *rights: Right, clinic: Clinic = HERE) -> Actor:
    return Actor(clinic.id, name.lower(), name, frozenset(rights))


ATENDENTE = _actor("Bia", Right.READ, Right.WRITE)
GESTOR = _actor("Carla", Right.READ, Right.WRITE, Right.MANAGE)
READER = _actor("Painel", Right.READ)
OUTSIDER = _actor("Zeca", Right.READ, Right.WRITE, Right.MANAGE, clinic=THERE)


def wish(
    clock: str,
    *,
    who: str = "ana",
    name: str = "Maria Silva",
    phone: str | None = "(11) 99999-0001",
) -> BookingRequest:
    return BookingRequest("consulta", who, at(2, clock), name, phone, "staff")


@dataclass
class KnownClinics:
    known: dict[ClinicId, Clinic] = field(default_factory=lambda: {entry.id: entry for entry in (HERE, THERE)})

    async def get(self, clinic_id: ClinicId) -> Clinic | None:
        return self.known.get(clinic_id)

    async def by_channel(self, provider: str, external_id: str) -> Clinic | None:
        return next((value for value in self.known.values() if value.channels[0].external_id == external_id), None)


@dataclass
class Office:
    documents: Documents
    clock: TestClock
    clinics: KnownClinics
    desk: BookingDesk
    agenda: Agenda
    blocks: Blocks
    feeds: CalendarFeeds
    audit: Audit
    following: Following

    async def queued(self) -> list[OutboxEntry]:
        found = await self.documents.query(Query(OUTBOX, order_by=(("createdAt", False),)))
        return [OUTBOX_ENTRY.read(snapshot.data or {}, id=snapshot.id) for snapshot in found]

    async def open_window(self, contact: Contact) -> None:
        """The patient wrote just now."""
        key, now = ConversationKey(HERE.id, contact), self.clock()
        wrote = Conversation(HERE.id, contact, now, now, provider="meta", external_id="1001", phone=contact)
        await self.documents.commit(
            [put(key.path, CONVERSATION.write(replace(wrote, window_ends_at=now + timedelta(hours=24))))]
        )


@asynccontextmanager
async def open_office() -> AsyncIterator[Office]:
    documents = await SqliteDocuments.open(":memory:")
    clock, clinics = TestClock(at(2, "10:00")), KnownClinics()
    following = Following(documents, clock)
    desk = BookingDesk(documents, clock, following.tell)
    proactive = Proactive(documents, clock, lambda _key: None)
    opened = open_agenda_desk(
        documents, clinics, WaitingList(documents, clock, desk), proactive, clock, WORDS, following.settle
    )
    following.register(opened.notices)
    audit = Audit(documents, clock)
    yield Office(documents, clock, clinics, desk, opened.agenda, opened.blocks, opened.feeds, audit, following)
    await documents.close()
