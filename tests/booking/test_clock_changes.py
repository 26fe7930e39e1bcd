"""Days on which the clocks change, and days of zones whose midnight does not exist."""

from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from tests.booking.builders import ANA, NEW_YORK, SAO_PAULO, every_day, make_clinic

from gendei.booking.availability import free_slots, refusal
from gendei.booking.slots import Refusal, Slot
from gendei.booking.wallclock import spans
from gendei.clinic import BookingPolicy, Clinic, Service, TimeOff

LISBON, SANTIAGO, APIA = ZoneInfo("Europe/Lisbon"), ZoneInfo("America/Santiago"), ZoneInfo("Pacific/Apia")
SPRING_NY, AUTUMN_NY = date(2026, 3, 8), date(2026, 11, 1)
LOCAL = "%H:%M %z"


def night(zone: ZoneInfo, opening: str, **policy: int) -> Clinic:
    return make_clinic(timezone=zone, hours=every_day(opening), booking=BookingPolicy(0, 60, **policy))


def slots(clinic: Clinic, day: date, minutes: int = 30) -> list[Slot]:
    service = Service("plantao", "Plantão", minutes)
    the_week_before = datetime.combine(day - timedelta(days=7), time(12), clinic.timezone)
    return free_slots(clinic, service, [ANA], {}, (day, day), the_week_before)["ana"]


def starts(clinic: Clinic, day: date, minutes: int = 30) -> list[str]:
    return [f"{slot.start:{LOCAL}}" for slot in slots(clinic, day, minutes)]


def test_a_start_that_the_clock_skips_is_not_offered():
    assert starts(night(NEW_YORK, "01:00-04:00"), SPRING_NY) == [
        "01:00 -0500",
        "01:30 -0500",
        "03:00 -0400",
        "03:30 -0400",
    ]


def test_a_start_that_the_clock_shows_twice_is_offered_both_times():
    assert starts(night(NEW_YORK, "00:30-02:30"), AUTUMN_NY) == [
        "00:30 -0400",
        "01:00 -0400",
        "01:30 -0400",
        "01:00 -0500",
        "01:30 -0500",
        "02:00 -0500",
    ]


def test_a_slot_over_a_change_lasts_its_real_time():
    over = slots(night(LISBON, "00:45-03:00"), date(2026, 3, 29), minutes=45)[0]
    assert f"{over.start:{LOCAL}}, {over.end:{LOCAL}}" == "00:45 +0000, 02:30 +0100"


def test_a_range_that_ends_in_the_skipped_hour_ends_when_the_clock_jumps():
    assert starts(night(NEW_YORK, "00:30-02:30"), SPRING_NY, minutes=60) == ["00:30 -0500"]


def test_a_range_that_ends_in_the_repeated_hour_is_open_twice_and_nothing_reaches_over_the_end():
    assert starts(night(NEW_YORK, "00:00-01:30"), AUTUMN_NY, minutes=45) == ["00:00 -0400", "00:45 -0400"]
    assert starts(night(NEW_YORK, "00:00-01:30"), AUTUMN_NY)[-1] == "01:00 -0500"


def test_an_odd_step_over_the_skipped_hour_makes_no_overlap():
    found = slots(night(NEW_YORK, "00:15-06:00"), SPRING_NY, minutes=45)
    assert all(item.end.astimezone(UTC) <= other.start.astimezone(UTC) for item, other in pairwise(found))


@pytest.mark.parametrize(
    ("zone", "day"), [(SANTIAGO, date(2026, 9, 6)), (SAO_PAULO, date(2018, 11, 4))], ids=["Santiago", "São Paulo 2018"]
)
def test_a_day_without_a_midnight_begins_at_one(zone: ZoneInfo, day: date):
    found = slots(night(zone, "00:00-02:00"), day)
    assert [f"{slot.start:%d %H:%M}" for slot in found] == [f"{day:%d} 01:00", f"{day:%d} 01:30"]


def test_a_day_whose_last_hour_comes_twice_offers_it_twice():
    found = slots(night(SAO_PAULO, "22:00-24:00"), date(2019, 2, 16))
    assert [f"{slot.start:{LOCAL}}" for slot in found] == [
        "22:00 -0200",
        "22:30 -0200",
        "23:00 -0200",
        "23:30 -0200",
        "23:00 -0300",
        "23:30 -0300",
    ]
    assert f"{found[3].end:{LOCAL}}, {found[-1].end:%d {LOCAL}}" == "23:00 -0300, 17 00:00 -0300"


def test_a_day_that_a_country_skipped_has_no_slots():
    assert starts(night(APIA, "08:00-10:00"), date(2011, 12, 30)) == []
    assert starts(night(APIA, "08:00-09:00"), date(2011, 12, 31)) == ["08:00 +1400", "08:30 +1400"]


def test_the_second_showing_of_an_hour_is_booked_like_the_first():
    clinic = night(NEW_YORK, "00:30-02:30")
    second = datetime(2026, 11, 1, 1, 30, tzinfo=NEW_YORK, fold=1)
    now = datetime(2026, 10, 20, tzinfo=NEW_YORK)
    service = Service("plantao", "Plantão", 30)
    between = second + timedelta(minutes=7)
    assert [refusal(clinic, service, ANA, [], start, now) for start in (second, between)] == [None, Refusal.OFF_GRID]
    assert refusal(clinic, service, ANA, [], second, now, staff=True) is None


def test_a_year_without_changes_is_one_span():
    assert len(spans(SAO_PAULO, date(2026, 1, 1), date(2026, 12, 31))) == 1


def test_a_year_with_summer_time_is_three_spans():
    changes = [span.start for span in spans(NEW_YORK, date(2026, 1, 1), date(2026, 12, 31))][1:]
    expected = [datetime(2026, 3, 8, 7, tzinfo=UTC), datetime(2026, 11, 1, 6, tzinfo=UTC)]
    assert [datetime.fromtimestamp(minute * 60, UTC) for minute in changes] == expected


def test_time_off_may_span_the_hour_that_comes_twice():
    before, after = datetime(2019, 2, 16, 23, 50, tzinfo=SAO_PAULO), datetime(2019, 2, 16, 23, 5, tzinfo=SAO_PAULO)
    away = TimeOff(before, after.replace(fold=1))
    assert away.end.timestamp() - away.start.timestamp() == 15 * 60
