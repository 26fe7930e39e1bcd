"""`gendei check` on the words that patients' wishes are heard by, in prompts/intents.yaml and in the verticals."""

import shutil
from pathlib import Path

import pytest

from gendei.checking import check_files
from gendei.errors import ConfigurationError
from gendei.settings import Settings

ROOT = Path(__file__).parents[1]


def checked(tmp_path: Path, name: str, old: str, new: str) -> list[ConfigurationError]:
    """What `gendei check` finds where this file of prompts/ or verticals/ has `new` for `old`."""
    for folder in ("prompts", "verticals"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    file = tmp_path / name
    file.write_text(file.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    folders = {"prompts_dir": str(tmp_path / "prompts"), "verticals_dir": str(tmp_path / "verticals")}
    return list(check_files(Settings.load(_env_file=None, **folders)))


@pytest.mark.parametrize(
    ("expression", "problem"),
    [
        ("... dor", "begins or ends with a gap"),
        ("dor ...", "begins or ends with a gap"),
        ("dor... peito", "a gap that touches a word"),
        ("dor|| peito", "an empty word"),
        ("* peito", "an empty word"),
    ],
)
@pytest.mark.parametrize("name", ["prompts/intents.yaml", "verticals/med.yaml"])
def test_an_expression_that_nobody_can_say_is_named(tmp_path: Path, name: str, expression: str, problem: str):
    blanks = "    - " if name.startswith("verticals") else "  - "
    [found] = checked(tmp_path, name, blanks, f'{blanks}"{expression}"\n{blanks}')
    assert problem in found.problem
    assert name in found.source


def test_an_intent_that_there_is_not_is_named_with_the_nearest(tmp_path: Path):
    [found] = checked(tmp_path, "verticals/med.yaml", "  urgent:", "  urgente:")
    assert (found.problem, found.remedy) == ('there is no intent "urgente".', 'Did you mean "urgent"?')


def test_an_expression_of_a_vertical_that_is_heard_anyway_is_named(tmp_path: Path):
    [found] = checked(tmp_path, "verticals/med.yaml", "    - tontura", "    - febre")
    assert found.problem == '"febre" is heard as pain already.'


def test_all_that_is_wrong_with_a_verticals_intents_is_named_where_it_stands(tmp_path: Path):
    text = '  urgente: [dor]\n  pains: ["* dor", "dor ..."]\n  pain: ["... dor"]\n'
    found = checked(tmp_path, "verticals/psi.yaml", "intents:\n", f"intents:\n{text}")
    places = [problem.where.partition(", ")[2] for problem in found]
    assert places[:4] == ["intents.urgente", "intents.pains", "intents.pains[0]", "intents.pains[1]"]
    assert "intents.pain[0]" in places
