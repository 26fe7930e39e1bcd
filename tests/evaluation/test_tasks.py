"""The tasks that come with the project, and what is said of a bad one."""

from pathlib import Path

import pytest
import yaml
from tests.evaluation.conftest import FOLDER

from gendei.errors import ConfigurationError, ConfigurationErrors
from gendei.evaluation.tasks import Goal, load_cases

CASES = load_cases(FOLDER)


def test_there_are_120_tasks_or_more_over_all_six_verticals() -> None:
    assert len(CASES) >= 120
    assert {case.clinic for case in CASES} == {"dental", "fisio", "geral", "med", "nutri", "psi"}


def test_every_goal_and_every_persona_is_played() -> None:
    assert {case.task.goal for case in CASES} == set(Goal) - {Goal.REPLAY}  # clinics have these
    assert {case.task.persona for case in CASES} == {
        *("terse", "chatty", "typos", "elderly", "hurried", "changeable", "caregiver"),
    }


@pytest.mark.parametrize(
    ("task", "said"),
    [
        ({"id": "a", "persona": "nobody", "goal": "person", "opening": "oi"}, "persona: is no persona."),
        ({"id": "a", "persona": "terse", "goal": "book", "say": "x"}, "lacks what its goal needs."),
        ({"id": "a", "persona": "terse", "goal": "ask", "opening": "oi", "on": ["ontem"]}, "is no date or time."),
        ({"id": "a", "persona": "terse", "goal": "dance", "opening": "oi"}, "tasks[0].goal"),
    ],
)
def test_a_bad_task_is_refused_with_its_file_and_what_to_write(
    tmp_path: Path, task: dict[str, object], said: str
) -> None:
    (tmp_path / "tasks").mkdir()
    (tmp_path / "personas.yaml").write_text((FOLDER / "personas.yaml").read_text())
    (tmp_path / "tasks" / "bad.yaml").write_text(yaml.safe_dump({"clinic": "dental", "tasks": [task]}))

    with pytest.raises((ConfigurationError, ConfigurationErrors)) as refused:
        load_cases(tmp_path)

    assert "bad.yaml" in str(refused.value)
    assert said in str(refused.value)
