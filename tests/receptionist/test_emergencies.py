"""Danger in the words that people find for it, and the words that only sound so."""

from pathlib import Path

import pytest
import yaml
from tests.receptionist.test_understanding import hear

LINES = yaml.safe_load((Path(__file__).parent / "emergencies.yaml").read_text())


@pytest.mark.parametrize("words", LINES["urgent"])
def test_danger_to_health_is_heard(words: str):
    assert hear(words, "boa-vida").wants("urgent", "crisis")


@pytest.mark.parametrize("words", LINES["crisis"])
def test_danger_to_life_from_oneself_is_heard(words: str):
    assert hear(words, "boa-vida").wants("crisis")


@pytest.mark.parametrize("words", LINES["neither"])
def test_what_is_no_danger_alarms_nobody(words: str):
    assert not hear(words, "boa-vida").wants("urgent", "crisis")
