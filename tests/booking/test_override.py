"""An override: staff put an appointment where the agenda has no room for it, and it says so."""

import ast
from datetime import datetime
from pathlib import Path

import pytest
from tests.booking.builders import JOAO, MARIA, Booking, at, make_clinic, request, taken

import gendei
from gendei.booking.appointment import Appointment, AppointmentStatus
from gendei.booking.desk import StaffAct
from gendei.booking.slots import OVERRIDABLE, BookingRefused, Refusal
from gendei.booking.time_blocks import BlockWish, TimeBlocks
from gendei.clinic import Contact

CLINIC = make_clinic()
NINE, TEN = at(2, "09:00"), at(2, "10:00")
STAFF, OVER = StaffAct("Bia"), StaffAct("Bia", override=True)
S = AppointmentStatus


async def put_in(
    booking: Booking,
    start: datetime = NINE,
    name: str = "João Lima",
    contact: Contact = JOAO,
    act: StaffAct = OVER,
    **visit: str,
) -> Appointment:
    return await booking.desk.book(CLINIC, contact, request(start, name, **visit), act=act)


async def refused(booking: Booking, start: datetime, act: StaffAct = OVER, **visit: str) -> Refusal:
    with pytest.raises(BookingRefused) as why:
        await put_in(booking, start, act=act, **visit)
    return why.value.reason


async def test_a_taken_time_is_shared_and_the_second_says_so(booking: Booking):
    first = await booking.desk.book(CLINIC, MARIA, request(NINE))
    second = await put_in(booking, at(2, "09:10"))
    assert (first.override, second.override, second.status) == (False, True, S.CONFIRMED)
    both = {appointment.id: list(appointment.interval) for appointment in (first, second)}
    assert await taken(booking.documents, CLINIC) == {"ana_2026-03": both}


@pytest.mark.parametrize(
    ("start", "reason"),
    [
        (at(2, "12:30"), Refusal.OUTSIDE_HOURS),
        (at(2, "17:50"), Refusal.OUTSIDE_HOURS),
        (at(7, "09:00"), Refusal.CLOSED),
    ],
)
async def test_outside_of_the_hours_it_is_put_in(booking: Booking, start: datetime, reason: Refusal):
    assert (reason in OVERRIDABLE, await refused(booking, start, STAFF)) == (True, reason)
    assert (await put_in(booking, start)).override


async def test_in_blocked_time_it_is_put_in(booking: Booking):
    await TimeBlocks(booking.documents, booking.clock).add(CLINIC, BlockWish("ana", NINE, TEN), by="Bia")
    assert await refused(booking, NINE, STAFF) is Refusal.PROFESSIONAL_OFF
    assert (await put_in(booking)).override


@pytest.mark.parametrize(
    ("start", "visit", "reason"),
    [
        (at(1, "09:00"), {}, Refusal.PAST),
        (at(2, "09:00", month=12), {}, Refusal.TOO_FAR),
        (NINE, {"service": "limpeza", "who": "bruno"}, Refusal.NOT_OFFERED),
        (NINE, {"service": "x"}, Refusal.UNKNOWN_SERVICE),
        (NINE, {"who": "x"}, Refusal.UNKNOWN_PROFESSIONAL),
        (at(2, "12:30").replace(second=1), {}, Refusal.OFF_GRID),
    ],
)
async def test_nothing_else_is_overridden(booking: Booking, start: datetime, visit: dict[str, str], reason: Refusal):
    assert await refused(booking, start, **visit) is reason
    assert await taken(booking.documents, CLINIC) == {}


async def test_where_there_is_room_it_is_an_ordinary_appointment(booking: Booking):
    assert not (await put_in(booking)).override


async def test_the_same_again_gives_what_stands_and_another_person_of_the_phone_gets_their_own(booking: Booking):
    first = await booking.desk.book(CLINIC, MARIA, request(NINE))
    again = await put_in(booking, NINE, "Maria Silva", MARIA)
    son = await put_in(booking, NINE, "Pedro Silva", MARIA)
    assert (again, son.patient_name, son.override) == (first, "Pedro Silva", True)
    assert await put_in(booking, NINE, "Pedro Silva", MARIA) == son


async def test_nobody_else_gets_a_time_that_an_override_shares(booking: Booking):
    first = await booking.desk.book(CLINIC, MARIA, request(NINE))
    second = await put_in(booking, at(2, "09:10"))
    await booking.desk.cancel(CLINIC, MARIA, first.id)
    for start in (NINE, at(2, "09:30")):
        assert await refused(booking, start, STAFF) is Refusal.TAKEN
    await booking.desk.cancel(CLINIC, None, second.id)
    assert await taken(booking.documents, CLINIC) == {}


async def test_moved_to_where_there_is_room_it_is_ordinary_and_back_only_as_an_override(booking: Booking):
    await booking.desk.book(CLINIC, MARIA, request(NINE))
    second = await put_in(booking)
    moved = await booking.desk.move(CLINIC, JOAO, second.id, TEN)
    with pytest.raises(BookingRefused):
        await booking.desk.move(CLINIC, None, second.id, NINE, act=STAFF)
    back = await booking.desk.move(CLINIC, None, second.id, NINE, act=OVER)
    assert (moved.override, back.override) == (False, True)


async def test_a_no_show_that_was_an_override_comes_back_beside_who_stands_there(booking: Booking):
    await booking.desk.book(CLINIC, MARIA, request(NINE))
    second = await put_in(booking)
    await booking.desk.set_status(CLINIC, second.id, S.NO_SHOW)
    back = await booking.desk.set_status(CLINIC, second.id, S.CONFIRMED)
    assert (back.status, back.override) == (S.CONFIRMED, True)


async def test_another_duration_is_kept_free_and_may_be_changed_in_its_place(booking: Booking):
    long = await put_in(booking, act=StaffAct("Bia", minutes=50))
    assert (long.minutes, await refused(booking, at(2, "09:40"), STAFF)) == (50, Refusal.TAKEN)
    short = await booking.desk.move(CLINIC, None, long.id, NINE, act=StaffAct("Bia", minutes=15))
    assert (short.minutes, short.history[-1].moved_from) == (15, NINE)
    assert await taken(booking.documents, CLINIC) == {"ana_2026-03": {long.id: list(short.interval)}}
    assert await booking.desk.move(CLINIC, None, long.id, NINE, act=STAFF) == short


BOT = ("receptionist", "conversation", "attached", "voice", "providers")
"""Everything that acts for patients."""


def test_nothing_that_acts_for_patients_can_act_as_staff():
    """An override, and an own duration, stand in a StaffAct alone, which is given to the desk as `act`."""
    source = Path(gendei.__file__).parent
    acting = {"act", "override", "StaffAct"}
    found = [
        f"{path.relative_to(source)}: {ast.unparse(node)}"
        for package in BOT
        for path in (source / package).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (isinstance(node, ast.keyword) and node.arg in acting)
        or (isinstance(node, ast.ImportFrom) and acting & {alias.name for alias in node.names})
        or (isinstance(node, ast.Attribute) and node.attr in acting)
    ]
    assert found == []
