"""Free times by the clinic's rules, on ordinary days."""

from dataclasses import replace
from datetime import date, datetime, timedelta

import pytest
from tests.booking.builders import ANA, BRUNO, CHECKUP, CLEANING, MONDAY, at, every_day, hours, make_clinic

from gendei.booking.availability import free_slots, refusal, why_none
from gendei.booking.slots import NoSlots, Refusal, Slot
from gendei.booking.wallclock import Interval, epoch_minute
from gendei.clinic import BookingPolicy, Clinic, Professional, Service, TimeOff
from gendei.errors import NaiveTime

DAY = MONDAY.date()


def taken(day: int, begin: str, end: str) -> Interval:
    return epoch_minute(at(day, begin)), epoch_minute(at(day, end))


def times(
    clinic: Clinic,
    *busy: Interval,
    service: Service = CHECKUP,
    who: Professional = ANA,
    day: date = DAY,
    now: datetime = MONDAY,
) -> str:
    found = free_slots(clinic, service, [who], {who.id: busy}, (day, day), now)
    return " ".join(f"{slot.start:%H:%M}" for slot in found[who.id])


def test_starts_follow_each_other_from_the_beginning_of_each_range():
    clinic = make_clinic(hours={0: hours("08:00-10:00 13:15-14:30")})
    assert times(clinic) == "08:00 08:30 09:00 09:30 13:15 13:45"


def test_an_appointment_fits_wholly_inside_one_range():
    clinic = make_clinic(hours={0: hours("08:00-09:30 09:30-10:30")})
    assert times(clinic, service=CLEANING) == "08:00 09:30"


def test_a_slot_is_aware_in_the_clinics_zone_and_lasts_as_long_as_the_service():
    clinic = make_clinic(hours={0: hours("08:00-09:00")})
    found = free_slots(clinic, CLEANING, [ANA], {}, (DAY, DAY), MONDAY)
    assert found == {"ana": [Slot("ana", at(2, "08:00"), at(2, "09:00"))]}
    assert found["ana"][0].end.tzinfo is clinic.timezone


def test_the_step_of_the_clinic_replaces_duration_and_buffer():
    clinic = make_clinic(hours={0: hours("08:00-09:30")}, booking=BookingPolicy(0, 60, 0, step_minutes=15))
    assert times(clinic, service=CLEANING) == "08:00 08:15 08:30"


def test_without_a_step_slots_leave_the_buffer_between_them():
    clinic = make_clinic(hours={0: hours("08:00-10:00")}, booking=BookingPolicy(0, 60, buffer_minutes=10))
    assert times(clinic) == "08:00 08:40 09:20"


def test_taken_time_hides_every_slot_that_it_overlaps():
    clinic = make_clinic(hours={0: hours("08:00-10:00")})
    assert times(clinic, taken(2, "08:15", "09:00")) == "09:00 09:30"


def test_the_buffer_is_kept_free_on_both_sides():
    policy = BookingPolicy(0, 60, buffer_minutes=10, step_minutes=10)
    clinic = make_clinic(hours={0: hours("08:00-10:00")}, booking=policy)
    assert times(clinic, taken(2, "08:50", "09:10")) == "08:00 08:10 09:20 09:30"


def test_a_professionals_own_hours_are_taken_as_given():
    ana = replace(ANA, hours={0: hours("06:00-07:30"), 5: hours("09:00-10:00")})
    clinic = make_clinic()
    assert times(clinic, who=ana, now=at(1, "12:00")) == "06:00 06:30 07:00"
    assert times(clinic, who=ana, day=date(2026, 3, 7)) == "09:00 09:30"


def test_a_closed_date_closes_for_professionals_with_own_hours_too():
    ana = replace(ANA, hours=every_day("08:00-10:00"))
    assert times(make_clinic(closed=frozenset({DAY})), who=ana) == ""


def test_time_off_takes_no_buffer():
    policy = BookingPolicy(0, 60, buffer_minutes=30, step_minutes=30)
    clinic = make_clinic(hours={0: hours("08:00-11:00")}, booking=policy)
    away = replace(ANA, time_off=(TimeOff(at(2, "09:00"), at(2, "10:00")),))
    assert times(clinic, who=away) == "08:00 08:30 10:00 10:30"


def test_lead_time_counts_from_now():
    clinic = make_clinic(hours={0: hours("08:00-10:00")}, booking=BookingPolicy(lead_minutes=60))
    assert times(clinic, now=at(2, "07:30")) == "08:30 09:00 09:30"
    assert times(clinic, now=at(2, "07:30") + timedelta(seconds=1)) == "09:00 09:30"


def test_the_last_day_of_the_horizon_is_inside_it():
    clinic = make_clinic(booking=BookingPolicy(0, horizon_days=7))
    span = (DAY, DAY + timedelta(days=30))
    found = free_slots(clinic, CHECKUP, [ANA], {}, span, MONDAY)["ana"]
    assert found[-1].start == at(9, "17:30")


def test_a_search_crosses_the_end_of_the_year():
    clinic = make_clinic(hours=every_day("08:00-09:00"))
    now = at(31, "06:00", month=12, year=2027)
    found = free_slots(clinic, CLEANING, [ANA], {}, (date(2027, 12, 31), date(2028, 1, 1)), now)["ana"]
    assert [slot.start.date() for slot in found] == [date(2027, 12, 31), date(2028, 1, 1)]


def test_a_leap_day_is_a_day():
    clinic = make_clinic(hours=every_day("08:00-09:00"))
    assert times(clinic, day=date(2028, 2, 29), now=at(28, "07:00", month=2, year=2028)) == "08:00 08:30"


def test_a_limit_gives_the_first_slots_of_each_professional():
    found = free_slots(make_clinic(), CHECKUP, [ANA, BRUNO], {}, (DAY, DAY), MONDAY, limit=1)
    assert found == {who: [Slot(who, at(2, "08:00"), at(2, "08:30"))] for who in ("ana", "bruno")}


def test_a_naive_now_is_refused():
    with pytest.raises(NaiveTime):
        free_slots(make_clinic(), CHECKUP, [ANA], {}, (DAY, DAY), MONDAY.replace(tzinfo=None))


BRUNO_OFF_MONDAYS = replace(BRUNO, hours={1: hours("08:00-12:00")})
ON_LEAVE = replace(ANA, time_off=(TimeOff(at(1, "00:00"), at(20, "00:00")),))


@pytest.mark.parametrize(
    ("who", "day", "now", "reason"),
    [
        ([ANA], date(2026, 3, 8), MONDAY, NoSlots.CLOSED),
        ([ANA], date(2026, 3, 3), MONDAY, NoSlots.CLOSED),
        ([BRUNO_OFF_MONDAYS], DAY, MONDAY, NoSlots.PROFESSIONAL_OFF),
        ([ON_LEAVE], DAY, MONDAY, NoSlots.PROFESSIONAL_OFF),
        ([ON_LEAVE, BRUNO_OFF_MONDAYS], DAY, MONDAY, NoSlots.PROFESSIONAL_OFF),
        ([ANA], date(2026, 3, 1), MONDAY, NoSlots.PAST),
        ([ANA], DAY, at(2, "18:00"), NoSlots.PAST),
        ([ANA], DAY, at(2, "16:30"), NoSlots.TOO_SOON),
        ([ANA], date(2026, 6, 1), MONDAY, NoSlots.TOO_FAR),
        ([], DAY, MONDAY, NoSlots.NOT_OFFERED),
    ],
)
def test_a_day_without_slots_says_why(who: list[Professional], day: date, now: datetime, reason: NoSlots):
    clinic = make_clinic(closed=frozenset({date(2026, 3, 3)}), booking=BookingPolicy(lead_minutes=120))
    assert why_none(clinic, CHECKUP, who, {}, day, now) is reason


def test_a_day_that_is_all_booked_is_full():
    busy = {"ana": [taken(2, "08:00", "18:00")]}
    assert why_none(make_clinic(), CHECKUP, [ANA], busy, DAY, MONDAY) is NoSlots.FULL


def test_a_day_that_is_booked_but_for_what_is_past_is_full():
    busy = {"ana": [taken(2, "09:00", "18:00")]}
    assert why_none(make_clinic(), CHECKUP, [ANA], busy, DAY, at(2, "08:40")) is NoSlots.FULL


def test_a_service_that_is_longer_than_every_range_is_not_done_that_day():
    long = replace(CLEANING, duration_minutes=360)
    assert why_none(make_clinic(), long, [ANA], {}, DAY, MONDAY) is NoSlots.PROFESSIONAL_OFF


@pytest.mark.parametrize(
    ("start", "reason"),
    [
        (at(2, "09:00"), None),
        (at(2, "06:00"), Refusal.PAST),
        (at(2, "08:30"), Refusal.TOO_SOON),
        (at(2, "11:45"), Refusal.OUTSIDE_HOURS),
        (at(2, "12:00"), Refusal.OUTSIDE_HOURS),
        (at(2, "09:10"), Refusal.OFF_GRID),
        (at(2, "09:00") + timedelta(seconds=1), Refusal.OFF_GRID),
        (at(2, "10:00"), Refusal.TAKEN),
        (at(7, "09:00"), Refusal.CLOSED),
        (at(3, "09:00"), Refusal.PROFESSIONAL_OFF),
        (at(1, "09:00", month=6), Refusal.TOO_FAR),
    ],
)
def test_a_start_is_refused_with_its_reason(start: datetime, reason: Refusal | None):
    clinic = make_clinic(booking=BookingPolicy(lead_minutes=120))
    ana = replace(ANA, time_off=(TimeOff(at(3, "00:00"), at(4, "00:00")),))
    assert refusal(clinic, CHECKUP, ana, [taken(2, "10:15", "10:30")], start, MONDAY) is reason


def test_staff_may_book_between_the_slots_but_not_over_a_buffer():
    clinic = make_clinic(booking=BookingPolicy(0, buffer_minutes=10))
    busy = [taken(2, "10:00", "10:30")]
    assert refusal(clinic, CHECKUP, ANA, busy, at(2, "10:40"), MONDAY, staff=True) is None
    assert refusal(clinic, CHECKUP, ANA, busy, at(2, "10:39"), MONDAY, staff=True) is Refusal.TAKEN


def test_a_start_may_be_named_in_another_zone():
    in_utc = at(2, "09:00").astimezone(tz=None)
    assert refusal(make_clinic(), CHECKUP, ANA, [], in_utc, MONDAY) is None
