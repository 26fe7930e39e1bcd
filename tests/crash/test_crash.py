"""The rig itself, for as long as a test may take; `make crash` runs all of it, on both engines."""

from collections import Counter

from tests.crash.away import paused
from tests.crash.engines import sqlite_in
from tests.crash.rig import Plan, crash
from tests.crash.standin import Point

QUICK = (Point.TURN, Point.TAKEN)
"""The points after which nobody has to wait for an abandoned send."""


async def test_killed_at_two_points_it_loses_nothing_and_says_nothing_twice(tmp_path):
    plan = Plan(seconds=30, processes=2, seed=7, arrivals=1, questions=2, points=QUICK, each=1)
    report = await crash(plan, sqlite_in(tmp_path), tmp_path)
    assert (report.verdict.wrongs, report.kills) == ([], Counter(dict.fromkeys(QUICK, 1)))


async def test_a_process_that_was_stopped_beyond_its_lease_says_nothing(tmp_path):
    assert await paused(sqlite_in(tmp_path), tmp_path) == []
