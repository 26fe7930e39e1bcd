"""Where things stand on a drawn day."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from gendei.clinic import TimeOff
from gendei.staff.agenda.view import ColumnDay
from gendei.web.pages.agenda.geometry import free_stretches, minute_of, side_by_side

ZONE = ZoneInfo("America/Sao_Paulo")
DAY = date(2026, 11, 24)


def at(hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 11, 24, hour, minute, tzinfo=ZONE)


def day(*away: TimeOff) -> ColumnDay:
    """Worked from 8 to 12 and from 13 to 18 o'clock, but for `away`."""
    return ColumnDay(DAY, ((at(8), at(12)), (at(13), at(18))), (), (), away)


@pytest.mark.parametrize(
    ("moment", "minute"),
    [(at(9, 30), 570), (at(0) - timedelta(hours=2), 0), (at(0) + timedelta(days=1), 1440)],
)
def test_a_moment_is_a_minute_of_the_day_and_cut_to_it(moment, minute):
    assert minute_of(moment, DAY) == minute


def test_a_day_that_is_ahead_is_free_while_it_is_worked():
    assert free_stretches(day(), at(7)) == [(480, 720), (780, 1080)]


def test_what_is_past_is_free_no_more():
    assert free_stretches(day(), at(13, 40)) == [(820, 1080)]


def test_time_off_cuts_what_is_free():
    assert free_stretches(day(TimeOff(at(11), at(14))), at(7)) == [(480, 660), (840, 1080)]


def test_minutes_between_are_too_few_to_be_free():
    assert free_stretches(day(TimeOff(at(8), at(11, 57))), at(7)) == [(780, 1080)]


def test_a_day_of_before_has_nothing_free():
    assert free_stretches(day(), at(7) + timedelta(days=1)) == []


@pytest.mark.parametrize(
    ("stretches", "places"),
    [
        ([], []),
        ([(0, 30), (30, 60)], [(0, 1), (0, 1)]),
        ([(0, 30), (0, 30), (30, 60)], [(0, 2), (1, 2), (0, 1)]),
        ([(0, 60), (0, 20), (20, 40)], [(0, 2), (1, 2), (1, 2)]),
    ],
)
def test_what_overlaps_stands_side_by_side(stretches, places):
    assert side_by_side(stretches) == places
