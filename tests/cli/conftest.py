"""The `gendei` command in a folder of its own, with an operator's variables and nobody else's."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from gendei.cli import app

SECRET_KEY = "Sm91cm5leXMtYXJlLWxvY2tlZC13aXRoLXRoaXMhISE="
MONDAY = "2026-11-23T09:00:00-03:00"
AURORA = Path(__file__).parents[1] / "journeys" / "clinics" / "aurora.yaml"
BROMELIA = AURORA.with_name("bromelia.yaml")
Gendei = Callable[..., Result]


@pytest.fixture(autouse=True)
def variables(tmp_path, monkeypatch):
    """A fresh folder to run in, and its variables."""
    for name in os.environ:
        if name.startswith(("GENDEI_", "OPENAI_")):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    given = {
        "GENDEI_SECRET_KEY": SECRET_KEY,
        "GENDEI_NOW": MONDAY,
        "GENDEI_LANG": "en",
        "AURORA_TOKEN": "token-a",
        "BROMELIA_TOKEN": "token-b",
    }
    for name, value in given.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def gendei() -> Gendei:
    """Runs one command; its result has `exit_code`, `stdout` and `stderr`."""
    runner = CliRunner()

    def run(*arguments: str | Path, script: str | None = None) -> Result:
        return runner.invoke(app, [str(argument) for argument in arguments], input=script)

    return run
