"""How long a tool of a clinic's server rests, and that another process knows of it."""

from dataclasses import replace
from datetime import timedelta

import pytest
from tests.attached.conftest import BOX, HERE, OUTSIDER, OWNER, server_at
from tests.attached.records import Records
from tests.receptionist.front_desk import NOW, demo_clinic

from gendei.attached.servers import AttachedServers
from gendei.clinics.directory import Directory
from gendei.receptionist.tools.refusals import Why
from gendei.receptionist.tools.registry import FAILURES_IN_A_ROW, Health, all_tools
from gendei.store.sqlite import SqliteDocuments


def test_a_tool_rests_after_three_failures_longer_each_time_and_no_more_once_it_works():
    health, now, rests = Health(), NOW, []
    for _ in range(FAILURES_IN_A_ROW - 1):
        health.count(now, Why.TIMED_OUT)
    assert health.is_resting(now) is False
    for _ in range(7):
        health.count(now, Why.TIMED_OUT)
        rests.append((health.rests_until - now) / timedelta(minutes=1))
        now = health.rests_until
        assert health.is_resting(now) is False
    assert rests == [1, 2, 4, 8, 16, 30, 30]
    health.count(now)
    health.count(now, Why.TIMED_OUT)
    assert (health.is_resting(now), health.rests) == (False, 0)


def test_failures_of_calls_that_were_under_way_prolong_no_rest():
    health = Health()
    for _ in range(FAILURES_IN_A_ROW + 2):
        health.count(NOW, Why.TIMED_OUT)
    assert (health.rests, health.rests_until) == (1, NOW + timedelta(minutes=1))


@pytest.fixture
async def documents():
    opened = await SqliteDocuments.open(":memory:")
    yield opened
    await opened.close()


async def test_another_process_lets_it_rest_too_and_both_try_it_again_in_the_end(records: Records, documents):
    clock = [NOW]
    owner = replace(demo_clinic(OWNER), mcp_servers=(server_at(records.url),))
    names = all_tools().tools
    async with Directory(documents, lambda: clock[0]) as directory:
        given = (directory, BOX, lambda: clock[0], names, HERE)
        await directory.import_clinic(owner)
        await directory.import_clinic(demo_clinic(OUTSIDER))
        async with AttachedServers(*given, documents=documents) as first:
            await first.refresh()
            [tool] = first.of(owner, "support")
            for _ in range(FAILURES_IN_A_ROW):
                tool.health.count(clock[0], Why.UNREACHABLE)
            await tool.keep()
            async with AttachedServers(*given, documents=documents) as second:
                await second.refresh()
                [resting] = second.resting(owner, "support")
                assert (second.of(owner, "support"), resting.health.last_error) == ((), Why.UNREACHABLE)
                assert second.resting(demo_clinic(OUTSIDER), "support") == ()
                await first.refresh()
                assert first.of(owner, "support") == ()
                clock[0] += timedelta(minutes=1)
                assert [len(process.of(owner, "support")) for process in (first, second)] == [1, 1]
                [tried] = second.of(owner, "support")
                tried.health.count(clock[0], Why.UNREACHABLE)
                assert second.of(owner, "support") == ()
