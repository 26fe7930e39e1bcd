"""Who comes arrives, is in the room, and is seen to: marks beside the status, on the day."""

from dataclasses import replace

import pytest
from tests.booking.builders import MARIA, Booking, TestClock, at, make_clinic, request

from gendei.booking.appointment import Appointment, AppointmentStatus, Attendance, ChangedSince, IllegalMove
from gendei.booking.desk import BookingDesk, StaffAct
from gendei.booking.events import AgendaEvent, EventKind
from gendei.booking.slots import BookingRefused, Refusal
from gendei.errors import NotFound
from gendei.store.sqlite import SqliteDocuments

CLINIC, OTHER = make_clinic(), make_clinic(id="sorriso")
NINE = at(2, "09:00")
BIA = StaffAct("Bia")
S, EXPECTED, ARRIVED, IN_ROOM = AppointmentStatus, Attendance.EXPECTED, Attendance.ARRIVED, Attendance.IN_ROOM


async def booked(booking: Booking) -> Appointment:
    return await booking.desk.book(CLINIC, MARIA, request(NINE))


async def marked(booking: Booking, before: Appointment, *steps: Attendance) -> Appointment:
    for step in steps:
        before = await booking.desk.set_attendance(CLINIC, before.id, step, BIA)
        booking.clock.forward(minutes=10)
    return before


async def test_who_comes_arrives_and_goes_into_the_room_and_the_status_stays(booking: Booking):
    begin = booking.clock.now = at(2, "08:50")
    after = await marked(booking, await booked(booking), ARRIVED, IN_ROOM)
    assert (after.status, after.attendance, after.arrived_at) == (S.CONFIRMED, IN_ROOM, begin)
    assert after.in_room_at == at(2, "09:00")
    assert [(line.attendance, line.by) for line in after.history[-2:]] == [(ARRIVED, "Bia"), (IN_ROOM, "Bia")]


async def test_straight_into_the_room_is_arrived_too_and_the_same_again_changes_nothing(booking: Booking):
    after = await marked(booking, await booked(booking), IN_ROOM)
    assert (after.arrived_at, after.in_room_at) == (after.history[-1].at, after.history[-1].at)
    assert await marked(booking, after, IN_ROOM) == after


async def test_a_mistake_is_taken_back(booking: Booking):
    first = await marked(booking, await booked(booking), ARRIVED, IN_ROOM, ARRIVED)
    assert (first.attendance, first.in_room_at) == (ARRIVED, None)
    after = await marked(booking, first, EXPECTED)
    assert (after.attendance, after.arrived_at, after.in_room_at) == (EXPECTED, None, None)


async def test_who_arrived_is_done_without_a_word_before(booking: Booking):
    before = await booked(booking)
    with pytest.raises(IllegalMove):
        await booking.desk.set_status(CLINIC, before.id, S.COMPLETED)
    await marked(booking, before, ARRIVED)
    done = await booking.desk.set_status(CLINIC, before.id, S.COMPLETED, BIA)
    assert [line.status for line in done.history[-2:]] == [S.CONFIRMED_PRESENCE, S.COMPLETED]


async def test_nobody_is_there_before_the_day_or_after_it_is_over(booking: Booking):
    before = await booked(booking)
    booking.clock.now = at(1, "23:59")
    with pytest.raises(BookingRefused) as early:
        await marked(booking, before, ARRIVED)
    booking.clock.now = at(3, "10:00")
    assert (await marked(booking, before, ARRIVED)).attendance is ARRIVED
    await booking.desk.cancel(CLINIC, None, before.id)
    with pytest.raises(IllegalMove):
        await marked(booking, before, EXPECTED)
    assert early.value.reason is Refusal.NOT_YET


async def test_who_did_not_come_was_not_there(booking: Booking):
    before = await marked(booking, await booked(booking), ARRIVED, IN_ROOM)
    missed = await booking.desk.set_status(CLINIC, before.id, S.NO_SHOW)
    assert (missed.attendance, missed.arrived_at) == (EXPECTED, None)


async def test_who_is_there_stays_so_for_another_hour_of_the_day_and_not_for_another_day(booking: Booking):
    before = await marked(booking, await booked(booking), ARRIVED)
    later = await booking.desk.move(CLINIC, None, before.id, at(2, "15:00"))
    tomorrow = await booking.desk.move(CLINIC, None, before.id, at(3, "15:00"))
    assert (later.arrived_at, tomorrow.arrived_at) == (before.arrived_at, None)


async def test_of_two_pages_the_second_is_told_and_another_clinic_finds_nothing(booking: Booking):
    seen = await booked(booking)
    await marked(booking, seen, ARRIVED)
    late = replace(BIA, seen=seen.version)
    with pytest.raises(ChangedSince):
        await booking.desk.set_attendance(CLINIC, seen.id, IN_ROOM, late)
    with pytest.raises(ChangedSince):
        await booking.desk.set_note(CLINIC, seen.id, "x", late)
    with pytest.raises(NotFound):
        await booking.desk.set_attendance(OTHER, seen.id, IN_ROOM, BIA)
    with pytest.raises(NotFound):
        await booking.desk.set_note(OTHER, seen.id, "x", BIA)


async def test_a_note_is_written_whatever_the_status_and_is_no_line_of_the_history(booking: Booking):
    before = await booking.desk.book(CLINIC, MARIA, replace(request(NINE), note="Traz exames."))
    await booking.desk.cancel(CLINIC, None, before.id)
    after = await booking.desk.set_note(CLINIC, before.id, "Ligou: vem outro dia.", BIA)
    assert (before.note, after.note, len(after.history)) == ("Traz exames.", "Ligou: vem outro dia.", 3)
    assert await booking.desk.set_note(CLINIC, before.id, "Ligou: vem outro dia.", BIA) == after


async def test_followers_are_told_who_arrived_and_nothing_of_notes():
    documents, told = await SqliteDocuments.open(":memory:"), list[AgendaEvent]()
    desk = BookingDesk(documents, TestClock(), lambda _transaction, events: told.extend(events))
    before = await desk.book(CLINIC, MARIA, request(NINE))
    await desk.set_note(CLINIC, before.id, "x", BIA)
    await desk.set_attendance(CLINIC, before.id, ARRIVED, BIA)
    await desk.set_status(CLINIC, before.id, S.COMPLETED, BIA)
    await documents.close()
    assert [event.kind for event in told] == [EventKind.BOOKED, EventKind.ATTENDANCE, EventKind.COMPLETED]
    assert len({event.id for event in told}) == 3
