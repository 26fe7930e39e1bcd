"""Many at once: one slot has one winner, and no order of events leaves an overlap."""

import asyncio
from collections.abc import Awaitable
from datetime import date, datetime, timedelta
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.booking.builders import JOAO, MARIA, Booking, TestClock, at, every_day, make_clinic, request, taken

from gendei.booking.appointment import Appointment, AppointmentStatus
from gendei.booking.desk import BookingDesk, StaffAct
from gendei.booking.slots import BookingRefused, Refusal, Slot
from gendei.booking.time_blocks import BlockRefused, BlockWish, TimeBlocks
from gendei.clinic import BookingPolicy, Clinic, Contact
from gendei.documents import Documents, Query
from gendei.errors import NotFound
from gendei.store.sqlite import SqliteDocuments

CLINIC = make_clinic()
NINE = at(2, "09:00")


async def outcome(attempt: Awaitable[Appointment]) -> Appointment | BookingRefused:
    try:
        return await attempt
    except BookingRefused as refused:
        return refused


async def test_fifty_patients_race_for_one_slot_and_one_wins(booking: Booking):
    contacts = [Contact(f"+55119999900{number:02d}") for number in range(50)]
    outcomes = await asyncio.gather(
        *(outcome(booking.desk.book(CLINIC, contact, request(NINE, "Paciente"))) for contact in contacts)
    )
    winners = [value for value in outcomes if isinstance(value, Appointment)]
    losers = [value for value in outcomes if isinstance(value, BookingRefused)]
    assert [winner.start for winner in winners] == [NINE]
    assert {loser.reason for loser in losers} == {Refusal.TAKEN}
    assert all(loser.alternatives for loser in losers)
    assert not [loser for loser in losers if Slot("ana", NINE, at(2, "09:30")) in loser.alternatives]
    assert await taken(booking.documents, CLINIC) == {"ana_2026-03": {winners[0].id: list(winners[0].interval)}}


async def test_one_patient_twice_at_once_has_one_appointment(booking: Booking):
    first, second = await asyncio.gather(*(booking.desk.book(CLINIC, MARIA, request(NINE)) for _ in range(2)))
    assert first == second
    assert await booking.desk.appointments_of(CLINIC, MARIA) == [first]


async def test_a_booking_and_a_move_race_for_one_slot(booking: Booking):
    before = await booking.desk.book(CLINIC, MARIA, request(NINE))
    ten = at(2, "10:00")
    outcomes = await asyncio.gather(
        outcome(booking.desk.move(CLINIC, MARIA, before.id, ten)),
        outcome(booking.desk.book(CLINIC, JOAO, request(ten, "João Lima"))),
    )
    assert len([value for value in outcomes if isinstance(value, Appointment)]) == 1
    await must_hold(booking.documents, booking.desk, CLINIC)


async def must_hold(documents: Documents, desk: BookingDesk, clinic: Clinic) -> None:
    """No two appointments of a professional come closer than the buffer but for overrides, and the agenda is what they
    say."""
    everybody = await desk.appointments(clinic, date(2026, 1, 1), date(2026, 12, 31))
    standing = [entry for entry in everybody if entry.status.takes_time]
    derived: dict[str, dict[str, list[int]]] = {}
    for professional in clinic.professionals:
        mine = [appointment for appointment in standing if appointment.professional_id == professional.id]
        buffer = timedelta(minutes=clinic.booking.buffer_minutes)
        ordinary = [appointment for appointment in mine if not appointment.override]
        assert all(item.end + buffer <= other.start for item, other in pairwise(ordinary))
        for appointment in mine:
            last = appointment.end - timedelta(minutes=1)
            for month in {f"{appointment.start:%Y-%m}", f"{last:%Y-%m}"}:
                derived.setdefault(f"{professional.id}_{month}", {})[appointment.id] = list(appointment.interval)
    assert await taken(documents, clinic) == derived


async def blocks_must_hold(documents: Documents, desk: BookingDesk, blocks: TimeBlocks) -> None:
    """Nothing but overrides stands where time is blocked, and every page that was begun says what is blocked on it."""
    blocked = await blocks.between(MIDNIGHT, date(2026, 1, 1), date(2026, 12, 31))
    standing = [
        appointment
        for appointment in await desk.appointments(MIDNIGHT, *SPRING)
        if appointment.status.takes_time and not appointment.override
    ]
    for block in blocked:
        mine = [appointment for appointment in standing if block.professional_id in {None, appointment.professional_id}]
        assert [
            appointment for appointment in mine if appointment.start < block.end and block.start < appointment.end
        ] == []
    for page in await documents.query(Query(f"gendei_clinics/{MIDNIGHT.id}/agenda")):
        who, month = page.id.split("_")
        on_page = {
            appointment.id
            for appointment in blocked
            if appointment.professional_id in {None, who}
            and month in {f"{appointment.start:%Y-%m}", f"{appointment.end - timedelta(minutes=1):%Y-%m}"}
        }
        assert (page.id, set((page.data or {})["blocks"])) == (page.id, on_page)


SPRING = date(2026, 3, 1), date(2026, 4, 30)
CONTACTS = [Contact(f"+551199999000{number}") for number in range(3)]
STARTS = [at(31, "23:00") + timedelta(minutes=10 * number) for number in range(-6, 13)]
"""Around the end of March, every ten minutes: slots are 30 minutes long, so most of these overlap."""
MIDNIGHT = make_clinic(
    hours=every_day("00:00-24:00"), booking=BookingPolicy(0, 60, buffer_minutes=10, step_minutes=10, hold_minutes=5)
)
ACTING = ("book", "book", "book", "move", "move", "cancel", "miss", "correct", "hold", "release", "wait")
OVER = StaffAct("Bia", override=True)
BLOCKING = ("block", "block", "close", "unblock")
steps = st.tuples(
    st.sampled_from([*ACTING, "override", "shift", *BLOCKING]),
    st.sampled_from(CONTACTS),
    st.sampled_from(STARTS),
    st.sampled_from(["ana", "bruno"]),
    st.integers(0, 5),
)


class Play:
    """Does what a step says, with whatever appointment a number happens to name; refusals are part of the game."""

    def __init__(self, desk: BookingDesk, blocks: TimeBlocks, clock: TestClock) -> None:
        self.desk, self.blocks, self.clock = desk, blocks, clock
        self.known: list[str] = []
        self.blocked: list[str] = []

    async def do(self, step: tuple[str, Contact, datetime, str, int]) -> None:
        try:
            await (self._block if step[0] in BLOCKING else self._do)(*step)
        except (BookingRefused, BlockRefused, NotFound):
            return

    async def _block(self, action: str, _contact: Contact, start: datetime, who: str, number: int) -> None:
        if action == "unblock":
            await self.blocks.remove(MIDNIGHT, self.blocked[number % len(self.blocked)] if self.blocked else "0" * 12)
            return
        wish = BlockWish(who if action == "block" else None, start, start + timedelta(minutes=5 + 10 * number))
        self.blocked.append((await self.blocks.add(MIDNIGHT, wish, by="Bia")).id)

    async def _do(self, action: str, contact: Contact, start: datetime, who: str, number: int) -> None:
        named = self.known[number % len(self.known)] if self.known else "000000000000"
        match action:
            case "book":
                self.known.append((await self.desk.book(MIDNIGHT, contact, request(start, "Paciente", who=who))).id)
            case "override":
                wish = request(start, "Paciente", who=who)
                self.known.append((await self.desk.book(MIDNIGHT, contact, wish, act=OVER)).id)
            case "shift":
                act = StaffAct("Bia", minutes=10 + 10 * number, override=number % 2 == 0)
                await self.desk.move(MIDNIGHT, None, named, start, who, act=act)
            case "move":
                await self.desk.move(MIDNIGHT, contact, named, start, who)
            case "cancel":
                await self.desk.cancel(MIDNIGHT, contact, named)
            case "miss":
                await self.desk.set_status(MIDNIGHT, named, AppointmentStatus.NO_SHOW)
            case "correct":
                await self.desk.set_status(MIDNIGHT, named, AppointmentStatus.CONFIRMED)
            case "hold":
                await self.desk.hold(MIDNIGHT, contact, "consulta", who, start)
            case "release":
                await self.desk.release(MIDNIGHT, contact)
            case "wait":
                self.clock.forward(minutes=number)


async def play(script: list[list[tuple[str, Contact, datetime, str, int]]]) -> None:
    """Each inner list happens at once; the promises are checked after each."""
    documents = await SqliteDocuments.open(":memory:")
    try:
        clock = TestClock()
        desk = BookingDesk(documents, clock)
        blocks = TimeBlocks(documents, clock)
        game = Play(desk, blocks, clock)
        for together in script:
            await asyncio.gather(*(game.do(step) for step in together))
            await must_hold(documents, desk, MIDNIGHT)
            await blocks_must_hold(documents, desk, blocks)
    finally:
        await documents.close()


@settings(max_examples=40, deadline=None)
@given(st.lists(steps.map(lambda step: [step]), max_size=25))
def test_no_order_of_events_leaves_an_overlap(script):
    asyncio.run(play(script))


@settings(max_examples=25, deadline=None)
@given(st.lists(st.lists(steps, min_size=2, max_size=5), max_size=8))
def test_no_events_at_once_leave_an_overlap(script):
    asyncio.run(play(script))
