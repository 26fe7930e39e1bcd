"""The prompt as it was last read, and that the files are whole. To renew the snapshot after a change on purpose:
`pytest tests/assistant/test_texts.py --renew-snapshots`."""

import shutil
from pathlib import Path

import pytest
from tests.assistant.conftest import BIA, Desk

from gendei.assistant.runner import facts_of
from gendei.assistant.texts import load_assistant_files
from gendei.commands.running import CommandRunner
from gendei.datafile import data_dir
from gendei.errors import ConfigurationError
from gendei.prompt_lint import lint_prompts
from gendei.prompts import STAFF_PROMPT

SNAPSHOT = Path(__file__).parent / "snapshots" / "assistant.md"


async def test_the_instructions_are_as_they_were_last_read(desk: Desk, pytestconfig: pytest.Config) -> None:
    texts, prompt = load_assistant_files(data_dir("prompts"))
    call = await CommandRunner(desk.gendei.desks, texts.of_tools, "assistant").begin(BIA)
    now = prompt.render(facts_of(call, BIA)) + "\n"
    if pytestconfig.getoption("--renew-snapshots"):
        SNAPSHOT.parent.mkdir(exist_ok=True)
        SNAPSHOT.write_text(now, encoding="utf-8")
    assert now == SNAPSHOT.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("file", "good", "bad", "said"),
    [
        ("assistant.yaml", "  expired: O tempo", "  expird: O tempo", "expird"),
        ("assistant.yaml", '  "yes": [sim', '  "sim": [sim', "sim"),
        (STAFF_PROMPT, "{user_name}", "{usuario}", "{usuario}"),
        (STAFF_PROMPT, "get_clinic, ", "get_clinics, ", "get_clinics"),
    ],
)
def test_a_bad_file_is_named_with_what_is_wrong(tmp_path: Path, file: str, good: str, bad: str, said: str) -> None:
    folder = Path(shutil.copytree(data_dir("prompts"), tmp_path / "prompts"))
    text = (folder / file).read_text(encoding="utf-8")
    assert good in text
    (folder / file).write_text(text.replace(good, bad, 1), encoding="utf-8")
    with pytest.raises(ConfigurationError) as caught:
        load_assistant_files(folder)
    assert said in str(caught.value)


def test_the_prompt_is_linted_with_the_others(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(data_dir("prompts"), tmp_path / "prompts"))
    before = list(lint_prompts(folder))
    with (folder / STAFF_PROMPT).open("a", encoding="utf-8") as prompt:
        prompt.write("\nTODO\n")
    assert [STAFF_PROMPT in str(problem) for problem in lint_prompts(folder) if problem not in before][-1:] == [True]
