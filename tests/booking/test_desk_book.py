"""Booking: what is written, what is refused, and what a repeated call gives."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from tests.booking.builders import (
    ANA,
    BRUNO,
    JOAO,
    MARIA,
    MONDAY,
    Booking,
    at,
    everything,
    hours,
    make_clinic,
    request,
    taken,
)

from gendei.booking.appointment import AppointmentStatus, StatusChange
from gendei.booking.desk import BookingDesk, StaffAct
from gendei.booking.slots import BookingRefused, Refusal, Slot
from gendei.booking.visits import BookingRequest
from gendei.clinic import BookingPolicy, Clinic, ClinicId, Contact, TimeOff
from gendei.documents import Write
from gendei.errors import NaiveTime, NotFound

CLINIC = make_clinic()
NINE = at(2, "09:00")
S = AppointmentStatus


async def refusal(
    booking: Booking, wanted: BookingRequest, contact: Contact = MARIA, clinic: Clinic = CLINIC
) -> BookingRefused:
    with pytest.raises(BookingRefused) as refused:
        await booking.desk.book(clinic, contact, wanted)
    return refused.value


async def test_a_booking_is_confirmed_with_all_that_was_agreed(booking: Booking):
    booked = await booking.desk.book(CLINIC, MARIA, BookingRequest("consulta", "ana", NINE, " Bento  Silva "))
    assert (booked.service_name, booked.professional_name, booked.start, booked.end) == (
        "Consulta Geral",
        "Dra. Ana Souza",
        NINE,
        at(2, "09:30"),
    )
    assert (booked.patient_name, booked.contact, booked.patient_phone) == ("Bento Silva", MARIA, MARIA)
    assert (booked.price_cents, booked.deposit_cents, booked.channel) == (25000, 5000, "whatsapp")
    assert booked.history == (StatusChange(S.PENDING, MONDAY, "patient"), StatusChange(S.CONFIRMED, MONDAY, "patient"))
    assert booked.status is S.CONFIRMED


async def test_what_is_returned_is_what_stands_in_the_store(booking: Booking):
    booked = await booking.desk.book(CLINIC, MARIA, request(NINE))
    assert await booking.desk.appointment(CLINIC, MARIA, booked.id) == booked
    assert await taken(booking.documents, CLINIC) == {"ana_2026-03": {booked.id: list(booked.interval)}}


async def test_a_booking_and_all_that_goes_with_it_is_one_commit(booking: Booking):
    commits: list[set[str]] = []

    class Counting:
        get, get_many, query = booking.documents.get, booking.documents.get_many, booking.documents.query

        async def commit(self, writes: list[Write]) -> None:
            commits.append({write.path.split("/")[2] for write in writes})
            await booking.documents.commit(writes)

    await BookingDesk(Counting(), booking.clock).book(CLINIC, MARIA, request(NINE))
    assert commits == [{"agenda", "closures", "patients", "appointments", "holds"}]


async def test_a_repeated_booking_gives_the_same_appointment(booking: Booking):
    first = await booking.desk.book(CLINIC, MARIA, request(NINE))
    before = await everything(booking.documents, CLINIC)
    booking.clock.forward(hours=1, minutes=59)
    again = await booking.desk.book(CLINIC, MARIA, request(NINE.astimezone(UTC)))
    assert again == first
    assert await everything(booking.documents, CLINIC) == before


async def test_a_repeated_booking_is_found_when_its_time_could_not_be_booked_any_more(booking: Booking):
    clinic = make_clinic(booking=BookingPolicy(lead_minutes=120))
    first = await booking.desk.book(clinic, MARIA, request(NINE))
    booking.clock.forward(minutes=30)
    assert await booking.desk.book(clinic, MARIA, request(NINE)) == first


async def test_what_was_cancelled_can_be_booked_again(booking: Booking):
    first = await booking.desk.book(CLINIC, MARIA, request(NINE))
    await booking.desk.cancel(CLINIC, MARIA, first.id)
    again = await booking.desk.book(CLINIC, MARIA, request(NINE))
    assert again.id != first.id
    assert await taken(booking.documents, CLINIC) == {"ana_2026-03": {again.id: list(again.interval)}}


async def test_the_same_time_for_another_service_is_taken(booking: Booking):
    await booking.desk.book(CLINIC, MARIA, request(NINE))
    assert (await refusal(booking, request(NINE, service="limpeza"))).reason is Refusal.TAKEN


async def test_a_slot_that_is_gone_is_refused_with_the_nearest(booking: Booking):
    await booking.desk.book(CLINIC, MARIA, request(NINE))
    refused = await refusal(booking, request(NINE, "João Lima"), JOAO)
    assert refused.reason is Refusal.TAKEN
    assert refused.alternatives[0] == Slot("bruno", NINE, at(2, "09:30"))
    assert Slot("ana", NINE, at(2, "09:30")) not in refused.alternatives
    assert {slot.professional_id for slot in refused.alternatives} == {"ana", "bruno"}


AWAY = replace(ANA, time_off=(TimeOff(at(3, "00:00"), at(4, "00:00")),))


@pytest.mark.parametrize(
    ("wanted", "reason"),
    [
        (request(NINE, service="massagem"), Refusal.UNKNOWN_SERVICE),
        (request(NINE, who="zeca"), Refusal.UNKNOWN_PROFESSIONAL),
        (request(NINE, who="bruno", service="limpeza"), Refusal.NOT_OFFERED),
        (request(at(2, "06:00")), Refusal.PAST),
        (request(datetime.min.replace(tzinfo=UTC)), Refusal.PAST),
        (request(datetime.max.replace(tzinfo=UTC)), Refusal.TOO_FAR),
        (request(at(2, "09:00", month=6)), Refusal.TOO_FAR),
        (request(at(8, "09:00")), Refusal.CLOSED),
        (request(at(3, "09:00")), Refusal.PROFESSIONAL_OFF),
        (request(at(2, "12:00")), Refusal.OUTSIDE_HOURS),
        (request(at(2, "09:10")), Refusal.OFF_GRID),
        (request(at(2, "08:00")), Refusal.TOO_SOON),
        (request(NINE, name="?"), Refusal.INVALID_NAME),
        (replace(request(NINE), phone="12"), Refusal.INVALID_PHONE),
    ],
)
async def test_a_booking_that_breaks_a_rule_changes_nothing(booking: Booking, wanted: BookingRequest, reason: Refusal):
    clinic = make_clinic(professionals=(AWAY, BRUNO), booking=BookingPolicy(lead_minutes=90))
    refused = await refusal(booking, wanted, clinic=clinic)
    assert refused.reason is reason
    assert await everything(booking.documents, CLINIC) == {}
    asks_for_a_time = reason not in {Refusal.UNKNOWN_SERVICE, Refusal.INVALID_NAME, Refusal.INVALID_PHONE}
    assert bool(refused.alternatives) is asks_for_a_time


def test_a_request_without_a_zone_is_never_born():
    with pytest.raises(NaiveTime):
        request(NINE.replace(tzinfo=None))


async def test_a_refusal_tells_nothing_about_the_patient(booking: Booking):
    refused = await refusal(booking, replace(request(NINE), phone="meu telefone"))
    assert str(refused) == "booking refused: invalid_phone"


async def test_staff_book_between_the_slots_and_are_named(booking: Booking):
    booked = await booking.desk.book(CLINIC, MARIA, request(at(2, "09:10")), act=StaffAct("carla"))
    assert (booked.start, booked.history[-1].by) == (at(2, "09:10"), "carla")


async def test_a_buffer_reaches_over_the_end_of_a_month(booking: Booking):
    policy = BookingPolicy(0, 60, buffer_minutes=30, step_minutes=30)
    clinic = make_clinic(hours={1: hours("22:00-24:00"), 2: hours("00:00-02:00")}, booking=policy)
    await booking.desk.book(clinic, MARIA, request(at(1, "00:00", month=4)))
    with pytest.raises(BookingRefused) as refused:
        await booking.desk.book(clinic, JOAO, request(at(31, "23:30")))
    assert refused.value.reason is Refusal.TAKEN
    assert (await booking.desk.book(clinic, JOAO, request(at(31, "23:00")))).start == at(31, "23:00")


async def test_an_appointment_over_a_month_end_in_utc_stands_in_the_clinics_month(booking: Booking):
    clinic = make_clinic(hours={1: hours("20:45-21:15")})
    booked = await booking.desk.book(clinic, MARIA, request(at(31, "20:45")))
    assert booked.start.astimezone(UTC).month != booked.end.astimezone(UTC).month
    assert await taken(booking.documents, clinic) == {"ana_2026-03": {booked.id: list(booked.interval)}}


async def test_two_children_of_one_phone_have_an_appointment_each(booking: Booking):
    first = await booking.desk.book(CLINIC, MARIA, request(NINE, "Bento Silva"))
    second = await booking.desk.book(CLINIC, MARIA, request(NINE, "Clara Silva", who="bruno"))
    assert await booking.desk.appointments_of(CLINIC, MARIA) == [second, first]
    assert first.patient_id != second.patient_id


async def test_only_what_is_to_come_is_upcoming(booking: Booking):
    past = await booking.desk.book(CLINIC, MARIA, request(NINE))
    cancelled = await booking.desk.book(CLINIC, MARIA, request(at(3, "09:00")))
    cancelled = await booking.desk.cancel(CLINIC, MARIA, cancelled.id)
    coming = await booking.desk.book(CLINIC, MARIA, request(at(4, "09:00")))
    booking.clock.now = NINE + timedelta(minutes=5)
    assert await booking.desk.appointments_of(CLINIC, MARIA) == [coming]
    assert await booking.desk.appointments_of(CLINIC, MARIA, upcoming_only=False) == [past, cancelled, coming]


async def test_staff_see_everybodys_appointments_of_some_days_in_order(booking: Booking):
    later = await booking.desk.book(CLINIC, MARIA, request(at(2, "17:30")))
    first = await booking.desk.book(CLINIC, JOAO, request(NINE, "João Lima"))
    await booking.desk.book(CLINIC, JOAO, request(at(3, "09:00"), "João Lima"))
    assert await booking.desk.appointments(CLINIC, NINE.date(), NINE.date()) == [first, later]


async def test_another_patient_and_another_clinic_find_nothing(booking: Booking):
    other = replace(CLINIC, id=ClinicId("sorriso"))
    booked = await booking.desk.book(CLINIC, MARIA, request(NINE))
    for clinic, contact in ((CLINIC, JOAO), (other, MARIA), (other, None)):
        with pytest.raises(NotFound):
            await booking.desk.appointment(clinic, contact, booked.id)
    assert await booking.desk.appointments_of(CLINIC, JOAO) == []
    assert await booking.desk.appointments_of(other, MARIA) == []
    assert await booking.desk.appointments(other, NINE.date(), NINE.date()) == []
    assert (await booking.desk.book(other, JOAO, request(NINE, "João Lima"))).start == NINE


@pytest.mark.parametrize("invented", ["", "apt_1", "../x", "a/b/c", "0123456789AB", "0123456789ab\n", "é" * 12])
async def test_an_id_that_was_never_given_finds_nothing(booking: Booking, invented: str):
    with pytest.raises(NotFound):
        await booking.desk.appointment(CLINIC, None, invented)
