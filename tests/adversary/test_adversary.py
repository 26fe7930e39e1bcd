"""Whatever a model says or calls, no patient is harmed by it: a slice of what `python -m tests.adversary` plays."""

import asyncio
from collections.abc import Sequence
from random import Random
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.adversary import __main__ as command
from tests.adversary.moves import Turn, episode
from tests.adversary.world import legitimate, open_world

from gendei.clinic import Contact
from gendei.receptionist.llm.api_turn import ApiTurn
from gendei.receptionist.runtime import Runtime

SLICE = settings(max_examples=15, suppress_health_check=list(HealthCheck), derandomize=True)
LONG = settings(max_examples=1500, suppress_health_check=list(HealthCheck))
RITA = Contact("+5511900000001")


async def violated(turns: Sequence[Turn]) -> list[str]:
    async with open_world() as world:
        found = await world.play(turns)
        return [*found, *([] if await legitimate(world, RITA) else ["a legitimate patient was not served"])]


@SLICE
@given(st.randoms(use_true_random=False))
def test_a_model_that_does_its_worst_violates_nothing(rng: Random):
    assert asyncio.run(violated(episode(rng, most=5))) == []


@pytest.mark.slow
@LONG
@given(st.randoms(use_true_random=False))
def test_a_model_that_does_its_worst_for_long_violates_nothing(rng: Random):
    assert asyncio.run(violated(episode(rng))) == []


async def any_of(seeds: range) -> list[str]:
    for seed in seeds:
        if found := await violated(episode(Random(seed))):
            return found
    return []


async def test_without_the_guard_the_adversary_finds_lies():
    with patch.object(ApiTurn, "_faults", lambda *_: []):
        found = await any_of(range(20))
    assert any("read a lie" in what or "broke" in what for what in found)


async def test_without_the_agreement_the_adversary_finds_what_nobody_agreed_to(monkeypatch):
    monkeypatch.setattr(Runtime, "agrees", lambda *_: True)
    found: list[str] = []
    for seed in range(200):
        found += await violated(episode(Random(seed)))
        if any("changed_as_agreed" in what for what in found):
            return
    pytest.fail("nothing was found")


def test_the_command_stops_goes_on_and_tells_what_it_did(tmp_path, capsys):
    path = tmp_path / "adversary.json"
    state = command._read(path, 7)
    command._run(state, 100, path)
    before = state["next"]
    again = command._read(path, 7)
    command._run(again, again["calls"] + 1, path)
    assert (again["next"] > before, again["violations"], again["legitimate"][0]) == (True, [], again["next"])
    assert "0 violations" in capsys.readouterr().out
