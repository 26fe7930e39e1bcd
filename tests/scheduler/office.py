"""One process of a service that remembers by itself, with two clinics, and a clock that is put forward by hand."""

from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Self

from tests.booking.builders import MARIA, TestClock, at, make_clinic, request

from gendei.booking.appointment import Appointment
from gendei.booking.desk import BookingDesk
from gendei.campaigns.campaign_work import CampaignWork
from gendei.clinic import Channel, Clinic, ClinicId, Contact, MessageTemplate
from gendei.conversation.outbound.outbox_entry import OUTBOX_ENTRY, OutboxEntry
from gendei.conversation.outbound.proactive import Proactive
from gendei.conversation.outbound.reminders import Reminders
from gendei.conversation.work.following import Following, FollowingPace
from gendei.datafile import data_dir
from gendei.documents import Documents, Query
from gendei.messages.keys import OUTBOX, ConversationKey
from gendei.prompts import load_phrases
from gendei.reminding import ReminderPolicy, ReminderPurpose, ReminderRule
from gendei.scheduler.due import DUE, PLAN, DuePlan
from gendei.scheduler.planner import Planner
from gendei.scheduler.refilling import Refilling
from gendei.scheduler.scheduler import Scheduler
from gendei.staff.tasks.cancelled import CancelledTasks
from gendei.verticals import TERM_FORMS, load_verticals

PHRASES = load_phrases(data_dir("prompts"), TERM_FORMS)
VERTICALS = load_verticals(data_dir("verticals"))
TEMPLATES = {
    "reminder": MessageTemplate("lembrete", "pt_BR", ("patient", "time"), 3),
    "confirmation": MessageTemplate("confirmacao", "pt_BR", ("patient", "time"), 3),
}
DAY = ReminderRule(24)
ASKED = ReminderRule(72, ReminderPurpose.CONFIRMATION)
SOON = ReminderRule(2)
HERE = make_clinic(
    channels=(Channel("meta", "1001"),), templates=TEMPLATES, reminders=ReminderPolicy((ASKED, DAY, SOON))
)
THERE = make_clinic(
    id=ClinicId("sorriso"), channels=(Channel("meta", "2002"),), templates=TEMPLATES, reminders=ReminderPolicy((DAY,))
)


class Clinics:
    """What the directory is to a service."""

    def __init__(self, *clinics: Clinic) -> None:
        self._clinics = {clinic.id: clinic for clinic in clinics}

    async def get(self, clinic_id: ClinicId) -> Clinic | None:
        return self.known(clinic_id)

    async def by_channel(self, provider: str, external_id: str) -> Clinic | None:
        raise NotImplementedError(provider, external_id)

    def known(self, clinic_id: ClinicId) -> Clinic | None:
        return self._clinics.get(clinic_id)

    def all(self) -> tuple[Clinic, ...]:
        return tuple(self._clinics.values())

    def now_is(self, clinic: Clinic) -> None:
        """A clinic was imported again."""
        self._clinics[clinic.id] = clinic


@dataclass
class Office:
    """Use it as a context manager. Nothing happens by itself: `turn_to` puts the clock forward and does what is due.
    works: what does it, in order. queued: for whom messages were queued, in order."""

    documents: Documents
    clock: TestClock = field(default_factory=lambda: TestClock(at(2, "10:00")))
    clinics: Clinics = field(default_factory=lambda: Clinics(HERE, THERE))
    queued: list[ConversationKey] = field(default_factory=list)
    _open: AsyncExitStack = field(default_factory=AsyncExitStack)

    def __post_init__(self) -> None:
        self.following = Following(self.documents, self.clock, pace=FollowingPace(look_again=0.01))
        self.desk = BookingDesk(self.documents, self.clock, self.following.tell)
        self.planner = Planner(self.documents, self.clinics, self.clock, VERTICALS)
        self.following.register(self.planner)
        self.following.register(CancelledTasks(self.documents, self.clock))
        proactive = Proactive(self.documents, self.clock, self.queued.append)
        self.reminders = Reminders(self.documents, self.clock, proactive, PHRASES, VERTICALS)
        self.scheduler = Scheduler(self.documents, self.clock, self.planner, self.reminders, seeks=False)
        self.works: list[Scheduler | Refilling | CampaignWork] = [self.scheduler]

    async def __aenter__(self) -> Self:
        self.following.seeks = False
        for work in (self.following, *self.works):
            await self._open.enter_async_context(work)
        await self.work()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._open.aclose()

    async def book(
        self, start: datetime, who: Contact = MARIA, clinic: Clinic = HERE, service: str = "consulta"
    ) -> Appointment:
        booked = await self.desk.book(clinic, who, request(start, service=service))
        await self.followed()
        return booked

    async def followed(self) -> None:
        """Every event has come to its followers."""
        await self.following.sweep()
        await self.following.idle()

    async def work(self) -> None:
        """What is due now is done."""
        await self.followed()
        for work in self.works:
            await work.sweep()
            await work.idle()

    async def turn_to(self, moment: datetime) -> None:
        self.clock.now = moment
        await self.work()

    async def through(self, until: datetime, minutes: int = 30) -> None:
        """As `turn_to`, every so many minutes on the way."""
        while self.clock.now < until:
            await self.turn_to(min(until, self.clock.now + timedelta(minutes=minutes)))

    async def sent(self, clinic: Clinic = HERE) -> list[tuple[str, str]]:
        """What was queued for the clinic's patients: to whom, and its first words, in order."""
        entries = [entry for entry in await self.entries() if entry.clinic_id == clinic.id]
        return [(entry.contact, " ".join(entry.reply.text.split()[:3])) for entry in entries]

    async def entries(self) -> Sequence[OutboxEntry]:
        found = await self.documents.query(Query(OUTBOX, order_by=(("createdAt", False),)))
        return [OUTBOX_ENTRY.read(snapshot.data or {}, id=snapshot.id) for snapshot in found]

    async def plan(self, appointment: Appointment) -> DuePlan | None:
        found = await self.documents.query(Query(DUE, where=(("appointmentId", "==", appointment.id),)))
        return PLAN.read(found[0].data) if found else None

    async def results(self, appointment: Appointment) -> dict[str, str]:
        plan = await self.plan(appointment)
        return {key: outcome.result for key, outcome in (plan.outcomes if plan else {}).items()}


def reminding(clinic: Clinic, *rules: ReminderRule, **policy: object) -> Clinic:
    """The clinic with these rules."""
    return replace(clinic, reminders=ReminderPolicy(rules, **policy))  # type: ignore[arg-type]
