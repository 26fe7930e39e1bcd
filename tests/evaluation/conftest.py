"""One practice with all clinics of the evaluation, for every test of a file."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from gendei.datafile import data_dir
from gendei.evaluation.practice import Practice, open_practice
from gendei.evaluation.tasks import Case, load_cases
from gendei.settings import Settings

GUIDED = Settings.load(
    _env_file=None,
    database="sqlite:///:memory:",
    model="guided",
    prompts_dir=None,
    verticals_dir=None,
    log_level="ERROR",
)
FOLDER: Path = data_dir("evals")


@pytest.fixture
async def practice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Practice]:
    monkeypatch.chdir(tmp_path)
    async with open_practice(GUIDED, FOLDER) as opened:
        yield opened


@pytest.fixture
def case() -> Callable[[str], Case]:
    """A case by its name."""
    known = {entry.id: entry for entry in load_cases(FOLDER)}
    return known.__getitem__
