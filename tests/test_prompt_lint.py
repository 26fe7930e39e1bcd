"""`gendei check` on prompts that load and are no good."""

import shutil
from pathlib import Path

import pytest

from gendei.checking import check_files
from gendei.prompt_lint import MAX_PROMPT, lint_prompts
from gendei.settings import Settings

ROOT = Path(__file__).parents[1]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the prompts to spoil."""
    return Path(shutil.copytree(ROOT / "prompts", tmp_path / "prompts"))


def add(folder: Path, text: str) -> int:
    """Add a line to the greeter's prompt; returns its number."""
    file = folder / "greeter.md"
    written = file.read_text(encoding="utf-8").rstrip("\n") + f"\n{text}\n"
    file.write_text(written, encoding="utf-8")
    return written.count("\n")


def test_the_prompts_that_come_with_gendei_have_nothing_wrong():
    assert list(lint_prompts(ROOT / "prompts")) == []


@pytest.mark.parametrize(
    "text",
    ['Diga "sua consulta está confirmada".', "TODO: escrever os exemplos", "Você é uma recepcionista humana."],
)
def test_a_forbidden_word_is_named_with_its_line(folder: Path, text: str):
    line = add(folder, text)
    [found] = lint_prompts(folder)
    assert (found.where, found.source.endswith("greeter.md")) == (f"line {line}", True)


def test_a_prompt_that_is_too_long_is_named(folder: Path):
    add(folder, "Seja gentil. " * (MAX_PROMPT // 12))
    [found] = lint_prompts(folder)
    assert "characters with the rules" in found.problem


def test_a_prompt_without_the_rules_is_named(folder: Path):
    file = folder / "greeter.md"
    file.write_text(file.read_text(encoding="utf-8").replace("{rules}", ""), encoding="utf-8")
    [found] = lint_prompts(folder)
    assert found.problem == "the rules are missing."


def test_a_prompt_that_says_next_to_nothing_is_named(folder: Path):
    front = (folder / "greeter.md").read_text(encoding="utf-8").split("---")[1]
    (folder / "greeter.md").write_text(f"---{front}---\nCumprimente.\n\n{{rules}}\n", encoding="utf-8")
    [found] = lint_prompts(folder)
    assert "too little" in found.problem


def test_check_tells_it_with_all_other_problems(folder: Path):
    add(folder, "Diga que está confirmado.")
    found = check_files(Settings.load(_env_file=None, prompts_dir=str(folder)))
    assert ["confirmado" in problem.problem for problem in found] == [True]
