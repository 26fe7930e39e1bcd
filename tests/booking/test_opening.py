"""By when a person answers, counted in the clinic's opening hours."""

from datetime import date
from zoneinfo import ZoneInfo

import pytest
from tests.booking.builders import OPEN, at, hours, make_clinic

from gendei.booking.opening import answer_by, answering_hours
from gendei.clinic import TakeoverPolicy

HALF_AN_HOUR = make_clinic(hours={**OPEN, 5: hours("08:00-12:00")}, closed=frozenset({date(2026, 3, 9)}))


@pytest.mark.parametrize(
    ("asked", "by"),
    [
        (at(2, "08:00"), at(2, "08:30")),
        (at(2, "17:30"), at(2, "18:00")),
        (at(2, "11:45"), at(2, "13:15")),
        (at(2, "17:59"), at(3, "08:29")),
        (at(2, "06:00"), at(2, "08:30")),
        (at(7, "22:10"), at(10, "08:30")),
    ],
    ids=["open", "until closing", "over lunch", "at closing", "before opening", "Saturday night, Monday closed"],
)
def test_the_promise_is_counted_while_the_clinic_is_open(asked, by):
    assert answer_by(HALF_AN_HOUR, asked) == by


def test_an_urgency_is_counted_at_any_hour():
    assert answer_by(HALF_AN_HOUR, at(7, "22:10"), at_any_hour=True) == at(7, "22:40")


def test_who_promises_nothing_is_never_late():
    silent = make_clinic(takeover=TakeoverPolicy(answer_within_minutes=0))
    assert answer_by(silent, at(2, "08:00")) is None
    assert answering_hours(silent, at(7, "22:00")) == (at(9, "08:00"), at(9, "18:00"))


def test_of_who_gives_no_hours_none_is_known():
    always = make_clinic(hours={})
    assert (answer_by(always, at(2, "23:00")), answering_hours(always, at(2, "23:00"))) == (at(2, "23:30"), None)


def test_an_answer_comes_until_the_end_of_its_day():
    assert answering_hours(HALF_AN_HOUR, at(2, "09:00")) == (at(2, "08:00"), at(2, "18:00"))
    assert answering_hours(HALF_AN_HOUR, at(2, "17:50")) == (at(3, "08:00"), at(3, "18:00"))


def test_hours_that_the_clock_skips_are_not_counted():
    zone = ZoneInfo("America/New_York")
    night = make_clinic(timezone=zone, hours={6: hours("01:30-04:00")})
    asked = at(8, "01:45", zone=zone)
    assert answer_by(night, asked) == at(8, "03:15", zone=zone)
