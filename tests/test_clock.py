"""The clock of a demo moves forward only."""

from datetime import UTC, datetime, timedelta

import pytest

from gendei.clock import MovableClock
from gendei.errors import NaiveTime

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)


def test_it_reads_what_it_is_moved_to_and_runs_on():
    below = [NOW]
    clock = MovableClock(lambda: below[-1])
    moved = clock.move_to(NOW + timedelta(days=1))
    below.append(NOW + timedelta(hours=1))
    assert (moved, clock()) == (True, NOW + timedelta(days=1, hours=1))


def test_it_never_goes_back():
    clock = MovableClock(lambda: NOW)
    assert (clock.move_to(NOW - timedelta(seconds=1)), clock()) == (False, NOW)


def test_it_moves_to_no_naive_moment():
    with pytest.raises(NaiveTime):
        MovableClock(lambda: NOW).move_to(datetime(2026, 12, 1))  # noqa: DTZ001
