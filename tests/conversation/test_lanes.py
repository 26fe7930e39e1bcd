import asyncio
from collections import Counter
from itertools import pairwise

import pytest
from tests.conversation.cast import BOA_VIDA, PATIENCE, SORRISO

from gendei.clinic import ClinicId, Contact
from gendei.conversation.turns.worker import quiet_left
from gendei.conversation.work.lanes import PASSES_BETWEEN_STARTS, FairQueue, Lanes
from gendei.messages.keys import ConversationKey


def key(clinic_id: ClinicId, number: int) -> ConversationKey:
    return ConversationKey(clinic_id, Contact(str(number)))


def test_clinics_take_turns_however_many_patients_one_has() -> None:
    queue = FairQueue(per_clinic=10)
    for number in range(3):
        queue.push(key(BOA_VIDA, number))
    queue.push(key(SORRISO, 9))

    order = [queue.pop() for _ in range(4)]
    assert order == [key(BOA_VIDA, 0), key(SORRISO, 9), key(BOA_VIDA, 1), key(BOA_VIDA, 2)]


def test_a_clinic_runs_no_more_at_once_than_its_share() -> None:
    queue = FairQueue(per_clinic=1)
    queue.push(key(BOA_VIDA, 1))
    queue.push(key(BOA_VIDA, 2))

    assert (queue.pop(), queue.pop()) == (key(BOA_VIDA, 1), None)
    queue.done(key(BOA_VIDA, 1))
    assert queue.pop() == key(BOA_VIDA, 2)


def test_a_conversation_waits_once_however_often_it_is_pushed() -> None:
    queue = FairQueue(per_clinic=9)
    queue.push(key(BOA_VIDA, 1))
    queue.push(key(BOA_VIDA, 1))

    assert (queue.pop(), queue.pop()) == (key(BOA_VIDA, 1), None)


async def test_a_conversation_never_runs_twice_at_once_and_what_was_planned_meanwhile_follows() -> None:
    running: Counter[ConversationKey] = Counter()
    most, runs = 0, 0

    async def run(one: ConversationKey) -> float | None:
        nonlocal most, runs
        running[one] += 1
        most, runs = max(most, running[one]), runs + 1
        if runs == 1:
            lanes.plan(one)
        await asyncio.sleep(0)
        running[one] -= 1
        return None

    lanes = Lanes(run)
    lanes.start()
    lanes.plan(key(BOA_VIDA, 1))
    async with asyncio.timeout(PATIENCE):
        await lanes.idle()
    assert (most, runs) == (1, 2)


async def test_no_more_run_at_once_than_allowed() -> None:
    running, most = 0, 0
    full = asyncio.Event()

    async def run(_: ConversationKey) -> float | None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        if running == 3:
            full.set()
        await full.wait()
        await asyncio.sleep(0)
        running -= 1
        return None

    lanes = Lanes(run, at_once=3)
    lanes.start()
    for number in range(10):
        lanes.plan(key(BOA_VIDA, number))
    async with asyncio.timeout(PATIENCE):
        await lanes.idle()
    assert most == 3


async def test_a_crowd_starts_one_by_one_so_that_others_get_the_event_loop_between() -> None:
    passes, started = 0, list[int]()
    loop = asyncio.get_running_loop()

    def count() -> None:
        nonlocal passes
        passes += 1
        if len(started) < 5:
            loop.call_soon(count)

    async def run(_: ConversationKey) -> float | None:
        started.append(passes)
        return None

    lanes = Lanes(run)
    lanes.start()
    loop.call_soon(count)
    for number in range(5):
        lanes.plan(key(BOA_VIDA, number))
    async with asyncio.timeout(PATIENCE):
        await lanes.idle()

    assert [later - earlier for earlier, later in pairwise(started)] == [PASSES_BETWEEN_STARTS] * 4


async def test_a_failing_conversation_does_not_stop_the_others() -> None:
    done = asyncio.Event()

    async def run(one: ConversationKey) -> float | None:
        if one == key(BOA_VIDA, 1):
            raise RuntimeError
        done.set()
        return None

    lanes = Lanes(run)
    lanes.start()
    lanes.plan(key(BOA_VIDA, 1))
    lanes.plan(key(BOA_VIDA, 2))
    async with asyncio.timeout(PATIENCE):
        await done.wait()
    await lanes.stop(grace=PATIENCE)


async def test_stopping_cancels_what_does_not_end_within_the_grace() -> None:
    started = asyncio.Event()

    async def run(_: ConversationKey) -> float | None:
        started.set()
        await asyncio.Event().wait()
        return None

    lanes = Lanes(run)
    lanes.start()
    lanes.plan(key(BOA_VIDA, 1))
    await started.wait()
    await lanes.stop(grace=0)

    assert not lanes.knows(key(BOA_VIDA, 1))


@pytest.mark.parametrize(
    ("since_first", "since_last", "left"), [(0, 0, 2), (1, 0.5, 1.5), (9, 0, 1), (11, 0, 0), (30, 30, 0)]
)
def test_a_turn_waits_for_quiet_but_not_for_ever(since_first: float, since_last: float, left: float) -> None:
    assert quiet_left(2, since_first, since_last) == left


async def test_what_was_ready_when_the_lanes_stop_is_run_and_what_was_planned_for_later_is_not() -> None:
    ran: list[ConversationKey] = []

    async def run(one: ConversationKey) -> float | None:
        ran.append(one)
        return None

    lanes = Lanes(run)
    lanes.start()
    for number in (1, 2, 3):
        lanes.plan(key(BOA_VIDA, number))
    lanes.plan(key(BOA_VIDA, 4), delay=60)
    await lanes.stop(grace=10)

    assert ran == [key(BOA_VIDA, number) for number in (1, 2, 3)]
