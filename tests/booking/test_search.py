"""Searching the free slots of a day, of several days, and the next ones."""

from dataclasses import replace
from datetime import date

import pytest
from tests.booking.builders import ANA, BRUNO, JOAO, MARIA, MONDAY, Booking, at, hours, make_clinic, request, weekdays

from gendei.booking.desk import BookingDesk
from gendei.booking.slots import BookingRefused, NoSlots, Refusal, Slot
from gendei.clinic import BookingPolicy, ClinicId, TimeOff
from gendei.documents import Documents, Snapshot

MORNING = make_clinic(hours=weekdays("08:00-09:00"))
DAY = MONDAY.date()


def told(slots: tuple[Slot, ...] | list[Slot]) -> str:
    return " ".join(f"{slot.professional_id}-{slot.start:%d-%H:%M}" for slot in slots)


async def test_a_day_is_answered_for_everybody_who_does_the_service(booking: Booking):
    [found] = await booking.desk.search_days(MORNING, "consulta", DAY)
    assert told(found.slots) == "ana-02-08:00 bruno-02-08:00 ana-02-08:30 bruno-02-08:30"
    assert (found.day, found.reason) == (DAY, None)


async def test_a_day_is_answered_for_one_professional(booking: Booking):
    [found] = await booking.desk.search_days(MORNING, "consulta", DAY, professional_id="bruno")
    assert told(found.slots) == "bruno-02-08:00 bruno-02-08:30"


async def test_what_is_booked_is_not_offered(booking: Booking):
    await booking.desk.book(MORNING, MARIA, request(at(2, "08:00")))
    [found] = await booking.desk.search_days(MORNING, "consulta", DAY, professional_id="ana")
    assert told(found.slots) == "ana-02-08:30"


async def test_an_appointment_that_ends_at_midnight_keeps_its_buffer_in_the_next_month(booking: Booking):
    late = make_clinic(hours={0: hours("23:00-24:00"), 1: hours("00:00-02:00")}, booking=BookingPolicy(0, 60, 20, 30))
    booking.clock.now = at(28, "12:00", month=8)
    await booking.desk.book(late, MARIA, request(at(31, "23:30", month=8)))
    [found] = await booking.desk.search_days(late, "consulta", date(2026, 9, 1), professional_id="ana")
    assert found.slots[0].start == at(1, "00:30", month=9)


@pytest.mark.parametrize(
    ("service", "professional", "day", "reason"),
    [
        ("consulta", None, date(2026, 3, 8), NoSlots.CLOSED),
        ("consulta", "ana", date(2026, 3, 3), NoSlots.PROFESSIONAL_OFF),
        ("consulta", None, date(2026, 3, 1), NoSlots.PAST),
        ("consulta", None, date(2027, 3, 1), NoSlots.TOO_FAR),
        ("consulta", None, date.max, NoSlots.TOO_FAR),
        ("consulta", None, date.min, NoSlots.PAST),
    ],
)
async def test_a_day_without_slots_says_why(
    booking: Booking, service: str, professional: str | None, day: date, reason: NoSlots
):
    away = replace(ANA, time_off=(TimeOff(at(3, "00:00"), at(4, "00:00")),))
    clinic = make_clinic(hours=weekdays("08:00-09:00"), professionals=(away, BRUNO))
    [found] = await booking.desk.search_days(clinic, service, day, professional_id=professional)
    assert (found.slots, found.reason) == ((), reason)


@pytest.mark.parametrize(
    ("service", "professional", "reason"),
    [
        ("massagem", None, Refusal.UNKNOWN_SERVICE),
        ("consulta", "zeca", Refusal.UNKNOWN_PROFESSIONAL),
        ("limpeza", "bruno", Refusal.NOT_OFFERED),
    ],
)
async def test_what_is_not_to_be_had_is_refused(
    booking: Booking, service: str, professional: str | None, reason: Refusal
):
    with pytest.raises(BookingRefused) as refused:
        await booking.desk.search_days(MORNING, service, DAY, professional_id=professional)
    assert refused.value.reason is reason


async def test_several_days_have_an_answer_each(booking: Booking):
    found = await booking.desk.search_days(MORNING, "consulta", date(2026, 3, 6), 4, professional_id="ana")
    assert [(refusal.day.day, len(refusal.slots), refusal.reason) for refusal in found] == [
        (6, 2, None),
        (7, 0, NoSlots.CLOSED),
        (8, 0, NoSlots.CLOSED),
        (9, 2, None),
    ]


async def test_days_out_of_reach_say_so_among_the_others(booking: Booking):
    clinic = make_clinic(hours=weekdays("08:00-09:00"), booking=BookingPolicy(0, horizon_days=1))
    found = await booking.desk.search_days(clinic, "consulta", date(2026, 3, 1), 4)
    assert [refusal.reason for refusal in found] == [NoSlots.PAST, None, None, NoSlots.TOO_FAR]


async def test_the_next_slots_go_on_over_days_up_to_the_limit(booking: Booking):
    found = await booking.desk.next_slots(MORNING, "limpeza", limit=3)
    assert told(found) == "ana-02-08:00 ana-03-08:00 ana-04-08:00"


async def test_the_next_slots_begin_at_or_after_a_moment(booking: Booking):
    after = at(5, "08:30").astimezone(tz=None)
    found = await booking.desk.next_slots(MORNING, "consulta", professional_id="ana", after=after, limit=2)
    assert told(found) == "ana-05-08:30 ana-06-08:00"


async def test_the_next_slots_look_as_far_as_the_horizon(booking: Booking):
    away = replace(ANA, time_off=(TimeOff(at(1, "00:00"), at(30, "00:00", month=4)),))
    clinic = make_clinic(hours=weekdays("08:00-09:00"), professionals=(away,))
    found = await booking.desk.next_slots(clinic, "limpeza")
    assert told(found) == "ana-30-08:00 ana-01-08:00"


async def test_the_next_slots_of_what_is_not_offered_are_refused_with_who_offers_it(booking: Booking):
    with pytest.raises(BookingRefused) as refused:
        await booking.desk.next_slots(MORNING, "limpeza", professional_id="bruno")
    assert refused.value.reason is Refusal.NOT_OFFERED


class Reading:
    """A store that remembers what was asked of it."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self.asked: list[list[str]] = []

    async def get_many(self, paths: list[str]) -> list[Snapshot]:
        self.asked.append(paths)
        return await self._documents.get_many(paths)


async def test_a_search_over_thirty_days_reads_the_months_pages_and_what_is_closed_at_once(booking: Booking):
    reading = Reading(booking.documents)
    desk = BookingDesk(reading, booking.clock)
    await desk.search_days(MORNING, "consulta", DAY, 30)
    assert [len(paths) for paths in reading.asked] == [3]
    await desk.search_days(MORNING, "consulta", date(2026, 3, 10), 30)
    assert [len(paths) for paths in reading.asked] == [3, 6]


async def test_another_clinics_appointments_hide_nothing(booking: Booking):
    other = replace(MORNING, id=ClinicId("sorriso"))
    await booking.desk.book(MORNING, MARIA, request(at(2, "08:00")))
    [found] = await booking.desk.search_days(other, "consulta", DAY, professional_id="ana", contact=JOAO)
    assert told(found.slots) == "ana-02-08:00 ana-02-08:30"
