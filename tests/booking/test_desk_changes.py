"""Moving, cancelling and the states that staff set."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from tests.booking.builders import JOAO, MARIA, Booking, at, everything, make_clinic, request, taken

from gendei.booking.appointment import Appointment, AppointmentStatus, IllegalMove, StatusChange
from gendei.booking.desk import StaffAct
from gendei.booking.slots import BookingRefused, Refusal
from gendei.booking.time_blocks import BlockWish, TimeBlocks
from gendei.clinic import BookingPolicy, Clinic, ClinicId, Contact
from gendei.errors import NaiveTime, NotFound

CLINIC = make_clinic()
NINE, TEN = at(2, "09:00"), at(2, "10:00")
S = AppointmentStatus


async def booked(booking: Booking, start: datetime = NINE, clinic: Clinic = CLINIC) -> Appointment:
    return await booking.desk.book(clinic, MARIA, request(start))


async def test_a_move_keeps_the_appointment_and_changes_its_time(booking: Booking):
    before = await booked(booking)
    booking.clock.forward(minutes=1)
    after = await booking.desk.move(CLINIC, MARIA, before.id, TEN)
    now = CLINIC.local(booking.clock())
    history = (*before.history, StatusChange(S.CONFIRMED, now, "patient", NINE))
    assert after == replace(before, start=TEN, end=at(2, "10:30"), updated_at=now, history=history)
    assert await booking.desk.appointment(CLINIC, MARIA, before.id) == after
    assert await taken(booking.documents, CLINIC) == {"ana_2026-03": {before.id: list(after.interval)}}


async def test_a_move_to_another_professional_and_month_frees_the_old_time(booking: Booking):
    before = await booked(booking)
    after = await booking.desk.move(CLINIC, MARIA, before.id, at(1, "09:00", month=4), "bruno")
    assert (after.professional_id, after.professional_name) == ("bruno", "Dr. Bruno Lima")
    assert await taken(booking.documents, CLINIC) == {"bruno_2026-04": {before.id: list(after.interval)}}


async def test_a_move_may_overlap_the_time_that_it_leaves(booking: Booking):
    clinic = make_clinic(booking=BookingPolicy(0, 60, step_minutes=15))
    before = await booked(booking, clinic=clinic)
    assert (await booking.desk.move(clinic, MARIA, before.id, at(2, "09:15"))).start == at(2, "09:15")


async def test_a_repeated_move_changes_nothing(booking: Booking):
    before = await booked(booking)
    moved = await booking.desk.move(CLINIC, MARIA, before.id, TEN)
    stands = await everything(booking.documents, CLINIC)
    booking.clock.forward(minutes=5)
    assert await booking.desk.move(CLINIC, MARIA, before.id, TEN) == moved
    assert await everything(booking.documents, CLINIC) == stands


async def test_a_move_onto_somebody_else_is_refused_with_the_nearest_and_changes_nothing(booking: Booking):
    before = await booked(booking)
    await booking.desk.book(CLINIC, JOAO, request(TEN, "João Lima"))
    stands = await everything(booking.documents, CLINIC)
    with pytest.raises(BookingRefused) as refused:
        await booking.desk.move(CLINIC, MARIA, before.id, TEN)
    assert refused.value.reason is Refusal.TAKEN
    assert (refused.value.alternatives[0].professional_id, refused.value.alternatives[0].start) == ("bruno", TEN)
    assert await everything(booking.documents, CLINIC) == stands


async def test_staff_move_anybodys_appointment_between_the_slots(booking: Booking):
    before = await booked(booking)
    assert (await booking.desk.move(CLINIC, None, before.id, at(2, "09:40"))).start == at(2, "09:40")


async def test_what_has_begun_cannot_be_moved(booking: Booking):
    before = await booked(booking)
    booking.clock.now = NINE
    for contact in (MARIA, None):
        with pytest.raises(BookingRefused) as refused:
            await booking.desk.move(CLINIC, contact, before.id, TEN)
        assert refused.value.reason is Refusal.TOO_LATE


async def test_what_was_cancelled_cannot_be_moved(booking: Booking):
    before = await booked(booking)
    await booking.desk.cancel(CLINIC, MARIA, before.id)
    with pytest.raises(BookingRefused) as refused:
        await booking.desk.move(CLINIC, MARIA, before.id, TEN)
    assert refused.value.reason is Refusal.ILLEGAL_MOVE


async def test_a_move_to_a_naive_time_is_refused(booking: Booking):
    before = await booked(booking)
    with pytest.raises(NaiveTime):
        await booking.desk.move(CLINIC, MARIA, before.id, TEN.replace(tzinfo=None))


async def test_a_cancelled_appointment_keeps_its_reason_and_frees_its_time(booking: Booking):
    before = await booked(booking)
    after = await booking.desk.cancel(CLINIC, MARIA, before.id, "viagem")
    assert (after.status, after.cancel_reason, after.history[-1].by) == (S.CANCELLED, "viagem", "patient")
    assert await taken(booking.documents, CLINIC) == {}
    assert (await booking.desk.book(CLINIC, JOAO, request(NINE, "João Lima"))).start == NINE


async def test_a_repeated_cancel_changes_nothing(booking: Booking):
    before = await booked(booking)
    first = await booking.desk.cancel(CLINIC, MARIA, before.id, "viagem")
    booking.clock.forward(days=1)
    assert await booking.desk.cancel(CLINIC, MARIA, before.id, "outra coisa") == first


async def test_cancelling_again_leaves_alone_who_has_the_time_now(booking: Booking):
    before = await booked(booking)
    await booking.desk.cancel(CLINIC, MARIA, before.id)
    now_there = await booking.desk.book(CLINIC, JOAO, request(NINE, "João Lima"))
    await booking.desk.cancel(CLINIC, MARIA, before.id)
    assert await taken(booking.documents, CLINIC) == {"ana_2026-03": {now_there.id: list(now_there.interval)}}


@pytest.mark.parametrize(("minutes_before", "allowed"), [(61, True), (60, False), (0, False)])
async def test_patients_keep_the_clinics_notice(booking: Booking, minutes_before: int, allowed: bool):
    clinic = make_clinic(booking=BookingPolicy(0, cancel_notice_minutes=60))
    before = await booked(booking, clinic=clinic)
    booking.clock.now = NINE - timedelta(minutes=minutes_before)
    if allowed:
        assert (await booking.desk.cancel(clinic, MARIA, before.id)).status is S.CANCELLED
        return
    for attempt in (
        booking.desk.cancel(clinic, MARIA, before.id),
        booking.desk.move(clinic, MARIA, before.id, TEN),
    ):
        with pytest.raises(BookingRefused) as refused:
            await attempt
        assert refused.value.reason is Refusal.TOO_LATE


async def test_staff_need_no_notice(booking: Booking):
    clinic = make_clinic(booking=BookingPolicy(0, cancel_notice_minutes=60))
    before = await booked(booking, clinic=clinic)
    booking.clock.now = NINE
    after = await booking.desk.cancel(clinic, None, before.id, "médica doente", act=StaffAct("carla"))
    assert (after.status, after.history[-1].by) == (S.CANCELLED, "carla")


@pytest.mark.parametrize(("contact", "by"), [(MARIA, "patient"), (None, "staff")])
async def test_who_said_that_they_come_may_be_prevented(booking: Booking, contact: Contact | None, by: str):
    before = await booked(booking)
    await booking.desk.confirm_presence(CLINIC, MARIA, before.id)
    after = await booking.desk.cancel(CLINIC, contact, before.id, "gripe")
    assert [message.status for message in after.history][-3:] == [S.CONFIRMED_PRESENCE, S.CONFIRMED, S.CANCELLED]
    assert (after.history[-1].by, after.cancel_reason) == (by, "gripe")
    assert await taken(booking.documents, CLINIC) == {}


async def test_a_presence_is_confirmed_for_one_time_only(booking: Booking):
    before = await booked(booking)
    await booking.desk.confirm_presence(CLINIC, MARIA, before.id)
    after = await booking.desk.move(CLINIC, MARIA, before.id, before.start + timedelta(hours=1))
    assert (after.status, after.history[-1].by) == (S.CONFIRMED, "patient")


async def test_who_is_there_cannot_be_cancelled(booking: Booking):
    before = await booked(booking)
    await booking.desk.set_status(CLINIC, before.id, S.CONFIRMED_PRESENCE)
    booking.clock.now = before.start
    with pytest.raises(IllegalMove):
        await booking.desk.cancel(CLINIC, None, before.id)


async def test_staff_follow_a_visit_to_its_end(booking: Booking):
    before = await booked(booking)
    await booking.desk.set_status(CLINIC, before.id, S.CONFIRMED_PRESENCE, StaffAct("carla"))
    after = await booking.desk.set_status(CLINIC, before.id, S.COMPLETED, StaffAct("carla"))
    assert [change.status for change in after.history] == [S.PENDING, S.CONFIRMED, S.CONFIRMED_PRESENCE, S.COMPLETED]
    assert await taken(booking.documents, CLINIC) == {"ana_2026-03": {before.id: list(before.interval)}}


async def test_a_no_show_frees_the_time(booking: Booking):
    before = await booked(booking)
    await booking.desk.set_status(CLINIC, before.id, S.NO_SHOW)
    assert await taken(booking.documents, CLINIC) == {}


@pytest.mark.parametrize("marked", [(S.CONFIRMED_PRESENCE, S.COMPLETED), (S.NO_SHOW,), (S.CONFIRMED_PRESENCE,)])
async def test_what_staff_marked_by_mistake_they_take_back_with_its_time(booking: Booking, marked: tuple[S, ...]):
    before = await booked(booking)
    for status in marked:
        await booking.desk.set_status(CLINIC, before.id, status)
    after = await booking.desk.set_status(CLINIC, before.id, S.CONFIRMED, StaffAct("carla"))
    assert [line.status for line in after.history] == [S.PENDING, S.CONFIRMED, *marked, S.CONFIRMED]
    assert (after.status, after.history[-1].by) == (S.CONFIRMED, "carla")
    assert await taken(booking.documents, CLINIC) == {"ana_2026-03": {before.id: list(before.interval)}}


async def test_what_is_cancelled_stays_so(booking: Booking):
    before = await booked(booking)
    await booking.desk.cancel(CLINIC, MARIA, before.id)
    with pytest.raises(IllegalMove):
        await booking.desk.set_status(CLINIC, before.id, S.CONFIRMED)


async def test_a_no_show_whose_time_was_given_away_stays_one(booking: Booking):
    before = await booked(booking)
    await booking.desk.set_status(CLINIC, before.id, S.NO_SHOW)
    other = await booking.desk.book(CLINIC, JOAO, request(before.start, "João Lima"))
    with pytest.raises(BookingRefused) as refused:
        await booking.desk.set_status(CLINIC, before.id, S.CONFIRMED)
    assert refused.value.reason is Refusal.TAKEN
    assert await taken(booking.documents, CLINIC) == {"ana_2026-03": {other.id: list(other.interval)}}


async def test_a_no_show_whose_time_was_blocked_stays_one(booking: Booking):
    before = await booked(booking)
    await booking.desk.set_status(CLINIC, before.id, S.NO_SHOW)
    await TimeBlocks(booking.documents, booking.clock).add(CLINIC, BlockWish("ana", before.start, before.end), by="Bia")
    with pytest.raises(BookingRefused) as refused:
        await booking.desk.set_status(CLINIC, before.id, S.CONFIRMED)
    assert refused.value.reason is Refusal.PROFESSIONAL_OFF
    assert await taken(booking.documents, CLINIC) == {}


async def test_a_status_that_is_there_already_changes_nothing(booking: Booking):
    before = await booked(booking)
    assert await booking.desk.set_status(CLINIC, before.id, S.CONFIRMED) == before


async def test_an_illegal_status_changes_nothing(booking: Booking):
    before = await booked(booking)
    with pytest.raises(IllegalMove) as refused:
        await booking.desk.set_status(CLINIC, before.id, S.COMPLETED)
    assert (refused.value.before, refused.value.after) == (S.CONFIRMED, S.COMPLETED)
    assert await booking.desk.appointment(CLINIC, None, before.id) == before


async def test_a_patient_says_that_they_will_come(booking: Booking):
    before = await booked(booking)
    after = await booking.desk.confirm_presence(CLINIC, MARIA, before.id)
    assert (after.status, after.history[-1].by) == (S.CONFIRMED_PRESENCE, "patient")
    assert await booking.desk.confirm_presence(CLINIC, MARIA, before.id) == after


async def test_no_notice_is_needed_to_say_that_one_will_come(booking: Booking):
    clinic = make_clinic(booking=BookingPolicy(0, 60, cancel_notice_minutes=60 * 24 * 60))
    before = await booked(booking, clinic=clinic)
    assert (await booking.desk.confirm_presence(clinic, MARIA, before.id)).status is S.CONFIRMED_PRESENCE


async def test_nobody_can_come_any_more_once_it_has_begun(booking: Booking):
    before = await booked(booking)
    booking.clock.forward(minutes=60 * 24 * 30)
    with pytest.raises(BookingRefused) as refused:
        await booking.desk.confirm_presence(CLINIC, MARIA, before.id)
    assert refused.value.reason is Refusal.TOO_LATE


async def test_nobody_can_come_to_what_is_cancelled(booking: Booking):
    before = await booked(booking)
    await booking.desk.cancel(CLINIC, MARIA, before.id)
    with pytest.raises(IllegalMove):
        await booking.desk.confirm_presence(CLINIC, MARIA, before.id)


async def test_being_late_is_noted_changes_nothing_else_and_is_over_with_a_move(booking: Booking):
    before = await booked(booking)
    first = await booking.desk.note_late(CLINIC, MARIA, before.id, 15)
    again = await booking.desk.note_late(CLINIC, MARIA, before.id)
    assert (first.late.minutes, again.late.minutes) == (15, 15)
    assert (replace(again, late=None), again.version) == (before, before.version)
    assert (await booking.desk.move(CLINIC, MARIA, before.id, TEN)).late is None


async def test_nobody_is_late_for_what_is_over_or_was_cancelled(booking: Booking):
    before, other = await booked(booking), await booked(booking, TEN)
    await booking.desk.cancel(CLINIC, MARIA, other.id)
    booking.clock.forward(minutes=60 * 24 * 30)
    for appointment in (before, other):
        with pytest.raises(BookingRefused):
            await booking.desk.note_late(CLINIC, MARIA, appointment.id)


@pytest.mark.parametrize("contact", [MARIA, None])
async def test_another_clinic_changes_nothing(booking: Booking, contact: Contact | None):
    other = replace(CLINIC, id=ClinicId("sorriso"))
    before = await booked(booking)
    for attempt in (
        booking.desk.move(other, contact, before.id, TEN),
        booking.desk.cancel(other, contact, before.id),
        booking.desk.set_status(other, before.id, S.NO_SHOW),
        booking.desk.confirm_presence(other, MARIA, before.id),
        booking.desk.note_late(other, MARIA, before.id),
        booking.desk.note_late(CLINIC, JOAO, before.id),
    ):
        with pytest.raises(NotFound):
            await attempt
    assert await booking.desk.appointment(CLINIC, MARIA, before.id) == before


async def test_another_patient_changes_nothing(booking: Booking):
    before = await booked(booking)
    for attempt in (
        booking.desk.move(CLINIC, JOAO, before.id, TEN),
        booking.desk.cancel(CLINIC, JOAO, before.id),
        booking.desk.confirm_presence(CLINIC, JOAO, before.id),
    ):
        with pytest.raises(NotFound):
            await attempt
    assert await booking.desk.appointment(CLINIC, MARIA, before.id) == before
