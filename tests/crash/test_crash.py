"""The rig itself, for as long as a test may take; `make crash` runs all of it, on both engines."""

from collections import Counter

import pytest
from tests.crash.away import paused
from tests.crash.engines import sqlite_in
from tests.crash.rig import Plan, crash
from tests.crash.standin import Point

pytestmark = pytest.mark.slow

QUICK = (Point.TURN, Point.TAKEN)
"""The points after which nobody has to wait for an abandoned send."""


async def test_killed_at_two_points_it_loses_nothing_and_says_nothing_twice(tmp_path):
    plan = Plan(seconds=30, processes=2, seed=7, arrivals=1, questions=2, points=QUICK, each=1)
    report = await crash(plan, sqlite_in(tmp_path), tmp_path)
    assert (report.verdict.wrongs, report.kills) == ([], Counter(dict.fromkeys(QUICK, 1)))


async def test_killed_before_and_after_a_follower_every_event_is_followed_in_order(tmp_path):
    points = (Point.FOLLOWING, Point.FOLLOWED)
    plan = Plan(seconds=45, processes=1, seed=3, arrivals=2, questions=2, points=points, each=1)
    report = await crash(plan, sqlite_in(tmp_path), tmp_path)
    assert (report.verdict.wrongs, report.kills) == ([], Counter(dict.fromkeys(points, 1)))
    assert 0 < report.events < report.given


async def test_a_process_that_was_stopped_beyond_its_lease_says_nothing(tmp_path):
    assert await paused(sqlite_in(tmp_path), tmp_path) == []
