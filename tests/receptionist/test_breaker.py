"""The breaker before the models' API."""

import asyncio
from dataclasses import dataclass, field

import pytest

from gendei.receptionist.llm.api_errors import Kind, Trouble
from gendei.receptionist.llm.breaker import Breaker, BreakerState, BreakerView, ModelResting

DOWN = Trouble(Kind.SERVER_ERROR)


@dataclass
class Rig:
    """A breaker of three failures and 30 s, and its clock."""

    seconds: float = 0.0
    breaker: Breaker = field(init=False)

    def __post_init__(self) -> None:
        self.breaker = Breaker(failures=3, pause=30, longest=100, clock=lambda: self.seconds)

    def fail(self, times: int = 1) -> None:
        for _ in range(times):
            with pytest.raises(ConnectionError), self.breaker.call():
                raise ConnectionError

    def opened(self) -> "Rig":
        self.fail(3)
        return self


def test_it_opens_after_three_failures_in_a_row():
    rig = Rig()
    rig.fail(2)
    assert rig.breaker.view.state is BreakerState.CLOSED
    rig.fail()
    assert rig.breaker.view == BreakerView(BreakerState.OPEN, 3, Kind.UNREACHABLE, 30)


def test_a_success_between_failures_begins_the_count_anew():
    rig = Rig()
    rig.fail(2)
    with rig.breaker.call():
        pass
    rig.fail(2)
    assert rig.breaker.view.state is BreakerState.CLOSED


def test_open_it_lets_nothing_through():
    rig = Rig().opened()
    with pytest.raises(ModelResting), rig.breaker.call():
        raise AssertionError("it was let through")


def test_after_the_pause_one_call_goes_through_and_a_second_one_does_not():
    rig = Rig().opened()
    rig.seconds = 30
    with rig.breaker.call():
        assert (rig.breaker.view.state, rig.breaker.lets_through) == (BreakerState.HALF_OPEN, False)
    assert rig.breaker.view == BreakerView(BreakerState.CLOSED)


def test_each_failure_after_a_pause_doubles_it_up_to_the_longest():
    rig = Rig().opened()
    pauses = []
    for _ in range(3):
        rig.seconds += rig.breaker.view.retry_in
        rig.fail()
        pauses.append(rig.breaker.view.retry_in)
    assert pauses == [60, 100, 100]


@pytest.mark.parametrize("kind", [Kind.QUOTA, Kind.REFUSED])
def test_what_only_an_operator_cures_opens_at_once(kind: Kind):
    rig = Rig()
    rig.breaker.failed(Trouble(kind))
    assert rig.breaker.view.state is BreakerState.OPEN


def test_it_rests_for_as_long_as_the_api_asks():
    rig = Rig()
    rig.breaker.failed(Trouble(Kind.RATE_LIMITED, retry_after=90))
    assert rig.breaker.view.retry_in == 90


def test_failures_of_calls_that_were_under_way_prolong_nothing():
    rig = Rig().opened()
    rig.seconds = 10
    rig.breaker.failed(DOWN)
    assert rig.breaker.view.retry_in == 20


def test_a_cancelled_trial_lets_another_one_through():
    rig = Rig().opened()
    rig.seconds = 30
    with pytest.raises(asyncio.CancelledError), rig.breaker.call():
        raise asyncio.CancelledError
    assert rig.breaker.lets_through


def test_a_trial_that_was_too_slow_opens_it_again():
    rig = Rig().opened()
    rig.seconds = 30
    with pytest.raises(asyncio.CancelledError), rig.breaker.call():
        raise asyncio.CancelledError
    rig.breaker.failed(Trouble(Kind.TIMED_OUT))
    assert (rig.breaker.view.state, rig.breaker.view.retry_in) == (BreakerState.OPEN, 60)


def test_of_a_turn_one_failure_counts_however_often_it_was_tried():
    rig = Rig()
    for _ in range(2):
        rig.breaker.begin_turn()
        rig.fail(4)
    assert rig.breaker.view == BreakerView(BreakerState.CLOSED, 2, Kind.UNREACHABLE)
    rig.breaker.begin_turn()
    rig.fail()
    assert rig.breaker.view.state is BreakerState.OPEN


def test_a_turn_that_fails_again_after_an_answer_counts_again():
    rig = Rig()
    rig.breaker.begin_turn()
    rig.fail(2)
    with rig.breaker.call():
        pass
    rig.fail(2)
    assert rig.breaker.view.failures == 1


async def test_turns_beside_each_other_count_each_for_itself():
    rig = Rig()

    async def turn() -> None:
        rig.breaker.begin_turn()
        for _ in range(3):
            rig.fail()
            await asyncio.sleep(0)

    await asyncio.gather(turn(), turn())
    assert rig.breaker.view.failures == 2
