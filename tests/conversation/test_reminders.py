"""Reminders of coming appointments: each once, with buttons that act on that very appointment."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace

import pytest
from tests.booking.builders import CHECKUP, JOAO, MARIA, TestClock, at, make_clinic, request

from gendei.booking.appointment import Appointment
from gendei.booking.desk import BookingDesk
from gendei.clinic import Channel, Clinic, ClinicId, Contact, MessageTemplate
from gendei.conversation.outbound.gate import Gate, Go, Refused
from gendei.conversation.outbound.outbox_entry import OUTBOX_ENTRY, OutboxEntry
from gendei.conversation.outbound.proactive import Decline, Proactive
from gendei.conversation.outbound.reminders import BY_ITSELF, Reminders
from gendei.conversation.outbound.templates import Templates
from gendei.datafile import data_dir
from gendei.documents import Documents, Query
from gendei.messages.keys import OUTBOX
from gendei.prompts import load_phrases
from gendei.receptionist.offers.choices import Kind, choice
from gendei.reminding import ReminderPolicy
from gendei.store.sqlite import SqliteDocuments
from gendei.verticals import TERM_FORMS, load_verticals

PHRASES = load_phrases(data_dir("prompts"), TERM_FORMS)
VERTICALS = load_verticals(data_dir("verticals"))
TEMPLATES = {"reminder": MessageTemplate("lembrete", "pt_BR", ("patient", "time"), 3)}
HERE = make_clinic(channels=(Channel("meta", "1001"),), templates=TEMPLATES)
THERE = make_clinic(id=ClinicId("sorriso"), channels=(Channel("meta", "2002"),), templates=TEMPLATES)


@dataclass
class Office:
    """Monday, 10:00: two clinics, and who reminds."""

    documents: Documents
    clock: TestClock

    @property
    def reminders(self) -> Reminders:
        proactive = Proactive(self.documents, self.clock, lambda _key: None)
        return Reminders(self.documents, self.clock, proactive, PHRASES, VERTICALS)

    @property
    def desk(self) -> BookingDesk:
        return BookingDesk(self.documents, self.clock)

    async def book(self, day: int, clock: str, who: Contact = MARIA, clinic: Clinic = HERE) -> Appointment:
        return await self.desk.book(clinic, who, request(at(day, clock)))

    async def queued(self) -> list[OutboxEntry]:
        found = await self.documents.query(Query(OUTBOX, order_by=(("createdAt", False),)))
        return [OUTBOX_ENTRY.read(snapshot.data or {}, id=snapshot.id) for snapshot in found]


@pytest.fixture
async def office() -> AsyncIterator[Office]:
    store = await SqliteDocuments.open(":memory:")
    yield Office(store, TestClock(at(2, "10:00")))
    await store.close()


async def test_an_appointment_of_the_next_day_is_reminded_of(office: Office) -> None:
    appointment = await office.book(3, "09:30")

    sent = await office.reminders.remind(HERE, 24)

    [entry] = await office.queued()
    assert (sent.queued, sent.declined) == ((entry.id,), {})
    assert entry.reply.text.splitlines() == [
        "Olá! Lembrete da Clínica Boa Vida: sua consulta é amanhã, terça-feira, 03/03, às 9h30.",
        f"*{CHECKUP.name}* com Dra. Ana Souza",
        "Para: Maria Silva",
        "Podemos contar com você?",
    ]
    assert [option.id for option in entry.reply.options] == [
        choice(Kind.CONFIRM_PRESENCE, appointment.id, "2026-03-03T09:30"),
        choice(Kind.MOVE, appointment.id),
        choice(Kind.CANCEL, appointment.id),
    ]


async def test_each_is_reminded_of_once_however_often_it_runs(office: Office) -> None:
    await office.book(3, "09:30")

    runs = [await office.reminders.remind(HERE, 24) for _ in range(3)]

    assert [len(run.queued) for run in runs] == [1, 0, 0]
    assert runs[2].declined == {Decline.ALREADY: 1}
    assert len(await office.queued()) == 1


async def test_an_appointment_that_was_moved_is_reminded_of_again(office: Office) -> None:
    appointment = await office.book(3, "09:30")
    await office.reminders.remind(HERE, 24)
    await office.desk.move(HERE, MARIA, appointment.id, at(3, "15:00"))

    await office.reminders.remind(HERE, 48)

    assert sorted("9h30" in entry.reply.text for entry in await office.queued()) == [False, True]


async def test_what_is_further_away_past_or_cancelled_is_not_reminded_of(office: Office) -> None:
    await office.book(3, "10:30")
    cancelled = await office.book(2, "15:00")
    await office.desk.cancel(HERE, MARIA, cancelled.id)
    early = await office.book(2, "10:30", JOAO)
    office.clock.forward(minutes=30)

    sent = await office.reminders.remind(HERE, 23)

    assert (sent.queued, early.contact) == ((), JOAO)


async def test_who_said_already_that_they_come_is_left_alone(office: Office) -> None:
    appointment = await office.book(3, "09:30")
    await office.desk.confirm_presence(HERE, MARIA, appointment.id)

    assert (await office.reminders.remind(HERE, 24)).queued == ()


async def test_it_is_of_no_use_after_the_appointment_began(office: Office) -> None:
    appointment = await office.book(3, "09:30")
    await office.reminders.remind(HERE, 24)

    [entry] = await office.queued()
    assert entry.initiative is not None
    assert entry.initiative.until == appointment.start


async def test_a_reminder_that_waits_for_the_morning_says_today(office: Office) -> None:
    office.clock.now = at(2, "21:00")
    await office.book(3, "09:30")

    await office.reminders.remind(HERE, 24)

    [entry] = await office.queued()
    assert (entry.due_at, "hoje, terça-feira, 03/03" in entry.reply.text) == (at(3, "08:00"), True)


async def test_a_clinic_whose_reminders_leave_by_themselves_reminds_nobody_so(office: Office) -> None:
    await office.book(3, "09:30")

    sent = await office.reminders.remind(replace(HERE, reminders=ReminderPolicy()), 24)

    assert (sent.queued, sent.declined, await office.queued()) == ((), {BY_ITSELF: 1}, [])


async def test_two_patients_are_reminded_of_their_own_and_a_mother_of_each_childs(office: Office) -> None:
    await office.book(3, "09:30")
    await office.desk.book(HERE, MARIA, request(at(3, "10:00"), name="Pedro Silva"))
    await office.book(3, "09:00", JOAO)

    await office.reminders.remind(HERE, 24)

    told = sorted((entry.contact, entry.reply.text.splitlines()[2]) for entry in await office.queued())
    assert told == [(MARIA, "Para: Maria Silva"), (MARIA, "Para: Pedro Silva"), (JOAO, "Para: Maria Silva")]


async def test_another_clinics_patients_are_not_reminded(office: Office) -> None:
    await office.book(3, "09:30", clinic=THERE)

    sent = await office.reminders.remind(HERE, 24)

    assert (sent.queued, await office.queued()) == ((), [])


async def test_without_a_template_nobody_outside_the_window_is_reminded_and_the_job_says_so(office: Office) -> None:
    bare = replace(HERE, templates={})
    await office.book(3, "09:30")

    sent = await office.reminders.remind(bare, 24)

    assert (sent.queued, sent.declined) == ((), {Decline.NO_TEMPLATE: 1})


@pytest.mark.parametrize("change", ["cancel", "confirm_presence", None])
async def test_a_reminder_of_what_changed_in_the_night_is_dropped_in_the_morning(
    office: Office, change: str | None
) -> None:
    office.clock.now = at(2, "21:00")
    appointment = await office.book(3, "09:30")
    await office.reminders.remind(HERE, 24)
    if change:
        await getattr(office.desk, change)(HERE, MARIA, appointment.id)
    [entry] = await office.queued()

    gate = Gate(office.documents, Templates(office.documents, office.clock))
    decision = await gate.decide(entry, HERE, at(3, "08:00"))

    assert isinstance(decision, Refused if change else Go)
