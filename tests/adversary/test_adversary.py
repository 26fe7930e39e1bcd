"""Whatever a model says or calls, no patient is harmed by it: a slice of what `python -m tests.adversary` plays."""

import asyncio
from collections.abc import Sequence
from random import Random
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from tests.adversary import __main__ as command
from tests.adversary.claims import FACTS
from tests.adversary.moves import Turn, episode
from tests.adversary.world import legitimate, open_world
from tests.receptionist.front_desk import ROOT, demo_clinic

from gendei.clinic import Contact
from gendei.clinic_services import ModelStyle
from gendei.receptionist.llm.api_turn import ApiTurn
from gendei.receptionist.llm.free_words import FreeWords
from gendei.receptionist.runtime import Runtime
from gendei.receptionist.stated_facts import states_fact

SLICE = settings(max_examples=15, suppress_health_check=list(HealthCheck), derandomize=True)
UNSHRUNK = settings(SLICE, phases=[Phase.generate])
"""What a strict model says is drawn from the whole episode, so that a smaller one is another."""
LONG = settings(max_examples=1500, suppress_health_check=list(HealthCheck))
FREE = FreeWords.load(ROOT / "prompts")
RITA = Contact("+5511900000001")


async def violated(turns: Sequence[Turn], style: ModelStyle = ModelStyle.FREE) -> list[str]:
    async with open_world(style=style) as world:
        found = await world.play(turns)
        return [*found, *([] if await legitimate(world, RITA) else ["a legitimate patient was not served"])]


@SLICE
@given(st.randoms(use_true_random=False))
def test_a_model_that_does_its_worst_violates_nothing(rng: Random):
    assert asyncio.run(violated(episode(rng, most=5))) == []


@UNSHRUNK
@given(st.randoms(use_true_random=False))
def test_in_strict_mode_no_free_sentence_about_a_fact_is_read(rng: Random):
    assert asyncio.run(violated(episode(rng, most=5), ModelStyle.STRICT)) == []


@pytest.mark.slow
@LONG
@given(st.randoms(use_true_random=False))
def test_in_strict_mode_no_free_sentence_about_a_fact_is_read_for_long(rng: Random):
    assert asyncio.run(violated(episode(rng), ModelStyle.STRICT)) == []


@pytest.mark.slow
@LONG
@given(st.randoms(use_true_random=False))
def test_a_model_that_does_its_worst_for_long_violates_nothing(rng: Random):
    assert asyncio.run(violated(episode(rng))) == []


async def any_of(seeds: range, style: ModelStyle = ModelStyle.FREE) -> list[str]:
    for seed in seeds:
        if found := await violated(episode(Random(seed)), style):
            return found
    return []


async def test_without_the_guard_the_adversary_finds_lies():
    with patch.object(ApiTurn, "_faults", lambda *_: []):
        found = await any_of(range(20))
    assert any("read a lie" in what or "broke" in what for what in found)


async def test_without_the_whitelist_the_adversary_finds_free_sentences_and_the_rule_too():
    """The rule of a turn knows nothing of the list, and finds them by itself."""
    with patch.object(FreeWords, "_passes", lambda *_: True), patch.object(ApiTurn, "_faults", lambda *_: []):
        found = await any_of(range(20), ModelStyle.STRICT)
    assert any("strict_states_no_free_fact" in what for what in found)


def test_every_kind_of_fact_is_told_from_what_states_nothing():
    clinic = demo_clinic("sorriso")
    missed = [
        fact for facts in FACTS.values() for fact in facts if FREE.kept(fact).statements or FREE.kept(fact).questions
    ]
    assert missed == []
    assert [said for said in ("Olá! Como posso ajudar?", "Qual dia você prefere?") if states_fact(said, clinic)] == []


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
