"""Holds: a slot kept for one contact for a few minutes."""

from dataclasses import replace
from datetime import timedelta

import pytest
from tests.booking.builders import JOAO, MARIA, MONDAY, Booking, at, everything, hours, make_clinic, request

from gendei.booking.desk import BookingDesk
from gendei.booking.holds import Hold
from gendei.booking.slots import BookingRefused, Refusal, Slot
from gendei.clinic import BookingPolicy, Clinic, ClinicId, Contact
from gendei.documents import Write
from gendei.errors import StoreUnavailable

CLINIC = make_clinic()
NINE = at(2, "09:00")


async def starts(booking: Booking, contact: Contact, clinic: Clinic = CLINIC) -> list[str]:
    [found] = await booking.desk.search_days(clinic, "consulta", NINE.date(), professional_id="ana", contact=contact)
    return [f"{slot.start:%H:%M}" for slot in found.slots]


async def holders(booking: Booking) -> list[str]:
    documents = await everything(booking.documents, CLINIC)
    return sorted(f"{path[-7:]} {who}" for path, data in documents.items() for who in (data or {}).get("holds", ()))


async def test_a_hold_keeps_a_slot_for_the_clinics_hold_time(booking: Booking):
    hold = await booking.desk.hold(CLINIC, MARIA, "consulta", "ana", NINE)
    assert hold == Hold(Slot("ana", NINE, at(2, "09:30")), MONDAY + timedelta(minutes=5))


async def test_a_hold_hides_the_slot_from_others_only(booking: Booking):
    await booking.desk.hold(CLINIC, MARIA, "consulta", "ana", NINE)
    assert "09:00" not in await starts(booking, JOAO)
    assert "09:00" in await starts(booking, MARIA)


async def test_others_cannot_hold_or_book_what_is_held(booking: Booking):
    await booking.desk.hold(CLINIC, MARIA, "consulta", "ana", NINE)
    for attempt in (
        booking.desk.hold(CLINIC, JOAO, "consulta", "ana", NINE),
        booking.desk.book(CLINIC, JOAO, request(NINE)),
    ):
        with pytest.raises(BookingRefused) as refused:
            await attempt
        assert refused.value.reason is Refusal.TAKEN
        assert Slot("ana", NINE, at(2, "09:30")) not in refused.value.alternatives
        assert refused.value.alternatives[0].start == NINE


async def test_a_hold_ends_by_itself(booking: Booking):
    await booking.desk.hold(CLINIC, MARIA, "consulta", "ana", NINE)
    booking.clock.forward(minutes=5)
    booked = await booking.desk.book(CLINIC, JOAO, request(NINE))
    assert booked.contact == JOAO
    assert await holders(booking) == []


async def test_a_new_hold_replaces_the_old_one_wherever_it_was(booking: Booking):
    await booking.desk.hold(CLINIC, MARIA, "consulta", "ana", at(31, "09:00"))
    await booking.desk.hold(CLINIC, MARIA, "consulta", "bruno", at(1, "09:00", month=4))
    assert await holders(booking) == [f"2026-04 {MARIA}"]


async def test_holding_the_same_slot_again_makes_the_hold_longer(booking: Booking):
    await booking.desk.hold(CLINIC, MARIA, "consulta", "ana", NINE)
    booking.clock.forward(minutes=3)
    hold = await booking.desk.hold(CLINIC, MARIA, "consulta", "ana", NINE)
    assert hold.expires_at == MONDAY + timedelta(minutes=8)


async def test_a_released_slot_is_free_for_others(booking: Booking):
    await booking.desk.hold(CLINIC, MARIA, "consulta", "ana", NINE)
    await booking.desk.release(CLINIC, MARIA)
    assert "09:00" in await starts(booking, JOAO)
    assert await holders(booking) == []


async def test_releasing_nothing_changes_nothing(booking: Booking):
    await booking.desk.release(CLINIC, MARIA)
    assert await everything(booking.documents, CLINIC) == {}


async def test_booking_uses_the_hold_up_even_on_another_slot(booking: Booking):
    await booking.desk.hold(CLINIC, MARIA, "consulta", "bruno", at(1, "09:00", month=4))
    await booking.desk.book(CLINIC, MARIA, request(NINE))
    assert await holders(booking) == []


async def test_moving_takes_the_contacts_own_hold(booking: Booking):
    booked = await booking.desk.book(CLINIC, MARIA, request(NINE))
    await booking.desk.hold(CLINIC, MARIA, "consulta", "ana", at(2, "10:00"))
    moved = await booking.desk.move(CLINIC, MARIA, booked.id, at(2, "10:00"))
    assert moved.start == at(2, "10:00")
    assert await holders(booking) == []


async def test_a_hold_over_the_end_of_a_month_stands_in_both(booking: Booking):
    policy = BookingPolicy(0, 60, buffer_minutes=30, step_minutes=30)
    clinic = make_clinic(hours={1: hours("22:00-24:00"), 2: hours("00:00-02:00")}, booking=policy)
    await booking.desk.hold(clinic, MARIA, "consulta", "ana", at(31, "23:30"))
    with pytest.raises(BookingRefused) as refused:
        await booking.desk.hold(clinic, JOAO, "consulta", "ana", at(1, "00:00", month=4))
    assert refused.value.reason is Refusal.TAKEN


async def test_a_hold_follows_the_same_rules_as_a_booking(booking: Booking):
    with pytest.raises(BookingRefused) as refused:
        await booking.desk.hold(CLINIC, MARIA, "consulta", "ana", at(2, "09:10"))
    assert refused.value.reason is Refusal.OFF_GRID
    assert await everything(booking.documents, CLINIC) == {}


async def test_a_hold_in_one_clinic_is_none_in_another(booking: Booking):
    other = replace(CLINIC, id=ClinicId("sorriso"))
    await booking.desk.hold(CLINIC, MARIA, "consulta", "ana", NINE)
    await booking.desk.release(other, MARIA)
    assert "09:00" in await starts(booking, JOAO, other)
    assert "09:00" not in await starts(booking, JOAO)


class Unwritable:
    """A store that can be read but not written."""

    def __init__(self, booking: Booking) -> None:
        self.get, self.get_many = booking.documents.get, booking.documents.get_many

    async def commit(self, writes: list[Write]) -> None:
        raise StoreUnavailable


async def test_releasing_is_best_effort(booking: Booking):
    await booking.desk.hold(CLINIC, MARIA, "consulta", "ana", NINE)
    await BookingDesk(Unwritable(booking), booking.clock).release(CLINIC, MARIA)
    assert await holders(booking) == [f"2026-03 {MARIA}"]
