"""Danger in the words that people find for it, and the words that only sound so."""

from pathlib import Path

import pytest
import yaml
from tests.receptionist.front_desk import FrontDesk, options
from tests.receptionist.test_understanding import hear

LINES = yaml.safe_load((Path(__file__).parent / "emergencies.yaml").read_text())


async def test_staff_are_alarmed_by_both_kinds_in_any_vertical_and_not_by_what_only_sounds_so(front_desk: FrontDesk):
    receptionist = front_desk.visitor("sorriso").receptionist
    heard = {kind: [receptionist.alarming([words]) for words in LINES[kind]] for kind in ("urgent", "crisis")}
    assert {kind: all(each) for kind, each in heard.items()} == {"urgent": True, "crisis": True}
    assert not receptionist.alarming(["tô morrendo de saudade da dra Ana"])
    assert receptionist.alarming(["não sinto as pernas"])  # of fisio alone


@pytest.mark.parametrize("words", LINES["urgent"])
def test_danger_to_health_is_heard(words: str):
    assert hear(words, "boa-vida").wants("urgent", "crisis")


@pytest.mark.parametrize("words", LINES["crisis"])
def test_danger_to_life_from_oneself_is_heard(words: str):
    assert hear(words, "boa-vida").wants("crisis")


@pytest.mark.parametrize("words", LINES["neither"])
def test_what_is_no_danger_alarms_nobody(words: str):
    assert not hear(words, "boa-vida").wants("urgent", "crisis")


BURST = "a caixa d'água estourou, a sala virou uma piscina e o moço que conserta só vem quinta cedo"


async def test_what_bursts_at_home_is_no_danger_and_who_bleeds_beside_it_is(front_desk: FrontDesk):
    hurt = f"{BURST}, e meu pai escorregou, bateu a cabeça e não acorda"
    calm, grave = [await front_desk.visitor("sorriso").say(said) for said in (BURST, hurt)]
    assert (calm.urgent, options(calm).keys() & {"Sim, é urgente"}, grave.urgent) == (False, set(), True)
