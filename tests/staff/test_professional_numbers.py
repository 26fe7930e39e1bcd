"""A month of each professional: pure functions on appointments, hours and blocks."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from tests.booking.builders import ANA, BRUNO, MARIA, MONDAY, at, make_clinic

from gendei.booking.appointment import BY_PATIENT, Appointment, AppointmentStatus, StatusChange
from gendei.booking.time_blocks import TimeBlock
from gendei.clinic import TimeOff
from gendei.staff.professional_numbers import ProfessionalNumbers, by_professional

MARCH = date(2026, 3, 2), date(2026, 3, 31)
DAY_MINUTES = 4 * 60 + 5 * 60
"""Of Boa Vida, 08:00-12:00 and 13:00-18:00."""


def visit(
    clock: str,
    status: AppointmentStatus = AppointmentStatus.CONFIRMED,
    who: str = "ana",
    price: int | None = 25000,
    by: str = BY_PATIENT,
) -> Appointment:
    """On Monday the 2nd, of half an hour."""
    start = at(2, clock)
    names = {"ana": ANA.name, "bruno": BRUNO.name}
    return Appointment(
        id=f"{who}{clock}{status}",
        clinic_id=make_clinic().id,
        service_id="consulta",
        service_name="Consulta",
        professional_id=who,
        professional_name=names.get(who, "Dra. Antiga"),
        patient_id="p",
        patient_name="Maria",
        contact=MARIA,
        patient_phone=MARIA,
        start=start,
        end=start + timedelta(minutes=30),
        status=status,
        price_cents=price,
        deposit_cents=0,
        created_at=MONDAY,
        updated_at=MONDAY,
        channel="meta",
        history=(StatusChange(AppointmentStatus.CONFIRMED, MONDAY, by),),
    )


def counted(*visits: Appointment, until: date = MARCH[0]) -> ProfessionalNumbers:
    clinic = make_clinic(professionals=(ANA,))
    [numbers] = by_professional(clinic, MARCH, until, visits, [])
    return numbers


@pytest.mark.parametrize(("until", "days"), [(date(2026, 3, 2), 1), (date(2026, 3, 8), 5), (date(2026, 3, 9), 6)])
def test_working_hours_count_up_to_today(until: date, days: int):
    assert counted(until=until).open_minutes == days * DAY_MINUTES


def test_what_is_taken_is_a_share_of_the_hours():
    numbers = counted(
        visit("08:00"), visit("09:00", AppointmentStatus.COMPLETED), visit("10:00", AppointmentStatus.NO_SHOW)
    )
    assert (numbers.taken_minutes, numbers.occupancy) == (60, 60 / DAY_MINUTES)


def test_two_visits_at_once_take_the_time_once():
    assert counted(visit("08:00"), replace(visit("08:00"), id="beside it")).taken_minutes == 30


def test_what_is_still_to_come_takes_no_time_yet():
    later = replace(visit("08:00"), start=at(10, "08:00"), end=at(10, "08:30"))
    assert (counted(later).booked, counted(later).taken_minutes) == (1, 0)


def test_absences_blocks_and_closed_days_are_no_hours():
    away = TimeOff(at(2, "16:00"), at(2, "20:00"))
    ana = replace(ANA, time_off=(away,))
    clinic = make_clinic(professionals=(ana,), closed=frozenset({date(2026, 3, 3)}))
    blocks = [block("ana", "08:00", "09:00"), block(None, "08:30", "10:00"), block("bruno", "13:00", "16:00")]
    [numbers] = by_professional(clinic, MARCH, date(2026, 3, 3), (), blocks)
    assert numbers.open_minutes == DAY_MINUTES - 2 * 60 - 2 * 60


def block(who: str | None, start: str, end: str) -> TimeBlock:
    return TimeBlock("b", who, at(2, start), at(2, end), "", "Bia", MONDAY)


def test_money_is_of_what_was_booked_and_of_what_nobody_refilled():
    numbers = counted(
        visit("08:00", AppointmentStatus.COMPLETED, price=10000),
        visit("09:00", AppointmentStatus.NO_SHOW, price=20000),
        visit("10:00", AppointmentStatus.CANCELLED, price=40000),
        visit("10:00", price=40000),
        visit("11:00", price=None, by="Bia"),
    )
    assert (numbers.value_cents, numbers.lost_cents, numbers.refilled_cents) == (110000, 20000, 40000)
    assert (numbers.booked, numbers.by_patients, numbers.without_price) == (5, 4, 1)
    assert (numbers.came, numbers.missed, numbers.cancelled) == (1, 1, 1)


def test_who_left_the_clinic_still_counts_and_who_did_nothing_does_not():
    clinic = make_clinic(professionals=(ANA, replace(BRUNO, hours={})))
    found = by_professional(clinic, MARCH, MARCH[0], [visit("08:00", who="antiga")], [])
    assert [(each.name, each.booked, each.occupancy) for each in found] == [
        (ANA.name, 0, 0.0),
        ("Dra. Antiga", 1, None),
    ]


def test_all_together_is_their_sum():
    whole = ProfessionalNumbers.together([counted(visit("08:00")), counted(visit("09:00"))])
    assert (whole.name, whole.booked, whole.value_cents, whole.occupancy) == ("", 2, 50000, 60 / (2 * DAY_MINUTES))
